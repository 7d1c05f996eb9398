//! How much of a sole is over the ground: a foot that lands on an edge hangs in the air with the rest of it.

use crate::Observation;
use crate::whole_body::{Kinetics, Sole};
use sinew_dynamics::spatial::Vec3;

/// Share of the way from the middle of a sole to its rim up to which a contact is that of an edge under it: even ground touches the rim.
const INNER: f64 = 0.8;

/// The part of a sole that the ground was felt under, as a rectangle: ±1 is the rim.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Footing {
    /// Heel to toe, and right to left.
    along: [f64; 2],
    across: [f64; 2],
}

impl Footing {
    /// What contacts say; `None` when none of them is at an edge under the sole.
    pub(crate) fn felt(sole: &Sole, k: &Kinetics, seen: &Observation<'_>, upward: f64) -> Option<Footing> {
        let place = k.placement(sole.body).inverse();
        let (forward, left) = axes(sole);
        let mut edge = false;
        let mut found = Footing { along: [1.0, -1.0], across: [1.0, -1.0] };
        for c in seen.contacts.iter().filter(|c| sole.owns(c.body) && c.normal.z > upward) {
            let d = place.act(&c.point) - sole.center;
            let share = |half: &Vec3| (d.dot(half) / half.norm_squared()).clamp(-1.0, 1.0);
            let (u, w) = (share(&forward), share(&left));
            edge |= u.abs() < INNER || w.abs() < INNER;
            found.along = [found.along[0].min(u), found.along[1].max(u)];
            found.across = [found.across[0].min(w), found.across[1].max(w)];
        }
        edge.then_some(found)
    }

    /// The corners of a sole, drawn in to the part that carries.
    pub(crate) fn corners(&self, sole: &Sole) -> [Vec3; 4] {
        let (forward, left) = axes(sole);
        let ([heel, toe], [right, left_end]) = (self.along, self.across);
        [(toe, left_end), (toe, right), (heel, left_end), (heel, right)]
            .map(|(u, w)| sole.center + forward * u + left * w)
    }
}

/// From the middle of a sole to its toe and to its left rim.
fn axes(sole: &Sole) -> (Vec3, Vec3) {
    let [toe_left, toe_right, heel_left, heel_right] = sole.corners;
    (
        (toe_left + toe_right - heel_left - heel_right) * 0.25,
        (toe_left + heel_left - toe_right - heel_right) * 0.25,
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_dynamics::{Side, characters};
    use sinew_world::{ContactForce, Terrain};
    use std::sync::Arc;

    /// A foot whose front half is over the ground: what carries ends at the edge; a foot that touches with its rim has no edge under it.
    #[test]
    fn a_foot_on_an_edge_carries_up_to_it() {
        let human = Arc::new(characters::load("human").unwrap());
        let sole = Sole::of(&human, Side::Left).unwrap();
        let mut k = Kinetics::new(human.clone());
        let (q, v, terrain) = (human.neutral(), vec![0.0; human.nv()], Terrain::flat());
        k.update(&q, &v);
        let (forward, left) = axes(&sole);
        let touching = |places: &[(f64, f64)]| -> Vec<ContactForce> {
            let point = |&(u, w): &(f64, f64)| k.point(sole.body, &(sole.center + forward * u + left * w)).0;
            let touch = |point: Vec3| ContactForce {
                body: sole.body.0,
                other: None,
                point,
                force: Vec3::z() * 100.0,
                normal: Vec3::z(),
                distance: 0.0,
                friction: 1.0,
            };
            places.iter().map(|p| touch(point(p))).collect()
        };
        let felt = |contacts: &[ContactForce]| {
            let seen = Observation::alone(&human, (0.0, 1e-3), (&q, &v), contacts, &terrain);
            Footing::felt(&sole, &k, &seen, 0.7)
        };
        assert!(felt(&touching(&[(1.0, 1.0), (1.0, -1.0)])).is_none());
        let half = touching(&[(1.0, 1.0), (1.0, -1.0), (0.0, 1.0), (0.0, -1.0)]);
        let corners = felt(&half).unwrap().corners(&sole);
        for (corner, (u, w)) in corners.iter().zip([(1.0, 1.0), (1.0, -1.0), (0.0, 1.0), (0.0, -1.0)]) {
            assert!((corner - (sole.center + forward * u + left * w)).norm() < 1e-9, "{corner}");
        }
    }
}
