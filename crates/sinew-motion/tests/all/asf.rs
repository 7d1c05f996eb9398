//! ASF and AMC: samples written by hand after the published definition.

use sinew_dynamics::spatial::{Vec3, rotation};
use sinew_motion::{ImportOptions, Take, WarningKind, asf};

const SKELETON: &str = "\
# a leg and an arm
:version 1.10
:name sample
:units
  mass 1.0
  length 0.45
  angle deg
:documentation
   words: any of them, begin end root
:root
   order TX TY TZ RX RY RZ
   axis XYZ
   position 0 0 0
   orientation 0 0 0
:bonedata
  begin
     id 1
     name lfemur
     direction 0 -1 0
     length 7.2
     axis 0 0 0 XYZ
     dof rx ry rz
     limits (-160.0 20.0)
            (-70.0 70.0)
            (-60.0 inf)
  end
  begin
     id 2
     name ltibia
     direction 0 -1 0
     length 7
     axis 0 0 90 XYZ
     dof rx
     limits (-10.0 170.0)
  end
  begin id 3 name arm direction 1 0 0 length 6 axis 0 0 0 XYZ end
:hierarchy
  begin
    root lfemur arm
    lfemur ltibia
  end
";

fn known() -> ImportOptions {
    ImportOptions {
        up: Some(sinew_motion::Axis::Y),
        forward: Some(sinew_motion::Axis::Z),
        scale: Some(1.0),
        ..ImportOptions::default()
    }
}

fn read(motion: &str) -> Take {
    asf::parse((SKELETON.as_bytes(), "s.asf"), (motion.as_bytes(), "m.amc"), &known())
        .unwrap_or_else(|e| panic!("{e}"))
        .take
}

/// A point of the file in our axes.
fn ours(x: f64, y: f64, z: f64) -> Vec3 {
    Vec3::new(z, x, y)
}

#[test]
fn angles_are_about_fixed_axes_in_the_frame_of_the_bone() {
    let take = read("#!OML\n:FULLY-SPECIFIED\n:DEGREES\n1\nroot 1 20 3 0 0 0\nlfemur 0 0 90\nltibia 90\n");
    let joint = |name: &str| take.skeleton.joint(name).expect("bone");
    let placed = take.skeleton.placements(&take.poses[0]);
    let close = |a: Vec3, b: Vec3| assert!((a - b).norm() < 1e-12, "{a:?} {b:?}");
    close(placed[0].pos, ours(1.0, 20.0, 3.0));
    // the thigh turns about z: down becomes +x
    close(placed[joint("ltibia")].pos, ours(8.2, 20.0, 3.0));
    // the shin's axis x is turned by 90° about z to y: C R_x(90°) C⁻¹ = R_y(90°), under the thigh's R_z(90°)
    let turn = rotation::exp(&Vec3::new(0.0, 90f64.to_radians(), 0.0));
    let thigh = rotation::exp(&Vec3::new(0.0, 0.0, 90f64.to_radians()));
    let end = thigh * turn * Vec3::new(0.0, -7.0, 0.0);
    let shin = &take.skeleton.joints()[joint("ltibia")];
    close(placed[joint("ltibia")].act(&shin.tips[0]), ours(8.2 + end.x, 20.0 + end.y, 3.0 + end.z));
    close(placed[joint("arm")].act(&take.skeleton.joints()[joint("arm")].tips[0]), ours(7.0, 20.0, 3.0));

    // three angles: x first, then y, then z
    let (a, b, c) = (0.4_f64, -0.7_f64, 1.1_f64);
    let take = read(&format!(":RADIANS\n1\nroot 0 0 0 {a} {b} {c}\nlfemur {a} {b} {c}\nltibia 0\n"));
    let single = |v: Vec3| rotation::exp(&v);
    let m = single(Vec3::z() * c) * single(Vec3::y() * b) * single(Vec3::x() * a);
    let end = m * (m * Vec3::new(0.0, -7.2, 0.0));
    close(take.path(joint("ltibia"))[0], ours(end.x, end.y, end.z));
}

#[test]
fn the_unit_of_cmu_is_recognised() {
    // a second leg, so that the figure has a pair
    let bones = "begin name rfemur direction 0 -1 0 length 7.2 axis 0 0 0 XYZ end
        begin name lfoot direction 0 0 1 length 1 axis 0 0 0 XYZ end
        begin name rtibia direction 0 -1 0 length 7 axis 0 0 0 XYZ end
        begin name rfoot direction 0 0 1 length 1 axis 0 0 0 XYZ end\n:hierarchy";
    let links = "root lfemur arm rfemur\nrfemur rtibia\nrtibia rfoot\nlfemur ltibia\nltibia lfoot\n";
    let skeleton =
        SKELETON.replace(":hierarchy", bones).replace("root lfemur arm\n    lfemur ltibia\n", links);
    let motion = b"1\nroot 0 15 0 0 0 0\nlfemur 0 0 0\nltibia 0\n";
    let imported = asf::parse((skeleton.as_bytes(), "s.asf"), (motion, "m.amc"), &ImportOptions::default())
        .expect("read");
    assert_eq!(imported.take.rate, 120.0);
    let knee = &imported.take.skeleton.joints()[imported.take.skeleton.joint("ltibia").expect("bone")];
    assert!((knee.offset.norm() - 7.2 * 0.0254 / 0.45).abs() < 1e-12);
    assert!(imported.take.provenance.steps.iter().any(|s| s == "skeleton s.asf"));
}

fn error(skeleton: &str, motion: &str) -> String {
    asf::parse((skeleton.as_bytes(), "s.asf"), (motion.as_bytes(), "m.amc"), &known())
        .unwrap_err()
        .to_string()
}

#[test]
fn faults_are_named_with_place_and_remedy() {
    let frame = "1\nroot 0 0 0 0 0 0\nlfemur 0 0 0\nltibia 0\n";
    let cases = [
        (
            SKELETON.to_owned(),
            "1\nroot 0 0 0 0 0\nlfemur 0 0 0\nltibia 0\n",
            "m.amc:2: frame 1, bone \"root\": it has not the 6",
        ),
        (
            SKELETON.to_owned(),
            "1\nroot 0 0 0 0 0 nan\nlfemur 0 0 0\nltibia 0\n",
            "m.amc:2: frame 1, bone \"root\": not all values",
        ),
        (
            SKELETON.to_owned(),
            "1\nroot 0 0 0 0 0 0\nltibia 0\n2\n",
            "m.amc:4: frame 1: bone \"lfemur\" has no line",
        ),
        (
            SKELETON.to_owned(),
            "1\nfoot 0\n",
            "m.amc:2: frame 1, bone \"foot\": the skeleton has no such bone",
        ),
        (SKELETON.to_owned(), ":DEGREES\n", "m.amc:1: motion: there is no frame"),
        (SKELETON.to_owned(), "root 1 2 3\n", "m.amc:1: motion: \"root\" stands before the first frame"),
        (
            SKELETON.replace("dof rx\n", "dof rq\n"),
            frame,
            "s.asf:33: dof of bone \"ltibia\": \"rq\" is no degree",
        ),
        (
            SKELETON.replace("lfemur ltibia", "lfemur knee"),
            frame,
            "s.asf:40: hierarchy: there are no bone data of \"knee\"",
        ),
        (
            SKELETON.replace("lfemur ltibia", "lfemur arm"),
            frame,
            "s.asf:40: hierarchy: \"arm\" has two parents",
        ),
        (
            SKELETON.replace("length 7\n", "lenght 7\n"),
            frame,
            "s.asf:31: bone \"ltibia\": \"lenght\" is not known here; did you mean \"length\"?",
        ),
        (SKELETON.replace("angle deg", "angle grad"), frame, "s.asf:7: angle: \"grad\" is no unit"),
        (SKELETON[..300].to_owned(), frame, "s.asf:"),
        (String::new(), frame, "s.asf:0: :root: it has no order"),
    ];
    for (skeleton, motion, expected) in cases {
        let found = error(&skeleton, motion);
        assert!(found.starts_with(expected), "{found}\ninstead of\n{expected}");
    }
}

#[test]
fn a_damaged_motion_is_salvaged_when_asked() {
    let options = ImportOptions { salvage: true, ..known() };
    let motion = b"1\nroot 1 0 0 0 0 0\nlfemur 0 0 0\nltibia 5\n2\nroot 2 0 0 nan 0 0\nlfemur 0 0 0\n4\nroot 3 0 0 0 0 0\nlfemur 0 0 0\nltibia 7\n";
    let imported = asf::parse((SKELETON.as_bytes(), "s.asf"), (motion, "m.amc"), &options).expect("salvaged");
    assert_eq!(imported.take.poses.len(), 3);
    assert_eq!(imported.report.warnings.iter().filter(|w| w.kind == WarningKind::Frames).count(), 2);
    assert_eq!(imported.take.poses[1].root, imported.take.poses[0].root);
}
