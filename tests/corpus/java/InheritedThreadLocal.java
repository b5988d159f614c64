//! clean
//! found assertion broken
// A child inherits a copy of what its parent's thread-local held. Broken: the copy is the same list.
import java.util.ArrayList;
import java.util.List;

public class InheritedThreadLocal {
    public static void main(String[] args) throws Exception {
        InheritableThreadLocal<List<Integer>> local = new InheritableThreadLocal<>() {
            @Override
            protected List<Integer> childValue(List<Integer> parent) {
                return args.length > 0 ? parent : new ArrayList<>(parent);
            }
        };
        local.set(new ArrayList<>(List.of(1)));
        Thread child = new Thread(() -> local.get().add(2));
        child.start();
        child.join();
        assert local.get().size() == 1;
    }
}
