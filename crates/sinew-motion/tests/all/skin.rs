//! The skin of a character: its size, and that its inside is not seen.

use crate::common::human;
use sinew_dynamics::spatial::{Placement, Vec3};
use sinew_dynamics::{BodyId, Data, Model, forward_kinematics};
use sinew_motion::skin::Skin;
use std::collections::BTreeMap;

/// Sheets of skin nearer than this lie on each other, m.
const SHEETS: f64 = 2e-3;
/// No triangle is larger, m.
const REACH: f64 = 0.06;

/// As tall and as large as the character, triangles and normals outwards.
#[test]
fn the_skin_is_a_body() {
    let skin = Skin::grow(&human(), 100);
    let all = || skin.patches.iter().flat_map(|p| &p.positions);
    let high = all().fold(0.0, |top: f64, p| top.max(p.z));
    let low = all().fold(1.0, |bottom: f64, p| bottom.min(p.z));
    assert!((high - 1.75).abs() < 0.02 && low.abs() < 2e-3, "{low} {high}");
    let mut volume = 0.0;
    for patch in &skin.patches {
        assert!(patch.normals.iter().all(|n| (n.norm() - 1.0).abs() < 1e-9));
        assert!(patch.weights.iter().all(|w| (w.iter().sum::<f64>() - 1.0).abs() < 1e-12));
        for t in &patch.triangles {
            let [a, b, c] = t.map(|v| patch.positions[v as usize]);
            volume += a.dot(&b.cross(&c)) / 6.0;
        }
    }
    // 76 kg of a body a little denser than water, and balls inside the joints, which count twice
    assert!((0.06..0.10).contains(&volume), "{volume} m³");
}

/// Arms raised, a step, elbows and knees bent: wherever the surface has an edge, whoever looks at it sees an outside.
#[test]
fn the_inside_of_the_skin_is_not_seen() {
    let model = human();
    let mut q = model.neutral();
    let mut step = vec![0.0; model.nv()];
    let mut turn = |joint: &str, by: [f64; 3]| {
        let info = model.joints().iter().find(|j| j.name == joint).expect("a joint of the human");
        let size = if joint.contains("elbow") || joint.contains("knee") { 1 } else { 3 };
        step[info.v..info.v + size].copy_from_slice(&by[..size]);
    };
    turn("shoulder_l", [1.0, -0.3, 0.0]);
    turn("shoulder_r", [-0.6, -0.6, 0.0]);
    turn("elbow_l", [1.2, 0.0, 0.0]);
    turn("hip_l", [0.2, -0.6, 0.0]);
    turn("hip_r", [-0.1, 0.3, 0.0]);
    turn("knee_l", [0.9, 0.0, 0.0]);
    model.integrate(&model.neutral(), &step, &mut q);
    let skin = Skin::grow(&model, 120);
    let (triangles, edges) = (posed(&skin, &model, &q), open_edges(&skin));
    let directions: Vec<Vec3> = (0..40)
        .map(|k| {
            // evenly over the sphere, by the golden angle
            let (z, around) = (1.0 - (2 * k + 1) as f64 / 40.0, 2.399_963 * k as f64);
            let r = (1.0 - z * z).sqrt();
            Vec3::new(r * around.cos(), r * around.sin(), z)
        })
        .collect();
    let (mut seen_inside, mut looked) = (0, 0);
    for (triangle, k) in edges {
        // a millimetre beyond the edge, where a neighbour is missing
        let [a, b, c] = [k, k + 1, k + 2].map(|k| triangles[triangle][k % 3]);
        let outwards = (b - a).cross(&(b - a).cross(&(c - a))).normalize();
        let beyond = 0.5 * (a + b) + outwards * 1e-3;
        for towards in &directions {
            looked += 1;
            let near = triangles.iter().filter(|t| (t[0] - beyond).cross(towards).norm() < REACH);
            // what is first on the way from far away
            let eye = beyond + towards * 3.0;
            let mut hits: Vec<_> = near.filter_map(|t| hit(t, &eye, &-towards)).collect();
            hits.sort_by(|a, b| a.0.total_cmp(&b.0));
            let Some(&(first, facing)) = hits.first() else { continue };
            // where two sheets lie on each other their edges show; what matters is a back without a front
            let covered = hits.iter().any(|(way, facing)| *facing > 0.0 && way - first < SHEETS);
            // grazing ones tell nothing
            seen_inside += usize::from(facing < -0.05 && !covered);
        }
    }
    assert!(looked > 1000, "the armpits have edges: {looked}");
    assert!(seen_inside * 500 <= looked, "{seen_inside} of {looked} looks see an inside");
}

/// Triangles of the skin in a configuration, by linear blend skinning.
fn posed(skin: &Skin, model: &Model, q: &[f64]) -> Vec<[Vec3; 3]> {
    let mut data = Data::new(model);
    forward_kinematics(model, &mut data, q);
    let rest = model.spec().reference_placements();
    let moved: Vec<Placement> =
        (0..rest.len()).map(|i| data.body_placement(model, BodyId(i)) * rest[i].inverse()).collect();
    let mut out = Vec::new();
    for patch in &skin.patches {
        let vertex = |v: u32| {
            let v = v as usize;
            let each = patch.bodies[v].iter().zip(&patch.weights[v]);
            each.map(|(body, weight)| moved[*body].act(&patch.positions[v]) * *weight).sum::<Vec3>()
        };
        out.extend(patch.triangles.iter().map(|t| t.map(vertex)));
    }
    out
}

/// Sides of triangles without a neighbour: triangle and corner, counted over all patches.
fn open_edges(skin: &Skin) -> Vec<(usize, usize)> {
    let mut sides: BTreeMap<_, (i32, (usize, usize))> = BTreeMap::new();
    let mut index = 0;
    for patch in &skin.patches {
        for t in &patch.triangles {
            // borders of colours have two vertices at one place
            let bits = t.map(|v| patch.positions[v as usize]).map(|p| [p.x, p.y, p.z].map(f64::to_bits));
            for k in 0..3 {
                let (from, to) = (bits[k], bits[(k + 1) % 3]);
                let side = sides.entry((from.min(to), from.max(to))).or_insert((0, (index, k)));
                side.0 += if from < to { 1 } else { -1 };
            }
            index += 1;
        }
    }
    sides.into_values().filter(|(passes, _)| *passes != 0).map(|(_, side)| side).collect()
}

/// Way along a ray to a triangle, and the cosine between its normal and the way back (Möller and Trumbore 1997).
fn hit([a, b, c]: &[Vec3; 3], eye: &Vec3, along: &Vec3) -> Option<(f64, f64)> {
    let (u, v) = (b - a, c - a);
    let p = along.cross(&v);
    let determinant = u.dot(&p);
    if determinant.abs() < 1e-14 {
        return None;
    }
    let t = eye - a;
    let x = t.dot(&p) / determinant;
    let q = t.cross(&u);
    let y = along.dot(&q) / determinant;
    if x < -1e-9 || y < -1e-9 || x + y > 1.0 + 1e-9 {
        return None;
    }
    Some((v.dot(&q) / determinant, -u.cross(&v).normalize().dot(along)))
}
