//! MJCF as users have it: elements that are not simulated are noted and do not prevent reading.

use sinew_dynamics::format::mjcf::{self, Options};
use sinew_dynamics::spatial::Vec3;
use sinew_dynamics::{Model, ModelSpec};

fn read(sections: &str) -> (ModelSpec, Vec<String>) {
    let text = format!(
        r#"<mujoco><worldbody><geom name="floor" type="plane" size="0 0 1"/>
        <body name="hips" pos="0 0 1"><freejoint/><geom name="ball" size="0.1" contype="0" conaffinity="0"/>
        <body name="left" pos="0.2 0 0"><joint name="a" axis="0 1 0" ref="0.3" range="-1 1"/><geom name="l" size="0.05"/></body>
        <body name="right" pos="0 0.2 0"><joint name="b" axis="0 1 0"/><geom size="0.05"/><site name="tip" pos="0.1 0 0"/></body>
        </body></worldbody>{sections}</mujoco>"#
    );
    let (spec, report) = mjcf::parse(&text, &Options::default()).unwrap_or_else(|e| panic!("{e}"));
    Model::new(spec.clone()).expect("a model");
    let (again, _) = mjcf::parse(&mjcf::write(&spec), &Options::default()).expect("what is written is read");
    assert_eq!(again.ties.len(), spec.ties.len());
    for (one, other) in again.ties.iter().zip(&spec.ties) {
        let close = |x: &Vec3, y: &Vec3| (x - y).norm() < 1e-12;
        assert!(
            close(&one.point, &other.point) && close(&one.point_other, &other.point_other),
            "{one:?} {other:?}"
        );
        let angle = one.orientation.zip(other.orientation).map_or(0.0, |(p, q)| p.angle_to(&q));
        assert!(
            angle < 1e-7 && one.orientation.is_some() == other.orientation.is_some(),
            "{one:?} {other:?}"
        );
    }
    (spec, report.warnings)
}

#[track_caller]
fn noted(sections: &str, word: &str) -> ModelSpec {
    let (spec, warnings) = read(sections);
    assert!(warnings.iter().any(|w| w.contains(word)), "{sections}: {warnings:?}");
    spec
}

#[test]
fn servos_are_torques_with_a_note() {
    for servo in [
        r#"<position joint="a" kp="50" dampratio="1" forcerange="-9 9"/>"#,
        r#"<position joint="a" kp="50" kv="3" timeconst="0.1" forcerange="-9 9"/>"#,
        r#"<general joint="a" gainprm="50" biastype="affine" biasprm="0 -50 -3" input="pos" forcerange="-9 9"/>"#,
        r#"<general joint="a" gainprm="50" biastype="affine" biasprm="0 -50 0.7" dyntype="filterexact" dynprm="0.1" forcerange="-9 9"/>"#,
        r#"<velocity joint="a" kv="3" forcerange="-9 9"/>"#,
    ] {
        let spec = noted(&format!("<actuator>{servo}</actuator>"), "torques drive joints here");
        assert_eq!(spec.bodies[1].joints[0].effort[0], 9.0, "{servo}");
    }
    noted(r#"<actuator><position joint="a" kp="5" dampratio="1"/></actuator>"#, "damping ratio");
    noted(r#"<actuator><position joint="a" kp="5" timeconst="1"/></actuator>"#, "timeconst");
    noted(r#"<actuator><general joint="a" input="pos"/></actuator>"#, "input of an actuator left out");
}

#[test]
fn tendons_and_their_motors_are_noted() {
    let tendon = r#"<tendon><fixed name="t" stiffness="3" range="0 1" limited="true"><joint joint="a" coef="1"/></fixed></tendon>"#;
    noted(tendon, "tendons exert no force here");
    let spec = noted(&format!(r#"{tendon}<actuator><motor tendon="t"/></actuator>"#), "<motor> at a tendon");
    assert!(spec.actuators.is_empty());
}

#[test]
fn pairs_collide() {
    let spec = noted(r#"<contact><pair geom1="floor" geom2="ball"/></contact>"#, "<pair>");
    let ball = &spec.bodies[0].geoms[0];
    assert_eq!((ball.contype, ball.conaffinity), (1, 1));
}

#[test]
fn ties_are_read_and_written() {
    // hips at (0, 0, 1), left at (0.2, 0, 1), right at (0, 0.2, 1)
    let (spec, _) = read(r#"<equality><connect body1="left" body2="right" anchor="0.1 0 0"/></equality>"#);
    let tie = &spec.ties[0];
    assert_eq!((tie.body.as_str(), tie.other.as_deref(), tie.orientation), ("left", Some("right"), None));
    assert!((tie.point_other - Vec3::new(0.3, -0.2, 0.0)).norm() < 1e-12, "{tie:?}");
    let (spec, _) = read(r#"<equality><weld body1="left" body2="right"/></equality>"#);
    let tie = &spec.ties[0];
    assert!((tie.point - Vec3::new(-0.2, 0.2, 0.0)).norm() < 1e-12 && tie.orientation.is_some(), "{tie:?}");
    let (spec, _) = read(r#"<equality><weld body1="left"/></equality>"#);
    assert_eq!(spec.ties[0].other, None);
    assert!(
        (spec.ties[0].point_other).norm() < 1e-12
            && (spec.ties[0].point - Vec3::new(-0.2, 0.0, -1.0)).norm() < 1e-12
    );
    let sites = r#"<equality><connect site1="tip" site2="tip"/></equality>"#;
    let text = format!(
        r#"<mujoco><worldbody><body name="x"><freejoint/><geom size="1"/><site name="tip"/></body></worldbody>{sites}</mujoco>"#
    );
    assert!(mjcf::parse(&text, &Options::default()).is_err_and(|e| e.to_string().contains("tied to itself")));
}

#[test]
fn couplings_hold_the_joint_and_say_so() {
    let coupled = r#"<equality><joint joint1="a" joint2="b" polycoef="0.1 1 0 0 0"/></equality>"#;
    let spec = noted(coupled, "couplings are not simulated");
    let [low, high] = spec.bodies[1].joints[0].range.expect("a range");
    // degrees in this file, and the coefficient is in radians
    let place = 0.3_f64.to_radians() + 0.1;
    assert!(low < place && place < high && high - low < 1e-3, "{low} {high}");
}

#[test]
fn meshes_whose_files_are_absent() {
    let text = r#"<mujoco><asset><mesh name="m" file="absent.stl"/></asset><worldbody><body name="x"><freejoint/>
        <inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/><geom type="mesh" mesh="m"/><geom size="0.1"/></body></worldbody></mujoco>"#;
    let (spec, report) = mjcf::parse(text, &Options::default()).expect("it loads");
    assert_eq!(spec.bodies[0].geoms.len(), 1);
    assert!(report.warnings.iter().any(|w| w.contains("its file is not there")), "{:?}", report.warnings);
    // without the mesh nothing says what it weighs
    let weighs = text.replace(r#"<inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>"#, "");
    assert!(mjcf::parse(&weighs, &Options::default()).is_err_and(|e| e.to_string().contains("absent.stl")));
}

/// Of a mesh that collides the hull counts: points inside and in the middle of faces are left out, and the mass stays.
#[test]
fn meshes_keep_the_corners_of_their_hulls() {
    let corners = "0 0 0 1 0 0 0 1 0 1 1 0 0 0 1 1 0 1 0 1 1 1 1 1";
    let body = |points: &str| {
        let text = format!(
            r#"<mujoco><asset><mesh name="m" vertex="{points}"/></asset><worldbody><body name="x"><freejoint/>
            <geom type="mesh" mesh="m"/></body></worldbody></mujoco>"#
        );
        mjcf::parse(&text, &Options::default()).expect("it loads").0.bodies.remove(0)
    };
    let (plain, full) = (body(corners), body(&format!("0.5 0.5 0.5 {corners} 0.2 0.9 0.1 0.5 0.5 1")));
    assert_eq!(plain.geoms[0].shape, full.geoms[0].shape);
    assert!((plain.inertia.mass - full.inertia.mass).abs() < 1e-9 * plain.inertia.mass);
    assert_eq!(plain.geoms[0].shape.volume(), 1.0);
}

#[test]
fn standing_keyframes_by_name() {
    let key = |name: &str, q: f64| format!(r#"<key name="{name}" qpos="0 0 1 1 0 0 0 {q} 0"/>"#);
    let standing = |keys: &[String]| {
        let (spec, _) = read(&format!("<keyframe>{}</keyframe>", keys.concat()));
        spec.standing().map(|k| k.name.clone())
    };
    assert_eq!(standing(&[key("sit", 0.0), key("home", 0.1), key("stand", 0.2)]).as_deref(), Some("stand"));
    assert_eq!(standing(&[key("sit", 0.0), key("Home", 0.1)]).as_deref(), Some("Home"));
    assert_eq!(standing(&[key("odd", 0.0)]).as_deref(), Some("odd"));
    assert_eq!(standing(&[key("sit", 0.0), key("lie", 0.1)]), None);
    assert_eq!(standing(&[]), None);
}
