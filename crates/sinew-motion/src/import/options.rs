//! What the user knows better than the guesses of an importer.

use super::{Limits, ReadError};
use sinew_dynamics::spatial::{Mat3, Vec3};
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

/// How to read a file of motion. What is `None` is guessed, and the guess is in the [`Report`](super::Report).
///
/// ```
/// use sinew_motion::{Axis, ImportOptions};
/// let as_blender_writes = ImportOptions { up: Some(Axis::Z), forward: Some("-y".parse()?), scale: Some(1.0), ..Default::default() };
/// assert!(as_blender_writes.repair_spikes);
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct ImportOptions {
    /// The file's axis that points up.
    pub up: Option<Axis>,
    /// The file's axis along which the figure looks in its rest pose.
    pub forward: Option<Axis>,
    /// Metres per unit of length of the file.
    pub scale: Option<f64>,
    /// Frames per second, against what the file says.
    pub rate: Option<f64>,
    /// Whether the first frame is a pose that somebody put before the motion.
    pub drop_first_frame: Option<bool>,
    /// The skeleton (`.asf`) of an `.amc` file, for [`reference::open`](crate::reference::open); `07_01.asf` or `07.asf` beside `07_01.amc` when
    /// none.
    pub skeleton: Option<PathBuf>,
    /// Which root to take from a file with several; the first otherwise.
    pub root: Option<String>,
    /// Whether single frames in which a joint jumps away and back are bridged (they are reported in any case).
    pub repair_spikes: bool,
    /// Whether a damaged file is read as far as it makes sense, with warnings, instead of refused.
    pub salvage: bool,
    /// Sizes up to which files are read.
    pub limits: Limits,
}

impl Default for ImportOptions {
    fn default() -> ImportOptions {
        ImportOptions {
            up: None,
            forward: None,
            scale: None,
            rate: None,
            drop_first_frame: None,
            skeleton: None,
            root: None,
            repair_spikes: true,
            salvage: false,
            limits: Limits::default(),
        }
    }
}

impl ImportOptions {
    /// Refuses numbers that are no rate or scale, and axes that are not square to each other.
    pub(crate) fn check(&self, file: &str) -> Result<(), ReadError> {
        let wrong = |option, problem| Err(ReadError::Option { file: file.into(), option, problem });
        if let Some(rate) = self.rate.filter(|r| !(*r > 0.0 && r.is_finite())) {
            return wrong("rate", format!("{rate} frames per second is not a rate: it must be positive"));
        }
        if let Some(scale) = self.scale.filter(|s| !(*s > 0.0 && s.is_finite())) {
            return wrong("scale", format!("{scale} metres per unit is not a scale: it must be positive"));
        }
        if let (Some(up), Some(forward)) = (self.up, self.forward)
            && up.vector().dot(&forward.vector()) != 0.0
        {
            return wrong("forward", format!("{forward} is not square to {up}, which is up"));
        }
        Ok(())
    }
}

/// An axis of a file, with its direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Axis {
    index: usize,
    negative: bool,
}

impl Axis {
    /// The first axis.
    pub const X: Axis = Axis { index: 0, negative: false };
    /// The second axis.
    pub const Y: Axis = Axis { index: 1, negative: false };
    /// The third axis.
    pub const Z: Axis = Axis { index: 2, negative: false };

    /// The other direction of the same axis.
    #[must_use]
    pub fn reversed(self) -> Axis {
        Axis { negative: !self.negative, ..self }
    }

    /// The unit vector along it.
    pub fn vector(self) -> Vec3 {
        let mut v = Vec3::zeros();
        v[self.index] = if self.negative { -1.0 } else { 1.0 };
        v
    }

    /// The axis nearest to a vector; of equally near ones the first.
    pub(crate) fn nearest(v: &Vec3) -> Axis {
        let index = (1..3).fold(0, |k, i| if v[i].abs() > v[k].abs() { i } else { k });
        Axis { index, negative: v[index] < 0.0 }
    }
}

impl fmt::Display for Axis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", if self.negative { "-" } else { "+" }, ["x", "y", "z"][self.index])
    }
}

impl FromStr for Axis {
    type Err = String;

    fn from_str(text: &str) -> Result<Axis, String> {
        let (negative, letter) = match text.strip_prefix('-') {
            Some(letter) => (true, letter),
            None => (false, text.strip_prefix('+').unwrap_or(text)),
        };
        let index = match letter {
            "x" | "X" => 0,
            "y" | "Y" => 1,
            "z" | "Z" => 2,
            _ => return Err(format!("`{text}` is no axis: x, y, z, -x, -y or -z")),
        };
        Ok(Axis { index, negative })
    }
}

/// The rotation from a file's axes to ours: `forward` becomes x, `up` becomes z.
///
/// For the usual BVH file, up +y and forward +z, that is `(x, y, z) → (z, x, y)`.
///
/// ```
/// use sinew_dynamics::spatial::Vec3;
/// use sinew_motion::{Axis, import::axes};
/// assert_eq!(axes(Axis::Y, Axis::Z) * Vec3::new(1.0, 2.0, 3.0), Vec3::new(3.0, 1.0, 2.0));
/// ```
pub fn axes(up: Axis, forward: Axis) -> Mat3 {
    let (up, forward) = (up.vector(), forward.vector());
    let left = up.cross(&forward);
    Mat3::from_rows(&[forward.transpose(), left.transpose(), up.transpose()])
}
