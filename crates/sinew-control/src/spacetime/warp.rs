//! Variants of a reference: faster or slower, with longer or shorter steps, along an arc, at fewer frames per second.
//!
//! Feet slide in what comes out, as everywhere where a motion is bent; the optimisation puts them back, because a point that is down must
//! stay. Over frame `k` of `n` the way has turned by `turn · k/n`, and every step along it is turned by that and scaled by `stride`.

use super::{Ends, Reference};
use core::f64::consts::FRAC_PI_2;
use sinew_dynamics::spatial::Vec3;
use sinew_motion::Travel;

/// What is changed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Warp {
    /// How fast it is played.
    pub speed: f64,
    /// Factor of the way over the ground.
    pub stride: f64,
    /// Angle by which the way has turned at the end, rad, left positive.
    pub turn: f64,
    /// Whether the turn begins and ends gently, so that the ends are as they were.
    pub gently: bool,
}

impl Default for Warp {
    /// Nothing.
    fn default() -> Warp {
        Warp { speed: 1.0, stride: 1.0, turn: 0.0, gently: false }
    }
}

impl Warp {
    /// The variant.
    #[must_use]
    pub fn apply(&self, reference: &Reference) -> Reference {
        if *self == Warp::default() {
            return reference.clone();
        }
        self.bend(&self.retime(reference))
    }

    /// How far the way has turned after a share of it.
    fn turned(&self, share: f64) -> f64 {
        if self.gently {
            let s = libm::sin(share.clamp(0.0, 1.0) * FRAC_PI_2);
            return self.turn * s * s;
        }
        self.turn * share
    }

    fn retime(&self, reference: &Reference) -> Reference {
        let (model, n) = (&reference.model, reference.len());
        let cyclic = matches!(reference.ends, Ends::Cycle(_));
        // intervals between frames
        let spans = if cyclic { n } else { n - 1 } as f64;
        let intervals = libm::round(spans / self.speed).max(6.0);
        let count = intervals as usize + usize::from(!cyclic);
        let mut out = Reference { q: Vec::new(), down: Vec::new(), level: Vec::new(), ..reference.clone() };
        let (mut step, mut q) = (vec![0.0; model.nv()], model.neutral());
        for j in 0..count {
            let t = j as f64 * spans / intervals;
            let (k, share) = (t as usize, t - libm::floor(t));
            let (from, to) = (reference.at(k), reference.at(k + 1));
            model.difference(&from, &to, &mut step);
            step.iter_mut().for_each(|s| *s *= share);
            model.integrate(&from, &step, &mut q);
            out.q.extend_from_slice(&q);
            let near = libm::round(t) as usize;
            let near = if cyclic { near % n } else { near.min(n - 1) };
            out.down.push(reference.down[near]);
            out.level.push(reference.level[near]);
        }
        out
    }

    fn bend(&self, reference: &Reference) -> Reference {
        let (model, n, nq) = (&reference.model, reference.len(), reference.model.nq());
        let Some(root) = model.free_root() else { return reference.clone() };
        let place = |q: &[f64]| Vec3::new(q[root.q], q[root.q + 1], 0.0);
        let mut out = reference.clone();
        let first = reference.at(0);
        let (mut here, mut before) = (place(&first), place(&first));
        let mut frame = Vec::new();
        for k in 0..=n {
            frame = reference.at(k);
            let yaw = self.turned(k as f64 / n as f64);
            let turn = Travel { yaw, shift: Vec3::zeros() };
            if k > 0 {
                // turned by what holds in the middle of the step
                let middle = Travel { yaw: self.turned((k as f64 - 0.5) / n as f64), shift: Vec3::zeros() };
                here += middle.direction(&(place(&frame) - before)) * self.stride;
            }
            before = place(&frame);
            turn.apply_to(model, &mut frame);
            (frame[root.q], frame[root.q + 1]) = (here.x, here.y);
            if k < n {
                out.q[k * nq..(k + 1) * nq].copy_from_slice(&frame);
            }
        }
        if let Ends::Cycle(_) = reference.ends {
            out.ends = Ends::Cycle(Travel::between(model, out.frame(0), &frame));
        }
        out
    }
}

impl Reference {
    /// Configuration of a frame, of a cycle also beyond its end.
    fn at(&self, k: usize) -> Vec<f64> {
        let n = self.len();
        match self.ends {
            Ends::Cycle(travel) => {
                let mut q = self.frame(k % n).to_vec();
                travel.power((k / n) as i64).apply_to(&self.model, &mut q);
                q
            }
            Ends::Open { .. } => self.frame(k.min(n - 1)).to_vec(),
        }
    }

    /// The same with every `each`-th frame only; a cycle is first re-timed so that it comes out whole.
    #[must_use]
    pub fn thinned(&self, each: usize) -> Reference {
        let n = self.len();
        let cyclic = matches!(self.ends, Ends::Cycle(_));
        let whole = if cyclic && !n.is_multiple_of(each) {
            Warp { speed: n as f64 / (n / each * each) as f64, ..Warp::default() }.retime(self)
        } else {
            self.clone()
        };
        let (nq, kept) = (self.model.nq(), (0..whole.len()).step_by(each));
        let mut out = Reference { rate: self.rate / each as f64, ..whole.clone() };
        out.q = kept.clone().flat_map(|k| whole.q[k * nq..(k + 1) * nq].iter().copied()).collect();
        out.down = kept.clone().map(|k| whole.down[k]).collect();
        out.level = kept.map(|k| whole.level[k]).collect();
        out
    }

    /// A cycle several times over, as one.
    #[must_use]
    pub fn repeated(&self, times: usize) -> Reference {
        let Ends::Cycle(travel) = self.ends else { return self.clone() };
        let all = 0..self.len() * times.max(1);
        Reference {
            q: all.clone().flat_map(|k| self.at(k)).collect(),
            down: all.clone().map(|k| self.down[k % self.len()]).collect(),
            level: all.map(|k| self.level[k % self.len()]).collect(),
            ends: Ends::Cycle(travel.power(times.max(1) as i64)),
            ..self.clone()
        }
    }
}
