//! What was measured, when, on which machine, and whether it had anything else to do.

use std::process::Command;
use std::time::Duration;

/// Others may use that much of a core while we measure.
const QUIET: f64 = 0.2;

/// Commit, date, machine and load, as they are now.
pub fn described() -> String {
    let commit = output("git", &["rev-parse", "--short", "HEAD"]).unwrap_or("unknown".to_owned());
    let dirty = output("git", &["status", "--porcelain"]).is_some_and(|changes| !changes.is_empty());
    let date = output("date", &["+%F"]).unwrap_or_default();
    let cores = std::thread::available_parallelism().map_or(0, |cores| cores.get());
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load = load.split(' ').next().unwrap_or_default();
    let mark = if dirty { "+" } else { "" };
    format!(
        "Commit {commit}{mark}, {date}, {}, {cores} cores, load average {load} at the start.",
        processor()
    )
}

/// What to make of the figures if others were as busy as [`busy_cores`] said; nothing if they were not.
pub fn warning(busy: f64) -> String {
    if busy <= QUIET {
        return String::new();
    }
    format!(
        "\nWarning: others used {busy:.1} cores while nothing was measured. Times by the clock say little, \
         and processor times are too long.\n"
    )
}

/// How many cores others keep busy, measured over a second in which this process does nothing. Unlike the load average
/// it does not remember the compiler that has just built this program.
pub fn busy_cores() -> f64 {
    let before = busy_ticks();
    std::thread::sleep(Duration::from_secs(1));
    // A tick is a hundredth of a second.
    busy_ticks().saturating_sub(before) as f64 / 100.0
}

/// The ticks for which any core was not idle, since the machine was started.
fn busy_ticks() -> u64 {
    let stat = std::fs::read_to_string("/proc/stat").unwrap_or_default();
    let fields = stat.lines().next().unwrap_or_default().split_whitespace().skip(1);
    // user, nice, system, idle, iowait, irq, softirq, steal
    let ticks = fields.take(8).enumerate().filter(|(field, _)| !(3..=4).contains(field));
    ticks.filter_map(|(_, ticks)| ticks.parse::<u64>().ok()).sum()
}

fn processor() -> String {
    let cpuinfo = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = cpuinfo.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    name.map_or("unknown processor", |(_, name)| name).to_owned()
}

/// What a command says, run where the sources of this program are.
fn output(command: &str, arguments: &[&str]) -> Option<String> {
    let output =
        Command::new(command).args(arguments).current_dir(env!("CARGO_MANIFEST_DIR")).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}
