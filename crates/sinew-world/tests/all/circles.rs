//! Steps on which sweeps and Newton's method do not converge: the fallback methods must satisfy the laws.
//!
//! Rods of very different mass, jointed and sliding on rough ground, found by a search among random ones. With friction near 1 a light rod
//! that slides may push itself into the ground, so that the exact law has several answers or none that iterations come to rest at.

use crate::support::{build, free};
use sinew_dynamics::spatial::Vec3;
use sinew_dynamics::*;
use sinew_world::{Terrain, World};
use std::f64::consts::PI;

/// A rod of 4 cm by 4 cm that hangs from the end of another.
pub(crate) struct Rod {
    pub(crate) parent: Option<usize>,
    /// Where it hangs, along the parent's own axis.
    pub(crate) at: f64,
    pub(crate) length: f64,
    pub(crate) mass: f64,
    /// Axis of its hinge.
    pub(crate) axis: Vec3,
}

/// Jointed rods on flat ground, in a given state.
pub(crate) fn rods(mu: f64, rods: &[Rod], q: &[f64], v: &[f64]) -> World {
    let mut spec = ModelSpec::new("rods");
    for (k, rod) in rods.iter().enumerate() {
        let mut geom = Geom::new(Shape::Box { half: Vec3::new(0.02, 0.02, 0.5 * rod.length) });
        geom.friction = mu;
        let mut inertia = geom.shape.solid(rod.mass);
        let mut joint = JointSpec::free("root");
        if rod.parent.is_some() {
            geom.pos.z = -0.5 * rod.length;
            inertia = inertia.moved(&geom.pos);
            joint = JointSpec::hinge(format!("hinge {k}"), rod.axis);
        }
        let at = Vec3::new(0.0, 0.0, rod.at);
        let body = BodySpec::new(format!("rod {k}"), rod.parent, inertia).at(at);
        spec.bodies.push(body.with_joint(joint).with_geom(geom));
    }
    let mut world = World::new(Terrain::flat());
    world.add_object("rods", build(spec));
    set(&mut world, q, v);
    world
}

pub(crate) fn set(world: &mut World, q: &[f64], v: &[f64]) {
    let actor = world.actor_mut(0);
    actor.q.copy_from_slice(q);
    actor.v.copy_from_slice(v);
}

/// A trunk, and a leg of a light thigh and a foot that is swung into the ground at 10 rad/s.
pub(crate) fn leg() -> World {
    let rod = |parent, at, length, mass| Rod { parent, at, length, mass, axis: Vec3::x() };
    let parts = [rod(None, 0.0, 0.3, 18.36), rod(Some(0), 0.15, 0.53, 0.33), rod(Some(1), -0.53, 0.12, 0.78)];
    let q = [0.0, 0.0, 0.329, 0.9756, -0.1185, 0.0948, -0.1588, -0.2778, -1.0161];
    rods(1.0, &parts, &q, &[-0.5, 1.47, -2.22, -0.26, 0.84, 0.17, -2.45, -9.69])
}

/// How contacts fared in a step.
#[derive(Debug, Default)]
struct Laws {
    pushing: usize,
    sliding: usize,
    /// Least power of friction where it slides, as a share of what Coulomb's circle takes.
    braking: f64,
}

/// Checks all laws of contact after one step, with an error of velocity: no contact closes by more than its gap, only those that close
/// by all of it push, friction lies within the circle.
fn check(world: &World, error: f64) -> Laws {
    let (actor, dt) = (&world.actors()[0], world.settings().dt);
    let mut data = Data::new(actor.model());
    forward_velocities(actor.model(), &mut data, world.frame(0).q, &actor.v);
    let mut laws = Laws { braking: f64::INFINITY, ..Laws::default() };
    for c in world.report().contacts(0) {
        let velocity = data.point_velocity(actor.model(), BodyId(c.body), &c.point);
        let (closing, pushing) = (-velocity.dot(&c.normal), c.force.dot(&c.normal));
        let sliding = velocity + c.normal * closing;
        let friction = c.force - c.normal * pushing;
        let left = c.distance.max(0.0) / dt - closing;
        assert!(left > -error, "a gap of {} m closes at {closing} m/s", c.distance);
        assert!(pushing >= 0.0, "{pushing} N pull");
        assert!(pushing < 1e-6 || left < error, "{pushing} N at a gap that stays open by {left} m/s");
        let most = c.friction * pushing;
        assert!(friction.norm() <= most * (1.0 + 1e-9), "{} N of {most} N friction", friction.norm());
        if pushing > 1e-6 {
            laws.pushing += 1;
            if sliding.norm() > 1e-2 {
                laws.sliding += 1;
                laws.braking = laws.braking.min(-friction.dot(&sliding) / (most * sliding.norm()));
            }
        }
    }
    laws
}

/// Sweeps end with an error of some 0.1 m/s here, for any warm start.
#[test]
fn pivoting_solves_what_sweeps_do_not() {
    let mut world = leg();
    let report = world.step(&[]).expect("a step").solve;
    assert!(report.converged && report.residual < 1e-9, "{report:?}");
    let laws = check(&world, 1e-6);
    // heel and toe; a cone of eight sides brakes at least so much
    assert_eq!((laws.pushing, laws.sliding), (2, 2));
    assert!(laws.braking >= (PI / 8.0).cos() - 1e-6 && laws.braking < 0.99, "{laws:?}");
}

/// The difficult contacts form an island, independent of other contacts in the world.
#[test]
fn an_island_is_pivoted_independently_of_others() {
    let (mut alone, mut among) = (leg(), leg());
    for k in 0..5 {
        let half = Vec3::new(0.2, 0.2, 0.1);
        let at = Vec3::new(3.0 + k as f64, 0.0, half.z);
        among.add_object(format!("box {k}"), build(free(Shape::Box { half }, 3.0, 0.5, at)));
    }
    alone.step(&[]).expect("a step");
    let report = among.step(&[]).expect("a step");
    assert!(report.solve.converged && (0..6).map(|k| report.contacts(k).len()).sum::<usize>() > 20);
    assert_eq!(alone.actors()[0].v, among.actors()[0].v);
}

/// Whole sweeps jump to and fro between two answers here, 9 mm/s apart; sweeps that go a part of the way end between them, on the circle.
#[test]
fn damped_sweeps_end_oscillations() {
    let rod = |parent, at, length, mass| Rod { parent, at, length, mass, axis: Vec3::x() };
    let parts = [rod(None, 0.0, 0.12, 0.74), rod(Some(0), 0.06, 0.12, 0.17), rod(Some(1), -0.12, 0.13, 7.03)];
    let q = [0.0, 0.0, 0.0202, 0.624, -0.3332, -0.6238, -0.3325, 0.7287, 1.1388];
    let mut world = rods(0.63, &parts, &q, &[0.54, 1.48, -0.32, 29.04, 6.51, -0.14, -23.38, -6.07]);
    let report = world.step(&[]).expect("a step").solve;
    assert!(report.converged && report.residual < 1e-5, "{report:?}");
    let laws = check(&world, 1e-4);
    assert!(laws.pushing >= 2 && laws.sliding >= 2 && laws.braking > 1.0 - 1e-4, "{laws:?}");
}

/// Going a part of the way leaves a little of every force; a whole sweep at the end takes it from contacts that open.
#[test]
fn tiny_impulses_become_zero() {
    let rod = |parent, at, length, mass| Rod { parent, at, length, mass, axis: Vec3::y() };
    let parts = [rod(None, 0.0, 0.48, 14.01), rod(Some(0), -0.24, 0.21, 0.07)];
    let q = [0.0, 0.0, 0.0637, 0.7546, 0.3095, -0.5746, -0.0671, -0.2643];
    let mut world = rods(1.0, &parts, &q, &[2.84, 2.9, -3.39, -2.58, 0.53, 1.91, 0.97]);
    let report = world.step(&[]).expect("a step").solve;
    assert!(report.residual < 1e-4, "{report:?}");
    let laws = check(&world, 1e-4);
    assert_eq!(world.report().contacts(0).iter().filter(|c| c.force == Vec3::zeros()).count(), 1);
    assert_eq!(laws.pushing, 1);
}
