//! The worlds of the tests, with the sizes of SimBenchmark where it gives them.

use sinew_dynamics::spatial::Vec3;
use sinew_dynamics::{BodyId, BodySpec, Geom, JointSpec, Model, ModelSpec, Role, Shape, characters};
use sinew_world::scenes::Hold;
use sinew_world::terrain::{Ground, Piece, Terrain};
use sinew_world::{Actuation, Push, Settings, World};
use std::sync::Arc;

pub(crate) const GRAVITY: f64 = 9.81;

/// Ground of a friction.
fn ground(friction: f64) -> Terrain {
    Terrain::new(vec![Piece::new(Ground::Plane { height: 0.0 }, friction)]).expect("a plane")
}

fn free(shape: Shape, mass: f64, friction: f64, at: Vec3, gravity: f64) -> Arc<Model> {
    let geom = Geom { friction, ..Geom::new(shape) };
    let inertia = geom.shape.solid(mass);
    let mut spec = ModelSpec::new("thing");
    spec.gravity = Vec3::new(0.0, 0.0, -gravity);
    let body = BodySpec::new("thing", None, inertia).at(at);
    spec.bodies.push(body.with_joint(JointSpec::free("root")).with_geom(geom));
    Arc::new(Model::new(spec).expect("a thing"))
}

fn ball(radius: f64, mass: f64, friction: f64, at: Vec3) -> Arc<Model> {
    free(Shape::Sphere { radius }, mass, friction, at, GRAVITY)
}

fn world(terrain: Terrain, settings: &Settings) -> World {
    let mut world = World::new(terrain);
    world.configure(|s| *s = settings.clone());
    world
}

/// Direction of the pull in the rolling test: 60° from x.
pub(crate) const PULL: (f64, f64) = (0.5, 0.866_025_403_784_438_6);

/// A slab of 10 kg on the ground (friction 0.4) carries 25 balls of 1 kg (friction 0.8); 150 N pull it.
pub(crate) fn rolling(settings: &Settings, seconds: f64) -> World {
    let mut w = world(ground(0.4), settings);
    let half = Vec3::new(10.0, 10.0, 0.5);
    let slab = free(Shape::Box { half }, 10.0, 0.8, Vec3::new(0.0, 0.0, 0.5), GRAVITY);
    let slab = w.add_object("slab", slab);
    for k in 0..25 {
        let at = Vec3::new((k / 5) as f64 * 2.0 - 4.0, (k % 5) as f64 * 2.0 - 4.0, 1.5);
        w.add_object(format!("ball {k}"), ball(0.5, 1.0, 0.8, at));
    }
    let steps = (seconds / settings.dt).round() as u64;
    let force = Vec3::new(PULL.0, PULL.1, 0.0) * 150.0;
    w.push(Push { actor: slab, body: BodyId(0), point: Vec3::zeros(), force, steps });
    w
}

/// 49 balls of 10 kg fall from 5 m and bounce without loss.
pub(crate) fn bouncing(settings: &Settings) -> World {
    let mut w = world(ground(0.0), &Settings { restitution: 1.0, ..settings.clone() });
    for k in 0..49 {
        let at = Vec3::new((k / 7) as f64 * 2.0, (k % 7) as f64 * 2.0, 5.0);
        w.add_object(format!("ball {k}"), ball(0.1, 10.0, 0.0, at));
    }
    w
}

/// A cube of 6 × 6 × 6 balls of 10 kg, jittered by a millimetre; elastic ones fall from a metre.
pub(crate) fn heap(settings: &Settings, elastic: bool) -> World {
    let (friction, height) = if elastic { (0.0, 1.101) } else { (0.8, 0.101) };
    let restitution = if elastic { 1.0 } else { 0.0 };
    let mut w = world(ground(friction), &Settings { restitution, ..settings.clone() });
    let mut seed = 42u64;
    let mut jitter = || {
        // a linear congruential generator is random enough for a millimetre
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        0.001 * ((seed >> 11) as f64 / (1u64 << 53) as f64)
    };
    for k in 0..216 {
        let (i, j, l) = (k / 36, k / 6 % 6, k % 6);
        let x = 0.21 * i as f64 + jitter();
        let y = 0.21 * j as f64 + jitter();
        let at = Vec3::new(x, y, height + 0.21 * l as f64);
        w.add_object(format!("ball {k}"), ball(0.1, 10.0, friction, at));
    }
    w
}

/// Humans in rows, each holding its posture.
pub(crate) fn crowd(settings: &Settings, count: usize) -> (World, Vec<Hold>) {
    let human = Arc::new(characters::load("human").expect("built in"));
    let ready = human.spec().keyframes.iter().find(|k| k.name == "ready").map(|k| k.q.clone());
    let q = ready.unwrap_or_else(|| human.neutral());
    let mut w = world(ground(0.8), settings);
    let mut holds = Vec::new();
    for k in 0..count {
        let me = w.add_character(format!("human {k}"), Arc::clone(&human));
        let actor = w.actor_mut(me);
        actor.q.clone_from(&q);
        actor.q[0] += 1.5 * (k % 10) as f64;
        actor.q[1] += 1.5 * (k / 10) as f64;
        holds.push(Hold::new(&human, &actor.q, 4000.0, settings.dt));
    }
    (w, holds)
}

/// The torques of a crowd that holds its postures.
pub(crate) fn hold(world: &World, holds: &[Hold], out: &mut Vec<Actuation>) {
    out.resize_with(holds.len(), Actuation::default);
    for ((actor, hold), out) in world.actors().iter().zip(holds).zip(out) {
        out.torque.resize(actor.model().nv(), 0.0);
        hold.torque(actor.model(), &actor.q, &actor.v, &mut out.torque);
    }
}

/// The human without limits and springs, in this gravity.
pub(crate) fn loose_human(gravity: f64) -> Arc<Model> {
    let mut spec = characters::load("human").expect("built in").spec().clone();
    spec.gravity = Vec3::new(0.0, 0.0, -gravity);
    for joint in spec.bodies.iter_mut().flat_map(|b| &mut b.joints) {
        joint.range = None;
        (joint.damping, joint.stiffness, joint.friction_loss) = (0.0, 0.0, 0.0);
    }
    Arc::new(Model::new(spec).expect("the human"))
}

/// A ball of 10 kg flies at 5 m/s into a limp human's chest; no gravity, no ground near.
pub(crate) fn struck(settings: &Settings) -> World {
    let mut w = world(ground(0.0), settings);
    let human = loose_human(0.0);
    let me = w.add_character("human", human);
    w.actor_mut(me).q[2] += 100.0;
    let at = Vec3::new(-5.0, 0.03, 101.3);
    let ball = w.add_object("ball", free(Shape::Sphere { radius: 0.2 }, 10.0, 0.5, at, 0.0));
    w.actor_mut(ball).v[0] = 5.0;
    w
}

/// A limp human is pulled upwards by its trunk with twice its weight for a second, high above the ground.
pub(crate) fn thrown(settings: &Settings) -> World {
    let mut w = world(ground(0.0), settings);
    let human = loose_human(GRAVITY);
    let (trunk, mass) = (human.role(Role::Trunk).unwrap_or(BodyId(0)), human.mass());
    let me = w.add_character("human", human);
    w.actor_mut(me).q[2] += 100.0;
    let steps = (1.0 / settings.dt).round() as u64;
    let force = Vec3::new(0.0, 0.0, 2.0 * mass * GRAVITY);
    w.push(Push { actor: me, body: trunk, point: Vec3::new(0.01, 0.01, 0.15), force, steps });
    w
}
