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
fn only_mjcf_is_written() {
    let refused = sinew(&["export", "human", "--to", "human.glb"]).refused();
    assert!(refused.contains(".xml"), "{refused}");
}
