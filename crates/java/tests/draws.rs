//! Random numbers that no seed decides: which draws are data choices, and which the verdict names.

use sojourner_java::explore::{Draws, Exploration, JavaProgram};
use sojourner_java::library::{Jdk, launch};
use sojourner_program::Verdict;
use sojourner_search::{
    Halt, Outcome, Reduction, Settings, Shape, Strategy, Ties, Unobserved, explore, replay,
};

#[test]
fn finalizers_and_cleaners_are_named_because_they_do_not_run() {
    for (body, expected) in [
        ("class A { protected void finalize() { result = 1; } } new A(); System.gc();", "Main$1A.finalize"),
        (
            "java.lang.ref.Cleaner.create().register(new Object(), () -> result = 1); System.gc();",
            "a cleaner at Main.java:8",
        ),
        ("new java.lang.ref.WeakReference<>(new Object()).get(); new java.io.File(\"a\").exists();", ""),
    ] {
        let subject = subject(body, Draws::Draw);
        assert_eq!(explored(&subject, Shape::DepthFirst).verdict(), Verdict::Clean, "{body}");
        assert_eq!(subject.clean_ups().join(";"), expected, "{body}");
    }
}

fn subject(body: &str, random: Draws) -> JavaProgram {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("Main.java");
    let source = format!(
        "import java.util.*;\nimport java.util.concurrent.*;\nimport java.util.random.*;\nimport java.util.stream.*;\n\
         public class Main {{\nstatic long result;\npublic static void main(String[] args) throws Exception {{\n{body}\n}}\n}}\n"
    );
    std::fs::write(&path, source).unwrap();
    let jdk = Jdk::find(None).unwrap();
    let launch = launch(path.to_str().unwrap(), &[], &jdk).unwrap();
    let subject =
        JavaProgram::new(launch, &jdk, Vec::new(), Exploration { random, ..Exploration::default() });
    subject.collect_end_states();
    subject
}

fn explored(subject: &JavaProgram, shape: Shape) -> Outcome {
    let mut settings = Settings::new(Strategy::plain(shape));
    settings.budget.states = Some(20_000);
    explore(subject, &settings, &Halt::new(), &Unobserved).unwrap()
}

/// The end states of a program that leaves what it has drawn in `Main.result`, and the draws that had one value.
fn ends(body: &str, random: Draws) -> (usize, Vec<String>) {
    let subject = subject(body, random);
    let outcome = explored(&subject, Shape::DepthFirst);
    assert_eq!(outcome.verdict(), Verdict::Clean, "{body}: {outcome:?}");
    (subject.end_states().len(), subject.draws())
}

#[test]
fn bounded_draws_without_seed_are_choices() {
    for (body, count) in [
        ("result = new Random().nextInt(6);", 6),
        ("result = new Random().nextInt(3, 7);", 4),
        ("result = new Random().nextLong(5);", 5),
        ("result = new Random().nextLong(1L << 40, (1L << 40) + 3);", 3),
        ("result = new Random().nextBoolean() ? 1 : 0;", 2),
        ("result = new Random().nextInt(1);", 1),
        ("result = ThreadLocalRandom.current().nextInt(4);", 4),
        ("result = ThreadLocalRandom.current().nextInt(-2, 2);", 4),
        ("result = ThreadLocalRandom.current().nextLong(2, 4);", 2),
        ("result = ThreadLocalRandom.current().nextBoolean() ? 1 : 0;", 2),
        ("result = new SplittableRandom().nextInt(5);", 5),
        ("result = new java.security.SecureRandom().nextInt(3);", 3),
        ("result = RandomGenerator.getDefault().nextInt(3);", 3),
        ("result = RandomGenerator.of(\"Xoshiro256PlusPlus\").nextBoolean() ? 1 : 0;", 2),
        ("result = new Random(System.nanoTime()).nextInt(3);", 3),
        ("result = new Random(System.currentTimeMillis()).nextInt(3);", 3),
        ("Random r = new Random(1); r.setSeed(System.nanoTime()); result = r.nextInt(3);", 3),
        ("result = new Random() { }.nextInt(3);", 3),
        ("result = IntStream.generate(() -> new Random().nextInt(2)).limit(3).sum();", 4),
    ] {
        assert_eq!(ends(body, Draws::default()), (count, Vec::new()), "{body}");
    }
}

#[test]
fn draws_with_a_seed_are_no_choices_and_no_caveats() {
    for body in [
        "result = new Random(42).nextInt(6);",
        "Random r = new Random(); r.setSeed(42); result = r.nextInt(6) + r.nextLong();",
        "result = new SplittableRandom(42).nextInt(6);",
        "result = new SplittableRandom(42).split().nextLong();",
        "result = RandomGeneratorFactory.of(\"L64X128MixRandom\").create(42).nextInt(6);",
        "List<Integer> list = new ArrayList<>(List.of(1, 2, 3)); Collections.shuffle(list, new Random(42)); result = list.get(0);",
        "result = new Random(42).ints(4, 0, 9).sum();",
        "result = new Random(42).nextGaussian() > 0 ? 1 : 0;",
        // The program itself decides what is drawn.
        "result = new Random() { protected int next(int bits) { return 1; } }.nextInt(6);",
        "result = ((RandomGenerator) () -> 7L).nextInt(6);",
        "ConcurrentHashMap<Integer, Integer> map = new ConcurrentHashMap<>(); map.put(1, 1); result = map.size();",
        "ConcurrentSkipListMap<Integer, Integer> map = new ConcurrentSkipListMap<>(); map.put(1, 1); result = map.size();",
    ] {
        assert_eq!(ends(body, Draws::default()), (1, Vec::new()), "{body}");
    }
}

#[test]
fn other_draws_have_one_value_and_are_named() {
    for (body, place) in [
        ("result = Math.random() < 2 ? 1 : 0;", "Math.random"),
        ("result = new Random().nextInt();", "Random.nextInt"),
        ("result = new Random().nextInt(17);", "Random.nextInt"),
        ("result = new Random().nextInt(0, 100);", "RandomGenerator.nextInt"),
        ("result = new Random().nextLong();", "Random.nextLong"),
        ("result = (long) new Random().nextGaussian();", "Random.nextGaussian"),
        ("new Random().nextBytes(new byte[3]);", "Random.nextBytes"),
        ("result = ThreadLocalRandom.current().nextInt(100);", "ThreadLocalRandom.nextInt"),
        ("result = (long) ThreadLocalRandom.current().nextDouble();", "ThreadLocalRandom.nextDouble"),
        ("result = new SplittableRandom().nextLong();", "SplittableRandom.nextLong"),
        ("result = new SplittableRandom().split().nextInt(6);", "SplittableRandom.split"),
        ("result = RandomGenerator.getDefault().nextLong();", "L32X64MixRandom.nextLong"),
        ("result = UUID.randomUUID().version();", "UUID.randomUUID"),
        ("new java.security.SecureRandom().nextBytes(new byte[3]);", "SecureRandom.nextBytes"),
        ("result = new Random(System.nanoTime()).nextLong();", "Random.nextLong"),
        (
            "List<Integer> list = new ArrayList<>(List.of(1, 2, 3)); Collections.shuffle(list); result = list.get(0);",
            "Collections.shuffle",
        ),
        ("new Random().ints(2, 0, 3).forEach(i -> result += i);", "IntPipeline$Head.forEach"),
    ] {
        let expected = vec![format!("{place} at Main.java:8")];
        assert_eq!(ends(body, Draws::default()), (1, expected), "{body}");
    }
}

#[test]
fn every_draw_is_named_where_none_is_a_choice() {
    let body =
        "result = new Random().nextInt(6);\nresult += new Random(1).nextInt(6);\nresult += Math.random();";
    let named = vec!["Math.random at Main.java:10".to_string(), "Random.nextInt at Main.java:8".to_string()];
    assert_eq!(ends(body, Draws::Draw), (1, named));
}

#[test]
fn more_outcomes_are_choices_if_asked_for() {
    assert_eq!(ends("result = new Random().nextInt(17);", Draws::Choose(20)), (17, Vec::new()));
    let (count, named) = ends("result = new Random().nextInt(6);", Draws::Choose(5));
    assert_eq!((count, named.len()), (1, 1));
}

/// States of a loop for ever are the same ones again: a generator that only chooses does not advance.
#[test]
fn choosing_leaves_no_trace_in_a_generator() {
    let body = "Random random = new Random(); while (true) { result = random.nextInt(3) + new Random().nextInt(2); }";
    let subject = subject(body, Draws::default());
    let outcome = explored(&subject, Shape::DepthFirst);
    assert!(outcome.reasons.is_empty(), "{outcome:?}");
    assert!(outcome.tally.states < 50, "{outcome:?}");
}

#[test]
fn every_search_finds_a_bad_draw_and_replays_it() {
    let body = "Thread other = new Thread(() -> result = ThreadLocalRandom.current().nextInt(4)); other.start();\n\
                boolean coin = new Random().nextBoolean(); other.join(); assert !(coin && result == 3);";
    for shape in [
        Shape::DepthFirst,
        Shape::BreadthFirst(None),
        Shape::best_first(Ties::Age),
        Shape::Dpor(Reduction::Optimal),
        Shape::Dpor(Reduction::Source),
        Shape::Walk,
        Shape::Pct(Some(3)),
        Shape::Pos,
    ] {
        let subject = subject(body, Draws::default());
        let outcome = explored(&subject, shape);
        assert_eq!(outcome.verdict(), Verdict::Found, "{shape:?}");
        let found = &outcome.found[0];
        let again = replay(&subject, found.schedule.as_deref().unwrap()).unwrap();
        let words: Vec<&str> = again.events.iter().map(|event| event.words.as_str()).collect();
        let words = words.join("\n");
        assert!(
            words.contains("draws 3 of nextInt(4)") && words.contains("draws true of nextBoolean()"),
            "{words}"
        );
    }
}
