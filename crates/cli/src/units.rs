//! Sizes and times as people write them: `4G`, `512M`, `90s`, `5m`.

use std::time::Duration;

/// Reads a number of bytes: `1024`, `64K`, `512M`, `4G`, `1T`, with or without a trailing `B` or `iB`.
pub fn size(text: &str) -> Result<u64, String> {
    let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let shift = match text[digits..].trim_end_matches("iB").trim_end_matches('B') {
        "" => 0,
        "k" | "K" => 10,
        "m" | "M" => 20,
        "g" | "G" => 30,
        "t" | "T" => 40,
        _ => return Err(format!("'{text}' is not a size; write one like 512M or 4G")),
    };
    let number = text[..digits].parse::<u64>().ok().filter(|&n| n > 0);
    number
        .and_then(|n| n.checked_mul(1 << shift))
        .ok_or_else(|| format!("'{text}' is not a size; write one like 512M or 4G"))
}

/// Reads a time: `90`, `90s`, `500ms`, `5m`, `2h`.
pub fn time(text: &str) -> Result<Duration, String> {
    let digits = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let unit = match &text[digits..] {
        "ms" => 0.001,
        "" | "s" => 1.0,
        "m" => 60.0,
        "h" => 3600.0,
        _ => f64::NAN,
    };
    let seconds = text[..digits].parse::<f64>().unwrap_or(f64::NAN) * unit;
    Duration::try_from_secs_f64(seconds)
        .map_err(|_| format!("'{text}' is not a time; write one like 90s, 500ms, 5m or 2h"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_times_read_as_people_write_them() {
        assert_eq!(size("4G"), Ok(4 << 30));
        assert_eq!(size("64KiB"), Ok(64 << 10));
        assert_eq!(size("12"), Ok(12));
        assert_eq!(time("1.5m"), Ok(Duration::from_secs(90)));
        assert_eq!(time("500ms"), Ok(Duration::from_millis(500)));
        for bad in ["", "G", "4X", "-1", "0", "99999999999T"] {
            assert!(size(bad).is_err(), "{bad}");
        }
        for bad in ["", "s", "4x", "-1s", "1e400s", "nan"] {
            assert!(time(bad).is_err(), "{bad}");
        }
    }
}
