/**
 * An endless loop that makes objects, after Figure 5 of JPF 2001: without garbage collection its states are infinitely
 * many, with it there is a handful. No defect, no parameters; it never ends on an ordinary JVM.
 *
 * sojourner check --livelock off examples/java/EndlessAllocator.java: clean
 */
public class EndlessAllocator {
    public static void main(String[] args) {
        Object made;
        while (true) {
            made = new Object();
        }
    }
}
