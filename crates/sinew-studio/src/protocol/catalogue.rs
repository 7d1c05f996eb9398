//! The catalogue in the first message: systems, their parameters, styles and requests, as each system declares them.

use serde::{Deserialize, Serialize};
use sinew::control::{Group, Kind, Param, RequestKind, Signal, Stage, System, Value};

/// A value in messages: numbers with the unit `°` are in degrees.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Said {
    /// A number.
    Number(f64),
    /// True or false.
    Flag(bool),
    /// One of several names.
    Name(String),
    /// Numbers.
    Numbers(Vec<f64>),
    /// An infinite end of a range.
    Endless(()),
}

/// A value as messages have it.
pub fn said(value: &Value, param: &Param) -> Said {
    match value {
        // degrees are shown as typed, without the rounding of the conversion to radians and back
        Value::Number(x) if param.scale() != 1.0 => Said::Number((1e9 * x / param.scale()).round() / 1e9),
        Value::Number(x) if x.is_finite() => Said::Number(*x),
        Value::Number(_) => Said::Endless(()),
        Value::Flag(yes) => Said::Flag(*yes),
        Value::Name(name) => Said::Name(name.clone()),
        Value::Numbers(list) => Said::Numbers(list.clone()),
    }
}

impl Said {
    /// The value for a parameter; a number is clamped to its range.
    pub fn value(&self, param: &Param) -> Value {
        match (self, param.kind) {
            (Said::Number(x), Kind::Number { range: [low, high], .. }) if !x.is_nan() => {
                Value::Number((x * param.scale()).clamp(low, high))
            }
            (Said::Endless(()), Kind::Number { range: [_, high], .. }) => Value::Number(high),
            (Said::Number(x), _) => Value::Number(*x),
            (Said::Flag(yes), _) => Value::Flag(*yes),
            (Said::Name(name), _) => Value::Name(name.clone()),
            (Said::Numbers(list), _) => Value::Numbers(list.clone()),
            (Said::Endless(()), _) => Value::Numbers(Vec::new()),
        }
    }
}

/// A system.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SystemOf {
    /// Key in messages.
    pub name: &'static str,
    /// One sentence.
    pub about: &'static str,
    /// Where it was published.
    pub paper: &'static str,
    /// Its parameters.
    pub groups: Vec<GroupOf>,
    /// Ways of moving.
    pub styles: Vec<StyleOf>,
    /// Requests that it takes.
    pub requests: Vec<RequestOf>,
    /// Its signals.
    pub signals: Vec<SignalOf>,
}

/// Parameters that belong together.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GroupOf {
    /// First part of the paths of its parameters.
    pub name: &'static str,
    /// One sentence.
    pub about: &'static str,
    /// The parameters.
    pub params: Vec<ParamOf>,
}

/// A parameter.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ParamOf {
    /// Second part of its path.
    pub name: &'static str,
    /// Its label.
    pub label: String,
    /// One sentence.
    pub about: &'static str,
    /// Unit; empty for shares and factors.
    pub unit: &'static str,
    /// Whether it is shown at first.
    pub main: bool,
    /// When a change takes effect: `live`, `build` or `prepare`.
    pub stage: &'static str,
    /// Usual value.
    pub default: Said,
    /// The values that it takes.
    #[serde(flatten)]
    pub kind: KindOf,
}

/// The values that a parameter takes.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum KindOf {
    /// A number.
    Number {
        /// Ends of its slider.
        min: f64,
        /// Ends of its slider.
        max: f64,
        /// Distance of the values that a slider takes.
        step: f64,
    },
    /// True or false.
    Flag,
    /// One of these.
    Choice {
        /// Names.
        names: &'static [&'static str],
    },
    /// Numbers above 0.
    Numbers,
}

/// A way of moving.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StyleOf {
    /// Key in messages, and what is written on the screen.
    pub name: &'static str,
    /// Paths and values.
    pub changes: Vec<(String, Said)>,
}

/// A request.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RequestOf {
    /// Key in messages, and what is written on the screen.
    pub name: &'static str,
    /// One sentence.
    pub about: &'static str,
    /// Its key.
    pub key: Option<char>,
    /// Whether a walking character must stop for it.
    pub from_standing: bool,
    /// Its parameters.
    pub params: Vec<ParamOf>,
}

/// A number that a system reports after every decision.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SignalOf {
    /// Its name, as in recordings.
    pub name: &'static str,
    /// Unit.
    pub unit: &'static str,
    /// One sentence.
    pub about: &'static str,
}

impl SystemOf {
    /// As the system declares it.
    pub fn of(system: &'static System) -> SystemOf {
        let change = |(name, value): &(&'static str, f64)| {
            let (group, param) = system.param(name)?;
            Some((format!("{}.{}", group.name, param.name), said(&Value::Number(*value), param)))
        };
        let styles = system.styles.iter().map(|style| StyleOf {
            name: style.name,
            changes: style.changes.iter().filter_map(change).collect(),
        });
        SystemOf {
            name: system.name,
            about: system.about,
            paper: system.paper,
            groups: system.groups.iter().map(GroupOf::of).collect(),
            styles: styles.collect(),
            requests: system.requests.iter().map(RequestOf::of).collect(),
            signals: system.signals().map(SignalOf::of).collect(),
        }
    }
}

impl GroupOf {
    fn of(group: &'static Group) -> GroupOf {
        GroupOf { name: group.name, about: group.about, params: params(group.params) }
    }
}

impl RequestOf {
    fn of(kind: &'static RequestKind) -> RequestOf {
        let RequestKind { name, about, key, from_standing, .. } = *kind;
        RequestOf { name, about, key, from_standing, params: params(kind.params) }
    }
}

impl SignalOf {
    fn of(signal: &'static Signal) -> SignalOf {
        SignalOf { name: signal.name, unit: signal.unit, about: signal.about }
    }
}

/// Parameters as they are declared.
pub fn params(list: &'static [Param]) -> Vec<ParamOf> {
    list.iter().map(ParamOf::of).collect()
}

impl ParamOf {
    fn of(param: &'static Param) -> ParamOf {
        let stage = match param.stage {
            Stage::Live => "live",
            Stage::Build => "build",
            Stage::Prepare => "prepare",
        };
        let default = said(&param.default(), param);
        let kind = match param.kind {
            Kind::Number { slider, .. } => {
                let [min, max] = slider.map(|end| (1e9 * end / param.scale()).round() / 1e9);
                KindOf::Number { min, max, step: step(max - min, &default) }
            }
            Kind::Flag { .. } => KindOf::Flag,
            Kind::Choice { names, .. } => KindOf::Choice { names },
            Kind::Numbers { .. } => KindOf::Numbers,
        };
        let Param { name, about, unit, main, .. } = *param;
        ParamOf { name, label: param.title(), about, unit, main, stage, default, kind }
    }
}

/// Distance of the values of a slider: about 200 of them, a power of ten, and so that the default is one of them.
fn step(span: f64, default: &Said) -> f64 {
    let coarse = 10_f64.powf((span / 200.0).log10().floor());
    let Said::Number(default) = default else { return coarse };
    let fits = |step: &f64| ((default / step).round() * step - default).abs() < 1e-6 * step;
    (0..3).map(|k| coarse * 10_f64.powi(-k)).find(fits).unwrap_or(coarse)
}
