//! The processes that run the program, as far as budgets are about them.
//!
//! A search ends a step by ending the process that takes it, and its memory is that of all processes together.

use sojourner_program::{Cancel, ProcessMemory};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// The processes of a subject.
#[derive(Debug, Default)]
pub struct Processes {
    running: Arc<Mutex<Vec<u32>>>,
    cancel: Mutex<Cancel>,
}

impl Processes {
    /// Those of a search that is stopped by itself. Their memory counts together.
    pub fn twin(&self) -> Processes {
        Processes { running: Arc::clone(&self.running), cancel: Mutex::new(self.cancel()) }
    }

    /// From now on workers that are started heed `cancel`.
    pub fn heed(&self, cancel: &Cancel) {
        *self.cancel.lock().expect("no holder panics") = cancel.clone();
    }

    /// What a worker that is started now has to heed.
    pub fn cancel(&self) -> Cancel {
        self.cancel.lock().expect("no holder panics").clone()
    }

    /// A process has been started.
    pub fn started(&self, process: u32) {
        self.running.lock().expect("no holder panics").push(process);
    }

    /// A process is about to be waited for: afterwards its number may be another one's.
    pub fn ends(&self, process: u32) {
        self.running.lock().expect("no holder panics").retain(|&running| running != process);
    }

    /// The resident memory of all of them, each with the processes that it has forked.
    pub fn memory(&self) -> ProcessMemory {
        let running = self.running.lock().expect("no holder panics");
        let each =
            running.iter().map(|&process| resident(process) + forked(process).map(resident).sum::<u64>());
        each.fold(ProcessMemory::default(), |sum, bytes| ProcessMemory {
            total: sum.total + bytes,
            largest: sum.largest.max(bytes),
        })
    }
}

/// What a process and those that it has forked have done so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Activity {
    /// The processor time of all of them.
    pub time: Duration,
    /// Whether each of them sleeps, is stopped or has ended: none waits for a processor or a disk.
    pub sleeps: bool,
}

impl Activity {
    /// Of that process.
    pub fn of(process: u32) -> Activity {
        let all = std::iter::once(process).chain(forked(process)).filter_map(status);
        all.fold(Activity { time: Duration::ZERO, sleeps: true }, |sum, (state, time)| Activity {
            time: sum.time + time,
            sleeps: sum.sleeps && matches!(state, 'S' | 'T' | 't' | 'Z'),
        })
    }
}

/// The state of a process, as `ps` names it, and its processor time.
fn status(process: u32) -> Option<(char, Duration)> {
    /// The kernel counts in hundredths of a second, whatever it does within.
    const TICK: Duration = Duration::from_millis(10);
    let text = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name of the program may contain anything, and stands in parentheses.
    let mut fields = text.rsplit_once(") ")?.1.split(' ');
    let state = fields.next()?.chars().next()?;
    let ticks: u32 = fields.skip(10).take(2).filter_map(|field| field.parse::<u32>().ok()).sum();
    Some((state, TICK * ticks))
}

/// The resident memory of a process; 0 if it has ended.
fn resident(process: u32) -> u64 {
    let pages = std::fs::read_to_string(format!("/proc/{process}/statm"))
        .ok()
        .and_then(|text| text.split_whitespace().nth(1)?.parse::<u64>().ok());
    pages.unwrap_or(0) * 4096
}

/// The processes that the first thread of a process has forked.
fn forked(process: u32) -> impl Iterator<Item = u32> {
    let children = std::fs::read_to_string(format!("/proc/{process}/task/{process}/children"));
    let children: Vec<u32> =
        children.unwrap_or_default().split_whitespace().filter_map(|number| number.parse().ok()).collect();
    children.into_iter()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::{Command, Stdio};

    #[test]
    fn activity_tells_computing_from_sleeping() {
        let run = |script: &str| Command::new("sh").args(["-c", script]).spawn().expect("there is a shell");
        let (mut computing, mut sleeping) = (run("while :; do :; done"), run("exec sleep 60"));
        let time = Duration::from_millis(50);
        while Activity::of(computing.id()).time < time || !Activity::of(sleeping.id()).sleeps {
            std::thread::sleep(Duration::from_millis(5));
        }
        assert!(!Activity::of(computing.id()).sleeps);
        assert!(Activity::of(sleeping.id()).time < time);
        for process in [&mut computing, &mut sleeping] {
            process.kill().expect("it runs");
            process.wait().expect("it was started here");
        }
    }

    #[test]
    fn memory_counts_running_processes_and_their_children() {
        let processes = Processes::default();
        assert_eq!(processes.memory(), ProcessMemory::default());
        let mut shell = Command::new("sh")
            .args(["-c", "sleep 60 & echo; wait"])
            .stdout(Stdio::piped())
            .spawn()
            .expect("there is a shell");
        // It says something when it has forked.
        let mut said = [0];
        let stdout = shell.stdout.as_mut().expect("it is a pipe");
        std::io::Read::read_exact(stdout, &mut said).expect("it says something");
        processes.started(shell.id());
        let child = forked(shell.id()).next().expect("it has a child");
        let alone = resident(shell.id());
        assert!(alone > 0);
        let memory = processes.memory();
        assert!(memory.total > alone && memory.largest == memory.total);
        processes.ends(shell.id());
        assert_eq!(processes.memory(), ProcessMemory::default());
        shell.kill().expect("it runs");
        shell.wait().expect("it was started here");
        Command::new("kill").arg(child.to_string()).status().expect("there is such a command");
    }
}
