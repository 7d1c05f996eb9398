//! Jumps: they do what was asked, land, stand, and pass the audit.

use sinew_control::features::{Jump, Jumper, Legs};
use sinew_control::whole_body::{Priorities, Sole};
use sinew_control::{Command, Controller, Observation, Out};
use sinew_dynamics::spatial::Vec3;
use sinew_dynamics::{Data, Role, Side, characters, forward_kinematics};
use sinew_world::recording::{Meta, Recording, WorldRecorder};
use sinew_world::{Actuation, Push, Terrain, World};
use std::f64::consts::PI;
use std::sync::Arc;

/// The outcome of a jump.
struct Outcome {
    /// Greatest height of the lowest corner of both soles, m.
    clearance: f64,
    /// How far forward the feet landed, m.
    distance: f64,
    /// By how much they turned, rad.
    turn: f64,
    jumps: usize,
    /// Greatest distance of the soles while both are 10 cm up and more: fore and aft, to the sides, m.
    apart: [f64; 2],
    /// Greatest speed at the end.
    speed: f64,
    honest: bool,
}

fn run(jump: Jump, priorities: Priorities) -> Outcome {
    run_of("human", jump, priorities)
}

fn run_of(character: &str, jump: Jump, priorities: Priorities) -> Outcome {
    let model = Arc::new(characters::load(character).unwrap());
    let soles = Side::BOTH.map(|s| Sole::of(&model, s).unwrap());
    let mut jumper = Jumper::new(model.clone()).unwrap();
    *jumper.walker.priorities_mut() = priorities;
    let mut world = World::new(Terrain::flat());
    world.add_character(character, model.clone());
    world.actor_mut(0).q.copy_from_slice(jumper.walker.rest());
    jumper.reset(&Observation::of(&world, 0)).unwrap();
    jumper.jump(jump).unwrap();
    let tall = world.actors()[0].q[2];
    let mut recorder = WorldRecorder::in_memory(&world, 0, Meta::new(1e-3), &[]).unwrap();
    let mut torques = [Actuation::none(model.nv())];
    let mut data = Data::new(&model);
    let mut out = Outcome {
        clearance: 0.0,
        distance: 0.0,
        turn: 0.0,
        jumps: 0,
        apart: [0.0; 2],
        speed: 0.0,
        honest: false,
    };
    let mut first = None;
    for _ in 0..4500 {
        jumper.act(&Observation::of(&world, 0), &Command::STAND, &mut Out::new(&mut torques[0]));
        world.step(&torques).unwrap();
        recorder.push(&world, &[]).unwrap();
        forward_kinematics(&model, &mut data, &world.actors()[0].q);
        let at = soles.each_ref().map(|s| data.body_placement(&model, s.body));
        let corners = || soles.iter().zip(&at).flat_map(|(s, at)| s.corners.iter().map(|c| at.act(c)));
        out.clearance = out.clearance.max(corners().map(|c| c.z).fold(f64::INFINITY, f64::min));
        if corners().all(|c| c.z > 0.1) {
            let d = at[0].act(&soles[0].center) - at[1].act(&soles[1].center);
            out.apart = [out.apart[0].max(d.x.abs()), out.apart[1].max(d.y.abs())];
        }
        let middle = corners().sum::<Vec3>() / 8.0;
        let ahead: Vec3 = soles.iter().zip(&at).map(|(s, at)| at.act(&s.toe()) - at.act(&s.heel())).sum();
        let from = *first.get_or_insert(middle);
        if jumper.jumps() > out.jumps {
            out.jumps = jumper.jumps();
            out.distance = middle.x - from.x;
        }
        out.turn = libm::atan2(ahead.y, ahead.x);
    }
    out.speed = world.actors()[0].v.iter().fold(0.0, |m, v| v.abs().max(m));
    let run = Recording::from_bytes(recorder.into_bytes().unwrap()).unwrap();
    out.honest = world.actors()[0].q[2] > 0.85 * tall && run.audit(&Default::default()).holds;
    out
}

fn stands(o: &Outcome) -> bool {
    o.jumps == 1 && o.honest && o.speed < 0.1
}

#[test]
fn a_standing_jump_clears_fifteen_centimetres() {
    let o = run(Jump::default(), Priorities::Strict);
    assert!(stands(&o) && o.clearance > 0.15, "{} m", o.clearance);
}

#[test]
fn a_child_at_the_limit_of_its_legs_lands_facing_ahead() {
    let o = run_of("child", Jump::default(), Priorities::Strict);
    assert!(
        stands(&o) && o.clearance > 0.15 && o.turn.abs().to_degrees() < 15.0,
        "{} m, {}°",
        o.clearance,
        o.turn.to_degrees()
    );
}

#[test]
fn turns_land_where_they_should() {
    for twist in [0.5 * PI, PI] {
        let o = run(Jump { twist, ..Jump::default() }, Priorities::Strict);
        let miss = libm::remainder(o.turn - twist, 2.0 * PI).abs().to_degrees();
        assert!(stands(&o) && miss < 15.0, "{twist} rad: off by {miss}°, speed {}", o.speed);
    }
}

#[test]
fn a_jump_forward_covers_forty_centimetres() {
    let o = run(Jump { forward: 0.5, ..Jump::default() }, Priorities::Strict);
    assert!(stands(&o) && o.distance > 0.4, "{} m", o.distance);
}

#[test]
fn legs_kick_and_spread_in_the_air() {
    for (legs, axis) in [(Legs::Scissor, 0), (Legs::Split, 1)] {
        let o = run(Jump { legs, ..Jump::default() }, Priorities::Strict);
        assert!(stands(&o) && o.apart[axis] > 0.6, "{legs:?}: {:?} m", o.apart);
    }
}

/// Asks for a jump while a force holds the body down: phases of the jump in order, and the number of jumps that landed.
fn held_down(jump: Jump, force: f64) -> (Vec<f64>, usize) {
    let model = Arc::new(characters::load("human").unwrap());
    let pelvis = model.role(Role::Pelvis).unwrap();
    let mut jumper = Jumper::new(model.clone()).unwrap();
    let mut world = World::new(Terrain::flat());
    world.add_character("human", model.clone());
    world.actor_mut(0).q.copy_from_slice(jumper.walker.rest());
    jumper.reset(&Observation::of(&world, 0)).unwrap();
    jumper.jump(jump).unwrap();
    let (mut torques, mut phases, mut signals) = ([Actuation::none(model.nv())], vec![0.0], Vec::new());
    for _ in 0..4000 {
        jumper.act(&Observation::of(&world, 0), &Command::STAND, &mut Out::new(&mut torques[0]));
        signals.clear();
        jumper.signals(&mut signals);
        phases.extend(signals.last().filter(|phase| Some(*phase) != phases.last()).copied().iter());
        world.push(Push::of_impulse(0, pelvis, Vec3::zeros(), Vec3::z() * (-force * 1e-3), 1e-3, 1e-3));
        world.step(&torques).unwrap();
    }
    (phases, jumper.jumps())
}

/// The jumper aborts the thrust and stands as before, without a flight.
#[test]
fn a_jump_under_too_much_load_is_aborted() {
    let weight = 9.81 * characters::load("human").unwrap().mass();
    assert_eq!(held_down(Jump::default(), 0.8 * weight), (vec![0.0, 1.0, 2.0, 4.0, 0.0], 0));
    assert_eq!(held_down(Jump::default(), 0.0), (vec![0.0, 1.0, 2.0, 3.0, 4.0, 0.0], 1));
}

/// NaN is refused and leaves an earlier request as it was; a turn beyond the range is clamped.
#[test]
fn numbers_of_a_jump_have_ranges() {
    let mut jumper = Jumper::new(Arc::new(characters::load("human").unwrap())).unwrap();
    let nan = jumper.jump(Jump { height: f64::NAN, ..Jump::default() }).unwrap_err();
    assert_eq!(nan.to_string(), "`jump` cannot be done: a number of it is NaN");
    let wild = Jump { twist: 1e9, ..Jump::default() };
    assert_eq!(held_down(wild, 0.0).0[..4], [0.0, 1.0, 2.0, 3.0]);
}
