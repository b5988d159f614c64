//! The options of Java programs: where their classes are, what they run on, and how they are explored.

use super::Races;
use crate::units;
use clap::Args;
use sojourner_java::explore::{Draws, Exploration, Gc, Granularity, Juc, Reduce, Symmetry, Timeouts};
use sojourner_java::library::Grant;
use std::ffi::OsString;
use std::path::PathBuf;

/// Where the classes of a Java program are.
#[derive(Args, Clone, Debug, Default)]
pub struct Places {
    /// Directories and jars with classes, separated by colons; may be repeated. DIR/* stands for all jars in DIR.
    /// Also -cp, as with `java`. Default: the current directory.
    #[arg(long, visible_alias = "class-path", value_name = "PATHS")]
    pub classpath: Vec<OsString>,
    /// The JDK 17 whose class library the program runs on. Default: JAVA_HOME, the `java` on the
    /// path, or one of those in /usr/lib/jvm (SOJOURNER_JDKS: another such directory).
    #[arg(long, value_name = "DIR")]
    pub jdk: Option<PathBuf>,
    /// Open a package of the JDK to reflection, as with `java`: MODULE/PACKAGE=ALL-UNNAMED; may be repeated. Add-Opens in
    /// the manifest of a jar that is started does the same.
    #[arg(long, value_name = "PACKAGE")]
    pub add_opens: Vec<Grant>,
    /// Export a package of the JDK, as with `java` and `javac`: MODULE/PACKAGE=ALL-UNNAMED; may be repeated. Add-Exports in
    /// the manifest of a jar that is started does the same.
    #[arg(long, value_name = "PACKAGE")]
    pub add_exports: Vec<Grant>,
}

impl Places {
    /// The entries of the class path.
    pub fn class_path(&self) -> Vec<PathBuf> {
        self.classpath.iter().flat_map(std::env::split_paths).collect()
    }
}

/// The machine that a Java program runs on.
#[derive(Args, Clone, Debug, Default)]
pub struct Machine {
    /// Where classes are.
    #[command(flatten)]
    pub places: Places,
    /// Set a system property; may be repeated.
    #[arg(short = 'D', value_parser = property, value_name = "KEY[=VALUE]")]
    pub properties: Vec<(String, String)>,
    /// The largest size of the program's heap, as in 512M, 4G. Default: 4G.
    #[arg(long, value_parser = units::size, value_name = "SIZE")]
    pub heap: Option<u64>,
    /// The largest number of calls on a thread's stack. Default: 10000.
    #[arg(long, value_parser = frames, value_name = "N")]
    pub stack: Option<usize>,
}

impl Machine {
    /// The largest size of the heap, in bytes.
    pub fn heap(&self) -> u64 {
        self.heap.unwrap_or(4 << 30)
    }

    /// The largest number of calls on a stack.
    pub fn frames(&self) -> usize {
        self.stack.unwrap_or(10_000)
    }
}

/// How a Java program is explored. What was not given is `None`, so that it can be said what was.
#[derive(Args, Clone, Debug, Default)]
pub struct Java {
    /// What it runs on.
    #[command(flatten)]
    pub machine: Machine,
    /// Which operations are no scheduling points because no other thread can notice their order: all (the default),
    /// none, or names with commas: private (only one thread reaches the object), immutable (never written once shared),
    /// locked (always under the same lock), alone (no other thread is alive), movers (unlock, notify, start, end).
    #[arg(long, value_name = "NAMES")]
    pub reduce: Option<Reduce>,
    /// Which objects belong to a state: mark (those that can be reached; the default), refcount (those that something
    /// refers to), none (all that were allocated).
    #[arg(long, value_name = "NAME")]
    pub gc: Option<Gc>,
    /// How the objects of a state are numbered: canonical (as they are reached; the default), site (by the code that
    /// allocated them), thread (by the thread that did), none (as they were allocated).
    #[arg(long, value_name = "NAME")]
    pub symmetry: Option<Symmetry>,
    /// How much a thread does in one step: operation (one that others can notice; the default), line (a whole line of
    /// source: coarser and faster, and NOT SOUND: what goes wrong within a line is missed).
    #[arg(long, value_name = "NAME")]
    pub granularity: Option<Granularity>,
    /// What java.util.concurrent is: primitive (its methods are single steps that keep their contract; the default), real
    /// (the JDK's own code, with every step in it: to look for errors in that, or in how it is used with Unsafe).
    #[arg(long, value_name = "NAME")]
    pub juc: Option<Juc>,
    /// When a wait with a time-out ends by itself: any (at any time, which covers every speed of the machine; the default),
    /// patient (at any time if less than a second is left, otherwise only when no other thread gets on), last (only when
    /// no thread can do anything else). Short sleeps end at any time, except with last. Also for C, C++ and Rust programs.
    #[arg(long, value_name = "WHEN")]
    pub timeouts: Option<Timeouts>,
    /// What becomes of a random number that no seed of the program decides (new Random(), Math.random(),
    /// ThreadLocalRandom...): choose[:N] (explore every value of nextInt(n), nextInt(a, b), nextLong(n) and nextBoolean() that
    /// the program calls, if there are at most N; default N: 16), draw (explore one value). The verdict names the
    /// draws of which only one value was explored. Default: choose.
    #[arg(long, value_name = "HOW")]
    pub random: Option<Draws>,
    /// Let wait(), park() and await() of conditions return without a reason, as their contracts allow.
    #[arg(long)]
    pub spurious: bool,
    /// What a data race is: warn (something to warn of; the default of Java), fail (a finding that ends the execution), last (not
    /// of Java, the default of C, C++ and Rust: a finding if there is nothing worse; the search for that goes on as long
    /// again as it took to find the race, and at least 2 s), off.
    #[arg(long, value_parser = Races::parse, value_name = "HOW")]
    pub races: Option<Races>,
    /// Take it for a finding if the program ends with a status other than 0.
    #[arg(long)]
    pub exit: bool,
    /// Go on behind exceptions that nobody catches: the thread is over, the others are not. It comes with --all.
    #[arg(long, hide = true)]
    pub beyond: bool,
    /// What must hold in every state: CLASS.METHOD (static, without parameters, boolean), or a CLASS that implements
    /// sojourner.Property; may be repeated.
    #[arg(long, value_parser = name_of_property, value_name = "CLASS[.METHOD]")]
    pub property: Vec<String>,
}

impl Java {
    /// How the program is explored.
    pub fn exploration(&self) -> Exploration {
        let default = Exploration::default();
        Exploration {
            reduce: self.reduce.unwrap_or(default.reduce),
            gc: self.gc.unwrap_or(default.gc),
            symmetry: self.symmetry.unwrap_or(default.symmetry),
            granularity: self.granularity.unwrap_or(default.granularity),
            juc: self.juc.unwrap_or(default.juc),
            timeouts: self.timeouts.unwrap_or(default.timeouts),
            random: self.random.unwrap_or(default.random),
            spurious: self.spurious,
            races: self.races.and_then(Races::of_java).unwrap_or(default.races),
            exit: self.exit,
            beyond: self.beyond,
            properties: self.property.clone(),
        }
    }

    /// The options that were given, as they could be typed: what a trace keeps, so that a replay can read them back.
    pub fn words(&self) -> Vec<String> {
        let mut words = Vec::new();
        let mut add = |option: &str, value: String| words.extend([option.to_string(), value]);
        let Machine { places, properties, heap, stack } = &self.machine;
        for entry in &places.classpath {
            add("--classpath", entry.to_string_lossy().into_owned());
        }
        places.jdk.iter().for_each(|jdk| add("--jdk", jdk.to_string_lossy().into_owned()));
        places.add_opens.iter().for_each(|grant| add("--add-opens", grant.to_string()));
        places.add_exports.iter().for_each(|grant| add("--add-exports", grant.to_string()));
        properties.iter().for_each(|(key, value)| add("-D", format!("{key}={value}")));
        heap.iter().for_each(|bytes| add("--heap", bytes.to_string()));
        stack.iter().for_each(|frames| add("--stack", frames.to_string()));
        self.reduce.iter().for_each(|reduce| add("--reduce", reduce.to_string()));
        self.gc.iter().for_each(|gc| add("--gc", gc.to_string()));
        self.symmetry.iter().for_each(|symmetry| add("--symmetry", symmetry.to_string()));
        self.granularity.iter().for_each(|granularity| add("--granularity", granularity.to_string()));
        self.juc.iter().for_each(|juc| add("--juc", juc.to_string()));
        self.timeouts.iter().for_each(|timeouts| add("--timeouts", timeouts.to_string()));
        self.random.iter().for_each(|random| add("--random", random.to_string()));
        self.races.iter().for_each(|races| add("--races", races.to_string()));
        self.property.iter().for_each(|property| add("--property", property.clone()));
        for (given, option) in
            [(self.spurious, "--spurious"), (self.exit, "--exit"), (self.beyond, "--beyond")]
        {
            words.extend(given.then(|| option.to_string()));
        }
        words
    }

    /// The same program with its classes and its JDK elsewhere, as far as `places` names them.
    pub fn moved(mut self, places: &Places) -> Java {
        let mine = &mut self.machine.places;
        if !places.classpath.is_empty() {
            mine.classpath.clone_from(&places.classpath);
        }
        if places.jdk.is_some() {
            mine.jdk.clone_from(&places.jdk);
        }
        mine.add_opens.extend(places.add_opens.iter().cloned());
        mine.add_exports.extend(places.add_exports.iter().cloned());
        self
    }
}

fn property(text: &str) -> Result<(String, String), String> {
    let (key, value) = text.split_once('=').unwrap_or((text, ""));
    if key.is_empty() {
        return Err("a property needs a name, as in -Dkey=value".into());
    }
    Ok((key.into(), value.into()))
}

fn name_of_property(text: &str) -> Result<String, String> {
    let word = |part: &str| {
        part.starts_with(|c: char| c.is_alphabetic() || c == '_' || c == '$')
            && part.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '$')
    };
    if text.split('.').all(word) {
        return Ok(text.into());
    }
    Err(format!("'{text}' is not the name of a method or a class, as in org.example.Main.holds"))
}

/// Below the first not even the class library starts; above the second a stack is not given to every thread.
const FEWEST_FRAMES: usize = 100;
const MOST_FRAMES: usize = 1_000_000;

fn frames(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|n| (FEWEST_FRAMES..=MOST_FRAMES).contains(n));
    number.ok_or_else(|| format!("'{text}' is not a number of calls from {FEWEST_FRAMES} to {MOST_FRAMES}"))
}

#[cfg(test)]
mod tests {
    use super::super::NativeLine;
    use super::*;

    #[test]
    fn what_was_given_can_be_written_down_and_read_back() {
        let line = "--classpath a:b --classpath c --jdk d --add-opens java.base/java.lang=ALL-UNNAMED \
                    --add-exports java.base/sun.misc=ALL-UNNAMED,java.sql -D k=v -D w= --heap 1024 --stack 200 --reduce private,alone \
                    --gc none --symmetry site --granularity line --juc real --timeouts last --random choose:4 --races fail \
                    --property a.B.c --property D --spurious --exit --beyond";
        let words: Vec<String> = line.split_whitespace().map(String::from).collect();
        assert_eq!(
            NativeLine::from_words(&words).map(|line| line.java.words()).map_err(|error| error.to_string()),
            Ok(words)
        );
        assert!(Java::default().words().is_empty());
    }

    #[test]
    fn what_was_not_given_is_as_it_is_by_default() {
        assert_eq!(Java::default().exploration(), Exploration::default());
    }
}
