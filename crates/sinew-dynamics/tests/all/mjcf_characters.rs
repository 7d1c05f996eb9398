//! Characters written by others load with MuJoCo's figures and survive our own MJCF.

use crate::support::shared;
use sinew_dynamics::format::mjcf;
use sinew_dynamics::spatial::Vec3;
use sinew_dynamics::{Data, Model, ModelSpec, bias_force, center_of_mass};

/// What MuJoCo 4.0.0 says of a file: name, nq, nv, actuators, bodies with the world, geoms, mass in kg.
const FIGURES: [(&str, usize, usize, usize, usize, usize, f64); 6] = [
    ("humanoid", 28, 27, 21, 17, 20, 40.844021),
    ("humanoid_CMU", 63, 62, 56, 32, 50, 51.845941),
    ("humanoid_CMU_V2020", 56, 56, 56, 32, 45, 66.954479),
    ("unitree_h1", 26, 25, 19, 21, 32, 51.437),
    ("walker", 9, 9, 6, 8, 8, 28.540322),
    ("acrobot", 2, 2, 1, 3, 4, 2.0),
];

fn geoms(spec: &ModelSpec) -> usize {
    spec.world_geoms.len() + spec.bodies.iter().map(|b| b.geoms.len()).sum::<usize>()
}

#[test]
fn figures_are_those_of_mujoco() {
    let Some(folder) = shared("characters") else { return };
    for (name, nq, nv, nu, bodies, shapes, mass) in FIGURES {
        let (spec, _) = mjcf::read(folder.join(format!("{name}.xml"))).unwrap();
        let found = (spec.actuators.len(), spec.bodies.len() + 1, geoms(&spec));
        assert_eq!(found, (nu, bodies, shapes), "{name}");
        let model = Model::new(spec).unwrap();
        assert_eq!((model.nq(), model.nv()), (nq, nv), "{name}");
        assert!((model.mass() - mass).abs() < 5e-7, "{name}: {} kg", model.mass());
    }
}

/// What MuJoCo 4.0.0 computes at the default configuration: norm of the bias force and centre of mass.
const GRAVITY: [(&str, f64, [f64; 3]); 6] = [
    ("humanoid", 400.809033, [0.017472, 0.0, 1.067265]),
    ("humanoid_CMU", 509.293043, [0.000247, -0.017016, 1.063240]),
    ("humanoid_CMU_V2020", 168.938077, [0.000470, 0.057135, 0.023323]),
    ("unitree_h1", 504.741706, [0.016260, 0.000972, 1.024934]),
    ("walker", 280.007697, [0.008806, 0.0, 0.772344]),
    ("acrobot", 0.0, [0.0, 0.0, 3.0]),
];

#[test]
fn gravity_torque_and_centre_of_mass_are_those_of_mujoco() {
    let Some(folder) = shared("characters") else { return };
    for (name, norm, com) in GRAVITY {
        let model = Model::new(mjcf::read(folder.join(format!("{name}.xml"))).unwrap().0).unwrap();
        let mut data = Data::new(&model);
        let q = model.neutral();
        let h = bias_force(&model, &mut data, &q, &vec![0.0; model.nv()]);
        let found = h.iter().map(|x| x * x).sum::<f64>().sqrt();
        assert!((found - norm).abs() < 1e-6, "{name}: gravity torque {found}");
        let found = center_of_mass(&model, &mut data, &q);
        assert!((found - Vec3::from(com)).amax() < 1e-6, "{name}: centre of mass {found:?}");
    }
}

#[test]
fn what_is_left_out_is_listed() {
    let Some(folder) = shared("characters") else { return };
    let listed = |name: &str| mjcf::read(folder.join(format!("{name}.xml"))).unwrap().1;
    let has = |list: &[String], text: &str| list.iter().any(|w| w.contains(text));
    let humanoid = listed("humanoid");
    assert!(has(&humanoid.assumed, "degrees"));
    assert!(has(&humanoid.warnings, "humanoid.xml:34: <light> left out"));
    assert!(has(&humanoid.warnings, "humanoid.xml:35: <camera> left out (3 times, also on line 36, 45)"));
    assert!(has(&humanoid.warnings, "common/visual.xml:2: <visual> with 3 elements left out"));
    assert!(has(&humanoid.warnings, "<sensor> with 34 elements left out: sensors do not change the physics"));
    assert!(has(&listed("unitree_h1").assumed, "joints without a name are called pelvis_joint"));
    assert!(has(
        &listed("acrobot").assumed,
        "<flag> turns off joint limits, dry friction in joints, contacts"
    ));
}

#[test]
fn defaults_and_actuators_reach_the_joints() {
    let Some(folder) = shared("characters") else { return };
    let (mut humanoid, _) = mjcf::read(folder.join("humanoid.xml")).unwrap();
    // class big_stiff_joint in big_joint in body; a motor of gear 120 with control in ±1
    let hip = humanoid.joint_mut("right_hip_y").unwrap();
    assert_eq!((hip.stiffness, hip.damping, hip.armature), (20.0, 5.0, 0.01));
    assert_eq!(hip.effort[0], 120.0);
    let [low, high] = hip.range.unwrap();
    assert!((low + 110f64.to_radians()).abs() < 1e-15 && (high - 20f64.to_radians()).abs() < 1e-15);
    let (mut h1, _) = mjcf::read(folder.join("unitree_h1.xml")).unwrap();
    assert_eq!(h1.joint_mut("left_knee").unwrap().effort[0], 300.0);
    assert_eq!(h1.bodies[0].inertia.mass, 5.39);
}

#[test]
fn our_mjcf_gives_the_same_description_back() {
    let Some(folder) = shared("characters") else { return };
    for (name, ..) in FIGURES {
        let (spec, _) = mjcf::read(folder.join(format!("{name}.xml"))).unwrap();
        let text = mjcf::write(&spec);
        let (again, report) = mjcf::parse(&text, &mjcf::Options::default()).unwrap();
        assert_eq!(again, spec, "{name}");
        assert_eq!(report.warnings, Vec::<String>::new(), "{name}");
        assert_eq!(mjcf::write(&again), text, "{name}");
    }
}
