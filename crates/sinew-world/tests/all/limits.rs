//! The ranges of numbers, as `docs/limits.md` prints them, and the errors beyond them.

use sinew_dynamics::spatial::Vec3;
use sinew_world::{StepError, Terrain, World, range};

#[test]
fn the_documentation_lists_every_range() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/limits.md");
    let text = std::fs::read_to_string(file).expect("the page");
    let listed: Vec<&str> = text.lines().skip_while(|l| !l.starts_with("| number")).skip(2).collect();
    let listed: Vec<&str> = listed.into_iter().take_while(|l| l.starts_with('|')).collect();
    let row = |r: &range::Range| {
        let unit = if r.unit.is_empty() { "–" } else { r.unit };
        let least = if r.above { format!("above {}", r.least) } else { r.least.to_string() };
        format!("| {} | {unit} | {least} | {} |", r.of, r.most)
    };
    let wanted: Vec<String> = range::ALL.iter().map(row).collect();
    assert_eq!(listed, wanted, "docs/limits.md");
}

/// A body that is thrown beyond all measure ends the run with an error; nothing panics, and it stays where it was.
#[test]
fn bodies_that_fly_apart_end_the_run() {
    let human = sinew_dynamics::characters::load("human").expect("built in");
    let mut world = World::new(Terrain::flat());
    let me = world.add_character("human", human.into());
    let body = sinew_dynamics::BodyId(0);
    let before = world.actors()[me].q.clone();
    for impulse in [1e12, 1e20, 1e200, f64::MAX] {
        let mut world = world.clone();
        world.push(sinew_world::Push::of_impulse(me, body, Vec3::zeros(), Vec3::x() * impulse, 0.2, 1e-3));
        match world.step(&[]) {
            Err(StepError::TooFast { step: 0, value, .. }) => assert!(value.abs() > 1e7),
            Err(StepError::NotFinite { step: 0, .. }) => {}
            other => panic!("{impulse:e}: {other:?}"),
        }
        assert_eq!(world.actors()[me].q, before);
    }
}
