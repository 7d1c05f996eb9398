//! The example of a controller of one's own, in an episode and in a scenario.

use sinew_control::{Action, Episode, Registry, Value};
use sinew_dynamics::characters;
use sinew_lab::{Scenario, run};

#[allow(dead_code, unreachable_pub, reason = "an example is a program of its own")]
#[path = "../../../sinew-control/examples/own_controller.rs"]
mod example;

const SOURCE: &str = include_str!("../../../sinew-control/examples/own_controller.rs");

#[test]
fn it_is_short_and_runs_in_an_episode() {
    assert!(SOURCE.lines().count() < 100, "{} lines", SOURCE.lines().count());
    let mut episode = Episode::on_flat_ground(&example::DRAWER, characters::load("human").unwrap()).unwrap();
    episode.perform(&Action::Set("radius".into(), Value::Number(0.2))).unwrap();
    episode.run(3.0).unwrap();
    assert_eq!(episode.metrics().fall(), None);
    let decisions = episode.decisions();
    assert_eq!(
        (decisions.all, decisions.partial, decisions.fallbacks),
        (3000, 0, 0),
        "every decision is as designed"
    );
    assert_eq!(episode.order().value("drawing.radius"), Some(Value::Number(0.2)));
}

#[test]
fn it_runs_in_a_scenario() {
    let registry = Registry::built_in().with(&example::DRAWER);
    let text = "seconds = 2\ncontroller = { system = \"drawer\", radius = 0.1 }";
    let scenario = Scenario::parse_with(text, "draw.toml", &registry).unwrap();
    let outcome = run(&scenario, scenario.built_in().unwrap(), None).unwrap();
    assert_eq!(outcome.summary.fell, Some(false));
    // its parameters are checked as those of any other
    let wrong = Scenario::parse_with(&text.replace("0.1", "0.4"), "draw.toml", &registry).unwrap_err();
    assert!(wrong.to_string().contains("`radius` must be a number from 0 to 0.3"), "{wrong}");
    // the built-in registry does not have it
    assert!(Scenario::parse(text, "draw.toml").unwrap_err().to_string().contains("drawer"));
}
