//! Scenes about a character.

use super::figure::Figure;
use super::things::{CARDBOARD, barbell as barbell_of, free, rod, seesaw as seesaw_of};
use super::{SceneError, Stage};
use crate::attachment::Attachment;
use crate::push::Push;
use crate::terrain::{Ground, Piece, Terrain};
use crate::world::World;
use sinew_dynamics::spatial::{Placement, Quat, Vec3, rotation};
use sinew_dynamics::{BodyId, Model, Role, Shape};
use std::sync::Arc;

/// Stiffness of characters that hold a posture, N·m/rad.
pub(super) const STIFF: f64 = 4000.0;

/// Adds a figure and lets its limbs collide.
pub(super) fn add(world: &mut World, figure: &Figure) -> usize {
    let me = world.add_character(figure.model.name(), Arc::clone(&figure.model));
    let actor = world.actor_mut(me);
    actor.q.clone_from(&figure.q);
    actor.enable_self_collision();
    me
}

pub(super) fn terrain(pieces: impl IntoIterator<Item = (Ground, f64)>) -> Terrain {
    let pieces = pieces.into_iter().map(|(ground, friction)| Piece::new(ground, friction)).collect();
    Terrain::new(pieces).expect("grounds of fixed sizes are valid")
}

pub(super) fn ragdoll(character: &Arc<Model>) -> Result<Stage, SceneError> {
    let mut world = World::new(Terrain::flat());
    let figure = Figure::new(character)?.stand(Vec3::new(0.0, 0.0, 0.3), Quat::identity());
    let me = add(&mut world, &figure);
    let v = figure.root.1;
    world.actor_mut(me).v[v..v + 6].copy_from_slice(&[2.0, 0.3, 0.0, 0.0, 1.0, 0.5]);
    Ok(Stage::new(world, me))
}

pub(super) fn stairs(character: &Arc<Model>) -> Result<Stage, SceneError> {
    let (steps, rise) = (10, 0.17);
    let top = rise * steps as f64;
    let mut world = World::new(terrain([
        (Ground::Plane { height: 0.0 }, 0.8),
        (
            Ground::Ledge {
                start: Vec3::new(-1.5, 0.0, 0.0),
                heading: 0.0,
                length: 1.8,
                width: 2.0,
                height: top,
            },
            0.8,
        ),
        (
            Ground::Stairs {
                start: Vec3::new(0.3, 0.0, top),
                heading: 0.0,
                width: 2.0,
                run: 0.28,
                rise: -rise,
                steps: steps - 1,
                landing: 0.0,
            },
            0.4,
        ),
    ]));
    let figure = Figure::new(character)?.stand(Vec3::new(0.0, 0.0, top + 0.01), Quat::identity());
    let me = add(&mut world, &figure);
    let v = figure.root.1;
    world.actor_mut(me).v[v..v + 6].copy_from_slice(&[1.6, 0.15, 0.0, 0.0, 0.8, 0.3]);
    Ok(Stage::new(world, me))
}

pub(super) fn stand(character: &Arc<Model>) -> Result<Stage, SceneError> {
    let mut world = World::new(Terrain::flat());
    let figure = Figure::new(character)?.ready().stand(Vec3::zeros(), Quat::identity());
    let me = add(&mut world, &figure);
    let trunk = figure.model.role(Role::Trunk).unwrap_or(BodyId(0));
    let dt = world.settings.dt;
    world.push(Push::of_impulse(me, trunk, Vec3::zeros(), Vec3::new(4.0, 0.0, 0.0), 0.2, dt));
    Ok(Stage::new(world, me).hold(me, STIFF))
}

pub(super) fn slide(character: &Arc<Model>) -> Result<Stage, SceneError> {
    // down along x; it slides when the slope is steeper than its friction
    let (pitch, friction) = (0.25, 0.05);
    let slope = Ground::Slope { through: Vec3::zeros(), heading: 0.0, pitch: -pitch };
    let mut world = World::new(terrain([(slope, friction)]));
    let across = rotation::exp(&(Vec3::y() * pitch));
    let figure = Figure::new(character)?.ready().stand(Vec3::zeros(), across);
    let me = add(&mut world, &figure);
    Ok(Stage::new(world, me).hold(me, STIFF))
}

pub(super) fn seesaw(character: &Arc<Model>) -> Result<Stage, SceneError> {
    let (half, pivot, seat) = (Vec3::new(2.0, 0.3, 0.03), 0.5, 1.5);
    let stand = Ground::Box {
        half: Vec3::new(0.12, 0.3, 0.21),
        at: Placement { pos: Vec3::new(0.0, 0.0, 0.21), ..Placement::identity() },
    };
    let mut world = World::new(terrain([(Ground::Plane { height: 0.0 }, 0.8), (stand, 0.8)]));
    let top = pivot + half.z;
    let figure = Figure::new(character)?.ready().stand(Vec3::new(-seat, 0.0, top), Quat::identity());
    let me = add(&mut world, &figure);
    world.add_object("seesaw", seesaw_of(half, 25.0, 0.05, Vec3::new(0.0, 0.0, pivot)));
    // a box of the same weight keeps the balance until another one drops beside it
    let edge = 0.2;
    let cube = |mass, z| {
        let at = Vec3::new(seat, 0.0, z);
        free("box", Shape::Box { half: Vec3::new(edge, edge, edge) }, mass, 0.9, CARDBOARD, at)
    };
    world.add_object("weight", cube(figure.model.mass(), top + edge));
    world.add_object("drop", cube(8.0, top + 0.8));
    Ok(Stage::new(world, me).hold(me, STIFF))
}

pub(super) fn bar(character: &Arc<Model>) -> Result<Stage, SceneError> {
    let mut world = World::new(Terrain::flat());
    let figure = Figure::new(character)?.raise_arms(2.9)?.stand(Vec3::new(0.0, 0.0, 0.5), Quat::identity());
    let hands = figure.hands()?;
    let me = add(&mut world, &figure);
    // the bar: a body of its own, welded to the world
    let middle = 0.5 * (hands[0].2 + hands[1].2);
    let bar = world.add_object("bar", rod(0.7, 8.0, middle));
    world.attach(Attachment {
        a: (bar, BodyId(0)),
        point_a: Vec3::zeros(),
        b: None,
        point_b: middle,
        orientation: Some(Quat::identity()),
    });
    for (body, palm, at) in hands {
        let (a, b) = ((me, body), Some((bar, BodyId(0))));
        world.attach(Attachment { a, point_a: palm, b, point_b: at - middle, orientation: None });
    }
    // the whole body swings about the bar
    let (q, v) = figure.root;
    let root = Vec3::from_column_slice(&figure.q[q..q + 3]);
    let spin = Vec3::new(0.0, -1.8, 0.0);
    let velocity = spin.cross(&(root - middle));
    world.actor_mut(me).v[v..v + 6]
        .copy_from_slice(&[velocity.x, velocity.y, velocity.z, spin.x, spin.y, spin.z]);
    Ok(Stage::new(world, me))
}

pub(super) fn barbell(character: &Arc<Model>) -> Result<Stage, SceneError> {
    let mut world = World::new(Terrain::flat());
    let figure = Figure::new(character)?.ready().raise_arms(0.25)?.stand(Vec3::zeros(), Quat::identity());
    let hands = figure.hands()?;
    let me = add(&mut world, &figure);
    let middle = 0.5 * (hands[0].2 + hands[1].2);
    let barbell = world.add_object("barbell", barbell_of(5.0, 2.5, middle));
    for (body, palm, at) in hands {
        let (a, b) = ((me, body), Some((barbell, BodyId(0))));
        world.attach(Attachment { a, point_a: palm, b, point_b: at - middle, orientation: None });
    }
    Ok(Stage::new(world, me).hold(me, STIFF))
}
