package sojourner;

/**
 * What must hold in every state of a program that Sojourner checks. A class with a constructor without parameters is
 * named on the command line, as in {@code sojourner check --property MyProperty Main.java}; its instance is made anew in
 * each state, so that it must look at static fields.
 */
public interface Property {
    /** Whether it holds now. The method must not block, and whatever it changes is undone. */
    boolean holds();
}
