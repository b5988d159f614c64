//! End states, as tests compare them: what the static fields of the program's own classes hold and lead to, what became of
//! each thread, and the finding if there is one.

use crate::classfile::{Kind, access};
use crate::machine::class::{ClassId, Loader, Shape};
use crate::machine::{Machine, Status};
use crate::memory::{ARRAY_DATA, Ref};
use sojourner_program::Finding;
use std::collections::HashMap;
use std::fmt::Write;

impl Machine {
    /// The state in lines: `Class.field=value` for each static field, `#n=...` for each object that they lead to, and a
    /// line for each thread and for the finding.
    pub(super) fn end_state(&self, finding: Option<&Finding>) -> String {
        let mut names: Vec<(String, ClassId)> = self.classes.list[1..]
            .iter()
            .filter(|class| class.loader != Loader::BOOT && matches!(class.shape, Shape::Instance))
            .map(|class| (self.external_name(class.id), class.id))
            .filter(|(name, _)| !name.starts_with("sojourner.") && !name.contains("$$Lambda$"))
            .collect();
        names.sort();
        let mut text = String::new();
        let mut numbers: HashMap<Ref, usize> = HashMap::new();
        let mut queue: Vec<Ref> = Vec::new();
        for (name, class) in names {
            for field in self.class(class).fields.iter() {
                let constant = field.kind != Kind::Reference && field.access & access::FINAL != 0;
                if !field.is_static() || field.access & access::SYNTHETIC != 0 || constant {
                    continue;
                }
                let mirror = self.class(class).mirror;
                // Fields of a class that was never used are as if it were not there.
                if !self.is_initialised(class) {
                    continue;
                }
                let value = self.end_value(field.kind, mirror, field.offset, &mut numbers, &mut queue);
                let _ = writeln!(text, "{name}.{}={value}", self.classes.symbols.text(field.name));
            }
        }
        let mut next = 0;
        while next < queue.len() && next < 10_000 {
            let object = queue[next];
            next += 1;
            let value = self.end_object(object, &mut numbers, &mut queue);
            let _ = writeln!(text, "#{next}={value}");
        }
        let mut threads: Vec<String> = Vec::new();
        for thread in &self.threads.list {
            let outcome = match thread.status {
                // Whether a thread had just ended when the program did cannot be told.
                _ if self.outcome.exit.is_some() => "over".to_string(),
                Status::Finished => "ended".to_string(),
                Status::Leaving => "left main".to_string(),
                Status::Runnable => "running".to_string(),
                _ => "blocked".to_string(),
            };
            threads.push(format!("thread {}: {outcome}", self.scheduling.identity(thread.id)));
        }
        threads.sort();
        for thread in threads {
            let _ = writeln!(text, "{thread}");
        }
        text.push_str(&finding.map(Machine::end_line).unwrap_or_default());
        text
    }

    /// A finding, as end states have it.
    pub(super) fn end_line(finding: &Finding) -> String {
        let mut text = String::new();
        {
            let place = finding.location.as_ref().map_or(String::new(), ToString::to_string);
            // Where several threads are stuck, which one is named first is not the point.
            let place = if finding.kind == sojourner_program::Kind::Deadlock { String::new() } else { place };
            let _ = writeln!(
                text,
                "finding: {} {} {place}",
                finding.kind,
                finding.type_name.as_deref().unwrap_or("")
            );
        }
        text
    }

    fn end_value(
        &self,
        kind: Kind,
        object: Ref,
        offset: u32,
        numbers: &mut HashMap<Ref, usize>,
        queue: &mut Vec<Ref>,
    ) -> String {
        if kind != Kind::Reference {
            return self.value_text(kind, object, offset);
        }
        let value = self.heap.get_ref(object, offset);
        let Some(value) = value.some() else { return "null".to_string() };
        let class = ClassId(self.heap.class(value));
        if class == self.known.string || Some(class) == self.known.class {
            return self.object_text(value);
        }
        let number = *numbers.entry(value).or_insert_with(|| {
            queue.push(value);
            queue.len()
        });
        format!("#{number}")
    }

    fn end_object(&self, object: Ref, numbers: &mut HashMap<Ref, usize>, queue: &mut Vec<Ref>) -> String {
        let class = ClassId(self.heap.class(object));
        let name = self.external_name(class);
        let mut parts = Vec::new();
        match self.class(class).shape {
            Shape::Array { kind, .. } => {
                for index in 0..self.heap.length(object).min(1000) {
                    let offset = ARRAY_DATA + index * kind.size();
                    parts.push(self.end_value(kind, object, offset, numbers, queue));
                }
            }
            // What is inside a thread, a lock or a pool of the JDK depends on how it is done, not on what it does.
            _ if self.is_opaque(class) => {}
            _ => {
                for &declaring in &self.class(class).lineage {
                    for (index, field) in self.class(declaring).fields.iter().enumerate() {
                        if field.is_static() || self.is_masked(declaring, index) {
                            continue;
                        }
                        let value = self.end_value(field.kind, object, field.offset, numbers, queue);
                        parts.push(format!("{}={value}", self.classes.symbols.text(field.name)));
                    }
                }
            }
        }
        format!("{name}{{{}}}", parts.join(","))
    }

    fn is_opaque(&self, class: ClassId) -> bool {
        if self.is_subclass(class, self.known.thread) {
            return true;
        }
        let name = self.class_name(class);
        let atomic = name.starts_with("java/util/concurrent/atomic/");
        self.class(class).concurrent && !atomic || name.starts_with("java/lang/ref/")
    }
}
