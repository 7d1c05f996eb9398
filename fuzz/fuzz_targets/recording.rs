//! Recordings from strangers: reading and auditing gives an error or a report.
//!
//! `cargo +nightly fuzz run recording -- -max_total_time=600`. The input is a list of changes (four bytes of place, one of
//! content) to a small recording of our own; an input that begins with 0xFF is a file as it is. Checksums are not compared
//! here.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sinew_dynamics::Model;
use sinew_dynamics::spatial::Vec3;
use sinew_world::audit::{Options, audit};
use sinew_world::metrics::Params;
use sinew_world::recording::{Attachment, Meta, Recorder, RecordingReader, Setup};
use sinew_world::{ContactForce, OutsideForce, StepFrame};
use std::io::Cursor;
use std::sync::LazyLock;

const MODEL: &str = "<mujoco><compiler angle='radian'/><worldbody><body name='a'><freejoint/>\
    <geom type='box' size='.1 .1 .1'/><body name='b'><joint type='ball' range='0 1'/><geom size='.1' pos='0 0 1'/>\
    </body></body></worldbody></mujoco>";

static HONEST: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let (model, _) = Model::from_mjcf(MODEL).expect("a model");
    let mut meta = Meta::new(1e-3);
    meta.actor = "me".to_owned();
    meta.attachments.push(Attachment {
        kind: "grip".into(),
        body: "b".into(),
        to: "world".into(),
        own: false,
        from: 0.0,
        until: None,
    });
    let (things, objects) = (["me".to_owned(), "ball".to_owned()], ["ball".to_owned()]);
    let setup = Setup { things: &things, objects: &objects, ..Setup::new(&model, meta) };
    let mut recorder = Recorder::in_memory(setup).expect("a recorder");
    let (q, v) = (model.neutral(), vec![0.1; model.nv()]);
    for k in 0..3 {
        let contact = |other| ContactForce {
            body: 1,
            other,
            point: Vec3::zeros(),
            force: Vec3::z(),
            normal: Vec3::z(),
            distance: 0.001,
            friction: 1.0,
        };
        let contacts = [contact(None), contact(Some(0)), contact(Some(1))];
        let outside = [OutsideForce { body: 0, point: Vec3::zeros(), force: Vec3::x() }];
        let time = f64::from(k) * 1e-3;
        let (contacts, outside) = (&contacts[..], &outside[..]);
        let frame = StepFrame { time, q: &q, v: &v, tau: &v, constraint: &v, contacts, outside };
        recorder.push(&frame, &[[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]], &[]).expect("a row");
    }
    recorder.into_bytes().expect("written")
});

fuzz_target!(|input: &[u8]| {
    let bytes = match input {
        [0xFF, rest @ ..] => rest.to_vec(),
        changes => {
            let mut bytes = HONEST.clone();
            for change in changes.chunks_exact(5) {
                let at = u32::from_le_bytes([change[0], change[1], change[2], change[3]]) as usize;
                let at = at % bytes.len();
                bytes[at] = change[4];
            }
            bytes
        }
    };
    if let Ok(mut run) = RecordingReader::new(Cursor::new(&bytes)) {
        let _ = audit(&mut run, &Options::default());
    }
    if let Ok(mut run) = RecordingReader::new(Cursor::new(&bytes)) {
        let _ = run.summary(Params::default());
    }
});
