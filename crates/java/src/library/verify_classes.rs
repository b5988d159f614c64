//! `sojourner.Verify` and its like: the class files that the tool brings along, from `crates/java/verify`.

/// The class file of a class that the machine itself brings. It comes before one of that name on the class path.
pub fn verify_class(name: &str) -> Option<&'static [u8]> {
    match name {
        "sojourner/Verify" => Some(include_bytes!("../../verify/classes/sojourner/Verify.class")),
        "sojourner/Property" => Some(include_bytes!("../../verify/classes/sojourner/Property.class")),
        "sojourner/Output" => Some(include_bytes!("../../verify/classes/sojourner/Output.class")),
        "gov/nasa/jpf/vm/Verify" => Some(include_bytes!("../../verify/classes/gov/nasa/jpf/vm/Verify.class")),
        _ => None,
    }
}
