//! URDF in: what the texts mean, and what is refused.

use sinew_dynamics::format::urdf::{UrdfOptions, UrdfRoot, parse};
use sinew_dynamics::format::{FormatError, ImportReport};
use sinew_dynamics::spatial::{Inertia, Mat3, Quat, Vec3, rotation};
use sinew_dynamics::{JointKind, Model, ModelSpec, Shape};
use std::f64::consts::FRAC_PI_2;

fn read(text: &str) -> Result<(ModelSpec, ImportReport), FormatError> {
    parse(text, &UrdfOptions { file: "robot.urdf", ..UrdfOptions::default() })
}

fn refused(text: &str) -> String {
    read(text).expect_err(text).to_string()
}

/// A robot of these elements.
fn robot(inside: &str) -> String {
    format!("<robot name=\"r\">\n{inside}\n</robot>")
}

const BODY: &str = r#"<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial>"#;

/// Two links and a joint with these attributes and elements.
fn pair(joint_type: &str, joint_inside: &str) -> String {
    robot(&format!(
        r#"<link name="a">{BODY}</link><link name="b">{BODY}</link>
<joint name="j" type="{joint_type}"><parent link="a"/><child link="b"/>{joint_inside}</joint>"#
    ))
}

#[test]
fn every_joint_type_becomes_its_joints() {
    let limit = r#"<limit lower="-1" upper="2" effort="30" velocity="5"/>"#;
    let spec = read(&pair(
        "revolute",
        &format!(
            r#"<axis xyz="0 3 4"/>{limit}<dynamics damping="0.5" friction="0.25"/><origin xyz="1 2 3"/>"#
        ),
    ))
    .unwrap()
    .0;
    let body = &spec.bodies[1];
    let joint = &body.joints[0];
    assert_eq!((body.parent, body.pos, body.quat), (Some(0), Vec3::new(1.0, 2.0, 3.0), Quat::identity()));
    assert_eq!(joint.kind, JointKind::Hinge { axis: Vec3::new(0.0, 0.6, 0.8) });
    assert_eq!((joint.range, joint.effort[0]), (Some([-1.0, 2.0]), 30.0));
    assert_eq!((joint.damping, joint.friction_loss), (0.5, 0.25));

    let joint = |kind: &str, inside: &str| {
        let spec = read(&pair(kind, inside)).unwrap().0;
        assert!(Model::new(spec.clone()).is_ok());
        spec.bodies[1].joints.clone()
    };
    assert_eq!(joint("prismatic", limit)[0].kind, JointKind::Slide { axis: Vec3::x() });
    let continuous = joint("continuous", limit);
    assert_eq!((continuous[0].range, continuous[0].effort[0]), (None, 30.0));
    assert!(joint("fixed", "").is_empty());
    // two slides that span the plane, then a turn about its normal
    for normal in ["0 0 1", "0 -1 0", "1 2 -2"] {
        let planar = joint("planar", &format!(r#"<axis xyz="{normal}"/>"#));
        let JointKind::Hinge { axis: n } = planar[2].kind else { panic!("{planar:?}") };
        let slides = [&planar[0], &planar[1]].map(|j| match j.kind {
            JointKind::Slide { axis } => axis,
            other => panic!("{other:?}"),
        });
        let given: Vec<f64> = normal.split(' ').map(|x| x.parse().unwrap()).collect();
        assert!((n - Vec3::from_column_slice(&given).normalize()).norm() < 1e-15);
        let frame = Mat3::from_columns(&[slides[0], slides[1], n]);
        assert!((frame.transpose() * frame - Mat3::identity()).norm() < 1e-15 && frame.determinant() > 0.0);
    }
}

#[test]
fn the_root_is_free_by_default_and_fixed_if_called_world() {
    let text = pair("fixed", "");
    let (spec, report) = read(&text).unwrap();
    assert_eq!(spec.bodies[0].joints[0].kind, JointKind::Free);
    assert!(
        report
            .assumed
            .iter()
            .any(|a| a.contains("robot.urdf:2: <link name=\"a\">") && a.contains("free joint"))
    );
    let fixed = parse(&text, &UrdfOptions { root: UrdfRoot::Fixed, ..UrdfOptions::default() }).unwrap().0;
    assert!(fixed.bodies[0].joints.is_empty());

    // the world is no body; its shapes are the world's
    let world = text.replace("\"a\"", "\"world\"").replace(
        &format!("<link name=\"world\">{BODY}"),
        r#"<link name="world"><collision><geometry><box size="2 2 2"/></geometry></collision>"#,
    );
    let spec = read(&world).unwrap().0;
    assert_eq!((spec.bodies.len(), spec.bodies[0].name.as_str(), spec.bodies[0].parent), (1, "b", None));
    assert_eq!(spec.world_geoms[0].shape, Shape::Box { half: Vec3::new(1.0, 1.0, 1.0) });

    // a floating joint fixes the root, and its child hangs from the world
    let floating = pair("floating", r#"<origin xyz="0 0 2" rpy="0 0 1"/>"#);
    let spec = read(&floating).unwrap().0;
    assert!(spec.bodies[0].joints.is_empty());
    assert_eq!((spec.bodies[1].parent, spec.bodies[1].pos.z), (None, 2.0));
    assert_eq!(Model::new(spec).unwrap().nv(), 6);
    let both = parse(&floating, &UrdfOptions { root: UrdfRoot::Free, ..UrdfOptions::default() });
    assert!(both.unwrap_err().to_string().contains("must hang from the world"));
}

#[test]
fn bodies_are_laid_out_depth_first_whatever_the_order_of_the_file() {
    let joint = |parent: &str, child: &str| {
        format!(
            r#"<joint name="{parent}{child}" type="continuous"><child link="{child}"/><parent link="{parent}"/></joint>"#
        )
    };
    let links: String = "gfedcba".chars().map(|c| format!("<link name=\"{c}\">{BODY}</link>")).collect();
    // a carries b and e; b carries c, d; e carries f, g
    let text = joint("e", "f") + &joint("a", "b") + &links + &joint("b", "c");
    let text = text + &joint("a", "e") + &joint("b", "d") + &joint("e", "g");
    let model = Model::from_urdf(&robot(&text)).unwrap().0;
    let order: String = model.bodies().iter().map(|b| b.name.as_str()).collect();
    assert_eq!(order, "abcdefg");
    assert_eq!(model.nv(), 6 + 6);
}

/// A box described in turned axes is the box turned.
#[test]
fn the_inertial_frame_turns_the_tensor() {
    let size = Vec3::new(0.1, 0.2, 0.5);
    let solid = Inertia::solid_box(3.0, size);
    let i = solid.about_com;
    let text = robot(&format!(
        r#"<link name="a"><inertial><origin xyz="0.1 0.2 0.3" rpy="0.4 -0.7 1.9"/><mass value="3"/>
<inertia ixx="{}" iyy="{}" izz="{}" ixy="0" ixz="0" iyz="0"/></inertial></link>"#,
        i.xx, i.yy, i.zz
    ));
    let got = read(&text).unwrap().0.bodies[0].inertia;
    // fixed-axis angles: roll first, then pitch, then yaw
    let turn = |axis: Vec3, angle: f64| rotation::to_matrix(&rotation::exp(&(axis * angle)));
    let r = turn(Vec3::z(), 1.9) * turn(Vec3::y(), -0.7) * turn(Vec3::x(), 0.4);
    let expected = i.rotated(&r).to_mat3();
    assert_eq!(got.com, Vec3::new(0.1, 0.2, 0.3));
    assert!((got.about_com.to_mat3() - expected).norm() < 1e-15);
    // the same as a quaternion
    let q = rotation::from_matrix(&r);
    let quat = format!("quat_xyzw=\"{} {} {} {}\"", q.i, q.j, q.k, q.w);
    let again = read(&text.replace("rpy=\"0.4 -0.7 1.9\"", &quat)).unwrap().0.bodies[0].inertia;
    assert!((again.about_com.to_mat3() - expected).norm() < 1e-15);
}

#[test]
fn shapes_collide_and_pictures_do_not() {
    let shape = |s: &str| format!(r#"<geometry>{s}</geometry>"#);
    let collision =
        |s: &str| format!("<collision name=\"c\"><origin xyz=\"0 0 1\"/>{}</collision>", shape(s));
    let visual = |s: &str| format!("<visual>{}<material name=\"red\"/></visual>", shape(s));
    let link = |inside: String| robot(&format!("<link name=\"a\">{BODY}{inside}</link>"));
    let geoms = |inside: String| read(&link(inside)).unwrap().0.bodies[0].geoms.clone();

    let got = geoms(
        collision(r#"<cylinder radius="0.1" length="1"/>"#)
            + &collision(r#"<sphere radius="0.2"/>"#)
            + &visual(r#"<sphere radius="1"/>"#),
    );
    assert_eq!(got.len(), 2);
    assert_eq!(got[0].shape, Shape::Cylinder { radius: 0.1, half: 0.5 });
    assert_eq!((got[0].name.as_str(), got[0].pos.z, got[0].contype), ("c", 1.0, 1));
    let capsule = geoms(visual(r#"<capsule radius="0.1" length="1"/>"#));
    assert_eq!(capsule[0].shape, Shape::Capsule { radius: 0.1, half: 0.5 });
    assert_eq!((capsule[0].contype, capsule[0].conaffinity), (0, 0));
}

#[test]
fn what_is_left_out_is_listed() {
    let text = robot(&format!(
        r#"<material name="red"><color rgba="1 0 0 1"/></material>
<link name="a">{BODY}<visual><geometry><box size="1 1 1"/></geometry></visual>
<visual><geometry><mesh filename="a.dae"/></geometry></visual>
<collision><geometry><box size="1 1 1"/></geometry></collision></link>
<transmission name="t" type="x"><what><ever/></what></transmission>
<gazebo reference="a"><mu1>0.2</mu1></gazebo>"#
    ));
    let report = read(&text).unwrap().1;
    let idle = "not used: it is for drawing, control or other programs";
    let expected = [
        format!("robot.urdf:2: <material name=\"red\">: {idle}"),
        format!("robot.urdf:6: <transmission name=\"t\">: {idle}"),
        format!("robot.urdf:7: <gazebo>: {idle}"),
        "robot.urdf:3: <visual> in <link name=\"a\"> and 1 more: for drawing only; the link's collision shapes stand for it"
            .to_owned(),
    ];
    assert_eq!(report.warnings, expected);
}

/// Elements of other programs are listed, not refused; unknown ones are refused by default.
#[test]
fn dialects_are_read() {
    let contact = "<contact><lateral_friction value=\"0.4\"/><contact_erp value=\"1\"/></contact>";
    let shape = "<geometry><sphere radius=\"1\"/></geometry><material name=\"red\"/>";
    let link = format!("<link name=\"a\">{BODY}<collision>{shape}</collision>{contact}</link>");
    let (spec, report) = read(&robot(&link)).unwrap();
    assert_eq!(spec.bodies[0].geoms[0].friction, 0.4);
    assert_eq!(report.warnings.len(), 2, "{report:?}");
    let text = pair("continuous", "<limit effort=\"1\" velocity=\"2\"/><dynamics D=\"1\" damping=\"3\"/>");
    let (spec, report) = read(&text).unwrap();
    assert_eq!(spec.bodies[1].joints[0].damping, 3.0);
    assert!(report.warnings[0].starts_with("robot.urdf:3: D of <dynamics> in <joint name=\"j\">: not used"));
    assert!(
        report.warnings[1].starts_with("robot.urdf:3: velocity of <limit> in <joint name=\"j\">: not used")
    );

    let odd = pair("continuous", "<spring k=\"1\"><x/></spring>").replace("<robot", "<robot colour=\"red\"");
    assert!(refused(&odd).contains("attribute \"colour\" is not known"));
    let skip = UrdfOptions { skip_unknown: true, ..UrdfOptions::default() };
    let report = parse(&odd, &skip).unwrap().1;
    assert!(
        report.warnings.iter().any(|w| w.contains("<spring> in <joint name=\"j\">: not known")),
        "{report:?}"
    );
    assert!(
        report.warnings.iter().any(|w| w.contains("colour of <robot name=\"r\">: not known")),
        "{report:?}"
    );
    let kinds: String = (0..300).map(|i| format!("<x{i}/>")).collect();
    let many = parse(&robot(&(link + &kinds)), &skip).unwrap().1.warnings;
    assert!(many.len() == 200 && many[199].contains("and 102 more: not used, like others"), "{}", many[199]);

    let weld = UrdfOptions { weld_mimics: true, ..UrdfOptions::default() };
    let (spec, report) = parse(&pair("continuous", "<mimic joint=\"k\"/>"), &weld).unwrap();
    assert!(spec.bodies[1].joints.is_empty() && report.assumed.iter().any(|a| a.contains("welded as asked")));
}

#[test]
fn meshes_come_through_the_loader() {
    let link = |tag: &str| {
        let mesh = r#"<geometry><mesh filename="package://r/foot.obj" scale="2 2 -2"/></geometry>"#;
        robot(&format!("<link name=\"a\">{BODY}<{tag}>{mesh}</{tag}></link>"))
    };
    let corners = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n";
    let load = |name: &str| match name {
        "package://r/foot.obj" => Ok(corners.as_bytes().to_vec()),
        other => Err(format!("no file {other}")),
    };
    let options = UrdfOptions { load: &load, ..UrdfOptions::default() };
    let got = parse(&link("collision"), &options).unwrap().0;
    let Shape::Mesh { vertices, .. } = &got.bodies[0].geoms[0].shape else { panic!("{got:?}") };
    assert_eq!(vertices[3], Vec3::new(0.0, 0.0, -2.0));

    // missing: an error for shapes that collide, unless asked; a listed warning for pictures
    let error = refused(&link("collision"));
    assert!(error.contains("foot.obj") && error.contains("--skip-missing-meshes"), "{error}");
    let skip = UrdfOptions { skip_missing_meshes: true, ..UrdfOptions::default() };
    for (tag, options) in [("collision", &skip), ("visual", &UrdfOptions::default())] {
        let (spec, report) = parse(&link(tag), options).unwrap();
        assert!(spec.bodies[0].geoms.is_empty());
        assert!(report.warnings.iter().any(|w| w.contains("cannot be read")), "{report:?}");
    }
}

/// A package is one of the folders above the file.
#[test]
fn files_find_their_meshes() {
    let folder = std::env::temp_dir().join(format!("sinew_urdf_{}", std::process::id()));
    let package = folder.join("robot_description");
    for inside in ["urdf", "meshes"] {
        std::fs::create_dir_all(package.join(inside)).unwrap();
    }
    std::fs::write(package.join("meshes/foot.obj"), "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\n")
        .unwrap();
    let file = package.join("urdf/robot.urdf");
    let mut found = Vec::new();
    for name in
        ["../meshes/foot.obj", "package://robot_description/meshes/foot.obj", "package://other/foot.obj"]
    {
        let mesh = format!("<geometry><mesh filename=\"{name}\"/></geometry>");
        std::fs::write(&file, robot(&format!("<link name=\"a\">{BODY}<collision>{mesh}</collision></link>")))
            .unwrap();
        found.push(sinew_dynamics::format::urdf::read(&file, &UrdfOptions::default()));
    }
    std::fs::remove_dir_all(&folder).unwrap();
    let error = found.pop().unwrap().unwrap_err();
    assert!(
        error.file.ends_with("robot.urdf") && error.problem.contains("package://other/foot.obj"),
        "{error}"
    );
    for spec in found.into_iter().map(|f| f.unwrap().0) {
        assert!(
            matches!(&spec.bodies[0].geoms[0].shape, Shape::Mesh { vertices, .. } if vertices.len() == 4)
        );
    }
    let missing = sinew_dynamics::format::urdf::read(&file, &UrdfOptions::default()).unwrap_err();
    assert!(missing.to_string().contains("cannot be read"), "{missing}");
}

#[test]
fn errors_name_line_element_and_remedy() {
    let cases = [
        (
            robot("<lnk name=\"a\"/>"),
            "robot.urdf:2: <lnk name=\"a\">: is not known inside <robot>; did you mean \"link\"?",
        ),
        (
            robot("<link nam=\"a\"/>"),
            "robot.urdf:2: <link>: attribute \"nam\" is not known; did you mean \"name\"?",
        ),
        (
            pair("hinge", ""),
            "robot.urdf:3: <joint name=\"j\">: type \"hinge\" is not known; known are revolute",
        ),
        (pair("revolut", ""), "did you mean \"revolute\"?"),
        (pair("revolute", ""), "needs <limit>"),
        (pair("continuous", "<axis xyz=\"0 0 0\"/>"), "its axis has no direction"),
        (
            pair("continuous", "<axis xyz=\"0 1\"/>"),
            "<axis> in <joint name=\"j\">: xyz=\"0 1\" needs 3 numbers",
        ),
        (
            pair("continuous", "<axis xyz=\"0 nan 1\"/>"),
            "\"nan\" in xyz is not a number that a model can hold",
        ),
        (pair("continuous", "<axis xyz=\"0 1 0 1\"/>"), "more numbers than 3"),
        (pair("continuous", "<limit effort=\"nan\"/>"), "effort=\"nan\" is not a number"),
        (
            pair("continuous", "<mimic joint=\"k\"/>"),
            "<mimic> in <joint name=\"j\">: joints that follow another",
        ),
        (pair("continuous", "<origin/><origin/>"), "holds <origin> twice"),
        (pair("planar", "<dynamics damping=\"1\"/>"), "not defined for a floating or planar joint"),
        (
            pair("fixed", "").replace("link=\"b\"", "link=\"bb\""),
            "there is no link \"bb\"; did you mean \"b\"?",
        ),
        (pair("fixed", "").replace("name=\"b\"", "name=\"a\""), "a link of this name came before"),
        (robot("<link name=\"a\"/><link name=\"b\"/>"), "two links have no parent, \"a\" and this one"),
        (
            robot("<xacro:if/>").replace("<robot", "<robot xmlns:xacro=\"http://ros.org/wiki/xacro\""),
            "expand the file",
        ),
        (robot(""), "has no links"),
        (robot("<link name=\"a\">text</link>"), "text \"text\" has no meaning here"),
        (
            robot(&format!("<link name=\"a\">{}</link>", BODY.replace("izz=\"1\"", "izz=\"-1\""))),
            "not that of a body",
        ),
        (
            robot(&format!("<link name=\"a\">{}</link>", BODY.replace("mass value=\"1", "mass value=\"-1"))),
            "negative",
        ),
        (
            "<mujoco/>".to_owned(),
            "robot.urdf:1: <mujoco>: a URDF file begins with <robot>; this is MJCF: name the file .xml",
        ),
        ("<robot><link name='a'></robot>".to_owned(), "robot.urdf:1: not well-formed XML"),
    ];
    for (text, expected) in cases {
        let error = refused(&text);
        assert!(error.contains(expected), "{error}\nshould contain\n{expected}");
    }
    let itself = pair("fixed", "").replace("parent link=\"a\"", "parent link=\"b\"");
    assert!(refused(&itself).contains("cannot be reached from the root"), "{}", refused(&itself));
    let cycle = pair("fixed", "").replace(
        "</robot>",
        "<joint name=\"k\" type=\"fixed\"><parent link=\"b\"/><child link=\"a\"/></joint></robot>",
    );
    assert!(refused(&cycle).contains("form a cycle"), "{}", refused(&cycle));
}

/// Text that costs a careless reader its time or memory is refused at once.
#[test]
fn hostile_files_are_refused_quickly() {
    let start = std::time::Instant::now();
    let attributes: String = (0..200_000).map(|i| format!(" a{i}=\"\"")).collect();
    assert!(refused(&format!("<robot{attributes}/>")).contains("attributes"));
    let nested: String = (0..20_000).map(|i| format!("<a xmlns:n{i}=\"u{i}\">")).collect();
    assert!(refused(&nested).contains("name spaces"));
    assert!(refused(&"<a>".repeat(200_000)).contains("XML"));
    assert!(refused(&robot(&"<link name=\"a\"/>".repeat(5000))).contains("more than 4096 links"));
    assert!(refused(&" ".repeat(17 << 20)).contains("MB of XML"));
    assert!(refused("<!DOCTYPE r [<!ENTITY a \"aaaa\">]><robot name=\"&a;\"/>").contains("document type"));
    // a long chain is a robot like any other
    let chain = |n: usize| {
        let links: String = (0..n).map(|i| format!("<link name=\"l{i}\">{BODY}</link>")).collect();
        let joint = |i: usize| {
            let (p, kind) = (i - 1, "type=\"continuous\"");
            format!("<joint name=\"j{i}\" {kind}><parent link=\"l{p}\"/><child link=\"l{i}\"/></joint>")
        };
        robot(&(links + &(1..n).map(joint).collect::<String>()))
    };
    assert_eq!(Model::from_urdf(&chain(500)).unwrap().0.nv(), 6 + 499);
    assert!(refused(&chain(1020)).contains("1025 degrees of freedom are more than 1024"));
    assert!(start.elapsed().as_secs() < 10, "took {:?}", start.elapsed());
}

/// Cut, doubled and overwritten texts give a model or an error, never a panic.
#[test]
fn mutations_never_panic() {
    let seed = pair(
        "planar",
        r#"<axis xyz="0 0 1"/><origin xyz="1 2 3" rpy="0.1 0.2 0.3"/><limit lower="-1" upper="1" effort="2" velocity="3"/>"#,
    );
    let scraps =
        ["\"", "<", ">", "/", "nan", "1e999", "-", "&lt;", "é", "<link name=\"a\"/>", "fixed", " world"];
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut random = |n: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % n as u64) as usize
    };
    let mut accepted = 0;
    for _ in 0..4000 {
        let mut text = seed.clone();
        for _ in 0..1 + random(3) {
            let cut = |at: usize, text: &str| (0..=at).rev().find(|&i| text.is_char_boundary(i)).unwrap_or(0);
            let from = cut(random(text.len() + 1), &text);
            let to = cut((from + random(12)).min(text.len()), &text).max(from);
            match random(3) {
                0 => text.replace_range(from..to, ""),
                1 => text.insert_str(from, scraps[random(scraps.len())]),
                _ => {
                    let piece = text[from..to].to_owned();
                    text.insert_str(from, &piece);
                }
            }
        }
        if let Ok((spec, _)) = read(&text) {
            accepted += 1;
            let _ = Model::new(spec);
        }
    }
    assert!(accepted > 100, "the mutations should not all be refused: {accepted}");
}

#[test]
fn right_angles_stay_right() {
    let spec = read(&pair("fixed", &format!("<origin rpy=\"{FRAC_PI_2} 0 0\"/>"))).unwrap().0;
    let turned = rotation::to_matrix(&spec.bodies[1].quat) * Vec3::y();
    assert!((turned - Vec3::z()).norm() < 1e-15);
}
