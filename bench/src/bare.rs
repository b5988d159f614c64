//! A floor to compare against: fingerprints in one open-addressed table of
//! atomics, states on per-thread stacks that hand half of themselves over when
//! the other thread is idle. Nothing else: no traces, no properties beyond the
//! counts, no growth of the table.

use crate::systems::System;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Condvar, Mutex};

pub struct Counts {
    pub states: u64,
    pub transitions: u64,
    pub deadlocks: u64,
    pub violations: u64,
}

#[derive(Default)]
struct Fx(u64);
impl Hasher for Fx {
    fn write(&mut self, bytes: &[u8]) {
        for c in bytes.chunks(8) {
            let mut w = [0; 8];
            w[..c.len()].copy_from_slice(c);
            self.write_u64(u64::from_le_bytes(w));
        }
    }
    fn write_u64(&mut self, x: u64) {
        let p = (self.0 ^ x) as u128 * 0x9E37_79B9_7F4A_7C15_F39C_C060_5CED_C835u128 as u64 as u128;
        self.0 = (p as u64 ^ (p >> 64) as u64).rotate_left(23).wrapping_add(0x9E37_79B9_7F4A_7C15);
    }
    fn write_usize(&mut self, x: usize) {
        self.write_u64(x as u64);
    }
    fn finish(&self) -> u64 {
        let mut x = self.0;
        x ^= x >> 32;
        x = x.wrapping_mul(0xd6e8_feb8_6659_fd93);
        x ^= x >> 32;
        x
    }
}

fn fingerprint<S: Hash>(s: &S, sip: bool) -> u64 {
    let h = if sip {
        let mut h = DefaultHasher::new();
        s.hash(&mut h);
        h.finish()
    } else {
        let mut h = Fx::default();
        s.hash(&mut h);
        h.finish()
    };
    h | 1
}

fn insert(table: &[AtomicU64], fp: u64) -> bool {
    let mask = table.len() - 1;
    let mut i = (fp >> 8) as usize & mask;
    loop {
        let seen = table[i].load(Relaxed);
        if seen == fp {
            return false;
        }
        if seen == 0 {
            match table[i].compare_exchange(0, fp, Relaxed, Relaxed) {
                Ok(_) => return true,
                Err(now) if now == fp => return false,
                Err(_) => {}
            }
        }
        i = (i + 1) & mask;
    }
}

pub fn explore<Y: System>(sys: &Y, threads: usize, log2_slots: u32, sip: bool) -> Counts {
    // calloc'd pages: touched only as they fill.
    let table: Vec<AtomicU64> = unsafe {
        let zeros = vec![0u64; 1 << log2_slots];
        std::mem::transmute::<Vec<u64>, Vec<AtomicU64>>(zeros)
    };
    let pool: Mutex<Vec<Vec<Y::State>>> = Mutex::new(vec![]);
    let wake = Condvar::new();
    let idle = AtomicUsize::new(0);
    let s0 = sys.initial();
    insert(&table, fingerprint(&s0, sip));
    pool.lock().unwrap().push(vec![s0]);
    let totals = Mutex::new(Counts { states: 0, transitions: 0, deadlocks: 0, violations: 0 });
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                let mut c = Counts { states: 0, transitions: 0, deadlocks: 0, violations: 0 };
                let mut labels = Vec::new();
                let mut stack: Vec<Y::State> = vec![];
                'work: loop {
                    let mut shared = pool.lock().unwrap();
                    loop {
                        if let Some(job) = shared.pop() {
                            stack = job;
                            break;
                        }
                        if idle.fetch_add(1, Relaxed) + 1 == threads {
                            wake.notify_all();
                            break 'work;
                        }
                        shared = wake.wait(shared).unwrap();
                        if idle.load(Relaxed) == threads {
                            break 'work;
                        }
                        idle.fetch_sub(1, Relaxed);
                    }
                    drop(shared);
                    while let Some(s) = stack.pop() {
                        c.states += 1;
                        c.violations += sys.violates(&s) as u64;
                        labels.clear();
                        sys.enabled(&s, &mut labels);
                        c.deadlocks += (labels.is_empty() && !sys.may_end(&s)) as u64;
                        c.transitions += labels.len() as u64;
                        for &l in &labels {
                            let t = sys.fire(&s, l);
                            if insert(&table, fingerprint(&t, sip)) {
                                stack.push(t);
                            }
                        }
                        if c.states.is_multiple_of(256) && stack.len() > 16 && idle.load(Relaxed) > 0 {
                            let half = stack.drain(..stack.len() / 2).collect();
                            pool.lock().unwrap().push(half);
                            wake.notify_one();
                        }
                    }
                }
                let mut t = totals.lock().unwrap();
                t.states += c.states;
                t.transitions += c.transitions;
                t.deadlocks += c.deadlocks;
                t.violations += c.violations;
            });
        }
    });
    totals.into_inner().unwrap()
}
