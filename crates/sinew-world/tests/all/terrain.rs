//! Tests of the terrain: heights, distances against dense samples, no ghosts, generated courses.

mod courses;
mod distances;
mod ghosts;
mod heights;
mod stairs;

use sinew_dynamics::spatial::Vec3;
use sinew_dynamics::{Shape, spatial::Placement};
use sinew_world::terrain::{Ground, GroundTouch, Piece, Terrain};

/// A terrain of pieces with friction 1.
fn of(grounds: Vec<Ground>) -> Terrain {
    Terrain::new(grounds.into_iter().map(|g| Piece::new(g, 1.0)).collect()).unwrap()
}

fn touches(terrain: &Terrain, shape: &Shape, at: &Placement, margin: f64) -> Vec<GroundTouch> {
    let mut out = Vec::new();
    terrain.touch(shape, at, margin, &mut out);
    out
}

fn deepest(all: &[GroundTouch]) -> Option<f64> {
    all.iter().map(|t| t.touch.distance).min_by(f64::total_cmp)
}

fn at(x: f64, y: f64, z: f64) -> Placement {
    Placement { pos: Vec3::new(x, y, z), ..Placement::identity() }
}
