//! Push thresholds, with small numbers.

use sinew_lab::push::Protocol;
use sinew_lab::{LabError, Scenario, Simulation, run};

fn small() -> Protocol {
    Protocol {
        directions_deg: vec![90.0],
        phases: 2,
        rung: 0.75,
        rungs: 3,
        warm_up: 0.5,
        survive: 1.5,
        ..Protocol::default()
    }
}

/// Played alone, the push of the threshold is survived and the next rung is not.
#[test]
fn a_threshold_lies_between_a_survived_push_and_a_failed_one() {
    let scenario = Scenario::default();
    let model = scenario.built_in().unwrap();
    let protocol = Protocol { phases: 1, rung: 0.8, rungs: 4, ..small() };
    let report = protocol.measure(&scenario, &model).unwrap();
    let threshold = &report.thresholds[0];
    assert!(threshold.per_mass > 0.0 && threshold.failures.len() == 1, "{threshold:?}");
    assert_eq!(report.runs as f64, (threshold.per_mass / protocol.rung).round() + 1.0);
    for (per_mass, fell) in [(threshold.per_mass, false), (threshold.per_mass + protocol.rung, true)] {
        let pushed = protocol.scenario(&scenario, threshold.failures[0].time, 90.0, per_mass);
        let outcome = run(&pushed, model.clone(), None).unwrap();
        assert_eq!(outcome.summary.fell, Some(fell), "{per_mass} N·s/kg");
    }
}

#[test]
fn a_ladder_can_end_before_a_failure_or_fail_at_its_first_rung() {
    let scenario = Scenario::default();
    let model = scenario.built_in().unwrap();
    let protocol = Protocol { rung: 0.1, rungs: 1, ..small() };
    let report = protocol.measure(&scenario, &model).unwrap();
    // the ladder ends before it falls: a lower bound
    assert_eq!((report.stride_s, report.runs), (None, 2));
    assert_eq!((report.thresholds[0].per_mass, report.thresholds[0].failures.len()), (0.1, 0));
    assert!((report.thresholds[0].impulse - 0.1 * report.mass_kg).abs() < 1e-12);

    let protocol = Protocol { rung: 3.0, ..small() };
    let report = protocol.measure(&scenario, &model).unwrap();
    let threshold = &report.thresholds[0];
    assert_eq!((threshold.per_mass, report.runs), (0.0, 2), "{threshold:?}");
    let failure = &threshold.failures[0];
    let failed = protocol.scenario(&scenario, failure.time, 90.0, 3.0);
    let outcome = run(&failed, model, None).unwrap();
    assert!(failure.reason.contains(&outcome.summary.fall_reason.unwrap()), "{failure:?}");
}

#[test]
fn a_stride_is_timed() {
    let scenario = Scenario::parse("[[command]]\nvelocity = [0.8, 0]", "walk.toml").unwrap();
    let protocol = Protocol { directions_deg: Vec::new(), warm_up: 2.0, ..small() };
    let report = protocol.measure(&scenario, &scenario.built_in().unwrap()).unwrap();
    assert_eq!(serde_json::to_value(&report).unwrap()["protocol"]["part"], "trunk");
    let stride = report.stride_s.unwrap();
    assert!((0.8..1.4).contains(&stride), "a stride of {stride} s");
}

#[test]
fn numbers_out_of_range_are_refused() {
    let scenario = Scenario::default();
    let model = scenario.built_in().unwrap();
    for (protocol, expected) in [
        (Protocol { phases: 0, ..small() }, "phases must be at least 1, not 0"),
        (Protocol { rungs: 0, ..small() }, "rungs must be at least 1, not 0"),
        (Protocol { pushes: 0, ..small() }, "pushes must be at least 1, not 0"),
        (Protocol { rung: 0.0, ..small() }, "rung must be above 0 and finite, not 0"),
        (Protocol { survive: -1.0, ..small() }, "survive must be above 0 and finite, not -1"),
        (Protocol { interval: f64::NAN, ..small() }, "interval must be above 0 and finite, not NaN"),
    ] {
        let wrong = protocol.measure(&scenario, &model).unwrap_err();
        assert!(matches!(wrong, LabError::Protocol { .. }));
        assert_eq!(wrong.to_string(), expected);
    }
}

#[test]
fn the_same_bits_with_one_and_two_threads() {
    let scenario = Scenario::default();
    let model = scenario.built_in().unwrap();
    let protocol = Protocol {
        directions_deg: vec![0.0, 90.0],
        rung: 0.15,
        rungs: 2,
        warm_up: 0.2,
        survive: 0.5,
        every_phase: true,
        ..small()
    };
    let measured = [1, 2].map(|threads| {
        sinew_solve::sweep::with_threads(threads, || protocol.measure(&scenario, &model).unwrap())
    });
    assert_eq!(measured[0], measured[1]);
    assert_eq!(measured[0].thresholds[0].by_phase.len(), 2);
}

#[test]
fn pushes_repeat_and_a_step_can_count_as_failure() {
    let scenario = Scenario::default();
    let model = scenario.built_in().unwrap();
    let strong = Protocol { rung: 0.7, rungs: 1, pushes: 2, interval: 1.5, phases: 1, ..small() };
    let played = strong.scenario(&scenario, 0.5, 90.0, 0.7);
    let times: Vec<f64> = played.pushes.iter().map(|push| push.time).collect();
    assert_eq!((times, played.seconds), (vec![0.5, 2.0], 3.7));
    let standing = Protocol { steps_allowed: false, pushes: 1, ..strong };
    let report = standing.measure(&scenario, &model).unwrap();
    let failure = &report.thresholds[0].failures[0];
    assert!(failure.reason.starts_with("took "), "{failure:?}");
    // from the push on: what comes before is played once for all
    assert!(report.broken.is_empty() && (report.simulated_s - 1.7).abs() < 1e-9, "{report:?}");
}

#[test]
fn a_branched_run_equals_the_run_from_the_beginning() {
    let base = Scenario::parse("seconds = 1\n[[command]]\nvelocity = [0.8, 0]", "walk.toml").unwrap();
    let model = base.built_in().unwrap();
    let pushed = small().scenario(&base, 1.0, 45.0, 0.5);
    let play = |mut simulation: Simulation| {
        while !simulation.ended() {
            simulation.step().unwrap();
        }
        (simulation.q().to_vec(), simulation.v().to_vec(), simulation.metrics().summary())
    };
    let whole = play(Simulation::new(pushed.clone(), model.clone()).unwrap());
    let mut walk_in = Simulation::new(base, model).unwrap();
    while !walk_in.ended() {
        walk_in.step().unwrap();
    }
    let branch = play(walk_in.with_pushes(pushed.pushes, pushed.seconds).unwrap());
    assert_eq!(whole, branch);
}
