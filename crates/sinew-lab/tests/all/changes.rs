//! Scenarios in which the body, the gait or the time step is another one, and ground that nobody sees.

use sinew_dynamics::{Role, Side};
use sinew_lab::scenario::{ChangePlan, Limb, Reshape};
use sinew_lab::{LabError, Scenario, Simulation, run_audited};

fn read(text: &str) -> Scenario {
    Scenario::parse(text, "test.toml").unwrap()
}

#[test]
fn changes_are_read() {
    let s = read(
        r#"
        step = 0.002
        controller = { kind = "walker", weights = [100, 10, 1] }
        terrain = { kind = "ledges", height = -0.02, count = 3, unseen = true }

        [[gait]]
        height = 0.9
        lift = 0.1
        [[gait]]
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
    assert_eq!((s.step, s.unseen), (0.002, true));
    assert_eq!(s.gait.len(), 3);
    assert_eq!(s.gait[2], (2.0, "height", 0.8));
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
    let mass = |s: &Simulation| s.world().actors()[Simulation::ACTOR].model().mass() - model.mass();
    assert!((mass(&simulation) - 25.0).abs() < 1e-9);
    while !simulation.ended() {
        simulation.step().unwrap();
    }
    assert!((mass(&simulation) - 27.0).abs() < 1e-9);
    let run = run_audited(&scenario, model, &mut ()).unwrap();
    assert_eq!(run.failure(), None);
}

#[test]
fn who_grows_with_his_muscles_is_stronger_by_the_cube() {
    for (way, stronger) in [("grow", 8.0), ("scale", 1.0)] {
        let scenario = read(&format!(
            "seconds = 0.3\n[[change]]\nlimb = \"legs\"\n{way} = 2\ntime = 0.1\nseconds = 0.1"
        ));
        let model = scenario.built_in().unwrap();
        let mut simulation = Simulation::new(scenario, model.clone()).unwrap();
        while !simulation.ended() {
            simulation.step().unwrap();
        }
        let grown = simulation.world().actors()[Simulation::ACTOR].model();
        for (joint, times) in [("knee_l", stronger), ("elbow_l", 1.0)] {
            let dof = model.joints()[model.joint(joint).unwrap().0].v;
            let ratio = grown.effort_limits()[dof] / model.effort_limits()[dof];
            assert!((ratio - times).abs() < 1e-9, "{way}, {joint}: {ratio}");
        }
    }
}

#[test]
fn a_part_that_is_not_there_cannot_grow() {
    let scenario = read("character = \"ostrich\"\n[[change]]\nlimb = \"arms\"\nscale = 2");
    let wrong = Simulation::new(scenario.clone(), scenario.built_in().unwrap()).unwrap_err();
    assert!(matches!(wrong, LabError::Part { .. }), "{wrong}");
    assert_eq!(wrong.to_string(), "\"ostrich\" has no upper_arm_left");
}

#[test]
fn parameters_change_in_time() {
    let lowered = read("seconds = 1\n[[gait]]\ntime = 0.2\nheight = 0.85");
    let usual = read("seconds = 1");
    let height = |scenario: &Scenario| {
        let mut simulation = Simulation::new(scenario.clone(), scenario.built_in().unwrap()).unwrap();
        while !simulation.ended() {
            simulation.step().unwrap();
        }
        simulation.world().actors()[Simulation::ACTOR].q[2]
    };
    assert!(height(&lowered) < height(&usual) - 0.005);
}

#[test]
fn coarse_steps_are_steps_of_the_world() {
    let scenario = read("seconds = 0.4\nstep = 0.004");
    let run = run_audited(&scenario, scenario.built_in().unwrap(), &mut ()).unwrap();
    assert_eq!((run.failure(), run.outcome.summary.seconds), (None, 0.4));
}

#[test]
fn who_does_not_see_a_slope_does_not_plan_for_it() {
    let text = "seconds = 2.5\n[terrain]\nkind = \"slope\"\nstart = 0.3\npitch = 8\nunseen = UNSEEN\n[[command]]\nvelocity = [0.8, 0]";
    let end = |unseen: &str| {
        let scenario = read(&text.replace("UNSEEN", unseen));
        let mut simulation = Simulation::new(scenario.clone(), scenario.built_in().unwrap()).unwrap();
        while !simulation.ended() {
            simulation.step().unwrap();
        }
        simulation.world().actors()[Simulation::ACTOR].q.clone()
    };
    assert_ne!(end("true"), end("false"));
}

#[test]
fn limbs_grow_in_length_or_in_mass() {
    let scenario = |growth: &str| {
        read(&format!(
            "seconds = 0.3\n[[change]]\nlimb = \"legs\"\n{growth} = 1.5\ntime = 0.1\nseconds = 0.1"
        ))
    };
    let legs = |s: &Simulation| {
        let model = s.world().actors()[Simulation::ACTOR].model().clone();
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
