//! Sizes and times as people write them: `4G`, `512M`, `90s`, `5m`.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// A number of bytes: `1024`, `64K`, `512M`, `4G`, `1T`, with or without a trailing `B` or `iB`, and not 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Bytes(pub u64);

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for Bytes {
    type Err = String;

    fn from_str(text: &str) -> Result<Bytes, String> {
        let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
        let shift = match text[digits..].trim_end_matches("iB").trim_end_matches('B') {
            "" => Some(0),
            "k" | "K" => Some(10),
            "m" | "M" => Some(20),
            "g" | "G" => Some(30),
            "t" | "T" => Some(40),
            _ => None,
        };
        let number = text[..digits].parse::<u64>().ok().filter(|&n| n > 0);
        let bytes = number.zip(shift).and_then(|(n, shift)| n.checked_mul(1 << shift));
        bytes.map(Bytes).ok_or_else(|| format!("'{text}' is not a size; write one like 512M or 4G"))
    }
}

/// A time: `90`, `90s`, `500ms`, `5m`, `2h`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Time(pub Duration);

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}s", self.0.as_secs_f64())
    }
}

impl FromStr for Time {
    type Err = String;

    fn from_str(text: &str) -> Result<Time, String> {
        let digits = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
        let unit = match &text[digits..] {
            "ms" => 0.001,
            "" | "s" => 1.0,
            "m" => 60.0,
            "h" => 3600.0,
            _ => f64::NAN,
        };
        let seconds = text[..digits].parse::<f64>().unwrap_or(f64::NAN) * unit;
        let time = Duration::try_from_secs_f64(seconds).map(Time);
        time.map_err(|_| format!("'{text}' is not a time; write one like 90s, 500ms, 5m or 2h"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_read_as_people_write_them() {
        let size = |text: &str| text.parse::<Bytes>().map(|bytes| bytes.0);
        assert_eq!(size("4G"), Ok(4 << 30));
        assert_eq!(size("64KiB"), Ok(64 << 10));
        assert_eq!(size("12"), Ok(12));
        for bad in ["", "G", "4X", "-1", "0", "99999999999T"] {
            assert!(size(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn times_read_as_people_write_them() {
        assert_eq!("1.5m".parse(), Ok(Time(Duration::from_secs(90))));
        assert_eq!("500ms".parse(), Ok(Time(Duration::from_millis(500))));
        for bad in ["", "s", "4x", "-1s", "1e400s", "nan"] {
            assert!(bad.parse::<Time>().is_err(), "{bad}");
        }
    }
}
