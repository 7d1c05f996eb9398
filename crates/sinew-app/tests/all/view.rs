//! `sinew export RUN.npz --to RUN.html` and `sinew sheet`: the page holds the motion and the forces of the recording.
//!
//! The page itself is tested in a browser (`cargo xtask test --only browser`); here its data is read back.

use crate::support::{command, finish, json, scratch, sinew, written};
use serde_json::{Value, json};
use sinew::dynamics::spatial::{Inertia, Quat, Vec3};
use sinew::dynamics::{BodySpec, Geom, JointSpec, Model, ModelSpec, Shape};
use sinew::world::recording::{Meta, Recorder, Recording, Setup};
use sinew::world::{ContactForce, OutsideForce, StepFrame};
use std::collections::HashMap;

/// Not a part of 1/60 s: frames lie between steps.
const DT: f64 = 0.007;
const STEPS: usize = 300;
const RATE: f64 = 60.0;

fn ball() -> Model {
    let geom = Geom::new(Shape::Sphere { radius: 0.1 });
    let inertia: Inertia = geom.shape.solid(2.0);
    let mut spec = ModelSpec::new("ball");
    spec.bodies
        .push(BodySpec::new("ball", None, inertia).with_joint(JointSpec::free("root")).with_geom(geom));
    Model::new(spec).expect("a model")
}

/// Where the ball is: on a straight line, turning steadily, as is the crate behind it.
fn place(time: f64) -> (Vec3, Quat) {
    let at = Vec3::new(0.4 * time, -1.1 * time, 1.0 + 0.2 * time);
    (at, Quat::from_axis_angle(&Vec3::z_axis(), 2.5 * time))
}

/// Contact and push of a step: a steady load, and one push of a single step.
fn acting(step: usize) -> (ContactForce, Option<OutsideForce>) {
    let point = Vec3::new(0.0, 0.0, 0.01 * (step % 2) as f64);
    let force = Vec3::new(0.1 * step as f64, 0.0, 20.0);
    let contact =
        ContactForce { body: 0, other: None, point, force, normal: Vec3::z(), distance: 0.0, friction: 1.0 };
    let push = OutsideForce { body: 0, point, force: Vec3::new(0.0, 333.0, 0.0) };
    (contact, (step == 101).then_some(push))
}

/// Writes the run and returns its file.
fn run(test: &str, meta: Meta) -> String {
    let (path, model) = (scratch(test, "run.npz"), ball());
    let objects = [String::from("crate")];
    let setup = Setup { objects: &objects, ..Setup::new(&model, meta) };
    let mut recorder = Recorder::create(&path, setup).expect("writable");
    let zero = vec![0.0; model.nv()];
    for step in 0..STEPS {
        let time = step as f64 * DT;
        let ((p, r), (contact, push)) = (place(time), acting(step));
        let q = [p.x, p.y, p.z, r.w, r.i, r.j, r.k];
        let frame = StepFrame {
            time,
            q: &q,
            v: &zero,
            tau: &zero,
            constraint: &zero,
            contacts: &[contact],
            outside: push.as_slice(),
        };
        recorder.push(&frame, &[[p.x - 1.0, p.y, p.z, r.w, r.i, r.j, r.k]], &[]).expect("a row");
    }
    recorder.finish().expect("written");
    path.to_str().expect("UTF-8").to_owned()
}

/// Header and tables of an exported page; none, with a note, when this build has no page.
fn exported(test: &str, run: &str) -> Option<(Value, HashMap<String, Vec<f64>>)> {
    let page = scratch(test, "run.html");
    let said = sinew(&["export", run, "--to", page.to_str().expect("UTF-8"), "--json"]);
    if said.stderr.contains("no web pages") {
        assert!(said.stderr.contains("build again"), "{}", said.stderr);
        eprintln!("skipped: this build has no viewer page");
        return None;
    }
    let said = json(&said.good());
    let html = std::fs::read_to_string(&page).expect("written");
    assert_eq!(said["bytes"], html.len());
    let (_, data) = html.split_once(r#"id="sinew-run" data-storage="deflated">"#).expect("the data");
    let (data, _) = data.split_once('<').expect("its end");
    let bytes = miniz_oxide::inflate::decompress_to_vec_zlib(&unbase64(data)).expect("deflated");

    let length = u32::from_le_bytes(bytes[..4].try_into().expect("four bytes")) as usize;
    let header: Value = serde_json::from_slice(&bytes[4..4 + length]).expect("JSON");
    let (mut rest, mut tables) = (&bytes[4 + length..], HashMap::new());
    let (mut motion, mut skin) = (bytes[..4 + length].to_vec(), Vec::new());
    for column in header["columns"].as_array().expect("columns") {
        let number = |key: &str| column[key].as_u64().expect(key) as usize;
        let (table, after) = rest.split_at(number("bytes"));
        let step = column["step"].as_f64().expect("step");
        let name = column["name"].as_str().expect("name");
        if name.starts_with("skin_") { &mut skin } else { &mut motion }.extend(table);
        tables.insert(name.to_owned(), read(table, number("width") * number("rows"), number("width"), step));
        rest = after;
    }
    assert!(rest.is_empty());
    // the skin is the same for a run of any length
    let text = |bytes: &[u8]| miniz_oxide::deflate::compress_to_vec_zlib(bytes, 8).len() * 4 / 3;
    assert!(text(&motion) < 100_000, "a second or two take {} bytes", text(&motion));
    assert!(text(&skin) < 200_000, "a skin takes {} bytes", text(&skin));
    Some((header, tables))
}

/// Undoes differences, zigzag and groups of seven bits.
fn read(mut bytes: &[u8], entries: usize, width: usize, step: f64) -> Vec<f64> {
    let mut out: Vec<i64> = Vec::with_capacity(entries);
    for i in 0..entries {
        let (mut zigzag, mut shift) = (0u64, 0);
        loop {
            let (byte, rest) = bytes.split_first().expect("more bytes");
            bytes = rest;
            zigzag |= u64::from(byte & 0x7f) << shift;
            shift += 7;
            if byte & 0x80 == 0 {
                break;
            }
        }
        let difference = (zigzag >> 1) as i64 ^ -((zigzag & 1) as i64);
        out.push(difference + if i >= width { out[i - width] } else { 0 });
    }
    assert!(bytes.is_empty());
    out.into_iter().map(|x| x as f64 * step).collect()
}

fn unbase64(text: &str) -> Vec<u8> {
    const DIGITS: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let bits = text.trim_end_matches('=').chars().flat_map(|c| {
        let digit = DIGITS.find(c).expect("a digit");
        (0..6).rev().map(move |k| (digit >> k & 1) as u8)
    });
    let bits: Vec<u8> = bits.collect();
    bits.chunks_exact(8).map(|byte| byte.iter().fold(0, |sum, bit| sum << 1 | bit)).collect()
}

#[test]
fn frames_lie_on_the_recorded_motion() {
    let test = "frames_lie_on_the_recorded_motion";
    let Some((header, tables)) = exported(test, &run(test, Meta::new(DT))) else { return };
    let frames = header["frames"].as_u64().expect("a number") as usize;
    let last = (STEPS - 1) as f64 * DT;
    assert_eq!(frames, (last * RATE) as usize + 1);
    assert_eq!(
        (&header["bodies"][0]["name"], &header["objects"][0]["name"]),
        (&json!("ball"), &json!("crate"))
    );
    for frame in 0..frames {
        let (p, r) = place(frame as f64 / RATE);
        let places = &tables["place"][6 * frame..6 * frame + 6];
        let wanted = [p.x, p.y, p.z, p.x - 1.0, p.y, p.z];
        let off = |a: &f64, b: &f64| (a - b).abs();
        assert!(places.iter().zip(&wanted).all(|(a, b)| off(a, b) < 2e-5), "{places:?}, {wanted:?}");
        assert!(tables["com"][3 * frame..][..3].iter().zip(&wanted).all(|(a, b)| off(a, b) < 2e-5));
        // orientations come in either sign
        let turn = &tables["turn"][8 * frame..8 * frame + 4];
        let dot: f64 = turn.iter().zip([r.w, r.i, r.j, r.k]).map(|(a, b)| a * b).sum();
        assert!((dot.abs() - 1.0).abs() < 1e-4, "frame {frame}: {turn:?}");
        if frame > 0 {
            let before = &tables["turn"][8 * (frame - 1)..][..4];
            let along: f64 = turn.iter().zip(before).map(|(a, b)| a * b).sum();
            assert!(along > 0.9, "no jump from q to −q");
        }
    }
}

#[test]
fn torques_are_the_greatest_of_each_frame() {
    let test = "torques_are_the_greatest_of_each_frame";
    let file = scratch(test, "run.npz");
    let run = file.to_str().expect("UTF-8");
    sinew(&["simulate", "--controller", "walker", "--speed", "1", "--seconds", "0.8", "--out", run]).good();
    let Some((header, tables)) = exported(test, run) else { return };
    let run = Recording::open(&file).expect("a recording");
    let model = &run.info().model;
    let limits = model.effort_limits();
    let bodies = header["bodies"].as_array().expect("bodies").len();
    let frames = header["frames"].as_u64().expect("a number") as usize;
    assert_eq!(tables["effort"].len(), bodies * frames);
    for frame in 0..frames {
        let shown = tables["effort"][bodies * frame..][..bodies].iter().copied().fold(0.0, f64::max);
        let rows = run.rows().filter(|row| (row.frame.time * RATE + 1e-6) as usize == frame);
        let shares = rows.flat_map(|row| {
            (0..model.nv())
                .filter(|&k| limits[k] > 0.0)
                .map(|k| row.frame.tau[k].abs() / limits[k])
                .collect::<Vec<_>>()
        });
        let wanted = shares.fold(0.0, f64::max);
        assert!((shown - wanted).abs() < 2.1e-3 && wanted > 0.01, "frame {frame}: {shown} {wanted}");
    }
}

#[test]
fn frames_keep_the_impulse_of_the_forces() {
    let test = "frames_keep_the_impulse_of_the_forces";
    let Some((_, tables)) = exported(test, &run(test, Meta::new(DT))) else { return };
    // one contact in every frame: steps of one place are one arrow
    assert!(tables["contact_count"].iter().all(|&n| n == 1.0));
    let frame_of = |step: usize| (step as f64 * DT * RATE + 1e-6) as usize;
    let steps = |frame: usize| (0..STEPS).filter(move |&s| frame_of(s) == frame);
    for frame in 0..tables["contact_count"].len() {
        let count = steps(frame).count() as f64;
        let mean: Vec3 = steps(frame).map(|s| acting(s).0.force).sum::<Vec3>() / count;
        let shown = Vec3::from_row_slice(&tables["contact_force"][3 * frame..][..3]);
        assert!((shown - mean).norm() < 0.1, "frame {frame}: {shown}, {mean}");
        let pushed = steps(frame).filter(|&s| s == 101).count() as f64;
        assert_eq!(tables["push_count"][frame], pushed);
        if pushed > 0.0 {
            assert!((tables["push_force"][1] - 333.0 / count).abs() < 0.1, "{:?}", tables["push_force"]);
        }
    }
}

#[test]
fn ground_and_objects_are_drawn_as_recorded() {
    let test = "ground_and_objects_are_drawn_as_recorded";
    let step = json!({"kind": "box", "half": [0.2, 0.5, 0.1], "at": [1, 0, 0.1, 1, 0, 0, 0]});
    let hill =
        json!({"kind": "heightfield", "columns": 2, "rows": 2, "half": [1, 1], "heights": [0, 1, 2, 3]});
    let crate_text = r#"<mujoco model="crate"><worldbody><body name="c"><freejoint/><geom type="box" size="0.1 0.2 0.3"
        mass="1"/></body></worldbody></mujoco>"#;
    let meta = Meta {
        scenario: "two things".into(),
        terrain: json!([step, hill]),
        objects: [("crate".to_owned(), crate_text.to_owned())].into(),
        ..Meta::new(DT)
    };
    let Some((header, _)) = exported(test, &run(test, meta)) else { return };
    assert_eq!(header["title"], "two things");
    let kinds: Vec<_> = header["terrain"].as_array().expect("a list").iter().map(|s| &s["kind"]).collect();
    assert_eq!(kinds, ["box", "heightfield"]);
    assert_eq!(header["terrain"][1]["heights"], json!([0.0, 1.0, 2.0, 3.0]));
    assert_eq!(header["objects"][0]["shapes"][0]["kind"], "box");

    let wrong = run("wrong_ground", Meta { terrain: json!([{"kind": "swamp"}]), ..Meta::new(DT) });
    let refused = sinew(&["export", &wrong, "--to", "never.html"]).refused();
    assert!(refused.contains("meta.terrain"), "{refused}");
}

#[test]
fn impossible_sheets_are_refused_with_a_remedy() {
    let test = "impossible_sheets_are_refused_with_a_remedy";
    let run = run(test, Meta::new(DT));
    assert!(sinew(&["export", &run, "--to", "run.xml"]).refused().contains(".html"));
    assert!(sinew(&["export", "human", "--to", "human.html"]).refused().contains(".npz"));
    if exported(test, &run).is_none() {
        return;
    }
    assert!(sinew(&["export", "nothing.npz", "--to", "run.html"]).refused().contains("nothing.npz"));
    let text = written(test, "text.npz", "no archive");
    assert!(sinew(&["export", &text, "--to", "run.html"]).refused().contains("text.npz"));
    assert!(sinew(&["sheet", &run, "--out", "sheet.gif"]).refused().contains(".jpg"));
    assert_eq!(sinew(&["sheet", &run, "--out", "sheet.png", "--frames", "0"]).code, Some(2));
    let nowhere = command(&["sheet", &run, "--out", "sheet.png"]).env("SINEW_CHROMIUM", "/nowhere").output();
    assert!(finish(nowhere).refused().contains("SINEW_CHROMIUM"));
}
