//! Checks programs by name, as a study or a coordinator would: front-ends, options as words, a result.
//!
//! ```text
//! cargo run -p sojourner-check --example check_by_name -- model:phil --search dfs
//! ```

#![allow(clippy::print_stdout, reason = "an example shows its result")]

use sojourner_check::{Check, Halt, OPTIONS, Options};
use sojourner_frontend::{FrontEnds, Given, Request};
use sojourner_java::front_end::Java;
use sojourner_models::Models;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let front_ends = (Models, Java);
    let mut words = std::env::args().skip(1);
    let target = words.next().unwrap_or("model:phil".into());
    let words: Vec<String> = words.collect();

    // The tables say which options there are: those of a check, and those of the programs.
    let (how, _) = Given::read(OPTIONS.iter().map(|(_, table)| table), &words)?;
    let (of_program, _) = Given::read(&front_ends.options(), &[])?;

    let check = Check::new(Options::of(&how))?;
    let result = check.open(&front_ends, &Request::new(&target, &of_program), &(), &Halt::new())?;
    print!("{}", sojourner_report::text(&result, sojourner_report::Style { color: false, width: 100 }));
    Ok(())
}
