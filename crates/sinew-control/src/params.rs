//! Parameters: one declaration for code, files, command line and sliders.
//!
//! [`parameters!`](crate::parameters) declares a struct of numbers, flags and choices with, for each, its default, range, unit and label; the doc comment
//! is what sliders and tables show. Scenario files, the command line, the studio's sliders and searches set them by name.

use core::fmt;

/// The value of a parameter.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A number.
    Number(f64),
    /// True or false.
    Flag(bool),
    /// One of several names.
    Name(String),
    /// A list of numbers.
    Numbers(Vec<f64>),
}

impl From<f64> for Value {
    fn from(x: f64) -> Value {
        Value::Number(x)
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Number(x) => write!(f, "{x}"),
            Value::Flag(yes) => write!(f, "{yes}"),
            Value::Name(name) => write!(f, "`{name}`"),
            Value::Numbers(list) => write!(f, "{list:?}"),
        }
    }
}

/// When a change of a parameter takes effect.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Stage {
    /// At the next decision.
    #[default]
    Live,
    /// When the controller is built again, from the same preparation.
    Build,
    /// After a new preparation.
    Prepare,
}

/// The values that a parameter takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// A number in a range, ends included. In files and on screens, a parameter with the unit `°` is in degrees; in code it is in rad.
    Number {
        /// Default.
        default: f64,
        /// Allowed range.
        range: [f64; 2],
        /// Range of the slider, in which the effect is visible.
        slider: [f64; 2],
    },
    /// True or false.
    Flag {
        /// Default.
        default: bool,
    },
    /// One of several names.
    Choice {
        /// Default.
        default: &'static str,
        /// All names.
        names: &'static [&'static str],
    },
    /// A list of numbers above 0.
    Numbers {
        /// Default.
        default: &'static [f64],
    },
}

/// The description of a parameter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Param {
    /// Name in code and files.
    pub name: &'static str,
    /// One sentence.
    pub about: &'static str,
    /// Label of its slider; if empty, its name.
    pub label: &'static str,
    /// Unit; empty for shares and factors.
    pub unit: &'static str,
    /// The values that it takes.
    pub kind: Kind,
    /// Whether the studio shows it at first, and not only in the full list.
    pub main: bool,
    /// When a change takes effect.
    pub stage: Stage,
}

impl Param {
    /// Its default.
    pub fn default(&self) -> Value {
        match self.kind {
            Kind::Number { default, .. } => Value::Number(default),
            Kind::Flag { default } => Value::Flag(default),
            Kind::Choice { default, .. } => Value::Name(default.to_owned()),
            Kind::Numbers { default } => Value::Numbers(default.to_vec()),
        }
    }

    /// Label of its slider.
    pub fn title(&self) -> String {
        if self.label.is_empty() { self.name.replace('_', " ") } else { self.label.to_owned() }
    }

    /// Factor from files and screens to code: angles are degrees there and radians in code.
    pub fn scale(&self) -> f64 {
        if self.unit == "°" { core::f64::consts::PI / 180.0 } else { 1.0 }
    }

    /// The values that it takes, in words: "a number from 0 to 1".
    pub fn wants(&self, value: &Value) -> Option<String> {
        match (self.kind, value) {
            (Kind::Number { range: [low, high], .. }, Value::Number(x)) if (low..=high).contains(x) => None,
            (Kind::Number { range: [low, high], .. }, _) => {
                // nine digits hide the rounding of the conversion to degrees
                let shown = |x: f64| (1e9 * x / self.scale()).round() / 1e9;
                Some(match (low == f64::NEG_INFINITY, high == f64::INFINITY) {
                    (false, true) => format!("a number, {} or more", shown(low)),
                    (true, true) => "a number".to_owned(),
                    _ => format!("a number from {} to {}", shown(low), shown(high)),
                })
            }
            (Kind::Flag { .. }, Value::Flag(_)) => None,
            (Kind::Flag { .. }, _) => Some("true or false".to_owned()),
            (Kind::Choice { names, .. }, Value::Name(name)) if names.contains(&name.as_str()) => None,
            (Kind::Choice { names, .. }, _) => Some(format!("one of {}", names.join(", "))),
            (Kind::Numbers { .. }, Value::Numbers(list))
                if list.iter().all(|x| *x > 0.0 && x.is_finite()) =>
            {
                None
            }
            (Kind::Numbers { .. }, _) => Some("a list of numbers above 0".to_owned()),
        }
    }
}

/// A set of parameters of a running controller, by name.
pub trait Parameters {
    /// The present value; `None` for an unknown name.
    fn value(&self, name: &str) -> Option<Value>;

    /// Sets a value; false for an unknown name or a value of another kind. Numbers are clamped to their range.
    fn set_value(&mut self, name: &str, value: &Value) -> bool;
}

/// A named set of parameters of a system.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Group {
    /// Name in files.
    pub name: &'static str,
    /// One sentence.
    pub about: &'static str,
    /// Its parameters.
    pub params: &'static [Param],
}

/// A way of moving: values of parameters that belong together. Parameters that it does not name have their defaults.
///
/// ```
/// use sinew_control::features::{Gait, STYLES};
/// let sad = STYLES.iter().find(|style| style.name == "sad").unwrap();
/// assert!(Gait::styled(sad).nod > 0.2);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Style {
    /// Its name.
    pub name: &'static str,
    /// Names of parameters, each unique in its system, and their values.
    pub changes: &'static [(&'static str, f64)],
}

/// A type whose values have names.
pub trait Choice: Copy + PartialEq + 'static {
    /// All values.
    const ALL: &'static [Self];
    /// Their names, in the same order.
    const NAMES: &'static [&'static str];

    /// The name of a value.
    fn name(self) -> &'static str {
        Self::ALL.iter().zip(Self::NAMES).find(|(v, _)| **v == self).map_or("", |(_, name)| name)
    }

    /// A value by its name.
    fn named(name: &str) -> Option<Self> {
        Self::NAMES.iter().position(|n| *n == name).and_then(|k| Self::ALL.get(k).copied())
    }
}

/// The field of a struct that holds a parameter's value.
#[doc(hidden)]
pub trait Field {
    fn read(&self) -> Value;
    fn write(&mut self, value: &Value, kind: &Kind) -> bool;
}

impl Field for f64 {
    fn read(&self) -> Value {
        Value::Number(*self)
    }

    fn write(&mut self, value: &Value, kind: &Kind) -> bool {
        match (value, kind) {
            (Value::Number(x), Kind::Number { range: [low, high], .. }) if !x.is_nan() => {
                *self = x.clamp(*low, *high);
                true
            }
            _ => false,
        }
    }
}

impl Field for bool {
    fn read(&self) -> Value {
        Value::Flag(*self)
    }

    fn write(&mut self, value: &Value, _: &Kind) -> bool {
        let Value::Flag(yes) = value else { return false };
        *self = *yes;
        true
    }
}

impl Field for Vec<f64> {
    fn read(&self) -> Value {
        Value::Numbers(self.clone())
    }

    fn write(&mut self, value: &Value, _: &Kind) -> bool {
        let Value::Numbers(list) = value else { return false };
        self.clone_from(list);
        true
    }
}

impl<T: Choice> Field for T {
    fn read(&self) -> Value {
        Value::Name(self.name().to_owned())
    }

    fn write(&mut self, value: &Value, _: &Kind) -> bool {
        let Value::Name(name) = value else { return false };
        let Some(choice) = T::named(name) else { return false };
        *self = choice;
        true
    }
}

impl Param {
    const fn new(name: &'static str, about: &'static str, kind: Kind) -> Param {
        Param { name, about: about.trim_ascii(), label: "", unit: "", kind, main: false, stage: Stage::Live }
    }

    /// A number. By default its slider goes from the low end to four times the default value.
    pub const fn number(name: &'static str, about: &'static str, default: f64, range: [f64; 2]) -> Param {
        let [low, high] = range;
        let far = if default > 0.0 && 4.0 * default < high { 4.0 * default } else { high };
        Param::new(name, about, Kind::Number { default, range, slider: [low, far] })
    }

    /// True or false.
    pub const fn flag(name: &'static str, about: &'static str, default: bool) -> Param {
        Param::new(name, about, Kind::Flag { default })
    }

    /// One of several names.
    pub const fn choice(
        name: &'static str,
        about: &'static str,
        default: &'static str,
        names: &'static [&'static str],
    ) -> Param {
        Param::new(name, about, Kind::Choice { default, names })
    }

    /// Numbers above 0.
    pub const fn numbers(name: &'static str, about: &'static str, default: &'static [f64]) -> Param {
        Param::new(name, about, Kind::Numbers { default })
    }

    /// With a unit.
    pub const fn unit(self, unit: &'static str) -> Param {
        Param { unit, ..self }
    }

    /// With a label.
    pub const fn label(self, label: &'static str) -> Param {
        Param { label, ..self }
    }

    /// With a range for its slider.
    pub const fn slider(self, low: f64, high: f64) -> Param {
        let kind = match self.kind {
            Kind::Number { default, range, .. } => Kind::Number { default, range, slider: [low, high] },
            other => other,
        };
        Param { kind, ..self }
    }

    /// Shown at first in the studio.
    pub const fn main(self) -> Param {
        Param { main: true, ..self }
    }

    /// Takes effect at this stage.
    pub const fn at(self, stage: Stage) -> Param {
        Param { stage, ..self }
    }
}

/// Declares a struct of parameters with defaults, ranges and descriptions.
///
/// ```
/// use sinew_control::{Parameters, Value, parameters};
/// parameters! {
///     /// How it bounces.
///     pub struct Bounce {
///         /// Height of a bounce.
///         height: number(0.1, [0.0, 1.0]).unit("m").main();
///         /// Whether the arms swing along.
///         arms: flag(true);
///     }
/// }
/// let mut bounce = Bounce::default();
/// assert!(bounce.set_value("height", &Value::Number(0.3)) && bounce.height == 0.3);
/// assert_eq!(Bounce::PARAMS[0].about, "Height of a bounce.");
/// ```
#[macro_export]
macro_rules! parameters {
    ($(#[$outer:meta])* pub struct $name:ident {
        $($(#[doc = $doc:literal])* $field:ident: $kind:ident($($spec:tt)*) $(.$option:ident($($arg:expr),*))*;)*
    }) => {
        $(#[$outer])*
        #[derive(Clone, Debug, PartialEq)]
        pub struct $name {
            $($(#[doc = $doc])* pub $field: $crate::parameter!(@type $kind $($spec)*),)*
        }

        impl Default for $name {
            fn default() -> $name {
                $name { $($field: $crate::parameter!(@default $kind $($spec)*),)* }
            }
        }

        #[allow(dead_code)]
        impl $name {
            /// Descriptions of all parameters.
            pub const PARAMS: &'static [$crate::Param] = &[$(
                $crate::parameter!(@param $kind stringify!($field), concat!($($doc),*); $($spec)*)
                    $(.$option($($arg),*))*,
            )*];

            /// The range of a number, ends included; a controller clamps to it.
            pub fn range(name: &str) -> Option<[f64; 2]> {
                let param = Self::PARAMS.iter().find(|p| p.name == name)?;
                match param.kind {
                    $crate::Kind::Number { range, .. } => Some(range),
                    _ => None,
                }
            }

            /// Clamps every number to its range; NaN becomes the default.
            pub fn keep_in_range(&mut self) {
                $($crate::parameter!(@keep $kind self.$field; $($spec)*);)*
            }

            /// A number by its name.
            pub fn get(&self, name: &str) -> Option<f64> {
                match $crate::Parameters::value(self, name) {
                    Some($crate::Value::Number(x)) => Some(x),
                    _ => None,
                }
            }

            /// A number by its name, to change it.
            pub fn get_mut(&mut self, name: &str) -> Option<&mut f64> {
                match name {
                    $(stringify!($field) => $crate::parameter!(@mut $kind self.$field),)*
                    _ => None,
                }
            }

            /// The defaults with the changes of a style.
            pub fn styled(style: &$crate::Style) -> $name {
                let mut styled = $name::default();
                for (name, value) in style.changes {
                    styled.get_mut(name).into_iter().for_each(|parameter| *parameter = *value);
                }
                styled
            }
        }

        impl $crate::Parameters for $name {
            fn value(&self, name: &str) -> Option<$crate::Value> {
                match name {
                    $(stringify!($field) => Some($crate::Field::read(&self.$field)),)*
                    _ => None,
                }
            }

            fn set_value(&mut self, name: &str, value: &$crate::Value) -> bool {
                let Some(param) = Self::PARAMS.iter().find(|p| p.name == name) else { return false };
                match name {
                    $(stringify!($field) => $crate::Field::write(&mut self.$field, value, &param.kind),)*
                    _ => false,
                }
            }
        }
    };
}

/// The parts of [`parameters!`].
#[doc(hidden)]
#[macro_export]
macro_rules! parameter {
    (@type number $($rest:tt)*) => { f64 };
    (@type flag $($rest:tt)*) => { bool };
    (@type numbers $($rest:tt)*) => { Vec<f64> };
    (@type choice $type:ty, $($rest:tt)*) => { $type };
    (@default number $default:expr, $($rest:tt)*) => { $default };
    (@default flag $default:expr) => { $default };
    (@default numbers $default:expr) => { $default.to_vec() };
    (@default choice $type:ty, $default:expr, $($rest:tt)*) => { $default };
    (@param number $name:expr, $about:expr; $default:expr, $range:expr) => {
        $crate::Param::number($name, $about, $default, $range)
    };
    (@param flag $name:expr, $about:expr; $default:expr) => { $crate::Param::flag($name, $about, $default) };
    (@param numbers $name:expr, $about:expr; $default:expr) => {
        $crate::Param::numbers($name, $about, &$default)
    };
    (@param choice $name:expr, $about:expr; $type:ty, $value:expr, $default:expr) => {
        $crate::Param::choice($name, $about, $default, <$type as $crate::Choice>::NAMES)
    };
    (@keep number $field:expr; $default:expr, $range:expr) => {
        let [low, high] = $range;
        $field = if $field.is_nan() { $default } else { $field.clamp(low, high) };
    };
    (@keep $kind:ident $field:expr; $($rest:tt)*) => {};
    (@mut number $field:expr) => { Some(&mut $field) };
    (@mut $kind:ident $field:expr) => { None };
}
