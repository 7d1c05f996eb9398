//! x
use sinew_dynamics::spatial::Vec3;
use sinew_dynamics::*;
use sinew_world::*;
fn main() {
    for name in ["human", "human42", "human29", "child", "ostrich"] {
        let model = characters::load(name).unwrap();
        let nv = model.nv();
        let trunk = model.role(sinew_dynamics::Role::Trunk).unwrap();
        let mut world = World::new(Terrain::flat());
        world.add_character(name, model.into());
        world.actor_mut(0).q[2] += 0.3;
        world.actor_mut(0).v[4] = 1.0;
        world.push(Push::of_impulse(
            0,
            trunk,
            Vec3::zeros(),
            Vec3::new(0.0, 15.0, 0.0),
            0.2,
            world.settings.dt,
        ));
        let mut wave = 0.0f64;
        let mut n = 0;
        for k in 0..2500 {
            wave += 0.01;
            let mut a = Actuation::none(nv);
            (6..nv).for_each(|k| a.torque[k] = 3.0 * (wave + k as f64).sin());
            world.step(&[a]).unwrap();
            let r = world.report().solve;
            let vmax = world.actors()[0].v.iter().fold(0.0f64, |m, x| m.max(x.abs()));
            if !r.converged {
                n += 1;
                if r.residual > 1e-4 {
                    println!("{name} {k} {r:?} vmax {vmax:.1}");
                }
            }
            if name == "child" && k > 1870 && k < 1895 {
                println!("{k} {r:?} vmax {vmax:.2}");
            }
        }
        println!("{name} unconverged {n}");
    }
}
