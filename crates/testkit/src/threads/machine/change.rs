//! The state in a number to which each of its parts adds its own.

use super::{Code, FREE, Machine, SHARED};

impl<C: Code> Machine<C> {
    /// A number that stands for the state. What a step changes of it does not depend on steps that it commutes with: threads that
    /// share a lock only add to it.
    pub(super) fn sum(&self) -> u64 {
        let mut sum = 0_u64;
        let mut add = |number: u64| sum = sum.wrapping_add(number);
        for (variable, &value) in self.variables.iter().enumerate() {
            add(mixed(&[0, variable as u64, value.into()]));
        }
        for (lock, &holder) in self.holders.iter().enumerate() {
            match holder {
                FREE => {}
                _ if holder > SHARED => {
                    add(mixed(&[1, lock as u64, SHARED.into()]).wrapping_mul(u64::from(holder - SHARED)));
                }
                _ => add(mixed(&[1, lock as u64, holder.into()])),
            }
        }
        for (thread, running) in self.threads.iter().enumerate() {
            let thread = thread as u64;
            add(mixed(&[2, thread, running.id.map_or(u64::MAX, |id| id.0.into())]));
            let [a, b, c, d] = running.local.r;
            add(mixed(&[3, thread, u32::from_le_bytes([a, b, c, d]).into(), running.local.at.into()]));
            add(mixed(&[4, thread, running.children.into()]));
            add(mixed(&[5, thread, running.stage.number()]));
        }
        for (condition, queue) in self.queues.iter().enumerate() {
            let queue = queue.iter().fold(1, |all, &thread| all << 8 | u64::from(thread));
            add(mixed(&[6, condition as u64, queue]));
        }
        sum
    }
}

/// The numbers in one that looks random.
fn mixed(numbers: &[u64]) -> u64 {
    numbers.iter().fold(0x9e37_79b9_7f4a_7c15, |sum, &number| {
        let sum = (sum ^ number).wrapping_mul(0xff51_afd7_ed55_8ccd);
        (sum ^ sum >> 32).wrapping_mul(0xc4ce_b9fe_1a85_ec53) ^ sum >> 29
    })
}
