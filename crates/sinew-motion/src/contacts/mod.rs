//! Feet on the ground: when, and what follows from it.

use sinew_dynamics::Side;

/// For each frame, whether heel and toe of each foot are on the ground.
///
/// ```
/// use sinew_dynamics::Side;
/// use sinew_motion::FootContacts;
/// let mut contacts = FootContacts::none(3);
/// contacts.toe[Side::Right as usize][1] = true;
/// assert!(contacts.down(Side::Right, 1) && !contacts.down(Side::Left, 1));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FootContacts {
    /// Per side (left, right) and frame.
    pub heel: [Vec<bool>; 2],
    /// Per side (left, right) and frame.
    pub toe: [Vec<bool>; 2],
}

impl FootContacts {
    /// Feet in the air in all of `frames` frames.
    pub fn none(frames: usize) -> FootContacts {
        let feet = || [vec![false; frames], vec![false; frames]];
        FootContacts { heel: feet(), toe: feet() }
    }

    /// Whether any part of a foot is on the ground.
    pub fn down(&self, side: Side, frame: usize) -> bool {
        self.heel[side as usize][frame] || self.toe[side as usize][frame]
    }

    /// The same for a range of frames.
    ///
    /// # Panics
    /// If there are fewer frames.
    pub fn range(&self, frames: core::ops::Range<usize>) -> FootContacts {
        let part = |of: &[Vec<bool>; 2]| [0, 1].map(|side| of[side][frames.clone()].to_vec());
        FootContacts { heel: part(&self.heel), toe: part(&self.toe) }
    }
}
