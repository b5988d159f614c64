/** Objects that are thrown away at once must not tell states apart, nor be confused with those that are kept. */
public class GarbageMade {
    static int[] kept;
    static int n;

    public static void main(String[] args) throws Exception {
        Thread t = new Thread(() -> {
            int[] thrown = {1};
            int[] own = {thrown[0] + 1};
            kept = own;
        });
        t.start();
        int[] thrown = {3};
        kept = new int[] {thrown[0]};
        n = kept[0];
        t.join();
        assert kept[0] == 2 || kept[0] == 3;
    }
}
