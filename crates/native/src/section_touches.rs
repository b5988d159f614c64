//! What threads touch in atomic sections that are one step.
//!
//! That is learned like words on stacks: what the first execution meets is known whenever a program is opened, further things when
//! a search comes across them and begins again. Only reductions go by it, so that it need not be written down.

use sojourner_native_rt::protocol::{EVERYWHERE, MOST_SECTION_TOUCHES, SectionTouch};
use std::sync::RwLock;

/// What a search has come across.
#[derive(Default)]
pub struct SectionTouches(RwLock<Vec<SectionTouch>>);

impl SectionTouches {
    /// The same, of its own.
    pub fn copy(&self) -> SectionTouches {
        SectionTouches(RwLock::new(self.all()))
    }

    /// All that is known.
    pub fn all(&self) -> Vec<SectionTouch> {
        self.0.read().expect("no holder panics").clone()
    }

    /// Adds what a run has met.
    pub fn add(&self, met: &[SectionTouch]) {
        let mut known = self.0.write().expect("no holder panics");
        known.extend_from_slice(met);
        *known = without_repeats(&known);
        if known.len() > MOST_SECTION_TOUCHES {
            *known = vec![SectionTouch::apart(EVERYWHERE)];
        }
    }
}

/// The same without what something else says, too.
pub fn without_repeats(touches: &[SectionTouch]) -> Vec<SectionTouch> {
    let mut all: Vec<SectionTouch> = Vec::new();
    for touch in touches {
        if !all.iter().any(|known| known.covers(touch)) {
            all.retain(|known| !touch.covers(known));
            all.push(*touch);
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use sojourner_native_rt::protocol::{How, Space, Touch};

    fn touch(place: u64, object: u64, how: How) -> SectionTouch {
        let touch = Touch { object, size: 4, how: how as u8, space: Space::Memory as u8, lacks: 0 };
        SectionTouch { place, slot: 1, padding: 0, touch }
    }

    #[test]
    fn write_includes_read() {
        let (read, write) = (touch(1, 8, How::Read), touch(1, 8, How::Write));
        assert_eq!(without_repeats(&[read, write, read]), [write]);
        assert_eq!(without_repeats(&[write, read]), [write]);
        let elsewhere = touch(2, 8, How::Read);
        assert_eq!(without_repeats(&[write, elsewhere]), [write, elsewhere]);
    }

    #[test]
    fn repeated_touch_is_kept_once() {
        let touches = SectionTouches::default();
        touches.add(&[touch(1, 8, How::Read)]);
        touches.add(&[touch(1, 8, How::Read), SectionTouch::apart(1)]);
        assert_eq!(touches.all(), [touch(1, 8, How::Read), SectionTouch::apart(1)]);
    }
}
