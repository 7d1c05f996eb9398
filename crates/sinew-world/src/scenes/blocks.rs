//! Scenes with many objects.

use super::acts::{STIFF, add};
use super::figure::Figure;
use super::things::{CARDBOARD, RUBBER, ball_on_rope, free};
use super::{SceneError, Stage};
use crate::attachment::Attachment;
use crate::terrain::Terrain;
use crate::world::World;
use sinew_dynamics::spatial::{Quat, Vec3, rotation};
use sinew_dynamics::{BodyId, Model, Shape};
use std::sync::Arc;

pub(super) fn boxes(character: &Arc<Model>) -> Result<Stage, SceneError> {
    let mut world = World::new(Terrain::flat());
    let figure = Figure::new(character)?.ready().stand(Vec3::zeros(), Quat::identity());
    let me = add(&mut world, &figure);
    world.actor_mut(me).v[figure.root.1] = 2.5;
    let half = Vec3::new(0.2, 0.2, 0.15);
    for (row, column) in (0..5).flat_map(|row| (0..3).map(move |column| (row, column))) {
        let at = Vec3::new(0.9, 0.42 * (column as f64 - 1.0), half.z * (2.0 * row as f64 + 1.0));
        world.add_object(
            format!("box {row}{column}"),
            free("box", Shape::Box { half }, 3.0, 0.6, CARDBOARD, at),
        );
    }
    Ok(Stage::new(world, me).hold(me, 0.05 * STIFF))
}

pub(super) fn wrecking(_: &Arc<Model>) -> Result<Stage, SceneError> {
    let mut world = World::new(Terrain::flat());
    // the ball hangs at `low` when its rope is plumb, and begins drawn back by an angle
    let (radius, rope, low) = (0.25, 3.0, Vec3::new(0.0, 0.0, 0.6));
    let back = rotation::exp(&(Vec3::y() * 0.9));
    let pivot = low + Vec3::z() * rope;
    let at = pivot - back * Vec3::new(0.0, 0.0, rope);
    let ball = world.add_character("ball", ball_on_rope(radius, 40.0, rope, at, back));
    world.attach(Attachment {
        a: (ball, BodyId(0)),
        point_a: Vec3::new(0.0, 0.0, rope),
        b: None,
        point_b: pivot,
        orientation: None,
    });
    let half = Vec3::new(0.2, 0.2, 0.15);
    for row in 0..5 {
        for k in 0..5 - row {
            let y = 2.1 * half.y * (k as f64 - 0.5 * (4 - row) as f64);
            let at = Vec3::new(radius + half.x, y, half.z * (2 * row + 1) as f64);
            world.add_object(
                format!("box {row}{k}"),
                free("box", Shape::Box { half }, 4.0, 0.6, CARDBOARD, at),
            );
        }
    }
    Ok(Stage::new(world, ball))
}

pub(super) fn balls(character: &Arc<Model>) -> Result<Stage, SceneError> {
    let mut world = World::new(Terrain::flat());
    world.configure(|s| s.restitution = 0.6);
    let figure = Figure::new(character)?.ready().stand(Vec3::zeros(), Quat::identity());
    let me = add(&mut world, &figure);
    for k in 0..48 {
        // spread evenly over a disc by the golden angle, one after the other
        let (turn, reach) = (2.399_963 * k as f64, 0.12 * (k as f64).sqrt());
        let (c, s) = rotation::cos_sin(turn);
        let at = Vec3::new(reach * c, reach * s, 2.5 + 0.12 * k as f64);
        let shape = Shape::Sphere { radius: 0.06 + 0.01 * (k % 4) as f64 };
        world.add_object(format!("ball {k}"), free("ball", shape, 0.2, 0.6, RUBBER, at));
    }
    Ok(Stage::new(world, me).hold(me, STIFF))
}
