//! Whole steps of a world on flat ground, timed one by one, without the time of the controller.
//!
//! - `step_air`: 50 steps of 1 ms at a time from random states high above the ground, no control.
//! - `step_stand`: standing on both feet, held by stable PD (Tan, Liu and Turk 2011) towards the neutral posture.
//! - `step_march`: stepping on the spot at 1 Hz, with a weak PD hand on the root that keeps it upright.
//! - `step_fallen`: limp, every part able to touch the ground, from one second to four after it was let go.
//! - `step_falls`: eight such falls from slightly different states, because the final pose is random and determines the time.

use super::Row;
use super::timing::Samples;
use anyhow::{Context, Result};
use nalgebra::{DMatrix, DVector};
use rand::{RngExt, SeedableRng};
use sinew::dynamics::spatial::{Vec3, rotation};
use sinew::dynamics::{BodyId, Data, Geom, JointKind, Model, bias_force, crba};
use sinew::world::{Actuation, Push, Terrain, World};
use std::sync::Arc;
use std::time::Instant;

/// All names, in the order of the table.
pub(crate) const NAMES: [&str; 5] = ["step_air", "step_stand", "step_march", "step_fallen", "step_falls"];

/// Times the steps that are asked for; about `20 000 · budget` each, and at least 2000.
pub(crate) fn time_all(
    model: &Model,
    asked: impl Fn(&str) -> bool,
    budget: f64,
    seed: u64,
) -> Result<Vec<Row>> {
    let steps = ((20_000.0 * budget) as usize).max(2000);
    let time = |name: &'static str| {
        let samples = match name {
            "step_air" => air(model, steps, seed),
            "step_stand" => held(model, steps, false),
            "step_march" => held(model, steps, true),
            "step_fallen" => fallen(model, steps, 1),
            _ => fallen(model, steps, 8),
        };
        Ok(Row { name, samples: samples.context(name)? })
    };
    NAMES.into_iter().filter(|name| asked(name)).map(time).collect()
}

/// Takes one step and returns its time in µs.
fn timed(world: &mut World, actuation: &[Actuation]) -> Result<f64> {
    let start = Instant::now();
    world.step(actuation)?;
    Ok(start.elapsed().as_secs_f64() * 1e6)
}

fn world_of(model: &Model) -> World {
    let mut world = World::new(Terrain::flat());
    world.add_character("body", Arc::new(model.clone()));
    world
}

fn air(model: &Model, steps: usize, seed: u64) -> Result<Samples> {
    let mut world = world_of(model);
    let mut random = rand_pcg::Pcg64::seed_from_u64(seed);
    // the sum of twelve uniform numbers is normal enough
    let mut normal = || (0..12).map(|_| random.random::<f64>()).sum::<f64>() - 6.0;
    let mut samples = Vec::with_capacity(steps);
    for k in 0..steps {
        if k % 50 == 0 {
            let (mut up, turn) =
                (model.neutral(), (0..model.nv()).map(|_| 0.6 * normal()).collect::<Vec<_>>());
            up[2] = 3.0;
            let actor = world.actor_mut(0);
            model.integrate(&up, &turn, &mut actor.q);
            actor.v.iter_mut().for_each(|v| *v = normal());
        }
        samples.push(timed(&mut world, &[])?);
    }
    Ok(Samples::new(samples))
}

fn held(model: &Model, steps: usize, march: bool) -> Result<Samples> {
    let mut world = world_of(model);
    let dt = world.settings().dt;
    let settle = (1.0 / dt) as usize;
    let mut pd = StablePd::new(model, if march { 1500.0 } else { 0.0 });
    let neutral = model.neutral();
    let mut samples = Vec::with_capacity(steps);
    for k in 0..settle + steps {
        let mut wanted = neutral.clone();
        if march {
            lift_feet(model, k as f64 * dt, &mut wanted);
        }
        let actuation = pd.act(&mut world, &wanted);
        let us = timed(&mut world, &actuation)?;
        if k >= settle {
            samples.push(us);
        }
    }
    Ok(Samples::new(samples))
}

/// Feet up and down in turn, once a second.
fn lift_feet(model: &Model, time: f64, q: &mut [f64]) {
    let phase = 2.0 * std::f64::consts::PI * time;
    for (side, sign) in [("l", 1.0), ("r", -1.0)] {
        let lift = (sign * phase.sin()).max(0.0) * 0.7;
        for (part, angle) in [("hip", -lift), ("knee", 2.0 * lift), ("ankle", -lift)] {
            let name = format!("{part}_{side}");
            let Some(joint) = model.joints().iter().find(|j| j.name == name) else { continue };
            let half = 0.5 * angle;
            q[joint.q..joint.q + 4].copy_from_slice(&[half.cos(), 0.0, half.sin(), 0.0]);
        }
    }
}

fn fallen(model: &Model, steps: usize, falls: usize) -> Result<Samples> {
    let mut spec = model.spec().clone();
    let touches = |g: &Geom| g.contype != 0 || g.conaffinity != 0;
    let friction = spec.bodies.iter().flat_map(|b| &b.geoms).find(|g| touches(g)).map_or(0.8, |g| g.friction);
    for body in spec.bodies.iter_mut().filter(|b| !b.geoms.iter().any(touches)) {
        body.geoms.iter_mut().for_each(|g| (g.contype, g.friction) = (1, friction));
    }
    let model = Model::new(spec)?;
    let mut samples = Vec::with_capacity(steps);
    while samples.len() < steps {
        for fall in 0..falls {
            let mut world = world_of(&model);
            for (k, v) in world.actor_mut(0).v.iter_mut().enumerate().skip(6) {
                *v = 0.1 * (1.7 * k as f64 + fall as f64).sin();
            }
            for k in 0..4000 {
                let us = timed(&mut world, &[])?;
                if k >= 1000 {
                    samples.push(us);
                }
            }
        }
    }
    Ok(Samples::new(samples))
}

/// Proportional-derivative control with the damping taken at the end of the step.
struct StablePd<'m> {
    model: &'m Model,
    data: Data,
    stiffness: Vec<f64>,
    damping: Vec<f64>,
}

impl<'m> StablePd<'m> {
    /// Gains 900 and 60 N·m(·s)/rad, for head and arms 150 and 12; `hand` N/m (and N·m/rad) on the root.
    fn new(model: &'m Model, hand: f64) -> StablePd<'m> {
        let (mut stiffness, mut damping) = (vec![hand; model.nv()], vec![0.2 * hand; model.nv()]);
        for joint in model.joints().iter().filter(|j| j.kind != JointKind::Free) {
            let light = ["neck", "shoulder", "elbow"].iter().any(|p| joint.name.starts_with(p));
            for dof in joint.v..joint.v + joint.kind.nv() {
                (stiffness[dof], damping[dof]) = if light { (150.0, 12.0) } else { (900.0, 60.0) };
            }
        }
        StablePd { model, data: Data::new(model), stiffness, damping }
    }

    /// Torques towards a posture; the root's share goes to the world as pushes.
    fn act(&mut self, world: &mut World, wanted: &[f64]) -> [Actuation; 1] {
        let (model, dt, nv) = (self.model, world.settings().dt, self.model.nv());
        let (q, v) = (world.actors()[0].q.clone(), world.actors()[0].v.clone());
        let ahead: Vec<f64> = v.iter().map(|v| dt * v).collect();
        let (mut next, mut error) = (q.clone(), vec![0.0; nv]);
        model.integrate(&q, &ahead, &mut next);
        model.difference(&next, wanted, &mut error);
        let pull: Vec<f64> = (0..nv).map(|i| self.stiffness[i] * error[i] - self.damping[i] * v[i]).collect();
        // warm start from the contact forces of the last step
        let mut rhs = DVector::from_column_slice(&pull);
        let mut jacobian = vec![0.0; 3 * nv];
        for c in world.report().contacts(0) {
            let data = world.actors()[0].data();
            data.point_jacobian(model, BodyId(c.body), &c.point, &mut jacobian);
            for (x, j) in rhs.iter_mut().zip(jacobian.chunks_exact(3)) {
                *x += j[0] * c.force.x + j[1] * c.force.y + j[2] * c.force.z;
            }
        }
        let bias = bias_force(model, &mut self.data, &q, &v);
        rhs.iter_mut().zip(bias).for_each(|(x, h)| *x -= h);
        let mut mass = DMatrix::from_row_slice(nv, nv, crba(model, &mut self.data, &q));
        for i in 0..nv {
            mass[(i, i)] += dt * self.damping[i];
        }
        let acceleration = mass.cholesky().map_or_else(|| DVector::zeros(nv), |m| m.solve(&rhs));
        let mut torque: Vec<f64> =
            (0..nv).map(|i| pull[i] - dt * self.damping[i] * acceleration[i]).collect();
        if self.stiffness[0] > 0.0 {
            push_root(world, &torque);
        }
        torque[..6].fill(0.0);
        let mut actuation = Actuation::none(nv);
        actuation.torque = torque;
        [actuation]
    }
}

/// The force and the moment (body axes) on the root as pushes of one step: one force, and two that make a couple.
fn push_root(world: &mut World, force: &[f64]) {
    let at = |k: usize| Vec3::new(force[k], force[k + 1], force[k + 2]);
    let q = &world.actors()[0].q;
    let turn = rotation::to_matrix(&nalgebra::Unit::new_normalize(nalgebra::Quaternion::new(
        q[3], q[4], q[5], q[6],
    )));
    let moment = at(3);
    let aside = moment.cross(&if moment.x.abs() < moment.y.abs() { Vec3::x() } else { Vec3::y() });
    let arm = aside.try_normalize(0.0).unwrap_or_else(Vec3::z);
    let couple = turn * moment.cross(&arm);
    for (point, force) in [(Vec3::zeros(), at(0)), (arm * 0.5, couple), (arm * -0.5, -couple)] {
        world.push(Push { actor: 0, body: BodyId(0), point, force, steps: 1 });
    }
}
