//! What we write, we read back as it was.

use crate::mjcf_read::{load, model};
use sinew_dynamics::format::mjcf;
use sinew_dynamics::spatial::{Inertia, Quat, Sym3, Vec3};
use sinew_dynamics::{
    Actuator, ActuatorLaw, BodySpec, Geom, JointSpec, Keyframe, ModelSpec, Role, Shape, Side, Site,
};

fn solid() -> Inertia {
    let about_com = Sym3 { xx: 0.1, yy: 0.2, zz: 0.25, xy: 0.01, xz: -0.02, yz: 1.0 / 3.0 * 0.01 };
    Inertia { mass: 1.0 / 3.0, com: Vec3::new(0.1, 0.2, -0.3), about_com }
}

fn named(name: &str, mut geom: Geom) -> Geom {
    geom.name = name.into();
    geom
}

/// A model with something of everything.
fn everything() -> ModelSpec {
    let mut spec = ModelSpec::new("of <everything> & \"more\"");
    spec.gravity = Vec3::new(0.1, 0.0, -9.80665);
    spec.timestep = Some(1.0 / 3.0 * 0.01);
    let mut ground = Geom::new(Shape::Plane { half: [0.0, 7.5] });
    ground.friction = 0.1 + 0.2;
    spec.world_geoms.push(named("ground", ground));
    let quat = Quat::from_scaled_axis(Vec3::new(0.3, -0.4, 0.5));
    spec.world_sites.push(Site { name: "mark".into(), pos: Vec3::x(), quat });

    let mut see_through = Geom::new(Shape::Ellipsoid { half: Vec3::new(0.1, 0.2, 0.3) });
    (see_through.contype, see_through.conaffinity) = (u32::MAX, 0);
    see_through.rgba = [0.1, 0.2, 0.3, 0.4];
    let vertices = vec![Vec3::zeros(), Vec3::x(), Vec3::y(), Vec3::z() / 3.0];
    let mesh = |vertices: &[Vec3]| Shape::Mesh { name: "m".into(), vertices: vertices.to_vec() };
    let root = BodySpec::new("hips and\nhops", None, solid())
        .at(Vec3::new(0.0, 0.0, 1.0))
        .turned(quat)
        .with_joint(JointSpec::free("root"))
        .with_geom(Geom::new(Shape::Sphere { radius: 0.1 }))
        .with_geom(named("ellipsoid", see_through))
        .with_geom(Geom::new(mesh(&vertices)))
        .with_geom(Geom { contype: 0, conaffinity: 0, ..Geom::new(mesh(&vertices)) });
    spec.bodies.push(root);

    let mut ball = JointSpec::ball("shoulder");
    (ball.range, ball.stiffness, ball.anchor) = (Some([0.0, 2.0]), 3.0, Vec3::new(0.1, 0.2, 0.3));
    ball.effort = [10.0, 20.0, 30.0];
    spec.bodies.push(
        BodySpec::new("arm", Some(0), Inertia::solid_box(2.0, Vec3::new(0.1, 0.2, 0.3)))
            .with_joint(ball)
            .with_geom(Geom::new(Shape::Capsule { radius: 0.05, half: 0.3 }))
            .with_geom(Geom::new(Shape::Box { half: Vec3::new(0.1, 0.2, 0.3) }))
            .with_site(Site { name: "hand".into(), pos: Vec3::y(), quat: Quat::identity() }),
    );
    let axis = Vec3::new(1.0, 2.0, 3.0).normalize();
    let mut elbow = JointSpec::hinge("elbow", axis).limited(-0.1, 2.0 / 3.0);
    (elbow.reference, elbow.spring_reference) = (0.2, -0.2);
    (elbow.armature, elbow.damping, elbow.friction_loss) = (0.01, 0.02, 0.03);
    // less than its motor could, and as much as it can
    elbow.effort = [4.0; 3];
    let mut slide = JointSpec::slide("slide", Vec3::z());
    slide.effort = [15.0; 3];
    let mut idle = JointSpec::hinge("idle", Vec3::y());
    idle.effort = [0.0; 3];
    let mut strong = JointSpec::hinge("strong", Vec3::x());
    strong.effort = [f64::INFINITY; 3];
    spec.bodies.push(BodySpec::new("forearm", Some(1), solid()).with_joint(elbow).with_joint(slide));
    spec.bodies.push(BodySpec::new("leg", Some(0), solid()).with_joint(idle).with_joint(strong));
    spec.bodies.push(BodySpec::new("marker", Some(3), Inertia::ZERO));

    let motor = ActuatorLaw { gain: 1.0, bias: [0.0; 3] };
    let servo = ActuatorLaw { gain: 40.0, bias: [0.5, -40.0, -1.0 / 3.0] };
    let at = |name: &str, joint: &str, law| Actuator {
        name: name.into(),
        joint: joint.into(),
        law,
        gear: [5.0, 0.0, 0.0, 0.0, 0.0, 0.0],
        ctrl_range: Some([-3.0, 3.0]),
        force_range: None,
    };
    spec.actuators.push(at("", "elbow", motor));
    spec.actuators.push(at("motor", "slide", motor));
    let mut turner = at("turner", "shoulder", servo);
    (turner.gear, turner.ctrl_range) = ([1.0, 0.5, -0.5, 0.0, 0.0, 2.0], None);
    turner.force_range = Some([-4.0, 5.0]);
    spec.actuators.push(turner);

    spec.excludes.push(("arm".into(), "leg".into()));
    spec.excludes.push(("world".into(), "leg".into()));
    let q = [0.1, 0.2, 0.3, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.5, 0.25, 1.0 / 3.0, -0.5];
    spec.keyframes.push(Keyframe { name: "pose".into(), q: q.to_vec(), v: Vec::new() });
    spec.keyframes.push(Keyframe {
        name: "move".into(),
        q: q.to_vec(),
        v: (0..13).map(|k| k as f64 / 7.0).collect(),
    });
    spec.roles.set(Role::Pelvis, "hips and\nhops");
    spec.roles.set(Role::UpperArm(Side::Right), "arm");
    spec
}

#[test]
fn everything_comes_back_bit_for_bit() {
    let spec = everything();
    let text = mjcf::write(&spec);
    let (again, report) = load(&text);
    assert_eq!(again, spec, "{text}");
    // only its servos are noted
    let other = report.warnings.iter().filter(|w| !w.contains("the servo of <general>"));
    assert_eq!(other.collect::<Vec<_>>(), Vec::<&String>::new());
}

#[test]
fn shapes_of_one_name_with_other_corners_stay_apart() {
    let mut spec = everything();
    let other = vec![Vec3::zeros(), Vec3::x(), Vec3::y(), Vec3::z() * 2.0];
    spec.bodies[1].geoms.push(Geom::new(Shape::Mesh { name: "m".into(), vertices: other.clone() }));
    let (again, _) = load(&mjcf::write(&spec));
    let Shape::Mesh { name, vertices } = &again.bodies[1].geoms[2].shape else { panic!() };
    assert_eq!((name.as_str(), vertices), ("m_2", &other));
}

#[test]
fn bodies_in_any_order_come_out_depth_first_with_their_keyframes() {
    let hinge = |name: &str| JointSpec::hinge(name, Vec3::x());
    let mut spec = ModelSpec::new("broad");
    let part =
        |name: &str, parent| BodySpec::new(name, parent, solid()).with_joint(hinge(&format!("{name}_j")));
    spec.bodies = vec![part("a", None), part("b", None), part("a1", Some(0)), part("b1", Some(1))];
    spec.keyframes.push(Keyframe {
        name: String::new(),
        q: vec![1.0, 2.0, 3.0, 4.0],
        v: vec![5.0, 6.0, 7.0, 8.0],
    });
    let (again, _) = load(&mjcf::write(&spec));
    let names: Vec<&str> = again.bodies.iter().map(|b| b.name.as_str()).collect();
    assert_eq!(names, ["a", "a1", "b", "b1"]);
    assert_eq!(again.keyframes[0].q, [1.0, 3.0, 2.0, 4.0]);
    assert_eq!(again.keyframes[0].v, [5.0, 7.0, 6.0, 8.0]);
}

#[test]
fn text_that_was_read_comes_back_through_our_own() {
    let (spec, _) = load(&model(
        r#"<default><geom density="777"/><joint damping="0.3"/></default>"#,
        r#"<frame euler="10 20 30" pos="0 0 1"><body name="x" euler="1 2 3"><joint name="j" axis="1 2 3" range="-33 44"/>
           <geom type="cylinder" size="0.1" fromto="0 0 0 0.3 0.4 0.5"/><geom size="0.07" pos="0.1 0.2 0.3"/></body></frame>"#,
        r#"<actuator><position joint="j" kp="33.3" inheritrange="0.7" gear="1.1"/></actuator>"#,
    ));
    assert_eq!(load(&mjcf::write(&spec)).0, spec);
}
