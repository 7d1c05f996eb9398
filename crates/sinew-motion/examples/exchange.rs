//! Writes a built-in motion for other programs, and where they should find its bodies.
//!
//! ```text
//! cargo run -p sinew-motion --example exchange -- FOLDER
//! ```
//!
//! `walk.glb` and `walk.bvh` hold the same motion at 30 frames/s; `walk.json` the rate, the height of the character, the names of the
//! bodies, and per frame the place of every body's joint in the world (z up, m). `rest.glb` and `odd.glb` are there to be validated:
//! a character without motion, and a model with slides, joints off the origins of their bodies and half-transparent shapes.

use serde_json::json;
use sinew_dynamics::spatial::Vec3;
use sinew_dynamics::{Model, characters};
use sinew_motion::{Clip, bvh, gltf, motions};
use std::path::PathBuf;
use std::sync::Arc;

const ODD: &str = r#"<mujoco model="odd"><worldbody>
  <body name="a" pos="0 0 1"><freejoint/><geom type="box" size=".1 .2 .3" mass="1"/>
    <body name="b" pos="0 .3 0" euler="0 90 0"><joint type="hinge" axis="1 0 0" pos=".1 .2 0"/>
      <geom type="cylinder" size=".1 .2" mass="1"/>
      <body name="c"><joint type="slide" axis="0 0 1"/><geom type="capsule" size=".05 .2" mass="1"/></body></body></body>
  <body name="d" pos="1 0 1"><joint type="ball"/><geom type="sphere" size=".1" mass="1" rgba="1 0 0 .5"/></body>
</worldbody></mujoco>"#;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = PathBuf::from(std::env::args().nth(1).ok_or("name a folder")?);
    let human = Arc::new(characters::load("human")?);
    let walk = motions::load("walk", &human)?.resampled(30.0);
    let options = gltf::Options::default();
    gltf::save(folder.join("walk.glb"), &walk, &options)?;
    let take = walk.to_take()?;
    bvh::save(folder.join("walk.bvh"), &take, &bvh::WriteOptions::default())?;

    let rest = human.spec().reference_placements();
    let [low, high] = human.spec().extent(&rest, &Vec3::z()).ok_or("the human has shapes")?;
    let names: Vec<&str> = human.bodies().iter().map(|b| b.name.as_str()).collect();
    let places: Vec<Vec<[f64; 3]>> = take
        .poses
        .iter()
        .map(|pose| take.skeleton.placements(pose).iter().map(|p| p.pos.into()).collect())
        .collect();
    let expected = json!({"rate": walk.rate, "height": high - low, "bodies": names, "places": places});
    std::fs::write(folder.join("walk.json"), expected.to_string())?;

    std::fs::write(folder.join("rest.glb"), gltf::character(&human, &options)?)?;
    let (odd, _) = Model::from_mjcf(ODD)?;
    let odd = Arc::new(odd);
    let frame = |k: usize| {
        let step: Vec<f64> = (0..odd.nv()).map(|i| 0.1 * k as f64 * (i as f64 - 4.0)).collect();
        let mut q = odd.neutral();
        odd.integrate(&odd.neutral(), &step, &mut q);
        q
    };
    let moved = Clip::new("odd", odd.clone(), 60.0, (0..5).flat_map(frame).collect())?;
    gltf::save(folder.join("odd.glb"), &moved, &options)?;
    Ok(())
}
