//! BVH files of all kinds, good and bad.

use sinew_dynamics::spatial::{Vec3, rotation};
use sinew_motion::import::Limits;
use sinew_motion::{Axis, ImportOptions, Imported, ReadError, WarningKind, bvh};

fn known() -> ImportOptions {
    ImportOptions { up: Some(Axis::Y), forward: Some(Axis::Z), scale: Some(1.0), ..ImportOptions::default() }
}

fn parse(text: &str) -> Result<Imported, ReadError> {
    bvh::parse(text.as_bytes(), "t.bvh", &known())
}

fn read(text: &str) -> Imported {
    parse(text).unwrap_or_else(|e| panic!("{e}"))
}

/// A point of the file in our axes.
fn ours(x: f64, y: f64, z: f64) -> Vec3 {
    Vec3::new(z, x, y)
}

fn close(a: Vec3, b: Vec3) {
    assert!((a - b).norm() < 1e-12, "{a:?} {b:?}");
}

#[test]
fn channels_multiply_in_the_order_listed() {
    let letters = ["X", "Y", "Z"];
    let axes = [Vec3::x(), Vec3::y(), Vec3::z()];
    for (i, j, k) in [(0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0), (2, 0, 2)] {
        let text = format!(
            "hierarchy root r {{ offset 0 0 0 channels 6 {}rotation zPosition xposition {}ROTATION YPOSITION {}Rotation
             joint c {{ OFFSET 1 2 3 CHANNELS 0 }} }} motion frames 1 frame time 0.01
             30 3 1 -50 2 70",
            letters[i], letters[j], letters[k]
        );
        let take = read(&text).take;
        let turn = |axis: usize, degrees: f64| rotation::exp(&(axes[axis] * degrees.to_radians()));
        let end = turn(i, 30.0) * turn(j, -50.0) * turn(k, 70.0) * Vec3::new(1.0, 2.0, 3.0);
        close(take.poses[0].root, ours(1.0, 2.0, 3.0));
        close(take.path(1)[0], ours(1.0 + end.x, 2.0 + end.y, 3.0 + end.z));
    }
}

/// A figure with everything the grammar has, to be laid out differently.
const PLAIN: &str = "HIERARCHY\nROOT my hips\n{\nOFFSET 5 6 7\nCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n\
JOINT upper:leg.L\n{\nOFFSET 0 -1 0\nCHANNELS 3 Zrotation Xrotation Yrotation\nEnd Site\n{\nOFFSET 0 -0.5 0\n}\n\
JOINT foot\n{\nOFFSET 0 -0.4 0.1\nCHANNELS 1 Xrotation\nEnd Site\n{\nOFFSET 0 0 0.2\n}\n}\n}\n}\n\
MOTION\nFrames: 3\nFrame Time: 0.033333\n\
1 2 3 10 20 30 1 2 3 5\n1 2.05 3 10 20 30 1 2 3 5\n1 2 3.05 10 20 30 1 2 4 5\n";

#[test]
fn layout_and_case_do_not_matter() {
    let plain = read(PLAIN);
    assert_eq!(plain.take.rate, 30.0);
    assert_eq!(plain.take.skeleton.joints()[1].tips.len(), 1);
    close(plain.take.poses[0].root, ours(1.0, 2.0, 3.0));
    let tabs = PLAIN.replace(' ', "\t").replace("my\thips", "my hips").replace("End\tSite", "End\t Site");
    let variants = [
        PLAIN.replace('\n', "\r\n"),
        PLAIN.replace('\n', "\r"),
        PLAIN.replace('\n', " \n\n"),
        tabs,
        PLAIN.replace("\n{", " {"),
        PLAIN.replace("Frames: 3", "FRAMES :3").replace("Frame Time: ", "frame time:"),
        PLAIN.replace("position", "POSITION").replace("OFFSET", "offset").replace("JOINT", "Joint"),
        // numbers in any number of lines, with commas
        PLAIN.replace("1 2 3 10 20 30 1 2 3 5\n", "1, 2, 3,\n10 20; 30\n1 2 3 5\n"),
        format!("\u{feff}{PLAIN}"),
    ];
    for text in variants {
        let other = read(&text);
        assert_eq!(other.take.poses, plain.take.poses, "{text:?}");
        assert_eq!(other.take.skeleton, plain.take.skeleton, "{text:?}");
        assert!(other.report.warnings.is_empty(), "{text:?}: {:?}", other.report);
    }
}

fn said(text: &str) -> String {
    parse(text).expect_err(text).to_string()
}

#[test]
fn faults_are_named_with_place_and_remedy() {
    let cases = [
        ("", "t.bvh:1: header: the file is empty; get the whole file"),
        ("BVH 1", "t.bvh:1: header: the file begins with \"BVH\", not with HIERARCHY"),
        ("HIERARCHY\nMOTION\n", "t.bvh:2: HIERARCHY: there is no ROOT"),
        (
            &PLAIN.replace("CHANNELS 1 Xrotation", "CHANNELS 1 Xrotatoin"),
            "t.bvh:17: CHANNELS of \"foot\": channel 1 of 1 is \"Xrotatoin\"; did you mean \"Xrotation\"?",
        ),
        (
            &PLAIN.replace("CHANNELS 1 X", "CHANNELS 2 X"),
            "t.bvh:18: CHANNELS of \"foot\": channel 2 of 2 is \"End\"",
        ),
        (
            &PLAIN.replace("CHANNELS 3 Z", "CHANNELS 2 Z"),
            "t.bvh:9: CHANNELS of \"upper:leg.L\": \"Yrotation\" is one channel more",
        ),
        (
            &PLAIN.replace("OFFSET 0 -0.4 0.1", "OFSET 0 -0.4 0.1"),
            "t.bvh:16: \"foot\": \"OFSET\" does not belong here; did you mean \"OFFSET\"?",
        ),
        (&PLAIN.replace("OFFSET 0 -0.4 0.1\n", ""), "t.bvh:21: \"foot\": it has no OFFSET"),
        (
            &PLAIN.replace("0 -0.4 0.1", "0 -0.4 inf"),
            "t.bvh:16: OFFSET of \"foot\": inf is not a number between",
        ),
        (
            &PLAIN.replace("0 -0.4 0.1", "0 -0.4 1e300"),
            "t.bvh:16: OFFSET of \"foot\": 1e300 is not a number between",
        ),
        (
            &PLAIN.replace("}\n}\n}\n", "}\n}\n"),
            "t.bvh:24: \"my hips\": it is not closed before MOTION; add the missing `}`",
        ),
        (&PLAIN.replace("}\nMOTION", "}\n}\nMOTION"), "t.bvh:25: HIERARCHY: \"}\" does not belong here"),
        (&PLAIN.replace("Frames: 3", "Frames: many"), "t.bvh:26: Frames: \"many\" is not a number of frames"),
        (&PLAIN.replace("0.033333", "0"), "t.bvh:27: Frame Time: \"0\" is no time between frames"),
        (&PLAIN.replace("Frame Time", "Rate"), "t.bvh:27: MOTION: \"Rate\" stands where `Frame` belongs"),
        (
            &PLAIN.replace("1 2.05 3 10", "1 2.05 10"),
            "t.bvh:29: frame 1: the line has 9 numbers, but the joints have 10 channels",
        ),
        (&PLAIN.replace("1 2.05 3 10", "1 2.05 3 3 10"), "t.bvh:29: frame 1: the line has 11 numbers"),
        (
            &PLAIN.replace("1 2.05 3 10", "1 NaN 3 10"),
            "t.bvh:29: frame 1, channel 2 of \"my hips\": NaN is not a number",
        ),
        (
            &PLAIN.replace("1 2.05 3 10", "1 -1.#IND 3 10"),
            "t.bvh:29: frame 1, channel 2 of \"my hips\": \"-1.#IND\" is not a number",
        ),
        (
            &PLAIN.replace("Frames: 3", "Frames: 4"),
            "t.bvh:31: MOTION: 4 frames are announced, 3 are there; get the whole file, or salvage its 3 whole frames",
        ),
        (&PLAIN.replace("ROOT my hips", "ROOT"), "t.bvh:3: ROOT: the name is missing"),
        (&PLAIN[..60], "t.bvh:5: CHANNELS of \"my hips\": channel 2 of 6 is \"Y\""),
        (
            "HIERARCHY ROOT a { OFFSET 0 0 0 } MOTION Frames: 1 Frame Time: 1\n1",
            "t.bvh:1: MOTION: no joint has a channel",
        ),
    ];
    for (text, expected) in cases {
        let found = said(text);
        assert!(found.starts_with(expected), "{found}\ninstead of\n{expected}");
    }
}

#[test]
fn every_beginning_of_a_file_is_an_error_or_a_shorter_motion() {
    for end in 0..PLAIN.len() - 3 {
        assert!(parse(&PLAIN[..end]).is_err(), "{end}");
    }
    let salvage = ImportOptions { salvage: true, ..known() };
    let cut = &PLAIN[..PLAIN.len() - 12];
    let saved = bvh::parse(cut.as_bytes(), "t.bvh", &salvage).expect("salvaged");
    assert_eq!(saved.take.poses.len(), 2);
    assert!(saved.report.warns(WarningKind::Frames));
    let holes = PLAIN.replace("1 2.05 3 10", "1 nan 3 10");
    let saved = bvh::parse(holes.as_bytes(), "t.bvh", &salvage).expect("salvaged");
    close(saved.take.poses[1].root, ours(1.0, 2.0, 3.0));
}

#[test]
fn more_frames_than_announced_are_taken() {
    let more = read(&PLAIN.replace("Frames: 3", "Frames: 2"));
    assert_eq!(more.take.poses.len(), 3);
    assert!(more.report.warns(WarningKind::Frames));
}

#[test]
fn hostile_files_end_with_errors() {
    let deep = |n: usize| {
        let open = "JOINT j { OFFSET 0 0 0 CHANNELS 0 ".repeat(n);
        format!(
            "HIERARCHY ROOT r {{ OFFSET 0 0 0 CHANNELS 1 Xrotation {open}{}}} MOTION Frames: 1 Frame Time: 1 0",
            "}".repeat(n)
        )
    };
    assert!(parse(&deep(400)).is_ok());
    assert!(matches!(parse(&deep(100_000)), Err(ReadError::Limit { what: "joints in a chain", .. })));
    let wide = "JOINT j { OFFSET 0 0 0 }".repeat(3000);
    let wide = format!(
        "HIERARCHY ROOT r {{ OFFSET 0 0 0 CHANNELS 1 Xrotation {wide}}} MOTION Frames: 1 Frame Time: 1 0"
    );
    assert!(matches!(parse(&wide), Err(ReadError::Limit { what: "joints", .. })));
    // few bytes that would become many rotations
    let limits = Limits { rotations: 1000, ..Limits::default() };
    let many = "JOINT j { OFFSET 0 0 0 }".repeat(99);
    let many = format!(
        "HIERARCHY ROOT r {{ OFFSET 0 0 0 CHANNELS 1 Xrotation {many}}} MOTION Frames: 99 Frame Time: 1\n{}",
        "0\n".repeat(99)
    );
    let options = ImportOptions { limits, ..known() };
    assert!(matches!(bvh::parse(many.as_bytes(), "t", &options), Err(ReadError::Limit { limit: 1000, .. })));
    // announced sizes ask for nothing
    assert!(parse(&PLAIN.replace("Frames: 3", "Frames: 18446744073709551615")).is_err());
    let binary: Vec<u8> = (0..=255).collect();
    assert!(matches!(bvh::parse(&binary, "t", &known()), Err(ReadError::Binary { line: 1, byte: 0, .. })));
    let utf16: Vec<u8> = "\u{feff}HIERARCHY".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let said = bvh::parse(&utf16, "t", &known()).expect_err("UTF-16").to_string();
    assert!(said.ends_with("save it as UTF-8"), "{said}");
    let latin =
        [b"HIERARCHY ROOT h\xfcfte { OFFSET 0 0 0 CHANNELS 1 Xrotation } MOTION Frames: 1 Frame Time: 1 0"
            .as_slice()]
        .concat();
    assert!(bvh::parse(&latin, "t", &known()).expect("read").report.warns(WarningKind::Text));
    let name = "n".repeat(1000);
    assert!(parse(&PLAIN.replace("my hips", &name)).is_err());
}

#[test]
fn of_several_roots_one_is_taken() {
    let text = "HIERARCHY ROOT a { OFFSET 0 0 0 CHANNELS 3 Xposition Yposition Zposition }
        ROOT b { OFFSET 0 0 0 CHANNELS 3 Xposition Yposition Zposition JOINT c { OFFSET 1 0 0 CHANNELS 0 } }
        MOTION Frames: 1 Frame Time: 0.1\n1 2 3 4 5 6";
    let first = read(text);
    close(first.take.poses[0].root, ours(1.0, 2.0, 3.0));
    assert!(first.report.warns(WarningKind::Roots));
    let options = ImportOptions { root: Some("B".into()), ..known() };
    let second = bvh::parse(text.as_bytes(), "t", &options).expect("read");
    close(second.take.poses[0].root, ours(4.0, 5.0, 6.0));
    assert!(second.take.skeleton.joints().len() == 2 && !second.report.warns(WarningKind::Roots));
    let options = ImportOptions { root: Some("x".into()), ..known() };
    let said = bvh::parse(text.as_bytes(), "t", &options).expect_err("no such root").to_string();
    assert_eq!(said, "t: option `root`: no root is called \"x\"; there is a, b");
}

#[test]
fn places_of_inner_joints_are_offsets() {
    let with = |places: [&str; 3]| {
        format!(
            "HIERARCHY ROOT r {{ OFFSET 9 9 9 CHANNELS 3 Xposition Yposition Zposition
             JOINT a {{ OFFSET 0 2 0 CHANNELS 3 Xposition Yposition Zposition }} JOINT b {{ OFFSET 1 0 0 CHANNELS 0 }} }}
             MOTION Frames: 3 Frame Time: 0.1\n0 0 0 {}\n0 0 0 {}\n0 0 0 {}",
            places[0], places[1], places[2]
        )
    };
    // channels that repeat the offset, and channels on top of it
    for (place, expected) in [("0 2.1 0", ours(0.0, 2.1, 0.0)), ("0 0.1 0", ours(0.0, 2.1, 0.0))] {
        let still = read(&with([place; 3]));
        close(still.take.skeleton.joints()[1].offset, expected);
        assert!(!still.report.warns(WarningKind::Translation));
    }
    let moving = read(&with(["0 2 0", "0 2.3 0", "0 2 0"]));
    close(moving.take.skeleton.joints()[1].offset, ours(0.0, 2.1, 0.0));
    let warning = &moving.report.warnings[0];
    assert!(warning.text.contains("up to 0.2000 units (\"a\")"), "{}", warning.text);
}

#[test]
fn a_still_root_above_a_travelling_joint_is_merged() {
    let text = "HIERARCHY ROOT Reference { OFFSET 0 0 0 CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
        JOINT Hips { OFFSET 0 1 0 CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
        JOINT Spine { OFFSET 0 0.5 0 CHANNELS 3 Zrotation Xrotation Yrotation } } }
        MOTION Frames: 2 Frame Time: 0.1
        1 0 0 0 0 90 0 1 0 0 0 0 0 0 0
        1 0 0 0 0 90 0 1 4 0 0 0 0 0 0";
    let imported = read(text);
    let joints = imported.take.skeleton.joints();
    assert_eq!((joints.len(), joints[0].name.as_str(), joints[1].parent), (2, "Hips", Some(0)));
    // the reference turns z to x
    close(imported.take.poses[1].root, ours(5.0, 1.0, 0.0));
    close(imported.take.path(1)[1], ours(5.0, 1.5, 0.0));
    assert!(imported.report.assumed.iter().any(|a| a.what == "root"));
}

#[test]
fn printed_times_become_rates() {
    let rate = |time: &str| read(&PLAIN.replace("0.033333", time)).take.rate;
    for (time, expected) in [
        ("0.033333", 30.0),
        (".0083333", 120.0),
        ("0.0333", 30.0),
        ("0.0416667", 24.0),
        ("0.016667", 60.0),
        ("0.04", 25.0),
    ] {
        assert_eq!(rate(time), expected, "{time}");
    }
    // NTSC stays what it is
    assert!((rate("0.0333667") - 29.97).abs() < 1e-3);
    let given = ImportOptions { rate: Some(60.0), ..known() };
    let imported = bvh::parse(PLAIN.replace("0.033333", "0").as_bytes(), "t", &given).expect("rate is given");
    assert_eq!(imported.take.rate, 60.0);
}

#[test]
fn options_that_make_no_sense_are_refused() {
    for (options, which) in [
        (ImportOptions { rate: Some(-1.0), ..known() }, "rate"),
        (ImportOptions { scale: Some(f64::NAN), ..known() }, "scale"),
        (ImportOptions { forward: Some(Axis::Y.reversed()), ..known() }, "forward"),
    ] {
        match bvh::parse(PLAIN.as_bytes(), "t", &options) {
            Err(ReadError::Option { option, .. }) => assert_eq!(option, which),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn a_missing_file_says_so() {
    let said = bvh::read("no/such.bvh", &known()).expect_err("missing").to_string();
    assert!(said.starts_with("no/such.bvh: "), "{said}");
}
