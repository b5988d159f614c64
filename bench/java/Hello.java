/** As little as a program can do. */
public class Hello {
    public static void main(String[] arguments) {
        System.out.println("Hello");
    }
}
