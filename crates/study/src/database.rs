//! The file that takes each trial as it ends, so that an interrupted study goes on where it was.

use crate::file::Size;
use crate::plan::Cell;
use crate::trial::Trial;
use rusqlite::{Connection, OptionalExtension, Row, params};
use sojourner_check::Growth;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// The results of a study, in a directory.
pub struct Database {
    connection: Mutex<Connection>,
    /// Held while the process lives, so that two do not write the same study.
    _lock: Option<File>,
}

/// Why results cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum DatabaseError {
    /// The directory or a file in it cannot be written.
    #[error("{path} cannot be written: {why}")]
    Unwritable {
        /// The file.
        path: PathBuf,
        /// Why not.
        why: String,
    },
    /// There is no study.
    #[error("{0} has no results of a study: there is no file study.sqlite in it")]
    NoStudy(PathBuf),
    /// Another process is at work on it.
    #[error("{0} is in use by another study that is running")]
    InUse(PathBuf),
    /// The results are of another version, and may count otherwise.
    #[error("{path} has results of sojourner {theirs}, and this is {ours}: counts may differ")]
    Version {
        /// The directory.
        path: PathBuf,
        /// The version of the results.
        theirs: String,
        /// Our version.
        ours: String,
    },
    /// The program is not the one of the earlier trials.
    #[error("the program of {0} has changed since its first trials were run")]
    Changed(String),
    /// The file is damaged, or the disk is full.
    #[error("the results in study.sqlite cannot be read or written: {0}")]
    Sql(#[from] rusqlite::Error),
}

/// The name of the file.
const FILE: &str = "study.sqlite";

const SCHEMA: &str = "
    CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS cell (
        id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, label TEXT NOT NULL, strategy TEXT NOT NULL, preset TEXT NOT NULL,
        hash TEXT, learned TEXT);
    CREATE TABLE IF NOT EXISTS trial (
        cell INTEGER NOT NULL REFERENCES cell, nth INTEGER NOT NULL, seed INTEGER NOT NULL, verdict TEXT NOT NULL,
        reason TEXT NOT NULL, kind TEXT, states INTEGER NOT NULL, transitions INTEGER NOT NULL, executions INTEGER NOT NULL,
        depth INTEGER NOT NULL, trace INTEGER, seconds REAL NOT NULL, bytes INTEGER NOT NULL, winner TEXT,
        collected INTEGER, collections INTEGER,
        PRIMARY KEY (cell, nth)) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS growth (
        cell INTEGER NOT NULL REFERENCES cell, nth INTEGER NOT NULL, depth INTEGER NOT NULL, states INTEGER NOT NULL,
        bytes INTEGER NOT NULL, PRIMARY KEY (cell, nth, depth)) WITHOUT ROWID;
";

impl Database {
    /// Opens the results in a directory to add to them. Makes both if they are not there.
    pub fn open(directory: &Path) -> Result<Database, DatabaseError> {
        let unwritable = |path: PathBuf| {
            move |error: std::io::Error| DatabaseError::Unwritable { path, why: error.to_string() }
        };
        std::fs::create_dir_all(directory).map_err(unwritable(directory.into()))?;
        let lock = directory.join("study.lock");
        let file = File::create(&lock).map_err(unwritable(lock))?;
        file.try_lock().map_err(|_| DatabaseError::InUse(directory.into()))?;
        let connection = Connection::open(directory.join(FILE))?;
        // A commit survives the end of the process at once, and the end of the machine within moments; neither damages the file.
        connection.pragma_update(None, "journal_mode", "WAL")?;
        connection.pragma_update(None, "synchronous", "NORMAL")?;
        connection.execute_batch(SCHEMA)?;
        let database = Database { connection: Mutex::new(connection), _lock: Some(file) };
        let ours = env!("CARGO_PKG_VERSION");
        let theirs = database.meta("version")?.unwrap_or(ours.into());
        if theirs != ours {
            return Err(DatabaseError::Version { path: directory.into(), theirs, ours: ours.into() });
        }
        database.set_meta("version", ours)?;
        Ok(database)
    }

    /// Opens the results in a directory to read them.
    pub fn read(directory: &Path) -> Result<Database, DatabaseError> {
        let path = directory.join(FILE);
        if !path.is_file() {
            return Err(DatabaseError::NoStudy(directory.into()));
        }
        Ok(Database { connection: Mutex::new(Connection::open(path)?), _lock: None })
    }

    fn with<T>(&self, run: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T, DatabaseError> {
        Ok(run(&self.connection.lock().expect("no holder panics"))?)
    }

    fn meta(&self, key: &str) -> Result<Option<String>, DatabaseError> {
        self.with(|sql| {
            sql.query_row("SELECT value FROM meta WHERE key = ?1", [key], |row| row.get(0)).optional()
        })
    }

    fn set_meta(&self, key: &str, value: &str) -> Result<(), DatabaseError> {
        self.with(|sql| sql.execute("INSERT OR REPLACE INTO meta VALUES (?1, ?2)", [key, value]).map(drop))
    }

    /// Notes the study file, where it lies, and the size that was asked for: reports are made from these.
    pub fn set_study(&self, text: &str, directory: &Path, size: Size) -> Result<(), DatabaseError> {
        let directory = std::path::absolute(directory).unwrap_or_else(|_| directory.into());
        self.set_meta("study", text)?;
        self.set_meta("directory", &directory.to_string_lossy())?;
        self.set_meta("size", size.name())
    }

    /// The study file, where it lay, and its size.
    pub fn study(&self) -> Result<(String, PathBuf, Size), DatabaseError> {
        let text = self.meta("study")?.unwrap_or_default();
        let directory = self.meta("directory")?.unwrap_or_default();
        let size = self.meta("size")?.and_then(|size| size.parse().ok()).unwrap_or(Size::Default);
        Ok((text, directory.into(), size))
    }

    /// The number of a cell, which is given on first use.
    pub fn cell(&self, cell: &Cell) -> Result<i64, DatabaseError> {
        let key = cell.key();
        self.with(|sql| {
            sql.execute(
                "INSERT OR IGNORE INTO cell (key, label, strategy, preset) VALUES (?1, ?2, ?3, ?4)",
                params![key, cell.label(), cell.strategy, cell.preset.name()],
            )?;
            sql.query_row("SELECT id FROM cell WHERE key = ?1", [&key], |row| row.get(0))
        })
    }

    /// The number of a cell, if it has trials.
    fn known_cell(&self, cell: &Cell) -> Result<Option<i64>, DatabaseError> {
        let key = cell.key();
        self.with(|sql| {
            sql.query_row("SELECT id FROM cell WHERE key = ?1", [&key], |row| row.get(0)).optional()
        })
    }

    /// What programs of the cell know from the start. On first use it is what `learn` gives; later the program must be the same.
    pub fn learned(
        &self,
        id: i64,
        label: &str,
        hash: Option<String>,
        learn: impl FnOnce() -> Vec<String>,
    ) -> Result<Vec<String>, DatabaseError> {
        let known: (Option<String>, Option<String>) = self.with(|sql| {
            sql.query_row("SELECT hash, learned FROM cell WHERE id = ?1", [id], |row| {
                Ok((row.get(0)?, row.get(1)?))
            })
        })?;
        if let (theirs, Some(lines)) = known {
            return match theirs == hash {
                true => Ok(lines.lines().map(String::from).collect()),
                false => Err(DatabaseError::Changed(label.into())),
            };
        }
        let lines = learn();
        self.with(|sql| {
            sql.execute(
                "UPDATE cell SET hash = ?2, learned = ?3 WHERE id = ?1",
                params![id, hash, lines.join("\n")],
            )
        })?;
        Ok(lines)
    }

    /// Adds a trial, with how its search grew.
    pub fn add(&self, cell: i64, trial: &Trial, growth: &[Growth]) -> Result<(), DatabaseError> {
        let mut connection = self.connection.lock().expect("no holder panics");
        let sql = connection.transaction()?;
        sql.prepare(
            "INSERT OR REPLACE INTO trial VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16)",
        )?
        .execute(params![
            cell,
            trial.nth as i64,
            trial.seed as i64,
            trial.verdict,
            trial.reason,
            trial.kind,
            trial.states as i64,
            trial.transitions as i64,
            trial.executions as i64,
            trial.depth as i64,
            trial.trace.map(|steps| steps as i64),
            trial.seconds,
            trial.bytes as i64,
            trial.winner,
            trial.garbage.map(|(objects, _)| objects as i64),
            trial.garbage.and_then(|(_, runs)| runs).map(|runs| runs as i64),
        ])?;
        for row in growth {
            sql.prepare("INSERT OR REPLACE INTO growth VALUES (?1, ?2, ?3, ?4, ?5)")?.execute(params![
                cell,
                trial.nth as i64,
                row.depth as i64,
                row.states as i64,
                row.bytes as i64
            ])?;
        }
        Ok(sql.commit()?)
    }

    /// The trials of a cell, in their order, up to where it has enough of them.
    pub fn trials(&self, cell: &Cell) -> Result<Vec<Trial>, DatabaseError> {
        let Some(id) = self.known_cell(cell)? else { return Ok(Vec::new()) };
        self.trials_of(id)
    }

    /// The trials of the cell of that number.
    pub fn trials_of(&self, cell: i64) -> Result<Vec<Trial>, DatabaseError> {
        self.with(|sql| {
            let mut query = sql.prepare("SELECT * FROM trial WHERE cell = ?1 ORDER BY nth")?;
            query.query_map([cell], trial_of)?.collect()
        })
    }

    /// How the first trial of a cell grew.
    pub fn growth(&self, cell: &Cell) -> Result<Vec<Growth>, DatabaseError> {
        let Some(id) = self.known_cell(cell)? else { return Ok(Vec::new()) };
        self.with(|sql| {
            let mut query = sql.prepare(
                "SELECT depth, states, bytes FROM growth WHERE cell = ?1 AND nth = 0 ORDER BY states, depth",
            )?;
            let row = |row: &Row<'_>| {
                Ok(Growth { depth: number(row, 0)?, states: number(row, 1)?, bytes: number(row, 2)? })
            };
            query.query_map([id], row)?.collect()
        })
    }
}

fn number(row: &Row<'_>, column: usize) -> rusqlite::Result<u64> {
    Ok(row.get::<_, i64>(column)? as u64)
}

fn trial_of(row: &Row<'_>) -> rusqlite::Result<Trial> {
    Ok(Trial {
        nth: number(row, 1)?,
        seed: number(row, 2)?,
        verdict: row.get(3)?,
        reason: row.get(4)?,
        kind: row.get(5)?,
        states: number(row, 6)?,
        transitions: number(row, 7)?,
        executions: number(row, 8)?,
        depth: number(row, 9)?,
        trace: row.get::<_, Option<i64>>(10)?.map(|steps| steps as u64),
        seconds: row.get(11)?,
        bytes: number(row, 12)?,
        winner: row.get(13)?,
        garbage: match row.get::<_, Option<i64>>(14)? {
            None => None,
            Some(objects) => Some((objects as u64, row.get::<_, Option<i64>>(15)?.map(|runs| runs as u64))),
        },
    })
}
