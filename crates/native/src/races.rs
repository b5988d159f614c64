//! Data races, as findings and in words.
//!
//! A race is known by the variable and the two places, in either order: which access came first is up to the schedule.

use crate::cells::{self, Thing};
use crate::execution::Execution;
use sojourner_frontend::shared::Races;
use sojourner_native_rt::protocol::{DefectKind, Race, Space};
use sojourner_program::{Finding, Kind, Lesser, Location, Schedule, Step};
use std::cell::Cell;
use std::fmt::Write;

/// What a worker has seen of races on the way to where it stands.
#[derive(Default)]
pub(crate) struct SeenRaces {
    /// Those of the rows that are there.
    races: Vec<Race>,
    /// Those that the search has been told of: places and object.
    told: Vec<(u64, u64, u64)>,
}

impl Execution {
    /// Takes over the races that the worker has seen. `goes_on`: it went on from where it stood.
    pub(crate) fn take_over_races(&mut self, goes_on: bool) {
        let header = self.worker.region.header();
        let new =
            || header.race[..(header.races.get() as usize).min(header.race.len())].iter().map(Cell::get);
        if !goes_on {
            self.seen.races.clear();
        }
        self.seen.races.extend(new());
        // If the search begins again, it will come across them again.
        if self.shared.exploration.races == Races::Warn && !self.met {
            for race in new() {
                self.shared.warn(Finding { message: self.warning(&race), ..self.race(&race) });
            }
        }
    }

    /// Adds the races of the step that led here, if they are findings after which the program goes on. A program that follows a
    /// schedule tells of each of them, one that is searched tells of them once.
    pub(crate) fn tell_of_races(&mut self, step: &mut Step) {
        if self.shared.exploration.races != Races::Last {
            return;
        }
        let at = self.at();
        for nth in 0..self.seen.races.len() {
            let race = self.seen.races[nth];
            if race.step as usize != at {
                continue;
            }
            let key = (race.here.min(race.there), race.here.max(race.there), race.object);
            if !self.is_following() && self.seen.told.contains(&key) {
                continue;
            }
            self.seen.told.push(key);
            step.lesser.push(Lesser { finding: self.race(&race), behind: Schedule::new() });
        }
    }

    /// The race that ended the execution, if one did.
    pub(crate) fn fatal_race(&self) -> Option<Race> {
        let header = self.worker.region.header();
        let (kind, count) = (header.defect.get().kind, header.races.get() as usize);
        let races = &header.race[..count.min(header.race.len())];
        races.last().map(Cell::get).filter(|_| kind == DefectKind::Race as u32)
    }

    /// By what a race is known: the place that comes first in the source, and the variable with the other place.
    pub(crate) fn identify(&self, race: &Race) -> (Option<Location>, Option<String>) {
        let mut places = [race.here, race.there].map(|place| self.shared.symbols.location(place));
        places.sort();
        let [first, second] = places;
        let variable = self.variable(race.object);
        let type_name = match &second {
            Some(second) => format!("{variable} and {}:{}", second.file, second.line),
            None => variable,
        };
        (first, Some(type_name))
    }

    /// A race as a finding.
    pub(crate) fn race(&self, race: &Race) -> Finding {
        let (location, type_name) = self.identify(race);
        let mut message = format!("a data race on {}", self.name_address(race.object));
        let here = ["reads it", "writes it"][usize::from(race.writes & 1 != 0)];
        let there = ["read it", "wrote it"][usize::from(race.writes & 2 != 0)];
        for (thread, does, place) in [(race.thread, here, race.here), (race.other, there, race.there)] {
            let who = self.thread_id(thread).map_or_else(|| "a thread".into(), |thread| self.call(thread));
            let _ = write!(message, "\n{who} {does}");
            if let Some(place) = self.shared.symbols.location(place) {
                let _ = write!(message, "\n    at {place}");
            }
        }
        Finding {
            location,
            type_name,
            thread: self.thread_id(race.thread),
            ..Finding::new(Kind::Race, message)
        }
    }

    /// A race as something to warn of.
    fn warning(&self, race: &Race) -> String {
        let side = |writes: bool, place: u64| {
            let does = if writes { "written" } else { "read" };
            match self.shared.symbols.location(place) {
                Some(location) => format!("{does} at {location}"),
                None => does.to_string(),
            }
        };
        let object = self.name_address(race.object);
        let (here, there) = (side(race.writes & 1 != 0, race.here), side(race.writes & 2 != 0, race.there));
        format!("a data race on {object}: it is {there}, and {here}, and nothing orders the two")
    }

    /// The variable that an address belongs to. Elements of an array are one variable, and so is what a thread allocates: which of
    /// them race is up to the schedule.
    fn variable(&self, address: u64) -> String {
        let object = cells::object(Space::Memory, cells::place(address, &self.slots));
        match cells::thing(object) {
            Thing::Data(_) => {
                let name = self.name_object(object);
                name.split(['[', '+']).next().unwrap_or_default().to_string()
            }
            Thing::Stack(..) => "a stack".into(),
            _ => "allocated memory".into(),
        }
    }
}
