//! Plays built-in motions on a character: one line of figures each, and a kinematic recording to look at.
//!
//! ```text
//! cargo run --release -p sinew-motion --example motion_report -- --character human --out sheets walk run
//! sinew sheet sheets/walk.npz --out walk.png
//! ```
use sinew_dynamics::{Data, JointKind, Role, Side, characters, forward_kinematics};
use sinew_motion::export::recording;
use sinew_motion::{Clip, Sole, Travel, estimate, motions};
use std::error::Error;
use std::sync::Arc;

fn main() -> Result<(), Box<dyn Error>> {
    let (mut character, mut out, mut names) = ("human".to_owned(), None, Vec::new());
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--character" => character = args.next().unwrap_or_default(),
            "--out" => out = args.next(),
            _ => names.push(arg),
        }
    }
    if names.is_empty() {
        names = motions::names().map(str::to_owned).collect();
    }
    let model = Arc::new(characters::load(&character)?);
    println!(
        "motion          s   m/s  turn°  skate mm  sink mm  knee° min max  °/s  limits  hip range cm  residual N/N"
    );
    for name in names {
        // a built-in motion, or the text of one's own
        let path = std::path::Path::new(&name);
        let (name, clip) = match path.extension() {
            Some(_) => {
                let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
                let clip = motions::play(&stem, &std::fs::read_to_string(path)?, &model)?;
                (stem, clip)
            }
            None => (name.clone(), motions::load(&name, &model)?),
        };
        println!("{name:12} {}", figures(&clip));
        if let Some(folder) = &out {
            std::fs::create_dir_all(folder)?;
            recording::save(format!("{folder}/{name}.npz"), &clip)?;
        }
    }
    Ok(())
}

fn figures(clip: &Clip) -> String {
    let model = clip.model();
    let travel = Travel::between(model, clip.frame(0), clip.frame(clip.len() - 1));
    let (skate, sink) = sliding(clip);
    let knee = |side| {
        let shin = model.role(Role::Shin(side)).unwrap();
        model.joints().iter().find(|j| j.body == shin).unwrap().clone()
    };
    let angle = |q: &[f64], side| {
        let knee = knee(side);
        if knee.kind == JointKind::Ball { 2.0 * q[knee.q].abs().min(1.0).acos() } else { q[knee.q] }
    };
    let all: Vec<f64> = clip.frames().map(|q| angle(q, Side::Left)).collect();
    let fastest = all.windows(2).map(|w| (w[1] - w[0]).abs() * clip.rate).fold(0.0, f64::max).to_degrees();
    let low = all.iter().copied().fold(f64::INFINITY, f64::min).to_degrees();
    let high = all.iter().copied().fold(0.0, f64::max).to_degrees();
    let (mut at_limit, mut which) = (0, std::collections::BTreeMap::new());
    for q in clip.frames() {
        for (i, joint) in model.joints().iter().enumerate() {
            let Some([low, high]) = model.joint_spec(sinew_dynamics::JointId(i)).range else { continue };
            let x = match joint.kind {
                JointKind::Ball => 2.0 * q[joint.q].abs().min(1.0).acos(),
                _ => q[joint.q],
            };
            if x > high - 1e-9 || (joint.kind != JointKind::Ball && x < low + 1e-9) {
                at_limit += 1;
                *which.entry(joint.name.as_str()).or_insert(0) += 1;
            }
        }
    }
    let heights: Vec<f64> = clip.frames().map(|q| q[2]).collect();
    let range = heights.iter().copied().fold(f64::NEG_INFINITY, f64::max)
        - heights.iter().copied().fold(f64::INFINITY, f64::min);
    let force = estimate::estimate(clip, &Default::default());
    format!(
        "{:5.2} {:5.2} {:6.1} {:9.2} {:8.2} {low:9.1} {high:5.1} {fastest:5.0} {at_limit:6} {:21.1} {:13.2} {which:?}",
        clip.duration(),
        travel.shift.norm() / clip.duration(),
        travel.yaw.to_degrees(),
        skate * 1e3,
        sink * 1e3,
        range * 100.0,
        force.residual_force,
    )
}

/// Greatest way of a sole's point over the ground while it is down, and greatest depth or height then.
fn sliding(clip: &Clip) -> (f64, f64) {
    let model = clip.model();
    let mut data = Data::new(model);
    let contacts = clip.contacts.as_ref().unwrap();
    let (mut skate, mut sink): (f64, f64) = (0.0, 0.0);
    for side in Side::BOTH {
        let sole = Sole::of(model, side).unwrap();
        for (points, down) in
            [(sole.heel, &contacts.heel[side as usize]), (sole.toe, &contacts.toe[side as usize])]
        {
            for point in points {
                let mut start = None;
                for (i, q) in clip.frames().enumerate() {
                    forward_kinematics(model, &mut data, q);
                    let at = point.in_world(model, &data);
                    if !down[i] {
                        start = None;
                        continue;
                    }
                    let from = *start.get_or_insert(at);
                    skate = skate.max((at - from).xy().norm());
                    sink = sink.max(at.z.abs());
                }
            }
        }
    }
    (skate, sink)
}
