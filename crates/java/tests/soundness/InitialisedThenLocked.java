/** Written without the lock while nobody else is there, and with it afterwards. */
public class InitialisedThenLocked {
    static class Account {
        int balance;

        Account(int balance) {
            this.balance = balance;
        }

        synchronized void move(int amount) {
            balance += amount;
        }
    }

    static int result;

    public static void main(String[] args) throws Exception {
        Account account = new Account(5);
        account.balance++;
        Thread t = new Thread(() -> account.move(2));
        t.start();
        account.move(-3);
        t.join();
        result = account.balance;
        assert result == 5;
    }
}
