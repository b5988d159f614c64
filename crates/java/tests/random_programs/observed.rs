//! End states as explorations observe them, as the oracle has them.

use crate::java::ASSERTION;
use crate::oracle::End;
use std::collections::HashMap;

/// The number of the assertion that a finding says does not hold.
pub fn assertion(finding: &str) -> Option<usize> {
    let number = finding.strip_prefix("assertion ")?.rsplit_once(ASSERTION)?.1.trim_end_matches(')');
    Some(number.parse().expect("the number of an assertion"))
}

/// Reads the observation of an end state of the program of that class and number of threads.
pub fn end(observation: &str, class: &str, threads: usize) -> End {
    let lines: HashMap<&str, &str> = observation.lines().filter_map(|line| line.split_once('=')).collect();
    let of_class = |field: &str| lines[format!("{class}.{field}").as_str()];
    let number = |field: &str| of_class(field).parse::<i32>().expect("a number");
    // What stands between the braces of an object: `#1=int[]{1,2}`.
    let inside = |reference: &str| {
        let object = lines[reference];
        object.split_once('{').expect("a body").1.trim_end_matches('}')
    };
    let field = |body: &str, name: &str| {
        let value = body.split(',').find_map(|part| part.strip_prefix(&format!("{name}=")));
        value.expect("the field").parse::<i32>().expect("a number")
    };
    let pointer = |name: &str| {
        let reference = of_class(name);
        (reference != "null").then(|| {
            let body = inside(reference);
            (field(body, "f"), field(body, "g"))
        })
    };
    let elements: Vec<i32> =
        inside(of_class("t")).split(',').map(|value| value.parse().expect("a number")).collect();
    End {
        numbers: [number("a"), number("b"), number("v"), field(inside(of_class("c")), "value")],
        elements: elements.try_into().expect("two elements"),
        pointers: [pointer("p"), pointer("q")],
        same: of_class("p") != "null" && of_class("p") == of_class("q"),
        results: (0..threads).map(|thread| number(&format!("r{thread}"))).collect(),
        stuck: observation.contains("\nfinding: deadlock"),
        failed: None,
    }
}
