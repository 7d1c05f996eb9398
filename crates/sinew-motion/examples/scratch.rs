//! scratch
use sinew_motion::*;
use sinew_motion::retarget::*;
use sinew_motion::cleanup::*;
use sinew_dynamics::*;
use sinew_dynamics::spatial::*;
use std::sync::Arc;
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let model = Arc::new(sinew_dynamics::characters::load(&args[1]).unwrap());
    let take = bvh::read(&args[2], &ImportOptions::default()).unwrap().take;
    let map = BoneMap::guess(&take.skeleton);
    let found = find_contacts(&take, &map, None).unwrap();
    let r = Retargeter::new(&take, &map, model.clone(), &RetargetOptions::default()).unwrap().retarget(&take).unwrap();
    let c = clean(&r.clip, &found.contacts, &CleanParams{ground: found.ground, ..Default::default()}).unwrap();
    let mut d = Data::new(&model);
    let soles = Side::BOTH.map(|s| Sole::of(&model, s).unwrap());
    let every: usize = args.get(3).map_or(1, |x| x.parse().unwrap());
    for i in (0..c.clip.len()).step_by(every) {
        let mut line = format!("{i:4} z {:.3}->{:.3} ", r.clip.frame(i)[2], c.clip.frame(i)[2]);
        for clip in [&r.clip, &c.clip] {
        forward_kinematics(&model, &mut d, clip.frame(i));
        for s in 0..2 {
            let f = &found.contacts;
            let k = c.clip.contacts.as_ref().unwrap();
            let h = (soles[s].heel[0].in_world(&model,&d)+soles[s].heel[1].in_world(&model,&d))*0.5;
            let t = (soles[s].toe[0].in_world(&model,&d)+soles[s].toe[1].in_world(&model,&d))*0.5;
            let knee = model.joint(if s==0 {"knee_l"} else {"knee_r"}).unwrap();
            let kq = clip.frame(i)[model.joints()[knee.0].q];
            line += &format!("| {}{}{}{} h {:.3} {:.3} {:.3} t {:.3} {:.3} {:.3} k {:.2} ", if f.heel[s][i] {'H'} else {'.'}, if f.toe[s][i] {'T'} else {'.'}, if k.heel[s][i] {'h'} else {'.'}, if k.toe[s][i] {'t'} else {'.'}, h.x,h.y,h.z,t.x,t.y,t.z, kq);
        }
        line += "\n                      ";
        }
        println!("{line}");
        let _ : Vec3 = Vec3::zeros();
    }
}
