//! `sinew verify`: simulated recordings pass, manipulated ones exit with 1, other files are refused.

use crate::support::{json, scratch, sinew, written};
use sinew::dynamics::{Data, aba, characters};
use sinew::world::StepFrame;
use sinew::world::recording::{Meta, Recorder, Setup};

/// A human falls freely for 20 ms; an unrecorded force of `lift` newtons holds it up.
fn fall(test: &str, lift: f64) -> String {
    let human = characters::load("human").expect("built in");
    let path = scratch(test, "run.npz");
    let mut recorder = Recorder::create(&path, Setup::new(&human, Meta::new(1e-3))).expect("writable");
    let (mut q, mut v, tau) = (human.neutral(), vec![0.0; human.nv()], vec![0.0; human.nv()]);
    let mut force = tau.clone();
    force[2] = lift;
    let mut data = Data::new(&human);
    for k in 0..20 {
        let time = f64::from(k) * 1e-3;
        let frame =
            StepFrame { time, q: &q, v: &v, tau: &tau, constraint: &tau, contacts: &[], outside: &[] };
        recorder.push(&frame, &[], &[]).expect("a row");
        let a = aba(&human, &mut data, &q, &v, &force).expect("it falls");
        v.iter_mut().zip(a).for_each(|(v, a)| *v += 1e-3 * a);
        let (from, step): (Vec<f64>, Vec<f64>) = (q.clone(), v.iter().map(|v| 1e-3 * v).collect());
        human.integrate(&from, &step, &mut q);
    }
    recorder.finish().expect("written");
    path.to_str().expect("UTF-8").to_owned()
}

#[test]
fn a_simulated_run_passes() {
    let file = fall("a_simulated_run_passes", 0.0);
    let text = sinew(&["verify", &file]).good();
    assert!(text.contains("equation of motion, root") && text.ends_with("everything holds\n"), "{text}");
    let report = json(&sinew(&["verify", &file, "--json"]).good());
    assert_eq!((&report["holds"], &report["rows"]), (&true.into(), &20.into()));
    assert_eq!(report["file"], file.as_str());
    let sparse = json(&sinew(&["verify", &file, "--json", "--every", "5"]).good());
    assert_eq!(sparse["steps_checked"], 4);
    let out = scratch("a_simulated_run_passes", "audit.json");
    let path = out.to_str().expect("UTF-8");
    assert_eq!(sinew(&["verify", &file, "--json", "--out", path]).good(), "");
    assert_eq!(json(&std::fs::read_to_string(&out).expect("written")), report);
}

#[test]
fn a_recording_that_fails_the_audit_exits_with_1() {
    let file = fall("a_recording_that_fails_the_audit_exits_with_1", 10.0);
    let run = sinew(&["verify", &file]);
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    assert!(run.stdout.contains("FAILS"), "{}", run.stdout);
    let run = sinew(&["verify", &file, "--json"]);
    assert_eq!((run.code, json(&run.stdout)["holds"].clone()), (Some(1), false.into()));
}

#[test]
fn other_files_than_recordings_are_refused() {
    let test = "other_files_than_recordings_are_refused";
    let text = written(test, "text.npz", "not a zip file at all");
    assert!(sinew(&["verify", &text]).refused().contains("not an .npz file"));
    assert!(sinew(&["verify", "no/such/run.npz"]).refused().contains("no/such/run.npz"));
    // cut short, as by a full disk
    let whole = std::fs::read(fall(test, 0.0)).expect("written");
    let cut = scratch(test, "cut.npz");
    std::fs::write(&cut, &whole[..whole.len() / 2]).expect("written");
    sinew(&["verify", cut.to_str().expect("UTF-8")]).refused();
    // one flipped bit in the middle of the states
    let mut flipped = whole;
    let middle = flipped.len() / 2;
    flipped[middle] ^= 1;
    std::fs::write(&cut, &flipped).expect("written");
    assert!(sinew(&["verify", cut.to_str().expect("UTF-8")]).refused().contains("checksum"));
    assert_eq!(sinew(&["verify", "run.npz", "--every", "0"]).code, Some(2));
    assert!(sinew(&["verify", "run.npz", "--max-penetration=-1"]).refused().contains("--max-penetration"));
}
