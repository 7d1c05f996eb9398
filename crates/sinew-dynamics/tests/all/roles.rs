//! Roles: guessed right on bodies written by others, with and without their names; side files.

use crate::support::shared;
use sinew_dynamics::format::{mjcf, role_file};
use sinew_dynamics::spatial::{Quat, Vec3};
use sinew_dynamics::{JointSpec, ModelSpec, Role, Roles, Side, characters, guess_roles};

/// Body names of the parts, `left` and `right` in place of `*`; nothing: no such part.
struct Expected {
    file: &'static str,
    pelvis: &'static str,
    trunk: &'static str,
    head: &'static str,
    /// Upper arm, lower arm, hand, thigh, shin, foot, toe.
    paired: [&'static str; 7],
    sides: [&'static str; 2],
    up: Vec3,
    forward: Vec3,
}

fn expected() -> [Expected; 5] {
    let cmu = Expected {
        file: "humanoid_CMU",
        pelvis: "root",
        trunk: "thorax",
        head: "head",
        paired: ["*humerus", "*radius", "*hand", "*femur", "*tibia", "*foot", "*toes"],
        sides: ["l", "r"],
        up: Vec3::z(),
        forward: -Vec3::y(),
    };
    [
        Expected {
            file: "humanoid",
            pelvis: "pelvis",
            trunk: "torso",
            head: "head",
            paired: ["*_upper_arm", "*_lower_arm", "*_hand", "*_thigh", "*_shin", "*_foot", ""],
            sides: ["left", "right"],
            up: Vec3::z(),
            forward: Vec3::x(),
        },
        Expected { file: "humanoid_CMU_V2020", up: Vec3::y(), forward: Vec3::z(), ..cmu },
        cmu,
        Expected {
            file: "unitree_h1",
            pelvis: "pelvis",
            trunk: "torso_link",
            head: "",
            paired: [
                "*_shoulder_yaw_link",
                "*_elbow_link",
                "",
                "*_hip_pitch_link",
                "*_knee_link",
                "*_ankle_link",
                "",
            ],
            sides: ["left", "right"],
            up: Vec3::z(),
            forward: Vec3::x(),
        },
        Expected {
            file: "walker",
            pelvis: "torso",
            trunk: "torso",
            head: "",
            paired: ["", "", "", "*_thigh", "*_leg", "*_foot", ""],
            sides: ["left", "right"],
            up: Vec3::z(),
            forward: Vec3::x(),
        },
    ]
}

impl Expected {
    fn roles(&self) -> Roles {
        let mut roles = Roles::default();
        let mut set = |role, body: String| {
            if !body.is_empty() {
                roles.set(role, body)
            }
        };
        set(Role::Pelvis, self.pelvis.into());
        set(Role::Trunk, self.trunk.into());
        set(Role::Head, self.head.into());
        for (side, word) in Side::BOTH.into_iter().zip(self.sides) {
            let parts: [fn(Side) -> Role; 7] =
                [Role::UpperArm, Role::LowerArm, Role::Hand, Role::Thigh, Role::Shin, Role::Foot, Role::Toe];
            for (part, pattern) in parts.into_iter().zip(self.paired) {
                set(part(side), pattern.replace('*', word));
            }
        }
        roles
    }
}

/// The description with bodies and joints called by numbers, and the new name of each old one.
fn nameless(spec: &ModelSpec) -> (ModelSpec, impl Fn(&str) -> Option<String>) {
    let mut blind = spec.clone();
    blind.roles = Roles::default();
    blind.excludes.clear();
    blind.actuators.clear();
    for (i, body) in blind.bodies.iter_mut().enumerate() {
        body.name = format!("b{i}");
        body.joints.iter_mut().enumerate().for_each(|(k, j)| j.name = format!("j{i}_{k}"));
    }
    let names: Vec<String> = spec.bodies.iter().map(|b| b.name.clone()).collect();
    (blind, move |old: &str| names.iter().position(|n| n == old).map(|i| format!("b{i}")))
}

#[test]
fn guessed_right_with_and_without_names() {
    let Some(folder) = shared("characters") else { return };
    for e in expected() {
        let spec = mjcf::read(folder.join(format!("{}.xml", e.file))).unwrap_or_else(|e| panic!("{e}")).0;
        let guess = guess_roles(&spec);
        assert_eq!(guess.roles(), e.roles(), "{}", e.file);
        assert!((guess.up - e.up).norm() < 1e-6, "{}: up {:?}", e.file, guess.up);
        assert!((guess.forward - e.forward).norm() < 0.01, "{}: forward {:?}", e.file, guess.forward);
        assert_eq!(guess.notes.iter().any(|n| n.contains("faces")), e.forward != Vec3::x(), "{}", e.file);
        assert!(guess.guessed.iter().all(|g| g.confidence > 0.6 && !g.reason.is_empty()), "{guess:#?}");
        let (blind, renamed) = nameless(&spec);
        assert_eq!(guess_roles(&blind).roles(), e.roles().map(renamed), "{} without names", e.file);
    }
}

/// The guess goes with the figure: turned about the vertical, it faces the other way and keeps its sides.
#[test]
fn the_guess_turns_with_the_figure() {
    let Some(folder) = shared("characters") else { return };
    let spec = mjcf::read(folder.join("unitree_h1.xml")).unwrap_or_else(|e| panic!("{e}")).0;
    let (blind, _) = nameless(&spec);
    let before = guess_roles(&blind);
    for angle in [0.7, 2.0, -2.5] {
        let mut turned = blind.clone();
        let turn = Quat::from_axis_angle(&Vec3::z_axis(), angle);
        let root = &mut turned.bodies[0];
        (root.pos, root.quat) = (turn * root.pos, turn * root.quat);
        let after = guess_roles(&turned);
        assert_eq!(after.roles(), before.roles());
        assert!((after.forward - turn * before.forward).norm() < 1e-12);
    }
}

/// Built-in characters name their roles; every guess must agree.
#[test]
fn the_guess_agrees_with_our_own_tables() {
    let mut guessed = 0;
    for name in characters::names() {
        let model = characters::load(name).unwrap();
        let guess = guess_roles(model.spec());
        if !guess.guessed.is_empty() {
            assert_eq!(guess.roles(), model.spec().roles, "{name}");
            guessed += 1;
        }
    }
    assert!(guessed >= 10, "only {guessed} were recognised");
}

#[test]
fn bodies_other_than_bipeds_get_no_roles() {
    let mut spec = ModelSpec::new("nothing");
    assert!(guess_roles(&spec).guessed.is_empty());
    let ball = sinew_dynamics::BodySpec::new("ball", None, sinew_dynamics::spatial::Inertia::ZERO);
    spec.bodies.push(ball.with_joint(JointSpec::free("root")));
    let guess = guess_roles(&spec);
    assert!(guess.guessed.is_empty() && guess.notes[0].contains("no roles were guessed"));
    // out of order: refused by the compiler, but no reason to fall over
    spec.bodies[0].parent = Some(7);
    assert!(guess_roles(&spec).guessed.is_empty());
}

#[test]
fn side_files_win_over_the_model_and_the_guess_fills_in() {
    let Some(folder) = shared("characters") else { return };
    let mut spec = mjcf::read(folder.join("humanoid.xml")).unwrap_or_else(|e| panic!("{e}")).0;
    spec.roles.set(Role::Trunk, "lower_waist");
    spec.roles.set(Role::Head, "torso");
    let text = "# who is who\n\nhead = head   # not the torso\nhand_left=left_lower_arm\n";
    let side = role_file::parse(text, "humanoid.roles", &spec).unwrap();
    let report = spec.complete_roles(Some(&side));
    assert_eq!(spec.roles.get(Role::Head), Some("head"));
    assert_eq!(spec.roles.get(Role::Trunk), Some("lower_waist"));
    assert_eq!(spec.roles.get(Role::Hand(Side::Left)), Some("left_lower_arm"));
    assert_eq!(spec.roles.get(Role::Foot(Side::Right)), Some("right_foot"));
    assert!(report.contains(&"head = head: from the side file instead of torso".to_owned()), "{report:#?}");
    assert!(report.iter().any(|l| l.starts_with("foot_right = right_foot: guessed (")), "{report:#?}");
    assert!(!report.iter().any(|l| l.starts_with("trunk")), "{report:#?}");
    // a table written out reads back the same
    assert_eq!(role_file::parse(&role_file::write(&spec.roles), "f", &spec).unwrap(), spec.roles);

    // given sides decide which is left
    let mut mirrored = spec.clone();
    mirrored.roles = Roles::default();
    mirrored.roles.set(Role::Foot(Side::Left), "right_foot");
    mirrored.complete_roles(None);
    assert_eq!(mirrored.roles.get(Role::Thigh(Side::Left)), Some("right_thigh"));
    assert_eq!(mirrored.roles.get(Role::Hand(Side::Right)), Some("left_hand"));
}

#[test]
fn side_files_are_checked() {
    let mut spec = ModelSpec::new("two");
    for name in ["left_foot", "left foot#2"] {
        spec.bodies.push(sinew_dynamics::BodySpec::new(name, None, sinew_dynamics::spatial::Inertia::ZERO));
    }
    let refused = |text: &str| role_file::parse(text, "f.roles", &spec).unwrap_err().to_string();
    let cases = [
        ("\nfoot_lft = left_foot", "f.roles:2: foot_lft: is not a role; did you mean \"foot_left\"?"),
        (
            "foot_left = left_fot",
            "f.roles:1: foot_left: there is no body \"left_fot\"; did you mean \"left_foot\"?",
        ),
        ("foot_left left_foot", "f.roles:1: foot_left left_foot: a line is `role = body`"),
        ("foot_left =", "f.roles:1: foot_left: there is no body \"\""),
        ("foot_left = left_foot\nfoot_left = left_foot", "f.roles:2: foot_left: the role is given twice"),
    ];
    for (text, expected) in cases {
        assert!(refused(text).starts_with(expected), "{}\n{expected}", refused(text));
    }
    // names may hold spaces; a # within a word is part of it
    let odd = role_file::parse("foot_left = left_foot#\nhead = left foot#2 # odd", "f", &spec);
    assert!(odd.unwrap_err().to_string().starts_with("f:1: foot_left: there is no body \"left_foot#\""));
    let odd = role_file::parse("head = left foot#2 # odd", "f", &spec).unwrap();
    assert_eq!(odd.get(Role::Head), Some("left foot#2"));
    assert!(role_file::parse(&"# \n".repeat(400_000), "f", &spec).is_err());
}
