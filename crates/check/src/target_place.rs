//! Where a guided search is to lead: a place that the user names, or that of a finding in a trace.

use sojourner_frontend::Destination;
use sojourner_trace::Trace;
use std::fmt;
use std::str::FromStr;

/// A place, as users give it. A trace stands for the place of its finding, and prints as that.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TargetPlace(pub Destination);

impl FromStr for TargetPlace {
    type Err = String;

    /// What a [`Destination`] is read from, or the name of a trace file.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if !text.ends_with(".json") {
            return text.parse().map(TargetPlace);
        }
        let trace = Trace::load(text).map_err(|error| error.to_string())?;
        match trace.finding.location.filter(|place| place.line > 0) {
            Some(place) => Ok(TargetPlace(Destination::Line { file: place.file, line: place.line })),
            None => Err(format!("the finding of {text} has no place in the source: write FILE:LINE")),
        }
    }
}

impl fmt::Display for TargetPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::TargetPlace;

    #[test]
    fn a_trace_that_cannot_be_read_is_no_place() {
        assert!("no-such.json".parse::<TargetPlace>().unwrap_err().contains("no-such.json"));
        assert_eq!("main.c:3".parse::<TargetPlace>().unwrap().to_string(), "main.c:3");
    }
}
