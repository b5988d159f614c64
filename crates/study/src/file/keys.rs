//! The keys of a study file, each with its meaning: what reading, errors and help are made from.

use sojourner_names::{Name, names};

const fn key(name: &'static str, about: &'static str) -> Name {
    Name { name, about }
}

/// The keys outside of sections.
pub static STUDY: &[Name] = &[
    key("name", "a word for the study: its results go to the directory study-NAME"),
    key("about", "a sentence on what is asked"),
    key("run", "the section [run]"),
    key("size", "the sections [size.quick] and [size.full], with keys of [run] that differ there"),
    key("program", "sections [[program]]"),
    key("strategy", "sections [[strategy]]"),
    key("table", "sections [[table]]"),
    key("figure", "sections [[figure]]"),
];

/// The keys of `[run]`, `[size.quick]` and `[size.full]`.
pub static RUN: &[Name] = &[
    key("trials", "the trials of each cell, each with a seed of its own (default 30)"),
    key("found", "end a cell when that many trials have found an error; needs runs"),
    key("runs", "the most trials of a cell that ends by found"),
    key(
        "seed",
        "where the seeds of the trials come from (default 1): trial i has the i-th number of this stream",
    ),
    key("states", "the limit of states of a trial (default 200,000); 0 for none"),
    key("time", "a limit of time of a trial, as in \"30s\"; results then depend on the machine"),
    key(
        "presets",
        "the reductions: \"jpf\", \"all\", \"none\", or several of them (default \"all\"); each has tables of its own",
    ),
    key("options", "options of `sojourner check` for all trials"),
];

/// The keys of `[size]`.
pub static SIZES: &[Name] = &[
    key("quick", "keys of [run] that differ at --quick"),
    key("full", "keys of [run] that differ at --full"),
];

/// The keys of `[[program]]`.
pub static PROGRAM: &[Name] = &[
    key("name", "what tables call it (default: the file's name)"),
    key("target", "what `sojourner check` takes, from the directory of the study file"),
    key("more", "further sources"),
    key("arguments", "one text for each instance: \"5 1\""),
    key("options", "options of `sojourner check` for this program"),
    key("matrix", "lists by name; {name} in arguments and options stands for each of the values"),
    key("values", "words by name, for the options of strategies: {name}"),
    key("size", "the smallest size at which it takes part: quick, default or full"),
];

/// The keys of `[[strategy]]`.
pub static STRATEGY: &[Name] = &[
    key("name", "what tables call it"),
    key("options", "options of `sojourner check`: \"--search dfs --order random\""),
    key("matrix", "lists by name; {name} in name and options stands for each of the values"),
    key("full", "what takes the place of matrix at --full"),
    key("trials", "trials where [run] does not fit: 1 for a search without random choices"),
    key("programs", "the names of the programs that it is for (default: all)"),
    key("size", "the smallest size at which it takes part: quick, default or full"),
];

/// The keys of `[[table]]`.
pub static TABLE: &[Name] = &[
    key("kind", "what it shows"),
    key("title", "its heading"),
    key(
        "metric",
        "what is measured: states, transitions, executions, time, trace, depth or memory (default states)",
    ),
    key("baseline", "the strategy that others are compared with (default: the first)"),
    key("strategies", "the strategies that it shows (default: all); * at the end stands for any text"),
    key(
        "configurations",
        "for best and extremes: the strategies of one technique (default: those of a matrix)",
    ),
    key("nodes", "numbers of searches side by side, for prss"),
];

/// The keys of `[[figure]]`.
pub static FIGURE: &[Name] = &[
    key("kind", "what it shows"),
    key("title", "its heading"),
    key(
        "metric",
        "what is measured: states, transitions, executions, time, trace, depth or memory (default states)",
    ),
    key(
        "baseline",
        "the strategy whose single run is drawn as a line, or the strategy of the x axis of a scatter plot",
    ),
    key("strategies", "the strategies that it shows (default: all); * at the end stands for any text"),
    key("nodes", "numbers of searches side by side, for prss"),
    key("rows", "for heat: the name of the matrix that makes rows"),
    key("columns", "for heat: the name of the matrix that makes columns"),
];

names! {
    /// How large a study is.
    pub enum Size ("size") {
        /// seconds: to see whether the study works
        Quick = "quick",
        /// minutes
        Default = "default",
        /// the sizes of the papers
        Full = "full",
    }
}

names! {
    /// Which reductions programs are explored with. A table never mixes them.
    pub enum Preset ("preset of reductions") {
        /// as near as there is to what Java PathFinder reduces: for comparisons with papers that used it
        Jpf = "jpf",
        /// all reductions: what users get
        All = "all",
        /// no reductions
        None = "none",
    }
}

impl Preset {
    /// The options, for programs that take them.
    pub fn words(self) -> &'static [&'static str] {
        match self {
            Preset::Jpf => &["--reduce", "jpf", "--granularity", "operation"],
            Preset::All => &[],
            Preset::None => &["--reduce", "none"],
        }
    }
}

names! {
    /// What a table shows.
    pub enum TableKind ("kind of table") {
        /// of each cell: trials that found an error, and what they cost
        Summary = "summary",
        /// of each program: the default search, the pool of random searches, and how many side by side pay (PRSS Table 2)
        Prss = "prss",
        /// two strategies side by side, costs mapped to 0 (worst) to 1 (best) (RGDS Tables 3 to 6)
        Normalised = "normalised",
        /// of each program: the default, the best other technique, and the best of many configurations (RB Tables 2 and 4)
        Best = "best",
        /// of each program: the configurations with the extreme costs (RB Table 3)
        Extremes = "extremes",
        /// costs, depth of the error and share found, one column for each strategy (RB Table 5)
        Columns = "columns",
        /// pairs of strategies: effect size and significance
        Pairs = "pairs",
        /// one line for each cell of a search without random choices: counts, memory, time (JPF Tables 1 and 2)
        Counts = "counts",
        /// the programs: kind of error, lines of source, depth of the error (PRSS Table 1, RB Table 1)
        Programs = "programs",
    }
}

names! {
    /// What a figure shows.
    pub enum FigureKind ("kind of figure") {
        /// how many trials cost how much (PRSS Figure 1)
        Histogram = "histogram",
        /// cost against the number of searches side by side (PRSS Figure 5)
        Nodes = "nodes",
        /// two strategies, normalised, one point for each program (RGDS Figure 3)
        Scatter = "scatter",
        /// mean cost over two parameters (RB Tables 2 to 5)
        Heat = "heat",
        /// quartiles and extremes of each strategy
        Boxes = "boxes",
        /// the share of trials that have found the error within a cost
        Survival = "survival",
        /// memory and depth while a search goes on (JPF Figure 1)
        Growth = "growth",
    }
}

names! {
    /// What is measured of a trial.
    pub enum Metric ("metric") {
        /// different states
        States = "states",
        /// steps taken: states generated
        Transitions = "transitions",
        /// executions that came to an end
        Executions = "executions",
        /// seconds of wall clock
        Time = "time",
        /// steps of the schedule that leads to the error
        Trace = "trace",
        /// steps of the longest schedule
        Depth = "depth",
        /// the most bytes of store, open states and pools
        Memory = "memory",
    }
}
