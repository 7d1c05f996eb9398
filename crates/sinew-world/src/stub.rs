use crate::collide::Touch;
use sinew_dynamics::Shape;
use sinew_dynamics::spatial::{Placement, Vec3};
#[derive(Clone, Debug, Default)]
pub struct Terrain {
    pub normal: Vec3,
    pub friction: f64,
}
#[derive(Clone, Copy, Debug)]
pub struct TerrainTouch {
    pub touch: Touch,
    pub piece: u32,
    pub friction: f64,
}
#[derive(Clone, Debug, Default)]
pub struct Manifold(Vec<TerrainTouch>);
impl Manifold {
    pub fn clear(&mut self) {
        self.0.clear()
    }
    pub fn iter(&self) -> core::slice::Iter<'_, TerrainTouch> {
        self.0.iter()
    }
}
impl Terrain {
    pub fn flat() -> Terrain {
        Terrain { normal: Vec3::z(), friction: 1.0 }
    }
    pub fn touch(&self, shape: &Shape, at: &Placement, margin: f64, out: &mut Manifold) {
        let n = self.normal;
        let mut put = |p: Vec3, feature| {
            let d = n.dot(&p);
            if d < margin {
                out.0.push(TerrainTouch {
                    touch: Touch { point: p - n * (0.5 * d), normal: n, distance: d, feature },
                    piece: 0,
                    friction: self.friction,
                })
            }
        };
        match shape {
            Shape::Sphere { radius } => put(at.pos - n * *radius, 0),
            Shape::Capsule { radius, half } => {
                for (k, s) in [-1.0, 1.0].into_iter().enumerate() {
                    put(at.act(&Vec3::new(0.0, 0.0, s * half)) - n * *radius, k as u32)
                }
            }
            Shape::Box { half } => {
                let mut c: Vec<(f64, u32, Vec3)> = (0..8u32)
                    .map(|k| {
                        let s = |b: u32| if k >> b & 1 == 1 { 1.0 } else { -1.0 };
                        let p = at.act(&Vec3::new(s(0) * half.x, s(1) * half.y, s(2) * half.z));
                        (n.dot(&p), k, p)
                    })
                    .collect();
                c.sort_by(|a, b| a.0.total_cmp(&b.0));
                for (_, k, p) in c.into_iter().take(4) {
                    put(p, k)
                }
            }
            Shape::Ellipsoid { half } => put(
                at.act(&{
                    let l = at.rot.tr_mul(&n);
                    let w = Vec3::new(half.x * half.x * l.x, half.y * half.y * l.y, half.z * half.z * l.z);
                    -w / Vec3::new(half.x * l.x, half.y * l.y, half.z * l.z).norm()
                }),
                0,
            ),
            _ => {}
        }
    }
}
pub fn touch() {}
