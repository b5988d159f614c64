//! The heap: objects as bytes, references as numbers.
//!
//! An object is a header of 24 bytes and its fields or elements in their natural sizes, as `Unsafe` expects them. The
//! garbage collector moves nothing: it turns dead objects into holes, which later allocations fill.
//!
//! While a program is explored the heap has two parts. Permanent objects (all that existed when the program was started,
//! and later mirrors, literals and what static initialisers of the JDK make) come first and are never taken back. The
//! others follow, each transition's behind those of the transitions before it, so that going back is to cut off the end
//! and to put back the words that were overwritten.

pub mod journal;
pub mod pieces;

use super::reserve::Reserve;
use journal::{Changed, HeapMark, Journal, Overwritten};

/// A reference: the object's distance from the base of the heap, in units of eight bytes. Zero is null.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
#[repr(transparent)]
pub struct Ref(pub u32);

impl Ref {
    /// The null reference.
    pub const NULL: Ref = Ref(0);

    /// Whether it is null.
    #[inline(always)]
    pub fn is_null(self) -> bool {
        self.0 == 0
    }

    /// The reference, unless it is null.
    #[inline(always)]
    pub fn some(self) -> Option<Ref> {
        if self.is_null() { None } else { Some(self) }
    }
}

/// Bytes in an object before its fields.
pub const HEADER: u32 = 24;
/// Where the word of an object's monitor lies.
pub const LOCK: u32 = 4;
/// Where the identity hash code lies; zero until it is asked for.
pub const HASH: u32 = 8;
/// The bit beside the hash code that marks generators of random numbers whose seed the program does not decide.
pub const UNSEEDED: u32 = 1 << 31;
/// Where the length of an array lies.
pub const LENGTH: u32 = 12;
/// Where it lies what guards the object, as far as is known: see `machine::visible::guards`.
pub const GUARD: u32 = 16;
/// Where an exploration keeps what it knows of the object.
pub const FLAGS: u32 = 20;
/// Where the elements of an array begin.
pub const ARRAY_DATA: u32 = HEADER;

/// The flag of objects that several threads can reach. The bits above it say where an array was allocated, and of other objects
/// what an exploration wants to know.
pub const SHARED: u32 = 1;
/// References end before this number: those from here on can stand for threads.
pub const REFERENCES_END: u32 = u32::MAX - 0xFFFF;

/// What the header of a hole says instead of a class.
const HOLE: u32 = 0;

/// The objects of a machine.
pub struct Heap {
    reserve: Reserve,
    /// The first unit that was never used.
    top: u32,
    /// The unit behind the last one.
    limit: u32,
    /// The hole that allocations fill: its next free unit and its end.
    hole: (u32, u32),
    /// More holes, last ones first.
    holes: Vec<(u32, u32)>,
    /// Objects before this unit are never collected.
    frozen: u32,
    /// Units allocated since the last collection.
    since: u64,
    /// Objects that were allocated on the path and are not permanent.
    allocated: u32,
    /// Bytes after whose allocation garbage is collected.
    pub collect_at: u64,
    /// The last number in the sequence of identity hash codes.
    pub next_hash: u32,
    marks: Vec<u64>,
    /// What is overwritten in objects before this unit is recorded; zero while nothing is.
    recorded: u32,
    /// Objects before this unit are permanent; zero while there are no two parts.
    split: u32,
    /// The first unit behind the permanent objects, while there are two parts.
    permanent_top: u32,
    /// Whether what is allocated and written now is there for ever.
    permanently: bool,
    /// How often a permanent object was changed for ever.
    revised: u64,
    /// The flags of new objects.
    flags: u32,
    /// The names of objects that are not permanent, if they have any.
    names: Option<Box<Names>>,
    journal: Journal,
}

/// Names of objects that do not depend on where they lie.
#[derive(Default)]
struct Names {
    /// By unit behind the permanent objects. Whatever is allocated there has its own.
    of: Vec<u64>,
    /// The thread that allocates now, and how many objects it has allocated.
    creator: u64,
    count: u64,
}

impl Names {
    fn give(&mut self, at: u32) {
        let at = at as usize;
        if self.of.len() <= at {
            self.of.resize((at + 1).next_power_of_two(), 0);
        }
        self.count += 1;
        // Even, as those of permanent objects are not.
        self.of[at] = self.creator.wrapping_add(self.count.wrapping_mul(0xD1B5_4A32_D192_ED03)) << 1;
    }
}

macro_rules! accessors {
    ($($get:ident $($put:ident)?, $type:ty;)*) => {$(
        /// Reads a value at a byte offset of an object.
        #[inline(always)]
        pub fn $get(&self, object: Ref, offset: u32) -> $type {
            debug_assert!(!object.is_null());
            // SAFETY: verified code reads only offsets within the object; the sum stays within the reserve.
            unsafe { self.address(object, offset).cast::<$type>().read_unaligned() }
        }

        $(
            /// Writes a value at a byte offset of an object.
            #[inline(always)]
            pub fn $put(&mut self, object: Ref, offset: u32, value: $type) {
                debug_assert!(!object.is_null());
                if object.0 < self.recorded {
                    self.record_value(object, offset, size_of::<$type>());
                }
                // SAFETY: as above, and the machine has the heap to itself.
                unsafe { self.address(object, offset).cast::<$type>().write_unaligned(value) }
            }
        )?
    )*};
}

impl Heap {
    /// A heap of at most that many bytes; `None` if the system does not give the address space.
    pub fn new(bytes: u64) -> Option<Heap> {
        let units = (bytes / 8).min(u64::from(REFERENCES_END)) as u32;
        let reserve = Reserve::new(units as usize * 8)?;
        // Unit 0 is null, and the first objects begin on a boundary of 16 bytes.
        Some(Heap {
            reserve,
            top: 2,
            limit: units,
            hole: (0, 0),
            holes: Vec::new(),
            frozen: 2,
            since: 0,
            allocated: 0,
            collect_at: u64::MAX,
            next_hash: 0,
            marks: Vec::new(),
            recorded: 0,
            split: 0,
            permanent_top: 0,
            permanently: false,
            revised: 0,
            flags: 0,
            names: None,
            journal: Journal::default(),
        })
    }

    #[inline(always)]
    fn address(&self, object: Ref, offset: u32) -> *mut u8 {
        self.reserve.base().wrapping_add(object.0 as usize * 8 + offset as usize)
    }

    accessors! {
        get_u8 put_u8, u8;
        get_i8, i8;
        get_u16 put_u16, u16;
        get_i16, i16;
        get_u32 put_u32, u32;
        get_i32 put_i32, i32;
        get_u64 put_u64, u64;
        get_i64 put_i64, i64;
    }

    /// Reads an element of an array.
    #[inline(always)]
    pub fn element_at<T: Copy>(&self, array: Ref, index: u32) -> T {
        let at = self.address(array, ARRAY_DATA).cast::<T>().wrapping_add(index as usize);
        // SAFETY: the callers have compared the index with the length, and elements are aligned to their sizes.
        unsafe { at.read() }
    }

    /// Writes an element of an array.
    #[inline(always)]
    pub fn set_element<T: Copy>(&mut self, array: Ref, index: u32, value: T) {
        if array.0 < self.recorded {
            self.record_value(array, ARRAY_DATA + index * size_of::<T>() as u32, size_of::<T>());
        }
        let at = self.address(array, ARRAY_DATA).cast::<T>().wrapping_add(index as usize);
        // SAFETY: as above, and the machine has the heap to itself.
        unsafe { at.write(value) };
    }

    /// Reads a reference.
    #[inline(always)]
    pub fn get_ref(&self, object: Ref, offset: u32) -> Ref {
        Ref(self.get_u32(object, offset))
    }

    /// Writes a reference.
    #[inline(always)]
    pub fn put_ref(&mut self, object: Ref, offset: u32, value: Ref) {
        self.put_u32(object, offset, value.0);
    }

    /// The number of the object's class.
    #[inline(always)]
    pub fn class(&self, object: Ref) -> u32 {
        self.get_u32(object, 0)
    }

    /// The length of an array.
    #[inline(always)]
    pub fn length(&self, array: Ref) -> u32 {
        self.get_u32(array, LENGTH)
    }

    /// The bytes of an array of elements of that size.
    pub fn elements(&self, array: Ref, size: u32) -> &[u8] {
        let bytes = self.length(array) as usize * size as usize;
        // SAFETY: an array has this many bytes behind its header.
        unsafe { std::slice::from_raw_parts(self.address(array, ARRAY_DATA), bytes) }
    }

    /// The bytes of an array, to be changed.
    pub fn elements_mut(&mut self, array: Ref, size: u32) -> &mut [u8] {
        let bytes = self.length(array) as usize * size as usize;
        if array.0 < self.recorded {
            self.record(array, ARRAY_DATA, bytes);
        }
        // SAFETY: an array has this many bytes behind its header, and the machine has the heap to itself.
        unsafe { std::slice::from_raw_parts_mut(self.address(array, ARRAY_DATA), bytes) }
    }

    /// The byte that `Unsafe` means by an object and an offset: without an object the offset alone counts, from the
    /// base of the heap. `None` if it lies outside of what is in use.
    #[inline]
    fn raw(&self, object: Ref, offset: i64, size: usize) -> Option<*mut u8> {
        let at = i64::from(object.0).checked_mul(8)?.checked_add(offset)?;
        let at = usize::try_from(at).ok()?;
        (at >= 16 && at.checked_add(size)? <= self.top as usize * 8)
            .then(|| self.reserve.base().wrapping_add(at))
    }

    /// Reads as `Unsafe` does; `None` if there is nothing.
    #[inline]
    pub fn raw_get<T: Copy>(&self, object: Ref, offset: i64) -> Option<T> {
        let at = self.raw(object, offset, size_of::<T>())?;
        // SAFETY: the bytes are within the heap; any bits are a `T`, which is a number.
        Some(unsafe { at.cast::<T>().read_unaligned() })
    }

    /// Writes as `Unsafe` does; `None` if there is nothing.
    #[inline]
    pub fn raw_put<T: Copy>(&mut self, object: Ref, offset: i64, value: T) -> Option<()> {
        let at = self.raw(object, offset, size_of::<T>())?;
        self.record_raw(object, offset, size_of::<T>());
        // SAFETY: the bytes are within the heap, and the machine has it to itself.
        unsafe { at.cast::<T>().write_unaligned(value) };
        Some(())
    }

    /// Bytes as `Unsafe` addresses them; `None` if some lie outside.
    pub fn raw_bytes(&mut self, object: Ref, offset: i64, bytes: usize) -> Option<&mut [u8]> {
        let at = self.raw(object, offset, bytes)?;
        self.record_raw(object, offset, bytes);
        // SAFETY: the bytes are within the heap, and the machine has it to itself.
        Some(unsafe { std::slice::from_raw_parts_mut(at, bytes) })
    }

    /// Copies bytes between or within objects; they may overlap.
    #[inline]
    pub fn copy(&mut self, from: Ref, from_offset: usize, to: Ref, to_offset: usize, bytes: usize) {
        if to.0 < self.recorded {
            self.record(to, to_offset as u32, bytes);
        }
        let from = self.reserve.base().wrapping_add(from.0 as usize * 8 + from_offset);
        let to = self.reserve.base().wrapping_add(to.0 as usize * 8 + to_offset);
        // SAFETY: the callers have compared both ranges with the sizes of the objects.
        unsafe { std::ptr::copy(from, to, bytes) };
    }

    /// A new object of zeros: its class, its size in bytes with the header, and the length if it is an array. `None` if
    /// the heap is full.
    #[inline]
    pub fn allocate(&mut self, class: u32, bytes: u64, length: u32) -> Option<Ref> {
        let units = bytes.div_ceil(8);
        if self.permanently {
            return self.allocate_permanent(class, units, length);
        }
        let (next, end) = self.hole;
        let at = if units <= u64::from(end - next) {
            self.hole.0 += units as u32;
            next
        } else {
            self.allocate_elsewhere(units)?
        };
        self.since += units;
        self.allocated = self.allocated.wrapping_add(1);
        if let Some(names) = &mut self.names {
            names.give(at - self.split);
        }
        let object = Ref(at);
        self.put_u32(object, 0, class);
        self.put_u32(object, LENGTH, length);
        self.put_u32(object, FLAGS, self.flags);
        Some(object)
    }

    /// From now on objects have names.
    pub fn name_objects(&mut self) {
        self.names.get_or_insert_default();
    }

    /// This thread allocates objects from now on, and has allocated so many before.
    pub fn set_creator(&mut self, creator: u64, count: u64) {
        if let Some(names) = &mut self.names {
            (names.creator, names.count) = (creator, count);
        }
    }

    /// How many objects the present creator has allocated, if objects have names.
    pub fn allocated_by_creator(&self) -> Option<u64> {
        self.names.as_ref().map(|names| names.count)
    }

    /// The name of an object that is not permanent: an even number that is the same wherever the object lies. Without names
    /// it is where it lies.
    pub fn name(&self, object: Ref) -> u64 {
        let at = (object.0 - self.split) as usize;
        let name = self.names.as_ref().and_then(|names| names.of.get(at));
        name.copied().unwrap_or(u64::from(object.0) << 1)
    }

    /// A new object among the permanent ones.
    #[cold]
    fn allocate_permanent(&mut self, class: u32, units: u64, length: u32) -> Option<Ref> {
        if units > u64::from(self.split - self.permanent_top) {
            return None;
        }
        let object = Ref(self.permanent_top);
        self.permanent_top += units as u32;
        self.put_u32(object, 0, class);
        self.put_u32(object, LENGTH, length);
        self.put_u32(object, FLAGS, SHARED);
        Some(object)
    }

    #[cold]
    #[inline(never)]
    fn allocate_elsewhere(&mut self, units: u64) -> Option<u32> {
        // Small objects fill holes; a large one would waste many of them.
        if units <= 32 {
            while let Some((start, end)) = self.holes.pop() {
                self.close_hole();
                let bytes = (end - start) as usize * 8;
                // SAFETY: a hole is free memory within the reserve.
                unsafe { std::ptr::write_bytes(self.address(Ref(start), 0), 0, bytes) };
                self.hole = (start, end);
                if units <= u64::from(end - start) {
                    self.hole.0 += units as u32;
                    return Some(start);
                }
            }
        }
        if units > u64::from(self.limit - self.top) {
            return None;
        }
        let at = self.top;
        self.top += units as u32;
        Some(at)
    }

    /// Marks what is left of the current hole, so that the heap can be walked.
    fn close_hole(&mut self) {
        let (next, end) = self.hole;
        self.dig(next, end);
        self.hole = (0, 0);
    }

    /// The size of the hole that is there in place of an object, in units.
    pub fn hole_at(&self, place: Ref) -> Option<u32> {
        (self.class(place) == HOLE).then(|| self.get_u32(place, 4))
    }

    fn dig(&mut self, start: u32, end: u32) {
        if end > start {
            self.put_u32(Ref(start), 0, HOLE);
            self.put_u32(Ref(start), 4, end - start);
        }
    }

    /// Bytes in use behind the permanent objects, holes included.
    pub fn dynamic(&self) -> u64 {
        u64::from(self.top - self.split) * 8
    }

    /// Objects that were allocated on the path, those included that are garbage or were collected.
    #[inline]
    pub fn allocated(&self) -> u32 {
        self.allocated
    }

    /// The bytes of the journal, with the room for more.
    pub fn journal_bytes(&self) -> usize {
        self.journal.overwritten.capacity() * size_of::<Overwritten>()
    }

    /// Bytes by which it has grown in the present transition, holes included.
    pub fn grown(&self) -> u64 {
        u64::from(self.top - self.frozen) * 8
    }

    /// Bytes that are in use, holes included.
    pub fn used(&self) -> u64 {
        u64::from(self.top) * 8
    }

    /// The largest number of bytes that can be in use.
    pub fn limit(&self) -> u64 {
        u64::from(self.limit) * 8
    }

    /// Whether so much has been allocated that garbage is to be collected.
    #[inline(always)]
    pub fn needs_collection(&self) -> bool {
        self.allocated_since_collection() > self.collect_at
    }

    /// Bytes allocated since the last collection.
    fn allocated_since_collection(&self) -> u64 {
        self.since * 8
    }

    /// Everything that exists now stays for ever.
    pub fn freeze(&mut self) {
        self.close_hole();
        self.frozen = self.top;
    }

    /// Divides the heap: what exists is permanent from now on, and everything is recorded. `room` bytes are left for
    /// permanent objects that are yet to come.
    pub fn divide(&mut self, room: u64, flags: u32) {
        self.close_hole();
        self.holes.clear();
        self.permanent_top = self.top;
        self.split = (u64::from(self.top) + room / 8).min(u64::from(self.limit)) as u32;
        self.journal.cover(self.split);
        self.top = self.split;
        self.allocated = 0;
        self.flags = flags;
        self.begin_transition();
    }

    /// Where the objects begin that are not permanent. Zero: there is no such division.
    #[inline(always)]
    pub fn split(&self) -> u32 {
        self.split
    }

    /// The first unit behind the permanent objects.
    pub fn permanent_top(&self) -> u32 {
        self.permanent_top
    }

    /// The first unit that is not in use.
    pub fn top(&self) -> u32 {
        self.top
    }

    /// Whether new objects and writes to permanent ones are there for ever, from now on. The answer is how it was.
    pub fn set_permanently(&mut self, permanently: bool) -> bool {
        std::mem::replace(&mut self.permanently, permanently)
    }

    /// What is allocated from now on belongs to a new transition.
    #[inline]
    pub fn begin_transition(&mut self) -> HeapMark {
        if self.hole.0 != self.hole.1 || !self.holes.is_empty() {
            self.close_hole();
            self.holes.clear();
        }
        self.frozen = self.top;
        self.recorded = self.top;
        self.since = 0;
        self.journal.begun = self.journal.overwritten.len();
        HeapMark { top: self.top, allocated: self.allocated, overwritten: self.journal.overwritten.len() }
    }

    /// Goes back to how it was at a mark.
    pub fn rewind(&mut self, mark: HeapMark) {
        let base = self.reserve.base().cast::<u64>();
        while self.journal.overwritten.len() > mark.overwritten {
            let Some(Overwritten { unit, old, .. }) = self.journal.overwritten.pop() else { break };
            // SAFETY: the word was read at the same place when it was recorded.
            unsafe { base.wrapping_add(unit as usize).write(old) };
        }
        if self.top > mark.top {
            self.clear_tail(mark.top, (self.top - mark.top) as usize * 8);
        }
        self.top = mark.top;
        self.allocated = mark.allocated;
        self.hole = (0, 0);
        self.holes.clear();
        self.frozen = mark.top;
        self.recorded = mark.top;
        self.journal.begun = mark.overwritten;
    }

    /// How many words have been overwritten since the start and not been put back.
    #[inline]
    pub fn overwritten(&self) -> usize {
        self.journal.overwritten.len()
    }

    /// How often a permanent object has been changed for ever.
    #[inline]
    pub fn revised(&self) -> u64 {
        self.revised
    }

    /// The words that have been overwritten since there were so many of them.
    #[inline]
    pub fn overwritten_since(&self, count: usize) -> &[Overwritten] {
        &self.journal.overwritten[count..]
    }

    /// The words that have been overwritten since a mark.
    pub fn overwritten_since_mark(&self, mark: HeapMark) -> &[Overwritten] {
        self.overwritten_since(mark.overwritten)
    }

    /// Words of permanent objects that some execution has changed, in the order in which they were first changed.
    pub fn changed(&self) -> &[Changed] {
        &self.journal.changed
    }

    /// A whole word of an object.
    #[inline(always)]
    pub fn word(&self, unit: u32) -> u64 {
        let at = self.reserve.base().cast::<u64>().wrapping_add(unit as usize);
        // SAFETY: the callers ask for words of objects.
        unsafe { at.read() }
    }

    /// Keeps what is about to be overwritten by a value, which lies in one word but for strange offsets.
    #[inline(always)]
    fn record_value(&mut self, object: Ref, offset: u32, bytes: usize) {
        if offset as usize % 8 + bytes <= 8 {
            self.record_one(object, object.0 + offset / 8);
        } else {
            self.record(object, offset, bytes);
        }
    }

    #[inline(never)]
    fn record_one(&mut self, object: Ref, unit: u32) {
        self.record_word(object, object, unit);
    }

    /// Keeps the words that are about to be overwritten.
    #[inline(never)]
    fn record(&mut self, object: Ref, offset: u32, bytes: usize) {
        self.record_of(object, object, offset, bytes);
    }

    /// Keeps words of an owner, which may be unknown, that lie at an offset from some place.
    #[inline(always)]
    fn record_of(&mut self, owner: Ref, from: Ref, offset: u32, bytes: usize) {
        if bytes == 0 {
            return;
        }
        let first = from.0 + offset / 8;
        let last = from.0 + (offset + bytes as u32 - 1) / 8;
        self.record_word(owner, from, first);
        for unit in first + 1..=last {
            self.record_word(owner, from, unit);
        }
    }

    #[inline(always)]
    fn record_word(&mut self, owner: Ref, from: Ref, unit: u32) {
        if self.journal.is_known(unit) {
            return;
        }
        let old = self.word(unit);
        if from.0 < self.split {
            if self.permanently {
                self.revised += 1;
                return;
            }
            if self.journal.register(unit) {
                let offset = (unit - from.0) * 8;
                self.journal.changed.push(Changed { object: from, offset, original: old });
            }
        }
        self.journal.overwritten.push(Overwritten { object: owner, unit, old });
    }

    #[inline]
    fn record_raw(&mut self, object: Ref, offset: i64, bytes: usize) {
        if self.recorded == 0 {
            return;
        }
        // The callers have found the bytes to lie in the heap. Without an object the offset alone counts.
        let (from, offset) =
            if object.is_null() { (Ref((offset / 8) as u32), offset % 8) } else { (object, offset) };
        if from.0 < self.recorded {
            self.record_of(object, from, offset as u32, bytes);
        }
    }

    /// Clears all marks.
    pub fn begin_marking(&mut self) {
        self.marks.clear();
        self.marks.resize(self.top as usize / 64 + 1, 0);
    }

    /// Marks an object; whether it was not marked before.
    #[inline]
    pub fn mark(&mut self, object: Ref) -> bool {
        let (word, bit) = (object.0 as usize / 64, 1 << (object.0 % 64));
        let fresh = self.marks[word] & bit == 0;
        self.marks[word] |= bit;
        fresh
    }

    /// Whether the object is marked.
    pub fn is_marked(&self, object: Ref) -> bool {
        self.marks[object.0 as usize / 64] & 1 << (object.0 % 64) != 0
    }

    /// Makes holes of all objects that are not marked. `units` gives the size of an object from its class and length.
    pub fn sweep(&mut self, units: impl Fn(Ref, u32, u32) -> u32) {
        self.close_hole();
        self.holes.clear();
        let mut at = self.frozen;
        let mut start = None;
        while at < self.top {
            let object = Ref(at);
            let (size, live) = match self.hole_at(object) {
                Some(size) => (size, false),
                None => (units(object, self.class(object), self.length(object)), self.is_marked(object)),
            };
            if live {
                if let Some(start) = start.take() {
                    self.dig(start, at);
                    self.holes.push((start, at));
                }
            } else {
                start.get_or_insert(at);
            }
            at += size.max(1);
        }
        if let Some(start) = start {
            // The end of the heap is free again; the pages go back to the system, and come back as zeros.
            let bytes = (self.top - start) as usize * 8;
            self.clear_tail(start, bytes);
            self.top = start;
        }
        self.since = 0;
    }

    fn clear_tail(&mut self, start: u32, bytes: usize) {
        const PAGE: usize = 4096;
        let from = self.address(Ref(start), 0) as usize;
        let to = from + bytes;
        let (first, last) = (from.next_multiple_of(PAGE), to / PAGE * PAGE);
        // SAFETY: everything from `start` to the old top is free memory of this heap.
        unsafe {
            // A call of the system pays only for much memory.
            if last.saturating_sub(first) > 1 << 20 {
                std::ptr::write_bytes(from as *mut u8, 0, first - from);
                libc::madvise(first as *mut libc::c_void, last - first, libc::MADV_DONTNEED);
                std::ptr::write_bytes(last as *mut u8, 0, to - last);
            } else {
                std::ptr::write_bytes(from as *mut u8, 0, bytes);
            }
        }
    }

    /// Bytes in holes that wait to be filled.
    pub fn bytes_in_holes(&self) -> u64 {
        self.holes.iter().map(|&(start, end)| u64::from(end - start) * 8).sum()
    }
}
