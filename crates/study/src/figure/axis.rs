//! From numbers to places on a drawing, and where ticks stand.

use crate::table::grouped;

/// An axis: a range of numbers, and the places of its ends.
#[derive(Clone, Debug)]
pub struct Axis {
    low: f64,
    high: f64,
    from: f64,
    to: f64,
    log: bool,
}

impl Axis {
    /// An even axis.
    pub fn even(low: f64, high: f64) -> Axis {
        let high = if high > low { high } else { low + 1.0 };
        Axis { low, high, from: 0.0, to: 1.0, log: false }
    }

    /// A logarithmic axis over whole powers of ten, or over less if all lies within one.
    pub fn log(low: f64, high: f64) -> Axis {
        let (low, high) = (low.max(1e-9), high.max(1e-9));
        let (mut from, mut to) = (10_f64.powf(low.log10().floor()), 10_f64.powf(high.log10().ceil()));
        // Round steps within a power of ten waste less room.
        for step in [2.0, 5.0] {
            if from * step <= low {
                from *= if from * 5.0 <= low { 5.0 } else { step };
            }
            if to / step >= high {
                to /= if to / 5.0 >= high { 5.0 } else { step };
            }
        }
        if to <= from {
            to = from * 10.0;
        }
        Axis { low: from, high: to, from: 0.0, to: 1.0, log: true }
    }

    /// The same between two places.
    pub fn between(self, from: f64, to: f64) -> Axis {
        Axis { from, to, ..self }
    }

    /// The place of a number. Numbers outside stand at the ends.
    pub fn at(&self, number: f64) -> f64 {
        let part = match self.log {
            true => (number.max(self.low) / self.low).log10() / (self.high / self.low).log10(),
            false => (number - self.low) / (self.high - self.low),
        };
        self.from + part.clamp(0.0, 1.0) * (self.to - self.from)
    }

    /// The ends.
    pub fn ends(&self) -> (f64, f64) {
        (self.low, self.high)
    }

    /// The numbers that divide the axis into `n` parts of equal width.
    pub fn divided(&self, n: usize) -> Vec<f64> {
        let part = |i: usize| i as f64 / n as f64;
        let number = |i| match self.log {
            true => self.low * (self.high / self.low).powf(part(i)),
            false => self.low + (self.high - self.low) * part(i),
        };
        (0..=n).map(number).collect()
    }

    /// Numbers for ticks, with their labels.
    pub fn ticks(&self) -> Vec<(f64, String)> {
        let numbers = if self.log { self.log_ticks() } else { self.even_ticks() };
        numbers.into_iter().map(|number| (number, label(number))).collect()
    }

    fn log_ticks(&self) -> Vec<f64> {
        let powers = (self.high / self.low).log10();
        let steps: &[f64] = if powers <= 2.5 { &[1.0, 2.0, 5.0] } else { &[1.0] };
        let first = self.low.log10().floor() as i32;
        let last = self.high.log10().ceil() as i32;
        let all = (first..=last).flat_map(|power| steps.iter().map(move |step| step * 10_f64.powi(power)));
        all.filter(|number| *number >= self.low * 0.999 && *number <= self.high * 1.001).collect()
    }

    fn even_ticks(&self) -> Vec<f64> {
        let rough = (self.high - self.low) / 5.0;
        let power = 10_f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0]
            .into_iter()
            .map(|step| step * power)
            .find(|step| *step >= rough)
            .unwrap_or(rough);
        let first = (self.low / step).ceil() as i64;
        let last = (self.high / step + 1e-9).floor() as i64;
        (first..=last).map(|i| i as f64 * step).collect()
    }
}

/// A number for a tick, with a letter for thousands and millions.
pub fn label(number: f64) -> String {
    let short = |number: f64, unit: &str| {
        let text = format!("{number:.2}");
        let text = text.trim_end_matches('0').trim_end_matches('.');
        format!("{}{unit}", grouped(text))
    };
    match number.abs() {
        n if n >= 1e9 => short(number / 1e9, "G"),
        n if n >= 1e6 => short(number / 1e6, "M"),
        n if n >= 1e4 => short(number / 1e3, "k"),
        n if n >= 0.01 || n == 0.0 => short(number, ""),
        _ => format!("{number:.0e}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn log_axis_covers_its_numbers_with_round_ends() {
        assert_eq!(Axis::log(30.0, 7000.0).ends(), (20.0, 10_000.0));
        assert_eq!(Axis::log(60.0, 170.0).ends(), (50.0, 200.0));
        let (low, high) = Axis::log(5.0, 5.0).ends();
        assert!(low <= 5.0 && high >= 5.0 && low < high);
    }

    #[test]
    fn places_lie_between_the_ends() {
        let axis = Axis::log(1.0, 100.0).between(0.0, 200.0);
        assert_eq!((axis.at(1.0), axis.at(10.0), axis.at(1000.0)), (0.0, 100.0, 200.0));
        let axis = Axis::even(0.0, 10.0).between(100.0, 0.0);
        assert_eq!((axis.at(0.0), axis.at(5.0), axis.at(-5.0)), (100.0, 50.0, 100.0));
    }

    #[test]
    fn ticks_are_round() {
        let labels =
            |axis: Axis| axis.ticks().into_iter().map(|(_, label)| label).collect::<Vec<_>>().join(" ");
        assert_eq!(labels(Axis::even(0.0, 1.0)), "0 0.2 0.4 0.6 0.8 1");
        assert_eq!(labels(Axis::log(1.0, 1e6)), "1 10 100 1,000 10k 100k 1M");
        assert_eq!(labels(Axis::log(50.0, 200.0)), "50 100 200");
    }
}
