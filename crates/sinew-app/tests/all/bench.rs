//! `sinew bench`: the lines that a benchmark harness reads.

use crate::support::{command, finish, json, shared, sinew};

const KERNELS: [&str; 31] = [
    "rnea",
    "bias",
    "crba",
    "aba",
    "joint_jacobians",
    "centroidal_map",
    "rnea_derivatives",
    "aba_derivatives",
    "constraint_dynamics_2x6d",
    "constraint_dynamics+derivatives_2x6d",
    "qp_stand",
    "qp_stand_warm",
    "qp_stand_hot",
    "qp_walk",
    "qp_walk_warm",
    "qp_walk_hot",
    "hqp_walk_cold",
    "hqp_walk_warm",
    "riccati_backward_100",
    "lemke_8",
    "pgs_8",
    "pgs_8_warm",
    "lemke_24",
    "pgs_24",
    "pgs_24_warm",
    "fit_5s_120hz",
    "step_air",
    "step_stand",
    "step_march",
    "step_fallen",
    "step_falls",
];

#[test]
fn one_line_per_kernel() {
    let lines = sinew(&["bench", "--json", "--budget", "0.001"]).good();
    let lines: Vec<_> = lines.lines().map(json).collect();
    let names: Vec<_> = lines.iter().map(|l| l["bench"].as_str().expect("a name").to_owned()).collect();
    assert_eq!(names, KERNELS);
    for line in &lines {
        assert_eq!(line["suite"], "sinew");
        let us = |key: &str| line[key].as_f64().expect("microseconds");
        assert!(us("min_us") > 0.0 && us("min_us") <= us("p10_us"), "{line}");
        assert!(us("p10_us") <= us("median_us") && us("median_us") <= us("p90_us"), "{line}");
        assert!(us("p90_us") <= us("p99_us"), "{line}");
        assert!(line["n"].as_u64() >= Some(20), "{line}");
        // a motion of 5 s is on a body in half a second of one core
        assert!(line["bench"] != "fit_5s_120hz" || us("min_us") < 0.5e6, "{line}");
    }
}

#[test]
fn the_reference_states_are_used_and_checked() {
    let Some(states) = shared("reference/humanoid42_states.json") else { return };
    let folder = std::path::Path::new(&states).parent().expect("a folder");
    let run = |folder: &std::path::Path| {
        finish(command(&["bench", "--only", "aba", "--budget", "0.001"]).env("DATA_DIR", folder).output())
    };
    let table = run(folder).good();
    assert!(table.contains("humanoid42, 42 degrees of freedom, 20 states"), "{table}");

    // one wrong number, and nothing is timed
    let wrong = crate::support::scratch("the_reference_states", "humanoid42_states.json");
    let wrong_folder = wrong.parent().expect("a folder");
    let mut file = json(&std::fs::read_to_string(&states).expect("readable"));
    file["states"][7]["mj"]["qacc"][20] = 1e3.into();
    std::fs::write(&wrong, file.to_string()).expect("writable");
    std::fs::copy(folder.join("humanoid42.xml"), wrong_folder.join("humanoid42.xml")).expect("copied");
    let refused = run(wrong_folder);
    assert_eq!(refused.code, Some(1));
    assert!(refused.stderr.contains("states[7]: qacc differs"), "{}", refused.stderr);
}

#[test]
fn suites_and_the_file_of_quadratic_programs() {
    let run = |only: &str, qps: &str| {
        finish(command(&["bench", "--only", only, "--budget", "0.001"]).env("QPS", qps).output())
    };
    assert!(run("riccati", "not read").good().contains("riccati_backward_100"));
    assert!(run("qp", "/no/such/file").stderr.contains("QPS"));
    let Some(file) = shared("reference/wbc_qps.json") else { return };
    let table = run("qp", &file).good();
    assert!(table.contains("20 whole-body quadratic programs") && table.contains("qp_walk_hot"), "{table}");
}

/// The steps of any body that can fall.
#[test]
fn steps_of_a_users_body_are_timed() {
    let run = |model: &str| sinew(&["bench", "--only", "step_fallen", "--budget", "0.001", "--model", model]);
    assert!(run("child").good().contains("steps of 1 ms with child"));
    assert!(run("no/such.xml").refused().contains("no such file"));
    let file = crate::support::scratch("steps_of_a_body", "door.xml");
    let door = "<mujoco model='door'><worldbody><body><joint type='hinge'/><geom size='1'/></body></worldbody></mujoco>";
    std::fs::write(&file, door).expect("writable");
    assert!(run(&file.to_string_lossy()).refused().contains("the first joint of `door` must be free"));
}

#[test]
fn wrong_options_are_refused() {
    assert!(sinew(&["bench", "--only", "abba"]).refused().contains("aba"));
    assert!(sinew(&["bench", "--budget", "-1"]).code == Some(2));
    assert!(sinew(&["bench", "--budget", "nan"]).code == Some(2));
}
