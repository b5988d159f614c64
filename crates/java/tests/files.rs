//! Files: programs change them in memory, and threads notice each other by them.

use sojourner_java::explore::{Exploration, JavaProgram};
use sojourner_java::library::{Jdk, launch};
use sojourner_program::{Detail, Load, Program, Stateful, Step, Verdict};
use sojourner_search::{Halt, Outcome, Reduction, Settings, Shape, Strategy, Unobserved, explore, replay};

/// A program of which two threads do something with a temporary directory `dir`, and `main` looks at what came of it.
fn subject(first: &str, second: &str, check: &str) -> JavaProgram {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("Main.java");
    let source = format!(
        "import java.io.*;\nimport java.nio.channels.*;\nimport java.nio.file.*;\nimport java.nio.file.attribute.*;\n\
         import java.util.*;\nimport java.util.stream.*;\n\
         public class Main {{\nstatic String result = \"\";\nstatic synchronized void say(Object word) {{ result += word; }}\n\
         interface Task {{ void run() throws Exception; }}\n\
         static Thread thread(Task task) {{ return new Thread(() -> {{ try {{ task.run(); }} catch (Exception e) {{ \
         throw new AssertionError(e); }} }}); }}\n\
         public static void main(String[] args) throws Exception {{\nPath dir = Files.createTempDirectory(\"main\");\n\
         Thread a = thread(() -> {{ {first} }}), b = thread(() -> {{ {second} }});\n\
         a.start(); b.start(); a.join(); b.join();\n{check}\n}}\n}}\n"
    );
    std::fs::write(&path, source).unwrap();
    let jdk = Jdk::find(None).unwrap();
    let launch = launch(path.to_str().unwrap(), &[], &jdk).unwrap();
    let subject = JavaProgram::new(launch, &jdk, Vec::new(), Exploration::default());
    subject.collect_end_states();
    subject
}

fn explored(subject: &JavaProgram, shape: Shape) -> Outcome {
    let mut settings = Settings::new(Strategy::plain(shape));
    settings.budget.states = Some(200_000);
    explore(subject, &settings, &Halt::new(), &Unobserved).unwrap()
}

/// The verdict by every kind of exhaustive search; a finding is seen again where its schedule leads.
fn verdict(first: &str, second: &str, check: &str, expected: Verdict) {
    let mut ends = None;
    for shape in [Shape::DepthFirst, Shape::BreadthFirst(None), Shape::Dpor(Reduction::Optimal)] {
        let subject = subject(first, second, check);
        let outcome = explored(&subject, shape);
        assert_eq!(outcome.verdict(), expected, "{shape:?} {first} | {second}: {outcome:?}");
        if let Some(found) = outcome.found.first() {
            let again = replay(&subject, found.schedule.as_deref().unwrap()).unwrap();
            assert_eq!(again.finding.map(|finding| finding.kind), Some(found.finding.kind));
            continue;
        }
        let seen = subject.end_states();
        assert_eq!(*ends.get_or_insert_with(|| seen.clone()), seen, "{shape:?} {first} | {second}");
    }
}

#[test]
fn check_then_create_is_a_race_and_create_new_is_none() {
    let check = "assert result.length() == 1 : result;";
    let racy =
        "Path p = dir.resolve(\"lock\"); if (!Files.exists(p)) { Files.writeString(p, \"\"); say(1); }";
    verdict(racy, racy, check, Verdict::Found);
    let sound =
        "try { Files.createFile(dir.resolve(\"lock\")); say(1); } catch (FileAlreadyExistsException e) { }";
    verdict(sound, sound, check, Verdict::Clean);
    let directory = "try { Files.createDirectory(dir.resolve(\"lock\")); say(1); } catch (FileAlreadyExistsException e) { }";
    verdict(directory, sound, check, Verdict::Clean);
}

#[test]
fn appended_lines_are_all_there_and_rewritten_ones_are_not() {
    let check = "result = Files.readString(dir.resolve(\"log\")); assert result.length() == 2 : result;";
    let append = "Files.writeString(dir.resolve(\"log\"), \"x\", StandardOpenOption.CREATE, StandardOpenOption.APPEND);";
    verdict(append, append, check, Verdict::Clean);
    let rewrite = "Path p = dir.resolve(\"log\"); String s = Files.exists(p) ? Files.readString(p) : \"\"; Files.writeString(p, s + \"x\");";
    verdict(rewrite, rewrite, check, Verdict::Found);
}

#[test]
fn renaming_in_place_is_atomic_and_writing_in_place_is_not() {
    let read = "Path p = dir.resolve(\"conf\"); if (Files.exists(p)) { String s = Files.readString(p); assert s.equals(\"all\") : s; }";
    let in_place = "Files.writeString(dir.resolve(\"conf\"), \"all\");";
    verdict(in_place, read, "", Verdict::Found);
    let renamed = "Path t = dir.resolve(\"conf.new\"); Files.writeString(t, \"all\"); \
                   Files.move(t, dir.resolve(\"conf\"), StandardCopyOption.ATOMIC_MOVE);";
    verdict(renamed, read, "", Verdict::Clean);
}

#[test]
fn a_log_is_rotated_while_a_thread_writes_to_it() {
    let write = "try (OutputStream out = Files.newOutputStream(dir.resolve(\"log\"), StandardOpenOption.CREATE, \
                 StandardOpenOption.APPEND)) { out.write('x'); }";
    let rotate =
        "try { Files.move(dir.resolve(\"log\"), dir.resolve(\"log.1\")); } catch (NoSuchFileException e) { }";
    let check = "long sum = 0; try (Stream<Path> all = Files.list(dir)) { for (Path p : all.collect(Collectors.toList())) \
                 sum += Files.size(p); } assert sum == 1;";
    verdict(write, rotate, check, Verdict::Clean);
    // A log that is cut off loses what was written before.
    let cut = "Files.writeString(dir.resolve(\"log\"), \"\");";
    verdict(write, cut, check, Verdict::Found);
}

#[test]
fn temporary_files_of_threads_have_different_names() {
    let one = "Path p = Files.createTempFile(dir, \"tmp\", null); assert Files.size(p) == 0;";
    let two = "Files.createTempFile(dir, \"tmp\", null); File.createTempFile(\"tmp\", null, dir.toFile());";
    let check = "assert dir.toFile().list().length == 3;";
    verdict(one, two, check, Verdict::Clean);
}

#[test]
fn a_lock_of_a_file_is_held_by_the_whole_program() {
    let lock = "try (FileChannel c = FileChannel.open(dir.resolve(\"l\"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) { \
                c.lock(); } catch (OverlappingFileLockException e) { say(\"overlap\"); }";
    verdict(lock, lock, "assert result.isEmpty();", Verdict::Found);
}

#[test]
fn reading_alone_makes_no_schedules() {
    let read = "Files.readString(Path.of(\"/etc/passwd\"));";
    let subject = subject(read, read, "");
    let outcome = explored(&subject, Shape::DepthFirst);
    assert_eq!(outcome.verdict(), Verdict::Clean);
    assert!(outcome.tally.states < 50, "{outcome:?}");
}

#[test]
fn times_of_files_count_if_the_program_asks_for_them() {
    let first = "Files.writeString(dir.resolve(\"a\"), \"\");";
    let second = "Thread.sleep(10); Files.writeString(dir.resolve(\"b\"), \"\");";
    let check = "result = \"\" + (dir.resolve(\"a\").toFile().lastModified() < Files.getLastModifiedTime(dir.resolve(\"b\")).toMillis());";
    let subject = subject(first, second, check);
    let outcome = explored(&subject, Shape::DepthFirst);
    assert_eq!(
        (outcome.verdict(), subject.end_states().len()),
        (Verdict::Clean, 2),
        "{:?}",
        subject.end_states()
    );
}

/// Every state on the way is the same when it is come back to: by undoing, by its root and by its path.
#[test]
fn restored_state_has_the_same_files() {
    let write =
        "Files.writeString(dir.resolve(\"f\"), \"x\", StandardOpenOption.CREATE, StandardOpenOption.APPEND);";
    let remove = "Files.deleteIfExists(dir.resolve(\"f\")); Files.createDirectories(dir.resolve(\"g/h\")); \
                  try { Files.move(dir.resolve(\"f\"), dir.resolve(\"g/f\")); } catch (NoSuchFileException e) { }";
    let subject = subject(write, remove, "");
    let mut program = subject.open().unwrap();
    let mut visited = Vec::new();
    let mut choices = Vec::new();
    program.choices(&mut choices);
    let mut turn = 0;
    while !choices.is_empty() {
        turn += 1;
        let choice = choices[turn % choices.len()];
        if program.step(choice, &mut Step::new(Detail::Outcome)).is_err() {
            break;
        }
        visited.push((program.here(), program.fingerprint()));
        choices.clear();
        program.choices(&mut choices);
    }
    assert!(visited.len() > 10);
    let prints: std::collections::BTreeSet<u128> = visited.iter().map(|(_, print)| *print).collect();
    assert_eq!(prints.len(), visited.len(), "each step leads to another state");
    for (place, print) in visited.iter().rev().chain(&visited) {
        program.go(place).unwrap();
        assert_eq!(program.fingerprint(), *print);
    }
    let mut other = subject.open_to_follow().unwrap();
    for (place, print) in visited.iter().step_by(3) {
        other.go(place).unwrap();
        assert_eq!(other.fingerprint(), *print);
    }
}

#[test]
fn nothing_is_written_to_the_disk() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("kept");
    std::fs::write(&file, "kept").unwrap();
    let path = format!("Path.of(\"{}\")", directory.path().display());
    let change = format!(
        "Files.writeString({path}.resolve(\"new\"), \"\"); Files.writeString({path}.resolve(\"kept\"), \"lost\");"
    );
    let delete =
        format!("{path}.resolve(\"kept\").toFile().delete(); {path}.resolve(\"kept\").toFile().mkdir();");
    let rename = format!(
        "Files.move({path}, Path.of({path} + \".moved\")); assert Files.exists(Path.of({path} + \".moved/kept\"));"
    );
    for (change, check) in [(change, ""), (delete, ""), ("".into(), rename.as_str())] {
        let subject = subject(&change, "", check);
        assert_eq!(explored(&subject, Shape::DepthFirst).verdict(), Verdict::Clean, "{change} {check}");
        let names: Vec<_> =
            std::fs::read_dir(directory.path()).unwrap().map(|entry| entry.unwrap().path()).collect();
        assert_eq!(
            (names, std::fs::read_to_string(&file).unwrap()),
            (vec![file.clone()], "kept".to_string())
        );
    }
}

#[test]
fn unsupported_file_operation_is_refused_by_name() {
    for (task, refusal) in [
        (
            "FileChannel.open(dir.resolve(\"m\"), StandardOpenOption.CREATE, StandardOpenOption.READ, \
             StandardOpenOption.WRITE).map(FileChannel.MapMode.READ_WRITE, 0, 8);",
            "mapping a file for writing is not supported",
        ),
        (
            "dir.register(FileSystems.getDefault().newWatchService(), StandardWatchEventKinds.ENTRY_CREATE);",
            "watching directories",
        ),
        ("Files.writeString(Path.of(System.getProperty(\"java.home\"), \"x\"), \"\");", "a file of the JDK"),
        (
            "new RandomAccessFile(dir.resolve(\"r\").toFile(), \"rw\").setLength(1L << 40);",
            "a file of more than 1 GB",
        ),
    ] {
        let subject = subject(task, "", "");
        let outcome = explored(&subject, Shape::DepthFirst);
        let fault = format!("{:?}", outcome.fault);
        assert!(outcome.verdict() == Verdict::Unsupported && fault.contains(refusal), "{task}: {outcome:?}");
    }
}
