//! An execution as searches see it.

use crate::execution::Execution;
use crate::exploration::{Leaks, Reduction, RevisitDetection};
use sojourner_native_rt::protocol::{Ending, Op};
use sojourner_program::{
    Choice, Detail, Fault, Finding, ObjectId, Program, Promises, Reducible, Schedule, Step, Target, Thread,
    ThreadId, Usage,
};
use std::sync::atomic::Ordering::Relaxed;

impl Execution {
    /// Takes a step, and fills in what is told of it, but for what only a search by states asks for.
    fn step_there(&mut self, choice: Choice, step: &mut Step) -> Result<(), Fault> {
        step.clear();
        let at = self.at();
        if step.detail >= Detail::Words {
            let mut offered = Vec::new();
            self.find_choices(&mut offered);
            if !offered.contains(&choice) && self.exit_choice() != Some(choice) {
                let why = format!("choice {choice:?} is not offered; offered are {offered:?}");
                return Err(Fault::Diverged { step: at - self.base, choice, why });
            }
        }
        self.take(choice)?;
        if self.outlasts && !self.follows {
            return Err(self.isolate("the program had done what outlasts an execution"));
        }
        if step.detail >= Detail::Footprint {
            let number = self.worker.region.taken(at).thread as usize;
            let state = self.worker.region.state(at);
            if let Some(pending) = state.pending(number) {
                let before = state.threads();
                step.footprint = self.footprint(number, &pending, choice.value());
                step.leaves = pending.op == Op::Exit as u8;
                if at + 1 < self.rows {
                    let after = self.worker.region.state(at + 1);
                    step.change = self.worker.region.state(at).change_to(&after);
                    step.created.extend(self.threads.get(before..after.threads()).unwrap_or_default());
                }
                if step.detail >= Detail::Words {
                    step.words = match step.created.first() {
                        Some(&created) => format!("starts {}", self.call(created)),
                        None => match choice.value().and_then(|value| self.first_to_end(at, value)) {
                            Some(first) if step.leaves => {
                                format!("lets {} end the program first", self.call(first))
                            }
                            _ => self.words(&pending),
                        },
                    };
                    step.location = self.shared.symbols.location(pending.place);
                    step.timeout = self.timeout(at, number, step.location.clone());
                }
            }
        }
        if at + 1 == self.rows && !self.is_unguarded_race() {
            match self.ending {
                Ending::Failed => step.finding = Some(self.failure()),
                // What was refused is supported now that it is known.
                Ending::Refused if self.met && !self.follows => {}
                Ending::Refused => {
                    self.schedule.pop();
                    return Err(self.refusal());
                }
                _ => {}
            }
        }
        if self.met && !self.follows && step.finding.is_none() {
            let mut new = self.worker.region.shared_words();
            new.retain(|word| !self.stacks.contains(word));
            self.shared.assumptions.add(&new);
            self.shared.section_touches.add(&self.worker.region.section_touches());
            let why = "what lies on a stack had been taken for its thread's own".to_string();
            return Err(Fault::Again { why });
        }
        if self.reduced && step.finding.is_none() {
            let header = self.worker.region.header();
            let revisits =
                self.reduction.revisits != RevisitDetection::BySearch && header.revisits.get() != 0;
            if header.sectioned.get() != 0 && !self.sections {
                self.shared.sections.store(true, Relaxed);
                let why = "threads had been taken to enter no atomic sections".to_string();
                return Err(Fault::Again { why });
            }
            if header.waited.get() != 0 && !self.waits {
                return Err(Fault::Again { why: "time had been taken never to pass last".into() });
            }
            if revisits {
                return Err(Fault::Again { why: "threads had been taken not to go round together".into() });
            }
        }
        if self.overflows && step.finding.is_none() {
            return Err(Fault::Again { why: "it creates more threads than can be followed".into() });
        }
        if self.cut && !self.follows && step.finding.is_none() {
            let why = "two parts of an object had been taken for one".to_string();
            return Err(Fault::Again { why });
        }
        let ended = self.ending == Ending::Exited && self.at() + 1 == self.rows;
        if ended && !self.has_chosen() {
            step.exit_status = Some(self.worker.region.header().status.get() as i32);
        }
        self.tell_of_races(step);
        Ok(())
    }
}

impl Program for Execution {
    type Place = Schedule;

    fn choices(&mut self, out: &mut Vec<Choice>) {
        if !(self.goes_round_alone() && self.ignores_endless()) {
            self.find_choices(out);
        }
    }

    fn judge(&mut self, stuck: bool) -> Option<Finding> {
        if self.failed_here() {
            return Some(self.failure());
        }
        if let Some(cycle) = self.cycle_here(false).filter(|_| !stuck) {
            return Some(self.partial_deadlock(&cycle));
        }
        if self.goes_round_alone() {
            return self.standstill();
        }
        if !stuck || self.at() + 1 != self.rows {
            return None;
        }
        match self.ending {
            Ending::Exited => {
                let status = self.worker.region.header().status.get();
                if let Some(panic) = self.fatal_panic(status) {
                    return Some(panic);
                }
                if self.shared.exploration.exit && status != 0 {
                    return Some(Finding::exit(status as i32));
                }
                if self.shared.exploration.leaks == Leaks::Fail { self.leak() } else { None }
            }
            Ending::Stuck if self.is_given_up() => {
                self.cycle_here(true).map(|cycle| self.partial_deadlock(&cycle))
            }
            Ending::Stuck => self.standstill(),
            _ => None,
        }
    }

    fn step(&mut self, choice: Choice, step: &mut Step) -> Result<(), Fault> {
        self.step_there(choice, step)?;
        if self.reduction.states && !self.follows {
            self.look_at_state(step)?;
        }
        Ok(())
    }

    fn depth(&self) -> usize {
        self.schedule.len() - self.base
    }

    fn rewind(&mut self, depth: usize) -> Result<(), Fault> {
        if self.base + depth < self.schedule.len() {
            self.schedule.truncate(self.base + depth);
            self.ahead.asked = None;
        }
        Ok(())
    }

    fn here(&mut self) -> Schedule {
        self.schedule.clone()
    }

    fn go(&mut self, place: &Schedule) -> Result<(), Fault> {
        let common = self.schedule.iter().zip(place).take_while(|(a, b)| a == b).count();
        self.schedule.truncate(common);
        self.ahead.asked = None;
        // What there is to say of the states on the way was said when the search first came to them.
        let mut step = Step::new(Detail::Outcome);
        self.expect(&place[common..]);
        for &choice in &place[common..] {
            self.step_there(choice, &mut step)?;
        }
        self.base = self.schedule.len();
        Ok(())
    }

    fn usage(&self) -> Usage {
        Usage { path: (self.schedule.capacity() * size_of::<Choice>()) as u64, ..Usage::default() }
    }

    fn place_bytes(&self, place: &Schedule) -> usize {
        place.capacity() * size_of::<Choice>()
    }

    fn threads(&mut self, out: &mut Vec<Thread>) {
        for (number, pending) in self.last_pending().into_iter().enumerate() {
            let Some(id) = self.thread_id(number as u32) else { break };
            let status = self.status(&pending);
            let lacks = self.lacks(&pending);
            let pending = self.footprint(number, &pending, None);
            out.push(Thread { id, status, pending, lacks });
        }
    }

    fn distance(&mut self, _: Target) -> Option<u32> {
        self.nearest_distance()
    }

    fn full_schedule(&self, schedule: Schedule) -> Schedule {
        let mut full = Schedule::new();
        for (depth, choice) in schedule.into_iter().enumerate() {
            full.push(choice);
            full.extend((0..self.inside_step(depth)).map(|_| Choice::run(choice.thread)));
        }
        full
    }

    fn name(&self, thread: ThreadId) -> String {
        self.call(thread)
    }

    fn object_name(&self, object: ObjectId) -> String {
        self.name_object(object)
    }

    fn describe(&mut self) -> String {
        let mut text = String::from("threads:\n");
        text.push_str(&self.describe_threads());
        let output = self.worker.output();
        if !output.is_empty() {
            text.push_str("output:\n");
            for line in output.lines() {
                text.push_str(&format!("  {line}\n"));
            }
        }
        text
    }
}

impl Reducible for Execution {
    fn prepare_reduction(&mut self, after_findings: bool) -> Result<Promises, Fault> {
        self.reduced = true;
        let cuts = self.shared.cuts.load(Relaxed);
        // Where threads that repeat themselves are not left alone, only the numbers of states tell which threads need not go on.
        let revisits = if self.shared.revisits.load(Relaxed) || !cuts {
            RevisitDetection::BySearch
        } else {
            RevisitDetection::FourthReturn
        };
        // Behind a finding others may notice what its step did first.
        self.reduction =
            Reduction { cuts, guards: !after_findings, sections: !after_findings, revisits, states: false };
        // Threads that look in vain, as they did in the first execution, a reduction leaves there.
        self.begin()?;
        if self.worker.region.header().sectioned.get() != 0 {
            self.shared.sections.store(true, Relaxed);
        }
        self.sections = self.shared.sections.load(Relaxed);
        self.waits = self.shared.waited.load(Relaxed);
        Ok(Promises { exact_footprints: !self.waits, judges_ends_only: true })
    }

    fn expect(&mut self, choices: &[Choice]) {
        let (from, expected) = &mut self.expected;
        *from = self.schedule.len();
        expected.clear();
        expected.extend_from_slice(choices);
    }

    fn is_cut(&mut self) -> bool {
        self.ending == Ending::Stuck && self.at() + 1 == self.rows && self.is_given_up()
    }

    fn exit_choice(&mut self) -> Option<Choice> {
        let leaver = self.here_pending().position(|entry| entry.op == Op::Exit as u8)?;
        self.thread_id(leaver as u32).map(Choice::run)
    }

    fn retract(&mut self) -> Option<Fault> {
        self.reduction.cuts.then(|| {
            self.shared.cuts.store(false, Relaxed);
            Fault::Again { why: "threads had been taken to repeat themselves".into() }
        })
    }
}
