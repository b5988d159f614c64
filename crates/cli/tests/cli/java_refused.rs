//! Java programs that do what is not supported, in places where the machine itself runs code of the JDK.

use crate::desk::Desk;

/// A worker that does something, after main has initialised a class of its own: what the worker left behind in an earlier
/// execution must not matter there.
fn worker(does: &str) -> Desk {
    let desk = Desk::new();
    desk.write(
        "Main.java",
        format!(
            "import java.net.*;
public class Main {{
    static volatile int count;
    static class Three {{ static int value = Integer.parseInt(\"3\"); }}
    static class Holder {{ static Object value = open(); }}
    static class Outer {{ static Object value = Holder.value; }}
    static Object open() {{
        try {{ return new ServerSocket(0); }} catch (Exception e) {{ return e; }}
    }}
    interface Body {{ void run() throws Exception; }}
    static Runnable quietly(Body body) {{
        return () -> {{ try {{ body.run(); }} catch (Exception e) {{ count = 0; }} }};
    }}
    public static void main(String[] args) throws Exception {{
        Thread other = new Thread(() -> count++);
        other.start();
        count += Three.value;
        Thread worker = new Thread(quietly(() -> {{
            {does};
        }}));
        worker.start();
        count++;
    }}
}}"
        ),
    );
    desk
}

#[test]
fn network_in_worker_is_refused_with_its_place() {
    let calls = [
        "new ServerSocket(0).accept()",
        "new Socket(\"localhost\", 1).close()",
        "new DatagramSocket().close()",
        "InetAddress.getByName(\"example.org\")",
        "java.nio.channels.SocketChannel.open()",
        "java.net.http.HttpClient.newHttpClient()",
    ];
    for call in calls {
        let ran = worker(call).run("check Main.java").code(4);
        ran.says("unsupported: ").says("Main.java:19");
    }
}

#[test]
fn unsupported_native_in_static_initialiser_of_worker_is_refused() {
    for call in ["count = Holder.value.hashCode()", "count = Outer.value.hashCode()"] {
        let ran = worker(call).run("check Main.java").code(4);
        ran.says("the network is not supported").says("Main.java:19").says("Main.java:8");
    }
}

#[test]
fn every_search_refuses_and_so_does_run() {
    let desk = worker("count = Outer.value.hashCode()");
    for search in sojourner_search::Shape::NAMES.map(|name| name.word()) {
        let ran = desk.run(&format!("check Main.java --search {search}")).code(4);
        ran.says("the network is not supported");
    }
    desk.run("run Main.java").code(4);
}

#[test]
fn finding_before_the_unsupported_call_is_still_found() {
    let desk = worker("if (count < 3) new ServerSocket(0); throw new IllegalStateException()");
    desk.run("check Main.java --search dfs --all").code(4);
    let desk = worker("assert count != 4; new ServerSocket(0)");
    desk.run("check Main.java --search bfs").code(1).says("found: assertion");
}
