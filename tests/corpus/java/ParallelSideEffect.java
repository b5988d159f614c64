//! clean
//! found assertion|exception broken
// A task is forked and another one runs meanwhile; both add to a list. Broken: the list is a plain one.
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;

public class ParallelSideEffect {
    public static void main(String[] args) {
        List<Integer> plain = new ArrayList<>();
        List<Integer> list = args.length > 0 ? plain : Collections.synchronizedList(plain);
        CompletableFuture<Void> task = CompletableFuture.runAsync(() -> list.add(1), command -> new Thread(command).start());
        list.add(2);
        task.join();
        assert list.size() == 2;
    }
}
