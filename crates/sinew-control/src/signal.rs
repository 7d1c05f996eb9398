//! Signals: numbers that a controller reports after every decision, for plots and for "why did it fall".

/// A number that a controller reports after every decision. Its column in recordings has the same name.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Signal {
    /// Name, as in recordings.
    pub name: &'static str,
    /// Unit; empty for counts and shares.
    pub unit: &'static str,
    /// One sentence.
    pub about: &'static str,
    /// Its meaning to code that does not know the controller.
    pub meaning: Option<Meaning>,
}

/// The meaning of a signal to code that does not know the controller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Meaning {
    /// Footsteps taken so far.
    Footsteps,
    /// Progress in the motion that is followed, from 0 to 1.
    Phase,
}

impl Signal {
    /// A signal without a meaning outside its controller.
    pub const fn new(name: &'static str, unit: &'static str, about: &'static str) -> Signal {
        Signal { name, unit, about, meaning: None }
    }

    /// Progress in the motion that is followed.
    pub const fn phase() -> Signal {
        let about = "Progress in the motion, from 0 to 1";
        Signal { name: "phase", unit: "", about, meaning: Some(Meaning::Phase) }
    }

    /// The count of footsteps.
    pub const fn footsteps() -> Signal {
        let about = "Footsteps taken";
        Signal { name: "steps", unit: "", about, meaning: Some(Meaning::Footsteps) }
    }
}
