//! `sojourner diff-states`: what makes states that look alike differ.

use crate::desk::Desk;

const HITS: &str = "public class Hits {
    static int turn;
    static int hits;
    public static void main(String[] args) throws Exception {
        Thread[] threads = new Thread[2];
        for (int i = 0; i < 2; i++) {
            int add = i + 1;
            threads[i] = new Thread(() -> {
                synchronized (Hits.class) { turn = add; hits += add; }
                synchronized (Hits.class) { turn = 0; }
            }, \"t\" + i);
            threads[i].start();
        }
        for (Thread thread : threads) thread.join();
    }
}";

fn desk() -> Desk {
    let desk = Desk::new();
    desk.write("Hits.java", HITS);
    desk
}

#[test]
fn differing_components_of_java_states_are_named() {
    let ran = desk().run("diff-states Hits.java").code(0).says("states of Hits.java: all there are");
    assert!(ran.out.contains("static field Hits.hits"), "{}", ran.out);
    assert!(ran.out.contains("differ  in it alone  states without it  in"), "{}", ran.out);
    assert!(!ran.out.contains("something that has no name"), "{}", ran.out);
}

#[test]
fn with_objects_numbered_as_they_were_allocated_their_numbers_differ() {
    let source = "public class Main {
        static final Object[] boxes = new Object[2];
        static void fill(int i) {
            synchronized (Main.class) { boxes[i] = new Object(); }
        }
        public static void main(String[] args) throws Exception {
            Thread first = new Thread(() -> fill(0)), second = new Thread(() -> fill(1));
            first.start();
            second.start();
            first.join();
            second.join();
        }
    }";
    let desk = Desk::new();
    desk.write("Main.java", source);
    let with = desk.run("diff-states --symmetry none Main.java").code(0);
    let without = desk.run("diff-states Main.java").code(0);
    let kind = "number of java.lang.Object";
    assert!(with.out.contains(kind) && !without.out.contains(kind), "{}\n{}", with.out, without.out);
}

#[test]
fn a_budget_cuts_it_and_says_so() {
    desk()
        .run("diff-states --states 10 Hits.java")
        .code(0)
        .says("not all there are")
        .says("bound of 10 states");
    desk().run("diff-states --top 1 Hits.java").code(0).says("left out");
}

#[test]
fn models_are_compared_by_their_kinds() {
    let ran = Desk::new().run("diff-states model:bakery --states 1000 -- n=2").code(0);
    assert!(ran.out.contains("tickets"), "{}", ran.out);
}

#[test]
fn the_ends_of_two_traces_are_compared() {
    let desk = Desk::new();
    desk.run("check model:bakery --search bfs --trace a.json -- n=2 choosing=false").code(1);
    desk.run("diff-states --at a.json --at a.json model:bakery -- n=2 choosing=false").code(0).says("equal");
    let ran = desk.run("diff-states --at a.json --at s1__0_00000000 model:bakery -- n=2 choosing=false");
    assert_eq!(ran.code, 2);
    let empty = "diff-states --at a.json model:bakery -- n=2 choosing=false";
    desk.run(empty).refused(&["give --at twice"]);
}

#[test]
fn bad_requests_are_refused() {
    let desk = Desk::new();
    desk.run("diff-states model:nothing").refused(&["nothing"]);
    desk.run("diff-states --at x.json --at y.json model:phil").refused(&["x.json"]);
}
