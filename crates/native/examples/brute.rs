use sojourner_native::*;
use sojourner_program::*;
use std::path::PathBuf;
fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let (src, flags): (Vec<_>, Vec<_>) = args.iter().cloned().partition(|a| !a.starts_with('-'));
    let src: Vec<PathBuf> = src.into_iter().map(PathBuf::from).collect();
    let compiled = compile(&src, &flags, &Toolchain::default()).unwrap_or_else(|e| match e { CompileError::DoesNotCompile{message} => panic!("{message}"), e => panic!("{e}")});
    let subject = Subject::new(&compiled.executable, vec![], Exploration::default());
    if std::env::var_os("KEEP").is_some() { std::mem::forget(compiled); }
    let mut p = subject.open().unwrap();
    let begin = std::time::Instant::now();
    let mut step = Step::new(if std::env::var_os("WORDS").is_some() { Detail::Words } else { Detail::Footprint });
    let mut stack: Vec<(Vec<Choice>, usize)> = vec![];
    let mut n = 0u64; let mut found = std::collections::BTreeMap::new();
    let limit: u64 = std::env::var("LIMIT").ok().and_then(|x| x.parse().ok()).unwrap_or(100000);
    let mut deepest = 0;
    let words = std::env::var_os("WORDS").is_some();
    'all: loop {
        // forward
        loop {
            let mut choices = vec![]; p.choices(&mut choices);
            let f = p.judge(choices.is_empty());
            let dead = choices.is_empty();
            if let Some(f) = &f { *found.entry(format!("{}: {}", f.kind, f.message)).or_insert(0) += 1; }
            if dead { break; }
            stack.push((choices.clone(), 0));
            p.step(choices[0], &mut step).unwrap();
            if words && n == 0 { println!("{:?} {} {:?} {:?}", choices[0], step.words, step.location.as_ref().map(|l| l.to_string()), step.footprint); }
            if let Some(f) = step.finding.take() { *found.entry(format!("{}: {}", f.kind, f.message)).or_insert(0) += 1; break; }
        }
        deepest = deepest.max(p.depth());
        n += 1; if n >= limit { break; }
        loop {
            let Some((choices, at)) = stack.last_mut() else { break 'all };
            *at += 1;
            if *at < choices.len() {
                let c = choices[*at]; let d = stack.len() - 1;
                p.rewind(d).unwrap(); p.step(c, &mut step).unwrap();
                if let Some(f) = step.finding.take() { *found.entry(format!("{}: {}", f.kind, f.message)).or_insert(0) += 1; n += 1; continue; }
                break;
            }
            stack.pop();
        }
    }
    let s = begin.elapsed().as_secs_f64();
    println!("{n} executions, {:.0}/s, depth {deepest}", n as f64 / s);
    for (f, n) in found { println!("{n} x {f}"); }
    for w in subject.warnings() { println!("warning: {}", w.message); }
}
