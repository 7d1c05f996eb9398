//! Puts a character in its initial state, on the ground.

use super::Beginning;
use crate::whole_body::Sole;
use crate::{ControlError, Start};
use sinew_dynamics::spatial::Vec3;
use sinew_dynamics::{Data, Model, Side, forward_kinematics};
use sinew_solve::sweep;
use sinew_world::World;
use std::sync::Arc;

pub(super) fn place(
    world: &mut World,
    actor: usize,
    start: Start,
    beginning: &Beginning,
) -> Result<(), ControlError> {
    let model = Arc::clone(world.actors()[actor].model());
    let Start { q: rest, v, on_ground } = start;
    let (mut q, mut v) = (rest.clone(), v);
    let root = model.free_root();
    if beginning.jitter != [0.0; 2] {
        let [place, speed] = beginning.jitter.map(|x| vec![(-x, x); model.nv()]);
        let random = sweep::latin_hypercube(&[place, speed].concat(), 1, beginning.seed);
        let (mut places, mut speeds) =
            (random[0].values[..model.nv()].to_vec(), random[0].values[model.nv()..].to_vec());
        // joints only: the root has the controller's initial state
        let free = root.map_or(0..0, |root| root.v..root.v + 6);
        places[free.clone()].fill(0.0);
        speeds[free].fill(0.0);
        model.integrate(&rest, &places, &mut q);
        v.iter_mut().zip(speeds).for_each(|(v, more)| *v += more);
    }
    if let Some(root) = root.filter(|_| on_ground) {
        let height = |p: &Vec3| beginning.floor.unwrap_or_else(|| world.terrain().height(p.x, p.y));
        q[root.q + 2] += lift(&model, &q, height)?;
    }
    let actor = world.actor_mut(actor);
    actor.q.copy_from_slice(&q);
    actor.v.copy_from_slice(&v);
    Ok(())
}

/// By how much to lift the body so that it stands on the ground: measured at its soles, or at its lowest point if it has none.
fn lift(model: &Model, q: &[f64], height: impl Fn(&Vec3) -> f64) -> Result<f64, ControlError> {
    let mut data = Data::new(model);
    forward_kinematics(model, &mut data, q);
    let Ok([left, right]) = Sole::of(model, Side::Left).and_then(|l| Ok([l, Sole::of(model, Side::Right)?]))
    else {
        let lowest = data.extent(model, &Vec3::z()).map_or(0.0, |[low, _]| low);
        return Ok(height(&Vec3::zeros()) - lowest);
    };
    let mut lift = f64::NEG_INFINITY;
    for sole in [left, right] {
        let at = data.body_placement(model, sole.body);
        let lack = sole.corners.iter().map(|c| at.act(c)).map(|p| height(&p) - p.z);
        lift = lack.fold(lift, f64::max);
    }
    Ok(lift)
}
