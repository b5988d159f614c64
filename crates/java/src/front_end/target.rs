//! What a check asks of a Java program beside how to run it.

use crate::explore::{Granularity, JavaProgram, Races, Reduce, Timeouts};
use crate::library::ClassPath;
use sojourner_distance::{Measure, Unit};
use sojourner_frontend::{Destination, Endless, Target, VisitStates};
use sojourner_program::{Finding, Kind, Verdict};
use xxhash_rust::xxh3::Xxh3;

impl Target for JavaProgram {
    fn by_states<V: VisitStates>(&self, visit: V) -> V::Out {
        visit.encoded(self)
    }

    /// Of all classes on the class path: which of them a run will need is not known before.
    fn content_hash(&self) -> Option<String> {
        let class_path = ClassPath::open(&self.launch().class_path).ok()?;
        let mut hash = Xxh3::new();
        hash.update(self.launch().main_class.as_bytes());
        for class in class_path.classes() {
            let found = class_path.find(&format!("{class}.class")).ok().flatten()?;
            for part in [class.as_bytes(), &found.bytes] {
                hash.update(&(part.len() as u64).to_le_bytes());
                hash.update(part);
            }
        }
        Some(format!("{:032x}", hash.digest128()))
    }

    fn afresh(&self, learned: Option<&[String]>) -> JavaProgram {
        JavaProgram::afresh(self, learned)
    }

    fn guide(&self, destinations: &[Destination], measure: Measure, unit: Unit) -> Result<(), String> {
        JavaProgram::guide(self, destinations, measure, unit)
    }

    fn caveats(&self, verdict: Verdict) -> Vec<String> {
        // A finding is real, whatever was left out on the way.
        if verdict == Verdict::Found {
            return Vec::new();
        }
        let how = self.exploration();
        let no_race = !JavaProgram::warnings(self).iter().any(|warning| warning.kind == Kind::Race);
        let races = match how.races {
            Races::Off => {
                "data races were not looked for: a program that has any may do more than was explored"
            }
            _ if no_race && self.was_reduced() => {
                "data races were looked for only in the states that the reduction visits (--search dfs: in all)"
            }
            _ if no_race => "",
            _ => "the program has data races: what weak memory makes of them was not explored",
        };
        let granularity = match how.granularity {
            Granularity::Line => {
                "--granularity line is not sound: what can happen within a line was not explored"
            }
            Granularity::Operation => "",
        };
        let timeouts = match how.timeouts {
            Timeouts::Last => {
                "--timeouts last assumes that time-outs expire only when nothing else can happen"
            }
            Timeouts::Patient if self.was_patient() => {
                "waits of a second or more were taken to last until no other thread gets on (--timeouts any: any \
                 time)"
            }
            Timeouts::Patient | Timeouts::Any => "",
        };
        let properties = match how.properties.is_empty() || how.reduce == Reduce::NONE {
            true => "",
            false => {
                "properties were looked at where threads may take turns (--reduce none: after every access)"
            }
        };
        [granularity, timeouts, races, properties]
            .into_iter()
            .filter(|text| !text.is_empty())
            .map(String::from)
            .chain(sojourner_frontend::draws_caveat(&self.draws()))
            .chain(clean_ups(&self.clean_ups()))
            .chain((verdict == Verdict::Incomplete).then(|| long_runs(&self.long_runs())).flatten())
            .collect()
    }

    fn endless(&self) -> Endless {
        Endless::Defect
    }

    fn warnings(&self) -> Vec<Finding> {
        JavaProgram::warnings(self)
    }
}

/// What to say of finalizers and cleaners.
fn clean_ups(names: &[String]) -> Option<String> {
    sojourner_frontend::some_of(names)
        .map(|named| format!("finalizers and cleaners did not run: the program has {named}"))
}

/// What to say of loops that computed for long.
fn long_runs(places: &[String]) -> Option<String> {
    sojourner_frontend::some_of(places).map(|named| {
        format!(
            "a loop ran for millions of rounds without an operation that other threads can notice: {named}"
        )
    })
}
