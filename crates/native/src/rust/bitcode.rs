//! One library of the toolchain, instrumented.
//!
//! The objects of a Rust library carry the bitcode that they were compiled from. The toolchain's own linker reads bitcode, runs
//! passes over it, and writes an object again.

use super::{LLVM, shortcuts};
use crate::objects::adapt;
use crate::toolchain::{CompileError, run};
use object::read::archive::ArchiveFile;
use object::{Object, ObjectSection, ObjectSymbol};
use std::path::{Path, PathBuf};
use std::process::Command;

const PASSES: &str = "--lto-newpm-passes=forceattrs,function(tsan)";

/// What a library consists of.
pub struct Library {
    /// Each object's name, with its bitcode if it has any.
    objects: Vec<(String, Option<Vec<u8>>)>,
    /// The rest, by name: what rustc needs to know of the crate.
    others: Vec<(String, Vec<u8>)>,
}

impl Library {
    /// Reads a library.
    pub fn read(path: &Path) -> Result<Library, CompileError> {
        let failed = |error| CompileError::File { path: path.to_path_buf(), error };
        let bytes = std::fs::read(path).map_err(failed)?;
        let unreadable = |error: object::Error| failed(std::io::Error::other(error));
        let mut library = Library { objects: Vec::new(), others: Vec::new() };
        for member in ArchiveFile::parse(&*bytes).map_err(unreadable)?.members() {
            let member = member.map_err(unreadable)?;
            let name = String::from_utf8_lossy(member.name()).into_owned();
            let content = member.data(&*bytes).map_err(unreadable)?;
            if name.ends_with(".o") {
                library.objects.push((name, bitcode(content)));
            } else {
                library.others.push((name, content.to_vec()));
            }
        }
        Ok(library)
    }

    /// The names of all symbols of a library's objects.
    pub fn symbols(path: &Path) -> Result<Vec<String>, CompileError> {
        let failed = |error| CompileError::File { path: path.to_path_buf(), error };
        let bytes = std::fs::read(path).map_err(failed)?;
        let mut names = Vec::new();
        let archive = ArchiveFile::parse(&*bytes).map_err(|error| failed(std::io::Error::other(error)))?;
        let contents = archive.members().filter_map(|member| member.ok()?.data(&*bytes).ok());
        for file in contents.filter_map(|content| object::File::parse(content).ok()) {
            names.extend(file.symbols().filter_map(|symbol| symbol.name().ok().map(String::from)));
        }
        Ok(names)
    }

    /// Whether there is bitcode for all of it.
    pub fn has_bitcode(&self) -> bool {
        !self.objects.is_empty() && self.objects.iter().all(|(_, bitcode)| bitcode.is_some())
    }

    /// Writes the library as it is with instrumentation, by way of files in a directory. `lld` is the toolchain's linker.
    pub fn instrument(&self, lld: &Path, directory: &Path, to: &Path) -> Result<(), CompileError> {
        let write = |path: &Path, bytes: &[u8]| {
            std::fs::write(path, bytes)
                .map_err(|error| CompileError::File { path: path.to_path_buf(), error })
        };
        let mut members: Vec<PathBuf> = Vec::new();
        for (name, content) in &self.others {
            let path = directory.join(name);
            write(&path, content)?;
            members.push(path);
        }
        for (name, bitcode) in &self.objects {
            let (object, input) = (directory.join(name), directory.join(name).with_extension("bc"));
            write(&input, bitcode.as_deref().unwrap_or_default())?;
            let mut command = Command::new(lld);
            command.args(["-flavor", "gnu", "-r", "--lto-O0", PASSES]);
            command.args(LLVM.iter().flat_map(|option| ["-mllvm", option]));
            run(command.arg(&input).arg("-o").arg(&object))?;
            adapt(&object)?;
            shortcuts::take_in(&object)?;
            members.push(object);
        }
        run(Command::new("ar").arg("crs").arg(to).args(members))
    }
}

fn bitcode(object: &[u8]) -> Option<Vec<u8>> {
    let section = object::File::parse(object).ok()?.section_by_name(".llvmbc")?.data().ok()?.to_vec();
    (!section.is_empty()).then_some(section)
}
