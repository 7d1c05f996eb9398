//! scratch
use sinew_motion::*;
use sinew_motion::retarget::*;
use sinew_motion::cleanup::*;
use std::sync::Arc;
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let model = Arc::new(sinew_dynamics::characters::load(&args[1]).unwrap());
    for f in &args[3..] {
    let take = bvh::read(f, &ImportOptions::default()).unwrap().take;
    let map = BoneMap::guess(&take.skeleton);
    let found = find_contacts(&take, &map, None).unwrap();
    let r = Retargeter::new(&take, &map, model.clone(), &RetargetOptions::default()).unwrap().retarget(&take).unwrap();
    let c = clean(&r.clip, &found.contacts, &CleanParams{ground: found.ground, ..Default::default()}).unwrap();
    export::recording::save(format!("{}/{}-{}.npz", args[2], take.name, args[1]), &c.clip).unwrap();
    }
}
