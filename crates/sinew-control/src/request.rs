//! Requests to a running controller: a jump, another style, a goal.

use crate::params::{Param, Parameters, Value};

/// A kind of request that a system takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RequestKind {
    /// Name in files and messages.
    pub name: &'static str,
    /// One sentence.
    pub about: &'static str,
    /// Its parameters.
    pub params: &'static [Param],
    /// Its key in the studio, lower case, if one is free.
    pub key: Option<char>,
    /// Whether the character must stand for it: the studio stops a walking character first.
    pub from_standing: bool,
}

impl RequestKind {
    /// Without a key, possible at any time.
    pub const fn new(name: &'static str, about: &'static str, params: &'static [Param]) -> RequestKind {
        RequestKind { name, about, params, key: None, from_standing: false }
    }

    /// With a key in the studio.
    #[must_use]
    pub const fn key(self, key: char) -> RequestKind {
        RequestKind { key: Some(key), ..self }
    }

    /// Possible from standing only.
    #[must_use]
    pub const fn from_standing(self) -> RequestKind {
        RequestKind { from_standing: true, ..self }
    }
}

/// A request.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    /// Name of its kind.
    pub name: &'static str,
    /// Values of its parameters; the others have their defaults.
    pub values: Vec<(&'static str, Value)>,
}

impl Request {
    /// A request with default values.
    pub fn new(kind: &RequestKind) -> Request {
        Request { name: kind.name, values: Vec::new() }
    }

    /// The request with these parameters: it lists those that differ from the default.
    pub fn of(kind: &RequestKind, parameters: &dyn Parameters) -> Request {
        let differs = |p: &&'static Param| parameters.value(p.name).is_some_and(|v| v != p.default());
        let value = |p: &'static Param| Some((p.name, parameters.value(p.name)?));
        Request { name: kind.name, values: kind.params.iter().filter(differs).filter_map(value).collect() }
    }

    /// All parameters: the given values, and defaults for the others.
    pub fn fill<P: Parameters + Default>(&self) -> P {
        let mut parameters = P::default();
        for (name, value) in &self.values {
            // names and values were checked against the kind when the request was made
            parameters.set_value(name, value);
        }
        parameters
    }
}
