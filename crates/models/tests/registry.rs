//! Models by name, and clear words where there is none.

use sojourner_model::Model;
use sojourner_models::{ALL, Range, Visit, with};

struct Processes;

impl Visit for Processes {
    type Out = u32;

    fn visit<M: Model>(self, model: M) -> u32 {
        let mut packed = sojourner_model::Packed::new();
        sojourner_model::State::pack(&model.initial(), &mut packed);
        model.processes()
    }
}

fn processes(name: &str, parameters: &[&str]) -> Result<u32, String> {
    let parameters: Vec<String> = parameters.iter().map(ToString::to_string).collect();
    with(name, &parameters, Processes).map_err(|error| error.to_string())
}

#[test]
fn parameters_have_defaults_and_come_alone_or_with_commas() {
    assert_eq!(processes("phil", &[]), Ok(12));
    assert_eq!(processes("phil", &["n=5", "fair=false"]), Ok(5));
    assert_eq!(processes("phil", &["n=5,fair=false"]), Ok(5));
}

#[test]
fn bad_name_or_parameter_lists_the_valid_ones() {
    let error = |name, parameters: &[&str]| processes(name, parameters).unwrap_err();
    assert_eq!(
        error("fork", &[]),
        "there is no model `fork`; there are `abp`, `bakery`, `buffer`, `dekker`, `faulty`, `grid`, `peterson`, \
         `phil`, `readers-writers`, `twophase`"
    );
    assert_eq!(error("phil", &["m=3"]), "the model `phil` has no parameter `m`; it has `n`, `fair`");
    assert_eq!(error("phil", &["n=17"]), "`n` cannot be `17`: it is a number from 2 to 16");
    assert_eq!(error("phil", &["fair=1"]), "`fair` cannot be `1`: it is true or false");
    assert_eq!(
        error("faulty", &["part=soul"]),
        "`part` cannot be `soul`: it is one of invariant, initial, guard, transition, goal, may-end, words"
    );
    assert_eq!(error("phil", &["n"]), "`n` is not of the form `name=value`");
    assert_eq!(error("phil", &["n=3", "n=3"]), "`n` is given twice");
}

#[test]
fn every_model_can_be_made_at_both_ends_of_every_range() {
    for about in ALL {
        for parameter in about.parameters {
            if let Range::Number { least, most, default } = parameter.range {
                assert!((least..=most).contains(&default));
                for value in [least, most] {
                    processes(about.name, &[&format!("{}={value}", parameter.name)]).unwrap();
                }
            }
        }
        let most = about.parameters.iter().filter_map(|parameter| match parameter.range {
            Range::Number { most, .. } => Some(format!("{}={most}", parameter.name)),
            Range::Flag { .. } | Range::Word { .. } => None,
        });
        processes(about.name, &[&most.collect::<Vec<_>>().join(",")]).unwrap();
        assert!(about.to_string().starts_with(about.name));
    }
}
