//! Warnings: each fault is found, named and given a remedy; a valid model has none.

use sinew_dynamics::spatial::{Inertia, Sym3, Vec3};
use sinew_dynamics::{BodySpec, Geom, JointSpec, Keyframe, Model, ModelSpec, Shape, characters};

/// A pendulum of two rods.
fn pendulum() -> ModelSpec {
    let mut spec = ModelSpec::new("pendulum");
    let rod = Inertia::solid_box(1.0, Vec3::new(0.05, 0.05, 0.5)).moved(&Vec3::new(0.0, 0.0, -0.25));
    spec.bodies.push(BodySpec::new("upper", None, rod).with_joint(JointSpec::hinge("first", Vec3::y())));
    let lower = BodySpec::new("lower", Some(0), rod).at(Vec3::new(0.0, 0.0, -0.5));
    spec.bodies.push(lower.with_joint(JointSpec::ball("second").limited(0.0, 1.0)));
    spec.keyframes.push(Keyframe { name: "hang".into(), q: vec![0.1, 1.0, 0.0, 0.0, 0.0], v: Vec::new() });
    spec
}

/// The warnings of a pendulum that was changed.
fn warnings(change: impl Fn(&mut ModelSpec)) -> Vec<String> {
    let mut spec = pendulum();
    change(&mut spec);
    Model::new(spec).unwrap().warnings().iter().map(ToString::to_string).collect()
}

#[test]
fn a_valid_model_has_no_warnings() {
    assert_eq!(warnings(|_| ()), Vec::<String>::new());
}

#[test]
fn each_fault_is_found() {
    type Fault = (fn(&mut ModelSpec), &'static str);
    let cases: [Fault; 9] = [
        (|s| s.bodies[1].inertia.mass = 0.009, "body \"lower\": it weighs 9.000e-3 kg and \"upper\""),
        (
            |s| s.bodies[1].inertia.about_com = Sym3::diagonal(0.1, 0.1, 0.3),
            "body \"lower\": its principal moments",
        ),
        (
            |s| s.bodies[0].joints[0].range = Some([1.0, -1.0]),
            "joint \"first\": its limits are inverted: 1 to -1",
        ),
        (
            |s| s.bodies[0].joints[0].range = Some([0.0, 0.0]),
            "joint \"first\": its limits leave no range of motion",
        ),
        (
            |s| s.bodies[0].joints[0].range = Some([0.05, 1.0]),
            "the reference pose: 0.0000 at joint \"first\" is outside",
        ),
        (
            |s| s.bodies[0].joints[0].range = Some([-1.0, 0.05]),
            "keyframe \"hang\": 0.1000 at joint \"first\" is outside",
        ),
        (
            |s| s.keyframes[0].q[1] = 0.9,
            "keyframe \"hang\": its quaternion at joint \"second\" has length 0.9000",
        ),
        (|s| s.bodies[1].joints[0].damping = 1e3, "joint \"second\": its damping is too strong"),
        (|s| s.bodies[0].joints[0].stiffness = 1e6, "joint \"first\": its spring is too stiff"),
    ];
    for (change, expected) in cases {
        let found = warnings(change);
        assert_eq!(found.len(), 1 + usize::from(expected.contains("no range of motion")), "{found:#?}");
        assert!(found[0].starts_with(expected), "{}\nshould start with\n{expected}", found[0]);
    }
    // a ball's limit is an angle, of either sign of the quaternion
    for sign in [1.0, -1.0] {
        let (s, c) = 0.6_f64.sin_cos();
        let turned = move |spec: &mut ModelSpec| {
            spec.keyframes[0].q[1..].copy_from_slice(&[sign * c, 0.0, sign * s, 0.0]);
        };
        let found = warnings(turned);
        assert!(
            found[0].starts_with("keyframe \"hang\": 1.2000 at joint \"second\" is outside 0.0000 to 1.0000")
        );
    }
    let light = warnings(|s| {
        s.bodies[1].inertia = Inertia::solid_box(0.02, Vec3::new(0.005, 0.005, 0.005));
    });
    assert!(light[0].starts_with("joint \"second\": it feels almost no inertia"), "{light:#?}");
}

/// The inertia that a joint feels is that of what it moves against all the rest: two free wheels on an axle feel the reduced
/// inertia `I₁ I₂ / (I₁ + I₂)`.
#[test]
fn stiffness_is_judged_by_the_inertia_that_is_felt() {
    let mut spec = ModelSpec::new("wheels");
    spec.timestep = Some(0.01);
    let wheel = |i: f64| Inertia { mass: 1.0, about_com: Sym3::diagonal(i, i, i), ..Inertia::ZERO };
    spec.bodies.push(BodySpec::new("a", None, wheel(0.3)).with_joint(JointSpec::free("root")));
    let reduced = 0.3 * 0.6 / 0.9;
    for (factor, expected) in [(0.99, 0), (1.01, 1)] {
        let mut joint = JointSpec::hinge("axle", Vec3::x());
        joint.damping = factor * reduced / 0.01;
        spec.bodies.truncate(1);
        spec.bodies.push(BodySpec::new("b", Some(0), wheel(0.6)).with_joint(joint));
        let found = Model::new(spec.clone()).unwrap().warnings();
        assert_eq!(found.len(), expected, "{found:?}");
    }
}

#[test]
fn a_biped_without_roles_gets_a_warning_that_names_them() {
    let mut spec = ModelSpec::new("biped");
    let capsule = |half: f64| {
        let shape = Shape::Capsule { radius: 0.04, half };
        Geom { pos: Vec3::new(0.0, 0.0, -half), ..Geom::new(shape) }
    };
    let body = |name: &str, parent, geom: Geom| {
        let inertia = geom.shape.solid(3.0).moved(&geom.pos);
        BodySpec::new(name, parent, inertia).with_geom(geom)
    };
    let base = body("base", None, Geom::new(Shape::Box { half: Vec3::new(0.1, 0.15, 0.1) }));
    spec.bodies.push(base.with_joint(JointSpec::free("root")));
    for (k, y) in [0.1, -0.1].into_iter().enumerate() {
        let at = spec.bodies.len();
        let hinge = |n: &str| JointSpec::hinge(format!("{n}{k}"), Vec3::y());
        let upper = body(&format!("u{k}"), Some(0), capsule(0.2)).at(Vec3::new(0.0, y, -0.1));
        spec.bodies.push(upper.with_joint(hinge("hip")));
        let lower = body(&format!("v{k}"), Some(at), capsule(0.2)).at(Vec3::new(0.0, 0.0, -0.4));
        spec.bodies.push(lower.with_joint(hinge("knee")));
        let sole = Geom {
            pos: Vec3::new(0.06, 0.0, -0.02),
            ..Geom::new(Shape::Box { half: Vec3::new(0.1, 0.04, 0.02) })
        };
        let foot = body(&format!("w{k}"), Some(at + 1), sole).at(Vec3::new(0.0, 0.0, -0.44));
        spec.bodies.push(foot.with_joint(hinge("ankle")));
    }
    let found = Model::new(spec.clone()).unwrap().warnings();
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].problem.starts_with("no body plays pelvis, trunk, thigh_left"), "{}", found[0]);
    assert!(found[0].problem.contains("foot_left = w0"), "{}", found[0]);
    spec.complete_roles(None);
    assert_eq!(Model::new(spec).unwrap().warnings(), []);
}

#[test]
fn built_in_characters_have_no_warnings() {
    for name in characters::names() {
        assert_eq!(characters::load(name).unwrap().warnings(), [], "{name}");
    }
}
