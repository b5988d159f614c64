//! How the words of the seam are spelt in JSON. The seam itself knows no format.

/// A kind of finding, by its name.
pub(crate) mod kind {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};
    use sojourner_program::Kind;
    use std::borrow::Cow;

    pub(crate) fn serialize<S: Serializer>(kind: &Kind, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(kind.name())
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Kind, D::Error> {
        let name = Cow::<str>::deserialize(from)?;
        Kind::by_name(&name).ok_or_else(|| D::Error::custom(format_args!("`{name}` is no kind of finding")))
    }
}

/// How time passed, by its name.
pub(crate) mod elapsed {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};
    use sojourner_program::Elapsed;
    use std::borrow::Cow;

    pub(crate) fn serialize<S: Serializer>(how: &Elapsed, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(how.name())
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Elapsed, D::Error> {
        let name = Cow::<str>::deserialize(from)?;
        let known = Elapsed::ALL.into_iter().find(|how| how.name() == name);
        known.ok_or_else(|| D::Error::custom(format_args!("`{name}` is no way in which time passes")))
    }
}

/// A rule for time-outs by its name, or none.
pub(crate) mod rule {
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};
    use sojourner_program::Rule;
    use std::borrow::Cow;

    pub(crate) fn serialize<S: Serializer>(rule: &Option<Rule>, to: S) -> Result<S::Ok, S::Error> {
        rule.map(Rule::name).serialize(to)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Rule>, D::Error> {
        let Some(name) = Option::<Cow<str>>::deserialize(from)? else { return Ok(None) };
        let known = Rule::ALL.into_iter().find(|rule| rule.name() == name);
        known.map(Some).ok_or_else(|| D::Error::custom(format_args!("`{name}` is no rule for time-outs")))
    }
}

/// An identity, as `0.2.1`.
pub(crate) mod identity {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};
    use sojourner_program::Identity;
    use std::borrow::Cow;

    pub(crate) fn serialize<S: Serializer>(identity: &Identity, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(identity)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Identity, D::Error> {
        let text = Cow::<str>::deserialize(from)?;
        text.parse().map_err(|_| D::Error::custom(format_args!("`{text}` is no thread identity")))
    }
}

/// A place in the source, or none.
pub(crate) mod location {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use sojourner_program::Location;

    #[derive(Serialize, Deserialize)]
    #[serde(remote = "Location")]
    struct LocationFields {
        file: String,
        #[serde(default)]
        line: u32,
        #[serde(default)]
        function: String,
    }

    #[derive(Serialize)]
    struct Lent<'a>(#[serde(with = "LocationFields")] &'a Location);

    #[derive(Deserialize)]
    struct Own(#[serde(with = "LocationFields")] Location);

    pub(crate) fn serialize<S: Serializer>(location: &Option<Location>, to: S) -> Result<S::Ok, S::Error> {
        location.as_ref().map(Lent).serialize(to)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Location>, D::Error> {
        Ok(Option::<Own>::deserialize(from)?.map(|Own(location)| location))
    }
}
