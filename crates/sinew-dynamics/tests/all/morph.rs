//! Morphology: scaled bodies are what a solid of the new size would be, and every change can be undone.

use crate::support::Random;
use sinew_dynamics::format::mjcf;
use sinew_dynamics::spatial::{Inertia, Mat3, Quat, Sym3, Vec3};
use sinew_dynamics::{
    Actuator, ActuatorLaw, BodySpec, Change, Data, Geom, JointSpec, Keyframe, MassRule, Model, ModelSpec,
    Role, Scale, Shape, Side, Site, Span, forward_kinematics,
};

/// A biped of capsules and boxes with oblique bones, a free root and a standing pose.
fn biped() -> ModelSpec {
    let mut spec = ModelSpec::new("biped");
    let solid = |name: &str, parent, mass, geom: Geom| {
        let inertia = geom.shape.solid(mass).placed(&geom.placement());
        BodySpec::new(name, parent, inertia).with_geom(geom)
    };
    let geom = |shape, pos| Geom { pos, ..Geom::new(shape) };
    let bone = |length: f64| Shape::Capsule { radius: 0.05, half: 0.5 * length };
    let down = |length: f64| Vec3::new(0.0, 0.0, -0.5 * length);
    let torso = solid(
        "torso",
        None,
        40.0,
        geom(Shape::Ellipsoid { half: Vec3::new(0.1, 0.2, 0.3) }, Vec3::z() * 0.3),
    );
    spec.bodies.push(torso.at(Vec3::new(0.0, 0.0, 1.0)).with_joint(JointSpec::free("root")));
    for (side, y) in [("l", 1.0), ("r", -1.0)] {
        let hip = spec.bodies.len();
        let thigh = solid(&format!("thigh_{side}"), Some(0), 8.0, geom(bone(0.45), down(0.45)));
        spec.bodies.push(
            thigh
                .at(Vec3::new(0.0, 0.1 * y, 0.0))
                .with_joint(JointSpec::ball(format!("hip_{side}")))
                .with_site(Site {
                    name: format!("mark_{side}"),
                    pos: Vec3::new(0.0, 0.05, -0.2),
                    quat: Quat::identity(),
                }),
        );
        // a frame above the knee, as some files have it
        let shin = solid(
            &format!("shin_{side}"),
            Some(hip),
            4.0,
            geom(bone(0.45), Vec3::new(0.01, 0.02 * y, -0.325)),
        );
        let knee = JointSpec::hinge(format!("knee_{side}"), Vec3::y()).anchored(Vec3::new(0.0, 0.0, -0.1));
        spec.bodies.push(shin.at(Vec3::new(0.0, 0.02 * y, -0.35)).with_joint(knee.limited(0.0, 2.5)));
        let sole = geom(Shape::Box { half: Vec3::new(0.12, 0.05, 0.02) }, Vec3::new(0.06, 0.0, -0.08));
        let foot = solid(&format!("foot_{side}"), Some(hip + 1), 1.0, sole);
        spec.bodies.push(
            foot.at(Vec3::new(0.0, 0.0, -0.55))
                .with_joint(JointSpec::hinge(format!("ankle_{side}"), Vec3::y())),
        );
    }
    for (part, name) in
        [(Role::Thigh as fn(Side) -> Role, "thigh"), (Role::Shin, "shin"), (Role::Foot, "foot")]
    {
        spec.roles.set(part(Side::Left), format!("{name}_l"));
        spec.roles.set(part(Side::Right), format!("{name}_r"));
    }
    let model = Model::new(spec.clone()).unwrap();
    let mut q = model.neutral();
    q[2] = 1.02;
    let bent = [0.98, 0.0, -0.2_f64, 0.0].map(|x: f64| x / (0.98_f64.powi(2) + 0.2_f64.powi(2)).sqrt());
    let mut crouch = q.clone();
    for leg in [7, 13] {
        crouch[leg..leg + 4].copy_from_slice(&bent);
        (crouch[leg + 4], crouch[leg + 5]) = (0.8, -0.4);
    }
    spec.keyframes.push(Keyframe { name: "stand".into(), q, v: Vec::new() });
    spec.keyframes.push(Keyframe { name: "crouch".into(), q: crouch, v: Vec::new() });
    spec
}

fn scale(body: &str, span: Span, scale: Scale) -> Change {
    Change::Scale { body: body.into(), span, scale, mass: MassRule::Density }
}

fn close(a: &Inertia, b: &Inertia, tolerance: f64) -> bool {
    (a.mass - b.mass).abs() <= tolerance * b.mass.abs()
        && (a.com - b.com).norm() <= tolerance
        && (a.about_com.to_mat3() - b.about_com.to_mat3()).norm() <= tolerance * b.about_com.to_mat3().norm()
}

/// Largest difference of all numbers of two descriptions of the same structure.
fn difference(a: &ModelSpec, b: &ModelSpec) -> f64 {
    let numbers = |spec: &ModelSpec| -> Vec<f64> {
        let mut x = Vec::new();
        for body in &spec.bodies {
            x.extend(body.pos.iter().chain(body.quat.coords.iter()).chain(&body.inertia.com));
            x.push(body.inertia.mass);
            x.extend(body.inertia.about_com.to_mat3().iter());
            body.joints.iter().for_each(|j| x.extend(j.anchor.iter()));
            body.sites.iter().for_each(|s| x.extend(s.pos.iter()));
            for geom in &body.geoms {
                x.extend(geom.pos.iter());
                x.extend(sinew_dynamics::spatial::rotation::to_matrix(&geom.quat).iter());
                match &geom.shape {
                    Shape::Sphere { radius } => x.push(*radius),
                    Shape::Capsule { radius, half } | Shape::Cylinder { radius, half } => {
                        x.extend([*radius, *half])
                    }
                    Shape::Box { half } | Shape::Ellipsoid { half } => x.extend(half.iter()),
                    Shape::Mesh { vertices, .. } => vertices.iter().for_each(|v| x.extend(v.iter())),
                    Shape::Plane { half } => x.extend(half),
                }
            }
        }
        spec.keyframes.iter().for_each(|k| x.extend(&k.q));
        x
    };
    let (a, b) = (numbers(a), numbers(b));
    assert_eq!(a.len(), b.len());
    a.iter().zip(&b).map(|(x, y)| (x - y).abs()).fold(0.0, f64::max)
}

#[test]
fn a_scaled_solid_is_the_solid_of_the_new_size() {
    let size = Vec3::new(0.2, 0.3, 0.5);
    let factors = Vec3::new(1.5, 0.8, 2.0);
    let mut spec = ModelSpec::new("box");
    let body = BodySpec::new("box", None, Inertia::solid_box(6.0, size).moved(&Vec3::new(0.1, -0.2, 0.3)));
    spec.bodies.push(body.with_joint(JointSpec::free("root")));
    let changed = |s, mass| {
        let change = Change::Scale { body: "box".into(), span: Span::Body, scale: s, mass };
        spec.changed(&[change]).unwrap().bodies[0].inertia
    };
    let moved = Vec3::new(0.1, -0.2, 0.3).component_mul(&factors);
    let grown = Inertia::solid_box(6.0 * factors.product(), size.component_mul(&factors)).moved(&moved);
    assert!(close(&changed(Scale::Axes(factors.into()), MassRule::Density), &grown, 1e-14));
    let stretched =
        Inertia { mass: 6.0, ..Inertia::solid_box(6.0, size.component_mul(&factors)).moved(&moved) };
    assert!(close(&changed(Scale::Axes(factors.into()), MassRule::Kept), &stretched, 1e-14));
    // mass s³, inertia s⁵
    let (before, after) = (spec.bodies[0].inertia, changed(Scale::Uniform(1.3), MassRule::Density));
    assert!((after.mass / before.mass - 1.3_f64.powi(3)).abs() < 1e-14);
    let ratio = after.about_com.to_mat3() - before.about_com.to_mat3() * 1.3_f64.powi(5);
    assert!(ratio.norm() < 1e-14);
}

/// The shapes and the inertia of a scaled body stay those of one solid, for any shape and place.
#[test]
fn shapes_scale_with_the_inertia() {
    let mut random = Random::new(5);
    let half = Vec3::new(0.1, 0.15, 0.3);
    for shape in [
        Shape::Box { half },
        Shape::Ellipsoid { half },
        Shape::Sphere { radius: 0.2 },
        Shape::Cylinder { radius: 0.1, half: 0.4 },
        Shape::Capsule { radius: 0.1, half: 0.4 },
    ] {
        let quat = random.quat();
        let geom = Geom { pos: random.vec3(0.3), quat, ..Geom::new(shape) };
        let mut spec = ModelSpec::new("solid");
        let inertia = geom.shape.solid(2.0).placed(&geom.placement());
        spec.bodies
            .push(BodySpec::new("b", None, inertia).with_geom(geom).with_joint(JointSpec::free("root")));
        let body = spec.changed(&[scale("b", Span::Body, Scale::Uniform(1.7))]).unwrap().bodies.remove(0);
        let geom = &body.geoms[0];
        let solid = geom.shape.solid(2.0 * 1.7_f64.powi(3)).placed(&geom.placement());
        assert!(close(&body.inertia, &solid, 1e-12), "{:?}", geom.shape);
        // along its own axes a box, an ellipsoid and a cylinder stay what they are
        if matches!(geom.shape, Shape::Box { .. } | Shape::Ellipsoid { .. } | Shape::Cylinder { .. }) {
            spec.bodies[0].geoms[0].quat = Quat::identity();
            let geom = spec.bodies[0].geoms[0].clone();
            spec.bodies[0].inertia = geom.shape.solid(2.0).placed(&geom.placement());
            let factors =
                if matches!(geom.shape, Shape::Cylinder { .. }) { [1.2, 1.2, 0.7] } else { [1.2, 0.6, 1.9] };
            let body =
                spec.changed(&[scale("b", Span::Body, Scale::Axes(factors))]).unwrap().bodies.remove(0);
            let geom = &body.geoms[0];
            let mass = 2.0 * factors.iter().product::<f64>();
            assert!(close(&body.inertia, &geom.shape.solid(mass).placed(&geom.placement()), 1e-12));
        }
    }
}

#[test]
fn volume_is_right_for_oblique_shapes() {
    let mut random = Random::new(6);
    let half = Vec3::new(0.1, 0.15, 0.3);
    let factors = [1.4, 0.7, 1.9];
    for shape in [
        Shape::Box { half },
        Shape::Ellipsoid { half },
        Shape::Sphere { radius: 0.2 },
        Shape::Cylinder { radius: 0.1, half: 0.4 },
    ] {
        let geom = Geom { quat: random.quat(), ..Geom::new(shape) };
        let mut spec = ModelSpec::new("solid");
        let inertia = geom.shape.solid(2.0).placed(&geom.placement());
        spec.bodies
            .push(BodySpec::new("b", None, inertia).with_geom(geom.clone()).with_joint(JointSpec::free("r")));
        let body = spec.changed(&[scale("b", Span::Body, Scale::Axes(factors))]).unwrap().bodies.remove(0);
        let ratio = body.geoms[0].shape.volume() / geom.shape.volume();
        assert!((ratio - factors.iter().product::<f64>()).abs() < 1e-12, "{:?} {ratio}", geom.shape);
    }
}

#[test]
fn scaling_there_and_back_gives_the_same_body() {
    let mut random = Random::new(7);
    let mut spec = biped();
    // every shape, oblique
    let half = Vec3::new(0.05, 0.07, 0.09);
    let vertices = (0..5).map(|_| random.vec3(0.1)).collect();
    for shape in [
        Shape::Box { half },
        Shape::Ellipsoid { half },
        Shape::Sphere { radius: 0.05 },
        Shape::Cylinder { radius: 0.03, half: 0.1 },
        Shape::Mesh { name: "m".into(), vertices },
    ] {
        let geom = Geom { pos: random.vec3(0.1), quat: random.quat(), ..Geom::new(shape) };
        spec.bodies[2].geoms.push(geom);
    }
    let inverse = |s: Scale| match s {
        Scale::Uniform(x) => Scale::Uniform(1.0 / x),
        Scale::Length(x) => Scale::Length(1.0 / x),
        Scale::Axes(x) => Scale::Axes(x.map(|x| 1.0 / x)),
    };
    for how in [Scale::Uniform(1.37), Scale::Length(0.71), Scale::Axes([1.3, 0.8, 1.1])] {
        for (body, span) in
            [("shin_l", Span::Body), ("thigh_l", Span::Subtree), ("thigh_r", Span::ChainTo("shin_r".into()))]
        {
            for mass in [MassRule::Density, MassRule::Kept] {
                let change = |scale| Change::Scale { body: body.into(), span: span.clone(), scale, mass };
                let there = spec.changed(&[change(how)]).unwrap();
                assert!(difference(&there, &spec) > 1e-3);
                let back = there.changed(&[change(inverse(how))]).unwrap();
                let off = difference(&back, &spec);
                assert!(off < 1e-12, "{body} {how:?}: {off:e}");
            }
        }
    }
}

#[test]
fn bodies_written_by_others_scale_there_and_back() {
    let Some(folder) = crate::support::shared("characters") else { return };
    for file in ["humanoid", "humanoid_CMU", "unitree_h1", "walker"] {
        let spec = mjcf::read(folder.join(format!("{file}.xml"))).unwrap_or_else(|e| panic!("{e}")).0;
        for body in &spec.bodies {
            let both = |s: f64| {
                let scale = |how| scale(&body.name, Span::Body, how);
                [scale(Scale::Uniform(s)), scale(Scale::Axes([s, 1.0, 1.0 / s])), scale(Scale::Length(s))]
            };
            for (there, back) in both(1.25).into_iter().zip(both(0.8)) {
                // a trunk may have no one direction of length
                let Ok(changed) = spec.changed(&[there]) else { continue };
                let off = difference(&changed.changed(&[back]).unwrap(), &spec);
                assert!(off < 1e-12, "{file} {}: {off:e}", body.name);
            }
        }
        // the whole of it: total mass and height
        let root = &spec.bodies[0].name;
        let large = spec.changed(&[scale(root, Span::Subtree, Scale::Uniform(1.5))]).unwrap();
        let (a, b) = (Model::new(spec.clone()).unwrap(), Model::new(large).unwrap());
        assert!((b.mass() / a.mass() - 1.5_f64.powi(3)).abs() < 1e-12, "{file}");
        assert!((b.height() / a.height() - 1.5).abs() < 1e-12, "{file}");
    }
}

/// A whole body scaled by `s` is the similar body: heights, masses and places of joints.
#[test]
fn a_scaled_character_is_similar() {
    let spec = biped();
    let small = spec.changed(&[scale("torso", Span::Subtree, Scale::Uniform(0.6))]).unwrap();
    let (a, b) = (Model::new(spec.clone()).unwrap(), Model::new(small).unwrap());
    assert!((b.height() / a.height() - 0.6).abs() < 1e-14);
    assert!((b.mass() / a.mass() - 0.216).abs() < 1e-14);
    let (mut da, mut db) = (Data::new(&a), Data::new(&b));
    let mut q = spec.keyframes[1].q.clone();
    forward_kinematics(&a, &mut da, &q);
    let root: Vec<f64> = q[..3].iter().map(|x| 0.6 * x).collect();
    q[..3].copy_from_slice(&root);
    forward_kinematics(&b, &mut db, &q);
    for body in ["shin_l", "foot_r"] {
        let id = a.body(body).unwrap();
        let off = da.body_placement(&a, id).pos * 0.6 - db.body_placement(&b, id).pos;
        assert!(off.norm() < 1e-14, "{body} {off:?}");
    }
}

/// A longer thigh leaves hip and knee joined, makes the thigh longer by the factor and nothing else longer.
#[test]
fn a_longer_bone_moves_what_it_carries() {
    let spec = biped();
    let longer = spec.changed(&[scale("thigh_l", Span::Body, Scale::Length(1.5))]).unwrap();
    let (a, b) = (Model::new(spec).unwrap(), Model::new(longer).unwrap());
    let joint = |m: &Model, body: &str| {
        let spec = m.spec();
        let i = spec.body_index(body).unwrap();
        spec.reference_placements()[i].act(&spec.bodies[i].joints[0].anchor)
    };
    let bone = |m: &Model, from: &str, to: &str| joint(m, to) - joint(m, from);
    let (before, after) = (bone(&a, "thigh_l", "shin_l"), bone(&b, "thigh_l", "shin_l"));
    assert!((after - before * 1.5).norm() < 1e-15);
    assert!((bone(&b, "shin_l", "foot_l") - bone(&a, "shin_l", "foot_l")).norm() < 1e-15);
    assert!((bone(&b, "torso", "thigh_l") - bone(&a, "torso", "thigh_l")).norm() < 1e-15);
    // one leg longer: no more symmetric; both: symmetric again
    assert!(a.spec().asymmetries(1e-12).is_empty(), "{:?}", a.spec().asymmetries(1e-12));
    assert!(b.spec().asymmetries(1e-12).iter().any(|d| d.contains("thigh_l and thigh_r: mass differs")));
    let both = b.spec().changed(&[scale("thigh_r", Span::Body, Scale::Length(1.5))]).unwrap();
    assert!(both.asymmetries(1e-12).is_empty(), "{:?}", both.asymmetries(1e-12));
}

#[test]
fn soles_stay_where_they_were() {
    let spec = biped();
    let lowest = |spec: &ModelSpec| -> Vec<f64> {
        let model = Model::new(spec.clone()).unwrap();
        let mut data = Data::new(&model);
        let poses = std::iter::once(model.neutral()).chain(spec.keyframes.iter().map(|k| k.q.clone()));
        poses
            .map(|q| {
                forward_kinematics(&model, &mut data, &q);
                data.extent(&model, &Vec3::z()).unwrap()[0]
            })
            .collect()
    };
    let before = lowest(&spec);
    let changes = [
        scale("thigh_l", Span::Subtree, Scale::Length(1.4)),
        scale("thigh_r", Span::Subtree, Scale::Length(1.4)),
    ];
    let tall = spec.changed(&changes).unwrap();
    for (a, b) in before.iter().zip(lowest(&tall)) {
        assert!((a - b).abs() < 1e-14, "{a} {b}");
    }
    let grounded = tall.changed(&[Change::Ground]).unwrap();
    assert!(lowest(&grounded).iter().all(|z| z.abs() < 1e-14), "{:?}", lowest(&grounded));
    // a planar root slides up instead
    let mut planar = spec.clone();
    planar.bodies[0].joints = JointSpec::planar("root", Vec3::x(), Vec3::z()).into();
    planar.keyframes.iter_mut().for_each(|k| drop(k.q.splice(..7, [0.3, 0.1, 0.2])));
    let before = lowest(&planar);
    for (a, b) in before.iter().zip(lowest(&planar.changed(&changes).unwrap())) {
        assert!((a - b).abs() < 1e-14, "{a} {b}");
    }
}

#[test]
fn loads_add_up() {
    let spec = biped();
    let at = Vec3::new(0.1, 0.2, 0.3);
    let load = Inertia::solid_box(5.0, Vec3::new(0.3, 0.2, 0.1)).moved(&at);
    let loaded = spec.changed(&[Change::AddLoad { body: "torso".into(), load }]).unwrap();
    let (a, b) = (spec.bodies[0].inertia, loaded.bodies[0].inertia);
    assert!((b.mass - a.mass - 5.0).abs() < 1e-14);
    let origin = b.about_origin() - (a.about_origin() + load.about_origin());
    assert!(origin.to_mat3().norm() < 1e-13);
    let point = |mass| Change::AddPointMass { body: "torso".into(), mass, at };
    let back = spec.changed(&[point(3.0), point(-3.0)]).unwrap();
    assert!(close(&back.bodies[0].inertia, &a, 1e-13));
    let mut expected = a.about_origin();
    expected.add_point(3.0, &at);
    let got = spec.changed(&[point(3.0)]).unwrap().bodies[0].inertia.about_origin();
    assert!((got - expected).to_mat3().norm() < 1e-13);
}

#[test]
fn joints_change_with_their_actuators() {
    let mut spec = biped();
    let mut gear = [0.0; 6];
    gear[0] = 2.0;
    let motor = Actuator {
        name: "knee_l".into(),
        joint: "knee_l".into(),
        law: ActuatorLaw { gain: 1.0, bias: [0.0; 3] },
        gear,
        ctrl_range: Some([-50.0, 50.0]),
        force_range: None,
    };
    let servo = Actuator {
        joint: "knee_r".into(),
        law: ActuatorLaw { gain: 300.0, bias: [0.0, -300.0, 0.0] },
        force_range: Some([-50.0, 50.0]),
        ..motor.clone()
    };
    spec.actuators = vec![motor, servo];
    for knee in ["knee_l", "knee_r"] {
        spec.joint_mut(knee).unwrap().effort = [100.0; 3];
    }
    let effort = |joint: &str| Change::SetEffort { joint: joint.into(), effort: [150.0; 3] };
    let range = Change::SetRange { joint: "knee_l".into(), range: Some([0.1, 1.0]) };
    let damping = Change::SetDamping { joint: "knee_l".into(), damping: 2.0 };
    let changed = spec.changed(&[effort("knee_l"), effort("knee_r"), range, damping]).unwrap();
    let knee = &changed.bodies[2].joints[0];
    assert_eq!((knee.range, knee.damping, knee.effort[0]), (Some([0.1, 1.0]), 2.0, 150.0));
    for actuator in &changed.actuators {
        assert!((actuator.greatest_force() * actuator.gear[0] - 150.0).abs() < 1e-12, "{actuator:?}");
    }
    // the servo's stiffness is its own
    assert_eq!(changed.actuators[1].law.gain, 300.0);
}

#[test]
fn impossible_changes_are_refused() {
    let spec = biped();
    let refused = |change: Change| spec.changed(&[change]).unwrap_err().to_string();
    assert!(refused(scale("tigh_l", Span::Body, Scale::Uniform(2.0))).contains("there is no body"));
    assert!(refused(scale("thigh_l", Span::Body, Scale::Uniform(-2.0))).contains("greater than 0"));
    assert!(
        refused(scale("thigh_l", Span::Body, Scale::Axes([1.0, f64::NAN, 1.0]))).contains("greater than 0")
    );
    assert!(
        refused(scale("thigh_l", Span::ChainTo("foot_r".into()), Scale::Uniform(2.0)))
            .contains("does not hang")
    );
    assert!(refused(Change::SetDamping { joint: "knee_l".into(), damping: -1.0 }).contains("negative"));
    assert!(refused(Change::SetRange { joint: "x".into(), range: None }).contains("there is no joint"));
    let heavy = Change::AddPointMass { body: "foot_l".into(), mass: -2.0, at: Vec3::zeros() };
    assert!(refused(heavy).contains("negative"));
    // legs pull down and nothing up: the torso's length runs to its hips, which are level with its joint
    assert!(refused(scale("torso", Span::Body, Scale::Length(2.0))).contains("no one direction"));
}

/// The map of second moments is linear: mapping by `A` and then by `B = A` is mapping by `A²`.
#[test]
fn maps_compose() {
    let mut random = Random::new(11);
    let mut spec = ModelSpec::new("b");
    spec.bodies.push(BodySpec::new("b", None, random.inertia()).with_joint(JointSpec::free("root")));
    let by = |s: [f64; 3]| scale("b", Span::Body, Scale::Axes(s));
    let twice = spec.changed(&[by([1.2, 0.9, 1.1]), by([1.2, 0.9, 1.1])]).unwrap().bodies[0].inertia;
    let once = spec.changed(&[by([1.44, 0.81, 1.21])]).unwrap().bodies[0].inertia;
    assert!(close(&twice, &once, 1e-13));
    let second = |i: &Inertia| {
        let m = i.about_com.to_mat3();
        Mat3::identity() * (0.5 * m.trace()) - m
    };
    let s = Mat3::from_diagonal(&Vec3::new(1.44, 0.81, 1.21));
    let expected = s * second(&spec.bodies[0].inertia) * s * s.determinant();
    assert!((second(&once) - expected).norm() < 1e-13 * expected.norm());
    assert!(Sym3::from_lower(&expected).eigenvalues()[0] > 0.0);
}
