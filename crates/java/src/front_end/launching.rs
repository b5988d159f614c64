//! From what the user names to a JDK and a class to start on it.

use super::options::Places;
use crate::library::{Grant, Jdk, Launch, LibraryError, launch, launch_sources};
use sojourner_frontend::OpenError;
use std::path::PathBuf;

/// The JDK, and what is to be started on it. `tell` hears of packages to open or export that the JDK does not have.
pub fn find(
    target: &str,
    more: &[String],
    places: &Places,
    tell: fn(&str),
) -> Result<(Jdk, Launch), OpenError> {
    let is_source = |name: &str| name.ends_with(".java");
    if let Some(further) = more.iter().find(|name| !is_source(name) || !is_source(target)) {
        return Err(OpenError::refused_with(
            format!(
                "'{further}' cannot be combined with '{target}': only several .java files make one program"
            ),
            "write arguments of the program after --",
        ));
    }
    let mut jdk = Jdk::find(places.jdk.as_deref()).map_err(OpenError::refused)?;
    (jdk.exports, jdk.opens) = (places.exports.clone(), places.opens.clone());
    for (option, grants) in [("--add-exports", &jdk.exports), ("--add-opens", &jdk.opens)] {
        grants.iter().filter_map(|grant| unknown(&jdk, grant)).for_each(|what| {
            tell(&format!("warning: {option}: {what}"));
        });
    }
    let launched = if more.is_empty() {
        launch(target, &places.class_path, &jdk)
    } else {
        let sources: Vec<PathBuf> =
            std::iter::once(target).chain(more.iter().map(String::as_str)).map(PathBuf::from).collect();
        launch_sources(&sources, &places.class_path, &jdk)
    };
    let launch = launched.map_err(|error| match error {
        LibraryError::DoesNotCompile { message } => OpenError::DoesNotCompile {
            output: message,
            help: "correct the source, or name the classes that it needs with --classpath",
        },
        error => OpenError::refused(error),
    })?;
    launch.apply_grants(&mut jdk).map_err(OpenError::refused)?;
    Ok((jdk, launch))
}

/// What of a package that is to be exported or opened the JDK does not have. As with `java` that is no error: the option may
/// be for another version.
fn unknown(jdk: &Jdk, grant: &Grant) -> Option<String> {
    let Grant { module, package, .. } = grant;
    if !jdk.modules().contains(module) {
        return Some(format!("there is no module {module} in this JDK"));
    }
    let known = jdk.image.resource(module, "module-info.class").is_some()
        && jdk.image.entries().any(|(of, path)| {
            of == module && path.rsplit_once('/').is_some_and(|(at, _)| at.replace('/', ".") == *package)
        });
    (!known).then(|| format!("there is no package {package} in module {module}"))
}
