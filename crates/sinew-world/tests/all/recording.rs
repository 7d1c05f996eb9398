//! Recordings: what is written comes back, exactly as the design lays it out, and what does not fit is refused.

use crate::honest::{box_model, flight, landing};
use sinew_dynamics::spatial::Vec3;
use sinew_dynamics::{BodyId, Change, Data, Model, Shape, characters, forward_kinematics};
use sinew_world::audit::Options;
use sinew_world::npz::{Dtype, Reader, Writer};
use sinew_world::recording::{Meta, Recorder, Recording, RecordingError, Setup, WorldRecorder};
use sinew_world::terrain::{Ground, Heightfield, Piece};
use sinew_world::{
    Actuation, Attachment, ContactForce, OutsideForce, Path, Platform, StepFrame, Terrain, World,
};
use std::io::Cursor;

fn names(list: &[&str]) -> Vec<String> {
    list.iter().map(|s| (*s).to_owned()).collect()
}

/// Three rows with everything that a row can hold.
fn rich() -> (Model, Vec<u8>) {
    let human = characters::load("human").expect("built in");
    let (things, objects) = (names(&["human", "ball"]), names(&["ball"]));
    let telemetry = names(&["phase", "cost"]);
    let meta = Meta {
        seed: u64::MAX,
        scenario: "a \"test\" – ü".into(),
        actor: "human".into(),
        provenance: [("controller".to_owned(), "none".to_owned())].into(),
        ..Meta::new(1e-3)
    };
    let setup =
        Setup { things: &things, objects: &objects, telemetry: &telemetry, ..Setup::new(&human, meta) };
    let mut recorder = Recorder::in_memory(setup).expect("a recorder");
    for k in 0..3 {
        let x = f64::from(k);
        let (q, v) = (vec![x; human.nq()], vec![-x; human.nv()]);
        let contact = |n: usize| ContactForce {
            body: n,
            other: [None, Some(1)][n],
            point: Vec3::new(x, 1.0, n as f64),
            force: Vec3::new(x, 2.0, n as f64),
            normal: Vec3::z(),
            distance: -x,
            friction: 0.5,
        };
        let contacts: Vec<_> = (0..k as usize).map(contact).collect();
        let outside = [OutsideForce { body: 3, point: Vec3::zeros(), force: Vec3::x() * x }];
        let outside = if k == 1 { &outside[..] } else { &[] };
        let frame =
            StepFrame { time: 1e-3 * x, q: &q, v: &v, tau: &v, constraint: &v, contacts: &contacts, outside };
        let pose = [x, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0];
        recorder.push(&frame, &[pose], &[10.0 * x, 0.1]).expect("a row");
    }
    (human, recorder.into_bytes().expect("written"))
}

#[test]
fn rows_come_back() {
    let (human, bytes) = rich();
    let run = Recording::from_bytes(bytes).expect("readable");
    assert_eq!((run.len(), run.time()), (3, &[0.0, 1e-3, 2e-3][..]));
    let info = run.info();
    assert_eq!((info.meta.seed, info.meta.scenario.as_str()), (u64::MAX, "a \"test\" – ü"));
    assert_eq!(
        (info.itself(), info.things.len(), info.object_names.as_slice()),
        (Some(0), 2, &names(&["ball"])[..])
    );
    let mut expected = human.spec().clone();
    expected.world_geoms.clear();
    expected.world_sites.clear();
    assert_eq!(*info.model.spec(), expected, "the body survives its MJCF");
    for (k, row) in run.rows().enumerate() {
        let x = k as f64;
        assert_eq!((row.step, row.frame.q[5], row.frame.v[5], row.frame.tau[0]), (k, x, -x, -x));
        assert_eq!(row.frame.contacts.len(), k);
        assert_eq!(row.frame.outside.len(), usize::from(k == 1));
        assert_eq!(row.objects, [[x, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]]);
        assert_eq!(row.telemetry, [10.0 * x, 0.1]);
    }
    let last = run.frame(2).contacts[1];
    assert_eq!((last.body, last.other, last.point), (1, Some(1), Vec3::new(2.0, 1.0, 1.0)));
    assert_eq!((last.force, last.distance, last.friction), (Vec3::new(2.0, 2.0, 1.0), -2.0, 0.5));
    assert_eq!(run.telemetry("phase").expect("a figure").collect::<Vec<_>>(), [0.0, 10.0, 20.0]);
    assert!(run.telemetry("phaze").is_none());
}

/// Names, kinds and shapes are those of the design, section 6.
#[test]
fn the_arrays_are_those_of_the_design() {
    let (human, bytes) = rich();
    let mut file = Reader::new(Cursor::new(bytes)).expect("an archive");
    let (nq, nv, nb) = (human.nq(), human.nv(), human.bodies().len());
    let (t, n, e) = (3, 3, 1);
    let expected: [(&str, Dtype, &[usize]); 22] = [
        ("time", Dtype::F64, &[t]),
        ("q", Dtype::F64, &[t, nq]),
        ("v", Dtype::F64, &[t, nv]),
        ("tau", Dtype::F64, &[t, nv]),
        ("constraint", Dtype::F64, &[t, nv]),
        ("body_names", Dtype::Text(11), &[nb + 2]),
        ("contact_offset", Dtype::I64, &[t + 1]),
        ("contact_body", Dtype::I32, &[n]),
        ("contact_other", Dtype::I32, &[n]),
        ("contact_point", Dtype::F64, &[n, 3]),
        ("contact_force", Dtype::F64, &[n, 3]),
        ("contact_normal", Dtype::F64, &[n, 3]),
        ("contact_distance", Dtype::F64, &[n]),
        ("contact_friction", Dtype::F64, &[n]),
        ("external_offset", Dtype::I64, &[t + 1]),
        ("external_body", Dtype::I32, &[e]),
        ("external_point", Dtype::F64, &[e, 3]),
        ("external_force", Dtype::F64, &[e, 3]),
        ("object_names", Dtype::Text(4), &[1]),
        ("object_pose", Dtype::F64, &[t, 1, 7]),
        ("telemetry_phase", Dtype::F64, &[t]),
        ("telemetry_cost", Dtype::F64, &[t]),
    ];
    for (name, dtype, shape) in expected {
        assert_eq!(file.shape(name), Some((dtype, shape)), "{name}");
    }
    assert_eq!(file.names().count(), expected.len() + 2, "and `model`, `meta`");
    assert_eq!(file.read::<i64>("contact_offset").expect("read").data, [0, 0, 1, 3]);
    // the ball is the second thing after the bodies
    assert_eq!(file.read::<i32>("contact_other").expect("read").data, [-1, -1, nb as i32 + 1]);
    let meta: serde_json::Value = serde_json::from_str(&file.text("meta").expect("text")).expect("JSON");
    for key in "format version seed scenario dt integrator contact_model friction attachments body_changes provenance"
        .split_whitespace()
    {
        assert!(meta.get(key).is_some(), "{key}");
    }
}

#[test]
fn a_row_that_does_not_fit_is_refused() {
    let human = characters::load("human").expect("built in");
    let mut recorder = Recorder::in_memory(Setup::new(&human, Meta::new(1e-3))).expect("a recorder");
    let (q, v) = (human.neutral(), vec![0.0; human.nv()]);
    let good = StepFrame { time: 0.0, q: &q, v: &v, tau: &v, constraint: &v, contacts: &[], outside: &[] };
    recorder.push(&good, &[], &[]).expect("it fits");
    let refused = |r: Result<(), RecordingError>| r.expect_err("refused").to_string();
    let said = refused(recorder.push(&StepFrame { v: &v[1..], ..good }, &[], &[]));
    assert_eq!(said, "step 1: v has 34 entries instead of 35");
    assert!(refused(recorder.push(&good, &[[0.0; 7]], &[])).contains("objects"));
    assert!(refused(recorder.push(&good, &[], &[1.0])).contains("telemetry"));
    let nowhere = [OutsideForce { body: 99, point: Vec3::zeros(), force: Vec3::zeros() }];
    assert!(refused(recorder.push(&StepFrame { outside: &nowhere, ..good }, &[], &[])).contains("body 99"));
    // what was refused left nothing behind
    let run = Recording::from_bytes(recorder.into_bytes().expect("written")).expect("readable");
    assert_eq!(run.len(), 1);
}

#[test]
fn every_row_has_the_body_of_its_time() {
    let run = flight();
    let mut recorder = Recorder::in_memory(Setup::new(&run.model, run.meta.clone())).expect("a recorder");
    let change = Change::AddPointMass { body: "head".into(), mass: 1.0, at: Vec3::zeros() };
    let heavier = Model::new(run.model.spec().changed(&[change]).expect("a change")).expect("a model");
    let row = &run.frames[0];
    assert!(recorder.change_body("too early", &heavier, &row.q, &row.v).is_err());
    recorder.push(&row.step(), &[], &[]).expect("a row");
    recorder.change_body("a hat", &heavier, &row.q, &row.v).expect("a change");
    recorder.change_body("and a scarf", &heavier, &row.q, &row.v).expect("the same moment");
    recorder.push(&run.frames[1].step(), &[], &[]).expect("a row");
    let read = Recording::from_bytes(recorder.into_bytes().expect("written")).expect("readable");
    let masses = [0, 1].map(|k| read.info().model_at(k).mass() - run.model.mass());
    assert!(masses[0].abs() < 1e-12 && (masses[1] - 1.0).abs() < 1e-12);
    assert_eq!(read.info().meta.body_changes[0].what, "a hat; and a scarf");
}

/// Rewrites a recording with one array replaced.
fn with(bytes: &[u8], name: &str, put: impl Fn(&mut Writer)) -> Result<Recording, RecordingError> {
    let mut from = Reader::new(Cursor::new(bytes)).expect("an archive");
    let mut to = Writer::in_memory();
    let all: Vec<(String, Dtype)> =
        from.names().map(|n| (n.to_owned(), from.shape(n).expect("it is there").0)).collect();
    put(&mut to);
    for (other, dtype) in all.iter().filter(|(n, _)| n != name) {
        let shape = from.shape(other).expect("it is there").1.to_vec();
        match dtype {
            Dtype::Text(_) if shape.is_empty() => to.text(other, &from.text(other).expect("text")),
            Dtype::Text(_) => to.texts(other, &from.texts(other).expect("texts")),
            Dtype::I32 => to.array(other, &shape, &from.read::<i32>(other).expect("read").data),
            Dtype::I64 => to.array(other, &shape, &from.read::<i64>(other).expect("read").data),
            _ => to.array(other, &shape, &from.read::<f64>(other).expect("read").data),
        }
        .expect("copied");
    }
    Recording::from_bytes(to.into_bytes().expect("written"))
}

#[test]
fn files_that_contradict_themselves_are_refused() {
    let (_, bytes) = rich();
    let refused = |name: &str, put: &dyn Fn(&mut Writer)| {
        with(&bytes, name, put).map(|_| ()).expect_err("refused").to_string()
    };
    assert!(with(&bytes, "", |_| {}).is_ok());
    let said = refused("q", &|w| w.array("q", &[3, 2], &[0.0; 6]).expect("added"));
    assert_eq!(said, "array `q`: has shape [3, 2] instead of [3, 43]");
    assert_eq!(refused("contact_friction", &|_| {}), "array `contact_friction`: is missing");
    for offsets in [[0, 0, 1, 4], [0, 2, 1, 3], [0, 0, -1, 3], [1, 1, 2, 3], [0, 0, 1, i64::MAX]] {
        refused("contact_offset", &|w| w.array("contact_offset", &[4], &offsets).expect("added"));
    }
    for bodies in [[-1, 0, 0], [0, 14, 0], [0, 0, i32::MAX]] {
        refused("contact_body", &|w| w.array("contact_body", &[3], &bodies).expect("added"));
    }
    for others in [[-2, -1, -1], [-1, 3, -1], [-1, -1, 99]] {
        refused("contact_other", &|w| w.array("contact_other", &[3], &others).expect("added"));
    }
    refused("body_names", &|w| w.texts("body_names", &["pelvis"]).expect("added"));
    assert!(refused("model", &|w| w.text("model", "<mujoco/>").expect("added")).contains("array `q`"));
    assert!(
        refused("model", &|w| w.text("model", "<mujoco>").expect("added")).contains("the recorded model")
    );
    for meta in ["", "{}", "[1]"] {
        assert!(refused("meta", &|w| w.text("meta", meta).expect("added")).starts_with("meta: "));
    }
    for (format, dt) in [(1, -1e-3), (1, 0.0), (2, 1e-3)] {
        let meta = serde_json::to_string(&Meta { format, ..Meta::new(dt) }).expect("JSON");
        assert!(refused("meta", &|w| w.text("meta", &meta).expect("added")).starts_with("meta: "));
    }
}

/// Memory does not grow with the length of a run, neither when it is written nor when it is read.
#[test]
fn a_long_run_takes_little_memory() {
    let path = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("long_run.npz");
    let run = landing(100);
    let row = run.frames.iter().max_by_key(|f| f.forces.contacts.len()).expect("a row");
    let written = allocation_counter::measure(|| {
        let mut recorder =
            Recorder::create(&path, Setup::new(&run.model, run.meta.clone())).expect("writable");
        for k in 0..10_000 {
            let frame = StepFrame { time: f64::from(k), ..row.step() };
            recorder.push(&frame, &[], &[]).expect("a row");
        }
        recorder.finish().expect("written");
    });
    assert!(written.bytes_max < 4 << 20, "{} bytes", written.bytes_max);
    assert!(std::fs::metadata(&path).expect("written").len() > 12 << 20);
    let mut rows = 0;
    let read = allocation_counter::measure(|| {
        let mut reader = sinew_world::recording::RecordingReader::open(&path).expect("readable");
        while reader.next_row().expect("a row").is_some() {
            rows += 1;
        }
    });
    assert!(rows == 10_000 && read.bytes_max < 4 << 20, "{} bytes", read.bytes_max);
    std::fs::remove_file(&path).expect("removed");
}

/// The world's own steps: objects with their poses, grips declared while they hold, and an audit that holds.
#[test]
fn a_world_is_recorded_with_its_objects_and_grips() {
    let human = characters::load("human").expect("built in");
    let arms = ["lower_arm_l", "lower_arm_r"].map(|n| human.body(n).expect("an arm"));
    let limp = [Actuation::none(human.nv())];
    let mut world = World::new(Terrain::flat());
    let me = world.add_character("me", human.into());
    // at the hand it would stand in the thigh: it touches nothing
    let mut ghost = box_model().spec().clone();
    ghost.bodies[0].geoms.iter_mut().for_each(|g| (g.contype, g.conaffinity) = (0, 0));
    let cube = world.add_object("cube", Model::new(ghost).expect("valid").into());
    world.actor_mut(me).q[2] += 1.0;
    // hangs by the left hand for a while, and holds a handle of the cube with the right one
    let hand = Vec3::new(0.0, 0.0, -0.34);
    let mut data = Data::new(world.actors()[me].model());
    forward_kinematics(world.actors()[me].model(), &mut data, &world.actors()[me].q);
    let at = |arm: usize| data.body_placement(world.actors()[me].model(), arms[arm]).act(&hand);
    let (left, right) = (at(0), at(1));
    world.actor_mut(cube).q[..3].copy_from_slice((right - Vec3::y() * 0.5).as_slice());
    let bar = Attachment { a: (me, arms[0]), point_a: hand, b: None, point_b: left, orientation: None };
    let grip = Attachment {
        a: (cube, BodyId(0)),
        point_a: Vec3::y() * 0.5,
        b: Some((me, arms[1])),
        point_b: hand,
        orientation: None,
    };
    let bar = world.attach(bar);
    world.attach(grip);
    let mut recorder =
        WorldRecorder::in_memory(&world, me, Meta::new(world.settings().dt), &[]).expect("a recorder");
    for k in 0..300 {
        if k == 200 {
            world.detach(bar);
        }
        let z = world.actors()[cube].q[2];
        world.step(&limp).expect("a step");
        recorder.push(&world, &[]).expect("a row");
        assert_eq!(world.frame(cube).q[2], z);
    }
    let run = Recording::from_bytes(recorder.into_bytes().expect("written")).expect("readable");
    let info = run.info();
    assert_eq!((info.things.as_slice(), info.itself()), (&names(&["me", "cube"])[..], Some(0)));
    assert_eq!(info.object_names, ["cube"]);
    assert!(info.meta.objects["cube"].contains("<mujoco"));
    let [held, carried] = info.meta.attachments.as_slice() else { panic!("{:?}", info.meta.attachments) };
    assert_eq!((held.kind.as_str(), held.body.as_str(), held.to.as_str()), ("grip", "lower_arm_l", "world"));
    assert!(held.until.is_some_and(|t| (t - 0.199).abs() < 1e-9), "{held:?}");
    assert_eq!((carried.body.as_str(), carried.to.as_str(), carried.until), ("lower_arm_r", "cube", None));
    // poses are those of the beginning of each step
    assert_eq!(run.row(0).objects[0][1..3], [right.y - 0.5, right.z]);
    let report = run.audit(&Options::default());
    assert!(report.holds, "{report}");
}

#[test]
fn a_world_is_recorded_with_its_looks() {
    let hill = Heightfield::from_fn([-1.0, 2.0], [0.5, 0.25], 5, 3, |x, y| x * y);
    let stairs = Ground::Stairs {
        start: Vec3::x(),
        heading: 0.0,
        width: 2.0,
        run: 0.3,
        rise: 0.1,
        steps: 2,
        landing: 0.0,
    };
    let pieces = [Ground::Plane { height: 0.0 }, stairs, Ground::Heightfield(hill.clone())];
    let pieces = pieces.map(|ground| Piece::new(ground, 1.0)).to_vec();
    let mut world = World::new(Terrain::new(pieces).expect("a terrain"));
    let me = world.add_character("human", characters::load("human").expect("built in").into());
    let half = Vec3::new(0.5, 0.4, 0.1);
    world.add_platform(Platform {
        name: "lift".into(),
        shape: Shape::Box { half },
        path: Path::Steady { position: Vec3::y() * 9.0, velocity: Vec3::z(), spin: Vec3::zeros() },
        friction: 1.0,
    });
    let meta = Meta::new(world.settings().dt);
    let mut recorder = WorldRecorder::in_memory(&world, me, meta, &[]).expect("a recorder");
    world.step(&[]).expect("a step");
    recorder.push(&world, &[]).expect("a row");
    let run = Recording::from_bytes(recorder.into_bytes().expect("bytes")).expect("a recording");
    let meta = &run.info().meta;

    let ground = meta.terrain.as_array().expect("a list of shapes");
    let kinds: Vec<_> = ground.iter().map(|s| s["kind"].as_str().unwrap_or_default()).collect();
    assert_eq!(kinds, ["plane", "box", "box", "heightfield"]);
    // the tops of the steps, and the middle of the hill
    let top = |s: &serde_json::Value| s["at"][2].as_f64().unwrap() + s["half"][2].as_f64().unwrap();
    assert!((top(&ground[1]) - 0.1).abs() < 1e-12 && (top(&ground[2]) - 0.2).abs() < 1e-12);
    assert_eq!(ground[3]["heights"], serde_json::json!(hill.heights));
    assert_eq!((ground[3]["at"][0].as_f64(), ground[3]["at"][1].as_f64()), (Some(0.0), Some(2.25)));
    assert_eq!(ground[3]["half"], serde_json::json!([1.0, 0.25]));

    let (lift, _) = Model::from_mjcf(&meta.objects["lift"]).expect("a model");
    assert_eq!(lift.bodies()[0].geoms[0].shape, Shape::Box { half });
    assert_eq!(run.row(0).objects[0][1], 9.0);
}
