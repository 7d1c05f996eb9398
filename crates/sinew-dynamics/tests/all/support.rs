//! What the tests share: random models and states, comparisons, the folder of reference material.

use rand::{RngExt, SeedableRng};
use sinew_dynamics::spatial::{Inertia, Quat, Sym3, Vec3};
use sinew_dynamics::{BodySpec, JointSpec, Model, ModelSpec};
use std::path::PathBuf;

pub(crate) struct Random(rand_pcg::Pcg64);

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
        Random(rand_pcg::Pcg64::seed_from_u64(seed))
    }

    /// Uniform in `low..high`.
    pub(crate) fn real(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.0.random::<f64>()
    }

    pub(crate) fn below(&mut self, n: usize) -> usize {
        self.0.random_range(0..n)
    }

    pub(crate) fn vec3(&mut self, scale: f64) -> Vec3 {
        Vec3::new(self.real(-scale, scale), self.real(-scale, scale), self.real(-scale, scale))
    }

    pub(crate) fn quat(&mut self) -> Quat {
        sinew_dynamics::spatial::rotation::exp(&self.vec3(1.5))
    }

    pub(crate) fn reals(&mut self, n: usize, scale: f64) -> Vec<f64> {
        (0..n).map(|_| self.real(-scale, scale)).collect()
    }

    /// A physical inertia of random shape, place and orientation.
    pub(crate) fn inertia(&mut self) -> Inertia {
        let size = self.vec3(0.4).abs() + Vec3::repeat(0.1);
        let turned = sinew_dynamics::spatial::Placement::new(self.quat(), self.vec3(0.3));
        Inertia::solid_box(self.real(0.5, 5.0), size).placed(&turned)
    }

    /// A random configuration: quaternions anywhere, numbers within ±1.5.
    pub(crate) fn configuration(&mut self, model: &Model) -> Vec<f64> {
        let mut q = model.neutral();
        let dv = self.reals(model.nv(), 1.5);
        let from = q.clone();
        model.integrate(&from, &dv, &mut q);
        q
    }

    /// A random forest of `bodies` bodies with all kinds of joints, chains of joints and welds.
    pub(crate) fn model(&mut self, bodies: usize) -> Model {
        let mut spec = ModelSpec::new("random");
        spec.gravity = self.vec3(10.0);
        for i in 0..bodies {
            let parent = if i == 0 || self.below(12) == 0 { None } else { Some(self.below(i)) };
            let mut body = BodySpec::new(format!("b{i}"), parent, self.inertia()).at(self.vec3(0.5));
            if self.below(2) == 0 {
                body = body.turned(self.quat());
            }
            let name = format!("j{i}");
            let axis = |r: &mut Random| [Vec3::x(), -Vec3::y(), Vec3::z(), r.vec3(1.0)][r.below(4)];
            let mut joints = match self.below(8) {
                0 | 1 if parent.is_none() => vec![JointSpec::free(name)],
                0..=2 => vec![JointSpec::ball(name)],
                3 => vec![JointSpec::hinge(name, axis(self))],
                4 => vec![JointSpec::slide(name, axis(self))],
                5 => JointSpec::universal(&name, axis(self), axis(self)).to_vec(),
                6 => JointSpec::planar(&name, Vec3::x(), Vec3::z()).to_vec(),
                _ if parent.is_some() => vec![],
                _ => vec![JointSpec::hinge(name, axis(self))],
            };
            for joint in &mut joints {
                if !matches!(joint.kind, sinew_dynamics::JointKind::Free) && self.below(2) == 0 {
                    joint.anchor = self.vec3(0.2);
                }
                if self.below(3) == 0 {
                    joint.armature = self.real(0.0, 0.3);
                }
                if joint.kind.nv() == 1 && self.below(3) == 0 {
                    joint.reference = self.real(-1.0, 1.0);
                }
            }
            spec.bodies.push(body.with_joints(joints));
        }
        Model::new(spec).expect("a random model is valid")
    }
}

/// A free rigid body.
pub(crate) fn rigid_body(inertia: Inertia) -> Model {
    let mut spec = ModelSpec::new("body");
    spec.bodies.push(BodySpec::new("body", None, inertia).with_joint(JointSpec::free("root")));
    Model::new(spec).expect("a valid model")
}

/// Asserts that two lists agree relative to the greatest entry of the second.
#[track_caller]
pub(crate) fn assert_close(what: &str, got: &[f64], want: &[f64], tolerance: f64) {
    let error = relative_error(got, want);
    assert!(error <= tolerance, "{what}: relative error {error:.2e}, allowed {tolerance:.0e}");
}

/// Asserts that two lists agree relative to the greatest entry of the second, or to 1 if that is greater.
#[track_caller]
pub(crate) fn assert_near(what: &str, got: &[f64], want: &[f64], tolerance: f64) {
    let scale = want.iter().fold(1.0, |m: f64, x| m.max(x.abs()));
    let error = got
        .iter()
        .zip(want)
        .map(|(a, b)| (a - b).abs() / scale)
        .fold(0.0, |m: f64, e| if e > m || e.is_nan() { e } else { m });
    assert!(
        error <= tolerance && got.len() == want.len(),
        "{what}: error {error:.2e}, allowed {tolerance:.0e}"
    );
}

pub(crate) fn relative_error(got: &[f64], want: &[f64]) -> f64 {
    assert_eq!(got.len(), want.len());
    let scale = want.iter().fold(1e-300, |m: f64, x| m.max(x.abs()));
    got.iter().zip(want).fold(0.0, |m: f64, (a, b)| {
        let e = (a - b).abs() / scale;
        if e.is_nan() { f64::INFINITY } else { m.max(e) }
    })
}

/// A file of reference material beside the workspace, or a note that the test is skipped.
pub(crate) fn shared(path: &str) -> Option<PathBuf> {
    let file = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared").join(path);
    if file.exists() {
        return Some(file);
    }
    eprintln!("skipped: no reference material ({path}) beside the workspace");
    None
}

/// `Sym3` of a diagonal.
pub(crate) fn diagonal(d: [f64; 3]) -> Sym3 {
    Sym3::diagonal(d[0], d[1], d[2])
}
