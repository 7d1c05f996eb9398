//! When feet are on the ground: on motions that the project writes itself, disturbed as captures are, and on captured clips.

use crate::common::human;
use crate::disturbed::{ALL, as_file};
use crate::shared;
use sinew_dynamics::Side;
use sinew_dynamics::spatial::Vec3;
use sinew_motion::contacts::{self, FootTracks, FoundContacts, Gait, Thresholds, segment};
use sinew_motion::export::recording;
use sinew_motion::retarget::BoneMap;
use sinew_motion::{FitOptions, FootContacts, ImportOptions, Take, WarningKind, bvh, edit, fit, motions};

fn find(take: &Take) -> FoundContacts {
    contacts::find(take, &BoneMap::guess(&take.skeleton), None).unwrap()
}

/// Share of frames and feet in which two tell the same, at the times of the coarser one.
fn same(a: &FootContacts, b: &FootContacts) -> f64 {
    let (few, many) = if a.len() < b.len() { (a, b) } else { (b, a) };
    let ratio = ((many.len() - 1) as f64 / (few.len() - 1).max(1) as f64).round() as usize;
    let equal = |side| {
        (0..few.len())
            .filter(|&k| few.down(side, k) == many.down(side, (k * ratio).min(many.len() - 1)))
            .count()
    };
    Side::BOTH.into_iter().map(equal).sum::<usize>() as f64 / (2 * few.len()) as f64
}

/// Built-in motions as files: what they know of their contacts, and the motion.
fn written() -> Vec<(FootContacts, Take)> {
    let names = [
        "walk",
        "walk-slow",
        "walk-fast",
        "start",
        "stop",
        "turn-left-90",
        "run",
        "march",
        "jump",
        "walk-backward",
    ];
    let human = human();
    let clip = |name: &&str| {
        let clip = motions::load(name, &human).unwrap();
        // what is one cycle goes on for three
        let mut long = clip.clone();
        if ["walk", "walk-slow", "walk-fast", "run", "march", "walk-backward"].contains(name) {
            (0..2).for_each(|_| long = edit::join(&long, &clip, 0.0).unwrap());
        }
        (long.contacts.clone().unwrap(), as_file(&long))
    };
    names.iter().map(clip).collect()
}

/// The least share of equal frames, and whether flights are as many, over all disturbances and rates.
fn steadiness(take: &Take) -> (f64, &'static str, bool) {
    let found = find(take);
    let mut worst = (1.0, "nothing", true);
    let mut other = |name: &'static str, take: &Take| {
        let other = find(take);
        let share = same(&found.contacts, &other.contacts);
        if share < worst.0 {
            (worst.0, worst.1) = (share, name);
        }
        worst.2 &= found.flights.len() == other.flights.len();
    };
    ALL.iter().for_each(|(name, disturb)| other(name, &disturb(take)));
    [("30 Hz", 30.0), ("60 Hz", 60.0), ("120 Hz", 120.0)]
        .iter()
        .filter(|(_, rate)| *rate <= take.rate * 4.0)
        .for_each(|(name, rate)| other(name, &take.resampled(*rate)));
    worst
}

#[test]
fn disturbances_change_less_than_three_in_a_hundred() {
    for (_, take) in written() {
        let (share, name, flights) = steadiness(&take);
        assert!(share > 0.97 && flights, "{}: {share:.3} with {name}, flights {flights}", take.name);
    }
}

#[test]
fn built_in_walks_are_walks() {
    for (known, take) in written() {
        let found = find(&take);
        let gait = Gait::of(&found.contacts, take.rate);
        // three cycles of running are six flights, one jump is one
        let flights = match take.name.as_str() {
            "run" => 6,
            "jump" => 1,
            _ => 0,
        };
        assert_eq!(found.flights.len(), flights, "{}", take.name);
        assert_eq!(gait.repeated_landings, 0, "{}", take.name);
        // feet of these motions come to rest before they land, and roll on their tips
        let share = same(&known, &found.contacts);
        assert!(share > 0.88, "{}: {share:.3} of the frames as they were made", take.name);
    }
}

/// Captured clips in which nobody walks: dancing, squatting on the toes, hanging, lifting a box, jumping on the spot, or a simulation that falls.
const NO_WALKS: [&str; 9] = [
    "05_02",
    "22_14",
    "43_02",
    "75_09",
    "83_54",
    "115_06",
    "16_01",
    "sync_wd2_WalkSameSame01",
    "tracking_wd2_WalkSameSame01",
];
/// Captured clips with flights.
const FLIGHTS: [(&str, core::ops::RangeInclusive<usize>); 9] = [
    ("09_01", 3..=3),
    ("16_35", 3..=3),
    ("104_06", 4..=4),
    ("16_01", 1..=1),
    ("16_09", 1..=1),
    ("75_09", 1..=1),
    ("83_54", 1..=1),
    ("wd2_short_broad_jump", 1..=1),
    ("120_02", 4..=6),
];

#[test]
fn captured_walks_are_walks_and_runs_fly() {
    let Some(folder) = shared::mocap() else { return };
    let mut wrong = Vec::new();
    for file in shared::clips(&folder) {
        let take = shared::read(&file).take;
        let (found, name) = (find(&take), take.name.as_str());
        let gait = Gait::of(&found.contacts, take.rate);
        if let Some((_, flights)) = FLIGHTS.iter().find(|(n, _)| *n == name) {
            if !flights.contains(&found.flights.len()) {
                wrong.push(format!("{name}: flights {:?}", found.flights));
            }
            continue;
        }
        if NO_WALKS.contains(&name) {
            continue;
        }
        if !found.flights.is_empty() || gait.flights > 0 {
            wrong.push(format!("{name}: {} flights", gait.flights));
        }
        let (least, most) = match name {
            // marching with knees held up: one foot has left, at 0.3 m/s and more, while the other is still 6 to 16 cm high
            "138_01" => (0.52, 0.70),
            // sneaking: swings of half a second in steps of 1.2 s
            "120_08" => (0.55, 0.80),
            // stairs, terrain, turns on the spot
            "14_21" | "36_01" | "wd2_u-turn_1" => (0.55, 0.76),
            _ => (0.55, 0.70),
        };
        for share in gait.down_in_cycles.into_iter().flatten() {
            if !(least..=most).contains(&share) {
                wrong.push(format!("{name}: down {:?} of its gait cycles", gait.down_in_cycles));
            }
        }
        let again = repeated(&take, &found.contacts);
        let stops = STEPS_TWICE.iter().any(|n| name.starts_with(n));
        if gait.repeated_landings > 0 && !stops {
            wrong.push(format!("{name}: {} landings do not alternate", gait.repeated_landings));
        }
        // a landing of the other foot that was missed would have brought it elsewhere
        wrong.extend(again.iter().filter(|(_, moved)| *moved > 0.04).map(|(k, moved)| {
            format!("{name}: the foot that stands before frame {k} moved by {moved:.3} m")
        }));
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Clips in which people take two steps with one foot while the other stands: they turn on the spot, change from one side to the other, or
/// stop and start with the foot with which they stopped.
const STEPS_TWICE: [&str; 5] = ["113_18", "14_21", "wd2_u-turn", "woddy2_walk", "woody2_walk"];

/// Landings of a foot that landed last, and how far the stillest point of the other foot was moved meanwhile, m.
fn repeated(take: &Take, contacts: &FootContacts) -> Vec<(usize, f64)> {
    let tracks = FootTracks::of_take(take).unwrap();
    let lands = |side: Side| contacts.stances(side).into_iter().map(move |s| (s.start, side));
    let mut order: Vec<(usize, Side)> =
        Side::BOTH.into_iter().flat_map(lands).filter(|(k, _)| *k > 0).collect();
    order.sort_unstable_by_key(|(k, side)| (*k, *side as usize));
    let twice = order.windows(2).filter(|w| w[0].1 == w[1].1);
    let moved = |w: &[(usize, Side)]| {
        let other = 1 - w[0].1 as usize;
        // from when the foot leaves to when it lands again
        let stances = contacts.stances(w[0].1);
        let left = stances.iter().find(|s| s.contains(&w[0].0)).map_or(w[0].0, |s| s.end);
        let way = |points: &[Vec3]| {
            let from = points[left];
            points[left..=w[1].0].iter().map(|p| (p - from).xy().norm()).fold(0.0, f64::max)
        };
        (w[1].0, way(&tracks.heel[other]).min(way(&tracks.toe[other])))
    };
    twice.map(moved).collect()
}

#[test]
fn disturbed_captures_keep_their_contacts() {
    let Some(folder) = shared::mocap() else { return };
    let mut wrong = Vec::new();
    for file in shared::clips(&folder) {
        let take = shared::read(&file).take;
        let name = take.name.as_str();
        if NO_WALKS.contains(&name) || name == "120_02" || take.duration() > 30.0 {
            continue;
        }
        let (share, by, flights) = steadiness(&take);
        if !(share >= 0.97 && flights) {
            wrong.push(format!("{name}: {share:.4} with {by}, flights {flights}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn contacts_go_through_files() {
    let human = human();
    let mut clip = motions::load("start", &human).unwrap();
    // as on stairs, with a level that has no short decimal form
    let contacts = clip.contacts.as_mut().unwrap();
    for side in Side::BOTH {
        for stance in contacts.stances(side).into_iter().skip(1) {
            contacts.level[side as usize][stance].fill(0.1 + 0.2);
        }
    }
    let known = clip.contacts.clone();
    let fragments = |contacts: &FootContacts, take: &Take| {
        segment(contacts, &FootTracks::of_take(take).unwrap(), &Thresholds::lee2010_walk())
    };
    let cut = fragments(clip.contacts.as_ref().unwrap(), &clip.to_take().unwrap());
    let folder = std::env::temp_dir().join(format!("sinew-contacts-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();

    let npz = folder.join("start.npz");
    recording::save(&npz, &clip).unwrap();
    assert_eq!(recording::load(&npz).unwrap().1.contacts, known);

    let file = folder.join("start.bvh");
    bvh::save(&file, &clip.to_take().unwrap(), &bvh::WriteOptions::default()).unwrap();
    let options = ImportOptions { drop_first_frame: Some(false), ..ImportOptions::default() };
    let again = bvh::read(&file, &options).unwrap();
    assert_eq!(again.take.contacts, known);
    // and so do the fragments that follow from them
    let states = |all: Vec<contacts::Fragment>| -> Vec<_> {
        all.into_iter().map(|f| (f.support, f.first, f.last)).collect()
    };
    let from_npz = recording::load(&npz).unwrap().1;
    let from_npz = fragments(from_npz.contacts.as_ref().unwrap(), &from_npz.to_take().unwrap());
    let from_bvh = fragments(again.take.contacts.as_ref().unwrap(), &again.take);
    let cut = states(cut);
    assert!(cut.len() > 3 && states(from_npz) == cut && states(from_bvh) == cut, "{cut:?}");
    let dropped = ImportOptions { drop_first_frame: Some(true), ..ImportOptions::default() };
    let shorter = known.as_ref().map(|c| c.range(1..c.len()));
    assert_eq!(bvh::read(&file, &dropped).unwrap().take.contacts, shorter);
    // and on to a body
    let fitted = fit(&again.take, &human, &FitOptions::default()).unwrap();
    assert_eq!(fitted.gait.landings, Gait::of(known.as_ref().unwrap(), clip.rate).landings);

    // contacts of another motion are left out, with a warning
    let cut = edit::cut(&clip, 0..=60).unwrap().to_take().unwrap();
    std::fs::write(&file, bvh::write(&cut, &bvh::WriteOptions::default()).unwrap()).unwrap();
    let other = bvh::read(&file, &options).unwrap();
    assert!(other.take.contacts.is_none() && other.report.warns(WarningKind::Contacts));
    std::fs::remove_dir_all(&folder).unwrap();

    let csv = sinew_motion::export::csv::clip(&clip, false);
    assert!(
        csv.lines().next().unwrap().ends_with(",contact right.heel,contact right.ball,contact right.level")
    );
}
