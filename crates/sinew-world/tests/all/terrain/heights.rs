//! Height and normal under a vertical line, in closed form; what is refused.

use super::{at, of, touches};
use sinew_dynamics::Shape;
use sinew_dynamics::spatial::{Placement, Vec3, rotation};
use sinew_world::terrain::{Ground, Heightfield, Piece, Terrain, TerrainError};

fn close(x: f64, y: f64) {
    assert!((x - y).abs() < 1e-12, "{x} is not {y}");
}

#[test]
fn planes_and_slopes() {
    let flat = Terrain::flat();
    assert_eq!((flat.height(3.0, -2.0), flat.normal(3.0, -2.0)), (0.0, Vec3::z()));
    let (heading, pitch) = (0.6, 0.3);
    let slope = of(vec![Ground::Slope { through: Vec3::new(1.0, 2.0, 0.5), heading, pitch }]);
    let (s, c) = libm::sincos(heading);
    // one metre along the heading rises by the tangent
    close(slope.height(1.0 + c, 2.0 + s) - 0.5, libm::tan(pitch));
    close(slope.height(1.0 - s, 2.0 + c), 0.5);
    let n = slope.normal(0.0, 0.0);
    let expected = Vec3::new(-libm::sin(pitch) * c, -libm::sin(pitch) * s, libm::cos(pitch));
    assert!((n - expected).norm() < 1e-12);
}

#[test]
fn stairs_up_and_down_with_a_heading() {
    for rise in [0.17, -0.17] {
        let (heading, start) = (2.1, Vec3::new(1.0, -1.0, 0.4));
        let stairs =
            of(vec![Ground::Stairs { start, heading, width: 2.0, run: 0.3, rise, steps: 6, landing: 0.5 }]);
        let (s, c) = libm::sincos(heading);
        for (along, level) in [(0.01, 1.0), (0.29, 1.0), (0.31, 2.0), (1.0, 4.0), (1.79, 6.0), (2.29, 6.0)] {
            for across in [-0.9, 0.0, 0.9] {
                let h = stairs.height(1.0 + along * c - across * s, -1.0 + along * s + across * c);
                close(h, 0.4 + level * rise);
            }
        }
        assert_eq!(stairs.height(1.0 - 0.1 * c, -1.0 - 0.1 * s), f64::NEG_INFINITY);
        assert_eq!(stairs.normal(1.0 - 0.1 * c, -1.0 - 0.1 * s), Vec3::z());
    }
}

#[test]
fn ramps_join_their_platforms() {
    let ramp = of(vec![
        Ground::Ramp { start: Vec3::zeros(), heading: 0.0, length: 2.0, width: 1.0, rise: 0.5 },
        Ground::Ledge { start: Vec3::new(2.0, 0.0, 0.5), heading: 0.0, length: 1.0, width: 1.0, height: 0.0 },
    ]);
    for x in [0.1, 0.7, 1.5, 1.999] {
        close(ramp.height(x, 0.3), 0.25 * x);
    }
    close(ramp.height(2.001, 0.3), 0.5);
    let n = ramp.normal(1.0, 0.0);
    assert!((n - Vec3::new(-0.25, 0.0, 1.0).normalize()).norm() < 1e-12);
}

#[test]
fn boxes_stones_and_the_highest_of_all() {
    let tilted = Placement::new(rotation::exp(&Vec3::new(0.3, 0.2, 0.1)), Vec3::new(0.0, 0.0, 1.0));
    let terrain = of(vec![
        Ground::Plane { height: 0.0 },
        Ground::Stones {
            tops: vec![Vec3::new(3.0, 0.0, 0.2), Vec3::new(4.0, 0.1, -0.3)],
            half: [0.3, 0.2],
            depth: 1.0,
        },
        Ground::Box { half: Vec3::new(0.5, 0.4, 0.3), at: tilted },
    ]);
    close(terrain.height(3.2, 0.1), 0.2);
    // the second stone is below the plane
    close(terrain.height(4.0, 0.1), 0.0);
    // points of the box's top face
    for (x, y) in [(0.0, 0.0), (0.4, -0.3), (-0.3, 0.2)] {
        let on = tilted.act(&Vec3::new(x, y, 0.3));
        close(terrain.height(on.x, on.y), on.z);
        assert!((terrain.normal(on.x, on.y) - tilted.rot.column(2)).norm() < 1e-12);
    }
}

#[test]
fn heightfields_pass_through_their_samples_and_go_on_outside() {
    let field = Heightfield::from_fn([1.0, 2.0], [0.5, 0.25], 4, 5, |x, y| libm::sin(3.0 * x) + y * y);
    let terrain = of(vec![Ground::Heightfield(field.clone())]);
    for (k, h) in field.heights.iter().enumerate() {
        let (x, y) = (1.0 + 0.5 * (k % 4) as f64, 2.0 + 0.25 * (k / 4) as f64);
        close(terrain.height(x, y), *h);
    }
    // the middle of an edge is half-way, the middle of a cell half-way along its diagonal
    close(terrain.height(1.25, 2.0), 0.5 * (field.heights[0] + field.heights[1]));
    close(terrain.height(1.25, 2.125), 0.5 * (field.heights[0] + field.heights[5]));
    // outside: the nearest border
    close(terrain.height(-3.0, 2.3), terrain.height(1.0, 2.3));
    close(terrain.height(9.0, 2.3), terrain.height(2.5, 2.3));
    close(terrain.height(1.7, 70.0), terrain.height(1.7, 3.0));
    close(terrain.height(-8.0, -8.0), field.heights[0]);
    // normals against differences
    for (x, y) in [(1.13, 2.41), (2.2, 2.9), (0.3, 2.6), (1.9, 5.0), (3.0, 2.2)] {
        let d = 1e-6;
        let n = terrain.normal(x, y);
        let slope =
            |dx: f64, dy: f64| (terrain.height(x + dx, y + dy) - terrain.height(x - dx, y - dy)) / (2.0 * d);
        let expected = Vec3::new(-slope(d, 0.0), -slope(0.0, d), 1.0).normalize();
        assert!((n - expected).norm() < 1e-8);
    }
    let (corners, triangles) = field.mesh();
    assert_eq!((corners.len(), triangles.len()), (20, 24));
    assert!(triangles.iter().all(|t| {
        let [a, b, c] = t.map(|k| corners[k as usize]);
        (b - a).cross(&(c - a)).z > 0.0
    }));
}

#[test]
fn drawn_terrain_has_the_reported_height() {
    let terrain = of(vec![
        Ground::Stairs {
            start: Vec3::zeros(),
            heading: 0.3,
            width: 1.0,
            run: 0.3,
            rise: 0.1,
            steps: 4,
            landing: 0.2,
        },
        Ground::Box { half: Vec3::repeat(0.2), at: at(0.4, 0.1, 0.5) },
    ]);
    let drawn: Vec<(Shape, Placement)> = terrain.drawing().collect();
    assert_eq!(drawn.len(), 5);
    for (shape, at) in &drawn {
        let Shape::Box { half } = shape else { panic!("only boxes here") };
        let top = at.act(&Vec3::new(0.0, 0.0, half.z));
        assert!(terrain.height(top.x, top.y) >= top.z - 1e-12);
    }
}

#[test]
fn invalid_pieces_are_refused_with_place_and_remedy() {
    let plane = || Piece::new(Ground::Plane { height: 0.0 }, 1.0);
    let refused = |ground: Ground, friction: f64| {
        Terrain::new(vec![plane(), Piece::new(ground, friction)]).unwrap_err().to_string()
    };
    let start = Vec3::zeros();
    assert_eq!(
        refused(Ground::Ledge { start, heading: 0.0, length: -1.0, width: 1.0, height: 0.1 }, 1.0),
        "piece 1 (ledge): length is -1, but has to be positive and finite"
    );
    assert!(refused(Ground::Plane { height: f64::NAN }, 1.0).contains("height is NaN"));
    assert!(refused(Ground::Plane { height: 0.0 }, -0.1).contains("friction is -0.1"));
    assert!(
        refused(Ground::Slope { through: start, heading: 0.0, pitch: 1.6 }, 1.0).contains("pitch is 1.6")
    );
    let steps =
        Ground::Stairs { start, heading: 0.0, width: 1.0, run: 0.3, rise: 0.1, steps: 0, landing: 0.0 };
    assert!(refused(steps, 1.0).contains("number of steps is 0"));
    let sheared = Placement { rot: Placement::identity().rot * 2.0, pos: start };
    assert!(refused(Ground::Box { half: Vec3::repeat(1.0), at: sheared }, 1.0).contains("rotation"));
    let mut field = Heightfield::from_fn([0.0; 2], [1.0; 2], 3, 3, |_, _| 0.0);
    field.heights.pop();
    assert_eq!(
        Terrain::new(vec![Piece::new(Ground::Heightfield(field), 1.0)]).unwrap_err(),
        TerrainError::Heights { piece: 0, found: 8, columns: 3, rows: 3 }
    );
}

#[test]
fn friction_is_that_of_the_piece() {
    let terrain = Terrain::new(vec![
        Piece::new(Ground::Plane { height: 0.0 }, 0.9),
        Piece::new(
            Ground::Ledge { start: Vec3::zeros(), heading: 0.0, length: 1.0, width: 1.0, height: 0.2 },
            0.1,
        ),
    ])
    .unwrap();
    let ball = Shape::Sphere { radius: 0.1 };
    let ice = touches(&terrain, &ball, &at(0.5, 0.0, 0.3), 0.001);
    assert_eq!((ice.len(), ice[0].piece, ice[0].friction), (1, 1, 0.1));
    let ground = touches(&terrain, &ball, &at(-0.5, 0.0, 0.1), 0.001);
    assert_eq!((ground.len(), ground[0].piece, ground[0].friction), (1, 0, 0.9));
}
