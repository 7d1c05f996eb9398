//! Agreement with numbers from elsewhere: of our own 42-DoF body to 50 digits from first principles, everywhere; and of Pinocchio and
//! MuJoCo on the humanoid of the reference material, where that is at hand.

use crate::support::{assert_close, diagonal, shared};
use serde_json::Value;
use sinew_dynamics::spatial::{Inertia, Vec3};
use sinew_dynamics::*;

fn numbers(v: &Value) -> Vec<f64> {
    match v {
        Value::Array(list) => list.iter().flat_map(numbers).collect(),
        other => vec![other.as_f64().expect("a number")],
    }
}

fn vec3(v: &Value) -> Vec3 {
    Vec3::from_column_slice(&numbers(v))
}

/// The humanoid as the reference file describes it, and the states with their numbers.
fn humanoid() -> Option<(Model, Vec<Value>)> {
    let text = std::fs::read_to_string(shared("reference/humanoid42_states.json")?).expect("readable");
    let file: Value = serde_json::from_str(&text).expect("JSON");
    let mut spec = ModelSpec::new("humanoid42");
    for b in file["model"]["bodies"].as_array().expect("bodies") {
        let name = |key: &str| b[key].as_str().map(str::to_owned);
        let parent = name("parent").map(|p| spec.body_index(&p).expect("parent first"));
        let inertia = Inertia {
            mass: b["mass"].as_f64().expect("mass"),
            com: vec3(&b["com"]),
            about_com: diagonal(numbers(&b["inertia_diag_about_com"]).try_into().expect("three")),
        };
        let joint = name("joint").expect("joint");
        let joint = if b["joint_type"] == "free" { JointSpec::free(joint) } else { JointSpec::ball(joint) };
        let mut body =
            BodySpec::new(name("name").expect("name"), parent, inertia).at(vec3(&b["joint_pos_in_parent"]));
        if body.name.starts_with("foot_") {
            let corners = numbers(&file["model"]["foot_contact_points_in_foot_frame"]);
            for (k, c) in corners.chunks(3).enumerate() {
                let name = format!("{}_c{k}", body.name);
                body.sites.push(Site { name, pos: Vec3::from_column_slice(c), quat: Default::default() });
            }
        }
        spec.bodies.push(body.with_joint(joint));
    }
    Some((Model::new(spec).expect("valid"), file["states"].as_array().expect("states").clone()))
}

/// `tools/reference_dynamics.py` shares nothing with the library.
#[test]
fn dynamics_equal_fifty_digits() {
    let file: Value = serde_json::from_str(include_str!("../data/human42.json")).expect("JSON");
    let model = characters::load("human42").expect("built in");
    let mut data = Data::new(&model);
    let nv = model.nv();
    let states = file["states"].as_array().expect("states");
    assert_eq!((nv, states.len()), (42, 3));
    for state in states {
        let thousandths = |key: &str| numbers(&state[key]).iter().map(|x| x / 1000.0).collect::<Vec<_>>();
        let [v, tau, x] = ["v", "tau", "x"].map(thousandths);
        let mut q = thousandths("root");
        for turn in thousandths("turns").chunks(4) {
            let length = turn.iter().map(|x| x * x).sum::<f64>().sqrt();
            q.extend(turn.iter().map(|x| x / length));
        }
        assert_eq!(q.len(), model.nq());
        let m = crba(&model, &mut data, &q).to_vec();
        let product: Vec<f64> = (0..nv).map(|i| (0..nv).map(|j| m[j * nv + i] * x[j]).sum()).collect();
        assert_close("M x", &product, &numbers(&state["Mx"]), 1e-13);
        assert_close("h", bias_force(&model, &mut data, &q, &v), &numbers(&state["h"]), 1e-13);
        assert_close("q̈", aba(&model, &mut data, &q, &v, &tau).unwrap(), &numbers(&state["qacc"]), 1e-11);
        let com = center_of_mass(&model, &mut data, &q);
        assert_close("COM", com.as_slice(), &numbers(&state["com"]), 1e-14);
        let h = momentum(&model, &mut data, &q, &v);
        assert_close("linear momentum", h.linear.as_slice(), &numbers(&state["linmom"]), 1e-13);
        assert_close("angular momentum", h.angular.as_slice(), &numbers(&state["angmom"]), 1e-12);
    }
}

#[test]
fn dynamics_equal_mujoco() {
    let Some((model, states)) = humanoid() else { return };
    let mut data = Data::new(&model);
    let nv = model.nv();
    assert_eq!((model.nq(), nv, states.len()), (55, 42, 20));
    for state in &states {
        let mj = &state["mj"];
        let [q, v, tau] = ["qpos", "qvel", "qfrc"].map(|k| numbers(&mj[k]));
        assert_close("M", crba(&model, &mut data, &q), &numbers(&mj["M"]), 1e-12);
        assert_close("h", bias_force(&model, &mut data, &q, &v), &numbers(&mj["h"]), 1e-12);
        let qacc = numbers(&mj["qacc"]);
        assert_close("q̈", aba(&model, &mut data, &q, &v, &tau).unwrap(), &qacc, 1e-11);
        assert_close("τ", rnea(&model, &mut data, &q, &v, &qacc), &tau, 1e-9);
        factor_mass_matrix(&model, &mut data).unwrap();
        let mut x: Vec<f64> = tau.iter().zip(numbers(&mj["h"])).map(|(t, h)| t - h).collect();
        data.solve_mass_matrix(&model, &mut x);
        assert_close("M⁻¹(τ − h)", &x, &qacc, 1e-11);
    }
}

#[test]
fn centre_of_mass_momentum_and_contacts_equal_pinocchio() {
    let Some((model, states)) = humanoid() else { return };
    let mut data = Data::new(&model);
    let nv = model.nv();
    for state in &states {
        let (mj, pin) = (&state["mj"], &state["pin"]);
        let [q, v] = ["qpos", "qvel"].map(|k| numbers(&mj[k]));
        let com = center_of_mass(&model, &mut data, &q);
        assert_close("COM", com.as_slice(), &numbers(&pin["com"]), 1e-12);
        let h = momentum(&model, &mut data, &q, &v);
        assert_close("linear momentum", h.linear.as_slice(), &numbers(&pin["hg"])[..3], 1e-12);
        assert_close("angular momentum", h.angular.as_slice(), &numbers(&mj["angmom"]), 1e-11);
        if pin["Ag"].is_null() {
            continue;
        }
        // their root velocity is in body axes: the first three columns are turned
        let root = data.body_placement(&model, model.body("pelvis").unwrap()).rot;
        let turned = |columns: &[f64], rows: usize| -> Vec<f64> {
            let mut out = columns.to_vec();
            for r in 0..rows {
                let ours = Vec3::new(columns[r], columns[rows + r], columns[2 * rows + r]);
                let theirs = root.tr_mul(&ours);
                (0..3).for_each(|k| out[k * rows + r] = theirs[k]);
            }
            // to rows after rows, as the file has them
            (0..rows).flat_map(|r| (0..nv).map(move |c| c * rows + r)).map(|k| out[k]).collect()
        };
        let map = centroidal_map(&model, &mut data, &q).map.to_vec();
        assert_close("centroidal map", &turned(&map, 6), &numbers(&pin["Ag"]), 1e-12);
        let contacts = &state["contacts"];
        let (mut points, mut jacobians, mut drifts) =
            (Vec::<f64>::new(), Vec::<f64>::new(), Vec::<f64>::new());
        forward_accelerations(&model, &mut data, &q, &v, &vec![0.0; nv]);
        for foot in ["foot_l", "foot_r"] {
            for k in 0..4 {
                let (body, site) = model.site(&format!("{foot}_c{k}")).expect("corner");
                let point = data.body_placement(&model, body).act(&site.pos);
                points.extend(point.iter());
                let mut jacobian = vec![0.0; 3 * nv];
                data.point_jacobian(&model, body, &point, &mut jacobian);
                jacobians.extend(turned(&jacobian, 3));
                drifts.extend(data.point_acceleration(&model, body, &point).iter());
            }
        }
        assert_close("corners", &points, &numbers(&contacts["p"]), 1e-12);
        assert_close("J", &jacobians, &numbers(&contacts["J"]), 1e-12);
        // their a0 holds the body-axes root velocity still: ours accelerates by ω × v besides
        let w = data.angular_velocity(&model, model.body("pelvis").unwrap());
        let extra = w.cross(&Vec3::from_column_slice(&v[..3]));
        let drifts: Vec<f64> =
            drifts.chunks(3).flat_map(|a| (0..3).map(|k| a[k] + extra[k]).collect::<Vec<_>>()).collect();
        assert_close("J̇ v", &drifts, &numbers(&contacts["a0"]), 1e-11);
    }
}
