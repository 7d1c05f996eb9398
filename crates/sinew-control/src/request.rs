//! What a running controller can be asked for: a jump, another style, a goal.

use crate::params::{Param, Parameters, Value};

/// Something that a system can be asked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RequestKind {
    /// Name in files and messages.
    pub name: &'static str,
    /// One sentence.
    pub about: &'static str,
    /// What can be said of it.
    pub params: &'static [Param],
    /// The key that asks for it on screens, lower case, where one is free.
    pub key: Option<char>,
    /// Whether it is done from standing: the studio stops a walking character for it.
    pub from_standing: bool,
}

impl RequestKind {
    /// Without a key, done at any time.
    pub const fn new(name: &'static str, about: &'static str, params: &'static [Param]) -> RequestKind {
        RequestKind { name, about, params, key: None, from_standing: false }
    }

    /// With a key on screens.
    #[must_use]
    pub const fn key(self, key: char) -> RequestKind {
        RequestKind { key: Some(key), ..self }
    }

    /// Done from standing.
    #[must_use]
    pub const fn from_standing(self) -> RequestKind {
        RequestKind { from_standing: true, ..self }
    }
}

/// Something that is asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    /// Name of its kind.
    pub name: &'static str,
    /// What was said of it; the rest is as usual.
    pub values: Vec<(&'static str, Value)>,
}

impl Request {
    /// A request without particulars.
    pub fn new(kind: &RequestKind) -> Request {
        Request { name: kind.name, values: Vec::new() }
    }

    /// The request that these parameters describe: what differs from the default is said.
    pub fn of(kind: &RequestKind, parameters: &dyn Parameters) -> Request {
        let differs = |p: &&'static Param| parameters.value(p.name).is_some_and(|v| v != p.default());
        let value = |p: &'static Param| Some((p.name, parameters.value(p.name)?));
        Request { name: kind.name, values: kind.params.iter().filter(differs).filter_map(value).collect() }
    }

    /// What was said, on top of the defaults.
    pub fn fill<P: Parameters + Default>(&self) -> P {
        let mut parameters = P::default();
        for (name, value) in &self.values {
            // names and values were checked against the kind when the request was made
            parameters.set_value(name, value);
        }
        parameters
    }
}
