//! Whether a single thread that repeats itself does so for ever.
//!
//! An execution can end because every thread that could move has come back to an earlier state. If that is a single thread, there are
//! two cases. Either it does something else when it continues, which is explored elsewhere, or it repeats the same steps for ever. The
//! program reports the second case when it has seen it: no thread can ever make progress then, and that is a finding.

use sojourner_program::{Choice, Detail, Fault, Finding, Program, Schedule, Step};
use std::collections::HashSet;

/// The longest round, in steps.
const LONGEST: usize = 4096;

/// Lets the only thread that can move go on for a while. Returns what the program finds, with the steps that lead there. The program
/// stands where it stood.
pub(crate) fn go_on_alone<P: Program>(program: &mut P) -> Result<Option<(Finding, Schedule)>, Fault> {
    let depth = program.depth();
    let found = rounds(program);
    program.rewind(depth)?;
    found
}

fn rounds<P: Program>(program: &mut P) -> Result<Option<(Finding, Schedule)>, Fault> {
    let mut taken = Schedule::new();
    let mut step = Step::new(Detail::Footprint);
    let mut choices: Vec<Choice> = Vec::new();
    let (mut state, mut seen) = (0_u64, HashSet::from([0]));
    while taken.len() < LONGEST {
        choices.clear();
        program.choices(&mut choices);
        let &[choice] = &choices[..] else { return Ok(None) };
        if taken.first().is_some_and(|first| first.thread != choice.thread) {
            return Ok(None);
        }
        program.step(choice, &mut step)?;
        if step.finding.is_some() {
            return Ok(None);
        }
        taken.push(choice);
        if let Some(finding) = program.judge(false) {
            return Ok(Some((finding, taken)));
        }
        let Some(change) = step.change else { return Ok(None) };
        state = state.wrapping_add(change);
        if !seen.insert(state) {
            return Ok(None);
        }
    }
    Ok(None)
}
