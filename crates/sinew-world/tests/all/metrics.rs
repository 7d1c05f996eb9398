//! Measures against runs whose figures are known beforehand.

use crate::honest::{Frame, Run, bent, landing, sliding_box};
use sinew_dynamics::spatial::{Vec3, rotation};
use sinew_dynamics::{BodyId, Data, Model, characters, forward_kinematics};
use sinew_world::metrics::{Metrics, Params, Summary};
use sinew_world::recording::RecordingReader;
use sinew_world::{ContactForce, StepFrame};
use std::io::Cursor;

const DT: f64 = 0.01;

/// A puppet: the human in a posture that the test sets, with contacts that the test claims.
struct Puppet {
    model: Model,
    metrics: Metrics,
    q: Vec<f64>,
    v: Vec<f64>,
    tau: Vec<f64>,
    steps: usize,
}

impl Puppet {
    fn new() -> Puppet {
        let model = characters::load("human").expect("built in");
        let metrics = Metrics::new(&model, DT, None, Params::default());
        let (q, zero) = (model.neutral(), vec![0.0; model.nv()]);
        Puppet { metrics, q, v: zero.clone(), tau: zero, model, steps: 0 }
    }

    fn weight(&self) -> f64 {
        self.model.mass() * 9.81
    }

    /// Upward force `share` of the weight, evenly on the corners of a foot.
    fn stand_on(&self, foot: &str, share: f64) -> Vec<ContactForce> {
        let corners: Vec<String> = (0..4).map(|k| format!("{foot}_c{k}")).collect();
        let point = |name: &String| {
            let (body, site) = self.model.site(name).expect("a corner");
            self.touch(body, &site.pos, Vec3::z() * (0.25 * share * self.weight()))
        };
        corners.iter().map(point).collect()
    }

    fn touch(&self, body: BodyId, local: &Vec3, force: Vec3) -> ContactForce {
        let mut data = Data::new(&self.model);
        forward_kinematics(&self.model, &mut data, &self.q);
        let point = data.body_placement(&self.model, body).act(local);
        let (normal, distance, friction) = (Vec3::z(), 0.0, 0.8);
        ContactForce { body: body.0, other: None, point, force, normal, distance, friction }
    }

    fn both_feet(&self) -> Vec<ContactForce> {
        [self.stand_on("foot_l", 0.5), self.stand_on("foot_r", 0.5)].concat()
    }

    fn step(&mut self, contacts: &[ContactForce]) {
        let zero = vec![0.0; self.model.nv()];
        let frame = StepFrame {
            time: self.steps as f64 * DT,
            q: &self.q,
            v: &self.v,
            tau: &self.tau,
            constraint: &zero,
            contacts,
            outside: &[],
        };
        self.metrics.step(&self.model, &frame);
        self.steps += 1;
    }

    fn summary(&self) -> Summary {
        self.metrics.summary()
    }
}

#[track_caller]
fn near(got: f64, want: f64) {
    assert!((got - want).abs() <= 1e-9 * want.abs().max(1.0), "{got} instead of {want}");
}

#[test]
fn quiet_standing() {
    let mut puppet = Puppet::new();
    for _ in 0..100 {
        puppet.step(&puppet.both_feet());
    }
    let s = puppet.summary();
    assert_eq!((s.fell, s.steps, s.chatter_hz, s.skate_mm), (Some(false), 0, 0.0, 0.0));
    near(s.seconds, 1.0);
    near(s.distance_m, 0.0);
    // the soles span 0.266 m × 0.271 26 m; their middle is 133 mm from the nearest edge
    near(s.cop_margin_mm.expect("a polygon"), 133.0);
    near(s.cop_margin_least_mm.expect("a polygon"), 133.0);
}

#[test]
fn the_centre_of_pressure_leaves_the_middle() {
    let mut puppet = Puppet::new();
    // three quarters of the weight on the front corners: 266 mm · ¼ from the front edge
    let mut contacts = puppet.both_feet();
    contacts.iter_mut().for_each(|c| c.force *= if c.point.x > 0.0 { 1.5 } else { 0.5 });
    puppet.step(&contacts);
    near(puppet.summary().cop_margin_mm.expect("a polygon"), 66.5);
}

#[test]
fn skate_is_the_path_along_the_ground() {
    let mut puppet = Puppet::new();
    puppet.v[..2].copy_from_slice(&[0.3, 0.4]);
    for _ in 0..21 {
        puppet.q[0] += DT * 0.3;
        puppet.q[1] += DT * 0.4;
        puppet.step(&puppet.both_feet());
    }
    // 20 steps of 5 mm: the first step of a stance is its landing
    near(puppet.summary().skate_mm, 100.0);
    // a second, quiet stance of each foot halves the mean, not the worst
    puppet.v.fill(0.0);
    (0..20).for_each(|_| puppet.step(&[]));
    (0..20).for_each(|_| puppet.step(&puppet.both_feet()));
    let s = puppet.summary();
    near(s.skate_mm, 50.0);
    near(s.skate_worst_mm, 100.0);
}

#[test]
fn footsteps_are_landings_after_a_swing() {
    let mut puppet = Puppet::new();
    (0..30).for_each(|_| puppet.step(&puppet.both_feet()));
    for k in 0..6 {
        let foot = if k % 2 == 0 { "foot_l" } else { "foot_r" };
        (0..40).for_each(|_| puppet.step(&puppet.stand_on(foot, 1.0)));
        (0..10).for_each(|_| puppet.step(&puppet.both_feet()));
    }
    // right lands at the end of the first single stance, then left, …
    assert_eq!(puppet.summary().steps, 6);
    assert_eq!(puppet.summary().chatter_hz, 0.0);
    // a foot that leaves the ground for a moment only makes no step
    (0..5).for_each(|_| puppet.step(&puppet.stand_on("foot_l", 1.0)));
    (0..10).for_each(|_| puppet.step(&puppet.both_feet()));
    assert_eq!(puppet.summary().steps, 6);
}

#[test]
fn chatter_counts_what_is_undone_at_once() {
    let mut puppet = Puppet::new();
    for k in 0..100 {
        let contacts = if k % 2 == 0 { puppet.both_feet() } else { puppet.stand_on("foot_l", 1.0) };
        puppet.step(&contacts);
    }
    // the right foot switches at 99 boundaries and first lands; all but the first switch undo the one before
    near(puppet.summary().chatter_hz, 99.0);
}

#[test]
fn the_path() {
    let mut puppet = Puppet::new();
    let (radius, turns, steps) = (2.0, 1.25, 1000);
    for k in 0..=steps {
        let angle = std::f64::consts::TAU * turns * f64::from(k) / f64::from(steps);
        let turn = rotation::exp(&(Vec3::z() * angle));
        puppet.q[..2].copy_from_slice(&[radius * angle.sin(), -radius * angle.cos()]);
        puppet.q[3..7].copy_from_slice(&[turn.w, turn.i, turn.j, turn.k]);
        puppet.step(&[]);
    }
    let s = puppet.summary();
    near(s.heading_change_deg, 450.0);
    // the centre of mass is a little ahead of the pelvis; 20 chords of 22.5°
    let mut data = Data::new(&puppet.model);
    forward_kinematics(&puppet.model, &mut data, &puppet.model.neutral());
    let ahead = data.center_of_mass(&puppet.model).x;
    let circle = radius.hypot(ahead);
    let chord = 2.0 * circle * (std::f64::consts::TAU * turns / 40.0).sin();
    near(s.distance_m, 20.0 * chord);
    near(s.mean_speed_mps, s.distance_m / 10.01);
}

#[test]
fn energy_and_torque() {
    let mut puppet = Puppet::new();
    let knee = puppet.model.joints()[puppet.model.joint("knee_l").expect("a knee").0].clone();
    (puppet.tau[knee.v], puppet.v[knee.v]) = (-50.0, 2.0);
    (0..11).for_each(|_| puppet.step(&[]));
    // braking costs as well: 10 finished steps of |−50 · 2| W
    near(puppet.summary().energy_j, 10.0 * DT * 100.0);
    near(puppet.summary().peak_torque_ratio, 50.0 / 250.0);
}

#[test]
fn the_head_or_the_trunk_touches_the_ground() {
    for body in ["head", "pelvis", "lower_back", "upper_back"] {
        let mut puppet = Puppet::new();
        puppet.step(&puppet.both_feet());
        let id = puppet.model.body(body).expect("a body");
        let weight = puppet.weight();
        puppet.step(&[puppet.touch(id, &Vec3::zeros(), Vec3::z() * (0.01 * weight))]);
        let s = puppet.summary();
        assert_eq!((s.fell, s.fall_time), (Some(true), Some(DT)));
        assert_eq!(s.fall_reason, Some(format!("{body} touched the ground")));
    }
}

#[test]
fn the_centre_of_mass_drops() {
    let mut puppet = Puppet::new();
    let feet = puppet.both_feet();
    (0..10).for_each(|_| puppet.step(&feet));
    // standing height of the centre of mass, over the soles
    let mut data = Data::new(&puppet.model);
    forward_kinematics(&puppet.model, &mut data, &puppet.q);
    let height = data.center_of_mass(&puppet.model).z;
    puppet.q[2] -= 0.49 * height;
    puppet.step(&feet);
    assert_eq!(puppet.summary().fell, Some(false));
    puppet.q[2] -= 0.02 * height;
    puppet.step(&feet);
    let s = puppet.summary();
    assert_eq!(s.fell, Some(true));
    let reason = s.fall_reason.expect("a reason");
    assert!(reason.starts_with("the centre of mass dropped to 0.4"), "{reason}");
}

/// Down a staircase of three metres: the ground goes down as well.
#[test]
fn stairs_are_no_fall() {
    let mut puppet = Puppet::new();
    for _ in 0..300 {
        puppet.q[2] -= 0.01;
        puppet.step(&puppet.both_feet());
    }
    assert_eq!(puppet.summary().fell, Some(false));
    // but off a cliff is
    (0..60).for_each(|_| {
        puppet.q[2] -= 0.01;
        puppet.step(&[]);
    });
    assert_eq!(puppet.summary().fell, Some(true));
}

#[test]
fn a_knee_supports_weight() {
    let mut puppet = Puppet::new();
    let shin = puppet.model.body("shin_l").expect("a shin");
    let with = |puppet: &Puppet, share: f64| {
        let touch = puppet.touch(shin, &Vec3::zeros(), Vec3::z() * (share * puppet.weight()));
        [puppet.stand_on("foot_r", 1.0 - share), vec![touch]].concat()
    };
    // a brush: much for 40 ms, or little for long
    (0..4).for_each(|_| puppet.step(&with(&puppet, 0.3)));
    (0..50).for_each(|_| puppet.step(&with(&puppet, 0.04)));
    assert_eq!(puppet.summary().fell, Some(false));
    (0..6).for_each(|_| puppet.step(&with(&puppet, 0.3)));
    let s = puppet.summary();
    assert_eq!(s.fall_reason.as_deref(), Some("shin_l supported 30 % of the weight"));
    near(s.fall_time.expect("a time"), 0.58);
}

/// An object under the arms of a hanging or leaning character is not ground but carries weight; the character's own body does neither.
#[test]
fn things_support_and_the_body_itself_does_not() {
    let fell_with = |other: usize| {
        let mut puppet = Puppet::new();
        puppet.metrics = Metrics::new(&puppet.model, DT, Some(3), Params::default());
        let arm = puppet.model.body("lower_arm_l").expect("an arm");
        for _ in 0..20 {
            let mut touch = puppet.touch(arm, &Vec3::zeros(), Vec3::z() * 100.0);
            touch.other = Some(other);
            puppet.step(&[touch]);
        }
        puppet.summary().fell
    };
    assert_eq!(fell_with(2), Some(true));
    assert_eq!(fell_with(3), Some(false));
}

#[test]
fn a_box_cannot_fall() {
    let summary = |run: &Run| run.recording().summary(Params::default());
    let rests = summary(&sliding_box(0.0, 0.5, 100));
    assert_eq!((rests.fell, rests.friction_used, rests.chatter_hz), (None, 0.0, 0.0));
    assert_eq!(rests.cop_margin_mm, None);
    let slides = summary(&sliding_box(1.0, 0.5, 100));
    near(slides.friction_used, 1.0);
    // x = v t − μ g t²/2 after 99 steps, semi-implicit
    let t = 0.099;
    let x = t - 0.5 * 9.81 * (t * t + t * 1e-3) / 2.0;
    near(slides.distance_m, x);
}

#[test]
fn streamed_recorded_and_live_figures_are_the_same() {
    let run = landing(800);
    let mut live = Metrics::new(&run.model, run.meta.dt, None, Params::default());
    run.frames.iter().for_each(|f: &Frame| live.step(&run.model, &f.step()));
    let recorded = run.recording().summary(Params::default());
    assert_eq!(recorded, live.summary());
    let mut reader = RecordingReader::new(Cursor::new(run.bytes())).expect("readable");
    assert_eq!(reader.summary(Params::default()).expect("read"), recorded);
    assert!(recorded.penetration_mm > 1.0 && recorded.penetration_mm < 20.0, "{recorded}");
    assert!(recorded.cop_margin_mm.is_some_and(|m| m > 0.0 && m < 133.0), "{recorded}");
}

#[test]
fn a_step_does_not_allocate() {
    let mut puppet = Puppet::new();
    puppet.q = bent(&puppet.model);
    let contacts = puppet.both_feet();
    let zero = vec![0.0; puppet.model.nv()];
    let counted = allocation_counter::measure(|| {
        for k in 0..10 {
            let (q, v, tau) = (&puppet.q, &puppet.v, &puppet.tau);
            let contacts = if k % 3 == 0 { &contacts[..4] } else { &contacts[..] };
            let time = f64::from(k) * DT;
            let frame = StepFrame { time, q, v, tau, constraint: &zero, contacts, outside: &[] };
            puppet.metrics.step(&puppet.model, &frame);
        }
    });
    assert_eq!(counted.count_total, 0);
}

#[test]
fn the_summary_has_the_names_of_the_design() {
    let summary = Puppet::new().summary();
    let json = serde_json::to_value(&summary).expect("JSON");
    let design = "fell fall_time fall_reason seconds distance_m mean_speed_mps heading_change_deg steps realtime_factor \
                  control_us step_us penetration_mm skate_mm peak_torque_ratio energy_j seed version";
    for key in design.split_whitespace() {
        assert!(json.get(key).is_some(), "{key}");
    }
    assert_eq!(serde_json::from_value::<Summary>(json).expect("read back"), summary);
    let text = summary.to_string();
    assert!(text.starts_with("human, 76.0 kg") && text.contains("skate per stance"), "{text}");
}
