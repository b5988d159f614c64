//! `docs/architecture.md` shows the traits of the seam as they are.

use std::path::Path;

const SOURCES: [(&str, &[&str]); 4] = [
    (include_str!("../src/program.rs"), &["Program"]),
    (include_str!("../src/reducible.rs"), &["Reducible"]),
    (include_str!("../src/stateful.rs"), &["Stateful", "Encode", "Decode"]),
    (include_str!("../src/load.rs"), &["Load"]),
];

/// The signatures of a trait. Methods with a default end in `{ .. }`.
fn signatures(source: &str, name: &str) -> String {
    let start =
        source.find(&format!("pub trait {name}: ")).or_else(|| source.find(&format!("pub trait {name} {{")));
    let body = &source[start.expect("the file has the trait")..];
    let lines = body[..body.find("\n}").expect("the trait ends")].lines();
    let shown = lines.filter_map(|line| {
        let code = line.strip_prefix("pub ").unwrap_or(line);
        let is_item = ["trait ", "    fn ", "    type "].iter().any(|item| code.starts_with(item));
        let default = code.strip_suffix('{').filter(|_| code.starts_with("    fn "));
        is_item.then(|| default.map_or(code.to_string(), |signature| format!("{signature}{{ .. }}")))
    });
    shown.chain(["}".to_string()]).collect::<Vec<_>>().join("\n")
}

#[test]
fn architecture_shows_the_traits_as_they_are() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/architecture.md");
    let text = std::fs::read_to_string(path).expect("the document is there");
    for (source, traits) in SOURCES {
        for name in traits {
            let signatures = signatures(source, name);
            assert!(text.contains(&signatures), "docs/architecture.md does not show this:\n{signatures}");
        }
    }
}
