//! A study of models, and how it is run in tests.

use sojourner_check::Halt;
use sojourner_model::SingleModel;
use sojourner_models::Phil;
use sojourner_study::Trial;
use sojourner_study::database::Database;
use sojourner_study::file::{Size, StudyFile};
use sojourner_study::plan::{Cell, Plan};
use sojourner_study::results::Results;
use sojourner_study::runner::{self, Watch};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Makes philosophers from one word: how many they are.
type Make = fn(&[String]) -> Result<Phil, String>;

/// The front-ends of tests: one model, because each takes long to compile.
pub static FRONT_ENDS: (SingleModel<Make>,) = (SingleModel { name: "model:phil", make: philosophers },);

fn philosophers(arguments: &[String]) -> Result<Phil, String> {
    let [n] = arguments else { return Err("one argument is needed".into()) };
    let n = n.parse().map_err(|_| format!("'{n}' is not a number"))?;
    Ok(Phil { n, fair: false })
}

/// Philosophers under four strategies.
pub const STUDY: &str = r#"
name = "models"
about = "Models <under> several \"strategies\" & seeds"

[run]
trials = 40
states = 2000

[[program]]
name = "phil"
target = "model:phil"
arguments = ["4", "6"]

[[program]]
name = "more"
target = "model:phil"
arguments = ["7"]

[[strategy]]
name = "default"
options = "--search dfs"
trials = 1

[[strategy]]
name = "random"
options = "--search dfs --order random"

[[strategy]]
name = "guided"
options = "--search best-first:ties=random --heuristic fewest-runnable"

[[strategy]]
name = "backtrack {threshold} {ratio}"
options = "--search dfs --order random --backtrack threshold={threshold},strategy=random,ratio={ratio}"
matrix = { threshold = [5, 10], ratio = ["0.5", "0.9"] }
programs = ["phil"]

[[table]]
kind = "summary"
[[table]]
kind = "prss"
strategies = ["random"]
baseline = "default"
[[table]]
kind = "normalised"
strategies = ["random", "guided"]
baseline = "random"
[[table]]
kind = "best"
[[table]]
kind = "extremes"
[[table]]
kind = "columns"
strategies = ["backtrack*"]
[[table]]
kind = "pairs"
baseline = "random"
[[table]]
kind = "counts"
strategies = ["default"]
[[table]]
kind = "programs"

[[figure]]
kind = "histogram"
[[figure]]
kind = "nodes"
baseline = "default"
[[figure]]
kind = "scatter"
strategies = ["random", "guided"]
[[figure]]
kind = "heat"
rows = "threshold"
columns = "ratio"
[[figure]]
kind = "boxes"
[[figure]]
kind = "survival"
[[figure]]
kind = "growth"
strategies = ["default"]
"#;

/// The plan of a study.
pub fn plan(text: &str) -> Plan {
    let file = StudyFile::read(text, Size::Default).unwrap_or_else(|error| panic!("{error}"));
    Plan::new(file, Path::new(""), &FRONT_ENDS).unwrap_or_else(|error| panic!("{error}"))
}

/// Interrupts a study when so many trials have ended.
pub struct After<'a, 'h> {
    pub left: AtomicU64,
    pub halt: &'a Halt<'h>,
}

impl Watch for After<'_, '_> {
    fn begin(&self, _: u64, _: u64) {}

    fn ended(&self, _: &Cell, _: &Trial, _: u64) {
        if self.left.fetch_sub(1, Relaxed) == 1 {
            self.halt.interrupt();
        }
    }
}

/// Runs what is missing, but no more than about so many trials. Returns whether it was interrupted.
pub fn run(plan: &Plan, directory: &Path, jobs: usize, most: u64) -> bool {
    let database = Database::open(directory).unwrap();
    let halt = Halt::new();
    let watch = After { left: AtomicU64::new(most), halt: &halt };
    runner::run(plan, &FRONT_ENDS, &database, jobs, &halt, &watch).unwrap()
}

/// The results of a plan.
pub fn results(plan: &Plan, directory: &Path) -> Results {
    Results::read(plan.clone(), &Database::read(directory).unwrap()).unwrap()
}

/// All rows, without what a clock says.
pub fn rows(plan: &Plan, directory: &Path) -> Vec<(String, Vec<Trial>)> {
    let without_clock = |trial: &Trial| Trial { seconds: 0.0, ..trial.clone() };
    let cells = results(plan, directory).cells;
    let row = |one: &sojourner_study::results::CellResults| {
        let name = format!("{}, {}", one.cell.label(), one.cell.strategy);
        (name, one.trials.iter().map(without_clock).collect())
    };
    cells.iter().map(row).collect()
}
