//! Combination: identical parts, shares and their signals, errors, laws; tapes against the thesis' acrobot (tests B6, B14).
use sinew_control::bellman::{BELLMAN, Combination, TAPE};
use sinew_control::features::{BALANCER, WALKER};
use sinew_control::{
    Beginning, Command, ControlError, ControlStatus, Controller, Episode, EpisodeRecorder, Observation,
    Order, Out, Prepared, Registry, Start,
};
use sinew_dynamics::{Data, Model, aba, characters};
use sinew_motion::Clip;
use sinew_solve::linear_bellman::Along;
use sinew_world::recording::Recording;
use sinew_world::{Actuation, Terrain, World};
use std::f64::consts::FRAC_PI_2;
use std::sync::Arc;

fn acrobot() -> Arc<Model> {
    Arc::new(characters::load("acrobot").unwrap())
}

/// A short tape from hanging to a state nearby.
fn tape(model: &Arc<Model>, to: [f64; 2]) -> (Order, Prepared) {
    let frames = 40;
    let way = |k: usize| {
        let s = k as f64 / f64::from(frames);
        let s = s * s * (3.0 - 2.0 * s);
        [-FRAC_PI_2 + s * (to[0] + FRAC_PI_2), s * to[1]]
    };
    let q = (0..=frames as usize).flat_map(way).collect();
    let clip = Clip::new("swing", Arc::clone(model), 100.0, q).unwrap();
    let mut order = Order::new(&TAPE, Arc::clone(model));
    order.clips.push(Arc::new(clip));
    let prepared = order.prepare(&(), &|_| true).unwrap();
    (order, prepared)
}

fn combined(parts: &[(Order, Prepared)], softness: f64, start: Option<Start>) -> Episode {
    let mut order = Order::new(&BELLMAN, Arc::clone(&parts[0].0.model));
    order.parts = parts.iter().map(|(order, _)| order.clone()).collect();
    order.set("softness", softness.into()).unwrap();
    let parts = parts.iter().map(|(_, prepared)| prepared.clone()).collect();
    let prepared = Prepared::default().with_parts(parts);
    let beginning = Beginning { start, ..Beginning::default() };
    Episode::new(World::new(Terrain::flat()), order, prepared, beginning).unwrap()
}

fn share(episode: &Episode, part: usize) -> f64 {
    episode.signals()[part]
}

#[test]
fn the_acrobot_of_the_thesis() {
    let model = acrobot();
    let mut data = Data::new(&model);
    let q = [-105f64, -15.0].map(f64::to_radians);
    let a = aba(&model, &mut data, &q, &[0.0; 2], &[0.0; 2]).unwrap();
    assert!((a[0] - 0.31880744).abs() < 1e-7 && (a[1] - 4.27824822).abs() < 1e-7, "{a:?}");
    // at the handstand the hip's torque accelerates the angles by −2 and 5
    let with = aba(&model, &mut data, &[FRAC_PI_2, 0.0], &[0.0; 2], &[0.0, 1.0]).unwrap();
    assert!((with[0] + 2.0).abs() < 1e-9 && (with[1] - 5.0).abs() < 1e-9, "{with:?}");
    assert_eq!(model.effort_limits()[0], 0.0, "the bar has no motor");
}

#[test]
fn a_tape_does_what_it_was_planned_to_and_keeps_its_file() {
    let model = acrobot();
    let (order, prepared) = tape(&model, [-1.2, -0.3]);
    let mut episode =
        Episode::new(World::new(Terrain::flat()), order.clone(), prepared.clone(), Beginning::default())
            .unwrap();
    let mut recorder = EpisodeRecorder::in_memory(&episode, EpisodeRecorder::meta(&episode)).unwrap();
    let mut cost = 0.0;
    for _ in 0..80 {
        episode.step().unwrap();
        recorder.push(&episode).unwrap();
        let hip = episode.world().frame(0).tau[1];
        cost += 0.5 * 0.005 * hip * hip;
    }
    // the world's steps are those of the plan, and it costs what the plan says
    let off = episode.signals()[0];
    assert!(off < 1e-6, "{off:e} off the plan");
    let (q, v) = (episode.q(), episode.v());
    cost += 1000.0 * ((q[0] + 1.2).powi(2) + (q[1] + 0.3).powi(2)) + 100.0 * (v[0] * v[0] + v[1] * v[1]);
    let planned = Along::from_bytes(prepared.bytes()).unwrap().value(0, &[0.0; 4]);
    // the curve through the clip's frames is not quite at rest in the end
    assert!((cost / planned - 1.0).abs() < 1e-3, "{cost} {planned}");
    assert!(Recording::from_bytes(recorder.into_bytes().unwrap()).unwrap().audit(&Default::default()).holds);
    // damaged bytes are refused
    let bytes = prepared.bytes();
    let damaged = Prepared::from_bytes(bytes[..bytes.len() - 8].to_vec());
    assert!(order.build(&damaged).unwrap_err().to_string().contains("damaged"));
}

#[test]
fn identical_parts_are_one() {
    let model = acrobot();
    let part = tape(&model, [-1.2, -0.3]);
    let start = Start { q: vec![-1.4, 0.1], v: vec![0.2, 0.0], on_ground: false };
    let run = |parts: &[(Order, Prepared)]| {
        let mut episode = combined(parts, 0.01, Some(start.clone()));
        episode.run(0.3).unwrap();
        (episode.q().to_vec(), share(&episode, 0))
    };
    let (alone, whole) = run(std::slice::from_ref(&part));
    let (both, half) = run(&[part.clone(), part]);
    assert_eq!((whole, half), (1.0, 0.5));
    assert!(alone.iter().zip(&both).all(|(a, b)| (a - b).abs() < 1e-12), "{alone:?} {both:?}");
}

#[test]
fn the_cheaper_part_leads_and_snapshots_go_on_alike() {
    let model = acrobot();
    let parts = [tape(&model, [-1.2, -0.3]), tape(&model, [-2.0, 0.3])];
    // begun where the first one is: it knows its way, the other one has farther to go
    for (start, leader) in [([-1.3, -0.2], 0), ([-1.9, 0.2], 1)] {
        let start = Start { q: start.to_vec(), v: vec![0.0; 2], on_ground: false };
        let mut episode = combined(&parts, 5.0, Some(start));
        episode.run(0.2).unwrap();
        assert!(share(&episode, leader) > 0.9, "{:?}", episode.signals());
        let sum: f64 = (0..2).map(|part| share(&episode, part)).sum();
        assert!((sum - 1.0).abs() < 1e-12 && share(&episode, 2).is_nan());
        let mut copy = episode.clone();
        episode.run(0.2).unwrap();
        copy.run(0.2).unwrap();
        assert_eq!(episode.q(), copy.q());
    }
}

/// A part with constant torque and law; its value changes at 0.1 s.
#[derive(Clone, Debug)]
struct Constant {
    torque: f64,
    law: f64,
    values: [f64; 2],
}

impl Controller for Constant {
    fn start(&self) -> Start {
        Start { q: vec![0.0; 2], v: vec![0.0; 2], on_ground: false }
    }

    fn reset(&mut self, _: &Observation<'_>) -> Result<(), ControlError> {
        Ok(())
    }

    fn act(&mut self, _: &Observation<'_>, _: &Command, out: &mut Out<'_>) -> ControlStatus {
        out.torque().fill(self.torque);
        if self.law != 0.0 {
            out.law(1).fill(self.law);
        }
        ControlStatus::Good
    }

    fn value(&mut self, seen: &Observation<'_>) -> Option<f64> {
        Some(self.values[usize::from(seen.time >= 0.1)])
    }
}

/// A decision of a combination at a time, in steps of 5 ms.
fn decide(combination: &mut Combination, model: &Arc<Model>, time: f64) -> Actuation {
    let (state, terrain) = ([0.0; 2], Terrain::flat());
    let seen = Observation::alone(model, (time, 0.005), (&state, &state), &[], &terrain);
    let mut given = Actuation::none(2);
    combination.act(&seen, &Command::STAND, &mut Out::new(&mut given));
    given
}

/// The cheaper part takes all at once; when the other one becomes cheaper, the share falls by exactly the limit in each step.
#[test]
fn shares_change_no_faster_than_their_limit() {
    let model = acrobot();
    let part = |values| Box::new(Constant { torque: 1.0, law: 0.0, values }) as Box<dyn Controller>;
    let parts = vec![("first", part([0.0, 100.0])), ("second", part([100.0, 0.0]))];
    let mut combination = Combination::new(&model, parts).unwrap();
    combination.sharing.slew = 2.0;
    let mut shares = Vec::new();
    for k in 0..150 {
        decide(&mut combination, &model, 0.005 * f64::from(k));
        shares.push(combination.shares()[0]);
    }
    assert!(shares[..20].iter().all(|share| (share - 1.0).abs() < 1e-12), "{shares:?}");
    for (k, share) in shares.iter().enumerate().skip(20) {
        let expected = (1.0 - 0.01 * (k - 19) as f64).max(0.0);
        assert!((share - expected).abs() < 1e-9, "step {k}: {share} instead of {expected}");
    }
}

#[test]
fn parts_without_a_value_function_are_refused() {
    let registry = Registry::built_in();
    let bellman = registry.get("bellman").unwrap();
    let human = Arc::new(characters::load("human").unwrap());
    // by default the parts are walker and balancer, which need legs
    assert!(Order::new(bellman, Arc::clone(&human)).build(&Prepared::default()).is_ok());
    let legless = Order::new(bellman, acrobot()).build(&Prepared::default()).unwrap_err();
    assert!(legless.to_string().contains("\"acrobot\" has no"), "{legless}");
    let mut order = Order::new(bellman, human);
    order.parts = vec![Order::new(registry.limp(), Arc::clone(&order.model))];
    let world = World::new(Terrain::flat());
    let error = Episode::new(world, order, Prepared::default(), Beginning::default()).unwrap_err();
    assert!(
        error.to_string().contains("`limp`, part 0 of the combination, has no value function"),
        "{error}"
    );
}

/// With values that differ by λ ln 3 the shares are ¾ and ¼, of torques and of laws.
#[test]
fn laws_are_mixed_with_the_same_shares() {
    let model = acrobot();
    let part =
        |torque, law, value| Box::new(Constant { torque, law, values: [value; 2] }) as Box<dyn Controller>;
    let parts = vec![("first", part(4.0, 8.0, 0.0)), ("second", part(2.0, 0.0, 5.0 * 3f64.ln()))];
    let mut combination = Combination::new(&model, parts).unwrap();
    combination.sharing.softness = 5.0;
    let mixed = decide(&mut combination, &model, 0.0);
    assert_eq!((mixed.torque.len(), mixed.feedback.len()), (2, 6));
    assert!(mixed.torque.iter().all(|torque| (torque - 3.5).abs() < 1e-12), "{:?}", mixed.torque);
    assert!(mixed.feedback.iter().all(|gain| (gain - 6.0).abs() < 1e-12), "{:?}", mixed.feedback);
}

#[test]
fn walker_and_balancer_stand_together() {
    let human = Arc::new(characters::load("human").unwrap());
    let mut order = Order::new(&BELLMAN, Arc::clone(&human));
    order.parts = [&WALKER, &BALANCER].map(|system| Order::new(system, Arc::clone(&human))).to_vec();
    let mut episode =
        Episode::new(World::new(Terrain::flat()), order, Prepared::default(), Beginning::default()).unwrap();
    episode.run(1.0).unwrap();
    assert!(episode.metrics().fall().is_none() && episode.q()[2] > 0.9);
    let shares = [share(&episode, 0), share(&episode, 1)];
    assert!((shares[0] - 0.5).abs() < 0.2, "both stand alike: {shares:?}");
}
