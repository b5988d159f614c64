//! One measurement: a search in a process of its own.

use crate::case::Case;
use crate::explorer::Explorer;
use anyhow::{Context, bail, ensure};
use rustix::process::{Resource, Rlimit, setrlimit};
use rustix::time::{ClockId, clock_gettime};
use std::fmt;
use std::io::Read;
use std::process::{Child, Command, Stdio};
use std::str::FromStr;
use std::time::{Duration, Instant};

/// What a search may use.
#[derive(Clone, Copy)]
pub struct Limits {
    pub time: Duration,
    pub gigabytes: u64,
}

/// How a measurement ended.
#[derive(Clone, Copy, Debug)]
pub enum Run {
    Done(Measured),
    /// It was refused memory.
    OutOfMemory(Limit),
    /// It was ended because it took too long.
    OutOfTime(Limit),
}

/// The limit that ended a search, in gigabytes or in seconds.
pub type Limit = u64;

/// What a search counted and took.
#[derive(Clone, Copy, Debug)]
pub struct Measured {
    pub states: u64,
    pub transitions: u64,
    /// Processor time of all threads, in seconds.
    pub cpu: f64,
    /// Seconds from the start of the search to its end.
    pub wall: f64,
    /// The most memory that was resident, in bytes.
    pub peak: u64,
    /// The memory of its store, in bytes; 0 where it does not tell.
    pub store: u64,
}

/// Searches in this process, which should have done nothing else: its processor time and peak memory are taken.
pub fn here(explorer: Explorer, case: &Case, gigabytes: u64) -> anyhow::Result<Measured> {
    let bytes = Some(gigabytes << 30);
    setrlimit(Resource::As, Rlimit { current: bytes, maximum: bytes })?;
    let start = Instant::now();
    let counted = explorer.search(case)?;
    let wall = start.elapsed().as_secs_f64();
    // Unlike the clocks of threads, this one includes threads that have ended.
    let cpu = clock_gettime(ClockId::ProcessCPUTime);
    Ok(Measured {
        states: counted.states,
        transitions: counted.transitions,
        cpu: cpu.tv_sec as f64 + cpu.tv_nsec as f64 * 1e-9,
        wall,
        peak: peak_memory()?,
        store: counted.store,
    })
}

fn peak_memory() -> anyhow::Result<u64> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.trim().strip_suffix(" kB")).context("no VmHWM")?;
    Ok(kilobytes.parse::<u64>()? * 1024)
}

/// Searches in a process of its own. Fails if it counts anything but what the case says.
pub fn apart(explorer: Explorer, case: &Case, limits: Limits) -> anyhow::Result<Run> {
    let name = format!("{} {explorer}", case.name);
    let mut child = Command::new(std::env::current_exe()?)
        .args(["--gigabytes", &limits.gigabytes.to_string(), "run", &explorer.to_string(), case.name])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    if !ends_within(&mut child, limits.time)? {
        child.kill()?;
        child.wait()?;
        return Ok(Run::OutOfTime(limits.time.as_secs()));
    }
    let (mut output, mut errors) = (String::new(), String::new());
    child.stdout.take().context("its output is piped")?.read_to_string(&mut output)?;
    child.stderr.take().context("its errors are piped")?.read_to_string(&mut errors)?;
    if !child.wait()?.success() {
        // What the standard library says before it aborts.
        if errors.contains("memory allocation of") {
            return Ok(Run::OutOfMemory(limits.gigabytes));
        }
        bail!("{name} failed: {errors}");
    }
    let measured: Measured = output.parse().with_context(|| format!("{name} printed '{output}'"))?;
    ensure!(
        (measured.states, measured.transitions) == (case.states, case.transitions),
        "{name} counted {} states and {} transitions, and there are {} and {}",
        measured.states,
        measured.transitions,
        case.states,
        case.transitions
    );
    Ok(Run::Done(measured))
}

fn ends_within(child: &mut Child, time: Duration) -> std::io::Result<bool> {
    let start = Instant::now();
    while child.try_wait()?.is_none() {
        if start.elapsed() > time {
            return Ok(false);
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    Ok(true)
}

impl Run {
    pub fn done(&self) -> Option<&Measured> {
        match self {
            Run::Done(measured) => Some(measured),
            Run::OutOfMemory(_) | Run::OutOfTime(_) => None,
        }
    }

    /// The figure of a search that ended, or why there is none.
    pub fn show(&self, figure: impl FnOnce(&Measured) -> String) -> String {
        match self {
            Run::Done(measured) => figure(measured),
            Run::OutOfMemory(gigabytes) => format!("over {gigabytes} GB"),
            Run::OutOfTime(seconds) => format!("over {seconds} s"),
        }
    }
}

impl fmt::Display for Run {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.show(|measured| {
            let Measured { cpu, wall, peak, .. } = measured;
            format!("{cpu:.3} s, {wall:.3} s by the clock, {} MB", peak / 1_000_000)
        }))
    }
}

/// As a process hands it over to the one that started it.
impl fmt::Display for Measured {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Measured { states, transitions, cpu, wall, peak, store } = self;
        write!(f, "{states} {transitions} {cpu:.6} {wall:.6} {peak} {store}")
    }
}

impl FromStr for Measured {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> anyhow::Result<Self> {
        let [states, transitions, cpu, wall, peak, store] = text.split_whitespace().collect::<Vec<_>>()[..]
        else {
            bail!("there should be six numbers");
        };
        Ok(Measured {
            states: states.parse()?,
            transitions: transitions.parse()?,
            cpu: cpu.parse()?,
            wall: wall.parse()?,
            peak: peak.parse()?,
            store: store.parse()?,
        })
    }
}
