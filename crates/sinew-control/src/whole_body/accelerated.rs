//! The paper's second way to advance time: the accelerations of the optimisation are integrated as they are, at 100 Hz.
//!
//! It needs ten times fewer decisions than forward dynamics, which makes experiments quick. But the contact forces are those of the
//! optimisation: planted feet stay because an objective asks for it, complementarity is not enforced, and no audit of forces can
//! hold. Recordings made in this way are not physics and say so. Standing, squats and walks work at 100 Hz; landings of jumps,
//! where forces change within milliseconds, do not. An [`Episode`](crate::Episode) uses it when its
//! [`Beginning`](crate::Beginning) has `unphysical`.
//!
//! One step of length `h`:
//! ```text
//! q ← q ⊕ (v + ½ a h) h,    v ← v + a h
//! ```
//! A step lasts for `dt`, or until a foot reaches the ground. If landings were noticed only at the end of a tick, their delay would vary
//! from step to step, and a walk timed by its landings would never settle.
//!
//! In the air linear and angular momentum are exact: the root is moved and turned by the error of the step in coordinates,
//! so that the centre of mass flies on its parabola to rounding. Corners of soles that meet the ground, or that the
//! optimisation presses on it, are stopped there by the impulses `p` of least size, `M Δv = Jᵀp`, `J (v + Δv) = 0`, that do not pull.

use super::kinetics::Kinetics;
use super::sole::Sole;
use super::solver::WholeBody;
use crate::{Advanced, Observation};
use sinew_dynamics::spatial::Vec3;
use sinew_dynamics::{Constraint, Constraints, Data, bias_force, constrained_dynamics, forward_kinematics};
use sinew_world::{ContactForce, Terrain};
use std::sync::Arc;

/// Height over the ground at which a corner of a sole touches, m.
const TOUCH: f64 = 1e-3;
/// Upward velocity above which a corner leaves the ground even if the optimisation assumed a contact there, m/s.
const LEAVING: f64 = 0.15;
/// Rate at which a stopped corner returns to the height of the ground, 1/s.
const BACK: f64 = 20.0;
/// Bisections of a step to find a landing.
const BISECTIONS: usize = 20;

/// Coefficient of friction that contacts report.
const FRICTION: f64 = 0.8;

/// Integrates the accelerations of an optimisation.
#[derive(Debug)]
pub(crate) struct Accelerated {
    dt: f64,
    soles: [Sole; 2],
    root: Option<(usize, usize)>,
    kinetics: Kinetics,
    data: Data,
    contacts: Vec<ContactForce>,
    q: Vec<f64>,
    v: Vec<f64>,
    /// Where a step begins, and how far it goes.
    from: Vec<f64>,
    change: Vec<f64>,
}

impl Accelerated {
    /// For the body of an optimisation, with its soles.
    pub(crate) fn new(body: &WholeBody, soles: &[Sole; 2]) -> Accelerated {
        let model = body.kinetics.model();
        let free = model.free_root();
        Accelerated {
            dt: 0.0,
            soles: soles.clone(),
            root: free.map(|j| (j.q, j.v)),
            data: Data::new(model),
            contacts: Vec::new(),
            q: model.neutral(),
            v: vec![0.0; model.nv()],
            from: model.neutral(),
            change: vec![0.0; model.nv()],
            kinetics: Kinetics::new(Arc::clone(model)),
        }
    }

    /// Advances the observed state with the accelerations of the last solve: by `dt`, or until a foot reaches the ground.
    pub(crate) fn step(&mut self, body: &WholeBody, seen: &Observation<'_>, next: &mut Advanced) {
        self.dt = seen.dt;
        self.from.copy_from_slice(seen.q);
        self.q.copy_from_slice(seen.q);
        self.v.copy_from_slice(seen.v);
        let before = &body.kinetics;
        let (com, rate, a) = (before.com(), before.com_velocity(), body.com_acceleration());
        let spin = before.angular_momentum();
        let h = self.until_landing(body.acceleration(), seen.terrain);
        self.glide(body.acceleration(), h);
        self.v.iter_mut().zip(body.acceleration()).for_each(|(v, a)| *v += a * h);
        self.kinetics.update(&self.q, &self.v);
        if body.footholds().is_empty() {
            self.keep_momentum(com + (rate + a * (0.5 * h)) * h, rate + a * h, spin);
        }
        self.touch(body, seen.terrain);
        next.dt = h;
        next.q.clone_from(&self.q);
        next.v.clone_from(&self.v);
        next.contacts.clone_from(&self.contacts);
    }

    /// The configuration after a time `h` of this step.
    fn glide(&mut self, acceleration: &[f64], h: f64) {
        for ((c, v), a) in self.change.iter_mut().zip(&self.v).zip(acceleration) {
            *c = (*v + 0.5 * a * h) * h;
        }
        self.kinetics.model().integrate(&self.from, &self.change, &mut self.q);
    }

    /// Height of the lowest corner of each sole over the ground in the present configuration.
    fn heights(&mut self, terrain: &Terrain) -> [f64; 2] {
        let model = self.kinetics.model();
        forward_kinematics(model, &mut self.data, &self.q);
        self.soles.each_ref().map(|sole| {
            let at = self.data.body_placement(model, sole.body);
            let height = |corner: &Vec3| {
                let p = at.act(corner);
                p.z - terrain.height(p.x, p.y)
            };
            sole.corners.iter().map(height).fold(f64::INFINITY, f64::min)
        })
    }

    /// Time within the step until a foot in the air reaches the ground.
    fn until_landing(&mut self, acceleration: &[f64], terrain: &Terrain) -> f64 {
        let off = self.heights(terrain).map(|height| height > TOUCH);
        let lands = |heights: [f64; 2]| (0..2).any(|foot| off[foot] && heights[foot] <= TOUCH);
        let (mut free, mut landed) = (0.0, self.dt);
        self.glide(acceleration, landed);
        if !lands(self.heights(terrain)) {
            return self.dt;
        }
        for _ in 0..BISECTIONS {
            let middle = 0.5 * (free + landed);
            self.glide(acceleration, middle);
            *(if lands(self.heights(terrain)) { &mut landed } else { &mut free }) = middle;
        }
        landed
    }

    /// Moves and turns the root so that the body has the given centre of mass and momenta.
    fn keep_momentum(&mut self, com: Vec3, rate: Vec3, spin: Vec3) {
        let Some((iq, iv)) = self.root else { return };
        let k = &self.kinetics;
        let (shift, faster) = (com - k.com(), rate - k.com_velocity());
        let lacking = spin - k.angular_momentum();
        let turn = k.derived().inertia.to_mat3().try_inverse().map_or_else(Vec3::zeros, |i| i * lacking);
        let root = k.model().joints().iter().find(|j| j.v == iv).map(|j| j.body);
        let Some(at) = root.map(|body| k.placement(body)) else { return };
        let lift = faster + turn.cross(&(at.pos - k.com()));
        let turn = at.rot.tr_mul(&turn);
        for axis in 0..3 {
            self.q[iq + axis] += shift[axis];
            self.v[iv + axis] += lift[axis];
            self.v[iv + 3 + axis] += turn[axis];
        }
        self.kinetics.update(&self.q, &self.v);
    }

    /// Stops corners of soles at the ground, and notes which touch: those that would penetrate it, and those that the optimisation
    /// presses on it.
    fn touch(&mut self, body: &WholeBody, terrain: &Terrain) {
        self.contacts.clear();
        let mut stopped = Vec::new();
        for sole in &self.soles {
            for corner in &sole.corners {
                let (point, rate) = self.kinetics.point(sole.body, corner);
                let normal = terrain.normal(point.x, point.y);
                let distance = (point.z - terrain.height(point.x, point.y)) * normal.z;
                let mut holds = body.footholds().iter().zip(body.forces());
                let held = holds.find(|(h, _)| h.body == sole.body && h.point == *corner);
                let force = held.map_or_else(Vec3::zeros, |(_, f)| *f);
                let pressed = force.dot(&normal) > 0.0 && rate.dot(&normal) < LEAVING;
                if distance > TOUCH && !pressed {
                    continue;
                }
                if rate.dot(&normal) < 0.0 || pressed {
                    let back = normal * (BACK * distance);
                    let mut stop = Constraint::point(sole.body, *corner);
                    stop.acceleration[..3].copy_from_slice((-rate - back).as_slice());
                    stopped.push((self.contacts.len(), stop));
                }
                let (body, friction) = (sole.body.0, FRICTION);
                let contact = ContactForce { body, other: None, point, force, normal, distance, friction };
                self.contacts.push(contact);
            }
        }
        // the ground does not pull: release the corner with the largest pull
        while let Some(released) = self.stop(&stopped) {
            stopped.remove(released);
        }
    }

    /// Stops corners of soles by impulses. If some impulses would pull, stops none and returns the corner with the largest pull.
    fn stop(&mut self, corners: &[(usize, Constraint)]) -> Option<usize> {
        if corners.is_empty() {
            return None;
        }
        // with gravity balanced and zero velocity, "accelerations" are changes of velocity
        let model = self.kinetics.model().clone();
        let rest = vec![0.0; model.nv()];
        let weight = bias_force(&model, &mut self.data, &self.q, &rest).to_vec();
        let mut constraints = Constraints::new(&model, corners.iter().map(|c| c.1).collect());
        constraints.damping = 1e-6;
        let solved = constrained_dynamics(&model, &mut self.data, &mut constraints, &self.q, &rest, &weight);
        let impulse = solved.ok()?;
        let whole = |k: usize| {
            let p = &impulse.force[3 * k..];
            self.contacts[corners[k].0].force + Vec3::new(p[0], p[1], p[2]) / self.dt
        };
        let push = |k: &usize| whole(*k).dot(&self.contacts[corners[*k].0].normal);
        let least = (0..corners.len()).min_by(|a, b| push(a).total_cmp(&push(b)))?;
        if push(&least) < 0.0 {
            return Some(least);
        }
        let forces: Vec<Vec3> = (0..corners.len()).map(whole).collect();
        self.v.iter_mut().zip(impulse.acceleration).for_each(|(v, c)| *v += c);
        for (corner, force) in corners.iter().zip(forces) {
            self.contacts[corner.0].force = force;
        }
        None
    }
}
