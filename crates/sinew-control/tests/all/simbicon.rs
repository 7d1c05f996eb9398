//! SIMBICON: the gaits of the paper's table on the planar biped, transitions between them, walks in space.

use sinew_control::features::WALKER;
use sinew_control::simbicon::{SIMBICON, STYLES};
use sinew_control::{Action, Beginning, Command, Episode, Order, Prepared, WorldPlan};
use sinew_dynamics::characters;
use sinew_world::{ContactModel, Terrain, World};
use std::sync::Arc;

/// A run on level ground in a style, with the plan's world settings.
fn episode(character: &str, style: &str, plan: WorldPlan) -> Episode {
    let mut order = Order::new(&SIMBICON, Arc::new(characters::load(character).unwrap()));
    order.restyle(SIMBICON.style(style).unwrap());
    let beginning = Beginning { world: plan, ..Beginning::default() };
    Episode::new(World::new(Terrain::flat()), order, Prepared::default(), beginning).unwrap()
}

/// Steps of 1 ms with rigid contacts.
fn rigid() -> WorldPlan {
    WorldPlan { step: Some(1e-3), contact: Some(ContactModel::default()), ..WorldPlan::default() }
}

/// Runs for some seconds, checks for falls and torques beyond their limits, and returns the distance.
fn go(episode: &mut Episode, seconds: f64, what: &str) -> f64 {
    let limits = episode.order().model.effort_limits().to_vec();
    let (from, end) = (episode.q()[0], episode.world().time() + seconds);
    while episode.world().time() < end {
        episode.step().unwrap();
        assert_eq!(episode.metrics().fall(), None, "{what}");
        let tau = episode.world().frame(episode.actor()).tau;
        let beyond = tau.iter().zip(&limits).position(|(t, most)| t.abs() > most * (1.0 + 1e-12));
        assert_eq!(beyond, None, "{what}: torque beyond its limit");
    }
    episode.q()[0] - from
}

#[test]
fn every_gait_of_the_table_goes_forward_on_the_planar_biped() {
    for style in STYLES {
        let mut episode = episode("walker2d", style.name, WorldPlan::default());
        assert_eq!(episode.world().settings().dt, 5e-5);
        let way = go(&mut episode, 5.0, style.name);
        let steps = episode.footsteps().unwrap();
        assert!(way > 0.4 && steps > 10.0, "{}: {way} m in {steps} steps", style.name);
    }
}

/// One gait leads to another, by style, in the middle of a stride; the change waits for the next step.
#[test]
fn gaits_change_in_mid_stride() {
    let mut episode = episode("walker2d", "walk", rigid());
    go(&mut episode, 3.0, "walk");
    for (k, to) in ["run", "high-step", "fast-run", "walk", "crouch", "walk"].into_iter().enumerate() {
        episode.perform(&Action::Style(SIMBICON.style(to).unwrap())).unwrap();
        go(&mut episode, 4.0 + 0.07 * k as f64, to);
    }
    let way = go(&mut episode, 3.0, "walk");
    assert!((1.5..4.5).contains(&way), "the walk should return to its speed: {way} m in 3 s");
}

/// The torque of both hips on the trunk equals the trunk's own control law, independent of the swinging leg (equation 2).
#[test]
fn the_standing_hip_balances_the_swing_hip() {
    let mut episode = episode("walker2d", "walk", rigid());
    let limits = episode.order().model.effort_limits().to_vec();
    let mut strongest = 0.0f64;
    for _ in 0..2000 {
        let [pitch, rate] = [episode.q()[2], episode.v()[2]];
        episode.step().unwrap();
        let tau = episode.world().frame(0).tau;
        if tau[3].abs() < limits[3] && tau[6].abs() < limits[6] {
            // hip torques turn the thighs forward, about −y, and the trunk the other way; its target is upright
            let trunk = tau[3] + tau[6];
            let wanted = -300.0 * pitch - 30.0 * rate;
            assert!((trunk - wanted).abs() < 1e-9, "{trunk} for {wanted} N·m");
            strongest = strongest.max(tau[3].abs());
        }
    }
    assert!(strongest > 50.0, "the hips hardly act: {strongest} N·m");
}

/// In space, with rigid contacts and steps of 1 ms as well as on the paper's ground.
#[test]
fn it_walks_in_space_and_goes_where_it_is_steered() {
    for character in ["human", "human-simbicon"] {
        let mut episode = episode(character, "walk", rigid());
        episode.perform(&Action::Command(Command::forward(0.8))).unwrap();
        let way = go(&mut episode, 10.0, character);
        assert!((4.0..10.0).contains(&way), "{character}: {way} m");
        for heading in [0.8, -0.4] {
            episode.perform(&Action::Command(Command { velocity: [0.6, 0.0], heading })).unwrap();
            go(&mut episode, 6.0, character);
            let off = episode.order().model.heading(episode.q()) - heading;
            assert!(off.abs() < 0.25, "{character}: faces {off} rad off {heading}");
        }
    }
    let mut soft = episode("human", "walk", WorldPlan::default());
    assert_eq!(soft.world().settings().dt, 5e-5);
    soft.perform(&Action::Command(Command::forward(0.8))).unwrap();
    let way = go(&mut soft, 4.0, "human on springs");
    assert!(way > 1.0, "{way} m on springs");
}

/// Switches from the walker and back in the middle of a walk, with another time step and contact model: time continues, without a fall.
#[test]
fn it_takes_over_from_the_walker_and_hands_back() {
    let mut episode = Episode::on_flat_ground(&WALKER, characters::load("human").unwrap()).unwrap();
    episode.perform(&Action::Command(Command::forward(0.8))).unwrap();
    let mut until = 0.0;
    for (k, (system, dt)) in [(&WALKER, 1e-3), (&SIMBICON, 5e-5), (&WALKER, 1e-3)].into_iter().enumerate() {
        if k > 0 {
            let (before, q) = (episode.world().time(), episode.q().to_vec());
            let order = Order::new(system, Arc::clone(episode.base()));
            episode.switch(order, Prepared::default(), &WorldPlan::default()).unwrap();
            assert!(
                episode.world().time() == before && episode.q() == q,
                "a switch moves neither time nor body"
            );
        }
        assert_eq!(episode.world().settings().dt, dt, "{}", system.name);
        until += [2.37, 2.0, 3.0][k];
        let left = until - episode.world().time();
        let way = go(&mut episode, left, system.name);
        assert!((episode.world().time() - until).abs() < 1.5 * dt, "{}", episode.world().time());
        assert!(way > 0.5, "{}: {way} m", system.name);
    }
}
