//! Sentences that several front-ends say.

/// The most places that a caveat names.
const PLACES: usize = 4;

/// The caveat about random numbers of which one value was explored. `places` are where they were drawn.
pub fn draws_caveat(places: &[String]) -> Option<String> {
    some_of(places).map(|named| format!("only one value of each random number was explored: {named}"))
}

/// The first places of a list, and how many more there are. `None` if there are none.
pub fn some_of(places: &[String]) -> Option<String> {
    let (named, more) = places.split_at(places.len().min(PLACES));
    let more = if more.is_empty() { String::new() } else { format!(" and {} more places", more.len()) };
    (!places.is_empty()).then(|| format!("{}{more}", named.join(", ")))
}
