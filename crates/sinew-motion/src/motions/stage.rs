//! Plays a score on a body: feet, hips, then everything above, frame by frame.

use super::MotionError;
use super::foot::FootPath;
use super::hips::Hips;
use super::puppet::{Figure, LegTurn, Puppet, Turn};
use super::score::{CHANNELS, Deed, Score};
use super::timeline::Timeline;
use crate::edit::{self, Track};
use crate::transition::ease;
use crate::{Clip, FootContacts, Travel};
use sinew_dynamics::Model;
use sinew_dynamics::spatial::{Quat, Vec3, rotation};
use std::sync::Arc;

/// Frames per second.
const RATE: f64 = 120.0;
/// A cycle is cut from the middle of so many.
const CYCLES: usize = 5;
/// Height of hanging feet over the ground, legs.
const CLEAR: f64 = 0.3;

/// The clip of a score.
pub(super) fn play(name: &str, score: &Score, model: &Arc<Model>) -> Result<Clip, MotionError> {
    let mut puppet = Puppet::new(model)?;
    let mut tempo = puppet.tempo();
    // a step, and with it a cycle, has a whole number of frames
    let step = score.style.get("step_time") * tempo * RATE;
    if score.deeds.iter().any(|d| matches!(d, Deed::Steps { .. })) {
        tempo *= libm::round(step).max(1.0) / step;
    }
    let once = Timeline::new(score, &puppet, tempo, 1).duration;
    let length = libm::round(once * RATE);
    if length < 1.0 {
        return Err(MotionError::Text { name: name.into(), line: 1, problem: "nothing happens".into() });
    }
    if score.cycle {
        tempo *= length / (once * RATE);
    }
    let times = if score.cycle { CYCLES } else { 1 };
    let line = Timeline::new(score, &puppet, tempo, times);
    let feet = [0, 1].map(|side| FootPath::new(puppet.feet[side], line.plants[side].clone()));
    let frames = length as usize * times + 1;

    let period = score.cycle.then_some(length / RATE);
    let tracks: Vec<Track> = CHANNELS.iter().map(|c| score.track(c, tempo, period)).collect();
    let key = |channel: &str, i: usize| {
        tracks[CHANNELS.iter().position(|c| *c == channel).expect("a known channel")].at(i as f64 / RATE)
    };
    let mut hips = Hips::new(score, &line, &feet, &puppet, frames, RATE);
    let leg = puppet.leg;
    let mut lower = vec![0.0; frames];
    for i in 0..frames {
        let angle = |channel: &str| key(channel, i).to_radians();
        let (c, s) = rotation::cos_sin(hips.heading[i]);
        let (forward, left) = (key("hips_forward", i) * leg, key("hips_left", i) * leg);
        hips.at[i] += Vec3::new(c * forward - s * left, s * forward + c * left, 0.0);
        hips.turn[i][0] += angle("pelvis_pitch");
        hips.turn[i][1] += angle("pelvis_roll");
        hips.turn[i][2] += angle("pelvis_yaw");
        lower[i] = (score.style.get("dip") - key("hips_up", i)) * leg;
    }
    hips.rise(score, &line, &feet, &puppet, RATE, &lower);

    let mut q = Vec::with_capacity(frames * model.nq());
    let mut contacts = FootContacts::none(frames);
    let ahead = (score.style.get("look_ahead") * tempo * RATE) as usize;
    for i in 0..frames {
        let t = i as f64 / RATE;
        let looks = hips.heading[(i + ahead).min(frames - 1)] - hips.heading[i];
        let mut figure = upper_body(score, &hips, i, looks, &|channel| key(channel, i));
        figure.hips = hips.at[i];
        figure.pelvis = hips.turn[i];
        for side in 0..2 {
            let (ankle, turn, _) = feet[side].at(t);
            figure.feet[side] = (ankle, turn);
            [contacts.heel[side][i], contacts.toe[side][i]] = feet[side].down(t);
            airborne(&line, &hips, side, i, &mut figure);
            let flies = score.style.get("double_support") < 0.0 || !line.hops.is_empty();
            if let Some(x) = feet[side].swing(t).filter(|_| flies) {
                pull(&puppet, side, x, &mut figure);
            }
        }
        if let Some(reach) = score.bar {
            hang(reach, &puppet, &mut figure, -lower[i], &|channel| key(channel, i).to_radians());
            (0..2).for_each(|side| (contacts.heel[side][i], contacts.toe[side][i]) = (false, false));
        }
        let mut frame = model.neutral();
        puppet.pose(&figure, &mut frame);
        q.extend(frame);
    }
    let mut clip = Clip::new(name, model.clone(), RATE, q).expect("frames of the model");
    clip.contacts = Some(contacts);
    let part = if score.cycle {
        let middle = CYCLES / 2 * length as usize;
        middle..=middle + length as usize
    } else {
        let landing = |step: usize| (line.supports[step].landing * RATE + 0.5) as usize;
        let [first, last] = score.cut;
        let steps = line.supports.len();
        if first + last >= steps.max(1) {
            let problem = "more steps are cut than there are".into();
            return Err(MotionError::Text { name: name.into(), line: 1, problem });
        }
        let to = if last == 0 { frames - 1 } else { landing(steps - last - 1) };
        (if first == 0 { 0 } else { landing(first - 1) })..=to
    };
    let from = *part.start();
    clip = edit::cut(&clip, part).expect("frames of the clip");
    let start = crate::layout::vec3_at(clip.frame(0), 0);
    let back = Travel { yaw: hips.heading[from], shift: Vec3::new(start.x, start.y, 0.0) };
    Ok(edit::moved(&clip, &back.inverse()))
}

/// Trunk, head and arms of a frame: what walking does to them, and the keys.
fn upper_body(score: &Score, hips: &Hips, i: usize, looks: f64, key: &dyn Fn(&str) -> f64) -> Figure {
    let style = &score.style;
    let angle = |channel: &str| key(channel).to_radians();
    let stride = hips.stride[i];
    let [_, roll, yaw] = hips.turn[i];
    let against = style.angle("trunk_yaw") * stride;
    let trunk = Turn {
        flex: style.angle("lean") - style.angle("tilt") + angle("trunk_flex"),
        // the trunk stays upright when the pelvis drops to a side
        side: roll + angle("trunk_side"),
        twist: against + angle("trunk_twist"),
    };
    let turned = yaw - hips.heading[i] + against;
    let head = Turn {
        flex: style.angle("head") - style.angle("lean") + angle("head_flex"),
        side: angle("head_side"),
        twist: looks - turned + angle("head_twist"),
    };
    let mut figure = Figure { trunk, head, ..Figure::default() };
    for (side, name) in ["left", "right"].into_iter().enumerate() {
        // an arm goes forward with the other foot
        let before = if side == 0 { -stride } else { stride };
        figure.shoulder[side] = Turn {
            flex: style.angle("arm_forward")
                + style.angle("arm") * before
                + angle(&format!("shoulder_flex_{name}")),
            side: style.angle("abduct") + angle(&format!("shoulder_side_{name}")),
            twist: style.angle("arm_twist") + angle(&format!("shoulder_twist_{name}")),
        };
        let bend = style.angle("elbow") + style.angle("elbow_swing") * before;
        figure.elbow[side] = (bend + angle(&format!("elbow_{name}"))).max(0.05);
    }
    figure
}

/// In the flight of a jump the feet go up with the hips.
fn airborne(line: &Timeline, hips: &Hips, side: usize, i: usize, figure: &mut Figure) {
    let t = i as f64 / RATE;
    if let Some(hop) = line.hops.iter().find(|h| h.off < t && t < h.land) {
        let at_off = hips.at[(hop.off * RATE) as usize].z;
        figure.feet[side].0.z += (hips.at[i].z - at_off).max(0.0) * 0.8;
    }
}

/// Keeps the knee of a foot in the air from being stretched: the foot comes nearer to the hip, smoothly, from a little less
/// than the full length on; not where it leaves the ground and lands.
fn pull(puppet: &Puppet, side: usize, x: f64, figure: &mut Figure) {
    let hip = puppet.hip(side, &figure.hips, figure.pelvis);
    let (arm, longest) = (figure.feet[side].0 - hip, 0.985 * puppet.span(side));
    let (soft, far) = (0.03 * longest, arm.norm());
    let over = far - (longest - soft);
    if over > 0.0 {
        // 1 − e^(−x) has slope 1 where it begins and never exceeds 1
        let near = longest - soft + soft * (1.0 - libm::exp(-over / soft));
        let weight = ease(x / 0.2) * ease((1.0 - x) / 0.2);
        figure.feet[side].0 = hip + arm * (1.0 + weight * (near / far - 1.0));
    }
}

/// Hands hold a bar, the body hangs under it and turns about it with the pelvis; legs hang.
fn hang(reach: f64, puppet: &Puppet, figure: &mut Figure, up: f64, key: &dyn Fn(&str) -> f64) {
    let down = reach * puppet.arm_reach();
    let bar = Vec3::new(0.0, 0.0, (1.0 + CLEAR) * puppet.leg + down);
    let across = Vec3::new(0.0, 0.55 * puppet.shoulder_width(), 0.0);
    figure.hands = Some([bar + across, bar - across]);
    let swing = rotation::exp(&Vec3::new(0.0, figure.pelvis[0], 0.0));
    figure.hips = bar + swing * Vec3::new(key("hips_forward").to_degrees() * puppet.leg, 0.0, up - down);
    figure.legs = Some(LegTurn { hip: key("hip_flex"), knee: key("knee"), ankle: key("ankle") });
    figure.feet = [(Vec3::zeros(), Quat::identity()); 2];
}
