//! How much memory there is: that of the machine, or less if a control group (a container) may not have all of it.

use std::path::{Path, PathBuf};

/// What a check may use if the user does not say: three quarters of what there is.
pub(crate) fn default_bound() -> Option<u64> {
    let machine = field("MemTotal:");
    let limits = machine.into_iter().chain(container_limit(Path::new("/")));
    limits.min().map(|bytes| bytes / 4 * 3)
}

/// What the system says of its memory, in bytes.
pub fn field(name: &str) -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    let kilobytes: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kilobytes * 1024)
}

/// The least of the limits that control groups of version 1 and 2 set for this process, on a system whose files are below
/// `root`.
fn container_limit(root: &Path) -> Option<u64> {
    let read = |path: &str| std::fs::read_to_string(root.join(path)).unwrap_or_default();
    let (groups, mounts) = (read("proc/self/cgroup"), read("proc/self/mountinfo"));
    let limits = groups.lines().filter_map(Group::read).flat_map(|group| {
        let mounts: Vec<Mount> = mounts.lines().filter_map(|line| Mount::read(line, &group)).collect();
        mounts.into_iter().flat_map(move |mount| mount.limits(root, &group))
    });
    limits.min()
}

/// A control group that this process is in, and which of its files has the limit.
struct Group {
    path: PathBuf,
    version: Version,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Version {
    One,
    Two,
}

impl Group {
    /// A line of `/proc/self/cgroup`: a number, controllers, a path.
    fn read(line: &str) -> Option<Group> {
        let mut parts = line.splitn(3, ':');
        let (number, controllers, path) = (parts.next()?, parts.next()?, parts.next()?);
        let version = match controllers {
            "" if number == "0" => Version::Two,
            _ if controllers.split(',').any(|controller| controller == "memory") => Version::One,
            _ => return None,
        };
        Some(Group { path: path.into(), version })
    }

    fn file(&self) -> &'static str {
        match self.version {
            Version::One => "memory.limit_in_bytes",
            Version::Two => "memory.max",
        }
    }
}

/// Where a hierarchy of control groups can be seen: from which group on, and in which directory.
struct Mount {
    from: PathBuf,
    at: PathBuf,
}

impl Mount {
    /// A line of `/proc/self/mountinfo`, if it is of the hierarchy that the group is in.
    fn read(line: &str, group: &Group) -> Option<Mount> {
        let (mount, system) = line.split_once(" - ")?;
        let mut mount = mount.split(' ').skip(3);
        let (from, at) = (mount.next()?, mount.next()?);
        let mut system = system.split(' ');
        let is_its = match (system.next()?, group.version) {
            ("cgroup2", Version::Two) => true,
            ("cgroup", Version::One) => system.nth(1)?.split(',').any(|option| option == "memory"),
            _ => false,
        };
        is_its.then(|| Mount { from: from.into(), at: at.trim_start_matches('/').into() })
    }

    /// The limits of the group and of all that it is within, as far as they can be seen. A group without one says "max", or a
    /// number that no machine has.
    fn limits(&self, root: &Path, group: &Group) -> Vec<u64> {
        // A group that is seen from within its container may have a path that is not below the mount.
        let below = group.path.strip_prefix(&self.from).unwrap_or(Path::new(""));
        let below = below.strip_prefix("/").unwrap_or(below);
        let directories = below.ancestors().map(|part| root.join(&self.at).join(part));
        let texts =
            directories.filter_map(|directory| std::fs::read_to_string(directory.join(group.file())).ok());
        texts.filter_map(|text| text.trim().parse().ok()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A system with those files.
    fn limit(files: &[(&str, &str)]) -> Option<u64> {
        let root = tempfile::tempdir().expect("a directory can be made");
        for (path, text) in files {
            let path = root.path().join(path);
            std::fs::create_dir_all(path.parent().expect("it is in a directory")).expect("it can be made");
            std::fs::write(path, text).expect("it can be written");
        }
        container_limit(root.path())
    }

    const TWO: &str = "29 23 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n";

    #[test]
    fn version_2_takes_least_limit_of_nested_groups() {
        let nested = |inner: &str, outer: &str| {
            limit(&[
                ("proc/self/cgroup", "0::/user.slice/job\n"),
                ("proc/self/mountinfo", TWO),
                ("sys/fs/cgroup/user.slice/job/memory.max", inner),
                ("sys/fs/cgroup/user.slice/memory.max", outer),
            ])
        };
        assert_eq!(nested("1073741824\n", "max\n"), Some(1 << 30));
        assert_eq!(nested("max\n", "1073741824\n"), Some(1 << 30));
        assert_eq!(nested("1073741824\n", "536870912\n"), Some(512 << 20));
        assert_eq!(nested("max\n", "max\n"), None);
    }

    #[test]
    fn version_2_in_container_is_read_at_the_mount() {
        let files = [("proc/self/cgroup", "0::/\n"), ("proc/self/mountinfo", TWO)];
        assert_eq!(limit(&[files[0], files[1], ("sys/fs/cgroup/memory.max", "268435456")]), Some(256 << 20));
        // Without a namespace of its own a process sees a path that is not below the mount.
        let files = [("proc/self/cgroup", "0::/docker/abc\n"), ("proc/self/mountinfo", TWO)];
        assert_eq!(limit(&[files[0], files[1], ("sys/fs/cgroup/memory.max", "268435456")]), Some(256 << 20));
    }

    #[test]
    fn version_1_takes_group_of_memory_controller() {
        let mounts = "30 23 0:27 /docker/abc /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory\n\
                      31 23 0:28 /docker/abc /sys/fs/cgroup/cpu ro - cgroup cgroup rw,cpu\n";
        let version_1 = |bytes: &str| {
            limit(&[
                ("proc/self/cgroup", "5:cpu:/docker/abc\n4:memory:/docker/abc\n"),
                ("proc/self/mountinfo", mounts),
                ("sys/fs/cgroup/memory/memory.limit_in_bytes", bytes),
                ("sys/fs/cgroup/cpu/memory.limit_in_bytes", "1"),
            ])
        };
        assert_eq!(version_1("536870912\n"), Some(512 << 20));
        // What the system says if there is no limit is more than any machine has.
        assert_eq!(version_1("9223372036854771712\n"), Some(9_223_372_036_854_771_712));
    }

    #[test]
    fn system_without_control_groups_has_no_limit() {
        assert_eq!(limit(&[]), None);
        assert_eq!(
            limit(&[("proc/self/cgroup", "nonsense\n0::/x"), ("proc/self/mountinfo", "nonsense\n")]),
            None
        );
    }

    #[test]
    fn default_bound_is_less_than_the_machine_has() {
        let total = field("MemTotal:").expect("the system tells");
        assert!(default_bound().is_some_and(|bound| bound <= total / 4 * 3));
    }
}
