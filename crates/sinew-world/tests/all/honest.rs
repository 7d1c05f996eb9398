//! A small simulation with complete records, for the tests of recordings, audit and metrics.
//!
//! Forward dynamics with given forces, semi-implicit Euler, every force on record. It shares no code with the world's
//! step.

use sinew_dynamics::spatial::{Inertia, Vec3};
use sinew_dynamics::{
    BodyId, BodySpec, Data, Geom, JointKind, JointSpec, Model, ModelSpec, Shape, aba, characters,
    forward_velocities, passive_force,
};
use sinew_world::audit::{AuditReport, Options};
use sinew_world::recording::{Meta, Recorder, Recording, Setup};
use sinew_world::{ContactForce, OutsideForce, StepFrame};

/// What acts during one step.
#[derive(Clone, Debug, Default)]
pub(crate) struct Forces {
    pub(crate) tau: Vec<f64>,
    pub(crate) constraint: Vec<f64>,
    pub(crate) contacts: Vec<ContactForce>,
    pub(crate) outside: Vec<OutsideForce>,
    /// Generalised force that is not recorded.
    pub(crate) hidden: Vec<f64>,
}

/// A row of a recording.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    pub(crate) time: f64,
    pub(crate) q: Vec<f64>,
    pub(crate) v: Vec<f64>,
    pub(crate) forces: Forces,
}

impl Frame {
    pub(crate) fn step(&self) -> StepFrame<'_> {
        let Forces { tau, constraint, contacts, outside, .. } = &self.forces;
        StepFrame { time: self.time, q: &self.q, v: &self.v, tau, constraint, contacts, outside }
    }
}

/// A run that can be tampered with before it is written.
#[derive(Clone, Debug)]
pub(crate) struct Run {
    pub(crate) model: Model,
    pub(crate) meta: Meta,
    pub(crate) frames: Vec<Frame>,
    pub(crate) things: Vec<String>,
}

impl Run {
    pub(crate) fn bytes(&self) -> Vec<u8> {
        let setup = Setup { things: &self.things, ..Setup::new(&self.model, self.meta.clone()) };
        let mut recorder = Recorder::in_memory(setup).expect("a recorder");
        for frame in &self.frames {
            recorder.push(&frame.step(), &[], &[]).expect("a row");
        }
        recorder.into_bytes().expect("written")
    }

    pub(crate) fn recording(&self) -> Recording {
        Recording::from_bytes(self.bytes()).expect("readable")
    }

    pub(crate) fn audit(&self) -> AuditReport {
        self.recording().audit(&Options::default())
    }
}

/// The body at the beginning of a step.
pub(crate) struct Seen<'a> {
    pub(crate) model: &'a Model,
    pub(crate) data: &'a Data,
    pub(crate) time: f64,
    pub(crate) q: &'a [f64],
    pub(crate) v: &'a [f64],
}

impl Seen<'_> {
    /// Where a point of a body is and how it moves.
    pub(crate) fn point(&self, body: BodyId, local: &Vec3) -> (Vec3, Vec3) {
        let point = self.data.body_placement(self.model, body).act(local);
        (point, self.data.point_velocity(self.model, body, &point))
    }

    /// Generalised force of a force at a point.
    pub(crate) fn generalised(&self, body: BodyId, point: &Vec3, force: &Vec3) -> Vec<f64> {
        let mut jacobian = vec![0.0; 3 * self.model.nv()];
        self.data.point_jacobian(self.model, body, point, &mut jacobian);
        jacobian.chunks_exact(3).map(|c| Vec3::from_column_slice(c).dot(force)).collect()
    }
}

/// Simulates `steps` steps under the forces that `law` gives; lists not given are zero.
pub(crate) fn simulate(
    model: &Model,
    meta: Meta,
    state: (Vec<f64>, Vec<f64>),
    steps: usize,
    mut law: impl FnMut(&Seen<'_>) -> Forces,
) -> Run {
    let (mut q, mut v) = state;
    let mut data = Data::new(model);
    let mut frames = Vec::new();
    let dt = meta.dt;
    for k in 0..steps {
        let time = k as f64 * dt;
        forward_velocities(model, &mut data, &q, &v);
        let seen = Seen { model, data: &data, time, q: &q, v: &v };
        let mut forces = law(&seen);
        for list in [&mut forces.tau, &mut forces.constraint, &mut forces.hidden] {
            list.resize(model.nv(), 0.0);
        }
        let mut total = vec![0.0; model.nv()];
        passive_force(model, &q, &v, &mut total);
        let points = forces.contacts.iter().map(|c| (c.body, c.point, c.force));
        for (body, point, force) in points.chain(forces.outside.iter().map(|o| (o.body, o.point, o.force))) {
            let push = seen.generalised(BodyId(body), &point, &force);
            total.iter_mut().zip(push).for_each(|(t, p)| *t += p);
        }
        for (k, total) in total.iter_mut().enumerate() {
            *total += forces.tau[k] + forces.constraint[k] + forces.hidden[k];
        }
        frames.push(Frame { time, q: q.clone(), v: v.clone(), forces });
        let a = aba(model, &mut data, &q, &v, &total).expect("it moves");
        v.iter_mut().zip(a).for_each(|(v, a)| *v += dt * a);
        let moved: Vec<f64> = v.iter().map(|v| dt * v).collect();
        let from = q.clone();
        model.integrate(&from, &moved, &mut q);
    }
    Run { model: model.clone(), meta, frames, things: Vec::new() }
}

/// The human tumbles freely, moves its joints and is pushed at a hand.
pub(crate) fn flight() -> Run {
    flight_with(|_, _| {})
}

/// The same with other forces added.
pub(crate) fn flight_with(mut also: impl FnMut(&Seen<'_>, &mut Forces)) -> Run {
    let model = characters::load("human").expect("built in");
    let mut v = vec![0.0; model.nv()];
    v[..6].copy_from_slice(&[0.7, -0.2, 2.0, 1.0, 2.0, -0.5]);
    let hand = model.body("lower_arm_l").expect("an arm");
    let posture = bent(&model);
    simulate(&model, Meta::new(1e-3), (posture.clone(), v), 200, |seen| {
        let mut tau = hold(seen, &posture, 100.0, 2.0);
        for (k, tau) in tau.iter_mut().enumerate().skip(6) {
            *tau += 5.0 * (20.0 * seen.time + k as f64).sin();
        }
        let mut forces = Forces { tau, ..Forces::default() };
        if (0.05..0.1).contains(&seen.time) {
            let (point, _) = seen.point(hand, &Vec3::new(0.0, 0.0, -0.2));
            forces.outside.push(OutsideForce { body: hand.0, point, force: Vec3::new(40.0, 10.0, -20.0) });
        }
        also(seen, &mut forces);
        forces
    })
}

/// The human drops on its feet, which stand on springs with friction, and tries to keep a bent posture. The elbows are
/// pressed against their stops.
pub(crate) fn landing(steps: usize) -> Run {
    let model = characters::load("human").expect("built in");
    let meta = Meta { friction: 0.8, contact_model: "springs".into(), ..Meta::new(5e-4) };
    let mut q = bent(&model);
    // soles a little above the ground
    q[2] += 0.005 - sole_height(&model, &q);
    let target = q.clone();
    let state = (q, vec![0.0; model.nv()]);
    simulate(&model, meta, state, steps, |seen| {
        let mut tau = hold(seen, &target, 600.0, 6.0);
        let mut constraint = vec![0.0; seen.model.nv()];
        for elbow in ["elbow_l", "elbow_r"] {
            let joint = &seen.model.joints()[seen.model.joint(elbow).expect("an elbow").0];
            tau[joint.v] = -5.0;
            let (angle, rate) = (seen.q[joint.q], seen.v[joint.v]);
            if angle < 0.0 {
                constraint[joint.v] = (-8000.0 * angle - 20.0 * rate).max(0.0);
            }
        }
        Forces { tau, constraint, contacts: soles(seen, 0.8), ..Forces::default() }
    })
}

/// Torques of springs and dampers towards a posture, within 90 % of the limits.
fn hold(seen: &Seen<'_>, posture: &[f64], stiffness: f64, damping: f64) -> Vec<f64> {
    let mut tau = vec![0.0; seen.model.nv()];
    seen.model.difference(seen.q, posture, &mut tau);
    for (k, tau) in tau.iter_mut().enumerate() {
        let limit = 0.9 * seen.model.effort_limits()[k];
        *tau = (stiffness * *tau - damping * seen.v[k]).clamp(-limit, limit);
    }
    tau
}

/// Forces of springs, dampers and regularised friction at the corners of the feet.
fn soles(seen: &Seen<'_>, friction: f64) -> Vec<ContactForce> {
    let mut contacts = Vec::new();
    for (index, body) in seen.model.bodies().iter().enumerate() {
        for site in body.sites.iter().filter(|s| s.name.starts_with("foot_")) {
            let (point, velocity) = seen.point(BodyId(index), &site.pos);
            if point.z > 0.01 {
                continue;
            }
            let press = (-20_000.0 * point.z - 200.0 * velocity.z).max(0.0);
            let press = if point.z < 0.0 { press } else { 0.0 };
            let slip = Vec3::new(velocity.x, velocity.y, 0.0);
            let hold = (200.0 * slip.norm()).min(friction * press);
            let drag = if slip.norm() > 0.0 { slip * (-hold / slip.norm()) } else { slip };
            contacts.push(ContactForce {
                body: index,
                other: None,
                point,
                force: Vec3::new(drag.x, drag.y, press),
                normal: Vec3::z(),
                distance: point.z,
                friction,
            });
        }
    }
    contacts
}

/// Height of the lowest corner of the feet.
fn sole_height(model: &Model, q: &[f64]) -> f64 {
    let mut data = Data::new(model);
    sinew_dynamics::forward_kinematics(model, &mut data, q);
    let corners = model.bodies().iter().enumerate().flat_map(|(i, body)| {
        let at = data.body_placement(model, BodyId(i));
        body.sites.iter().filter(|s| s.name.starts_with("foot_")).map(move |s| at.act(&s.pos).z)
    });
    corners.fold(f64::INFINITY, f64::min)
}

/// A posture away from all limits: knees, hips and ankles bent, elbows a little.
pub(crate) fn bent(model: &Model) -> Vec<f64> {
    let mut dv = vec![0.0; model.nv()];
    for joint in model.joints() {
        let side = |name: &str| joint.name.starts_with(name);
        match joint.kind {
            JointKind::Ball if side("hip") => dv[joint.v + 1] = -0.2,
            JointKind::Hinge { .. } if side("knee") => dv[joint.v] = 0.4,
            JointKind::Hinge { .. } if side("ankle_pitch") => dv[joint.v] = 0.2,
            JointKind::Hinge { .. } if side("elbow") => dv[joint.v] = 0.2,
            _ => {}
        }
    }
    let mut q = model.neutral();
    let from = q.clone();
    model.integrate(&from, &dv, &mut q);
    q
}

/// A box of 10 kg, 0.4 × 0.3 × 0.2 m.
pub(crate) const HALF: Vec3 = Vec3::new(0.2, 0.15, 0.1);

pub(crate) fn box_model() -> Model {
    let mut spec = ModelSpec::new("box");
    let body = BodySpec::new("box", None, Inertia::solid_box(10.0, HALF * 2.0));
    let shape = Geom::new(Shape::Box { half: HALF });
    spec.bodies.push(body.with_joint(JointSpec::free("root")).with_geom(shape));
    Model::new(spec).expect("a model")
}

/// The box slides along x with `speed` (0: rests) on four corners, forces by hand: the weight on the corners so that friction
/// `−μ m g` at the bottom does not tip it, `N_front − N_back = μ m g · height/length`.
pub(crate) fn sliding_box(speed: f64, friction: f64, steps: usize) -> Run {
    let model = box_model();
    let mut q = model.neutral();
    q[2] = HALF.z;
    let mut v = vec![0.0; 6];
    v[0] = speed;
    let weight = 10.0 * 9.81;
    let meta = Meta { friction, contact_model: "by hand".into(), ..Meta::new(1e-3) };
    simulate(&model, meta, (q, v), steps, |seen| {
        // Coulomb: against the sliding, and no more than what stops it within the step
        let stop = seen.v[0].abs() * 10.0 / 1e-3;
        let drag = -seen.v[0].signum() * (friction * weight).min(stop);
        let drag = if seen.v[0] == 0.0 { 0.0 } else { drag };
        let mut contacts = Vec::new();
        for (sx, sy) in [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)] {
            let corner = Vec3::new(sx * HALF.x, sy * HALF.y, -HALF.z);
            let (point, _) = seen.point(BodyId(0), &corner);
            let press = weight / 4.0 - sx * drag * HALF.z / (4.0 * HALF.x);
            // friction is shared as the load is, so that no corner leaves its cone
            let share = drag * press / weight;
            contacts.push(ContactForce {
                body: 0,
                other: None,
                point,
                force: Vec3::new(share, 0.0, press),
                normal: Vec3::z(),
                distance: point.z,
                friction,
            });
        }
        Forces { contacts, ..Forces::default() }
    })
}
