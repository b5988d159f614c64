//! The kernel: its state, fibers and their switches, visible operations, and which thread goes on.
//!
//! Every visible operation passes through here. [`schedule`] asks [`enabled`] which threads can move, and writes the row of each state.
//! Beside that the kernel keeps what a step can change: [`heap`], [`tls`], [`restore`] and [`checkpoints`] put memory back, and
//! [`restored_states`] looks whether that was right; [`races`], [`locksets`], [`lock_cycles`], [`spin_loops`] and [`revisits`] notice what goes wrong; [`state_hash`] tells states apart.
//!
//! Uses `base` alone. What lies above registers itself in the state where the kernel must call it.

pub mod atomic_sections;
pub mod byte_ranges;
pub mod checkpoint_places;
pub mod checkpoints;
pub mod context;
pub mod defect;
pub mod enabled;
pub mod heap;
pub mod lock_cycles;
pub mod locksets;
pub mod multilock;
pub mod objects;
pub mod path_sums;
pub mod private_memory;
pub mod race_accesses;
pub mod race_clocks;
pub mod race_reports;
pub mod races;
pub mod restore;
pub mod restored_states;
pub mod revisits;
pub mod schedule;
pub mod single_values;
pub mod slots;
pub mod spin_loops;
pub mod state;
pub mod state_hash;
pub mod thread_records;
pub mod timeouts;
pub mod timestamps;
pub mod tls;
pub mod torn_copies;
pub mod virtual_clock;
