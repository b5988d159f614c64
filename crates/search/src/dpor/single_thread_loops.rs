//! Whether a thread that was left where it is would go round for ever.
//!
//! Where an execution ends because all that could move have gone round, and that is a single thread, it either comes to do something
//! else when it goes on, which is explored elsewhere, or does the same for ever. The program itself says so when it has seen
//! it: then nobody can get on any more, and that is a finding.

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
