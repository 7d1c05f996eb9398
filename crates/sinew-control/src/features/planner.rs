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
//! The weight does not change feet at once: for a time `τ` after a landing the centre of pressure moves from the old foot at `o` to the
//! new one, `p(t) = p' − (p' − o)(1 − t/τ)`. By the end of it that has done to `ξ` what an offset smaller by `κ (p' − o)` would have:
//! ```text
//! ξ − p' = b − κ (p' − o),        κ = ∫₀^τ ω e^{−ωt} (1 − t/τ) dt = 1 − (1 − e^{−ωτ})/(ωτ)
//! ```
//! Where the ground does not carry everywhere, the steps `k` ahead are longer by `δ_k` than usual; and in a step down the heel has to rise,
//! and the pressure rolls to the toes by `f_k g(t)`. Each adds to the offset what it takes to be there in time,
//! ```text
//! Δb = Σ_k e^{−kωT} ( (1 − κ) e^{−ωT} δ_k + f_k ∫₀^T ω e^{−ωt} g(t) dt )
//! ```
//! The planner looks for the landing time and place that bring `ξ` there at least cost (after Englsberger et al. 2015 and
//! Khadiv et al. 2020, by search over the time instead of a QP, because the ground and the reach of a leg are not convex).
//! Until then the centre of pressure works against the error as far as the soles reach, and a push that is felt now is
//! taken to last a little while, `ξ̇ = ω (ξ − p) + a/ω`: both are in the prediction.

use super::polygon::Polygon;
use sinew_dynamics::spatial::Vec3;

/// What the planner knows of the present step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Situation<'a> {
    /// Divergent component.
    pub(crate) xi: Vec3,
    /// Where the pressure begins under the standing foot, and how far ahead of it the middle of the foot is.
    pub(crate) stance: Vec3,
    pub(crate) heel_first: Vec3,
    /// Where the weight comes from since the standing foot landed, and where it will come from at the next landing.
    pub(crate) old: Vec3,
    pub(crate) leave: Vec3,
    /// Time that it takes to come over, s.
    pub(crate) transfer: f64,
    /// `√(g/z)`, 1/s.
    pub(crate) omega: f64,
    /// Time since the standing foot landed, s.
    pub(crate) elapsed: f64,
    /// Step vector for the commanded velocity is `velocity · T`.
    pub(crate) velocity: Vec3,
    /// Sideways vector from the standing foot to the usual place of the other.
    pub(crate) sideways: Vec3,
    /// By how much the next steps are longer than usual, because the ground does not carry everywhere.
    pub(crate) detours: [Vec3; DETOURS],
    /// How far forward the pressure goes during this step and the next ones, because heels have to rise, and from when to when in a
    /// step, s.
    pub(crate) toes: [Vec3; DETOURS],
    pub(crate) onto_toes: [f64; 2],
    /// Usual time of a step, s.
    pub(crate) usual: f64,
    /// Least and greatest time of this step, s.
    pub(crate) times: [f64; 2],
    /// Forward direction.
    pub(crate) forward: Vec3,
    /// Reach of a foot relative to the standing one: back, forward, inner, outer, m.
    pub(crate) reach: [f64; 4],
    /// How far the foot may land beyond the standing one, across, when it is well ahead of it or behind it, m.
    pub(crate) cross: f64,
    /// Where the centre of pressure can be, how far beyond it the body can reach by turning, m, and the gain of its feedback.
    pub(crate) support: &'a Polygon,
    pub(crate) overreach: f64,
    pub(crate) gain: f64,
    /// Acceleration of the centre of mass by a push, m/s², and how long it is taken to last, s.
    pub(crate) push: Vec3,
    pub(crate) persistence: f64,
    /// Costs of time and of the offset.
    pub(crate) time_cost: f64,
    pub(crate) offset_cost: f64,
    pub(crate) leg: f64,
}

/// A landing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Landing {
    /// Middle of the foot, on the ground.
    pub(crate) place: Vec3,
    /// Time of the whole step, s.
    pub(crate) time: f64,
    /// What it costs against the usual step.
    pub(crate) cost: f64,
}

/// What all predictions of a plan have in common.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Course {
    /// Offsets of the divergent component at the beginning of this step and of the next, with what unusual steps add.
    this: Vec3,
    next: Vec3,
    /// `κ`, and `∫₀^T ω e^{−ωt} g(t) dt`.
    share: f64,
    rolling: f64,
}

/// Number of steps ahead for which the ground is looked at.
pub(crate) const DETOURS: usize = 3;
/// Times at which landings are tried.
const TRIES: usize = 24;
/// Longest step of the prediction, s.
const STRIDE: f64 = 0.025;

impl Situation<'_> {
    /// Offset of the divergent component from the foot at the beginning of a step towards `sideways`.
    pub(crate) fn offset(&self, sideways: &Vec3, time: f64) -> Vec3 {
        let growth = libm::exp(self.omega * time);
        self.velocity * (time / (growth - 1.0)) + sideways / (growth + 1.0)
    }

    /// What is still to come, at a time since the landing, of the share of the way between the feet that the transfer adds to `ξ`:
    /// `∫ₜ^τ ω e^{−ωs} (1 − s/τ) ds`.
    fn remaining(&self, t: f64) -> f64 {
        let (w, tau) = (self.omega, self.transfer);
        if t >= tau {
            return 0.0;
        }
        let (now, end) = (libm::exp(-w * t), libm::exp(-w * tau));
        now * (1.0 - t / tau) - (now - end) / (w * tau)
    }

    /// Share of the way to the toes that the pressure has gone at a time of the step, and what is still to come of its effect:
    /// `∫ₜ^T ω e^{−ωs} g(s) ds`.
    fn rolling(&self, t: f64) -> (f64, f64) {
        let (w, [from, to]) = (self.omega, self.onto_toes);
        let share = ((t - from) / (to - from)).clamp(0.0, 1.0);
        let ramp = (libm::exp(-w * t.clamp(from, to)) - libm::exp(-w * to)) / (w * (to - from));
        (share, libm::exp(-w * t) * share - libm::exp(-w * self.usual.max(t)) + ramp)
    }

    /// What unusual steps, the first of which is the present one (0) or the next (1), add to the offset at its beginning.
    fn detour(&self, first: usize) -> Vec3 {
        let decay = libm::exp(-self.omega * self.usual);
        let (longer, rolling) = (1.0 - self.remaining(0.0), self.rolling(0.0).1);
        (first..DETOURS).rfold(Vec3::zeros(), |later, k| {
            (later + self.detours[k] * longer) * decay + self.toes[k] * rolling
        })
    }

    /// Of this step and the next, which goes back to the other side.
    pub(crate) fn course(&self) -> Course {
        Course {
            this: self.offset(&self.sideways, self.usual) + self.detour(0),
            next: self.offset(&-self.sideways, self.usual) + self.detour(1),
            share: self.remaining(0.0),
            rolling: self.rolling(0.0).1,
        }
    }

    /// Where the centre of pressure should be for a divergent component at a time of the step: the reference moves with
    /// `ξ̇ = ω (ξ − p)`, and the error is fed back.
    pub(crate) fn pressure(&self, course: &Course, xi: &Vec3, elapsed: f64) -> Vec3 {
        let way = self.stance - self.old;
        let (rolled, rolling) = self.rolling(elapsed);
        let offset = course.this + self.toes[0] * (rolling - course.rolling) - way * self.remaining(elapsed);
        let ahead = offset * libm::exp(self.omega * elapsed.min(self.usual));
        let behind = if elapsed < self.transfer { 1.0 - elapsed / self.transfer } else { 0.0 };
        let error = xi - self.stance - ahead;
        let wanted = self.stance - way * behind + self.toes[0] * rolled + error * (1.0 + self.gain);
        self.support.clamp(&wanted, -self.overreach)
    }

    /// The divergent component a little later.
    fn later(&self, course: &Course, mut xi: Vec3, from: f64, to: f64) -> Vec3 {
        let count = ((to - from) / STRIDE).ceil().max(1.0);
        let dt = (to - from) / count;
        let growth = libm::exp(self.omega * dt);
        for k in 0..count as usize {
            let t = from + k as f64 * dt;
            let p = self.pressure(course, &xi, t);
            xi = p + (xi - p) * growth;
            if t - self.elapsed < self.persistence {
                xi += self.push * (dt / self.omega);
            }
        }
        xi
    }

    /// The landing if the step takes `time` and ends with the divergent component at `end`, on the `ground` near the place wanted.
    fn landing(&self, course: &Course, end: &Vec3, time: f64, ground: &impl Fn(&Vec3) -> Vec3) -> Landing {
        let Course { next: settled, share, .. } = *course;
        // what the push still does to it after the landing
        let still = (self.persistence - (time - self.elapsed)).max(0.0);
        let end = &(end + self.push * ((1.0 - libm::exp(-self.omega * still)) / (self.omega * self.omega)));
        let wanted = (end - settled - self.leave * share) / (1.0 - share);
        let place = ground(&self.within_reach(&(wanted + self.heel_first)));
        let begin = place - self.heel_first;
        let offset = settled - (begin - self.leave) * share;
        let usual = self.stance + self.velocity * self.usual + self.sideways + self.detours[0];
        let miss = |a: Vec3| (a.x * a.x + a.y * a.y) / (self.leg * self.leg);
        let late = time / self.usual - 1.0;
        let cost = miss(begin - usual)
            + self.time_cost * late * late
            + self.offset_cost * miss(end - begin - offset);
        Landing { place, time, cost }
    }

    /// The nearest place that the leg can reach; it may cross the other one only well ahead of it or behind it.
    fn within_reach(&self, place: &Vec3) -> Vec3 {
        let side = self.sideways / self.sideways.norm().max(1e-9);
        let stance = self.stance + self.heel_first;
        let d = place - stance;
        let [back, front, inner, outer] = self.reach;
        // not `clamp`, which panics where a state that flies apart makes a bound NaN
        let ahead = d.dot(&self.forward).max(-back).min(front);
        let clear = ((ahead.abs() / self.leg - 0.2) / 0.25).clamp(0.0, 1.0);
        let out = d.dot(&side).max(inner - clear * (inner + self.cross)).min(outer);
        let mut p = stance + self.forward * ahead + side * out;
        p.z = self.stance.z;
        p
    }

    /// The best landing, with `ground` the nearest place to one that can carry a foot.
    pub(crate) fn plan(&self, ground: impl Fn(&Vec3) -> Vec3) -> Landing {
        let ([first, last], course) = (self.times, &self.course());
        let step = (last - first) / (TRIES - 1) as f64;
        let (mut xi, mut now) = (self.xi, self.elapsed);
        let mut tries =
            [(Vec3::zeros(), Landing { place: self.stance, time: last, cost: f64::INFINITY }); TRIES];
        for (k, at) in tries.iter_mut().enumerate() {
            let time = first + step * k as f64;
            xi = self.later(course, xi, now, time);
            now = time;
            *at = (xi, self.landing(course, &xi, time, &ground));
        }
        let cost = |k: usize| tries[k].1.cost;
        let best = (0..TRIES).fold(0, |best, k| if cost(k) < cost(best) { k } else { best });
        // between the tries, by a parabola: a plan that leaps from one to the next would make the foot twitch
        if best > 0 && best + 1 < TRIES {
            let (before, after) = (cost(best - 1) - cost(best), cost(best + 1) - cost(best));
            let share = 0.5 * (before - after) / (before + after).max(1e-12);
            let from = if share < 0.0 { best - 1 } else { best };
            let (earlier, time) = (tries[from].1.time, tries[best].1.time + share * step);
            let end = self.later(course, tries[from].0, earlier, time);
            let refined = self.landing(course, &end, time, &ground);
            if refined.cost <= cost(best) {
                return refined;
            }
        }
        tries[best].1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A step of a walk at 1 m/s on the left foot, with steps ahead that are not the usual ones.
    fn situation(support: &Polygon) -> Situation<'_> {
        Situation {
            xi: Vec3::zeros(),
            stance: Vec3::new(0.2, 0.1, 0.0),
            heel_first: Vec3::zeros(),
            old: Vec3::new(-0.2, -0.1, 0.0),
            leave: Vec3::new(0.33, 0.1, 0.0),
            transfer: 0.1,
            omega: 3.2,
            elapsed: 0.0,
            velocity: Vec3::x(),
            sideways: Vec3::new(0.0, -0.2, 0.0),
            detours: [Vec3::new(0.05, 0.01, 0.0), Vec3::new(-0.03, 0.0, 0.0), Vec3::new(0.02, 0.0, 0.0)],
            toes: [Vec3::new(0.13, 0.0, 0.0), Vec3::new(0.06, 0.0, 0.0), Vec3::zeros()],
            onto_toes: [0.17, 0.33],
            usual: 0.5,
            times: [0.25, 0.6],
            forward: Vec3::x(),
            reach: [0.6, 0.9, 0.1, 0.6],
            cross: 0.2,
            support,
            overreach: 10.0,
            gain: 0.9,
            push: Vec3::zeros(),
            persistence: 0.0,
            time_cost: 0.4,
            offset_cost: 100.0,
            leg: 0.93,
        }
    }

    fn wide() -> Polygon {
        let mut support = Polygon::default();
        support.set(
            [(-9.0, -9.0), (9.0, -9.0), (9.0, 9.0), (-9.0, 9.0)]
                .into_iter()
                .map(|(x, y)| Vec3::new(x, y, 0.0)),
        );
        support
    }

    /// The divergent component after a step under the pressure that is asked for (Heun's rule).
    fn fall(s: &Situation<'_>, mut xi: Vec3) -> Vec3 {
        let n = 20_000;
        let dt = s.usual / n as f64;
        let (growth, course) = (libm::exp(s.omega * dt), &s.course());
        for k in 0..n {
            let t = k as f64 * dt;
            let now = s.pressure(course, &xi, t);
            let then = s.pressure(course, &(now + (xi - now) * growth), t + dt);
            let p = (now + then) * 0.5;
            xi = p + (xi - p) * growth;
        }
        xi
    }

    /// A body that begins a step on the plan ends it where the next step begins: longer steps and toes included, and
    /// without a correction on the way.
    #[test]
    fn one_step_ends_where_the_next_begins() {
        let support = wide();
        let s = Situation { transfer: 0.0, ..situation(&support) };
        let end = fall(&s, s.stance + s.course().this);
        let place = s.stance + s.velocity * s.usual + s.sideways + s.detours[0];
        let next = place + s.course().next;
        assert!((end - next).norm() < 1e-6, "{}", (end - next).norm());
    }

    /// The time in which the weight comes over makes up for an offset that is smaller by `κ` of the way.
    #[test]
    fn the_transfer_makes_up_for_a_smaller_offset() {
        let support = wide();
        let none = [Vec3::zeros(); DETOURS];
        let s = Situation { detours: none, toes: none, ..situation(&support) };
        let offset = s.offset(&s.sideways, s.usual);
        let end = fall(&s, s.stance + offset - (s.stance - s.old) * s.remaining(0.0));
        let exact = s.stance + offset * libm::exp(s.omega * s.usual);
        assert!((end - exact).norm() < 1e-6, "{}", (end - exact).norm());
    }

    /// A kick in the middle of a step is gone at the next landing: the foot goes where the divergent component is where the next step
    /// wants it (linear pendulum, no help of the ankle, the usual time).
    #[test]
    fn an_impulse_is_absorbed_in_one_step() {
        let support = wide();
        let none = [Vec3::zeros(); DETOURS];
        let s = Situation { detours: none, toes: none, transfer: 0.0, gain: -1.0, ..situation(&support) };
        let (elapsed, kick) = (0.2, Vec3::new(0.3, 0.15, 0.0));
        let reference = s.stance + s.course().this * libm::exp(s.omega * elapsed);
        for (kick, moved) in [(Vec3::zeros(), false), (kick, true)] {
            let times = [s.usual; 2];
            let s = Situation { xi: reference + kick / s.omega, elapsed, times, ..s };
            let landing = s.plan(|place| *place);
            // the pendulum, by its closed form
            let end = s.stance + (s.xi - s.stance) * libm::exp(s.omega * (s.usual - elapsed));
            let next = s.offset(&-s.sideways, s.usual);
            assert!((end - landing.place - next).norm() < 1e-12, "{:?}", end - landing.place - next);
            let usual = s.stance + s.velocity * s.usual + s.sideways;
            assert_eq!((landing.place - usual).norm() > 0.1, moved);
        }
    }

    /// A push that goes on after the landing moves the foot by what it will do to the divergent component.
    #[test]
    fn a_push_that_goes_on_moves_the_foot() {
        let support = wide();
        let calm = situation(&support);
        let pushed = Situation { push: Vec3::y() * 2.0, persistence: 0.5, ..calm };
        let end = calm.stance + Vec3::new(0.5, -0.3, 0.0);
        let [a, b] = [&calm, &pushed].map(|s| s.landing(&s.course(), &end, 0.3, &|p| *p).place);
        let later = 2.0 * (1.0 - libm::exp(-3.2 * 0.2)) / (3.2 * 3.2);
        assert!((b - a - Vec3::y() * (later / (1.0 - calm.remaining(0.0)))).norm() < 1e-12, "{}", b - a);
    }
}
