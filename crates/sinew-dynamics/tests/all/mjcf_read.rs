//! Each feature of MJCF against its closed form.

use sinew_dynamics::format::{ImportReport, mjcf};
use sinew_dynamics::spatial::{Quat, Sym3, Vec3};
use sinew_dynamics::{JointKind, JointSpec, Model, ModelSpec, Role, Shape, Side};
use std::f64::consts::{FRAC_PI_2, FRAC_PI_6, PI};

pub(crate) fn load(text: &str) -> (ModelSpec, ImportReport) {
    mjcf::parse(text, &mjcf::Options::default()).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

/// A model with the given sections before the world, the world's content, and sections after it.
pub(crate) fn model(before: &str, world: &str, after: &str) -> String {
    format!("<mujoco>{before}<worldbody>{world}</worldbody>{after}</mujoco>")
}

fn read(before: &str, world: &str, after: &str) -> ModelSpec {
    load(&model(before, world, after)).0
}

/// A body that moves and weighs something, with the given content.
fn body(content: &str) -> String {
    format!(r#"<body name="b"><joint name="j"/><geom size="0.1"/>{content}</body>"#)
}

fn near(a: &Vec3, b: Vec3) -> bool {
    (a - b).norm() < 1e-14
}

#[test]
fn every_form_of_orientation_turns_the_frame() {
    // each takes x, y, z to y, z, x: a third of a turn about (1, 1, 1)
    let turn =
        Quat::from_axis_angle(&nalgebra::Unit::new_normalize(Vec3::new(1.0, 1.0, 1.0)), 2.0 * PI / 3.0);
    for form in
        [r#"quat="1 1 1 1""#, r#"axisangle="2 2 2 120""#, r#"xyaxes="0 3 0 0 1 2""#, r#"euler="90 90 0""#]
    {
        let spec = read("", &format!(r#"<body {form}><geom size="1"/></body>"#), "");
        assert!(spec.bodies[0].quat.angle_to(&turn) < 1e-7, "{form}: {}", spec.bodies[0].quat);
    }
    let spec = read("", r#"<body zaxis="3 0 0"/><body zaxis="0 0 -1"/><body zaxis="0 0 2"/>"#, "");
    assert!(near(&(spec.bodies[0].quat * Vec3::z()), Vec3::x()));
    assert!(near(&(spec.bodies[0].quat * Vec3::y()), Vec3::y()));
    assert!(near(&(spec.bodies[1].quat * Vec3::z()), -Vec3::z()));
    assert_eq!(spec.bodies[2].quat, Quat::identity());
}

#[test]
fn euler_angles_follow_their_sequence() {
    let turned = |sequence: &str| {
        let compiler = format!(r#"<compiler angle="radian" eulerseq="{sequence}"/>"#);
        read(&compiler, r#"<body euler="0.1 0.2 0.3"/>"#, "").bodies[0].quat
    };
    let about = |axis: Vec3, angle| Quat::from_scaled_axis(axis * angle);
    let (x, y, z) = (about(Vec3::x(), 0.1), about(Vec3::y(), 0.2), about(Vec3::z(), 0.3));
    assert!(turned("xyz").angle_to(&(x * y * z)) < 1e-7);
    assert!(turned("XYZ").angle_to(&(z * y * x)) < 1e-7);
    let (z, x) = (about(Vec3::z(), 0.1), about(Vec3::x(), 0.3));
    assert!(turned("zyx").angle_to(&(z * y * x)) < 1e-7);
}

#[test]
fn fromto_sets_place_direction_and_length() {
    let spec = read(
        "",
        r#"<geom type="capsule" size="0.1" fromto="1 0 0 1 0 4"/><geom type="box" size="0.1" fromto="0 0 0 2 0 0"/>"#,
        "",
    );
    let [capsule, cuboid] = &spec.world_geoms[..] else { panic!() };
    assert_eq!(capsule.shape, Shape::Capsule { radius: 0.1, half: 2.0 });
    assert_eq!(capsule.pos, Vec3::new(1.0, 0.0, 2.0));
    // z runs from the second point to the first
    assert!(near(&(capsule.quat * Vec3::z()), -Vec3::z()));
    assert_eq!(cuboid.shape, Shape::Box { half: Vec3::new(0.1, 0.1, 1.0) });
    assert!(near(&(cuboid.quat * Vec3::z()), -Vec3::x()));
}

#[test]
fn classes_nest_and_elements_override_them() {
    let spec = read(
        r#"<default>
             <joint damping="1" armature="2"/><geom size="0.3 0.4 0.5" friction="0.1 0.2 0.3" density="500"/>
             <default class="a"><joint damping="3"/>
               <default class="b"><joint armature="4"/><geom type="box"/></default>
             </default>
           </default>"#,
        r#"<body childclass="a"><joint/><joint class="main"/><joint class="b" damping="5"/><geom type="sphere"/>
             <body><geom class="b" size="0.1"/><joint/></body>
             <frame childclass="b"><geom friction="0.7"/></frame>
           </body>"#,
        "",
    );
    let values = |j: &JointSpec| (j.damping, j.armature);
    let [first, second] = &spec.bodies[..] else { panic!() };
    assert_eq!(first.joints.iter().map(values).collect::<Vec<_>>(), [(3.0, 2.0), (1.0, 2.0), (5.0, 4.0)]);
    assert_eq!(values(&second.joints[0]), (3.0, 2.0));
    // a shorter list overrides the first numbers only
    assert_eq!(second.geoms[0].shape, Shape::Box { half: Vec3::new(0.1, 0.4, 0.5) });
    assert_eq!(first.geoms[1].shape, Shape::Box { half: Vec3::new(0.3, 0.4, 0.5) });
    assert_eq!((first.geoms[0].friction, first.geoms[1].friction), (0.1, 0.7));
    let mass = 500.0 * 8.0 * 0.1 * 0.4 * 0.5;
    assert!((second.inertia.mass - mass).abs() < 1e-12);
}

#[test]
fn a_class_copies_the_one_around_it_where_it_is_defined() {
    // settings after a nested class still reach it, those of a later section do not
    let spec = read(
        r#"<default><default class="a"/><joint damping="1"/></default><default><joint armature="2"/></default>"#,
        &body(r#"<body><joint class="a"/><geom size="1"/></body>"#),
        "",
    );
    let [outer, inner] = [&spec.bodies[0].joints[0], &spec.bodies[1].joints[0]];
    assert_eq!((outer.damping, outer.armature), (1.0, 2.0));
    assert_eq!((inner.damping, inner.armature), (1.0, 0.0));
}

#[test]
fn frames_move_everything_in_them() {
    let spec = read(
        "",
        r#"<frame pos="0 0 1" euler="0 0 90"><frame pos="1 0 0">
             <body name="b" pos="1 0 0"><frame pos="0 0 2" euler="90 0 0">
               <joint pos="1 0 0" axis="0 1 0"/><inertial pos="0 1 0" mass="1" diaginertia="1 2 2.5"/><site pos="0 1 0"/>
               <geom size="1" pos="0 1 0"/>
             </frame></body>
           </frame></frame>"#,
        "",
    );
    let body = &spec.bodies[0];
    assert!(near(&body.pos, Vec3::new(0.0, 2.0, 1.0)));
    assert!(near(&(body.quat * Vec3::x()), Vec3::y()));
    let JointKind::Hinge { axis } = body.joints[0].kind else { panic!() };
    assert!(near(&axis, Vec3::z()) && near(&body.joints[0].anchor, Vec3::new(1.0, 0.0, 2.0)));
    assert!(near(&body.inertia.com, Vec3::new(0.0, 0.0, 3.0)));
    let turned = body.inertia.about_com;
    assert!((turned.to_mat3() - Sym3::diagonal(1.0, 2.5, 2.0).to_mat3()).norm() < 1e-14);
    assert!(near(&body.sites[0].pos, Vec3::new(0.0, 0.0, 3.0)));
    assert!(near(&body.geoms[0].pos, Vec3::new(0.0, 0.0, 3.0)));
}

#[test]
fn inertia_comes_from_geoms_unless_it_is_given() {
    let geoms = r#"<geom type="box" size="0.1 0.2 0.3" pos="1 0 0" mass="2"/><geom type="sphere" size="0.5" pos="-1 0 0" mass="2"/>"#;
    let inertial = r#"<inertial pos="0 0 1" mass="5" diaginertia="1 1 1"/>"#;
    let of = |compiler: &str, content: &str| {
        let before = format!("<compiler {compiler}/>");
        read(&before, &format!(r#"<body><freejoint/><body>{content}</body><geom size="1"/></body>"#), "")
            .bodies[1]
            .inertia
    };
    // parallel axes: 2 kg at 1 m on either side
    let summed = of("", geoms);
    assert_eq!((summed.mass, summed.com), (4.0, Vec3::zeros()));
    let ball = 0.4 * 2.0 * 0.25;
    let box_yy = 2.0 / 3.0 * (0.1 * 0.1 + 0.3 * 0.3);
    assert!((summed.about_com.yy - (ball + box_yy + 4.0)).abs() < 1e-14);
    let both = format!("{geoms}{inertial}");
    assert_eq!(of("", &both).mass, 5.0);
    assert_eq!(of(r#"inertiafromgeom="true""#, &both).mass, 4.0);
    assert_eq!(of(r#"inertiafromgeom="true""#, inertial).mass, 5.0);
    let grouped = geoms.replacen("/>", r#" group="4"/>"#, 1);
    assert_eq!(of(r#"inertiagrouprange="0 3""#, &grouped).mass, 2.0);
}

#[test]
fn mass_is_bounded_balanced_and_scaled() {
    let of = |compiler: &str, content: &str| {
        read(&format!("<compiler {compiler}/>"), &format!("<body>{content}</body>"), "").bodies[0].inertia
    };
    let thin = r#"<inertial pos="0 0 0" mass="0.5" diaginertia="1 1 3"/>"#;
    let mean = of(r#"balanceinertia="true""#, thin).about_com;
    assert!((mean.to_mat3() - Sym3::diagonal(5.0, 5.0, 5.0).to_mat3() / 3.0).norm() < 1e-15);
    let bounded = of(r#"boundmass="2" boundinertia="1.5""#, thin);
    assert_eq!(bounded.mass, 2.0);
    assert_eq!(bounded.about_com.eigenvalues(), [1.5, 1.5, 3.0]);
    let scaled = of(r#"settotalmass="3""#, thin);
    assert_eq!((scaled.mass, scaled.about_com), (3.0, Sym3::diagonal(6.0, 6.0, 18.0)));
    // what breaks the triangle rule is read as it is; the model warns of it, once
    let text = model("", &format!("<body><freejoint/>{thin}</body>"), "");
    let (odd, report) = sinew_dynamics::Model::from_mjcf(&text).unwrap();
    assert!(report.warnings.is_empty(), "{:?}", report.warnings);
    assert_eq!(odd.warnings().iter().filter(|w| w.problem.contains("principal moments")).count(), 1);
}

#[test]
fn full_inertia_stands_in_the_axes_of_the_body() {
    let spec =
        read("", r#"<body><inertial pos="0 0 0" mass="1" fullinertia="3 4 5 0.1 0.2 0.3"/></body>"#, "");
    assert_eq!(
        spec.bodies[0].inertia.about_com,
        Sym3 { xx: 3.0, yy: 4.0, zz: 5.0, xy: 0.1, xz: 0.2, yz: 0.3 }
    );
}

#[test]
fn joints_have_mujocos_defaults_and_units() {
    let spec = read(
        "",
        r#"<body><joint name="h" range="-90 30" ref="30" springref="-30" stiffness="2"/><geom size="1"/>
             <body><joint name="s" type="slide" axis="0 3 4" range="-2 3" ref="30"/><geom size="1"/>
               <body><joint name="b" type="ball" range="0 90"/><geom size="1"/></body></body></body>"#,
        "",
    );
    let [hinge, slide, ball] = [0, 1, 2].map(|i| &spec.bodies[i].joints[0]);
    assert_eq!(hinge.kind, JointKind::Hinge { axis: Vec3::z() });
    let [low, high] = hinge.range.unwrap();
    assert!((low + FRAC_PI_2).abs() < 1e-15 && (high - FRAC_PI_6).abs() < 1e-15);
    assert!(
        (hinge.reference - FRAC_PI_6).abs() < 1e-15 && (hinge.spring_reference + FRAC_PI_6).abs() < 1e-15
    );
    assert_eq!(slide.kind, JointKind::Slide { axis: Vec3::new(0.0, 0.6, 0.8) });
    assert_eq!((slide.range, slide.reference), (Some([-2.0, 3.0]), 30.0));
    assert_eq!(ball.range, Some([0.0, FRAC_PI_2]));
}

#[test]
fn limits_hold_when_they_are_switched_on() {
    let range = |compiler: &str, joint: &str| {
        let world = format!(r#"<body><joint {joint}/><geom size="1"/></body>"#);
        read(&format!(r#"<compiler angle="radian" {compiler}/>"#), &world, "").bodies[0].joints[0].range
    };
    assert_eq!(range("", r#"range="-1 2""#), Some([-1.0, 2.0]));
    assert_eq!(range("", r#"range="-1 2" limited="false""#), None);
    assert_eq!(range(r#"autolimits="false""#, r#"range="-1 2" limited="true""#), Some([-1.0, 2.0]));
    assert_eq!(range("", r#"range="0 0""#), None);
}

#[test]
fn free_joints_ignore_defaults_unless_they_are_joints_of_that_type() {
    let damping = |joint: &str| {
        read(
            r#"<default><joint damping="3"/></default>"#,
            &format!(r#"<body>{joint}<geom size="1"/></body>"#),
            "",
        )
        .bodies[0]
            .joints[0]
            .damping
    };
    assert_eq!(damping("<freejoint/>"), 0.0);
    assert_eq!(damping(r#"<joint type="free"/>"#), 3.0);
}

#[test]
fn actuators_take_gains_from_their_own_kind_of_default() {
    let law = |defaults: &str, actuator: &str| {
        let after = format!("<actuator>{actuator}</actuator>");
        let law = read(&format!("<default>{defaults}</default>"), &body(""), &after).actuators[0].law;
        (law.gain, law.bias)
    };
    assert_eq!(law("", r#"<motor joint="j"/>"#), (1.0, [0.0; 3]));
    assert_eq!(law("", r#"<position joint="j" kp="9" kv="2"/>"#), (9.0, [0.0, -9.0, -2.0]));
    assert_eq!(law("", r#"<velocity joint="j" kv="7"/>"#), (7.0, [0.0, 0.0, -7.0]));
    let general = r#"<general joint="j" gainprm="4" biastype="affine" biasprm="1 2 -3"/>"#;
    assert_eq!(law("", general), (4.0, [1.0, 2.0, -3.0]));
    assert_eq!(law("", r#"<general joint="j" biasprm="1 2 -3"/>"#), (1.0, [0.0; 3]));
    // MuJoCo 4.0's rules of inheritance
    let position = r#"<position kp="50" kv="3"/>"#;
    assert_eq!(law(position, r#"<position joint="j"/>"#), (50.0, [0.0, -50.0, -3.0]));
    assert_eq!(law(position, r#"<velocity joint="j"/>"#), (1.0, [0.0, 0.0, -1.0]));
    assert_eq!(law(position, r#"<general joint="j"/>"#), (50.0, [0.0, -50.0, -3.0]));
    assert_eq!(law(position, r#"<motor joint="j"/>"#), (1.0, [0.0; 3]));
    assert_eq!(law(r#"<general gainprm="5"/>"#, r#"<position joint="j"/>"#), (5.0, [0.0, -5.0, 0.0]));
    let nested = format!(r#"{position}<default class="a"><motor gear="3"/></default>"#);
    assert_eq!(law(&nested, r#"<position joint="j" class="a"/>"#), (50.0, [0.0, -50.0, -3.0]));
    assert_eq!(law(&format!("{position}<motor/>"), r#"<position joint="j"/>"#), (1.0, [0.0, -1.0, 0.0]));
}

#[test]
fn ranges_of_actuators() {
    let read = |actuator: &str| {
        let world = r#"<body><joint name="j" range="-1 3"/><geom size="1"/></body>"#;
        let after = format!("<actuator>{actuator}</actuator>");
        let spec = read(
            r#"<compiler angle="radian"/><default><general ctrlrange="-2 2"/></default>"#,
            world,
            &after,
        );
        let actuator = spec.actuators[0].clone();
        (actuator.ctrl_range, actuator.force_range)
    };
    assert_eq!(read(r#"<motor joint="j"/>"#), (Some([-2.0, 2.0]), None));
    assert_eq!(
        read(r#"<motor joint="j" ctrllimited="false" forcerange="-4 5"/>"#),
        (None, Some([-4.0, 5.0]))
    );
    assert_eq!(read(r#"<position joint="j" inheritrange="0.5"/>"#), (Some([0.0, 2.0]), None));
}

#[test]
fn effort_is_what_the_actuators_can_pull() {
    let world = r#"<body><joint name="h" axis="1 0 0"/><geom size="1"/><body><joint name="b" type="ball"/><geom size="1"/>
        <body><joint name="none" actuatorfrcrange="-9 9"/><geom size="1"/></body></body></body>"#;
    let efforts = |world: &str, actuators: &str| {
        let spec = read("", world, &format!("<actuator>{actuators}</actuator>"));
        spec.bodies.iter().map(|b| b.joints[0].effort).collect::<Vec<_>>()
    };
    let two =
        r#"<motor joint="h" gear="-10" ctrlrange="-1 2"/><motor joint="h" gear="3" forcerange="-5 4"/>"#;
    let ball = r#"<motor joint="b" gear="1 0 -2" ctrlrange="-3 3"/>"#;
    let free = f64::INFINITY;
    assert_eq!(efforts(world, &format!("{two}{ball}")), [[35.0; 3], [3.0, 0.0, 6.0], [0.0; 3]]);
    assert_eq!(efforts(world, ""), [[free; 3], [free; 3], [9.0; 3]]);
    let limited = world.replace(r#"axis="1 0 0""#, r#"actuatorfrcrange="-20 20""#);
    assert_eq!(efforts(&limited, two)[0], [20.0; 3]);
    // an unlimited motor is unlimited; a rotor adds its inertia through the gear
    let spec = read("", world, r#"<actuator><motor joint="h" gear="3" armature="0.5"/></actuator>"#);
    assert_eq!(spec.bodies[0].joints[0].effort, [free; 3]);
    assert_eq!(spec.bodies[0].joints[0].armature, 4.5);
}

#[test]
fn keyframes_roles_excludes_and_options() {
    let (spec, report) = load(&model(
        r#"<option timestep="0.004" gravity="0 -1 0"/>"#,
        r#"<body name="hips" pos="0 0 1" quat="0 0 0 1"><freejoint name="root"/><geom size="1"/>
             <body name="foot l"><joint name="j" ref="90"/><geom size="1"/></body></body>"#,
        r#"<contact><exclude body1="hips" body2="world"/></contact>
           <keyframe><key name="zero"/><key name="one" qpos="1 2 3 2 0 0 0 0.5" qvel="1 2 3 4 5 6 7" time="3"/></keyframe>
           <custom><text name="sinew_roles" data="pelvis=hips foot_left=foot%20l"/><numeric name="n" data="1"/></custom>"#,
    ));
    assert_eq!((spec.timestep, spec.gravity), (Some(0.004), Vec3::new(0.0, -1.0, 0.0)));
    assert_eq!(spec.excludes, [("hips".to_owned(), "world".to_owned())]);
    let [zero, one] = &spec.keyframes[..] else { panic!() };
    assert_eq!(zero.q[..7], [0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]);
    assert!((zero.q[7] - FRAC_PI_2).abs() < 1e-15 && zero.v.is_empty());
    assert_eq!(one.q, [1.0, 2.0, 3.0, 1.0, 0.0, 0.0, 0.0, 0.5]);
    assert_eq!(one.v.len(), 7);
    assert_eq!(spec.roles.get(Role::Foot(Side::Left)), Some("foot l"));
    assert!(report.warnings.iter().any(|w| w.contains("<key> attribute time left out")));
    assert!(report.warnings.iter().any(|w| w.contains("<numeric> of custom data left out")));
    assert_eq!(Model::new(spec).unwrap().nv(), 7);
}

#[test]
fn flags_turn_forces_off() {
    let world = body(
        r#"<body><joint range="-1 1" damping="1" stiffness="1" frictionloss="1"/><geom size="1"/></body>"#,
    );
    let with = |flag: &str| read(&format!("<option><flag {flag}/></option>"), &world, "");
    let joint = |flag: &str| with(flag).bodies[1].joints[0].clone();
    assert_eq!(with(r#"gravity="disable""#).gravity, Vec3::zeros());
    assert_eq!(joint(r#"limit="disable""#).range, None);
    assert_eq!(joint(r#"frictionloss="disable""#).friction_loss, 0.0);
    assert_eq!(joint(r#"spring="disable""#).stiffness, 0.0);
    assert_eq!((joint(r#"damper="disable""#).damping, joint(r#"damper="disable""#).stiffness), (0.0, 1.0));
    let none = with(r#"constraint="disable""#);
    assert_eq!((none.bodies[1].joints[0].friction_loss, none.bodies[0].geoms[0].contype), (0.0, 0));
}

#[test]
fn missing_names_are_generated() {
    let (spec, report) = load(&model(
        "",
        r#"<body><joint/><joint axis="1 0 0"/><geom size="1"/><body name="body1"><joint name="body1_joint"/><geom size="1"/></body></body>"#,
        "",
    ));
    let joints: Vec<&str> = spec.bodies.iter().flat_map(|b| &b.joints).map(|j| j.name.as_str()).collect();
    assert_eq!(spec.bodies[0].name, "body1_2");
    assert_eq!(joints, ["body1_2_joint", "body1_2_joint_2", "body1_joint"]);
    assert!(report.assumed.iter().any(|a| a == "bodies without a name are called body1_2"));
}

#[test]
fn includes_are_spliced_where_they_stand() {
    let files = |path: &str| match path {
        "parts/arm.xml" => {
            Ok(br#"<any><body name="arm"><include file="hand.xml"/><geom size="1"/></body></any>"#.to_vec())
        }
        "parts/hand.xml" => Ok(br#"<any><geom name="hand" size="2"/></any>"#.to_vec()),
        _ => Err("not there".to_owned()),
    };
    let text = model("", r#"<body name="a"/><include file="./parts/arm.xml"/><body name="c"/>"#, "");
    let options =
        mjcf::Options { file: "main.xml", load: &|path: &str| files(path.trim_start_matches("./")) };
    let (spec, _) = mjcf::parse(&text, &options).unwrap();
    let names: Vec<&str> = spec.bodies.iter().map(|b| b.name.as_str()).collect();
    assert_eq!(names, ["a", "arm", "c"]);
    assert_eq!(spec.bodies[1].geoms[0].name, "hand");
}

#[test]
fn meshes_inline_and_from_files() {
    let cube = "0 0 0 1 0 0 0 1 0 1 1 0 0 0 1 1 0 1 0 1 1 1 1 1";
    let stl = "solid tetrahedron\nfacet\nvertex 0 0 0\nvertex 0 1 0\nvertex 1 0 0\nendfacet\nfacet\nvertex 0 0 0\n\
        vertex 1 0 0\nvertex 0 0 1\nendfacet\nfacet\nvertex 0 0 0\nvertex 0 0 1\nvertex 0 1 0\nendfacet\nfacet\n\
        vertex 1 0 0\nvertex 0 1 0\nvertex 0 0 1\nendfacet\nendsolid";
    let load =
        |path: &str| if path == "m/t.stl" { Ok(stl.as_bytes().to_vec()) } else { Err(format!("no {path}")) };
    let text = model(
        &format!(
            r#"<compiler meshdir="m" strippath="true"/><asset><mesh name="cube" vertex="{cube}" scale="2 1 1"/>
               <mesh file="deep/t.stl"/><mesh file="missing.obj"/></asset>"#
        ),
        r#"<body><geom type="mesh" mesh="cube" pos="0 0 1" density="10"/></body><body><geom type="mesh" mesh="t" mass="6"/></body>
           <body><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/><geom type="mesh" mesh="missing" contype="0" conaffinity="0"/></body>"#,
        "",
    );
    let (spec, report) = mjcf::parse(&text, &mjcf::Options { file: "f", load: &load }).unwrap();
    let [cube, tetrahedron, plain] = &spec.bodies[..] else { panic!() };
    assert!((cube.inertia.mass - 20.0).abs() < 1e-12 && near(&cube.inertia.com, Vec3::new(1.0, 0.5, 1.5)));
    assert!((cube.inertia.about_com.xx - 20.0 / 6.0).abs() < 1e-12);
    // the corner of a cube: centre at a quarter, Ixx = m (1/10 + 1/10) − m (1/16 + 1/16)
    assert!(near(&tetrahedron.inertia.com, Vec3::repeat(0.25)) && tetrahedron.inertia.mass == 6.0);
    assert!((tetrahedron.inertia.about_com.xx - 6.0 * (0.2 - 0.125)).abs() < 1e-14);
    let Shape::Mesh { vertices, .. } = &tetrahedron.geoms[0].shape else { panic!() };
    assert_eq!((vertices.len(), plain.geoms.len()), (4, 0));
    assert!(
        report
            .warnings
            .iter()
            .any(|w| w.contains("<geom> with a mesh left out: it has neither collisions nor mass"))
    );
}

#[test]
fn colours_come_from_the_geom_or_its_material() {
    let spec = read(
        r#"<asset><material name="m" rgba="0.1 0.2 0.3 0.4"/></asset>"#,
        r#"<geom size="1" material="m"/><geom size="1" material="m" rgba="1 0 0 1"/><geom size="1"/>"#,
        "",
    );
    let colours: Vec<[f32; 4]> = spec.world_geoms.iter().map(|g| g.rgba).collect();
    assert_eq!(colours, [[0.1, 0.2, 0.3, 0.4], [1.0, 0.0, 0.0, 1.0], [0.5, 0.5, 0.5, 1.0]]);
}
