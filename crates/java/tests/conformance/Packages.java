import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** Packages of the JDK and of the program. */
public class Packages {
    public static void main(String[] args) {
        List<String> all = Arrays.stream(Package.getPackages()).map(Package::getName).collect(Collectors.toList());
        for (String name : List.of("java.lang", "java.util", "java.io", "java.lang.reflect", "java.none")) {
            System.out.println(name + " " + all.contains(name));
        }
        System.out.println(all.stream().distinct().count() == all.size());
        System.out.println(Package.getPackage("java.lang") + ", " + Package.getPackage("java.none"));
        System.out.println(Object.class.getPackage() == Package.getPackage("java.lang"));
        System.out.println(Object.class.getPackage().equals(String.class.getPackage()));
        Package own = Packages.class.getPackage();
        System.out.println("'" + own.getName() + "' " + own.isSealed() + " " + int[].class.getPackage());
        System.out.println(Arrays.asList(Packages.class.getClassLoader().getDefinedPackages()).contains(own));
        System.out.println(Packages.class.getClassLoader().getDefinedPackage("java.lang"));
        System.out.println(Object.class.getPackageName() + " " + int[].class.getPackageName());
    }
}
