//! Numbers for names that are the same on every worker, whatever the machine's own numbers are.

use xxhash_rust::xxh3::xxh3_64_with_seed;

/// 64 bits that stand for a name.
pub(crate) fn name_hash(text: &str, seed: u64) -> u64 {
    xxh3_64_with_seed(text.as_bytes(), seed)
}
