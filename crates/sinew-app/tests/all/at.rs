//! `sinew inspect MODEL --at STATES.json --json`: agreement with Pinocchio and MuJoCo, and the two conventions.

use crate::support::{json, shared, sinew, written};
use serde_json::{Value, json};

/// All numbers in nested lists, in order.
fn numbers(value: &Value) -> Vec<f64> {
    match value {
        Value::Array(list) => list.iter().flat_map(numbers).collect(),
        other => vec![other.as_f64().expect("a number")],
    }
}

/// Greatest difference relative to the greatest entry of `want`.
fn error(got: &Value, want: &Value) -> f64 {
    let (got, want) = (numbers(got), numbers(want));
    assert_eq!(got.len(), want.len());
    let scale = want.iter().fold(f64::MIN_POSITIVE, |s, x| s.max(x.abs()));
    got.iter().zip(&want).fold(0.0, |e: f64, (a, b)| e.max((a - b).abs())) / scale
}

fn evaluate(model: &str, states: &str) -> Value {
    json(&sinew(&["inspect", model, "--at", states, "--json"]).good())
}

#[test]
fn the_reference_file_is_reproduced() {
    let (Some(model), Some(states)) =
        (shared("reference/humanoid42.xml"), shared("reference/humanoid42_states.json"))
    else {
        return;
    };
    let reference = json(&std::fs::read_to_string(&states).expect("readable"));
    let ours = evaluate(&model, &states);
    let reference = reference["states"].as_array().expect("states");
    assert_eq!(ours["states"].as_array().map(Vec::len), Some(reference.len()));
    let mut compared = 0;
    for (i, want) in reference.iter().enumerate() {
        let got = &ours["states"][i];
        for part in ["pin", "mj", "contacts"] {
            for (key, value) in want[part].as_object().into_iter().flatten().filter(|(_, v)| !v.is_null()) {
                let tolerance = if key.contains("_d") { 1e-8 } else { 1e-9 };
                let e = error(&got[part][key], value);
                assert!(e < tolerance, "states[{i}].{part}.{key}: {e:.1e}");
                compared += 1;
            }
        }
    }
    assert!(compared >= 20 * 16 + 4 * 8, "only {compared} quantities compared");
}

#[test]
fn both_conventions_in_give_the_same_out() {
    let q = [0.1, -0.2, 1.0, 0.5, -0.5, 0.5, 0.5];
    let from_mujoco = {
        let mut qpos = vec![0.0; 55];
        qpos[..7].copy_from_slice(&q);
        (7..55).step_by(4).for_each(|k| qpos[k] = 1.0);
        let v: Vec<f64> = (0..42).map(|k| 0.1 * k as f64 - 2.0).collect();
        let file = json!([{"qpos": qpos, "qvel": v, "qfrc": v}]).to_string();
        evaluate("human42", &written("both_conventions", "mj.json", &file))
    };
    let pin = &from_mujoco["states"][0]["pin"];
    let again = json!({"states": [{"q": pin["q"], "v": pin["v"], "tau": pin["tau"]}]}).to_string();
    let from_pinocchio = evaluate("human42", &written("both_conventions", "pin.json", &again));
    let (a, b) = (&from_mujoco["states"][0], &from_pinocchio["states"][0]);
    for (part, key) in [("mj", "qvel"), ("mj", "qacc"), ("pin", "qdd"), ("pin", "aba_dq"), ("contacts", "a0")]
    {
        assert!(error(&b[part][key], &a[part][key]) < 1e-12, "{part}.{key}");
    }
}

/// The derivatives of both directions belong together: `∂q̈/∂x = −M⁻¹ ∂τ/∂x`, and forward differences of `qdd` with
/// respect to `v` in Pinocchio's coordinates give its column.
#[test]
fn derivatives_are_consistent() {
    let base = json!({"q": [0.1, 0.2, 1.1, 0.1, 0.7, -0.1, 0.7, 0.3, -0.2, 0.5, 0.1, -0.4, 0.2], "v": [0.5, -1.0, 0.3, 1.0, 2.0, -1.5, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6]});
    let file = r#"<mujoco model="free"><worldbody><body name="b"><freejoint/>
        <inertial pos="0.1 0 0.05" mass="3" diaginertia="0.2 0.3 0.4"/>
        <body name="c" pos="0 0 0.4"><joint name="j1" axis="1 0 0"/><joint name="j2" axis="0 1 0"/><joint name="j3" axis="0 0 1"/>
          <inertial pos="0 0.1 0.2" mass="1" diaginertia="0.02 0.03 0.04"/>
          <body name="d" pos="0.1 0 0.3"><joint name="j4" axis="1 1 0"/><joint name="j5" type="slide" axis="0 1 1"/><joint name="j6" axis="0 0 1"/>
            <inertial pos="0 0 0.1" mass="0.5" diaginertia="0.01 0.01 0.01"/></body></body></body></worldbody></mujoco>"#;
    let model = written("derivatives", "free.xml", file);
    let eps = 1e-6;
    let mut states = vec![base.clone()];
    for k in 0..12 {
        for sign in [1.0, -1.0] {
            let mut moved = base.clone();
            moved["v"][k] = (base["v"][k].as_f64().expect("a number") + sign * eps).into();
            states.push(moved);
        }
    }
    let out = evaluate(&model, &written("derivatives", "states.json", &Value::from(states).to_string()));
    let analytic = &out["states"][0]["pin"]["aba_dv"];
    for k in 0..12 {
        let [plus, minus] = [1, 2].map(|s| numbers(&out["states"][2 * k + s]["pin"]["qdd"]));
        for r in 0..12 {
            let difference = (plus[r] - minus[r]) / (2.0 * eps);
            let exact = analytic[r][k].as_f64().expect("a number");
            assert!((difference - exact).abs() < 1e-6 * (1.0 + exact.abs()), "∂qdd[{r}]/∂v[{k}]");
        }
    }
}

#[test]
fn missing_inputs_are_noted() {
    let mut qpos = vec![0.0; 55];
    (3..55).step_by(4).for_each(|k| qpos[k] = 1.0);
    let states = written("left_open", "s.json", &json!([{"qpos": qpos}]).to_string());
    let out = evaluate("human42", &states);
    assert_eq!(out["assumed"].as_array().map(Vec::len), Some(2), "{}", out["assumed"]);
    assert_eq!(out["states"][0]["contacts"]["sites"].as_array().map(Vec::len), Some(8));
    let one = sinew(&["inspect", "human42", "--at", &states, "--json", "--sites", "head_top"]).good();
    assert_eq!(json(&one)["states"][0]["contacts"]["J"].as_array().map(Vec::len), Some(3));
}

#[test]
fn wrong_states_are_refused_with_the_reason() {
    let refuse = |content: &str| {
        let file = written("wrong_states", "s.json", content);
        sinew(&["inspect", "acrobot", "--at", &file, "--json"]).refused()
    };
    let cases = [
        ("{", "not JSON"),
        ("{}", "\"states\""),
        ("[]", "empty"),
        ("[{}]", "states[0]"),
        (r#"[{"qpos": [0]}]"#, "\"qpos\" has 1 numbers"),
        (r#"[{"qpos": [0, 0]}, {"qpos": [0, "x"]}]"#, "states[1]: qpos[1] is \"x\""),
        (r#"[{"qpos": [0, 0], "qvel": [1, 2, 3]}]"#, "needs 2"),
        (r#"[{"qpos": [0, 1e999]}]"#, ""),
        (r#"[{"qpos": [0, 0], "qvle": [1, 2]}]"#, "there is \"qvle\" and no \"qvel\""),
    ];
    for (content, expected) in cases {
        let said = refuse(content);
        assert!(said.contains(expected), "{content}: {said}");
    }
    let zero = written("wrong_states", "zero.json", &json!([{"qpos": vec![0.0; 55]}]).to_string());
    let said = sinew(&["inspect", "human42", "--at", &zero, "--json"]).refused();
    assert!(said.contains("quaternion of joint \"root\" has length 0"), "{said}");
    let said = sinew(&["inspect", "human42", "--at", &zero, "--json", "--sites", "nose"]).refused();
    assert!(said.contains("quaternion") || said.contains("nose"), "{said}");
}
