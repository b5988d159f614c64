//! The options of Java programs: where their classes are, what they run on, and how they are explored.

use crate::explore::{Draws, Exploration, Gc, Granularity, Juc, Races, Reduce, Rewind, Symmetry};
use crate::library::Grant;
use crate::machine;
use sojourner_frontend::{Bytes, Given, OnReplay, OpenError, Opt, Otherwise, Stage, Value, shared};
use std::path::PathBuf;

/// Bytes of a program's heap, if the user says nothing.
const HEAP: u64 = 4 << 30;
/// Calls on a thread's stack, if the user says nothing.
const FRAMES: usize = 10_000;
/// Below the first not even the class library starts; above the second a stack is not given to every thread.
const FEWEST_FRAMES: usize = 100;
const MOST_FRAMES: usize = 1_000_000;

/// The options of Java programs.
pub static OPTIONS: &[Opt] = &[
    Opt {
        alias: Some("--class-path"),
        ..Opt::value(
            "--classpath",
            Value::Path { name: "PATHS" },
            "Look for classes in these directories and jars, separated by colons. DIR/* stands for all jars in DIR. `-cp` \
             means the same, as with `java`.",
        )
    }
    .otherwise(Otherwise::Says("the current directory"))
    .repeated()
    .from(Stage::Find)
    .on_replay(OnReplay::Replaced),
    Opt::value(
        "--jdk",
        Value::Path { name: "DIR" },
        "Run the program on the class library of the JDK 17 in this directory.",
    )
    .otherwise(Otherwise::Says(
        "JAVA_HOME, the `java` on the path, or a JDK 17 in /usr/lib/jvm (or in the directory that SOJOURNER_JDKS names)",
    ))
    .from(Stage::Find)
    .on_replay(OnReplay::Replaced),
    Opt::value(
        "--add-opens",
        Value::of::<Grant>("PACKAGE"),
        "Open a package of the JDK to reflection, as with `java`: MODULE/PACKAGE=ALL-UNNAMED. Add-Opens in the manifest of \
         the jar that is started does the same.",
    )
    .repeated()
    .from(Stage::Find)
    .on_replay(OnReplay::Added),
    Opt::value(
        "--add-exports",
        Value::of::<Grant>("PACKAGE"),
        "Export a package of the JDK, as with `java` and `javac`: MODULE/PACKAGE=ALL-UNNAMED. Add-Exports in the manifest \
         of the jar that is started does the same.",
    )
    .repeated()
    .from(Stage::Find)
    .on_replay(OnReplay::Added),
    Opt::value(
        "-D",
        Value::Word { name: "KEY[=VALUE]", read: |text| property(text).map(|_| text.into()) },
        "Set a system property of the program.",
    )
    .repeated()
    .from(Stage::Run),
    Opt::value("--heap", Value::of::<Bytes>("SIZE"), "Limit the program's heap to this size, as in 512M or 4G.")
        .otherwise(Otherwise::Says("4G"))
        .from(Stage::Run),
    Opt::value(
        "--stack",
        Value::Word { name: "N", read: |text| frames(text).map(|n| n.to_string()) },
        "Limit the stack of a thread to N calls.",
    )
    .otherwise(Otherwise::Says("10000"))
    .from(Stage::Run),
    Opt { names: &Reduce::NAMES, ..Opt::value("--reduce", Value::of::<Reduce>("NAMES"), REDUCE) }
        .otherwise(Otherwise::Is("all")),
    Opt::named::<Gc>("--gc", Otherwise::Is("mark"), "Choose which objects belong to a state."),
    Opt::named::<Rewind>("--rewind", Otherwise::Is("undo"), "Choose how a search goes back to earlier states."),
    Opt::named::<Symmetry>("--symmetry", Otherwise::Is("canonical"), "Choose how the objects of a state are numbered."),
    Opt::named::<Granularity>("--granularity", Otherwise::Is("operation"), "Choose how much a thread does in one step."),
    Opt::named::<Juc>("--juc", Otherwise::Is("primitive"), "Choose how java.util.concurrent is run."),
    Opt { names: &Draws::NAMES, ..Opt::value("--random", Value::of::<Draws>("HOW"), RANDOM) }
        .otherwise(Otherwise::Is("choose")),
    Opt::value(
        "--property",
        Value::Word { name: "CLASS[.METHOD]", read: name_of_property },
        "Check this property in every state: a static boolean method without parameters, or a class that implements \
         sojourner.Property.",
    )
    .repeated(),
    Opt::flag("--spurious", "Let wait(), park() and await() of conditions return without a reason, as they may."),
    Opt::flag("--beyond", "Go on after an uncaught exception: only its thread ends. `--all` implies this.").hide(),
];

const REDUCE: &str =
    "Leave out scheduling points if no other thread can notice their order. Combine names with commas.";
const RANDOM: &str = "Choose what becomes of a random number that no seed of the program decides, as of new Random() and \
                      Math.random(). The verdict names the places of which only one value was explored.";

/// Where the classes of a Java program are.
#[derive(Debug, Default)]
pub struct Places {
    /// The entries of the class path; empty: the current directory.
    pub class_path: Vec<PathBuf>,
    /// The directory of the JDK, if not the one that is found.
    pub jdk: Option<PathBuf>,
    /// Packages of the JDK to open.
    pub opens: Vec<Grant>,
    /// Packages of the JDK to export.
    pub exports: Vec<Grant>,
}

impl Places {
    /// What the user has given.
    pub fn of(given: &Given) -> Places {
        let grants = |flag| given.texts(flag).filter_map(|text| text.parse().ok()).collect();
        Places {
            class_path: given.values("--classpath").flat_map(|paths| std::env::split_paths(paths)).collect(),
            jdk: given.values("--jdk").last().map(PathBuf::from),
            opens: grants("--add-opens"),
            exports: grants("--add-exports"),
        }
    }
}

/// The machine that a Java program runs on.
#[derive(Debug)]
pub struct Machine {
    /// System properties.
    pub properties: Vec<(String, String)>,
    /// The largest size of the heap, in bytes.
    pub heap: u64,
    /// The largest number of calls on a thread's stack.
    pub frames: usize,
}

impl Machine {
    /// What the user has given.
    pub fn of(given: &Given) -> Machine {
        Machine {
            properties: given.texts("-D").filter_map(|text| property(&text).ok()).collect(),
            heap: given.get("--heap").map_or(HEAP, |Bytes(bytes)| bytes),
            frames: given.get("--stack").unwrap_or(FRAMES),
        }
    }

    /// The options of a machine that runs a program, and does not explore it.
    pub fn options(self) -> machine::Options {
        let Machine { properties, heap, frames } = self;
        machine::Options { properties, heap, ..machine::Options::with_frames(frames) }
    }
}

/// How a Java program is explored, as the user has asked. `all`: the search goes on behind findings.
pub fn exploration(given: &Given, all: bool, target: &str) -> Result<Exploration, OpenError> {
    let default = Exploration::default();
    let races = match given.get(shared::RACES) {
        None => default.races,
        Some(shared::Races::Fail) => Races::Fail,
        Some(shared::Races::Warn) => Races::Warn,
        Some(shared::Races::Off) => Races::Off,
        Some(shared::Races::Last) => {
            return Err(OpenError::refused_with(
                format!("--races last is for C, C++ and Rust programs; '{target}' is a Java program"),
                "use --races fail, warn or off",
            ));
        }
    };
    Ok(Exploration {
        reduce: given.get("--reduce").unwrap_or(default.reduce),
        gc: given.get("--gc").unwrap_or(default.gc),
        rewind: given.get("--rewind").unwrap_or(default.rewind),
        symmetry: given.get("--symmetry").unwrap_or(default.symmetry),
        granularity: given.get("--granularity").unwrap_or(default.granularity),
        juc: given.get("--juc").unwrap_or(default.juc),
        timeouts: given.get(shared::TIMEOUTS).unwrap_or(default.timeouts),
        random: given.get("--random").unwrap_or(default.random),
        spurious: given.has("--spurious"),
        races,
        exit: given.has(shared::EXIT),
        beyond: all || given.has("--beyond"),
        properties: given.texts("--property").collect(),
    })
}

fn property(text: &str) -> Result<(String, String), String> {
    let (key, value) = text.split_once('=').unwrap_or((text, ""));
    if key.is_empty() {
        return Err("a property needs a name, as in -Dkey=value".into());
    }
    Ok((key.into(), value.into()))
}

fn name_of_property(text: &str) -> Result<String, String> {
    if text.split('.').all(is_identifier) {
        return Ok(text.into());
    }
    Err(format!("'{text}' is not the name of a method or a class, as in org.example.Main.holds"))
}

/// Whether a word could be a name in a Java program.
pub fn is_identifier(word: &str) -> bool {
    word.starts_with(|c: char| c.is_alphabetic() || c == '_' || c == '$')
        && word.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '$')
}

fn frames(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|n| (FEWEST_FRAMES..=MOST_FRAMES).contains(n));
    number.ok_or_else(|| format!("'{text}' is not a number of calls from {FEWEST_FRAMES} to {MOST_FRAMES}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLES: [&[Opt]; 2] = [OPTIONS, shared::OPTIONS];

    #[test]
    fn options_are_written_down_and_read_back() {
        let line = "--classpath a:b --classpath c --jdk d --add-opens java.base/java.lang=ALL-UNNAMED \
                    --add-exports java.base/sun.misc=ALL-UNNAMED,java.sql -D k=v -D w= --heap 1024 --stack 200 --reduce private,alone \
                    --gc none --rewind copy --symmetry site --granularity line --juc real --timeouts last --random choose:4 --races fail \
                    --property a.B.c --property D --spurious --exit --beyond";
        let words: Vec<String> = line.split_whitespace().map(String::from).collect();
        let (given, others) = Given::read(&TABLES, &words).unwrap();
        assert_eq!((given.words(), others), (words, Vec::new()));
        let exploration = exploration(&given, false, "").unwrap();
        assert_eq!(exploration.reduce.to_string(), "private,alone");
        assert_eq!((exploration.races, exploration.exit, exploration.beyond), (Races::Fail, true, true));
        assert_eq!(exploration.properties, ["a.B.c", "D"]);
        let (places, machine) = (Places::of(&given), Machine::of(&given));
        assert_eq!(places.class_path, ["a", "b", "c"].map(PathBuf::from));
        assert_eq!((places.opens.len(), places.exports.len()), (1, 1));
        assert_eq!(machine.properties, [("k", "v"), ("w", "")].map(|(k, v)| (k.into(), v.into())));
        assert_eq!((machine.heap, machine.frames), (1024, 200));
    }

    #[test]
    fn defaults_are_those_of_the_exploration() {
        assert_eq!(exploration(&Given::none(), false, "").unwrap(), Exploration::default());
    }

    #[test]
    fn stated_defaults_are_the_real_ones() {
        let default = Exploration::default();
        let stated = |flag| {
            let opt = TABLES.into_iter().flatten().find(|opt| opt.flag == flag).expect("an option");
            match opt.otherwise {
                Otherwise::Is(value) | Otherwise::Says(value) => value.to_string(),
                Otherwise::Nothing => String::new(),
            }
        };
        assert_eq!(stated("--reduce"), default.reduce.to_string());
        assert_eq!(stated("--gc"), default.gc.to_string());
        assert_eq!(stated("--rewind"), default.rewind.to_string());
        assert_eq!(stated("--symmetry"), default.symmetry.to_string());
        assert_eq!(stated("--granularity"), default.granularity.to_string());
        assert_eq!(stated("--juc"), default.juc.to_string());
        assert_eq!(stated(shared::TIMEOUTS), default.timeouts.to_string());
        assert_eq!(stated("--random").parse(), Ok(default.random));
        assert_eq!(stated("--stack"), FRAMES.to_string());
        assert_eq!(stated("--heap").parse(), Ok(Bytes(HEAP)));
    }

    #[test]
    fn races_of_java_programs_do_not_come_last() {
        let words = ["--races".to_string(), "last".to_string()];
        let (given, _) = Given::read(&TABLES, &words).unwrap();
        assert!(exploration(&given, false, "Main.java").is_err());
    }
}
