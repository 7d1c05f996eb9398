//! `sinew inspect`: text, JSON, errors, exit codes, pipes.

use crate::support::{command, json, scratch, sinew, written};
use std::io::Read;
use std::process::Stdio;

const PENDULUM: &str = r#"<mujoco model="pendulum">
  <worldbody>
    <body name="post" pos="0 0 2">
      <joint name="pivot" type="hinge" axis="0 1 0" range="-90 45" damping="0.1"/>
      <joint name="lift" type="slide" axis="0 0 1" limited="true" range="-0.5 0.5"/>
      <inertial pos="0 0 -0.5" mass="1" diaginertia="0.08 0.08 0.001"/>
      <geom type="capsule" size="0.05" fromto="0 0 0 0 0 -1"/>
      <site name="tip" pos="0 0 -1"/>
      <body name="bob" pos="0 0 -1">
        <inertial pos="0 0 0" mass="2" diaginertia="0.03 0.03 0.03"/>
        <geom type="sphere" size="0.2"/>
      </body>
    </body>
  </worldbody>
  <actuator><motor joint="pivot" name="drive" gear="2" ctrlrange="-10 10"/></actuator>
</mujoco>
"#;

#[test]
fn every_character_is_shown_without_warnings() {
    let help = sinew(&["inspect", "--help"]).good();
    for name in sinew::dynamics::characters::names() {
        assert!(help.contains(name), "{name} is not in the help");
        // with --strict a warning would be exit code 1
        let shown = json(&sinew(&["inspect", name, "--json", "--strict"]).good());
        assert_eq!(shown["source"], format!("built-in {name}"));
        let masses =
            shown["bodies"].as_array().expect("bodies").iter().map(|b| b["mass"].as_f64().expect("mass"));
        let total = shown["totals"]["mass"].as_f64().expect("mass");
        assert!((masses.sum::<f64>() - total).abs() < 1e-9);
    }
}

#[test]
fn an_error_of_the_model_names_the_line() {
    let nested = PENDULUM
        .replace("<body name=\"bob\" pos=\"0 0 -1\">", "<body name=\"bob\">\n<freejoint name=\"f\"/>");
    let file = written("an_error_of_the_model", "nested.xml", &nested);
    let said = sinew(&["inspect", &file]).refused();
    assert!(said.contains("nested.xml:10") && said.contains("free joint"), "{said}");
}

#[test]
fn a_file_as_text() {
    let file = written("a_file_as_text", "pendulum.xml", PENDULUM);
    let text = sinew(&["inspect", &file]).good().replace(&file, "pendulum.xml");
    insta::assert_snapshot!(text);
}

#[test]
fn a_file_as_json() {
    let file = written("a_file_as_json", "pendulum.xml", PENDULUM);
    let text = sinew(&["inspect", &file, "--json"]).good().replace(&file, "pendulum.xml");
    insta::assert_snapshot!(text);
}

#[test]
fn warnings_fail_only_when_strict() {
    let test = "warnings_fail_only_when_strict";
    let sound = written(test, "sound.xml", PENDULUM);
    assert_eq!(sinew(&["inspect", &sound, "--strict"]).code, Some(0));
    let impossible = PENDULUM.replace("0.03 0.03 0.03", "0.01 0.01 0.03");
    let file = written(test, "impossible.xml", &impossible);
    assert_eq!(sinew(&["inspect", &file]).code, Some(0));
    let strict = sinew(&["inspect", &file, "--strict"]);
    assert_eq!(strict.code, Some(1));
    assert!(strict.stdout.contains("\nWarnings:\n  body \"bob\""), "{}", strict.stdout);
}

#[test]
fn a_side_file_gives_roles() {
    let file = written("a_side_file_gives_roles", "pendulum.xml", PENDULUM);
    written("a_side_file_gives_roles", "pendulum.roles", "trunk = post\n");
    let shown = json(&sinew(&["inspect", &file, "--json"]).good());
    let roles = shown["roles"].as_array().expect("roles");
    assert_eq!(roles.len(), 1);
    assert_eq!((&roles[0]["body"], &roles[0]["given"]), (&"post".into(), &true.into()));
    written("a_side_file_gives_roles", "pendulum.roles", "trunk = pots\n");
    assert!(sinew(&["inspect", &file]).refused().contains("post"));
}

#[test]
fn a_wrong_name_is_met_with_the_nearest() {
    insta::assert_snapshot!(sinew(&["inspect", "hunam"]).refused());
}

#[test]
fn a_missing_or_broken_file_is_refused_with_its_place() {
    let missing = sinew(&["inspect", "no/such/robot.xml"]).refused();
    assert!(missing.contains("no/such/robot.xml"), "{missing}");
    let file = written("a_missing_or_broken_file", "typo.xml", &PENDULUM.replace("damping", "dampign"));
    let typo = sinew(&["inspect", &file]).refused();
    assert!(typo.contains("typo.xml:4"), "{typo}");
    assert!(typo.contains("damping"), "{typo}");
}

#[test]
fn other_files_than_models_are_refused_by_kind() {
    let test = "what_is_no_model";
    let said = |file: &str| sinew(&["inspect", file]).refused();
    let cut = said(&written(test, "cut.xml", &PENDULUM[..PENDULUM.len() / 2]));
    assert!(cut.contains("cut.xml: not well-formed XML") && cut.contains("cut off"), "{cut}");
    let urdf = said(&written(test, "robot.xml", ARM));
    assert!(urdf.contains("this is URDF: name the file .urdf"), "{urdf}");
    let mjcf = said(&written(test, "pendulum.urdf", PENDULUM));
    assert!(mjcf.contains("this is MJCF: name the file .xml"), "{mjcf}");
    let binary = scratch(test, "noise.xml");
    std::fs::write(&binary, [0xff, 0xfe, 0, 7]).expect("written");
    assert!(said(binary.to_str().expect("UTF-8")).contains("not UTF-8"));
    assert!(said(".").contains("is a folder"));
    let ending = said("Human.xml");
    assert!(ending.contains("the built-in character is `human`, without an ending"), "{ending}");
}

#[test]
fn wrong_usage_exits_with_2() {
    for args in
        [&["inspect"][..], &["inspekt", "human"], &["inspect", "human", "--at", "x.json"], &["--fast"]]
    {
        assert_eq!(sinew(args).code, Some(2), "{args:?}");
    }
}

#[test]
fn every_verb_has_an_example() {
    for verb in ["inspect", "export", "bench", "verify"] {
        let help = sinew(&[verb, "--help"]).good();
        assert!(help.contains("Examples:") && help.contains("Exit codes:"), "{verb}");
        assert!(help.contains(&format!("  sinew {verb} ")), "{verb}");
    }
}

#[test]
fn output_goes_to_a_whole_file() {
    let out = scratch("output_goes_to_a_whole_file", "human.json");
    let path = out.to_str().expect("UTF-8");
    let printed = sinew(&["inspect", "human", "--json"]).good();
    assert_eq!(sinew(&["inspect", "human", "--json", "--out", path]).good(), "");
    assert_eq!(std::fs::read_to_string(&out).expect("written"), printed);
    let neighbours = std::fs::read_dir(out.parent().expect("a folder")).expect("readable").count();
    assert_eq!(neighbours, 1, "no temporary file stays behind");
    let nowhere = sinew(&["inspect", "human", "--out", "/no/such/folder/human.txt"]).refused();
    assert!(nowhere.contains("cannot write"), "{nowhere}");
}

#[test]
fn a_closed_pipe_does_not_panic() {
    let mut child = command(&["inspect", "human", "--json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    drop(child.stdout.take());
    let mut complaint = String::new();
    child.stderr.take().expect("piped").read_to_string(&mut complaint).expect("UTF-8");
    assert_eq!(child.wait().expect("it ends").code(), Some(0));
    assert_eq!(complaint, "");
}

/// A robot arm whose hand collides as a mesh of four corners and one inside.
const ARM: &str = r#"<robot name="arm">
  <link name="base">
    <inertial><mass value="2"/><inertia ixx="0.1" iyy="0.1" izz="0.1"/></inertial>
  </link>
  <link name="hand">
    <inertial><mass value="1"/><inertia ixx="0.1" iyy="0.1" izz="0.1"/></inertial>
    <collision><geometry><mesh filename="package://arm/meshes/hand.obj" scale="2 2 2"/></geometry></collision>
  </link>
  <joint name="elbow" type="revolute">
    <parent link="base"/><child link="hand"/><axis xyz="0 1 0"/><limit lower="-1" upper="1" effort="5" velocity="2"/>
  </joint>
</robot>
"#;

#[test]
fn a_urdf_file_with_a_mesh() {
    let test = "a_urdf_file_with_a_mesh/arm/urdf";
    // an earlier run may have left the mesh behind
    let _ = std::fs::remove_dir_all(scratch("a_urdf_file_with_a_mesh", "arm"));
    let file = written(test, "arm.urdf", ARM);
    let missing = sinew(&["inspect", &file]).refused();
    assert!(missing.contains("arm.urdf:7") && missing.contains("hand.obj"), "{missing}");
    let left_out = json(&sinew(&["inspect", &file, "--skip-missing-meshes", "--json"]).good());
    assert_eq!(left_out["totals"]["geoms"], 0);

    let corners = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv 0.1 0.1 0.1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
    written("a_urdf_file_with_a_mesh/arm/meshes", "hand.obj", corners);
    let free = json(&sinew(&["inspect", &file, "--json"]).good());
    assert_eq!((&free["totals"]["nv"], &free["totals"]["height"]), (&7.into(), &2.0.into()));
    let fixed = json(&sinew(&["inspect", &file, "--json", "--root", "fixed"]).good());
    assert_eq!(fixed["totals"]["nv"], 1);
    assert_eq!(fixed["bodies"][1]["joints"][0]["effort"][0], 5.0);

    // the mesh goes along into MJCF
    let out = scratch(test, "arm.xml");
    let path = out.to_str().expect("UTF-8");
    sinew(&["export", &file, "--root", "fixed", "--to", path]).good();
    let again = json(&sinew(&["inspect", path, "--json"]).good());
    for key in ["totals", "bodies"] {
        assert_eq!(again[key], fixed[key], "{key}");
    }
}

#[test]
fn a_recording_shows_character_and_duration() {
    let run = scratch("inspect_recording", "run.npz");
    let run = run.to_str().expect("UTF-8");
    sinew(&["simulate", "--scene", "stairs", "--seconds", "0.2", "--out", run]).good();
    let text = sinew(&["inspect", run]).good();
    assert!(text.contains("0.200 s, 200 steps") && text.contains("sinew verify"), "{text}");
    let text = json(&sinew(&["inspect", run, "--json"]).good());
    assert_eq!((text["steps"].as_u64(), text["character"].as_str()), (Some(200), Some("human")));
}
