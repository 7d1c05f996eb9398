//! Motion graphs and the reference queue.

use crate::common::{clip_of, gap, human};
use sinew_dynamics::spatial::{Vec3, rotation};
use sinew_motion::contacts::Support;
use sinew_motion::graph::{MotionGraph, PlanParams, QueueError, ReferenceQueue, Wish};
use sinew_motion::{FootContacts, motions};

fn walks() -> MotionGraph {
    let human = human();
    let mut graph = MotionGraph::default();
    for name in [
        "walk",
        "walk-slow",
        "turn-left-45",
        "turn-right-45",
        "turn-left-90",
        "turn-right-90",
        "start",
        "stop",
    ] {
        graph.add(&motions::load(name, &human).unwrap(), name, name.starts_with("walk"));
    }
    graph.connect(0.12);
    graph
}

#[test]
fn fragments_are_half_steps_and_fit_where_they_join() {
    let graph = walks();
    assert_eq!(graph.nodes()[0].style, "walk");
    let walk: Vec<_> = graph.nodes().iter().filter(|n| n.style == "walk").collect();
    assert!(walk.iter().all(|n| n.support == Support::LeftSwing || n.support == Support::RightSwing));
    for (from, node) in graph.nodes().iter().enumerate() {
        for edge in graph.edges(from) {
            let next = &graph.nodes()[edge.to];
            assert!(edge.cost < 0.12 && (next.support != node.support || node.support == Support::Double));
        }
    }
    // a turn leaves from the walk and comes back to it
    let leads = |a: &str, b: &str| {
        (0..graph.nodes().len()).any(|i| {
            graph.nodes()[i].style == a && graph.edges(i).iter().any(|e| graph.nodes()[e.to].style == b)
        })
    };
    assert!(
        leads("walk", "turn-left-90")
            && leads("turn-left-90", "walk")
            && leads("start", "walk")
            && leads("walk", "stop")
    );
}

#[test]
fn plans_turn_to_the_wish_and_are_the_same_every_time() {
    let graph = walks();
    let params = PlanParams { horizon: 4.0, ..PlanParams::default() };
    for degrees in [-90.0f64, -45.0, 0.0, 45.0, 90.0] {
        let wish = Wish { turn: degrees.to_radians(), speed: 1.2, style: None };
        let plan = graph.plan(0, &wish, &params);
        assert!(
            plan.complete && (plan.turn.to_degrees() - degrees).abs() < 16.0,
            "{degrees}: {}",
            plan.turn.to_degrees()
        );
        assert_eq!(plan, graph.plan(0, &wish, &params));
    }
    let slow = graph.plan(0, &Wish { turn: 0.0, speed: 0.7, style: Some("walk-slow".into()) }, &params);
    assert_eq!(graph.nodes()[*slow.nodes.last().unwrap()].style, "walk-slow");
}

/// A queue of two fragments at 30 Hz: one joint of the left leg moves with 1 rad/s, the right leg stands and moves too.
fn two_fragments() -> (ReferenceQueue, std::sync::Arc<sinew_dynamics::Model>) {
    let human = human();
    let at = |name: &str| human.joints()[human.joint(name).unwrap().0].q;
    let (left, right, elbow) = (at("knee_l"), at("knee_r"), at("elbow_l"));
    let mut clip = clip_of(&human, 30.0, 42, |t| {
        let mut q = human.neutral();
        (q[0], q[left], q[right], q[elbow]) = (0.9 * t, t, 0.1 + t, t);
        q
    });
    let mut contacts = FootContacts::none(42);
    contacts.heel[1] = (0..42).map(|k| k <= 21).collect();
    contacts.heel[0] = (0..42).map(|k| k >= 21).collect();
    clip.contacts = Some(contacts);
    let mut graph = MotionGraph::default();
    let nodes = graph.add(&clip, "test", false);
    let mut queue = ReferenceQueue::new(&human);
    nodes.for_each(|n| queue.push(&graph.nodes()[n]));
    (queue, human)
}

#[test]
fn a_late_landing_extends_all_but_the_standing_leg() {
    // spec T16: 1 rad/s for six frames is 0.2 rad
    let (mut queue, human) = two_fragments();
    let at = |name: &str| human.joints()[human.joint(name).unwrap().0].q;
    let (_, last) = queue.present().unwrap();
    assert_eq!(queue.fragment(0).unwrap().0, Support::LeftSwing);
    let before = queue.stitched(last - 1).unwrap().to_vec();
    let end = queue.last();
    (0..6).for_each(|_| queue.extend().unwrap());
    assert_eq!((queue.present().unwrap().1, queue.last()), (last + 6, end + 6));
    let after = queue.stitched(last + 5).unwrap();
    for (joint, moves) in [("knee_l", 0.2), ("elbow_l", 0.2), ("knee_r", 0.0)] {
        let from = if moves == 0.0 { 1.0 / 30.0 } else { 0.0 }; // the last own frame still moves
        assert!((after[at(joint)] - before[at(joint)] - moves - from).abs() < 1e-12, "{joint}");
    }
    assert!((after[0] - before[0] - 0.9 * 0.2).abs() < 1e-12);
    assert_eq!(queue.phase(last + 6), 1.0);
}

#[test]
fn an_early_landing_warps_the_next_fragment() {
    // spec T3 on the queue: 0.4 rad about x at the landing fade over the fragment
    let (mut queue, human) = two_fragments();
    let shoulder = human.joints()[human.joint("shoulder_r").unwrap().0].q;
    let (_, last) = queue.present().unwrap();
    let frame = last - 4;
    let mut target = queue.stitched(frame).unwrap().to_vec();
    let turn = rotation::exp(&Vec3::new(0.4, 0.0, 0.0));
    target[shoulder..shoulder + 4].copy_from_slice(&[turn.w, turn.i, turn.j, turn.k]);
    queue.next(frame, &target).unwrap();
    let (first, last) = queue.present().unwrap();
    assert_eq!(first, frame);
    assert!(gap(&human, queue.stitched(first).unwrap(), &target) < 1e-12);
    for (share, angle) in [(0.0, 0.4), (0.25, 0.3375), (0.5, 0.2), (0.75, 0.0625), (1.0, 0.0)] {
        let k = first as f64 + share * (last - first) as f64;
        if k.fract() == 0.0 {
            let q = queue.stitched(k as usize).unwrap();
            assert!((2.0 * q[shoulder + 1].asin() - angle).abs() < 1e-12);
        }
    }
    // the untouched stream goes on without a jump of place
    let (a, b) = (queue.segment(first).unwrap()[0], queue.segment(first + 1).unwrap()[0]);
    assert!((b - a - 0.03).abs() < 1e-12);
    assert_eq!(queue.next(last, &target), Err(QueueError::Empty));
}
