//! Numbers as people read them.

/// A count with every digit, as in `1,234,567`: for results, which are compared.
pub fn exact(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::with_capacity(digits.len() * 4 / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// A count for a glance: exact below ten thousand, then with a unit, as in `1.2 M`.
pub fn count(n: u64) -> String {
    if n < 10_000 { n.to_string() } else { scaled(n as f64, &["", " k", " M", " G", " T", " P", " E"]) }
}

/// A number of bytes in decimal units, as in `3.4 GB`.
pub fn bytes(n: u64) -> String {
    if n < 1000 {
        format!("{n} B")
    } else {
        scaled(n as f64, &[" B", " kB", " MB", " GB", " TB", " PB", " EB"])
    }
}

/// So many a second, as in `1.2 M states/s`; nothing if that cannot be said.
pub fn rate(n: u64, noun: &str, seconds: f64) -> Option<String> {
    let rate = n as f64 / seconds;
    (rate.is_finite() && rate >= 0.0).then(|| format!("{} {noun}/s", count(rate.round() as u64)))
}

/// A time, as in `0.03 s`, `12.3 s`, `1m 02s`, `3h 04m` or `5d 06h`; `-` if it is none.
pub fn duration(seconds: f64) -> String {
    if !seconds.is_finite() || seconds < 0.0 {
        return "-".into();
    }
    let whole = seconds.round() as u64;
    let (minutes, hours) = (whole / 60, whole / 3600);
    if seconds < 9.995 {
        format!("{seconds:.2} s")
    } else if seconds < 59.95 {
        format!("{seconds:.1} s")
    } else if whole < 3600 {
        format!("{minutes}m {:02}s", whole % 60)
    } else if whole < 86_400 {
        format!("{hours}h {:02}m", minutes % 60)
    } else {
        format!("{}d {:02}h", hours / 24, hours % 24)
    }
}

/// An exact count with its noun, in the plural unless it is one.
pub fn plural(n: u64, noun: &str) -> String {
    let s = if n == 1 {
        ""
    } else if noun.ends_with("ch") {
        "es"
    } else {
        "s"
    };
    format!("{} {noun}{s}", exact(n))
}

/// Three digits or so and the unit, each a thousand times the one before.
fn scaled(mut n: f64, units: &[&str]) -> String {
    let mut unit = 0;
    // From 999.5 on the number would be rounded to four digits.
    while n >= 999.5 && unit + 1 < units.len() {
        n /= 1000.0;
        unit += 1;
    }
    let digits = usize::from(n < 99.95);
    format!("{n:.digits$}{}", units[unit])
}

/// The message of a finding in one sentence: of each stack that it shows, where it begins.
pub fn sentence(message: &str) -> String {
    let mut text = String::new();
    let mut in_stack = false;
    for line in message.lines() {
        let indented = line.starts_with(' ');
        match (indented, in_stack) {
            (true, true) => continue,
            (true, false) => text.push(' '),
            (false, _) if text.is_empty() => {}
            (false, _) => text.push_str(", "),
        }
        text.push_str(line.trim());
        in_stack = indented;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_keep_two_or_three_digits() {
        let shown = [0, 9_999, 10_000, 99_960, 999_600, 1_234_567, 12_345_678_901, u64::MAX].map(count);
        assert_eq!(shown, ["0", "9999", "10.0 k", "100 k", "1.0 M", "1.2 M", "12.3 G", "18.4 E"]);
    }

    #[test]
    fn bytes_are_decimal() {
        assert_eq!([0, 999, 1000, 3_400_000_000].map(bytes), ["0 B", "999 B", "1.0 kB", "3.4 GB"]);
    }

    #[test]
    fn times_are_written_with_the_two_units_that_matter() {
        let shown = [0.034, 9.999, 12.34, 59.96, 62.0, 3599.9, 11_040.0, 453_600.0].map(duration);
        assert_eq!(shown, ["0.03 s", "10.0 s", "12.3 s", "1m 00s", "1m 02s", "1h 00m", "3h 04m", "5d 06h"]);
        assert_eq!([f64::NAN, f64::INFINITY, -1.0].map(duration), ["-", "-", "-"]);
        assert_eq!(duration(f64::MAX).chars().last(), Some('h'));
    }

    #[test]
    fn rates_of_no_time_are_not_made_up() {
        assert_eq!(rate(1_000_000, "states", 2.0).as_deref(), Some("500 k states/s"));
        assert_eq!(
            (rate(5, "states", 0.0), rate(0, "states", 0.0), rate(1, "states", -1.0)),
            (None, None, None)
        );
    }

    #[test]
    fn results_keep_every_digit() {
        let shown = [0, 999, 1000, 1_234_567, u64::MAX].map(exact);
        assert_eq!(shown, ["0", "999", "1,000", "1,234,567", "18,446,744,073,709,551,615"]);
    }

    #[test]
    fn nouns_agree_with_their_numbers() {
        assert_eq!(
            [plural(1, "step"), plural(0, "step"), plural(2, "context switch")],
            ["1 step", "0 steps", "2 context switches"]
        );
    }

    #[test]
    fn a_warning_is_one_sentence() {
        let message = "a data race on A.b\n\"x\" is about to read it\n    at A.c(A.java:1)\n    at A.d(A.java:2)\n\"y\" is \
                       about to write it\n    at A.e(A.java:3)";
        let text = "a data race on A.b, \"x\" is about to read it at A.c(A.java:1), \"y\" is about to write it at \
                    A.e(A.java:3)";
        assert_eq!(sentence(message), text);
    }
}
