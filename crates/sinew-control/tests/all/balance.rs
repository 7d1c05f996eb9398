//! Balance on both feet: squats, slopes, moving ground, pushes.

use sinew_control::features::Balancer;
use sinew_control::whole_body::Priorities;
use sinew_control::{Command, Controller, Observation, Out};
use sinew_dynamics::spatial::Vec3;
use sinew_dynamics::{Data, Role, Shape, center_of_mass, characters};
use sinew_world::terrain::{Ground, Piece};
use sinew_world::{Actuation, Path, Platform, Push, Terrain, World};
use std::f64::consts::{FRAC_PI_2, PI, TAU};
use std::sync::Arc;

/// A body on some ground.
struct Scene {
    world: World,
    balancer: Balancer,
    torques: [Actuation; 1],
    data: Data,
}

impl Scene {
    fn new(ground: Ground) -> Scene {
        let model = Arc::new(characters::load("human").unwrap());
        let balancer = Balancer::new(model.clone()).unwrap();
        let mut world = World::new(Terrain::new(vec![Piece::new(ground.clone(), 0.8)]).unwrap());
        world.add_character("human", model.clone());
        world.actor_mut(0).q.copy_from_slice(balancer.walker.rest());
        let torques = [Actuation::none(model.nv())];
        let mut scene = Scene { world, balancer, torques, data: Data::new(&model) };
        if let Ground::Slope { pitch, .. } = ground {
            scene.world.actor_mut(0).q[2] += 0.14 * pitch.abs();
        }
        scene.reset();
        scene
    }

    fn level() -> Scene {
        Scene::new(Ground::Plane { height: 0.0 })
    }

    fn reset(&mut self) {
        self.balancer.reset(&Observation::of(&self.world, 0)).unwrap();
    }

    /// One step; where the centre of mass is after it.
    fn step(&mut self) -> Vec3 {
        self.balancer.act(
            &Observation::of(&self.world, 0),
            &Command::STAND,
            &mut Out::new(&mut self.torques[0]),
        );
        self.world.step(&self.torques).unwrap();
        let actor = &self.world.actors()[0];
        center_of_mass(actor.model(), &mut self.data, &actor.q)
    }

    fn run(&mut self, seconds: f64) -> Vec3 {
        (0..(seconds * 1e3) as usize).map(|_| self.step()).last().unwrap()
    }
}

#[test]
fn squats_follow_a_depth_and_a_period_that_change() {
    let mut scene = Scene::level();
    let tall = scene.run(1.0).z;
    scene.balancer.stance.squat_depth = 0.18;
    scene.balancer.stance.squat_period = 2.0;
    for k in 1..=2000 {
        let z = scene.step().z;
        let asked = tall * (1.0 - 0.09 * (1.0 - (TAU * k as f64 / 2000.0).cos()));
        assert!((z - asked).abs() < 0.01, "after {k} ms at {z} m instead of {asked} m");
    }
    // from the top, twice as deep and slower
    scene.balancer.stance.squat_depth = 0.36;
    scene.balancer.stance.squat_period = 3.0;
    let bottom = scene.run(1.5).z;
    assert!((bottom - 0.64 * tall).abs() < 0.015, "{bottom} of {tall} m");
    assert_eq!(scene.balancer.walker.steps(), 0);
}

/// A depth that changes at the bottom takes effect with the next squat: the target does not jump.
#[test]
fn squats_end_at_the_top() {
    let mut scene = Scene::level();
    let tall = scene.run(1.0).z;
    (scene.balancer.stance.squat_depth, scene.balancer.stance.squat_period) = (0.2, 2.0);
    scene.run(1.0);
    scene.balancer.stance.squat_depth = 0.0;
    for k in 1..=1000 {
        let z = scene.step().z;
        let asked = tall * (1.0 - 0.1 * (1.0 + (TAU * k as f64 / 2000.0).cos()));
        assert!((z - asked).abs() < 0.01, "after {k} ms at {z} m instead of {asked} m");
    }
    assert!((scene.run(1.0).z - tall).abs() < 0.005);
}

#[test]
fn leaning_moves_the_centre_of_mass_over_the_feet() {
    let mut scene = Scene::level();
    let upright = scene.run(1.0);
    scene.balancer.stance.lean_forward = 0.08;
    scene.balancer.stance.lean_left = -0.04;
    let moved = (scene.run(4.0) - upright) / 0.93;
    assert!((moved.x - 0.08).abs() < 0.004 && (moved.y + 0.04).abs() < 0.004, "{moved:?}");
}

#[test]
fn it_stands_on_slopes_of_ten_degrees() {
    for heading in [0.0, PI, FRAC_PI_2] {
        let pitch = 10f64.to_radians();
        let mut scene = Scene::new(Ground::Slope { through: Vec3::zeros(), heading, pitch });
        let before = scene.run(2.0);
        let drift = (scene.run(1.0) - before).norm();
        assert!(drift < 5e-3 && scene.balancer.walker.steps() == 0, "{heading}: {drift} m");
    }
}

#[test]
fn it_rides_a_platform() {
    let along = Path::Harmonic {
        centre: Vec3::z() * -0.05,
        amplitude: Vec3::new(0.08, 0.04, 0.05),
        frequency: 0.5,
        phase: 0.0,
    };
    let mut scene = Scene::new(Ground::Plane { height: -1.0 });
    let shape = Shape::Box { half: Vec3::new(0.5, 0.5, 0.05) };
    scene.world.add_platform(Platform { name: "platform".into(), shape, path: along, friction: 0.8 });
    scene.reset();
    scene.run(2.0);
    let mut worst: f64 = 0.0;
    for _ in 0..2000 {
        scene.step();
        let felt = scene.balancer.ground_velocity();
        worst = worst.max((felt - along.at(scene.world.time()).1).norm());
    }
    assert!(worst < 0.05, "the estimate of the ground's velocity is off by {worst} m/s");
    assert!(scene.world.actors()[0].q[2] > 0.8 && scene.balancer.walker.steps() == 0);
}

#[test]
fn pushes_are_balanced_without_a_step() {
    for direction in [0.0, 0.25 * PI, FRAC_PI_2, PI] {
        let mut scene = Scene::level();
        let before = scene.run(0.5);
        let model = scene.world.actors()[0].model().clone();
        let impulse = Vec3::new(direction.cos(), direction.sin(), 0.0) * (0.35 * model.mass());
        let trunk = model.role(Role::Trunk).unwrap();
        scene.world.push(Push::of_impulse(0, trunk, Vec3::zeros(), impulse, 0.4, 1e-3));
        let back = (scene.run(3.5) - before).norm();
        assert!(back < 0.01 && scene.balancer.walker.steps() == 0, "{direction}: {back} m away");
    }
}

#[test]
fn the_weighted_sum_stands_too() {
    let mut scene = Scene::level();
    *scene.balancer.walker.priorities_mut() = Priorities::weighted();
    let before = scene.run(0.3);
    assert!((scene.run(0.3) - before).norm() < 5e-3);
}
