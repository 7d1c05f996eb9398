//! A session controlled by messages, checked by the simulation's own numbers.

use sinew::control::features::WALKER;
use sinew_studio::session::{Outgoing, Session};
use std::time::Duration;

fn com(session: &Session) -> [f64; 3] {
    let q = &session.lanes()[0].world().actors()[0].q;
    [q[0], q[1], q[2]]
}

/// Text messages of a kind that wait to be sent.
fn messages(session: &mut Session, kind: &str) -> Vec<serde_json::Value> {
    let texts = session.outbox().filter_map(|o| match o {
        Outgoing::Text(text) => serde_json::from_str::<serde_json::Value>(&text).ok(),
        Outgoing::Binary(_) => None,
    });
    texts.filter(|m| m["type"] == kind).collect()
}

/// Waits for a file.
fn file(session: &mut Session) -> (String, Vec<u8>) {
    for _ in 0..2400 {
        session.advance(0.0, Duration::ZERO);
        for out in session.outbox() {
            match out {
                Outgoing::Binary(bytes) if bytes[0] == 2 => {
                    let length = usize::from(u16::from_le_bytes([bytes[1], bytes[2]]));
                    let name = String::from_utf8_lossy(&bytes[3..3 + length]).into_owned();
                    return (name, bytes[3 + length..].to_vec());
                }
                Outgoing::Text(text) if text.contains("\"problem\"") => panic!("{text}"),
                _ => {}
            }
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    panic!("no file came");
}

#[test]
fn it_walks_when_the_page_opens() {
    let mut session = Session::new();
    session.run(5.0);
    let [x, _, z] = com(&session);
    assert!(x > 2.5 && z > 0.8, "{x} {z}");
    assert!(session.lanes()[0].fall().is_none());
}

#[test]
fn steering_turns_it() {
    let mut session = Session::new();
    session.run(1.0);
    session.handle(r#"{"type":"steer","forward":0.8,"left":0,"turn":1.0}"#);
    session.run(1.5);
    session.handle(r#"{"type":"steer","forward":0.8,"left":0,"turn":0}"#);
    session.run(3.0);
    let before = com(&session);
    session.run(2.0);
    let after = com(&session);
    let heading = (after[1] - before[1]).atan2(after[0] - before[0]);
    assert!((0.8..2.2).contains(&heading), "{heading}");
    assert!(session.lanes()[0].fall().is_none());
}

#[test]
fn a_push_has_the_requested_and_reported_impulse() {
    let mut session = Session::new();
    // weightless and limp: nothing but the push changes the momentum
    session.handle(r#"{"type":"setup","setup":{"lanes":[{"controller":"limp","body":{"gravity":0}}]}}"#);
    // off the ground, without contacts
    session.handle(r#"{"type":"push","impulse":[0,0,80],"seconds":0.2}"#);
    session.run(1.5);
    let momentum = |session: &Session| {
        let actor = &session.lanes()[0].world().actors()[0];
        let model = actor.model();
        sinew::dynamics::momentum(model, &mut sinew::dynamics::Data::new(model), &actor.q, &actor.v).linear
    };
    let before = momentum(&session);
    session.handle(r#"{"type":"push","impulse":[12,-7,5],"seconds":0.2}"#);
    session.run(0.5);
    let gained = momentum(&session) - before;
    let reported = session.lanes()[0].meter().impulse;
    for (k, wanted) in [12.0, -7.0, 5.0].into_iter().enumerate() {
        // limbs swing meanwhile, and steps of first order keep their momentum to about dt
        assert!((gained[k] - wanted).abs() < 0.02, "{gained}");
        assert!((reported[k] - wanted).abs() < 1e-9, "{reported}");
    }
}

#[test]
fn legs_grow_while_it_walks() {
    let mut session = Session::new();
    session.run(2.0);
    let leg = |s: &Session| s.lanes()[0].world().actors()[0].model().height();
    let before = leg(&session);
    session.handle(r#"{"type":"change","lane":0,"setup":{"body":{"legs":1.2}}}"#);
    session.run(8.0);
    assert!(leg(&session) > 1.08 * before);
    assert!(session.lanes()[0].fall().is_none(), "{:?}", session.lanes()[0].fall());
    let x = com(&session)[0];
    session.run(3.0);
    assert!(com(&session)[0] > x + 1.5);
}

#[test]
fn rewinding_gives_the_same_bits() {
    let mut session = Session::new();
    session.run(1.0);
    session.handle(r#"{"type":"push","impulse":[0,20,0],"seconds":0.2}"#);
    session.run(0.613);
    let mut seen = vec![(session.time(), session.fingerprint())];
    session.handle(r#"{"type":"throw","from":[3,-2,1.2],"velocity":[-1,5,2],"mass":2,"half":0.1}"#);
    session.handle(r#"{"type":"change","lane":0,"setup":{"style":"proud","body":{"legs":1.1}}}"#);
    for _ in 0..13 {
        session.run(0.731);
        seen.push((session.time(), session.fingerprint()));
    }
    for (time, print) in seen.iter().rev().skip(1).chain(seen.iter()) {
        session.handle(&format!(r#"{{"type":"seek","time":{time}}}"#));
        assert_eq!((session.time(), session.fingerprint()), (*time, *print));
    }
    // and from there on another future
    session.handle(&format!(r#"{{"type":"seek","time":{}}}"#, seen[2].0));
    session.handle(r#"{"type":"play"}"#);
    session.run(0.731);
    assert_eq!(session.fingerprint(), seen[3].1);
}

#[test]
fn downloads_are_what_happened() {
    let mut session = Session::new();
    session.run(1.5);
    session.handle(r#"{"type":"push","impulse":[0,15,0],"seconds":0.2}"#);
    session.run(1.5);
    session.handle(r#"{"type":"download","format":"npz","seconds":2}"#);
    let (name, bytes) = file(&mut session);
    assert_eq!(name, "sinew.npz");
    let run = sinew::world::recording::Recording::from_bytes(bytes).expect("a recording");
    assert!(run.audit(&Default::default()).holds);
    assert_eq!(run.len(), 2000);
    let last = run.frame(run.len() - 1);
    assert!((last.time + 0.001 - session.time()).abs() < 1e-9);
    let pushed: f64 =
        (0..run.len()).flat_map(|k| run.frame(k).outside.iter().map(|o| o.force.y * 1e-3)).sum();
    assert!((pushed - 15.0).abs() < 1e-9, "{pushed}");
    session.handle(r#"{"type":"download","format":"bvh","seconds":1}"#);
    let (_, bvh) = file(&mut session);
    let read = sinew::motion::bvh::parse(&bvh, "sinew.bvh", &Default::default()).expect("a motion");
    assert!(read.take.poses.len() >= 60);
    session.handle(r#"{"type":"download","format":"glb","seconds":1}"#);
    assert_eq!(&file(&mut session).1[..4], b"glTF");
    if sinew_studio::pages::viewer().is_err() {
        return println!("skipped: this build has no pages");
    }
    session.handle(r#"{"type":"download","format":"html","seconds":1}"#);
    let (name, page) = file(&mut session);
    assert!(name == "sinew.html" && String::from_utf8_lossy(&page).contains("data-storage=\"deflated\""));
}

#[test]
fn from_a_walk_it_comes_to_stand_and_squats() {
    let mut session = Session::new();
    session.run(3.0);
    session.handle(r#"{"type":"change","lane":0,"setup":{"controller":"balancer"}}"#);
    session.run(4.0);
    // from one squat to the next
    let [x, ..] = com(&session);
    let heights: Vec<f64> = (0..25)
        .map(|_| {
            session.run(0.1);
            com(&session)[2]
        })
        .collect();
    let [low, high] = [f64::min, f64::max].map(|pick| heights.iter().copied().reduce(pick).unwrap_or(0.0));
    assert!(session.lanes()[0].fall().is_none(), "{:?}", session.lanes()[0].fall());
    let gone = (com(&session)[0] - x).abs();
    assert!(gone < 0.02 && high - low > 0.1, "{low} to {high} m, gone by {gone} m");
    // then it continues in the commanded direction
    session.handle(r#"{"type":"change","lane":0,"setup":{"controller":"walker"}}"#);
    session.run(5.0);
    assert!(session.lanes()[0].fall().is_none() && com(&session)[0] > x + 1.5);
    session.handle(r#"{"type":"change","lane":0,"setup":{"values":{"squat":0.1}}}"#);
    assert!(
        messages(&mut session, "notice")
            .iter()
            .any(|n| n["text"].as_str().is_some_and(|t| t.contains("squat")))
    );
}

#[test]
fn every_kind_of_jump_lands() {
    for jump in [
        r#""height":0.3,"forward":0,"twist":0"#,
        r#""height":0.3,"forward":0.4,"twist":0"#,
        r#""height":0.3,"forward":0,"twist":180"#,
        r#""height":0.3,"forward":0,"twist":0,"legs":"scissor""#,
        r#""height":0.3,"forward":0,"twist":0,"legs":"split""#,
    ] {
        let mut session = Session::new();
        session.run(2.0);
        // as the page does it in the middle of a walk
        session.handle(r#"{"type":"change","lane":0,"setup":{"controller":"jumper"}}"#);
        session.handle(r#"{"type":"steer","forward":0,"left":0,"turn":0}"#);
        session.handle(&format!(r#"{{"type":"ask","name":"jump","values":{{{jump}}}}}"#));
        let mut highest: f64 = 0.0;
        for _ in 0..300 {
            session.run(0.02);
            highest = highest.max(com(&session)[2]);
        }
        assert!(highest > 1.08, "{jump}: {highest} m");
        assert!(session.lanes()[0].fall().is_none(), "{jump}: {:?}", session.lanes()[0].fall());
    }
}

#[test]
fn a_jump_may_be_asked_for_at_any_moment_of_a_stride() {
    for moment in 2..12 {
        let mut session = Session::new();
        session.run(3.0 + 0.1 * f64::from(moment));
        session.handle(r#"{"type":"change","lane":0,"setup":{"controller":"jumper"}}"#);
        session.handle(r#"{"type":"steer","forward":0,"left":0,"turn":0}"#);
        session.handle(r#"{"type":"ask","name":"jump","values":{"height":0.3,"legs":"split"}}"#);
        let mut highest: f64 = 0.0;
        for _ in 0..250 {
            session.run(0.02);
            highest = highest.max(com(&session)[2]);
        }
        assert!(session.lanes()[0].fall().is_none(), "{moment}: {:?}", session.lanes()[0].fall());
        assert!(highest > 1.08, "{moment}: {highest} m");
    }
}

#[test]
fn controllers_switch_and_jump() {
    let mut session = Session::new();
    session.handle(r#"{"type":"steer","forward":0,"left":0,"turn":0}"#);
    session.run(2.0);
    session.handle(r#"{"type":"change","lane":0,"setup":{"controller":"jumper"}}"#);
    session.run(2.0);
    session.handle(r#"{"type":"ask","name":"jump","values":{"height":0.2}}"#);
    let standing = com(&session)[2];
    let mut highest: f64 = 0.0;
    for _ in 0..100 {
        session.run(0.02);
        highest = highest.max(com(&session)[2]);
    }
    assert!(highest > standing + 0.08, "{highest} {standing}");
    session.handle(r#"{"type":"change","lane":0,"setup":{"controller":"limp"}}"#);
    session.run(2.0);
    assert!(com(&session)[2] < 0.6);
}

#[test]
fn a_strong_push_makes_it_fall_and_it_says_why() {
    let mut session = Session::new();
    session.run(2.0);
    session.outbox();
    session.handle(r#"{"type":"push","impulse":[0,260,0],"seconds":0.2}"#);
    session.run(3.0);
    let fell = messages(&mut session, "fell");
    assert_eq!(fell.len(), 1);
    let why = fell[0]["why"].as_str().unwrap_or_default();
    assert!(
        fell[0]["kind"] == "capture" && why.starts_with("The capture point left the support"),
        "{fell:?}"
    );
    session.handle(r#"{"type":"reset"}"#);
    session.run(2.0);
    assert!(session.lanes()[0].fall().is_none() && com(&session)[2] > 0.8);
}

#[test]
fn too_weak_legs_give_way_at_their_limits_and_on_ice_a_foot_slips() {
    let weak = r#"{"lanes":[{"body":{"strength":0.2,"load":40}}]}"#;
    let ice = r#"{"terrain":{"kind":"uphill","difficulty":0.6},"lanes":[{"body":{"friction":0.05}}]}"#;
    for (setup, speed, seconds, kind) in [(weak, 0.8, 10.0, "torque"), (ice, 0.8, 15.0, "slip")] {
        let mut session = Session::new();
        session.handle(&format!(r#"{{"type":"setup","setup":{setup}}}"#));
        session.handle(&format!(r#"{{"type":"steer","forward":{speed},"left":0,"turn":0}}"#));
        session.run(seconds);
        let fall = session.lanes()[0].fall();
        assert!(fall.is_some_and(|(_, why)| why.kind == kind), "{fall:?}");
    }
}

#[test]
fn two_side_by_side_feel_the_same_push() {
    let mut session = Session::new();
    session.handle(r#"{"type":"setup","setup":{"lanes":[{},{"style":"proud"}]}}"#);
    session.run(1.0);
    session.handle(r#"{"type":"drag","lane":0,"body":3,"point":[0,0,0],"target":[2,1,1.2]}"#);
    session.run(0.3);
    session.handle(r#"{"type":"release"}"#);
    session.run(0.1);
    let [a, b] = [0, 1].map(|i| session.lanes()[i].meter().impulse);
    assert!(a.norm() > 1.0 && (a - b).norm() < 1e-9, "{a} {b}");
    // the same set-up in both lanes does the same to the bit
    session.handle(r#"{"type":"setup","setup":{"lanes":[{},{}]}}"#);
    session.handle(r#"{"type":"push","impulse":[0,20,0],"seconds":0.2}"#);
    session.run(1.0);
    let [a, b] = [0, 1].map(|i| session.lanes()[i].world().actors()[0].q.clone());
    assert_eq!(a, b);
}

/// Checks that a set-up walks without a fall for some seconds, over at least a distance, m.
#[track_caller]
fn walks(setup: &str, seconds: f64, least: f64) {
    let mut session = Session::new();
    session.handle(&format!(r#"{{"type":"setup","setup":{setup}}}"#));
    session.run(seconds);
    assert!(session.lanes()[0].fall().is_none(), "{setup}: {:?}", session.lanes()[0].fall());
    assert!(com(&session)[0] > least, "{setup}: {:?}", com(&session));
}

#[test]
fn every_style_walks() {
    for style in WALKER.styles.iter().map(|s| s.name) {
        walks(&format!(r#"{{"lanes":[{{"style":"{style}"}}]}}"#), 12.0, 5.0);
    }
}

#[test]
fn the_first_choice_of_every_ground_is_walked_on() {
    for kind in sinew_studio::session::setup::TERRAINS.map(|t| t.kind.name()) {
        walks(&format!(r#"{{"terrain":{{"kind":"{kind}"}}}}"#), 20.0, 12.0);
    }
}

/// A file as the page sends it.
fn dropped(name: &str, content: &[u8]) -> Vec<u8> {
    let mut bytes = vec![1];
    bytes.extend((name.len() as u16).to_le_bytes());
    bytes.extend(name.as_bytes());
    bytes.extend(content);
    bytes
}

/// Waits for a ghost: its message, and seven numbers (position, quaternion) per body and frame.
fn ghost(session: &mut Session) -> (serde_json::Value, Vec<Vec<[f32; 7]>>) {
    let mut poses = None;
    for _ in 0..400 {
        session.advance(0.0, Duration::ZERO);
        for out in session.outbox() {
            match out {
                Outgoing::Binary(bytes) if bytes[0] == 3 => poses = Some(bytes),
                Outgoing::Text(text) if text.contains("\"type\":\"ghost\"") => {
                    let bytes = poses.expect("poses come before their message");
                    let bodies = usize::from(u16::from_le_bytes([bytes[1], bytes[2]]));
                    let numbers: Vec<f32> = bytes[3..]
                        .chunks_exact(4)
                        .map(|b| f32::from_le_bytes(b.try_into().expect("four bytes")))
                        .collect();
                    let body = |b: &[f32]| b.try_into().expect("seven numbers");
                    let frame = |f: &[f32]| f.chunks_exact(7).map(body).collect();
                    let frames = numbers.chunks_exact(7 * bodies).map(frame).collect();
                    return (serde_json::from_str(&text).expect("JSON"), frames);
                }
                Outgoing::Text(text) => assert!(!text.contains("\"problem\""), "{text}"),
                Outgoing::Binary(_) => {}
            }
        }
        std::thread::sleep(Duration::from_millis(25));
    }
    panic!("no ghost within ten seconds");
}

/// The poses are those of the motion on this body, frame by frame.
#[test]
fn a_built_in_motion_becomes_a_ghost() {
    let mut session = Session::new();
    session.handle(r#"{"type":"ghost","name":"walk"}"#);
    let (message, frames) = ghost(&mut session);
    assert_eq!(message["name"], "walk");
    let model = std::sync::Arc::new(sinew::dynamics::characters::load("human").expect("built in"));
    assert_eq!(message["bodies"].as_array().map(Vec::len), Some(model.bodies().len()));
    let rate = message["rate"].as_f64().expect("a rate");
    let clip = sinew::motion::motions::load("walk", &model).expect("a motion").resampled(rate);
    assert_eq!(frames.len(), clip.len());
    let mut data = sinew::dynamics::Data::new(&model);
    for (q, frame) in clip.frames().zip(&frames) {
        sinew::dynamics::forward_kinematics(&model, &mut data, q);
        for (b, shown) in frame.iter().enumerate() {
            let at = data.body_placement(&model, sinew::dynamics::BodyId(b)).pos;
            let off = (0..3).map(|k| (f64::from(shown[k]) - at[k]).abs()).fold(0.0, f64::max);
            assert!(off < 1e-5, "{} is off by {off} m", model.bodies()[b].name);
        }
    }
    let travelled = frames[frames.len() - 1][0][0] - frames[0][0][0];
    assert!(travelled > 0.5, "the walk covers {travelled} m");
    session.handle(r#"{"type":"ghost"}"#);
    assert_eq!(messages(&mut session, "ghost")[0]["name"], serde_json::Value::Null);
}

/// A download of a run, dropped on the page, walks as the run did.
#[test]
fn a_bvh_file_becomes_a_ghost() {
    let mut session = Session::new();
    session.run(4.0);
    session.handle(r#"{"type":"download","format":"bvh","seconds":2}"#);
    let (_, bvh) = file(&mut session);
    session.handle_file(&dropped("walk.bvh", &bvh));
    let (message, frames) = ghost(&mut session);
    assert_eq!(message["name"], "walk.bvh");
    let seconds = frames.len() as f64 / message["rate"].as_f64().expect("a rate");
    assert!((seconds - 2.0).abs() < 0.1, "{seconds} s");
    let travelled = frames[frames.len() - 1][0][0] - frames[0][0][0];
    assert!((1.3..1.9).contains(&travelled), "{travelled} m at 0.8 m/s in two seconds");
    let heights = frames.iter().map(|frame| frame[0][2]);
    assert!(heights.clone().all(|z| (0.8..1.1).contains(&z)), "{:?}", heights.collect::<Vec<_>>());
}

#[test]
fn broken_files_are_refused_with_a_remedy() {
    let mut session = Session::new();
    for (name, content, expected) in [
        ("robot.xml", &b"<mujoco><nonsense/></mujoco>"[..], "nonsense"),
        ("walk.toml", b"carachter = 1", "did you mean `character`?"),
        ("photo.jpg", b"\xff\xd8", "MJCF"),
    ] {
        session.outbox();
        session.handle_file(&dropped(name, content));
        let notices = messages(&mut session, "notice");
        let text = notices[0]["text"].as_str().unwrap_or_default().to_owned();
        assert!(notices.len() == 1 && notices[0]["level"] == "problem", "{notices:?}");
        assert!(text.contains(name) && text.contains(expected), "{text}");
        assert_eq!(session.lanes()[0].scenario.character, "human", "{name} changes nothing");
    }
}

#[test]
fn a_model_file_becomes_the_character() {
    let mut session = Session::new();
    let child = sinew::dynamics::characters::text("child").expect("built in");
    session.handle_file(&dropped("mine.xml", child.as_bytes()));
    assert_eq!(session.lanes()[0].scenario.character, "mine.xml");
    let mass = session.lanes()[0].world().actors()[0].model().mass();
    let expected = sinew::dynamics::characters::load("child").expect("built in").mass();
    assert!((mass - expected).abs() < 1e-9, "{mass} kg instead of {expected} kg");
    session.run(3.0);
    assert!(com(&session)[0] > 0.5 && session.lanes()[0].fall().is_none(), "{:?}", com(&session));
}

#[test]
fn the_scenario_of_a_set_up_is_one_that_can_be_read() {
    let mut session = Session::new();
    for terrain in sinew_studio::session::setup::TERRAINS.map(|t| t.kind.name()) {
        session.handle(&format!(
            r#"{{"type":"setup","setup":{{"terrain":{{"kind":"{terrain}"}},"lanes":[{{"character":"child","style":"proud"}}]}}}}"#
        ));
        session.outbox();
        session.handle(r#"{"type":"scenario"}"#);
        let text = messages(&mut session, "scenario")[0]["text"].as_str().expect("text").to_owned();
        let scenario = sinew::lab::Scenario::parse(&text, "studio.toml").expect("a scenario");
        assert_eq!(scenario.character, "child");
        assert_eq!(scenario.command_at(0.0).velocity, [0.8, 0.0]);
    }
}

#[test]
fn a_balancer_goes_to_a_scenario_and_comes_back() {
    let mut session = Session::new();
    session.handle(
        r#"{"type":"setup","setup":{"lanes":[{"controller":"balancer","values":{"squat_depth":0.25}}]}}"#,
    );
    session.outbox();
    session.handle(r#"{"type":"scenario"}"#);
    let text = messages(&mut session, "scenario")[0]["text"].as_str().expect("text").to_owned();
    session.handle(r#"{"type":"setup","setup":{"lanes":[{}]}}"#);
    session.handle_file(&dropped("a.toml", text.as_bytes()));
    let plan = &session.lanes()[0].scenario.controller;
    assert_eq!((plan.system.name, plan.values.get("stance.squat_depth")), ("balancer", Some(&0.25.into())));
}

#[test]
fn a_body_that_cannot_walk_becomes_a_ragdoll() {
    let mut session = Session::new();
    session.handle(r#"{"type":"setup","setup":{"lanes":[{"character":"acrobot"}]}}"#);
    let notices = messages(&mut session, "notice");
    assert!(notices[0]["text"].as_str().is_some_and(|t| t.contains("ragdoll")), "{notices:?}");
    assert_eq!(session.lanes()[0].scenario.controller.system.name, "limp");
    session.run(0.5);
}

#[test]
#[ignore = "takes a minute or two: cargo test --release -p sinew-studio -- --ignored --nocapture --test-threads 1"]
fn memory_stays_flat_over_a_quarter_of_an_hour_of_walking() {
    let resident = || {
        let text = std::fs::read_to_string("/proc/self/statm").expect("Linux");
        text.split(' ').nth(1).and_then(|n| n.parse::<f64>().ok()).expect("pages") * 4096e-6
    };
    let mut session = Session::new();
    let mut frame = Vec::new();
    let mut after = 0.0;
    for minute in 0..15 {
        for _ in 0..60 {
            session.run(1.0);
            session.frame(&mut frame);
            session.outbox();
        }
        if minute == 1 {
            after = resident();
        }
        println!("{} min: {:.0} MB, fell: {:?}", minute + 1, resident(), session.lanes()[0].fall());
    }
    assert!(resident() < after + 5.0, "{after} MB, then {} MB", resident());
}

#[test]
fn a_future_that_branched_off_can_be_downloaded() {
    let mut session = Session::new();
    session.run(1.0);
    session.handle(r#"{"type":"push","impulse":[0,15,0],"seconds":0.2}"#);
    session.run(2.5);
    session.handle(r#"{"type":"seek","time":2.013}"#);
    session.handle(r#"{"type":"play"}"#);
    session.run(0.7);
    session.handle(r#"{"type":"step","steps":1}"#);
    session.handle(r#"{"type":"play"}"#);
    session.run(1.0);
    for format in ["npz", "bvh", "npz"] {
        session.handle(&format!(r#"{{"type":"download","format":"{format}","seconds":1}}"#));
        assert!(file(&mut session).1.len() > 1000);
        session.run(1.0);
    }
}

#[test]
fn a_file_that_could_not_be_sent_waits_for_the_page() {
    let mut session = Session::new();
    session.keep([Outgoing::Binary(vec![2, 1, 0, b'a', 7]), Outgoing::Text("old".into())]);
    session.greet("token", true);
    let sent: Vec<Outgoing> = session.outbox().collect();
    assert!(matches!(&sent[0], Outgoing::Text(hello) if hello.contains("\"hello\"")));
    assert!(sent.contains(&Outgoing::Binary(vec![2, 1, 0, b'a', 7])));
    assert!(!sent.contains(&Outgoing::Text("old".into())));
}
