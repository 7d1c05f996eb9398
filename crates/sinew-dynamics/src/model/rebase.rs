//! The same body drawn in another pose.
//!
//! A hinge or slide `j` of a body does `E_j(x) = T(c) exp(a x) T(−c)`, with its axis `a` and centre `c` in the body's frame, and the body is at
//! `P E_1(q_1 − r_1) … E_n(q_n − r_n)` in its parent, `r` being the coordinates of the reference placement `P`. With the reference at `r + θ`,
//! `M_j = E_j(θ_j)`:
//! ```text
//! P' = P M_1 … M_n,        E'_j = (M_{j+1} … M_n)⁻¹ E_j (M_{j+1} … M_n)
//! ```
//! Coordinates keep their meaning, so that limits, keyframes and springs stay.

use super::{JointKind, JointSpec, ModelSpec};
use crate::spatial::{Placement, Vec3, rotation};

impl ModelSpec {
    /// The same body, with the configuration `q` as its reference placement: of hinges and slides; roots and ball joints stay as they are.
    /// For bodies that are drawn in a pose in which they cannot stand.
    ///
    /// ```
    /// use sinew_dynamics::{Data, Model, characters, forward_kinematics};
    /// let human = characters::load("human")?;
    /// let (knee, foot) = (human.joint("knee_l").unwrap(), human.body("foot_l").unwrap());
    /// let mut q = human.neutral();
    /// q[human.joints()[knee.0].q] = 0.8;
    /// let bent = Model::new(human.spec().with_reference(&q)).unwrap();
    /// assert_eq!(bent.neutral(), q);
    /// // the same coordinates are the same pose
    /// let place = |model: &Model| {
    ///     let mut data = Data::new(model);
    ///     forward_kinematics(model, &mut data, &q);
    ///     data.body_placement(model, foot).pos
    /// };
    /// assert!((place(&human) - place(&bent)).norm() < 1e-12);
    /// # Ok::<(), characters::UnknownCharacter>(())
    /// ```
    ///
    /// # Panics
    /// When `q` is shorter than a configuration.
    #[must_use]
    pub fn with_reference(&self, q: &[f64]) -> ModelSpec {
        let mut spec = self.clone();
        // where the coordinates of a body end
        let mut end = 0;
        for body in &mut spec.bodies {
            end += body.joints.iter().map(|joint| joint.kind.nq()).sum::<usize>();
            let mut coordinate = end;
            // from the last joint inwards
            let mut outer = Placement::identity();
            for joint in body.joints.iter_mut().rev() {
                coordinate -= joint.kind.nq();
                let moved = motion(joint, q[coordinate]);
                joint.anchor = outer.inverse().act(&joint.anchor);
                match &mut joint.kind {
                    JointKind::Hinge { axis } | JointKind::Slide { axis } => {
                        *axis = outer.rot.tr_mul(axis);
                        joint.reference = q[coordinate];
                    }
                    JointKind::Free | JointKind::Ball => {}
                }
                outer = moved * outer;
            }
            if outer != Placement::identity() {
                let placed = body.placement() * outer;
                (body.pos, body.quat) = (placed.pos, rotation::from_matrix(&placed.rot));
            }
        }
        spec
    }
}

/// What a joint does to its body between its reference and another value.
fn motion(joint: &JointSpec, value: f64) -> Placement {
    let by = value - joint.reference;
    match joint.kind {
        JointKind::Hinge { axis } => {
            let turn = rotation::exp(&(axis.normalize() * by));
            let about = Placement::new(turn, Vec3::zeros());
            Placement::new(turn, joint.anchor - about.act(&joint.anchor))
        }
        JointKind::Slide { axis } => Placement::new(rotation::exp(&Vec3::zeros()), axis.normalize() * by),
        JointKind::Free | JointKind::Ball => Placement::identity(),
    }
}

#[cfg(test)]
mod tests {
    use crate::{Data, Model, forward_kinematics};

    /// A chain with several joints per body, their centres off the bodies' origins.
    #[test]
    fn the_same_coordinates_are_the_same_pose() {
        let text = r#"<mujoco><worldbody>
            <body name="root" pos="0 0 1" euler="10 20 30"><freejoint/><geom size="0.1"/>
            <body name="a" pos="0.1 0.2 -0.3" euler="40 -20 10">
            <joint name="a1" type="hinge" axis="1 0 0.2" pos="0.01 0.02 0.03" ref="10"/>
            <joint name="a2" type="slide" axis="0 1 1" pos="0 0.1 0"/>
            <joint name="a3" type="hinge" axis="0 0 1" pos="-0.05 0 0.02"/>
            <geom size="0.1"/>
            <body name="b" pos="0.3 0 0"><joint name="b1" type="hinge" axis="0.3 1 0"/><geom size="0.1"/></body>
            </body></body></worldbody></mujoco>"#;
        let model = Model::from_mjcf(text).unwrap().0;
        let mut reference = model.neutral();
        let joint = |name: &str| model.joints()[model.joint(name).unwrap().0].q;
        for (name, value) in [("a1", 0.7), ("a2", 0.15), ("a3", -0.9), ("b1", 1.1)] {
            reference[joint(name)] = value;
        }
        let rebased = Model::new(model.spec().with_reference(&reference)).unwrap();
        assert_eq!(rebased.neutral(), reference);
        let mut q = reference.clone();
        for (name, by) in [("a1", -0.4), ("a2", 0.2), ("a3", 0.5), ("b1", -2.0)] {
            q[joint(name)] += by;
        }
        let (mut before, mut after) = (Data::new(&model), Data::new(&rebased));
        for q in [&reference, &q, &model.neutral()] {
            forward_kinematics(&model, &mut before, q);
            forward_kinematics(&rebased, &mut after, q);
            for name in ["root", "a", "b"] {
                let body = model.body(name).unwrap();
                let (a, b) = (before.body_placement(&model, body), after.body_placement(&rebased, body));
                assert!((a.pos - b.pos).norm() < 1e-12 && (a.rot - b.rot).norm() < 1e-12, "{name}");
            }
        }
    }
}
