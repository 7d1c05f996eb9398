//! Feet on the ground: stances, skate, footsteps and the centre of pressure.

use super::Params;
use super::hull::{Point, convex_hull, margin};
use super::parts::Part;
use crate::ContactForce;
use sinew_dynamics::spatial::Vec3;
use sinew_dynamics::{BodyId, Data, Model};

/// Figures of the feet so far.
#[derive(Clone, Debug)]
pub(super) struct Feet {
    feet: [Foot; 2],
    pub(super) footsteps: usize,
    /// Finished stances: number, sum and greatest of their skate, m.
    stances: (usize, f64, f64),
    /// Steps with a support polygon, sum and least of the margin, m.
    margins: (usize, f64, f64),
    points: Vec<Point>,
    hull: Vec<Point>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Foot {
    loaded: bool,
    /// When it last landed and lifted off, s; `None`: it has not yet.
    landed: f64,
    lifted: Option<f64>,
    skate: f64,
    /// Of this step: load, and load times slip velocity.
    load: f64,
    slip: Vec3,
}

impl Feet {
    pub(super) fn new() -> Feet {
        // room for the points of two feet of many shapes
        let room = || Vec::with_capacity(256);
        let feet = [Foot::default(); 2];
        Feet {
            feet,
            footsteps: 0,
            stances: (0, 0.0, 0.0),
            margins: (0, 0.0, f64::INFINITY),
            points: room(),
            hull: room(),
        }
    }

    /// Takes a step; `data` holds the velocities at its beginning.
    pub(super) fn step(
        &mut self,
        model: &Model,
        data: &Data,
        parts: &[Part],
        contacts: &[ContactForce],
        (time, dt, weight): (f64, f64, f64),
        params: &Params,
    ) {
        self.points.clear();
        let (mut load, mut pressure) = (0.0, [0.0; 2]);
        for foot in &mut self.feet {
            (foot.load, foot.slip) = (0.0, Vec3::zeros());
        }
        for contact in contacts.iter().filter(|c| c.other.is_none()) {
            let Part::Foot(side) = parts[contact.body] else { continue };
            let foot = &mut self.feet[side];
            let normal = contact.force.dot(&contact.normal).max(0.0);
            let velocity = data.point_velocity(model, BodyId(contact.body), &contact.point);
            foot.load += normal;
            foot.slip += (velocity - contact.normal * velocity.dot(&contact.normal)) * normal;
            let up = contact.force.z.max(0.0);
            load += up;
            pressure[0] += up * contact.point.x;
            pressure[1] += up * contact.point.y;
            if contact.distance < params.reach {
                self.points.push([contact.point.x, contact.point.y]);
            }
        }
        for side in 0..2 {
            self.stance(side, (time, dt, weight), params);
        }
        convex_hull(&mut self.points, &mut self.hull);
        // an edge or a corner of a sole has no area
        if load > params.loaded * weight && self.hull.len() > 2 {
            let m = margin(&self.hull, &pressure.map(|p| p / load));
            self.margins = (self.margins.0 + 1, self.margins.1 + m, self.margins.2.min(m));
        }
    }

    /// Landings, lift-offs and the slip in between.
    fn stance(&mut self, side: usize, (time, dt, weight): (f64, f64, f64), params: &Params) {
        let foot = &mut self.feet[side];
        let loaded = foot.load > params.loaded * weight;
        match (foot.loaded, loaded) {
            (false, true) => {
                let flew = foot.lifted.is_some_and(|t| time - t >= params.swing);
                self.footsteps += usize::from(flew);
                (foot.landed, foot.skate) = (time, 0.0);
            }
            (true, true) => foot.skate += dt * foot.slip.norm() / foot.load,
            (true, false) => {
                foot.lifted = Some(time);
                if time - foot.landed >= params.short {
                    self.stances = add(self.stances, foot.skate);
                }
            }
            (false, false) => {}
        }
        foot.loaded = loaded;
    }

    /// Mean and worst skate per stance, m; stances that still last count.
    pub(super) fn skate(&self, now: f64, params: &Params) -> (f64, f64) {
        let lasting = self.feet.iter().filter(|f| f.loaded && now - f.landed >= params.short);
        let (n, sum, worst) = lasting.fold(self.stances, |all, foot| add(all, foot.skate));
        (if n > 0 { sum / n as f64 } else { 0.0 }, worst)
    }

    /// Mean and least margin of the centre of pressure, m.
    pub(super) fn margin(&self) -> Option<(f64, f64)> {
        let (n, sum, least) = self.margins;
        (n > 0).then(|| (sum / n as f64, least))
    }
}

fn add((n, sum, worst): (usize, f64, f64), skate: f64) -> (usize, f64, f64) {
    (n + 1, sum + skate, worst.max(skate))
}
