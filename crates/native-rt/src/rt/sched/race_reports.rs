//! Telling the driver of races.

use crate::protocol::{Defect, DefectKind, Ending, MOST_RACES, Race};
use crate::rt::sched::defect;
use crate::rt::sched::race_accesses::Access;
use crate::rt::sched::schedule::finish;
use crate::rt::sched::state::Runtime;
use crate::rt::sched::state::header;
use core::cell::Cell;

/// Reports an access to a grain and those before it that it races with.
#[cold]
pub fn report_all(runtime: &Runtime, grain: u64, this: Access, others: &[Access]) {
    for &other in others {
        let object = grain + u64::from((this.bytes & other.bytes).trailing_zeros());
        report(runtime, object, this, other);
    }
}

/// Calls `look` with what has to be copied to come back to the races that have been reported by now.
pub fn each_part(mut look: impl FnMut(u64, u64)) {
    let header = header();
    let races = &header.race[..header.races.get() as usize];
    for (from, bytes) in
        [(header.races.as_ptr() as u64, size_of::<u32>()), (races.as_ptr() as u64, size_of_val(races))]
    {
        look(from, from + bytes as u64);
    }
}

/// Variables that are told apart where two places race: a function may be called for different ones.
const MOST_VARIABLES: usize = 4;

fn report(runtime: &Runtime, object: u64, this: Access, other: Access) {
    let writes = u32::from(this.writes) | u32::from(other.writes) << 1;
    let header = header();
    let count = header.races.get() as usize;
    let (here, there) = (this.place, other.place);
    // A race is one, whichever access comes first.
    let places = |race: &Race| [(here, there), (there, here)].contains(&(race.here, race.there));
    let known = || header.race[..count].iter().map(Cell::get).filter(places);
    let new = !known().any(|race| race.object == object) && known().count() < MOST_VARIABLES;
    if count < MOST_RACES && new {
        let (thread, other) = (this.thread.into(), other.thread.into());
        header.race[count].set(Race { object, here, there, writes, step: this.step, thread, other });
        header.races.update(|races| races + 1);
    }
    if runtime.settings.get().races == 2 {
        defect::note(runtime, DefectKind::Race, b"");
        defect::amend(|defect| Defect { object, detail: writes, other_step: other.step, ..defect });
        finish(Ending::Failed);
    }
}
