//! Small Java programs, explored to the end.

use sojourner_java::explore::{Exploration, Reduce, Subject};
use sojourner_java::library::{Jdk, launch};
use sojourner_program::Verdict;
use sojourner_search::{Halt, Outcome, Settings, Shape, Strategy, Unobserved, explore};

fn check(name: &str, source: &str, exploration: Exploration) -> (Outcome, Subject) {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join(format!("{name}.java"));
    std::fs::write(&path, source).unwrap();
    let jdk = Jdk::find(None).unwrap();
    let launch = launch(path.to_str().unwrap(), &[], &jdk).unwrap();
    let subject = Subject::new(launch, &jdk, Vec::new(), exploration);
    subject.collect_end_states();
    let settings = Settings::new(Strategy::plain(Shape::DepthFirst));
    let outcome = explore(&subject, &settings, &Halt::new(), &Unobserved).unwrap();
    (outcome, subject)
}

const RACE: &str = "
public class Race {
    static int x;
    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> { x = x + 1; });
        Thread b = new Thread(() -> { x = x + 1; });
        a.start(); b.start(); a.join(); b.join();
    }
}";

#[test]
fn two_unordered_increments_may_lose_one() {
    for reduce in [Reduce::ALL, Reduce::NONE] {
        let (outcome, subject) = check("Race", RACE, Exploration { reduce, ..Exploration::default() });
        let ends = subject.end_states();
        let results: Vec<&str> = ends.iter().filter_map(|end| end.lines().next()).collect();
        assert_eq!(outcome.verdict(), Verdict::Clean);
        assert_eq!(results, ["Race.x=1", "Race.x=2"]);
        assert_eq!(subject.warnings().len(), 1, "{:?}", subject.warnings());
    }
}
