//! The memory that a search counts is about what an allocator counts.
#![allow(unsafe_code, reason = "an allocator that counts")]

use sojourner_model::{Checked, Model, State, Transitions};
use sojourner_models::Grid;
use sojourner_search::{Halt, Memory, Observe, Outcome, Sample, Settings, Shape, Strategy, Tick, explore};
use sojourner_store::StoreKind;
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::Mutex;
use std::sync::atomic::{AtomicI64, Ordering::Relaxed};

/// Counts the bytes that are allocated.
struct Counting;

static ALLOCATED: AtomicI64 = AtomicI64::new(0);

// SAFETY: everything is the system's allocator, which keeps the contract.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATED.fetch_add(layout.size() as i64, Relaxed);
        // SAFETY: as the caller promises.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        ALLOCATED.fetch_sub(layout.size() as i64, Relaxed);
        // SAFETY: as the caller promises.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// Searches of other tests in this process would be counted, too.
static ALONE: Mutex<()> = Mutex::new(());

/// Compares each sample with what is allocated.
struct Comparison {
    before: i64,
    samples: Mutex<Vec<(u64, i64)>>,
}

impl Observe for Comparison {
    fn tick(&self, _: &Tick) {}

    fn sample_every(&self) -> Option<u64> {
        Some(1 << 10)
    }

    fn sample(&self, sample: &Sample) {
        let allocated = ALLOCATED.load(Relaxed) - self.before;
        let mut samples = self.samples.lock().unwrap();
        if samples.len() < samples.capacity() {
            samples.push((sample.memory.total(), allocated));
        }
    }
}

/// What else a search allocates: threads, buffers, names; with `collapse` also a pool for each kind of component that there might be.
fn beside(store: StoreKind) -> i64 {
    if store == StoreKind::Collapse { 192 << 10 } else { 16 << 10 }
}

/// Samples of less say little.
const LITTLE: i64 = 256 << 10;

/// Samples of a search whose counted bytes are a tenth more or less than what is allocated.
fn check_counted(name: &str, store: StoreKind, search: impl FnOnce(&Comparison) -> Outcome) -> Memory {
    let _alone = ALONE.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let samples = Mutex::new(Vec::with_capacity(1 << 14));
    let comparison = Comparison { before: ALLOCATED.load(Relaxed), samples };
    let outcome = search(&comparison);
    let samples = comparison.samples.into_inner().unwrap();
    let telling: Vec<_> = samples.iter().filter(|(_, allocated)| *allocated > LITTLE).collect();
    assert!(telling.len() > 8, "{name}: {} of {} samples", telling.len(), samples.len());
    for &&(counted, allocated) in &telling {
        let off = (counted as i64 - allocated).abs() - beside(store);
        assert!(off * 10 <= allocated, "{name}: {counted} counted, {allocated} allocated");
    }
    let grown = samples.iter().map(|(counted, _)| *counted).max() > samples.first().map(|first| 4 * first.0);
    assert!(grown, "{name} does not grow");
    outcome.memory
}

const STORES: [StoreKind; 3] = [StoreKind::Compact, StoreKind::Exact, StoreKind::Collapse];

const FRONTIERS: [&str; 7] = [
    "dfs",
    "bfs",
    "bfs:bound=20000",
    "best-first:ties=age",
    "best-first:ties=random",
    "best-first:best=4",
    "best-first:bound=10000",
];

fn settings(search: &str, store: StoreKind) -> Settings {
    let shape: Shape = search.parse().unwrap();
    Settings { store, ..Settings::new(Strategy::plain(shape)) }
}

fn search<M: Model>(model: M, settings: &Settings) -> impl FnOnce(&Comparison) -> Outcome {
    move |observe| explore(&Checked::new(model), settings, &Halt::new(), observe).unwrap()
}

/// Something that climbs a long ladder, and may turn round once on the way.
struct Ladder;

#[derive(Clone, Debug, State)]
struct Climber {
    rung: u32,
    #[state(local)]
    turned: bool,
}

impl Model for Ladder {
    type State = Climber;

    fn initial(&self) -> Climber {
        Climber { rung: 0, turned: false }
    }

    fn processes(&self) -> u32 {
        2
    }

    fn transitions(&self, climber: &Climber, on: &mut Transitions<'_>) {
        on.when(climber.rung < 30_000, 0, 0);
        on.when(!climber.turned, 1, 0);
    }

    fn fire(&self, climber: &mut Climber, process: usize, _: u32) {
        match process {
            0 => climber.rung += 1,
            _ => climber.turned = true,
        }
    }
}

#[test]
fn bytes_of_long_path_are_those_of_the_allocator() {
    for store in STORES.into_iter().chain([StoreKind::None]) {
        let mut settings = settings("dfs", store);
        settings.budget.states = Some(60_000);
        let memory = check_counted(&format!("a long path with {store}"), store, search(Ladder, &settings));
        assert!(memory.queue > 30_000 * 30, "{memory:?}");
    }
}

#[test]
fn bytes_of_every_store_and_frontier_are_those_of_the_allocator() {
    for store in STORES {
        for frontier in FRONTIERS {
            let name = format!("{frontier} with {store}");
            let model = Grid { counters: 5, values: 9 };
            let memory = check_counted(&name, store, search(model, &settings(frontier, store)));
            assert!(memory.store > 0 && memory.queue > 0 && memory.pools == 0, "{name}: {memory:?}");
        }
    }
}
