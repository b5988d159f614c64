//! The studies of the repository can be read at every size.

use sojourner_study::file::{Size, StudyFile};
use std::path::Path;

#[test]
fn studies_of_the_repository_can_be_read_at_every_size() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../studies");
    let files = std::fs::read_dir(&directory).unwrap().map(|entry| entry.unwrap().path());
    let mut count = 0;
    for path in files.filter(|path| path.extension().is_some_and(|end| end == "toml")) {
        let text = std::fs::read_to_string(&path).unwrap();
        for size in Size::ALL {
            let read = StudyFile::read(&text, size);
            let file =
                read.unwrap_or_else(|error| panic!("{} at {size}: {error}\n{}", path.display(), error.help));
            assert_eq!(Some(file.name.as_str()), path.file_stem().and_then(|stem| stem.to_str()));
            for program in &file.programs {
                let there = program.target.starts_with("model:") || directory.join(&program.target).exists();
                assert!(there, "{}: {}", path.display(), program.target);
            }
            count += 1;
        }
    }
    assert!(count >= 30, "the studies are there");
}
