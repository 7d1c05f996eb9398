//! Joints turned further than the motion turns them: forward-kinematic edits.

use crate::layout::{Layout, quat_at, vec3_at, write_quat};
use sinew_dynamics::spatial::rotation;
use sinew_dynamics::{Model, spatial::Quat};

/// Amounts by which joints are moved on top of a motion.
///
/// ```
/// use sinew_dynamics::characters;
/// use sinew_motion::edit::Offsets;
/// let human = characters::load("human")?;
/// let elbow = &human.joints()[human.joint("elbow_l").unwrap().0];
/// let mut offsets = Offsets::new(&human);
/// offsets.amounts_mut()[elbow.v] = 0.5;
/// let mut q = human.neutral();
/// offsets.apply(0.5, &mut q); // half of it, for instance while it fades in
/// assert_eq!(q[elbow.q], 0.25);
/// # Ok::<(), characters::UnknownCharacter>(())
/// ```
#[derive(Clone, Debug)]
pub struct Offsets {
    layout: Layout,
    amounts: Vec<f64>,
}

impl Offsets {
    /// No offsets.
    pub fn new(model: &Model) -> Offsets {
        Offsets { layout: Layout::new(model), amounts: vec![0.0; model.nv()] }
    }

    /// Amounts in the order of `v`: rad and m; angle times axis for balls and the root.
    pub fn amounts_mut(&mut self) -> &mut [f64] {
        &mut self.amounts
    }

    /// `q ⊕ weight·amounts`.
    pub fn apply(&self, weight: f64, q: &mut [f64]) {
        for &(at, v) in &self.layout.numbers {
            q[at] += weight * self.amounts[v];
        }
        for &(at, v) in &self.layout.turns {
            let turned = quat_at(q, at) * rotation::exp(&(vec3_at(&self.amounts, v) * weight));
            write_quat(q, at, &Quat::new_normalize(turned.into_inner()));
        }
    }
}
