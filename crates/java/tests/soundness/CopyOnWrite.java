import java.util.concurrent.CopyOnWriteArrayList;

/** Whoever goes through the list sees it as it was. */
public class CopyOnWrite {
    static int sum;
    static int size;

    public static void main(String[] args) throws Exception {
        CopyOnWriteArrayList<Integer> list = new CopyOnWriteArrayList<>();
        Thread t = new Thread(() -> list.add(1));
        t.start();
        for (int number : list) {
            list.add(2);
            sum += number;
        }
        t.join();
        size = list.size();
        assert size == 1 + sum;
    }
}
