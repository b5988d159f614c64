//! Heuristics rank states: how soon a finding may lie behind one.
//!
//! Those of Groce & Visser are defined as Java PathFinder's search package has them, as far as it does.

use crate::Past;
use sojourner_distance::Measure;
use sojourner_names::{Name, UnknownName};
use sojourner_program::{Choice, Program, Random, Status, Target, Thread, ThreadId};
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

/// The levels of calls that `efsm` follows beyond the present ones, if nothing else is said, and at most.
const LEVELS: u32 = 3;
const MOST_LEVELS: u32 = 100;

/// More threads than programs have.
const MANY: u64 = 10_000;

/// What a guided search goes by.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Heuristic {
    /// Fewest threads that can move.
    #[default]
    FewestRunnable,
    /// Most threads that have started, have not ended and cannot move.
    MostBlocked,
    /// Fewest data choices of the program on the path.
    ChooseFree,
    /// The thread that moved last has moved little in that many steps.
    Interleaving(usize),
    /// One of these threads has moved last.
    PreferThreads(Arc<[String]>),
    /// Fewest context switches, then fewest steps.
    Switches,
    /// Fewest preemptions.
    Preemptions,
    /// The program's own estimate.
    Distance,
    /// The least distance of a thread from the places that the search wants to reach.
    Way(Measure),
    /// None: ranks are drawn at random.
    Random,
}

impl Heuristic {
    /// What can be written.
    pub const NAMES: [Name; 12] = [
        Name { name: "fewest-runnable", about: "fewest threads that can move" },
        Name {
            name: "most-blocked",
            about: "most threads that have started, have not ended and cannot move: towards deadlocks",
        },
        Name { name: "choose-free", about: "fewest data choices of the program on the path" },
        Name {
            name: "interleaving[:N]",
            about: "threads that have not moved in the last N steps, 12 by default, before those that have",
        },
        Name {
            name: "prefer-threads[:NAME,...]",
            about: "states into which one of these threads has moved, given by name or number",
        },
        Name { name: "switches", about: "fewest context switches, then fewest steps" },
        Name { name: "preemptions", about: "fewest switches away from a thread that could have gone on" },
        Name { name: "distance", about: "the program's own estimate of the distance to a finding" },
        Name {
            name: "fsm",
            about: "least distance of a thread from --target; functions return to any of their callers",
        },
        Name {
            name: "efsm[:LEVELS]",
            about: "the same, with the calls that the thread is in and 3 levels of calls beyond",
        },
        Name { name: "e-fca", about: "the same, with all calls" },
        Name { name: "random", about: "nothing: ranks are drawn at random, to compare others with" },
    ];

    /// How distances from places in the code are to be found, if it goes by them.
    pub fn measure(&self) -> Option<Measure> {
        match self {
            Heuristic::Way(measure) => Some(*measure),
            _ => None,
        }
    }

    /// Whether it asks for the preemptions on the path.
    pub(crate) fn counts_preemptions(&self) -> bool {
        *self == Heuristic::Preemptions
    }
}

/// What is wrong with the text of a heuristic.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum HeuristicError {
    /// No such heuristic.
    #[error(transparent)]
    Name(#[from] UnknownName),
    /// It takes nothing behind its name.
    #[error("the heuristic {0} has no options")]
    Options(String),
    /// A number of steps that is too small or too large.
    #[error("'{0}' is no number of steps from 1 to {max}, as in interleaving:8", max = Past::MAX_RECENT)]
    Steps(String),
    /// A number of levels of calls that is none.
    #[error("'{0}' is no number of levels from 0 to {MOST_LEVELS}, as in efsm:3")]
    Levels(String),
    /// No thread is given.
    #[error("prefer-threads needs threads, by name or number, as in prefer-threads:producer,consumer")]
    Threads,
}

impl FromStr for Heuristic {
    type Err = HeuristicError;

    /// `NAME` or `NAME:OPTION`, as on the command line.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (name, option) = match text.split_once(':') {
            Some((name, option)) => (name, Some(option)),
            None => (text, None),
        };
        let heuristic = match name {
            "fewest-runnable" => Heuristic::FewestRunnable,
            "most-blocked" => Heuristic::MostBlocked,
            "choose-free" => Heuristic::ChooseFree,
            "interleaving" => {
                let steps = option.map_or(Ok(Past::MAX_RECENT), str::parse);
                let steps = steps.ok().filter(|steps| (1..=Past::MAX_RECENT).contains(steps));
                return match steps {
                    Some(steps) => Ok(Heuristic::Interleaving(steps)),
                    None => Err(HeuristicError::Steps(option.unwrap_or_default().into())),
                };
            }
            "prefer-threads" => {
                let names = option.unwrap_or_default().split(',').map(str::trim);
                let names: Arc<[String]> = names.filter(|name| !name.is_empty()).map(String::from).collect();
                if names.is_empty() {
                    return Err(HeuristicError::Threads);
                }
                return Ok(Heuristic::PreferThreads(names));
            }
            "fsm" => Heuristic::Way(Measure::Fsm),
            "efsm" => {
                let levels =
                    option.map_or(Ok(LEVELS), str::parse).ok().filter(|&levels| levels <= MOST_LEVELS);
                return match levels {
                    Some(levels) => Ok(Heuristic::Way(Measure::Efsm(levels))),
                    None => Err(HeuristicError::Levels(option.unwrap_or_default().into())),
                };
            }
            "e-fca" => Heuristic::Way(Measure::EFca),
            "switches" => Heuristic::Switches,
            "preemptions" => Heuristic::Preemptions,
            "distance" => Heuristic::Distance,
            "random" => Heuristic::Random,
            _ => return Err(UnknownName::new("heuristic", name, &Heuristic::NAMES).into()),
        };
        match option {
            Some(_) => Err(HeuristicError::Options(name.into())),
            None => Ok(heuristic),
        }
    }
}

impl fmt::Display for Heuristic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self {
            Heuristic::FewestRunnable => "fewest-runnable",
            Heuristic::MostBlocked => "most-blocked",
            Heuristic::ChooseFree => "choose-free",
            Heuristic::Interleaving(steps) => return write!(f, "interleaving:{steps}"),
            Heuristic::PreferThreads(names) => return write!(f, "prefer-threads:{}", names.join(",")),
            Heuristic::Switches => "switches",
            Heuristic::Preemptions => "preemptions",
            Heuristic::Distance => "distance",
            Heuristic::Way(Measure::Fsm) => "fsm",
            Heuristic::Way(Measure::Efsm(levels)) => return write!(f, "efsm:{levels}"),
            Heuristic::Way(Measure::EFca) => "e-fca",
            Heuristic::Random => "random",
        };
        f.pad(name)
    }
}

/// A heuristic at work in one worker of a search.
pub(crate) struct Ranking {
    heuristic: Heuristic,
    random: Random,
    threads: Vec<Thread>,
    /// Whether a thread is preferred, by its number, where that is known.
    preferred: Vec<Option<bool>>,
}

impl Ranking {
    /// Draws from `random` if anything is to be drawn.
    pub fn new(heuristic: Heuristic, random: Random) -> Self {
        Ranking { heuristic, random, threads: Vec::new(), preferred: Vec::new() }
    }

    /// The rank of the state that the program is in. The smallest rank is looked at first.
    pub fn rank<P: Program>(&mut self, program: &mut P, past: Past, depth: usize, choices: &[Choice]) -> u64 {
        match self.heuristic {
            Heuristic::FewestRunnable => runnable(choices),
            Heuristic::MostBlocked => MANY.saturating_sub(self.blocked(program)),
            Heuristic::ChooseFree => past.data_choices(),
            Heuristic::Interleaving(steps) => match self.alive(program) {
                0 | 1 => 0,
                alive => past.steps_of_last(steps).sum::<u64>() * alive,
            },
            Heuristic::PreferThreads(_) => {
                let last = past.last();
                u64::from(!last.is_some_and(|thread| self.prefers(program, thread)))
            }
            Heuristic::Switches => u64::from(past.switches()) << 32 | depth as u64,
            Heuristic::Preemptions => past.preemptions().into(),
            Heuristic::Distance | Heuristic::Way(_) => {
                program.distance(Target::Finding).map_or(u64::MAX, u64::from)
            }
            Heuristic::Random => self.random.bits(),
        }
    }

    /// The number of threads that have not ended and cannot move.
    fn blocked<P: Program>(&mut self, program: &mut P) -> u64 {
        self.count(program, |status| matches!(status, Status::Blocked(_)))
    }

    /// The number of threads that have not ended.
    fn alive<P: Program>(&mut self, program: &mut P) -> u64 {
        self.count(program, |status| status != Status::Finished)
    }

    fn count<P: Program>(&mut self, program: &mut P, counts: impl Fn(Status) -> bool) -> u64 {
        self.threads.clear();
        program.threads(&mut self.threads);
        self.threads.iter().filter(|thread| counts(thread.status)).count() as u64
    }

    fn prefers<P: Program>(&mut self, program: &P, thread: ThreadId) -> bool {
        let Heuristic::PreferThreads(names) = &self.heuristic else { return false };
        let number = thread.0 as usize;
        if self.preferred.len() <= number {
            self.preferred.resize(number + 1, None);
        }
        *self.preferred[number].get_or_insert_with(|| {
            let name = program.name(thread);
            names.iter().any(|wanted| *wanted == name || wanted.parse() == Ok(thread.0))
        })
    }
}

/// The number of threads that can move. Choices come by thread.
fn runnable(choices: &[Choice]) -> u64 {
    choices.chunk_by(|a, b| a.thread == b.thread).count() as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use sojourner_program::{Fault, Finding, Footprint, Step};

    /// A program that stands still, with threads as given.
    struct Standing(Vec<Status>);

    impl Program for Standing {
        type Place = ();

        fn choices(&mut self, _: &mut Vec<Choice>) {}

        fn step(&mut self, _: Choice, _: &mut Step) -> Result<(), Fault> {
            Ok(())
        }

        fn judge(&mut self, _: bool) -> Option<Finding> {
            None
        }

        fn depth(&self) -> usize {
            0
        }

        fn rewind(&mut self, _: usize) -> Result<(), Fault> {
            Ok(())
        }

        fn here(&mut self) {}

        fn go(&mut self, _: &()) -> Result<(), Fault> {
            Ok(())
        }

        fn threads(&mut self, out: &mut Vec<Thread>) {
            out.extend(self.0.iter().zip(0..).map(|(&status, number)| Thread {
                id: ThreadId(number),
                status,
                pending: Footprint::Unknown,
                lacks: Default::default(),
            }));
        }

        fn name(&self, thread: ThreadId) -> String {
            ["main", "producer", "consumer", "consumer"][thread.0 as usize].into()
        }

        fn distance(&mut self, _: Target) -> Option<u32> {
            self.0.first().map(|_| 7)
        }
    }

    const READY: Status = Status::Ready;
    const BLOCKED: Status = Status::Blocked(None);
    const FINISHED: Status = Status::Finished;

    fn choices(threads: &[u32]) -> Vec<Choice> {
        threads.iter().map(|&thread| Choice::run(ThreadId(thread))).collect()
    }

    fn path(threads: &[u32]) -> Past {
        choices(threads).into_iter().fold(Past::START, Past::after)
    }

    /// The rank of a state with these threads, reached by steps of those.
    fn rank(heuristic: &str, threads: &[Status], steps: &[u32]) -> u64 {
        let ready: Vec<u32> = threads
            .iter()
            .zip(0..)
            .filter(|(status, _)| **status == READY)
            .map(|(_, number)| number)
            .collect();
        let mut ranking = Ranking::new(heuristic.parse().unwrap(), Random::new(1));
        ranking.rank(&mut Standing(threads.to_vec()), path(steps), steps.len(), &choices(&ready))
    }

    #[test]
    fn most_blocked_counts_neither_threads_that_can_move_nor_those_that_have_ended() {
        let states: [&[Status]; 4] = [
            &[READY, BLOCKED, BLOCKED],
            &[READY, BLOCKED, READY],
            &[READY, FINISHED, BLOCKED],
            &[READY, FINISHED],
        ];
        assert_eq!(states.map(|threads| rank("most-blocked", threads, &[])), [9_998, 9_999, 9_999, 10_000]);
        assert_eq!(states.map(|threads| rank("fewest-runnable", threads, &[])), [1, 2, 1, 1]);
    }

    #[test]
    fn interleaving_weighs_the_steps_of_the_last_thread_by_their_distance() {
        let four = [READY, READY, BLOCKED, READY];
        assert_eq!(rank("interleaving", &four, &[]), 0);
        // The newest step counts one, those before it two and three.
        assert_eq!(rank("interleaving", &four, &[1, 2, 3]), 4);
        assert_eq!(rank("interleaving", &four, &[1, 2, 1]), 4 * (1 + 3));
        assert_eq!(rank("interleaving", &four, &[1, 1, 1]), 4 * (1 + 2 + 3));
        assert_eq!(rank("interleaving:2", &four, &[1, 1, 1]), 4 * (1 + 2));
        // Threads that have ended do not count, and one thread alone has no rank.
        assert_eq!(rank("interleaving", &[READY, FINISHED, BLOCKED], &[0, 0]), 2 * (1 + 2));
        assert_eq!(rank("interleaving", &[READY, FINISHED], &[0, 0]), 0);
    }

    #[test]
    fn preferred_threads_are_given_by_name_or_number() {
        let rank = |heuristic: &str, steps: &[u32]| rank(heuristic, &[READY; 4], steps);
        assert_eq!(rank("prefer-threads:consumer", &[]), 1);
        let after = |heuristic: &str| [0, 1, 2, 3].map(|thread| rank(heuristic, &[1, thread]));
        assert_eq!(after("prefer-threads:consumer"), [1, 1, 0, 0]);
        assert_eq!(after("prefer-threads:main, 2"), [0, 1, 0, 1]);
        assert_eq!(after("prefer-threads:consume"), [1, 1, 1, 1]);
    }

    #[test]
    fn ranks_of_a_path_count_what_happened_on_it() {
        let ranking = |heuristic: &str, past: Past| {
            Ranking::new(heuristic.parse().unwrap(), Random::new(1)).rank(
                &mut Standing(vec![READY]),
                past,
                5,
                &[],
            )
        };
        let past = path(&[1, 1, 2]).facing(&choices(&[1, 2])).having_chosen();
        assert_eq!(ranking("choose-free", past), 1);
        assert_eq!(ranking("preemptions", past), 0);
        assert_eq!(ranking("preemptions", past.after(Choice::run(ThreadId(1)))), 1);
        assert_eq!(ranking("switches", past), 1 << 32 | 5);
        assert_eq!(ranking("distance", past), 7);
    }

    #[test]
    fn a_state_without_an_estimate_comes_last() {
        assert_eq!(rank("distance", &[], &[]), u64::MAX);
    }

    #[test]
    fn random_ranks_differ() {
        let mut ranking = Ranking::new(Heuristic::Random, Random::new(1));
        let mut draw = || ranking.rank(&mut Standing(vec![]), Past::START, 0, &[]);
        assert_ne!(draw(), draw());
    }

    #[test]
    fn every_name_that_is_listed_is_read() {
        for name in Heuristic::NAMES {
            let text = match name.word() {
                "prefer-threads" => "prefer-threads:main",
                word => word,
            };
            let read: Heuristic = text.parse().unwrap();
            assert_eq!(read.to_string().parse(), Ok(read), "{text}");
        }
        assert_eq!("interleaving:3".parse(), Ok(Heuristic::Interleaving(3)));
        assert_eq!("efsm".parse(), Ok(Heuristic::Way(Measure::Efsm(3))));
        assert_eq!("fewest-runnable".parse(), Ok(Heuristic::default()));
    }

    #[test]
    fn errors_say_what_can_be_written() {
        let error = |text: &str| text.parse::<Heuristic>().unwrap_err().to_string();
        assert!(error("luck").contains("fewest-runnable, most-blocked"));
        assert_eq!(error("switches:3"), "the heuristic switches has no options");
        for steps in ["interleaving:0", "interleaving:13", "interleaving:x", "interleaving:"] {
            assert!(error(steps).contains("number of steps from 1 to 12"), "{steps}");
        }
        assert!(error("efsm:101").contains("number of levels from 0 to 100"));
        assert!(error("prefer-threads").contains("as in prefer-threads:"));
        assert!(error("prefer-threads: ,").contains("as in prefer-threads:"));
    }
}
