/**
 * Accounts in a ring. Each owner pays in, transfers an amount to the next account, and draws from both, after AccountSubtype of RGDS 2007 (Table
 * 1).
 * The repaired twin of AccountSubtype.java: the subtype changes the other account under its lock.
 * Parameters: business accounts (the subtype), personal accounts; the paper's are 1 1 and 2 2.
 *
 * sojourner check examples/java/AccountSubtypeFixed.java -- 1 1: clean
 */
public class AccountSubtypeFixed {
    private static class Account {
        int balance = 10;

        synchronized void change(int amount) {
            balance += amount;
        }

        void transfer(Account other, int amount) {
            change(-amount);
            other.change(amount);
        }
    }

    private static final class BusinessAccount extends Account {
        @Override
        void transfer(Account other, int amount) {
            change(-amount);
            other.change(amount);
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int business = args.length > 0 ? Integer.parseInt(args[0]) : 1;
        int personal = args.length > 1 ? Integer.parseInt(args[1]) : 1;
        Account[] accounts = new Account[business + personal];
        for (int i = 0; i < accounts.length; i++) {
            accounts[i] = i < business ? new BusinessAccount() : new Account();
        }
        Thread[] owners = new Thread[accounts.length];
        for (int i = 0; i < owners.length; i++) {
            Account from = accounts[i];
            Account to = accounts[(i + 1) % accounts.length];
            owners[i] = new Thread(() -> {
                from.change(3);
                from.transfer(to, 1);
                to.change(-1);
                from.change(-2);
            });
            owners[i].start();
        }
        int total = 0;
        for (int i = 0; i < owners.length; i++) {
            owners[i].join();
        }
        for (Account account : accounts) {
            total += account.balance;
        }
        assert total == 10 * accounts.length : "the accounts hold " + total;
    }
}
