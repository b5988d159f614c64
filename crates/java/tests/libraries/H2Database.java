import java.sql.*;
import java.util.Properties;

/** H2 in memory: tables, inserts, joins, aggregates, constraints, prepared statements, metadata. */
public class H2Database {
    static void show(Connection c, String sql) throws SQLException {
        try (Statement s = c.createStatement(); ResultSet r = s.executeQuery(sql)) {
            ResultSetMetaData m = r.getMetaData();
            StringBuilder head = new StringBuilder();
            for (int i = 1; i <= m.getColumnCount(); i++) head.append(m.getColumnLabel(i)).append(' ');
            System.out.println(head);
            while (r.next()) {
                StringBuilder row = new StringBuilder("  ");
                for (int i = 1; i <= m.getColumnCount(); i++) row.append(r.getObject(i)).append(' ');
                System.out.println(row);
            }
        }
    }

    static void attempt(Connection c, String sql) {
        try (Statement s = c.createStatement()) {
            System.out.println(s.executeUpdate(sql));
        } catch (SQLException e) {
            System.out.println(e.getSQLState() + " " + e.getErrorCode());
        }
    }

    public static void main(String[] args) throws Exception {
        try (Connection c = new org.h2.Driver().connect("jdbc:h2:mem:", new Properties())) {
            try (Statement s = c.createStatement()) {
                s.execute("create table person(id int primary key, name varchar(20) not null, born date, salary decimal(10,2))");
                s.execute("create table task(id int auto_increment primary key, owner int references person(id), title varchar, hours int default 1)");
                s.execute("create index by_name on person(name)");
            }
            try (PreparedStatement p = c.prepareStatement("insert into person values(?, ?, ?, ?)")) {
                Object[][] people = {{1, "Ada", "1815-12-10", "100.50"}, {2, "Grace", "1906-12-09", "220.00"}, {3, "Alan", "1912-06-23", null}};
                for (Object[] row : people) {
                    p.setInt(1, (int) row[0]);
                    p.setString(2, (String) row[1]);
                    p.setDate(3, Date.valueOf((String) row[2]));
                    p.setBigDecimal(4, row[3] == null ? null : new java.math.BigDecimal((String) row[3]));
                    p.addBatch();
                }
                System.out.println(p.executeBatch().length);
            }
            attempt(c, "insert into task(owner, title, hours) values(1, 'engine', 9), (1, 'notes', 4), (2, 'compiler', 7), (null, 'orphan', default)");
            show(c, "select * from person order by id");
            show(c, "select p.name, t.title, t.hours from person p join task t on t.owner = p.id order by p.name, t.hours desc");
            show(c, "select p.name, count(t.id) as n, sum(t.hours) as total from person p left join task t on t.owner = p.id group by p.name having p.name like 'A%' order by n");
            show(c, "select upper(name) || '!' as loud, year(born) as y, coalesce(salary, 0) * 2 as pay from person where id in (select owner from task where hours > 5) order by 1");
            show(c, "with recursive n(i) as (select 1 union all select i + 1 from n where i < 5) select i, i * i as sq from n");
            show(c, "select name, row_number() over (order by born desc) as r from person order by r");
            attempt(c, "update person set salary = salary * 1.1 where salary is not null");
            attempt(c, "insert into person values(1, 'Twice', null, 0)");
            attempt(c, "insert into person values(9, null, null, 0)");
            attempt(c, "insert into task(owner) values(77)");
            attempt(c, "select from nonsense");
            attempt(c, "delete from task where owner is null");
            show(c, "select avg(salary) as a, min(name) as b, max(born) as c, count(*) as d from person");
            DatabaseMetaData meta = c.getMetaData();
            System.out.println(meta.getDatabaseProductName() + " " + meta.getDatabaseMajorVersion());
        }
    }
}
