//! The free root: where a body is as a whole, and where it faces.

use super::{JointInfo, JointKind, Model};

impl Model {
    /// The first free joint, if there is one.
    pub fn free_root(&self) -> Option<&JointInfo> {
        self.joints().iter().find(|joint| joint.kind == JointKind::Free)
    }

    /// Where the free root faces in a configuration: the angle of its x axis in the horizontal plane, rad; 0 without a free root.
    ///
    /// ```
    /// use sinew_dynamics::{Model, characters};
    /// let human = characters::load("human")?;
    /// let (mut q, mut turn) = (human.neutral(), vec![0.0; human.nv()]);
    /// turn[5] = 0.5; // about the vertical
    /// human.integrate(&human.neutral(), &turn, &mut q);
    /// assert!((human.heading(&q) - 0.5).abs() < 1e-12);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn heading(&self, q: &[f64]) -> f64 {
        let Some(root) = self.free_root() else { return 0.0 };
        let [w, x, y, z] = [3, 4, 5, 6].map(|k| q[root.q + k]);
        libm::atan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z))
    }
}
