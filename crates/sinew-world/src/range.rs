//! The range of every number that a user can give, in one place.
//!
//! Beyond these ranges results are meaningless: numbers grow until they are infinite, arrays until the memory is
//! full. Command line, scenarios and studio check against this table, and `docs/limits.md` is written from it. Parameters of
//! controllers and of the body declare their own ranges beside their defaults.

use core::fmt::{self, Display, Formatter};

/// The range of a number.
///
/// ```
/// use sinew_world::range::{self, RATE};
/// assert_eq!(RATE.check(60.0), Ok(60.0));
/// assert_eq!(RATE.to_string(), "a number from 0.1 to 10000 (Hz)");
/// assert!(RATE.check(1e12).is_err() && RATE.check(f64::NAN).is_err());
/// assert_eq!(range::DURATION.to_string(), "a number above 0, at most 36000 (s)");
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    /// The quantity.
    pub of: &'static str,
    /// Unit; empty for a number without one.
    pub unit: &'static str,
    /// The least value.
    pub least: f64,
    /// The greatest value.
    pub most: f64,
    /// Whether the least value itself is too small.
    pub above: bool,
}

/// A number outside its range.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("must be {range}, not {value}")]
pub struct OutOfRange {
    /// The range.
    pub range: Range,
    /// The number.
    pub value: f64,
}

impl Range {
    /// Both ends belong to it.
    pub const fn new(of: &'static str, unit: &'static str, least: f64, most: f64) -> Range {
        Range { of, unit, least, most, above: false }
    }

    /// Numbers above 0.
    pub const fn above_zero(of: &'static str, unit: &'static str, most: f64) -> Range {
        Range { of, unit, least: 0.0, most, above: true }
    }

    /// As far to both sides of 0.
    pub const fn both_ways(of: &'static str, unit: &'static str, most: f64) -> Range {
        Range::new(of, unit, -most, most)
    }

    /// Whether a number lies in it; false for NaN.
    pub fn holds(&self, x: f64) -> bool {
        (self.least..=self.most).contains(&x) && !(self.above && x == self.least)
    }

    /// The number, if it lies in the range.
    ///
    /// # Errors
    /// When it does not.
    pub fn check(&self, value: f64) -> Result<f64, OutOfRange> {
        if self.holds(value) { Ok(value) } else { Err(OutOfRange { range: *self, value }) }
    }

    /// Reads a number in the range.
    ///
    /// # Errors
    /// In words, when the text is not a number or the number is out of range.
    pub fn parse(&self, text: &str) -> Result<f64, String> {
        text.trim().parse().ok().filter(|x| self.holds(*x)).ok_or_else(|| format!("it must be {self}"))
    }
}

impl Display for Range {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Range { least, most, .. } = self;
        match self.above {
            true => write!(f, "a number above {least}, at most {most}")?,
            false => write!(f, "a number from {least} to {most}")?,
        }
        if self.unit.is_empty() { Ok(()) } else { write!(f, " ({})", self.unit) }
    }
}

macro_rules! ranges {
    ($($(#[$doc:meta])* $name:ident = $range:expr;)*) => {
        $($(#[$doc])* pub const $name: Range = $range;)*
        /// All of them, in the order of the documentation.
        pub const ALL: &[Range] = &[$($name),*];
    };
}

ranges! {
    /// Duration of a run.
    DURATION = Range::above_zero("duration of a run", "s", 36_000.0);
    /// When something happens in a run.
    TIME = Range::new("time at which something happens", "s", 0.0, 36_000.0);
    /// How long something takes.
    SPAN = Range::new("time that a change takes", "s", 0.0, 3600.0);
    /// How long a push lasts.
    PUSH_SPAN = Range::above_zero("time that a push lasts", "s", 3600.0);
    /// Time step of a world.
    STEP = Range::new("time step", "s", 2e-5, 0.02);
    /// Impulse of a push.
    IMPULSE = Range::both_ways("impulse of a push, each axis", "N·s", 1e5);
    /// Impulse of a push over the mass of the body.
    STRENGTH = Range::both_ways("impulse of a push over the mass", "N·s/kg", 1000.0);
    /// Speed that is commanded, or at which a limp body is thrown.
    SPEED = Range::both_ways("speed of a character", "m/s", 20.0);
    /// A direction.
    DIRECTION = Range::both_ways("direction, heading, phase", "°", 36_000.0);
    /// By how much joints are off at the beginning.
    JITTER = Range::new("deviation of joints at the beginning", "rad, rad/s", 0.0, 1.0);
    /// Height from which a limp body falls.
    DROP = Range::new("height of a fall", "m", 0.0, 1000.0);
    /// Coefficient of friction.
    FRICTION = Range::new("coefficient of friction", "", 0.0, 100.0);
    /// Stiffness of contacts and limits that are springs.
    STIFFNESS = Range::new("stiffness of contacts and joint limits", "N/m, N·m/rad", 0.0, 1e9);
    /// Their damping.
    DAMPING = Range::new("damping of contacts and joint limits", "N·s/m, N·m·s/rad", 0.0, 1e7);
    /// Speed below which friction of springs holds.
    LOCK_SPEED = Range::new("speed below which friction holds", "m/s", 0.0, 10.0);
    /// Edge, radius or length of a thing.
    SIZE = Range::new("edge, radius or length of a thing", "m", 1e-3, 100.0);
    /// Mass of a thing.
    MASS = Range::new("mass of a thing", "kg", 1e-3, 1e5);
    /// Where a thing is.
    PLACE = Range::both_ways("place of a thing, each axis", "m", 1000.0);
    /// How fast a thing moves or turns.
    MOVEMENT = Range::both_ways("velocity of a thing, each axis", "m/s, rad/s", 100.0);
    /// How far a platform swings.
    AMPLITUDE = Range::both_ways("amplitude of a platform, each axis", "m", 10.0);
    /// How often.
    FREQUENCY = Range::new("frequency of a platform", "Hz", 0.0, 20.0);
    /// How far a seesaw tips.
    TIP = Range::new("tip of a seesaw", "°", 1.0, 80.0);
    /// Slope of the ground.
    PITCH = Range::both_ways("slope of the ground", "°", 45.0);
    /// Where the ground changes.
    START = Range::above_zero("way to where the ground changes", "m", 1000.0);
    /// Tread of stairs, length of ledges.
    TREAD = Range::new("tread of stairs, length of ledges", "m", 0.01, 100.0);
    /// Riser of stairs, height of ledges.
    RISE = Range::both_ways("riser of stairs, height of ledges", "m", 10.0);
    /// Difficulty of a course.
    DIFFICULTY = Range::new("difficulty of a course", "", 0.0, 1.0);
    /// Load that a limb gets.
    LOAD = Range::both_ways("load on a limb", "kg", 1000.0);
    /// Factor by which a limb changes.
    FACTOR = Range::new("factor by which a limb changes", "", 0.05, 20.0);
    /// Frames per second.
    RATE = Range::new("frames per second", "Hz", 0.1, 10_000.0);
    /// Metres per unit of a motion file.
    SCALE = Range::new("length of a unit of a motion file", "m", 1e-6, 1e6);
    /// Cut-off of smoothing.
    CUT_OFF = Range::new("cut-off of smoothing", "Hz", 0.1, 1000.0);
    /// Penetration that passes.
    PENETRATION = Range::new("penetration that passes", "mm", 0.0, 1000.0);
    /// Time that a measurement takes.
    BUDGET = Range::new("time for a benchmark", "s", 1e-3, 3600.0);
    /// Frames of a motion that is resampled.
    FRAMES = Range::new("frames of a motion that is written", "", 1.0, 4e6);
}

/// Most entries of a list in a scenario: pushes, commands, things.
pub const MOST_ENTRIES: usize = 10_000;

/// Frames that a motion has at another rate.
///
/// # Errors
/// When they are too many to write.
pub fn frames(seconds: f64, rate: f64) -> Result<f64, OutOfRange> {
    FRAMES.check(libm::floor(seconds * RATE.check(rate)?) + 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_hold_what_their_words_say() {
        for range in ALL {
            assert!(range.holds(range.most) && range.holds(range.least) != range.above, "{}", range.of);
            assert!(!range.holds(f64::NAN) && !range.holds(f64::INFINITY), "{}", range.of);
            assert!(
                !range.holds(range.most.next_up()) && !range.holds(range.least.next_down()),
                "{}",
                range.of
            );
            assert!(range.parse("1e400").is_err() && range.parse("nan").is_err(), "{}", range.of);
        }
    }
}
