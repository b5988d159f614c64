//! How far a worker runs ahead of the search.

/// How far the worker goes by itself when it is asked for a step.
///
/// What it runs ahead is for nothing if the search then takes another choice, and the execution must begin again; if it
/// waits, every step is a hand-over. Searches that sample take other choices nearly always, reductions only for a few steps
/// behind the one that they reverse. So what followed the last times is taken for what will follow.
pub(crate) struct Ahead {
    pub steps: u32,
    /// Confidence, up to 3, that the default choice follows: behind a choice that was not the default one, and behind one
    /// that was.
    confidence: [u8; 2],
    /// What was asked for last, if no step has followed.
    pub asked: Option<bool>,
    /// How often of late the first thread went on, and the one that moved last.
    pub first: u32,
    pub same: u32,
}

impl Ahead {
    pub const LEAST: u32 = 64;
    pub const MOST: u32 = 1 << 16;

    pub fn new() -> Ahead {
        Ahead { steps: 256, confidence: [2; 2], asked: None, first: 0, same: 0 }
    }

    /// Takes note of whether the search takes the default choice.
    pub fn note(&mut self, is_default: bool) {
        if let Some(behind) = self.asked.take() {
            let confidence = &mut self.confidence[usize::from(behind)];
            *confidence = if is_default { (*confidence + 1).min(3) } else { confidence.saturating_sub(1) };
        }
    }

    /// The steps to go ahead behind a choice.
    pub fn behind(&mut self, is_default: bool) -> u32 {
        self.asked = Some(is_default);
        if self.confidence[usize::from(is_default)] >= 2 { self.steps } else { 0 }
    }
}
