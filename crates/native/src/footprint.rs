//! What operations touch, for reductions: from what the runtime says of them to objects.

use crate::cells;
use crate::execution::Execution;
use smallvec::SmallVec;
use sojourner_native_rt::protocol::{How, LASTLY, NOBODY, Op, Pending, SECTION, Space, Touch};
use sojourner_program::{Access, Footprint, Mode, ObjectId};

impl Execution {
    /// What an operation touches; with a value, what it touches with that outcome.
    pub(crate) fn footprint(&mut self, number: usize, pending: &Pending, value: Option<u32>) -> Footprint {
        let mut accesses: SmallVec<[Access; 2]> = SmallVec::new();
        let Some(op) = Op::from_number(pending.op) else { return Footprint::Unknown };
        if pending.offer != 0 && pending.holder == LASTLY {
            return Footprint::Unknown;
        }
        let how = How::from_number(pending.how);
        self.touch(&mut accesses, op.space(), pending.object, pending.size, how);
        if pending.block != 0 {
            let block = cells::block(pending.object, pending.block, &self.slots);
            let mode = if op == Op::Free { Mode::Write } else { Mode::Read };
            accesses.push(Access { object: block, mode });
        }
        if pending.extras > 0 {
            let extras: SmallVec<[_; 4]> = self.worker.region.extras(pending).collect();
            for (nth, touch) in extras.iter().enumerate() {
                // A signal wakes the waiter that was chosen; the others it leaves alone.
                if op == Op::Signal && value.is_some_and(|value| value as usize != nth) {
                    continue;
                }
                if op == Op::Create {
                    let own = self.threads.get(number).copied();
                    let child = self.shared.threads.child(own, touch.object as u32);
                    accesses.push(Access { object: cells::thread(child), mode: Mode::Write });
                    continue;
                }
                if space_of(touch) == Space::Block {
                    let block = cells::block(touch.object, touch.size, &self.slots);
                    accesses.push(Access { object: block, mode: Mode::Read });
                    continue;
                }
                self.touch(
                    &mut accesses,
                    space_of(touch),
                    touch.object,
                    touch.size,
                    How::from_number(touch.how),
                );
            }
        }
        // A thread can move only while no other thread is in an atomic section.
        let apart = [Op::SectionEnd, Op::Finished, Op::GivenUp, Op::Left, Op::Exit].contains(&op)
            || op == Op::Section && how == How::Acquire;
        if self.sections && !apart {
            accesses.push(Access { object: cells::object(Space::Object, SECTION), mode: Mode::Look });
        }
        if self.waits && accesses.is_empty() {
            // Its order with steps that let time pass matters.
            accesses.push(Access { object: ObjectId::NOTHING, mode: Mode::Read });
        }
        Footprint::Known(accesses)
    }

    /// What a thread that waits for several objects cannot have. None: that is not told.
    pub(crate) fn lacks(&self, pending: &Pending) -> SmallVec<[ObjectId; 2]> {
        let mut lacks = SmallVec::new();
        // A thread that waits for another one to leave an atomic section may or may not wait for something else.
        if pending.offer != 0 || pending.extras == 0 || self.sections {
            return lacks;
        }
        // A reader may wait for writers in line only.
        let is_free = pending.op == Op::ReadLock as u8 && pending.holder == NOBODY;
        if pending.how != How::Nothing as u8 && !is_free {
            lacks.push(self.object_of(pending));
        }
        for touch in self.worker.region.extras(pending).filter(|touch| touch.lacks != 0) {
            lacks.push(self.object_at(space_of(&touch), touch.object));
        }
        lacks
    }

    fn touch(
        &mut self,
        accesses: &mut SmallVec<[Access; 2]>,
        space: Space,
        address: u64,
        size: u32,
        how: How,
    ) {
        let mode = match how {
            How::Nothing => return,
            How::Read => Mode::Read,
            How::Write => Mode::Write,
            How::Acquire => Mode::Acquire,
            How::Release => Mode::Release,
            How::Open => Mode::Open,
            How::Look => Mode::Look,
            How::Shut => Mode::Shut,
            How::Share => Mode::Share,
            How::Unshare => Mode::Unshare,
            How::Enter => Mode::Enter,
            How::Ajar => Mode::Ajar,
        };
        let place = cells::place(address, &self.slots);
        match space {
            Space::Memory => {
                let touch = |cell| accesses.push(Access { object: cells::object(space, cell), mode });
                if !self.shared.cells.each(&mut self.local_cells, place, u64::from(size), touch) {
                    self.cut = true;
                }
            }
            // The block itself is added where its number is known.
            Space::Block => {}
            Space::Thread | Space::Wake | Space::Object => {
                accesses.push(Access { object: self.object_at(space, address), mode });
            }
        }
    }

    /// The object that an operation is about, without a look at the cells.
    pub(crate) fn object_of(&self, pending: &Pending) -> ObjectId {
        let space = Op::from_number(pending.op).map_or(Space::Memory, Op::space);
        if space == Space::Block && pending.block != 0 {
            return cells::block(pending.object, pending.block, &self.slots);
        }
        self.object_at(space, pending.object)
    }

    /// The object at an address. A thread is known by its slot, wherever in it the program's handle points.
    fn object_at(&self, space: Space, address: u64) -> ObjectId {
        let place = cells::place(address, &self.slots);
        let is_thread = matches!(space, Space::Thread | Space::Wake);
        cells::object(space, if is_thread { place & !((1 << 32) - 1) } else { place })
    }
}

/// What sort of thing a further object of a step is.
fn space_of(touch: &Touch) -> Space {
    match touch.space {
        1 => Space::Object,
        2 => Space::Thread,
        3 => Space::Wake,
        4 => Space::Block,
        _ => Space::Memory,
    }
}
