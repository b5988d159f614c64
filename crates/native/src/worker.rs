//! A process that runs the program under test.
//!
//! It is asked for executions through the region and wakes up its driver when one is there. If it dies, the driver
//! notices; if it runs for long without a visible operation, the driver asks it where it is.

#![allow(unsafe_code)]

use crate::processes::{Activity, Processes};
use crate::region::{Region, memory_file};
use sojourner_native_rt::protocol::{Command as Wanted, Question, Unkept, VARIABLE, VERSION, YIELDS};
use sojourner_program::{Cancel, Fault};
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::os::fd::AsRawFd;
use std::os::unix::fs::FileExt;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::Ordering;
use std::sync::{Arc, OnceLock, mpsc};
use std::time::{Duration, Instant};

/// What a worker runs.
#[derive(Clone, Debug)]
pub struct Launch {
    /// The executable.
    pub executable: PathBuf,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// Time without a visible operation after which the program is taken to run for ever.
    pub patience: Duration,
    /// Whether threads that repeat themselves for ever without a visible operation are looked for.
    pub finds_hangs: bool,
    /// Whether each execution has a process of its own.
    pub isolate: bool,
    /// What checkpoints leave out, for tests.
    pub unkept: Unkept,
    /// Whether what it prints goes where the driver's own output goes.
    pub prints: bool,
    /// Where workers are counted.
    pub processes: Arc<Processes>,
}

/// A process, and the region that is shared with it.
pub struct Worker {
    /// The region.
    pub region: Region,
    child: Child,
    output: Option<File>,
    patience: Duration,
    finds_hangs: bool,
    processes: Arc<Processes>,
    /// The search wants to end: the process is ended, too.
    cancel: Cancel,
    /// The processor that it may run on.
    processor: i32,
    crowd: Crowd,
}

/// Whether others want the processor, too. A process that gives it up then waits until they have had their turns: it is better to sleep,
/// and to be woken before them.
#[derive(Default)]
struct Crowd {
    /// How often of late handing over took long.
    late: u32,
    /// Commands for which it is not tried again.
    rest: u32,
}

impl Crowd {
    /// Ticks that handing over there and back takes at most, if no other process runs in between.
    const LONG: u64 = 200_000;
    const PATIENCE: u32 = 4;
    const REST: u32 = 4096;

    /// How often to give up the processor for the next command.
    fn yields(&mut self) -> u32 {
        self.rest = self.rest.saturating_sub(1);
        if self.rest == 0 { YIELDS } else { 0 }
    }

    /// Takes note of what a command took, and what the worker had to do for it.
    fn note(&mut self, took: u64, busy: u64) {
        if took.saturating_sub(busy) < Crowd::LONG {
            self.late = self.late.saturating_sub(1);
        } else {
            self.late += 2;
            if self.late > Crowd::PATIENCE {
                (self.late, self.rest) = (0, Crowd::REST);
            }
        }
    }
}

/// A time in which a worker has not shown that it gets on.
struct Silence {
    begin: Instant,
    /// The processor time that the worker had used before.
    used: Duration,
}

impl Silence {
    /// A silence this many times as long as the program may compute is one even if the worker gets no processor.
    const LONGEST: u32 = 60;

    /// It begins now.
    fn of(worker: &Child) -> Silence {
        Silence { begin: Instant::now(), used: Activity::of(worker.id()).time }
    }

    /// Whether it has lasted for so long, by the clock, and it is not the machine that is to blame.
    fn lasts(&self, worker: &Child, patience: Duration) -> bool {
        let elapsed = self.begin.elapsed();
        elapsed > patience && self.is_of_program(Activity::of(worker.id()), elapsed, patience)
    }

    /// Whether the program has computed for at least half of the time, or sleeps. If not, other processes have the processor, or a
    /// disk is slow.
    fn is_of_program(&self, now: Activity, elapsed: Duration, patience: Duration) -> bool {
        let computed = now.time.saturating_sub(self.used) >= patience / 2;
        computed || now.sleeps || elapsed > patience * Silence::LONGEST
    }
}

/// How a worker came to its end while it was asked for something.
#[derive(Debug)]
pub enum Lost {
    /// It died.
    Died(ExitStatus),
    /// It did not even say where it was.
    Hangs,
    /// The search wants to end, so that it was ended.
    Cancelled,
}

/// The descriptor by which the worker knows the region.
const REGION_DESCRIPTOR: i32 = 3;

/// Time without a visible operation after which the worker is first asked whether a thread repeats itself.
const FIRST_QUESTION: Duration = Duration::from_millis(500);

impl Worker {
    /// Starts a worker and waits until it is ready.
    pub fn start(launch: &Launch) -> Result<Worker, Fault> {
        let crashed = |what: &str, error: io::Error| Fault::Crashed { why: format!("{what}: {error}") };
        let region = Region::new().map_err(|error| crashed("there is no shared memory", error))?;
        region.header().isolate.set(u32::from(launch.isolate));
        region.header().unkept.set(launch.unkept as u32);
        let output = match launch.prints {
            true => None,
            false => Some(output_file().map_err(|error| crashed("there is no memory file", error))?),
        };
        let child = spawn(launch, &region, output.as_ref())
            .map_err(|error| crashed(&format!("{} cannot be started", launch.executable.display()), error))?;
        let processes = Arc::clone(&launch.processes);
        processes.started(child.id());
        let mut worker = Worker {
            region,
            child,
            output,
            patience: launch.patience,
            finds_hangs: launch.finds_hangs,
            cancel: processes.cancel(),
            processes,
            processor: -1,
            crowd: Crowd::default(),
        };
        worker.wait_until_ready(&launch.executable)?;
        Ok(worker)
    }

    fn wait_until_ready(&mut self, executable: &Path) -> Result<(), Fault> {
        let begin = Instant::now();
        let wait = self.patience.max(Duration::from_secs(20));
        loop {
            if self.region.header().version.load(Ordering::Acquire) == VERSION {
                return Ok(());
            }
            if let Ok(Some(status)) = self.child.try_wait() {
                let said = self.output();
                let why = match said.trim() {
                    "" => format!(
                        "{} ended with {status} before its main was called: it is not linked with the runtime, or its own \
                         initialisers end it",
                        executable.display()
                    ),
                    said => format!("{} ended before its main was called: {said}", executable.display()),
                };
                return Err(Fault::Unsupported { what: why, location: None });
            }
            if self.cancel.is_set() {
                return Err(Fault::Cancelled);
            }
            if begin.elapsed() > wait {
                let why = format!(
                    "{} does not come to its main within {} seconds: it is not linked with the runtime, or an initialiser \
                     runs for ever",
                    executable.display(),
                    wait.as_secs()
                );
                return Err(Fault::Unsupported { what: why, location: None });
            }
            std::thread::sleep(Duration::from_micros(200));
        }
    }

    /// Has the worker obey a command that is in the header.
    pub fn ask(&mut self, command: Wanted) -> Result<(), Lost> {
        self.stay_close();
        let yields = self.crowd.yields();
        let begin = ticks();
        let header = self.region.header();
        header.yields.set(yields);
        header.command.set(command as u32);
        let number = header.request.load(Ordering::Relaxed).wrapping_add(1);
        header.request.store(number, Ordering::SeqCst);
        if header.runtime_sleeps.load(Ordering::SeqCst) != 0 {
            futex_wake(header.request.as_ptr());
        }
        for _ in 0..yields {
            std::thread::yield_now();
            if header.response.load(Ordering::Acquire) == number {
                self.crowd.note(ticks().wrapping_sub(begin), header.busy.get());
                return Ok(());
            }
        }
        self.wait_for(number)
    }

    /// Lets the worker run on the processor that we run on. One of the two sleeps while the other works, so they need no
    /// more than one, and handing over on one takes a tenth of the time that it takes to wake up another.
    fn stay_close(&mut self) {
        // SAFETY: asks for a number, and says where our own child may run.
        unsafe {
            let now = libc::sched_getcpu();
            if now >= 0 && now != self.processor {
                let mut set: libc::cpu_set_t = std::mem::zeroed();
                libc::CPU_SET(now as usize, &mut set);
                libc::sched_setaffinity(self.child.id() as i32, size_of::<libc::cpu_set_t>(), &set);
                self.processor = now;
            }
        }
    }

    fn wait_for(&mut self, number: u32) -> Result<(), Lost> {
        const LOOK: Duration = Duration::from_millis(50);
        let mut pulse = self.region.header().pulse.load(Ordering::Relaxed);
        let mut since = None;
        let mut asked = false;
        let first = FIRST_QUESTION.min(self.patience / 4);
        let mut next = first;
        loop {
            let header = self.region.header();
            header.driver_sleeps.store(1, Ordering::SeqCst);
            let response = header.response.load(Ordering::SeqCst);
            if response != number {
                futex_wait(header.response.as_ptr(), response, LOOK);
            }
            header.driver_sleeps.store(0, Ordering::Relaxed);
            if header.response.load(Ordering::Acquire) == number {
                return Ok(());
            }
            // Once it is set, nothing that became of the process says anything of the program.
            if self.cancel.is_set() {
                self.end();
                return Err(Lost::Cancelled);
            }
            let since = since.get_or_insert_with(|| Silence::of(&self.child));
            if let Ok(Some(status)) = self.child.try_wait() {
                return Err(Lost::Died(status));
            }
            let now = self.region.header().pulse.load(Ordering::Relaxed);
            if now != pulse {
                (pulse, *since, asked, next) = (now, Silence::of(&self.child), false, first);
            } else if since.lasts(&self.child, self.patience) {
                if asked {
                    self.end();
                    return Err(Lost::Hangs);
                }
                asked = true;
                *since = Silence::of(&self.child);
                self.question(Question::Where);
            } else if self.finds_hangs && !asked && since.begin.elapsed() > next {
                // A thread may compute for a while before it begins to repeat itself.
                next *= 2;
                self.question(Question::Repeats);
            }
        }
    }

    /// Asks the worker something while it runs the program.
    fn question(&self, question: Question) {
        self.region.header().question.store(question as u32, Ordering::SeqCst);
        // SAFETY: a signal to our own child, which has not been waited for.
        unsafe { libc::kill(self.child.id() as i32, libc::SIGUSR2) };
    }

    /// Ends the process.
    fn end(&mut self) {
        self.processes.ends(self.child.id());
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    /// The last that the program has printed.
    pub fn end_of_output(&self) -> String {
        const MOST: u64 = 4 << 10;
        let Some(output) = &self.output else { return String::new() };
        let length = output.metadata().map_or(0, |metadata| metadata.len());
        let mut text = vec![0; length.min(MOST) as usize];
        match output.read_exact_at(&mut text, length.saturating_sub(MOST)) {
            Ok(()) => String::from_utf8_lossy(&text).into_owned(),
            Err(_) => String::new(),
        }
    }

    /// What the program has printed.
    pub fn output(&mut self) -> String {
        const MOST: u64 = 64 << 10;
        let Some(output) = &mut self.output else { return String::new() };
        let mut text = Vec::new();
        let read = output.seek(SeekFrom::Start(0)).and_then(|_| output.take(MOST).read_to_end(&mut text));
        if read.is_err() {
            return String::new();
        }
        String::from_utf8_lossy(&text).into_owned()
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.end();
    }
}

/// How a process died, in words.
pub fn how(status: ExitStatus) -> String {
    match status.signal() {
        Some(signal) => format!("it was killed by {}", signal_name(signal)),
        None => format!("it ended by itself ({status})"),
    }
}

/// The name of a signal.
pub fn signal_name(signal: i32) -> String {
    let name = match signal {
        libc::SIGILL => "SIGILL",
        libc::SIGTRAP => "SIGTRAP",
        libc::SIGABRT => "SIGABRT",
        libc::SIGBUS => "SIGBUS",
        libc::SIGFPE => "SIGFPE",
        libc::SIGKILL => "SIGKILL",
        libc::SIGSEGV => "SIGSEGV",
        libc::SIGTERM => "SIGTERM",
        _ => return format!("signal {signal}"),
    };
    name.to_string()
}

/// Ticks of the processor.
fn ticks() -> u64 {
    // SAFETY: reads a counter.
    unsafe { std::arch::x86_64::_rdtsc() }
}

fn futex_wait(word: *const u32, value: u32, time: Duration) {
    let time = libc::timespec { tv_sec: time.as_secs() as i64, tv_nsec: i64::from(time.subsec_nanos()) };
    // SAFETY: the word is mapped, the time is readable.
    unsafe { libc::syscall(libc::SYS_futex, word, libc::FUTEX_WAIT, value, &time, 0, 0) };
}

fn futex_wake(word: *const u32) {
    // SAFETY: the word is mapped.
    unsafe { libc::syscall(libc::SYS_futex, word, libc::FUTEX_WAKE, 1, 0, 0, 0) };
}

/// Where a program prints to: what is written goes to the end, also after the runtime has emptied the file.
fn output_file() -> io::Result<File> {
    let file = memory_file(c"sojourner-output")?;
    // SAFETY: sets a flag of a descriptor that is ours.
    match unsafe { libc::fcntl(file.as_raw_fd(), libc::F_SETFL, libc::O_APPEND) } {
        -1 => Err(io::Error::last_os_error()),
        _ => Ok(file),
    }
}

/// A process to start, and where to put it.
struct Order {
    command: Command,
    answer: mpsc::Sender<io::Result<Child>>,
}

/// Starts processes from a thread that lives as long as we do: the system ends them when the thread that started them
/// ends, so that none is left behind however we end.
fn spawn(launch: &Launch, region: &Region, output: Option<&File>) -> io::Result<Child> {
    static STARTER: OnceLock<mpsc::Sender<Order>> = OnceLock::new();
    let starter = STARTER.get_or_init(|| {
        let (sender, orders) = mpsc::channel::<Order>();
        std::thread::spawn(move || {
            for Order { mut command, answer } in orders {
                let _ = answer.send(command.spawn());
            }
        });
        sender
    });
    let mut command = Command::new(&launch.executable);
    command
        .args(&launch.arguments)
        .env(VARIABLE, OsString::from(REGION_DESCRIPTOR.to_string()))
        .env("LD_BIND_NOW", "1")
        // To print the stack at each panic takes long, and the finding has it.
        .env_remove("RUST_BACKTRACE")
        .env_remove("RUST_LIB_BACKTRACE");
    if let Some(output) = output {
        command.stdin(Stdio::null()).stdout(output.try_clone()?).stderr(output.try_clone()?);
        // A user who interrupts us at the terminal does not mean the program: it would look as if it had crashed.
        command.process_group(0);
    }
    let descriptor = region.file.as_raw_fd();
    // SAFETY: only system calls that may be made between fork and exec.
    unsafe {
        command.pre_exec(move || {
            libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
            // Addresses are the same in every process.
            libc::personality(libc::ADDR_NO_RANDOMIZE as libc::c_ulong);
            let none = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
            libc::setrlimit(libc::RLIMIT_CORE, &none);
            match descriptor == REGION_DESCRIPTOR {
                // The same number stays as it is, but is closed at exec unless that is said.
                true => libc::fcntl(descriptor, libc::F_SETFD, 0),
                false => libc::dup2(descriptor, REGION_DESCRIPTOR),
            };
            Ok(())
        });
    }
    let (answer, answered) = mpsc::channel();
    let gone = || io::Error::other("the thread that starts processes is gone");
    starter.send(Order { command, answer }).map_err(|_| gone())?;
    answered.recv().map_err(|_| gone())?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_gets_no_processor_is_not_blamed_for_its_silence() {
        let second = Duration::from_secs(1);
        let silence = Silence { begin: Instant::now(), used: second };
        let blamed =
            |time, sleeps, elapsed| silence.is_of_program(Activity { time, sleeps }, elapsed, 2 * second);
        assert!(!blamed(second, false, 3 * second));
        assert!(!blamed(second + second / 2, false, 30 * second));
        assert!(blamed(2 * second, false, 3 * second));
        assert!(blamed(second, true, 3 * second));
        assert!(blamed(second, false, 121 * second));
    }
}
