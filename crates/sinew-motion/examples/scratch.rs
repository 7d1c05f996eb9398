//! scratch
use sinew_motion::retarget::*;
use sinew_motion::*;
use std::sync::Arc;
use std::time::Instant;
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let ch = &args[1];
    let model = Arc::new(sinew_dynamics::characters::load(ch).unwrap());
    for f in &args[2..] {
        let t0 = Instant::now();
        let imp = bvh::read(f, &ImportOptions::default()).unwrap();
        let t1 = Instant::now();
        let map = BoneMap::guess(&imp.take.skeleton);
        let t2 = Instant::now();
        if std::env::var("MAP").is_ok() {
            print!("{}", map.to_toml(&imp.take.skeleton));
            println!("{:?}", map.notes);
            for a in &imp.report.assumed {
                println!("{a}");
            }
        }
        let r = Retargeter::new(&imp.take, &map, model.clone(), &RetargetOptions::default()).unwrap();
        let t3 = Instant::now();
        let out = r.retarget(&imp.take).unwrap();
        let t4 = Instant::now();
        println!(
            "{f}: frames {} scale {:.3} err mean {:.2} worst {:.1} deg limited {} | ms: read {:.0} map {:.1} prep {:.1} ret {:.1}",
            out.clip.len(),
            out.scale,
            out.error.mean.to_degrees(),
            out.error.worst.to_degrees(),
            out.limited,
            (t1 - t0).as_secs_f64() * 1e3,
            (t2 - t1).as_secs_f64() * 1e3,
            (t3 - t2).as_secs_f64() * 1e3,
            (t4 - t3).as_secs_f64() * 1e3
        );
    }
}
