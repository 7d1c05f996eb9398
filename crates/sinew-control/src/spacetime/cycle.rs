//! The best cycle of a clip, closed.
//!
//! Every pair of frames one stride apart is compared: joint angles, tilt and height of the root, velocities, and which points are down.
//! The nearest pair makes the cycle. Its closing error, heading and way over the ground left out, is taken away linearly over the whole of it.

use sinew_motion::edit::Warp;
use sinew_motion::{Clip, FootContacts, Travel};

/// Where a clip repeats itself.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cycle {
    /// First frame.
    pub first: usize,
    /// Number of frames until it repeats.
    pub frames: usize,
    /// How far its ends are apart: root mean square over all coordinates, rad (m), velocities counting a tenth of a second.
    pub gap: f64,
}

/// Share of a velocity's difference that counts, s.
const VELOCITY: f64 = 0.1;
/// What a point that is down at one end and not at the other counts, rad².
const UNEQUAL: f64 = 2e-3;

/// The best cycle that lasts between two times, s, among those that a test admits by their first frame and number of frames;
/// nothing when there is none.
pub fn find_cycle(
    clip: &Clip,
    [shortest, longest]: [f64; 2],
    admits: impl Fn(usize, usize) -> bool,
) -> Option<Cycle> {
    let model = clip.model();
    let (n, nv) = (clip.len(), model.nv());
    let least = libm::ceil(shortest * clip.rate) as usize;
    let most = (libm::floor(longest * clip.rate) as usize).min(n.saturating_sub(3));
    let mut v = vec![0.0; n * nv];
    for k in 1..n {
        model.difference(clip.frame(k - 1), clip.frame(k), &mut v[k * nv..(k + 1) * nv]);
        v[k * nv..(k + 1) * nv].iter_mut().for_each(|x| *x *= clip.rate);
    }
    let root = model.free_root()?.v;
    let mut best: Option<Cycle> = None;
    let (mut there, mut error) = (vec![0.0; model.nq()], vec![0.0; nv]);
    for frames in least..=most {
        for first in 1..n - frames {
            if !admits(first, frames) {
                continue;
            }
            let last = first + frames;
            let way = Travel::between(model, clip.frame(first), clip.frame(last));
            there.copy_from_slice(clip.frame(first));
            way.apply_to(model, &mut there);
            model.difference(&there, clip.frame(last), &mut error);
            let mut sum = error.iter().map(|e| e * e).sum::<f64>();
            let (a, b) = (&v[first * nv..(first + 1) * nv], &v[last * nv..(last + 1) * nv]);
            let turned = way.direction(&[a[root], a[root + 1], a[root + 2]].into());
            for d in 0..nv {
                let from = if d.wrapping_sub(root) < 3 { turned[d - root] } else { a[d] };
                let e = VELOCITY * (b[d] - from);
                sum += e * e;
            }
            let gap = (sum / nv as f64).sqrt();
            let gap = gap + clip.contacts.as_ref().map_or(0.0, |c| unequal(c, first, last) * UNEQUAL);
            if best.is_none_or(|b| gap < b.gap) {
                best = Some(Cycle { first, frames, gap });
            }
        }
    }
    best
}

fn unequal(contacts: &FootContacts, a: usize, b: usize) -> f64 {
    let lists = contacts.heel.iter().chain(&contacts.toe);
    lists.filter(|list| list[a] != list[b]).count() as f64
}

/// A cycle of a clip: its last frame is its first, moved over the ground.
pub fn closed(clip: &Clip, cycle: &Cycle) -> Clip {
    let model = clip.model();
    let (first, n) = (cycle.first, cycle.frames);
    let mut closing = clip.frame(first).to_vec();
    Travel::between(model, clip.frame(first), clip.frame(first + n)).apply_to(model, &mut closing);
    let mut warp = Warp::new(model);
    warp.set(&closing, clip.frame(first + n));
    let mut q = Vec::with_capacity((n + 1) * model.nq());
    for k in 0..=n {
        let mut frame = clip.frame(first + k).to_vec();
        warp.apply(k as f64 / n as f64, &mut frame);
        q.extend(frame);
    }
    let mut out = Clip::new(clip.name.clone(), model.clone(), clip.rate, q).expect("frames of a clip");
    out.provenance = clip.provenance.clone();
    out.provenance.add(format!("cycle of frames {first} to {}", first + n));
    out.contacts = clip.contacts.as_ref().map(|c| {
        let mut part = c.range(first..first + n + 1);
        for list in part.heel.iter_mut().chain(&mut part.toe) {
            list[n] = list[0];
        }
        part
    });
    out
}
