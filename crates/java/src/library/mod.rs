//! Where classes come from: the JDK's image, directories, jars, and sources that are compiled on the way.
