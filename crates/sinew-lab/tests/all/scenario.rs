//! Scenarios as text: what is read, and what is said about mistakes.

use sinew_control::features::{BALANCER, Gait, JUMPER, Jump, Legs};
use sinew_dynamics::spatial::Vec3;
use sinew_dynamics::{Data, Role, forward_kinematics};
use sinew_lab::scenario::{ControllerPlan, GroundPlan, Strength};
use sinew_lab::{Scenario, Simulation};
use sinew_world::terrain::Course;

fn read(text: &str) -> Scenario {
    Scenario::parse(text, "test.toml").unwrap()
}

#[test]
fn an_empty_scenario_is_the_standing_human() {
    assert_eq!(read(""), Scenario { name: "test".to_owned(), ..Scenario::default() });
}

#[test]
fn everything_is_read() {
    let s = read(
        r#"
        name = "all"
        character = "child"
        seconds = 7.5
        seed = 0x2a
        terrain = { kind = "stairs", start = 3, run = 0.25, rise = -0.1, steps = 4, friction = 0.7 }
        controller = { system = "jumper", gait = { lift = 0.12, step_time = 2 } }
        command = [{ velocity = [1, -0.5] }, { time = 2, heading = 90 }]
        outputs = { recording = "a.npz", summary = "a.json" }

        [[push]]
        time = 1
        impulse = [1, 2, 3]
        body = "foot_left"

        [[push]]
        direction = 180
        strength = 0.5
        seconds = 0.4

        [[request]]
        name = "jump"
        time = 3
        twist = 180
        legs = "split"
        "#,
    );
    assert_eq!((s.name.as_str(), s.character.as_str(), s.seconds, s.seed), ("all", "child", 7.5, 42));
    let stairs = GroundPlan::Stairs { start: 3.0, run: 0.25, rise: -0.1, steps: 4, friction: 0.7 };
    assert_eq!(s.ground, stairs);
    let gait = Gait { lift: 0.12, step_time: 2.0, ..Gait::default() };
    assert_eq!(s.controller, ControllerPlan::new(&JUMPER).with_group("gait", &gait));
    let jump = Jump { twist: std::f64::consts::PI, legs: Legs::Split, ..Jump::default() };
    let [(time, request)] = &s.requests[..] else { panic!("{:?}", s.requests) };
    assert_eq!((*time, request.name, request.fill::<Jump>()), (3.0, "jump", jump));
    // a command keeps what the next one does not say
    assert_eq!(s.command_at(2.0).velocity, [1.0, -0.5]);
    assert_eq!((s.command_at(1.999).heading, s.command_at(2.0).heading), (0.0, std::f64::consts::FRAC_PI_2));
    assert_eq!(s.pushes[0].strength, Strength::Impulse(Vec3::new(1.0, 2.0, 3.0)));
    assert_eq!((s.pushes[0].part.to_string().as_str(), s.pushes[1].part), ("foot_left", Role::Trunk));
    assert!((s.pushes[1].strength.impulse(10.0) - Vec3::new(-5.0, 0.0, 0.0)).norm() < 1e-12);
    assert_eq!(s.outputs.recording.as_deref(), Some("a.npz".as_ref()));
}

#[test]
fn a_balancer_squats_on_a_platform_from_a_beginning_that_is_a_little_off() {
    let s = read(
        r#"
        seconds = 0.2
        seed = 3
        jitter = [0.02, 0.1]
        controller = { system = "balancer", stance = { squat_depth = 0.2 } }
        terrain = { kind = "platform", amplitude = [0.1, 0, 0], frequency = 1, friction = 0.7 }
        "#,
    );
    assert_eq!(s.controller, ControllerPlan::new(&BALANCER).with("squat_depth", 0.2).unwrap());
    assert_eq!(s.jitter, [0.02, 0.1]);
    let platform = s.ground.platform().unwrap();
    assert!((platform.path.at(0.25).0.pos - Vec3::new(0.1, 0.0, -0.05)).norm() < 1e-12);
    // soles touch, joints are off by no more than asked, and the seed decides by how much
    let model = s.built_in().unwrap();
    let begin = |seed: u64| {
        let simulation = Simulation::new(Scenario { seed, ..s.clone() }, model.clone()).unwrap();
        let rest = simulation.episode().controller().start().q;
        let mut off = vec![0.0; model.nv()];
        model.difference(&rest, simulation.q(), &mut off);
        let most = |x: &[f64]| x[6..].iter().fold(0.0, |m: f64, x| m.max(x.abs()));
        assert!(most(&off) <= 0.02 && most(&off) > 0.01 && most(simulation.v()) <= 0.1, "{off:?}");
        let mut data = Data::new(&model);
        forward_kinematics(&model, &mut data, simulation.q());
        let [low, _] = data.extent(&model, &Vec3::z()).unwrap();
        assert!(low.abs() < 1e-9, "the lowest point is at {low} m");
        simulation.q().to_vec()
    };
    assert!(begin(3) == begin(3) && begin(3) != begin(4));
}

#[test]
fn courses_go_by_their_names() {
    let names = ["flat", "ramps", "stairs", "ledges", "stones", "blocks", "rough", "mixed"];
    for (name, course) in names.into_iter().zip(Course::ALL) {
        let ground = read(&format!("terrain = {{ kind = \"course\", course = \"{name}\" }}")).ground;
        assert_eq!(ground, GroundPlan::Course { course, difficulty: 0.5 });
        assert_eq!(format!("{course:?}").to_lowercase(), name);
    }
}

#[test]
fn slopes_begin_level() {
    for (pitch, height) in [(45, 1.0), (-45, -1.0)] {
        let ground = read(&format!("terrain = {{ kind = \"slope\", start = 2, pitch = {pitch} }}")).ground;
        let terrain = ground.build(1).unwrap();
        assert_eq!(terrain.height(1.9, 1.0), 0.0);
        assert!((terrain.height(3.0, 1.0) - height).abs() < 1e-9);
    }
}

#[test]
fn mistakes_are_named_with_their_line() {
    let mistakes = [
        "seconds = 3\ncarachter = \"human\"",
        "zebra = 1",
        "seconds = -1",
        "seconds = \"long\"",
        "seed = 1.5",
        "controller = \"walkre\"",
        "[controller]\nkind = \"walker\"",
        "[controller]\nsystem = \"walker\"\n[controller.gait]\nlift = 0.1\nstep_tim = 2",
        "[controller.gait]\nlift = nan",
        "[controller.gait]\nlift = 0.1\nturn = -1",
        "[[gait]]\ntime = 1\nheight = 2",
        "[[set]]\ntime = 1\nheight = 2",
        "[[set]]\ntime = 2\nlift = 0.1\n[[set]]\ntime = 1\nlift = 0.2",
        "[controller]\nlitf = 0.1",
        "[controller]\nstyle = \"sda\"",
        "[controller]\nsystem = \"limp\"\nstyle = \"sad\"",
        "controller = \"jumper\"\n[[jump]]\ntwist = 400",
        "controller = \"jumper\"\n[[request]]\nname = \"jump\"\ntwist = 400",
        "controller = \"jumper\"\n[[request]]\nname = \"jump\"\nheigth = 0.2",
        "controller = \"jumper\"\n[[request]]\nname = \"leap\"",
        "[[request]]\nname = \"jump\"",
        "[[request]]\ntime = 1",
        "[terrain]\nkind = \"slope\"\npitch = 60",
        "[terrain]\nkind = \"flat\"\npitch = 5",
        "[[command]]\nvelocity = [1]",
        "[[command]]\nvelocity = [1, 50]",
        "[[command]]\ntime = 2\n[[command]]\ntime = 1",
        "[command]\ntime = 2",
        "[[push]]\ntime = 2",
        "[[push]]\nimpulse = [0, 1, 0]\nstrength = 2",
        "[[push]]\nimpulse = [0, 1, 0]\nbody = \"trnk\"",
        "[[push]]\ndirection = 90\nstrenght = 2",
        "[terrain]\nkind = \"stairs\"\nsteps = 20000",
        "[[jump]]\ntime = 2",
        "step = 1",
        "[world]\nstep = 1",
        "[world]\nstep = 0.02\ncontact = \"sprngs\"",
        "[world]\nstiffness = 1000",
        "[world]\nintegrator = \"runge-kutta\"\ncontact = \"rigid\"",
        "[[object]]\nkind = \"boxx\"",
        "[[object]]\nmass = -1",
        "controller = { system = \"walker\", weights = [1, 0] }",
        "[terrain]\nunseen = 1",
        "[[set]]\ntime = 1\nlift = 0.1\nlitf = 0.2",
        "[[change]]\nlimb = \"legs\"",
        "[[change]]\nlimb = \"wings\"\nload = 2",
        "[[change]]\nload = 2",
        "[[change]]\nlimb = \"legs\"\nload = 2\nweigh = 2",
        "jitter = [0.1, -0.1]",
        "[controller]\nsystem = \"balancer\"\nstance = { squat = 1 }",
        "controller = \"balancer\"\n[[jump]]\ntime = 2",
        "[outputs]\nrecording = 3",
        "seconds = = 3",
    ];
    let said: Vec<String> =
        mistakes.iter().map(|text| Scenario::parse(text, "test.toml").unwrap_err().to_string()).collect();
    insta::assert_snapshot!(said.join("\n"));
}
