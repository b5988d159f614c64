import java.sql.*;

/** H2 in memory: transactions, savepoints, isolation between two connections, and several threads that move money. */
public class H2Transactions {
    static final String URL = "jdbc:h2:mem:bank;DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=10000";

    static long number(Connection c, String sql) throws SQLException {
        try (Statement s = c.createStatement(); ResultSet r = s.executeQuery(sql)) {
            r.next();
            return r.getLong(1);
        }
    }

    static void move(Connection c, int from, int to, int amount) throws SQLException {
        try (PreparedStatement p = c.prepareStatement("update account set balance = balance + ? where id = ?")) {
            // In the order of the accounts, so that no two transfers block each other.
            int first = Math.min(from, to), second = Math.max(from, to);
            p.setInt(1, first == from ? -amount : amount);
            p.setInt(2, first);
            p.executeUpdate();
            p.setInt(1, second == from ? -amount : amount);
            p.setInt(2, second);
            p.executeUpdate();
        }
    }

    public static void main(String[] args) throws Exception {
        try (Connection a = DriverManager.getConnection(URL); Connection b = DriverManager.getConnection(URL)) {
            try (Statement s = a.createStatement()) {
                s.execute("create table account(id int primary key, balance int check (balance >= 0))");
                for (int i = 0; i < 4; i++) s.execute("insert into account values(" + i + ", 100)");
            }
            a.setAutoCommit(false);
            move(a, 0, 1, 30);
            System.out.println("inside " + number(a, "select balance from account where id = 0") + ", outside " + number(b, "select balance from account where id = 0"));
            a.rollback();
            System.out.println("rolled back " + number(a, "select balance from account where id = 0"));
            move(a, 0, 1, 10);
            Savepoint point = a.setSavepoint("half");
            move(a, 0, 2, 50);
            a.rollback(point);
            a.commit();
            System.out.println("committed " + number(b, "select balance from account where id = 0") + " " + number(b, "select balance from account where id = 2"));
            try {
                move(a, 3, 0, 500);
            } catch (SQLException e) {
                System.out.println("refused " + e.getErrorCode());
                a.rollback();
            }
            System.out.println("sum " + number(b, "select sum(balance) from account"));
            a.commit();
            Thread[] threads = new Thread[3];
            for (int t = 0; t < threads.length; t++) {
                int me = t;
                threads[t] = new Thread(() -> {
                    try (Connection c = DriverManager.getConnection(URL)) {
                        c.setAutoCommit(false);
                        for (int i = 0; i < 10; i++) {
                            move(c, me, me + 1, 1);
                            c.commit();
                        }
                    } catch (SQLException e) {
                        throw new AssertionError(e);
                    }
                });
                threads[t].start();
            }
            for (Thread t : threads) t.join();
            for (int i = 0; i < 4; i++) System.out.print(number(b, "select balance from account where id = " + i) + " ");
            System.out.println(number(b, "select sum(balance) from account"));
            try (Statement s = b.createStatement()) {
                s.execute("shutdown");
            }
        }
    }
}
