//! The example of a controller of one's own, with sliders.

use serde_json::Value;
use sinew::control::Registry;
use sinew_studio::session::{Outgoing, Session};
use std::sync::Arc;

#[allow(dead_code, unreachable_pub, reason = "an example is a program of its own")]
#[path = "../../../sinew-control/examples/own_controller.rs"]
mod example;

#[test]
fn it_is_chosen_and_its_sliders_move_its_hand() {
    let mut session = Session::with_registry(Arc::new(Registry::built_in().with(&example::DRAWER)));
    session.greet("token", false);
    let texts = session.outbox().filter_map(|out| match out {
        Outgoing::Text(text) => serde_json::from_str::<Value>(&text).ok(),
        Outgoing::Binary(_) => None,
    });
    let hello = texts.into_iter().find(|m| m["type"] == "hello").expect("a first message");
    let systems = hello["systems"].as_array().expect("a list of systems");
    let drawer = systems.iter().find(|s| s["name"] == "drawer").expect("it can be chosen");
    let radius = &drawer["groups"][0]["params"][0];
    assert!(radius["name"] == "radius" && radius["kind"] == "number" && radius["main"] == true, "{radius}");
    assert!(radius["min"] == 0.0 && radius["max"] == 0.3 && radius["default"] == 0.15, "{radius}");
    // how far the hand goes up and down, with the circle that its slider says
    session.handle(r#"{"type":"setup","setup":{"lanes":[{"controller":"drawer"}]}}"#);
    let mut span = |radius: f64| {
        let values = format!(r#"{{"drawing.radius":{radius},"drawing.speed":6}}"#);
        let setup = format!(r#"{{"controller":"drawer","values":{values}}}"#);
        session.handle(&format!(r#"{{"type":"change","lane":0,"setup":{setup}}}"#));
        session.run(1.5);
        let mut ends = [f64::INFINITY, f64::NEG_INFINITY];
        for _ in 0..30 {
            session.run(0.05);
            let actor = &session.lanes()[0].world().actors()[0];
            let hand =
                actor.model().role(sinew::dynamics::Role::LowerArm(sinew::dynamics::Side::Left)).unwrap();
            let height = actor.data().body_placement(actor.model(), hand).pos.z;
            ends = [ends[0].min(height), ends[1].max(height)];
        }
        ends[1] - ends[0]
    };
    let (still, wide) = (span(0.0), span(0.2));
    assert!(wide > still + 0.1, "{still} m, then {wide} m");
    assert!(session.lanes()[0].fall().is_none());
}
