//! Mistakes are named with file, line, element and remedy.

use crate::mjcf_read::model;
use sinew_dynamics::Model;
use sinew_dynamics::format::mjcf;

fn error(text: &str) -> String {
    mjcf::parse(text, &mjcf::Options::default()).unwrap_err().to_string()
}

/// The error of a world's content, which begins on line 2.
fn in_world(content: &str) -> String {
    error(&model("", &format!("\n{content}"), ""))
}

#[test]
fn typing_errors_get_a_suggestion() {
    assert_eq!(
        in_world("<body name=\"shin\">\n<joint name=\"knee\" dampign=\"3\"/></body>"),
        r#"<text>:3: <joint name="knee">: unknown attribute "dampign"; did you mean "damping"?"#
    );
    assert_eq!(in_world("<boddy/>"), r#"<text>:2: <boddy>: unknown element "boddy"; did you mean "body"?"#);
    assert_eq!(
        error("<mujoco>\n\n<actuators/></mujoco>"),
        r#"<text>:3: <actuators>: unknown element "actuators"; did you mean "actuator"?"#
    );
    assert_eq!(
        in_world(r#"<body><joint type="hing"/></body>"#),
        r#"<text>:2: <joint>: attribute type="hing" is not one of free, ball, slide, hinge; did you mean "hinge"?"#
    );
    assert_eq!(
        error("<mujoco><default><gemo/></default></mujoco>"),
        r#"<text>:1: <gemo>: unknown element "gemo"; did you mean "geom"?"#
    );
    assert_eq!(
        error("<mujoco><tendon><fixed stifness=\"1\"/></tendon></mujoco>"),
        r#"<text>:1: <fixed>: unknown attribute "stifness"; did you mean "stiffness"?"#
    );
    assert_eq!(
        in_world("<body><joint name=\"j\">\n<geom size=\"1\"/></joint></body>"),
        "<text>:3: <geom>: <joint> has no elements inside it"
    );
    assert_eq!(
        error("<mujoco><compiler angel=\"radian\"/></mujoco>"),
        r#"<text>:1: <compiler>: unknown attribute "angel"; did you mean "angle"?"#
    );
}

#[test]
fn numbers_must_be_numbers_and_enough() {
    assert_eq!(
        in_world(r#"<body pos="1 nan 0"/>"#),
        "<text>:2: <body>: attribute pos: nan is not a finite number"
    );
    assert_eq!(
        in_world(r#"<body pos="1 2e99 0"/>"#),
        "<text>:2: <body>: attribute pos: 2e99 is not a finite number"
    );
    assert_eq!(
        in_world(r#"<body pos="1, 2, 3"/>"#),
        r#"<text>:2: <body>: attribute pos: "1," is not a number"#
    );
    assert_eq!(
        in_world(r#"<body pos="1 2"/>"#),
        r#"<text>:2: <body>: attribute pos="1 2" needs 3 numbers, has 2"#
    );
    assert_eq!(
        in_world(r#"<geom size=""/>"#),
        r#"<text>:2: <geom>: attribute size="" needs 1 to 3 numbers, has 0"#
    );
    assert_eq!(
        in_world(r#"<geom size="1" contype="1.5"/>"#),
        r#"<text>:2: <geom>: attribute contype="1.5" is not a whole number"#
    );
    assert_eq!(
        in_world(r#"<geom size="1" mass="-1"/>"#),
        "<text>:2: <geom>: mass and density cannot be negative"
    );
    assert_eq!(
        in_world(r#"<body><joint armature="-1"/></body>"#),
        r#"<text>:2: <joint>: attribute armature="-1" is negative"#
    );
    assert_eq!(in_world("<geom/>"), "<text>:2: <geom>: a sphere needs a positive size: its radius");
}

#[test]
fn a_mistake_in_a_class_is_named_where_the_class_is() {
    let text = model("<default>\n<joint range=\"1\"/></default>", "\n\n<body><joint/></body>", "");
    assert_eq!(error(&text), r#"<text>:2: <joint>: attribute range="1" needs 2 numbers, has 1"#);
    // even when nothing belongs to the class
    let unused = "<default><default class=\"a\">\n<geom size=\"large\"/></default></default>";
    assert_eq!(error(&model(unused, "", "")), r#"<text>:2: <geom>: attribute size: "large" is not a number"#);
}

#[test]
fn names_must_exist_and_differ() {
    let body = |name: &str| format!(r#"<body name="{name}"><joint name="knee"/><geom size="1"/></body>"#);
    assert_eq!(
        in_world(&format!("{}\n<body name=\"a\"/>", body("a"))),
        r#"<text>:3: <body name="a">: the body name "a" is taken already, on line 2"#
    );
    assert_eq!(
        in_world(r#"<geom size="1" class="foots"/>"#),
        r#"<text>:2: <geom>: there is no default class "foots""#
    );
    let with = |after: &str| error(&model("", &body("shin"), after));
    assert_eq!(
        with("\n<actuator><motor name=\"m\" joint=\"kne\"/></actuator>"),
        r#"<text>:2: <motor name="m">: there is no joint "kne"; did you mean "knee"?"#
    );
    assert_eq!(
        with("<actuator><motor/></actuator>"),
        "<text>:1: <motor>: an actuator needs the attribute joint"
    );
    assert_eq!(
        with(r#"<contact><exclude body1="shin" body2="skin"/></contact>"#),
        r#"<text>:1: <exclude>: there is no body "skin"; did you mean "shin"?"#
    );
    assert!(with(r#"<custom><text name="sinew_roles" data="pelvs=shin"/></custom>"#).starts_with(
        r#"<text>:1: <text name="sinew_roles">: `pelvs` is not a role; known are pelvis, trunk"#
    ));
    assert_eq!(
        with(r#"<keyframe><key name="k" qpos="1 2"/></keyframe>"#),
        r#"<text>:1: <key name="k">: attribute qpos has more than 1 numbers"#
    );
}

#[test]
fn orientation_is_given_once_and_has_a_direction() {
    assert_eq!(
        in_world(r#"<body quat="1 0 0 0" euler="1 2 3"/>"#),
        "<text>:2: <body>: orientation is given twice, as quat and as euler; one of them must go"
    );
    assert_eq!(
        in_world(r#"<body quat="0 0 0 0"/>"#),
        r#"<text>:2: <body>: quat="0 0 0 0" is no orientation"#
    );
    assert_eq!(in_world(r#"<body zaxis="0 0 0"/>"#), "<text>:2: <body>: zaxis has an axis without direction");
    assert_eq!(
        in_world(r#"<body><joint axis="0 0 0"/></body>"#),
        "<text>:2: <joint>: the axis has no direction"
    );
    assert_eq!(
        in_world(r#"<geom type="capsule" size="1" pos="1 0 0" fromto="0 0 0 1 0 0"/>"#),
        "<text>:2: <geom>: pos and fromto are both given; one of them must go"
    );
    assert_eq!(
        error(r#"<mujoco><compiler eulerseq="xyw"/></mujoco>"#),
        "<text>:1: <compiler>: eulerseq is three letters out of x, y, z, X, Y, Z"
    );
}

#[test]
fn includes_must_be_there_and_not_run_in_circles() {
    let files = |path: &str| match path {
        "a.xml" => Ok(br#"<m><include file="b.xml"/></m>"#.to_vec()),
        "b.xml" => Ok(b"<m>\n<include file=\"a.xml\"/></m>".to_vec()),
        "c.xml" => Ok(b"<m>\n<body nmae=''/></m>".to_vec()),
        "d.xml" => Ok(b"<m><body></m>".to_vec()),
        "e.xml" => Ok(vec![0xff]),
        _ => Err("there is no such file".to_owned()),
    };
    let parse = |file: &str| {
        let text = format!("<mujoco><worldbody>\n\n<include file=\"{file}\"/></worldbody></mujoco>");
        mjcf::parse(&text, &mjcf::Options { file: "dir/main.xml", load: &files }).unwrap_err().to_string()
    };
    let circle = "is included already (here, or around this place)";
    assert_eq!(parse("x.xml"), r#"dir/main.xml:3: <include>: cannot include "x.xml": there is no such file"#);
    assert_eq!(parse("a.xml"), format!("dir/b.xml:2: <include>: the file \"a.xml\" {circle}"));
    assert_eq!(parse("./main.xml"), format!("dir/main.xml:3: <include>: the file \"./main.xml\" {circle}"));
    assert_eq!(parse("c.xml"), r#"dir/c.xml:2: <body>: unknown attribute "nmae"; did you mean "name"?"#);
    assert!(parse("d.xml").starts_with("dir/d.xml:1: not well-formed XML: expected 'body' tag, not 'm'"));
    assert_eq!(parse("e.xml"), "dir/e.xml: the file is not UTF-8 text");
    assert_eq!(parse(""), "dir/main.xml:3: <include>: an include needs the attribute file");
    let missing = mjcf::read("no/such/file.xml").unwrap_err().to_string();
    assert!(missing.starts_with("no/such/file.xml: cannot be read: "), "{missing}");
}

#[test]
fn bodies_must_be_able_to_move() {
    assert_eq!(
        in_world(r#"<body name="ghost"><joint/></body>"#),
        r#"<text>:2: <body name="ghost">: a body that moves needs mass and inertia: give it an inertial, or geoms with mass"#
    );
    // a body welded to it may carry the mass
    let carried = r#"<body><joint/><body><geom size="1"/></body></body>"#;
    assert!(Model::from_mjcf(&model("", carried, "")).is_ok());
    assert_eq!(
        in_world(r#"<body><freejoint/><geom size="1"/><geom type="plane" size="1 1 1"/></body>"#),
        "<text>:2: <geom>: a plane cannot move; it belongs to the world or a body fixed to it"
    );
    assert_eq!(
        in_world(r#"<body><inertial pos="0 0 0" mass="1" fullinertia="1 1 1 2 0 0"/></body>"#),
        "<text>:2: <inertial>: the rotational inertia is not positive"
    );
    assert_eq!(in_world("<joint/>"), "<text>:2: <joint>: the world has no joints and no inertia");
    let e = Model::from_mjcf(&model(
        "",
        "<body>\n<body name=\"b\"><freejoint name=\"f\"/><geom size=\"1\"/></body></body>",
        "",
    ));
    assert_eq!(
        e.unwrap_err().to_string(),
        r#"<text>:2: <freejoint name="f">: a free joint must be the only joint of a body whose parent is the world"#
    );
}

#[test]
fn limits_must_make_sense() {
    let joint =
        |attributes: &str| in_world(&format!(r#"<body><joint {attributes}/><geom size="1"/></body>"#));
    assert_eq!(
        joint(r#"range="2 1""#),
        r#"<text>:2: <joint>: range="2 1" must rise from the first number to the second"#
    );
    assert_eq!(
        joint(r#"limited="true""#),
        r#"<text>:2: <joint>: range="0 0" must rise from the first number to the second"#
    );
    assert_eq!(
        joint(r#"type="ball" range="-1 1""#),
        "<text>:2: <joint>: the range of a ball joint is 0 and the greatest angle"
    );
    let text = model(r#"<compiler autolimits="false"/>"#, r#"<body><joint range="0 1"/></body>"#, "");
    assert_eq!(
        error(&text),
        "<text>:1: <joint>: has range but not limited, and <compiler autolimits> is false"
    );
}

#[test]
fn missing_parts_are_errors() {
    let body =
        r#"<body name="b"><joint name="j"/><geom size="1"/></body><body><freejoint/><geom size="1"/></body>"#;
    let sections = [
        (r#"<equality><weld body1="c"/></equality>"#, "there is no body \"c\"; did you mean \"b\"?"),
        (r#"<equality><flex flex="f"/></equality>"#, "<flex> constraints are not supported"),
        (
            r#"<actuator><muscle joint="j"/></actuator>"#,
            "actuators of type muscle are not supported; use motor,",
        ),
        (
            r#"<actuator><general joint="j" dyntype="muscle"/></actuator>"#,
            "dyntype=\"muscle\" is not supported",
        ),
        (r#"<contact><pair geom1="a" geom2="b"/></contact>"#, "there is no geom \"a\""),
        (r#"<deformable><flex/></deformable>"#, "soft bodies are not supported"),
        (r#"<extension><plugin plugin="p"/></extension>"#, "plugins are not supported"),
        (r#"<option density="1.2"/>"#, "density=\"1.2\" is not supported: bodies move in a vacuum here"),
        (r#"<option><flag actuation="disable"/></option>"#, "actuation=\"disable\" is not supported"),
        (r#"<option actuatorgroupdisable="0"/>"#, "take the actuators out of the file"),
        (r#"<compiler alignfree="true"/>"#, "write align=\"false\""),
    ];
    for (section, expected) in sections {
        let found = error(&model("", body, section));
        assert!(found.contains(expected), "{section}: {found}");
    }
    let contents = [
        (r#"<body gravcomp="1"/>"#, "gravity acts on every body"),
        (r#"<body mocap="true"/>"#, "bodies move by physics here"),
        ("<replicate/>", "write the copies out"),
        ("<composite/>", "bodies are rigid here"),
        (r#"<geom type="hfield" hfield="h"/>"#, "height fields are not supported"),
        (r#"<geom type="mesh" mesh="m"/>"#, "there is no mesh \"m\""),
        (r#"<geom size="1" shellinertia="true"/>"#, "geoms are solid"),
        (r#"<body><joint springdamper="1 1"/></body>"#, "give stiffness and damping instead"),
        (r#"<body><joint stiffness="1 2"/></body>"#, "stiffness is not linear"),
        (r#"<body><freejoint align="true"/></body>"#, "write align=\"false\""),
    ];
    for (content, expected) in contents {
        let found = in_world(content);
        assert!(found.contains(expected), "{content}: {found}");
    }
    // what does nothing is only listed
    let idle = r#"<tendon><fixed><joint joint="j" coef="1"/></fixed></tendon><equality><weld body1="b" active="false"/></equality>"#;
    let (_, report) = mjcf::parse(&model("", body, idle), &mjcf::Options::default()).unwrap();
    assert_eq!(report.warnings.len(), 2, "{:?}", report.warnings);
}
