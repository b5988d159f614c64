//! clean
//! found assertion broken
// Withdrawals: check and act under one lock, or under two.
public class Account {
    private int balance = 10;

    synchronized int balance() { return balance; }
    synchronized void take(int n) { balance -= n; }
    synchronized void takeIfThere(int n) { if (balance >= n) balance -= n; }

    public static void main(String[] args) throws Exception {
        boolean broken = args.length > 0;
        Account account = new Account();
        Runnable withdraw = () -> {
            if (!broken) account.takeIfThere(8);
            else if (account.balance() >= 8) account.take(8);
        };
        Thread a = new Thread(withdraw), b = new Thread(withdraw);
        a.start(); b.start(); a.join(); b.join();
        assert account.balance() >= 0;
    }
}
