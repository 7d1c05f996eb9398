//! Where and when the next foot lands: the divergent component of motion.
//!
//! A point mass over a foot at `p`, at constant height, is a linear pendulum: `c̈ = ω² (c − p)`, `ω = √(g/z)`. Its unstable part is
//! the divergent component (capture point) `ξ = c + ċ/ω` with `ξ̇ = ω (ξ − p)`, so that after a time `t`
//! ```text
//! ξ(t) = p + (ξ − p) e^{ωt}
//! ```
//! A gait with step vector `S` (the same at each step) and sideways vector `W` (of changing sign) is periodic when at each
//! landing on `p'`
//! ```text
//! ξ − p' = b = S/(e^{ωT} − 1) − W/(e^{ωT} + 1)
//! ```
//! The planner looks for the landing time and place that bring `ξ` there at least cost (after Englsberger et al. 2015 and
//! Khadiv et al. 2020, by search over the time instead of a QP, because the ground and the reach of a leg are not convex).

use sinew_dynamics::spatial::Vec3;

/// What the planner knows of the present step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Situation {
    /// Divergent component.
    pub(crate) xi: Vec3,
    /// Middle of the standing foot.
    pub(crate) stance: Vec3,
    /// `√(g/z)`, 1/s.
    pub(crate) omega: f64,
    /// Time since the standing foot landed, s.
    pub(crate) elapsed: f64,
    /// Step vector for the commanded velocity is `velocity · T`.
    pub(crate) velocity: Vec3,
    /// Sideways vector from the standing foot to the usual place of the other.
    pub(crate) sideways: Vec3,
    /// Usual time of a step, s.
    pub(crate) usual: f64,
    /// Least and greatest time of this step, s.
    pub(crate) times: [f64; 2],
    /// Forward direction.
    pub(crate) forward: Vec3,
    /// Reach of a foot relative to the standing one: back, forward, inner, outer, m.
    pub(crate) reach: [f64; 4],
    /// Costs of time and of the offset.
    pub(crate) time_cost: f64,
    pub(crate) offset_cost: f64,
    pub(crate) leg: f64,
}

/// A landing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Landing {
    /// Middle of the foot, in the horizontal plane of the standing foot.
    pub(crate) place: Vec3,
    /// Time of the whole step, s.
    pub(crate) time: f64,
    /// What it costs against the usual step.
    pub(crate) cost: f64,
}

impl Situation {
    /// Offset of the divergent component from the foot at the beginning of a step towards `sideways`.
    pub(crate) fn offset(&self, sideways: &Vec3, time: f64) -> Vec3 {
        let growth = libm::exp(self.omega * time);
        self.velocity * (time / (growth - 1.0)) + sideways / (growth + 1.0)
    }

    /// The landing if the step takes `time`.
    fn landing(&self, time: f64) -> Landing {
        let end = self.stance + (self.xi - self.stance) * libm::exp(self.omega * (time - self.elapsed));
        // the next step goes back to the other side
        let offset = self.offset(&-self.sideways, self.usual);
        let place = self.within_reach(&(end - offset));
        let usual = self.stance + self.velocity * self.usual + self.sideways;
        let miss = |a: Vec3| (a.x * a.x + a.y * a.y) / (self.leg * self.leg);
        let late = time / self.usual - 1.0;
        let cost = miss(place - usual)
            + self.time_cost * late * late
            + self.offset_cost * miss(end - place - offset);
        Landing { place, time, cost }
    }

    /// The nearest place that the leg can reach without crossing the other.
    fn within_reach(&self, place: &Vec3) -> Vec3 {
        let side = self.sideways / self.sideways.norm().max(1e-9);
        let d = place - self.stance;
        let [back, front, inner, outer] = self.reach;
        let (ahead, out) = (d.dot(&self.forward).clamp(-back, front), d.dot(&side).clamp(inner, outer));
        let mut p = self.stance + self.forward * ahead + side * out;
        p.z = self.stance.z;
        p
    }

    /// The best landing.
    pub(crate) fn plan(&self) -> Landing {
        const TRIES: usize = 24;
        let [first, last] = self.times;
        let at = |k: usize| self.landing(first + (last - first) * k as f64 / (TRIES - 1) as f64);
        let mut best = at(0);
        for k in 1..TRIES {
            let next = at(k);
            if next.cost < best.cost {
                best = next;
            }
        }
        // once more around the best
        let step = (last - first) / (TRIES - 1) as f64;
        for k in [-0.5, -0.25, 0.25, 0.5] {
            let next = self.landing((best.time + k * step).clamp(first, last));
            if next.cost < best.cost {
                best = next;
            }
        }
        best
    }
}
