//! `sinew export`: what is written loads again as the same model.

use crate::support::{json, scratch, sinew};

#[test]
fn every_character_survives_a_round_trip() {
    for name in sinew::dynamics::characters::names() {
        let path = scratch("round_trip", &format!("{name}.xml"));
        let file = path.to_str().expect("UTF-8");
        let said = json(&sinew(&["export", name, "--to", file, "--json"]).good());
        assert_eq!(said["bytes"], std::fs::metadata(&path).expect("written").len());
        let before = json(&sinew(&["inspect", name, "--json"]).good());
        let after = json(&sinew(&["inspect", file, "--json"]).good());
        for key in ["totals", "gravity", "bodies", "actuators", "keyframes", "roles"] {
            assert_eq!(before[key], after[key], "{name}: {key}");
        }
    }
}

#[test]
fn the_ending_of_the_name_chooses_the_format() {
    let refused = sinew(&["export", "human", "--to", "human.fbx"]).refused();
    assert!(refused.contains(".xml") && refused.contains(".glb"), "{refused}");
    let refused = sinew(&["export", "walk", "--to", "walk.fbx"]).refused();
    assert!(refused.contains(".glb") && refused.contains(".bvh"), "{refused}");
    let refused = sinew(&["export", "human", "--to", "human.glb", "--fps", "30"]).refused();
    assert!(refused.contains("--fps"), "{refused}");
    let refused = sinew(&["export", "human", "--character", "child", "--to", "a.glb"]).refused();
    assert!(refused.contains("walk"), "{refused}");
    let refused = sinew(&["export", "walk", "--fps", "0", "--to", "a.glb"]).refused();
    assert!(refused.contains("--fps") && refused.contains("from 0.1 to 10000"), "{refused}");
}

/// The JSON document of a `.glb` file.
fn document(path: &std::path::Path) -> serde_json::Value {
    let bytes = std::fs::read(path).expect("written");
    assert_eq!((&bytes[..4], &bytes[16..20]), (&b"glTF"[..], &b"JSON"[..]));
    let length = u32::from_le_bytes(bytes[12..16].try_into().expect("four")) as usize;
    serde_json::from_slice(&bytes[20..20 + length]).expect("JSON")
}

#[test]
fn motions_become_animations() {
    let glb = scratch("export_motion", "walk.glb");
    let file = glb.to_str().expect("UTF-8");
    let said = json(
        &sinew(&["export", "walk", "--character", "child", "--to", file, "--fps", "30", "--json"]).good(),
    );
    assert_eq!(said["rate"], 30.0);
    let written = document(&glb);
    assert_eq!(written["asset"]["extras"]["sinew"]["character"], "child");
    assert_eq!(written["asset"]["extras"]["sinew"]["frames"], said["frames"]);
    assert_eq!(
        written["skins"][0]["joints"].as_array().map(Vec::len),
        said["bodies"].as_u64().map(|n| n as usize)
    );

    let bvh = scratch("export_motion", "walk.bvh");
    let file = bvh.to_str().expect("UTF-8");
    let said = json(&sinew(&["export", "walk", "--to", file, "--fps", "30", "--json"]).good());
    let read = json(&sinew(&["inspect", file, "--json"]).good());
    assert_eq!((&read["frames"], &read["rate"]), (&said["frames"], &said["rate"]));
}

#[test]
fn recorded_runs_become_animations() {
    let run = scratch("export_run", "run.npz");
    let (from, glb, bvh) =
        (run.to_str().expect("UTF-8"), scratch("export_run", "a.glb"), scratch("export_run", "a.bvh"));
    sinew(&["simulate", "--seconds", "0.2", "--out", from, "--json"]).good();
    let said = json(&sinew(&["export", from, "--to", glb.to_str().expect("UTF-8"), "--json"]).good());
    assert_eq!((said["rate"].as_f64(), said["frames"].as_u64()), (Some(1000.0), Some(200)));
    let about = &document(&glb)["asset"]["extras"]["sinew"];
    assert_eq!((&about["simulated"], &about["provenance"]["source"]), (&true.into(), &"run.npz".into()));
    assert_eq!(about["provenance"]["sha256"].as_str().map(str::len), Some(64));
    // the first frame is at 0, frame 10 at 0.2 s would be one too many
    let said =
        json(&sinew(&["export", from, "--to", bvh.to_str().expect("UTF-8"), "--fps", "50", "--json"]).good());
    assert_eq!((said["rate"].as_f64(), said["frames"].as_u64()), (Some(50.0), Some(10)));
    let missing = sinew(&["export", "nowhere.npz", "--to", "a.glb"]).refused();
    assert!(missing.contains("nowhere.npz"), "{missing}");
}
