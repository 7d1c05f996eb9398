//! One ragdoll, thrown at random on stairs or hills, with limbs of very unequal mass, and pushed hard.

use rand_pcg::Pcg64;
use rand_pcg::rand_core::{Rng, SeedableRng};
use sinew_dynamics::spatial::{Placement, Vec3};
use sinew_dynamics::{
    BodyId, Data, JointKind, Model, bias_force, characters, factored_mass_matrix, forward_kinematics,
    forward_velocities, kinetic_energy, potential_energy,
};
use sinew_world::terrain::{Course, Ground, Piece};
use sinew_world::{Push, Terrain, World};
use std::time::Instant;

/// Greatest force of a push, N, and ratio of the masses of two bodies.
const FORCE: f64 = 20_000.0;
const RATIO: f64 = 200.0;

/// What came of it.
pub(crate) struct Outcome {
    /// Greatest overlap with the ground, m, and its 99th percentile over all steps.
    pub(crate) penetration: f64,
    pub(crate) usual_penetration: f64,
    /// Greatest rise of the energy less the work of pushes, as a share of the greatest kinetic energy so far.
    pub(crate) energy_gain: f64,
    /// The same of what contacts and joint limits alone gave, by the equation of the step.
    pub(crate) constraint_gain: f64,
    /// Greatest distance between the two sides of a joint, m.
    pub(crate) joint_gap: f64,
    /// Mean time of a step, µs.
    pub(crate) step_us: f64,
    /// Steps whose impulses left a residual above 1e-4 m/s, a hundredth of what gravity does in a step.
    pub(crate) unconverged: usize,
    pub(crate) steps: usize,
    /// Greatest speed of any coordinate at the end, m/s or rad/s.
    pub(crate) last_speed: f64,
    /// What went wrong, if anything did.
    pub(crate) failure: Option<String>,
}

struct Random(Pcg64);

impl Random {
    /// From −1 to 1.
    fn signed(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    fn vector(&mut self) -> Vec3 {
        Vec3::new(self.signed(), self.signed(), self.signed())
    }

    fn below(&mut self, n: usize) -> usize {
        (self.0.next_u64() % n as u64) as usize
    }
}

/// A character with some bodies made heavier, so that the heaviest is up to `RATIO` times the lightest.
fn unequal(random: &mut Random, seed: u64) -> Model {
    let names = ["human", "human42", "human29", "child"];
    let mut spec = characters::load(names[seed as usize % names.len()]).expect("built in").spec().clone();
    let least = spec.bodies.iter().map(|b| b.inertia.mass).filter(|m| *m > 0.0).fold(f64::INFINITY, f64::min);
    for body in &mut spec.bodies {
        let ratio = RATIO * random.signed().abs();
        if random.below(3) == 0 && body.inertia.mass > 0.0 && least * ratio > body.inertia.mass {
            let times = least * ratio / body.inertia.mass;
            body.inertia.mass *= times;
            body.inertia.about_com = body.inertia.about_com.scaled(times);
        }
    }
    Model::new(spec).expect("heavier bodies are bodies")
}

/// Throws ragdoll number `seed` for some seconds.
pub(crate) fn throw(seed: u64, seconds: f64) -> Outcome {
    let random = &mut Random(Pcg64::seed_from_u64(seed));
    let model = unequal(random, seed);
    let course = if seed.is_multiple_of(2) { Course::Stairs } else { Course::Rough };
    let mut pieces = Terrain::generate(course, 1.0, seed).expect("a course").pieces().to_vec();
    // nothing falls for ever beside the stairs
    if course == Course::Stairs {
        pieces.push(Piece::new(Ground::Plane { height: -1.0 }, 0.8));
    }
    let mut world = World::new(Terrain::new(pieces).expect("a terrain"));
    world.add_character("ragdoll", model.clone().into());
    launch(&mut world, &model, random);
    let steps = (seconds / world.settings().dt) as usize;
    let data = &mut Data::new(&model);
    let (mut peak, mut lowest) = (0.0f64, f64::INFINITY);
    let (mut work, mut time, mut given, mut least_given) = (0.0, 0.0, 0.0, 0.0f64);
    let mut overlaps = Vec::with_capacity(steps);
    let mut out = Outcome {
        penetration: 0.0,
        usual_penetration: 0.0,
        energy_gain: 0.0,
        constraint_gain: 0.0,
        joint_gap: 0.0,
        step_us: 0.0,
        unconverged: 0,
        steps,
        last_speed: 0.0,
        failure: None,
    };
    for k in 0..steps {
        // a push every half second
        if k % 500 == 250 {
            let direction = random.vector();
            let force = direction * (FORCE * random.signed().abs() / direction.norm());
            let body = BodyId(random.below(model.bodies().len()));
            let steps = 1 + random.below(5) as u64;
            world.push(Push { actor: 0, body, point: random.vector() * 0.05, force, steps });
        }
        let begin = Instant::now();
        if let Err(error) = world.step(&[]) {
            out.failure = Some(error.to_string());
            break;
        }
        time += begin.elapsed().as_secs_f64();
        out.unconverged += usize::from(world.report().solve.residual > 1e-4);
        let overlap = world.report().contacts(0).iter().map(|c| -c.distance).fold(0.0, f64::max);
        overlaps.push(overlap);
        let Ledger { kinetic, energy, pushed, held } = Ledger::of(&world, &model, data);
        (work, given) = (work + pushed, given + held);
        least_given = least_given.min(given);
        peak = peak.max(kinetic);
        lowest = lowest.min(energy - work);
        out.energy_gain = out.energy_gain.max((energy - work - lowest) / peak.max(1.0));
        out.constraint_gain = out.constraint_gain.max((given - least_given) / peak.max(1.0));
        if k % 50 == 0 {
            forward_kinematics(&model, data, &world.actors()[0].q);
            out.joint_gap = out.joint_gap.max(joint_gap(&model, data));
        }
    }
    overlaps.sort_by(f64::total_cmp);
    out.penetration = overlaps.last().copied().unwrap_or(0.0);
    out.usual_penetration = overlaps.get(overlaps.len() * 99 / 100).copied().unwrap_or(0.0);
    out.step_us = 1e6 * time / overlaps.len().max(1) as f64;
    let actor = &world.actors()[0];
    out.last_speed = actor.v.iter().fold(0.0, |m, v| v.abs().max(m));
    let under = world.terrain().height(actor.q[0], actor.q[1]) - actor.q[2];
    if out.failure.is_none() && under > 0.3 {
        out.failure = Some(format!("it fell through the ground, {under:.2} m under it"));
    }
    out
}

/// Somewhere above the course, in any posture and orientation, at up to 10 m/s.
fn launch(world: &mut World, model: &Model, random: &mut Random) {
    let (x, y) = (3.0 + 8.0 * random.signed().abs(), 0.3 * random.signed());
    let height = world.terrain().height(x, y) + 1.5 + random.signed().abs();
    let mut turn: Vec<f64> = (0..model.nv()).map(|_| 0.5 * random.signed()).collect();
    (3..6).for_each(|k| turn[k] = 3.0 * random.signed());
    let actor = world.actor_mut(0);
    let start = actor.q.clone();
    model.integrate(&start, &turn, &mut actor.q);
    actor.q[..3].copy_from_slice(&[x, y, height]);
    for (k, v) in actor.v.iter_mut().enumerate() {
        *v = if k < 3 { 6.0 * random.signed() } else { 5.0 * random.signed() };
    }
    // postures within the limits
    for joint in model.joints() {
        let spec = &model.bodies()[joint.body.0].joints[joint.nth];
        let Some([low, high]) = spec.range else { continue };
        match joint.kind {
            JointKind::Ball => {
                let q = &mut actor.q[joint.q..joint.q + 4];
                // half the greatest angle at most
                let least = (0.25 * high).cos();
                if q[0].abs() < least {
                    q.copy_from_slice(&[1.0, 0.0, 0.0, 0.0]);
                }
            }
            JointKind::Free => {}
            _ => actor.q[joint.q] = actor.q[joint.q].clamp(low, high),
        }
    }
}

/// Energy in a step, J.
struct Ledger {
    kinetic: f64,
    energy: f64,
    /// Work of pushes, and of contacts, limits and brakes: impulses along the mean of the velocities before and after.
    pushed: f64,
    held: f64,
}

impl Ledger {
    /// Of the last step. Its new velocity leads from its configuration to the next and belongs half a step after it: half a step
    /// of bias force less, it is the velocity there once pushes and impulses have acted.
    fn of(world: &World, model: &Model, data: &mut Data) -> Ledger {
        let (frame, dt) = (world.frame(0), world.settings().dt);
        let (q, after) = (frame.q, &world.actors()[0].v);
        let mut there: Vec<f64> = bias_force(model, data, q, after).iter().map(|h| 0.5 * dt * h).collect();
        factored_mass_matrix(model, data, q).expect("a mass matrix");
        data.solve_mass_matrix(model, &mut there);
        there.iter_mut().zip(after).for_each(|(x, v)| *x += v);
        let kinetic = kinetic_energy(model, data, q, &there);
        let energy = kinetic + potential_energy(model, data, q);
        let mean: Vec<f64> = frame.v.iter().zip(after).map(|(a, b)| 0.5 * (a + b)).collect();
        forward_velocities(model, data, q, &mean);
        let power = |body: usize, point: &Vec3, force: &Vec3| {
            force.dot(&data.point_velocity(model, BodyId(body), point))
        };
        let pushed: f64 = frame.outside.iter().map(|o| power(o.body, &o.point, &o.force)).sum();
        let contacts: f64 = frame.contacts.iter().map(|c| power(c.body, &c.point, &c.force)).sum();
        let joints: f64 = frame.constraint.iter().zip(&mean).map(|(f, v)| f * v).sum();
        Ledger { kinetic, energy, pushed: dt * pushed, held: dt * (contacts + joints) }
    }
}

/// Greatest distance between a joint's centre as its two bodies have it.
fn joint_gap(model: &Model, data: &Data) -> f64 {
    let one = |joint: &sinew_dynamics::JointInfo| {
        let body = &model.bodies()[joint.body.0];
        let parent = body.parent?;
        if !matches!(joint.kind, JointKind::Ball | JointKind::Hinge { .. }) || body.joints.len() > 1 {
            return None;
        }
        let anchor = body.joints[joint.nth].anchor;
        let at = Placement::new(body.quat, body.pos);
        let from_parent = data.body_placement(model, BodyId(parent)).act(&at.act(&anchor));
        Some((data.body_placement(model, joint.body).act(&anchor) - from_parent).norm())
    };
    model.joints().iter().filter_map(one).fold(0.0, f64::max)
}

/// Greatest gain of energy from contacts and limits, as a share of the greatest kinetic energy: overlaps that are undone.
pub(crate) const CONSTRAINT_GAIN: f64 = 0.01;
/// Greatest gain in all. What is left to the integrator are blows that set a limb turning at up to 100 rad/s within a step.
pub(crate) const ENERGY_GAIN: f64 = 0.02;

/// What did not hold.
pub(crate) fn broken(o: &Outcome) -> Option<String> {
    if let Some(failure) = &o.failure {
        return Some(failure.clone());
    }
    for (gain, bound, from) in [
        (o.constraint_gain, CONSTRAINT_GAIN, "from contacts and limits"),
        (o.energy_gain, ENERGY_GAIN, "in all"),
    ] {
        if !(gain <= bound) {
            return Some(format!("energy grew by {:.3} % of the greatest, {from}", 100.0 * gain));
        }
    }
    (!(o.joint_gap < 1e-12)).then(|| format!("a joint came apart by {} m", o.joint_gap))
}
