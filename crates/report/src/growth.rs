//! How a search grew, as a table for plotting.

/// Lines of depth, states, bytes of the store and bytes for each state, with tabs between them and a head. The states of a
/// depth are those that had been visited when it was first reached; the last line is the end.
pub fn growth(rows: &[[u64; 3]]) -> String {
    let mut text = "depth\tstates\tstore_bytes\tbytes_per_state\n".to_string();
    for [depth, states, bytes] in rows {
        let each = *bytes as f64 / (*states).max(1) as f64;
        text += &format!("{depth}\t{states}\t{bytes}\t{each:.1}\n");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_for_each_depth() {
        let text = "depth\tstates\tstore_bytes\tbytes_per_state\n1\t1\t0\t0.0\n9\t3\t100\t33.3\n";
        assert_eq!(growth(&[[1, 1, 0], [9, 3, 100]]), text);
    }
}
