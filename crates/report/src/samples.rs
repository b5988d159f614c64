//! How a search stood over time, as a table for plotting.

/// A line of the table.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SampleRow {
    /// Transitions taken so far.
    pub transitions: u64,
    /// Elapsed time.
    pub seconds: f64,
    /// States visited so far.
    pub states: u64,
    /// The depth of the path.
    pub depth: u64,
    /// Bytes of the store, of the queue and of pools.
    pub bytes: [u64; 3],
}

/// A head and the lines, with tabs between the columns.
pub fn samples(rows: &[SampleRow]) -> String {
    let mut text = "transitions\tseconds\tstates\tdepth\tstore_bytes\tqueue_bytes\tpool_bytes\n".to_string();
    for SampleRow { transitions, seconds, states, depth, bytes: [store, queue, pools] } in rows {
        text += &format!("{transitions}\t{seconds:.6}\t{states}\t{depth}\t{store}\t{queue}\t{pools}\n");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_for_each_sample() {
        let row = SampleRow { transitions: 9, seconds: 0.25, states: 5, depth: 3, bytes: [1, 2, 0] };
        let text = samples(&[row]);
        assert_eq!(text.lines().nth(1), Some("9\t0.250000\t5\t3\t1\t2\t0"));
        assert_eq!(text.lines().next().unwrap().split('\t').count(), 7);
    }
}
