//! Search for gains: it goes on where it was stopped, gives the same for any number of threads, and says what it cannot search.

use sinew_control::Registry;
use sinew_lab::Scenario;
use sinew_lab::scenario::ControllerPlan;
use sinew_lab::tune::{Plan, Record, tune};
use sinew_solve::sweep;

fn plan(system: &str) -> Plan {
    let controller = ControllerPlan::new(Registry::built_in().get(system).expect("a system"));
    let scenario =
        Scenario { character: "human42".to_owned(), controller, seconds: 0.5, ..Scenario::default() };
    Plan { trials: 28, runs: 1, held_back: 2, ..Plan::new(scenario) }
}

#[test]
fn an_interrupted_search_can_be_resumed() {
    let (plan, mut whole) = (plan("data-driven"), Record::default());
    let model = plan.scenario.built_in().expect("a body");
    let found = tune(&plan, &model, &mut whole, &mut |_, _| true).expect("a search");
    assert_eq!((found.trials, whole.scores.len()), (28, 28));

    let mut stopped = Record::default();
    let half = tune(&plan, &model, &mut stopped, &mut |_, _| false).expect("a search");
    assert_eq!((half.trials, stopped.scores.len()), (14, 14));
    assert_eq!(stopped.scores, whole.scores[..14]);
    let resumed = sweep::with_threads(1, || tune(&plan, &model, &mut stopped, &mut |_, _| true));
    let resumed = resumed.expect("a search");
    assert_eq!((&resumed.gains, &stopped), (&found.gains, &whole));
    assert_eq!(resumed.scores, found.scores);

    // what comes out is a scenario that reads back
    let text = found.scenario.to_toml();
    assert_eq!(
        Scenario::parse(&text, "tuned.toml").expect("a scenario").controller,
        found.scenario.controller
    );
}

#[test]
fn a_missing_group_of_gains_is_an_error() {
    let plan = plan("walker");
    let model = plan.scenario.built_in().expect("a body");
    let error = tune(&plan, &model, &mut Record::default(), &mut |_, _| true).expect_err("no such group");
    assert!(error.to_string().contains("has no group `gains` of numbers to tune"), "{error}");
}
