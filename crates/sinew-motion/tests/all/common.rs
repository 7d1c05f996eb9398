//! Clips that several tests use.

use sinew_dynamics::{Data, Model, Side, characters, forward_kinematics};
use sinew_motion::{Clip, Sole};
use std::sync::Arc;

pub(crate) fn human() -> Arc<Model> {
    Arc::new(characters::load("human").unwrap())
}

/// A smooth motion in which every coordinate moves: `q(t)` from the neutral pose, each tangent a sine of its own.
pub(crate) fn wave(model: &Model, t: f64) -> Vec<f64> {
    let step: Vec<f64> = (0..model.nv())
        .map(|k| 0.4 * (1.3 * t + 0.7 * k as f64).sin() * if k == 2 { 0.1 } else { 1.0 })
        .collect();
    let mut q = model.neutral();
    model.integrate(&model.neutral(), &step, &mut q);
    q
}

pub(crate) fn clip_of(model: &Arc<Model>, rate: f64, frames: usize, at: impl Fn(f64) -> Vec<f64>) -> Clip {
    let q = (0..frames).flat_map(|i| at(i as f64 / rate)).collect();
    Clip::new("test", model.clone(), rate, q).unwrap()
}

/// Largest component of `b ⊖ a`.
pub(crate) fn gap(model: &Model, a: &[f64], b: &[f64]) -> f64 {
    let mut d = vec![0.0; model.nv()];
    model.difference(a, b, &mut d);
    d.iter().fold(0.0, |m, x| m.max(x.abs()))
}

/// Greatest way of a point of a sole over the ground while it is down, m.
pub(crate) fn skate(clip: &Clip) -> f64 {
    let (model, contacts) = (clip.model(), clip.contacts.as_ref().unwrap());
    let mut data = Data::new(model);
    let mut worst: f64 = 0.0;
    for side in Side::BOTH {
        let sole = Sole::of(model, side).unwrap();
        for (points, down) in [(sole.heel, &contacts.heel), (sole.toe, &contacts.toe)] {
            for point in points {
                let mut start = None;
                for (i, q) in clip.frames().enumerate() {
                    if !down[side as usize][i] {
                        start = None;
                        continue;
                    }
                    forward_kinematics(model, &mut data, q);
                    let at = point.in_world(model, &data);
                    worst = worst.max((at - *start.get_or_insert(at)).xy().norm());
                }
            }
        }
    }
    worst
}
