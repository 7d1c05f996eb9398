//! Scenarios with changes of body, gait or time step, and with ground that the controller does not see.

use sinew_control::whole_body::Kinetics;
use sinew_dynamics::{Role, Side};
use sinew_lab::scenario::{ChangePlan, Limb, Reshape, Setting};
use sinew_lab::{LabError, Scenario, Simulation, run_audited};
use sinew_world::ContactForce;

fn read(text: &str) -> Scenario {
    Scenario::parse(text, "test.toml").unwrap()
}

#[test]
fn changes_are_read() {
    let s = read(
        r#"
        controller = { system = "walker", weights = [100, 10, 1] }
        terrain = { kind = "ledges", height = -0.02, count = 3, unseen = true }
        world = { step = 0.002 }

        [[set]]
        height = 0.9
        lift = 0.1
        [[set]]
        time = 2
        height = 0.8

        [[change]]
        limb = "leg_left"
        load = 15
        [[change]]
        limb = "arms"
        scale = 2
        time = 1
        seconds = 3
        "#,
    );
    assert_eq!((s.world.step, s.unseen), (Some(0.002), true));
    let height = |time, value: f64| (time, Setting::Value("gait.height".to_owned(), value.into()));
    let lift = (0.0, Setting::Value("gait.lift".to_owned(), 0.1.into()));
    assert_eq!(s.settings, [height(0.0, 0.9), lift, height(2.0, 0.8)]);
    let grow = ChangePlan { time: 1.0, seconds: 3.0, limb: Limb::Arms, reshape: Reshape::Scale(2.0) };
    let load =
        ChangePlan { time: 0.0, seconds: 0.0, limb: Limb::Leg(Side::Left), reshape: Reshape::Load(15.0) };
    assert_eq!(s.changes, [load, grow]);
    let terrain = s.ground.build(1).unwrap();
    let heights = [1.0, 2.5, 4.0, 5.5, 7.0, 8.5, 20.0].map(|x| terrain.height(x, 0.0));
    assert_eq!(heights, [0.0, -0.02, 0.0, -0.02, 0.0, -0.02, 0.0]);
}

#[test]
fn a_load_from_the_beginning_belongs_to_the_body_and_one_that_grows_does_not() {
    let scenario = read(
        "seconds = 0.5\n[[change]]\nlimb = \"trunk\"\nload = 25\n[[change]]\nlimb = \"arms\"\nload = 2\ntime = 0.2\nseconds = 0.1",
    );
    let model = scenario.built_in().unwrap();
    let mut simulation = Simulation::new(scenario.clone(), model.clone()).unwrap();
    let mass = |s: &Simulation| s.model().mass() - model.mass();
    assert!((mass(&simulation) - 25.0).abs() < 1e-9);
    while !simulation.ended() {
        simulation.step().unwrap();
    }
    assert!((mass(&simulation) - 27.0).abs() < 1e-9);
    let run = run_audited(&scenario, model, &mut ()).unwrap();
    assert_eq!(run.failure(), None);
}

#[test]
fn torque_limits_grow_by_the_cube() {
    for (way, stronger) in [("grow", 8.0), ("scale", 1.0)] {
        let scenario = read(&format!(
            "seconds = 0.3\n[[change]]\nlimb = \"legs\"\n{way} = 2\ntime = 0.1\nseconds = 0.1"
        ));
        let model = scenario.built_in().unwrap();
        let mut simulation = Simulation::new(scenario, model.clone()).unwrap();
        while !simulation.ended() {
            simulation.step().unwrap();
        }
        let grown = simulation.model();
        for (joint, times) in [("knee_l", stronger), ("elbow_l", 1.0)] {
            let dof = model.joints()[model.joint(joint).unwrap().0].v;
            let ratio = grown.effort_limits()[dof] / model.effort_limits()[dof];
            assert!((ratio - times).abs() < 1e-9, "{way}, {joint}: {ratio}");
        }
    }
}

#[test]
fn a_missing_limb_cannot_grow() {
    let scenario = read("character = \"ostrich\"\n[[change]]\nlimb = \"arms\"\nscale = 2");
    let wrong = Simulation::new(scenario.clone(), scenario.built_in().unwrap()).unwrap_err();
    let inner = |source: &LabError| matches!(source, LabError::Part { .. });
    assert!(
        matches!(&wrong, LabError::Entry { table: "change", nth: 0, source } if inner(source)),
        "{wrong}"
    );
    assert_eq!(wrong.to_string(), "\"ostrich\" has no upper_arm_left");
}

/// The change begins at its time and has the right size: the height is a share of that of the centre of mass with straight legs.
#[test]
fn parameters_change_in_time() {
    let heights = |text: &str| {
        let scenario = read(text);
        let mut simulation = Simulation::new(scenario.clone(), scenario.built_in().unwrap()).unwrap();
        let mut k = Kinetics::new(simulation.model().clone());
        let mut heights = Vec::new();
        while !simulation.ended() {
            simulation.step().unwrap();
            k.update(simulation.q(), simulation.v());
            heights.push(k.com().z);
        }
        heights
    };
    let walk = "seconds = 5\n[[command]]\nvelocity = [0.8, 0]\n";
    let usual = heights(walk);
    let lowered = heights(&format!("{walk}[[set]]\ntime = 1.5\nheight = 0.9"));
    let begun = (0..usual.len()).find(|k| usual[*k] != lowered[*k]);
    assert_eq!(begun, Some(1500), "the step in which it first differs");
    let mean = |heights: &[f64]| heights[3000..].iter().sum::<f64>() / 2000.0;
    let ratio = mean(&lowered) / mean(&usual);
    assert!((ratio - 0.9 / 0.98).abs() < 0.01, "{ratio}");
}

#[test]
fn coarse_steps_are_steps_of_the_world() {
    let scenario = read("seconds = 0.4\nworld = { step = 0.004 }");
    let run = run_audited(&scenario, scenario.built_in().unwrap(), &mut ()).unwrap();
    assert_eq!((run.failure(), run.outcome.summary.seconds), (None, 0.4));
}

/// A walker that does not see the slope walks as on level ground, to the bit, until a foot is so near that the contact solver counts the
/// slope among its contacts, and otherwise from the touch on; one that sees it plans ahead.
#[test]
fn an_unseen_slope_is_not_planned_for() {
    let tilted = |contacts: &[ContactForce]| contacts.iter().any(|c| c.normal.x.abs() > 1e-3);
    let walk = |terrain: &str| {
        let text = format!("seconds = 2.5\n{terrain}[[command]]\nvelocity = [0.8, 0]");
        let scenario = read(&text);
        let mut simulation = Simulation::new(scenario.clone(), scenario.built_in().unwrap()).unwrap();
        let (actor, mut states, mut near, mut touched) =
            (simulation.episode().actor(), Vec::new(), None, None);
        while !simulation.ended() {
            simulation.step().unwrap();
            let (world, step) = (simulation.world(), states.len());
            let loaded = world.report().contacts(actor).iter().filter(|c| c.force.norm() > 0.0);
            near = near.or(tilted(world.contacts_ahead(actor)).then_some(step));
            touched = touched.or(tilted(&loaded.cloned().collect::<Vec<_>>()).then_some(step));
            states.push(simulation.q().to_vec());
        }
        (states, near, touched)
    };
    let slope = |unseen| format!("[terrain]\nkind = \"slope\"\nstart = 0.6\npitch = 8\nunseen = {unseen}\n");
    let (level, seen, unseen) = (walk("").0, walk(&slope(false)), walk(&slope(true)));
    let same = |states: &[Vec<f64>]| (0..states.len()).take_while(|k| states[*k] == level[*k]).count();
    let (until, near, touched) = (same(&unseen.0), unseen.1.unwrap(), unseen.2.unwrap());
    assert!(
        near <= until && until <= touched,
        "differs from step {until} on, near at {near}, touched at {touched}"
    );
    let (until, near) = (same(&seen.0), seen.1.unwrap());
    assert!(until + 100 < near, "seen: {until} of {near} steps");
}

#[test]
fn limbs_grow_in_length_or_in_mass() {
    let scenario = |growth: &str| {
        read(&format!(
            "seconds = 0.3\n[[change]]\nlimb = \"legs\"\n{growth} = 1.5\ntime = 0.1\nseconds = 0.1"
        ))
    };
    let legs = |s: &Simulation| {
        let model = s.model();
        let of = |role| model.role(role).unwrap().0;
        let mass: f64 = [Role::Thigh(Side::Left), Role::Shin(Side::Left), Role::Foot(Side::Left)]
            .map(|role| model.bodies()[of(role)].inertia.mass)
            .iter()
            .sum();
        let placements = model.spec().reference_placements();
        let height = |role| placements[of(role)].pos.z;
        (mass, height(Role::Thigh(Side::Left)) - height(Role::Foot(Side::Left)))
    };
    for (growth, longer) in [("lengthen", 1.5), ("weigh", 1.0)] {
        let scenario = scenario(growth);
        let mut simulation = Simulation::new(scenario.clone(), scenario.built_in().unwrap()).unwrap();
        let before = legs(&simulation);
        while !simulation.ended() {
            simulation.step().unwrap();
        }
        let after = legs(&simulation);
        assert!((after.0 / before.0 - 1.5).abs() < 1e-9, "{growth}: {before:?} {after:?}");
        assert!((after.1 / before.1 - longer).abs() < 1e-9, "{growth}: {before:?} {after:?}");
    }
}
