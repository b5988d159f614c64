//! What few programs do, and what the machine must know of before it happens.

/// Something that few programs do. If a program does it, operations are visible that are not otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Behaviour {
    /// It asks whether threads are alive, or what they are doing.
    AsksThreadState,
    /// It interrupts threads.
    Interrupts,
    /// It ends while threads are alive, wherever they are.
    EndsEarly,
    /// It suspends or stops threads, wherever they are.
    HaltsThreads,
    /// It asks for a size or a sum that is counted in several places, while other threads may be counting.
    ReadsSums,
    /// Each of its transitions is one visible operation, as a dynamic partial order reduction needs it. Operations for which other
    /// threads can only wait are transitions, too.
    SingleOperations,
    /// What a step touches, or when it is enabled, depends on the state. A reduction must not rely on footprints.
    UnpredictableSteps,
    /// Rounds of loops that change nothing matter all the same: see `explore::spin_loops`.
    VainRoundsMatter,
    /// It notifies one of the threads that wait on a thread object. Threads that join that thread wait there, too.
    NotifiesThreads,
    /// It changes files while several threads are alive. Threads that look at files may notice.
    ChangesFiles,
    /// It asks when files were changed.
    ReadsFileTimes,
}

impl Behaviour {
    /// All of them.
    pub const ALL: [Behaviour; 11] = [
        Behaviour::AsksThreadState,
        Behaviour::Interrupts,
        Behaviour::EndsEarly,
        Behaviour::HaltsThreads,
        Behaviour::ReadsSums,
        Behaviour::SingleOperations,
        Behaviour::UnpredictableSteps,
        Behaviour::VainRoundsMatter,
        Behaviour::NotifiesThreads,
        Behaviour::ChangesFiles,
        Behaviour::ReadsFileTimes,
    ];

    /// Its name among what has been learned.
    pub const fn name(self) -> &'static str {
        match self {
            Behaviour::AsksThreadState => "asks for the state of threads",
            Behaviour::Interrupts => "interrupts threads",
            Behaviour::EndsEarly => "ends while threads are alive",
            Behaviour::HaltsThreads => "suspends or stops threads",
            Behaviour::ReadsSums => "asks for sums that others add to",
            Behaviour::SingleOperations => "does one operation at a time",
            Behaviour::UnpredictableSteps => "has steps that go by what they find",
            Behaviour::VainRoundsMatter => "has loops whose rounds matter",
            Behaviour::NotifiesThreads => "notifies one of the threads that wait on a thread object",
            Behaviour::ChangesFiles => "changes files",
            Behaviour::ReadsFileTimes => "asks when files were changed",
        }
    }
}
