import java.io.*; import java.lang.reflect.*; import java.util.*;
/** Class loaders of the program and of the JDK, what modules and packages they give their classes, and what reflection may reach. */
public class ClassLoaders {
  static class Mine extends ClassLoader {
    Mine(ClassLoader p){super("mine",p);}
    @Override protected Class<?> loadClass(String n, boolean r) throws ClassNotFoundException {
      if (n.startsWith("ClassLoaders$In")) { synchronized(getClassLoadingLock(n)) {
        Class<?> c = findLoadedClass(n); if (c==null) { System.out.println("defining "+n); try (InputStream in = getParent().getResourceAsStream(n+".class")) { byte[] b=in.readAllBytes(); c = defineClass(n,b,0,b.length);} catch(IOException e){throw new ClassNotFoundException(n,e);} } return c; } }
      return super.loadClass(n,r);
    }
  }
  public static class InA { public static int count; public InB b = new InB(); public String toString(){ return "A with "+b+" "+(++count); } }
  public static class InB extends InC { static { System.out.println("init InB"); } }
  public static class InC { public String toString(){return "C of "+getClass().getName()+" by "+getClass().getClassLoader().getName();} }
  public static void main(String[] a) throws Exception {
    System.out.println(ClassLoaders.class.getClassLoader().getName()+" "+ClassLoaders.class.getClassLoader().getParent().getName()+" "+ClassLoaders.class.getClassLoader().getParent().getParent());
    System.out.println(String.class.getClassLoader()+" "+ClassLoader.getSystemClassLoader().getClass().getName()+" "+(ClassLoader.getSystemClassLoader()==ClassLoaders.class.getClassLoader()));
    System.out.println(Thread.currentThread().getContextClassLoader()==ClassLoaders.class.getClassLoader());
    Mine m = new Mine(ClassLoaders.class.getClassLoader());
    Class<?> c = Class.forName("ClassLoaders$InA", true, m);
    Object o = c.getDeclaredConstructor().newInstance();
    System.out.println(o+" "+(c==InA.class)+" "+(o instanceof InA)+" "+c.getClassLoader().getName());
    System.out.println(new InA());
    try { Object x = o; InA y = (InA) x; } catch (ClassCastException e) { System.out.println("cce"); }
    try { m.loadClass("Nope"); } catch (ClassNotFoundException e) { System.out.println(e.getMessage()); }
    try { Class.forName("Nope2", true, m); } catch (ClassNotFoundException e) { System.out.println(e.getMessage()); }
    try { Class.forName("Nope3"); } catch (ClassNotFoundException e) { System.out.println(e.getMessage()); }
    for (String n : new String[] {"Lacking", "LL", "[LLacking;", "[[LLacking;", "L;", "Lacking;"}) { try { Class.forName(n); } catch (ClassNotFoundException e) { System.out.println(e.getMessage()); } }
    ClassLoader rootless = new ClassLoader(null) { @Override protected Class<?> findClass(String n) throws ClassNotFoundException { System.out.println("finds "+n); throw new ClassNotFoundException(n); } };
    try { rootless.loadClass("LoadedByNobody"); } catch (ClassNotFoundException e) { System.out.println(e.getMessage()); }
    System.out.println(rootless.loadClass("java.util.List")==List.class);
    try { System.loadLibrary("sojourner-lacks-this"); } catch (UnsatisfiedLinkError e) { System.out.println("no library"); }
    try { System.load("/nowhere/libsojourner.so"); } catch (UnsatisfiedLinkError e) { System.out.println(e.getMessage().contains("/nowhere/libsojourner.so")); }
    System.out.println(c.getModule().isNamed()+" "+(c.getModule()==m.getUnnamedModule())+" "+String.class.getModule()+" "+ClassLoaders.class.getModule().isNamed()+" "+java.util.logging.Logger.class.getModule().getName());
    System.out.println(String.class.getModule().isExported("java.lang")+" "+String.class.getModule().isOpen("java.lang", ClassLoaders.class.getModule())+" "+String.class.getModule().isExported("sun.misc")+" "+String.class.getModule().isExported("jdk.internal.misc"));
    try { Field f = String.class.getDeclaredField("value"); f.setAccessible(true); System.out.println("accessible"); } catch (InaccessibleObjectException e) { System.out.println(e.getMessage().replaceAll("@.*","")); }
    try { Method f = Object.class.getDeclaredMethod("clone"); f.invoke(new Object()); } catch (IllegalAccessException e) { System.out.println(e.getMessage()); }
    try { Class<?> k = Class.forName("jdk.internal.misc.VM"); k.getMethod("initLevel").invoke(null); } catch (IllegalAccessException e) { System.out.println(e.getMessage().replaceAll("@.*","")); }
    System.out.println(ClassLoaders.class.getPackage()+"|"+ClassLoaders.class.getPackageName()+"|"+String.class.getPackage()+"|"+String.class.getPackage().getName()+"|"+Package.getPackage("java.util")+"|"+int.class.getPackageName());
    System.out.println(ModuleDescriptorOf(String.class)+" "+ClassLoaders.class.getModule().getDescriptor());
    Thread t = new Thread(() -> System.out.println(Thread.currentThread().getContextClassLoader().getName())); t.start(); t.join();
    Thread.currentThread().setContextClassLoader(m);
    t = new Thread(() -> System.out.println(Thread.currentThread().getContextClassLoader().getName())); t.start(); t.join();
    System.out.println(java.sql.Driver.class.getClassLoader().getName());
    System.out.println(ClassLoaders.class.getProtectionDomain().getCodeSource() != null);
    System.out.println(Runtime.version().feature());
  }
  static String ModuleDescriptorOf(Class<?> c) { var d=c.getModule().getDescriptor(); return d.name()+" "+d.isOpen()+" "+d.packages().contains("java.lang")+" "+d.exports().size(); }
}
