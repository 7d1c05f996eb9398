use super::scene::*;
use super::{drawing, page, pack::Storage};
use sinew::dynamics::spatial::Vec3;
use sinew::dynamics::{BodyId, Data, JointKind, Model, aba, center_of_mass, characters, forward_velocities};

fn fall(name: &str, seconds: f64) -> Scene {
    let model: Model = characters::load(name).unwrap();
    let mut data = Data::new(&model);
    let key = model.spec().keyframes.iter().find(|k| k.name == "ready").or(model.spec().keyframes.first());
    let mut q = key.map_or_else(|| model.neutral(), |k| k.q.clone());
    let mut v = vec![0.0; model.nv()];
    if std::env::var("STILL").is_err() && v.len() > 6 { v[0] = 0.6; v[3]=0.3; v[1] = -0.2; }
    let dt = 2.5e-4;
    let mut tau = vec![0.0; model.nv()];
    let mut jac = vec![0.0; 3 * model.nv()];
    let mut scene = Scene::default();
    scene.about = About { title: format!("{name} falls"), character: name.into(), mass: model.mass(), gravity: 9.81, start: 0.0, rate: 60.0 };
    scene.bodies = drawing::parts(&model);
    scene.terrain.push(Shape { form: Form::Plane { half: [0.0, 0.0] }, at: [0., 0., 0., 1., 0., 0., 0.], color: None });
    let steps = (seconds / dt) as usize;
    let mut next = 0.0;
    for s in 0..=steps {
        let t = s as f64 * dt;
        forward_velocities(&model, &mut data, &q, &v);
        for x in tau.iter_mut() { *x = 0.0; }
        let mut forces = vec![];
        let mut pushes = vec![];
        for (i, body) in model.bodies().iter().enumerate() {
            let at = data.body_placement(&model, BodyId(i));
            for g in &body.geoms {
                if g.contype == 0 { continue; }
                let gp = at * g.placement();
                let mut pts: Vec<Vec3> = vec![];
                use sinew::dynamics::Shape as S;
                match &g.shape {
                    S::Box { half } => for c in 0..8 { pts.push(gp.act(&Vec3::new(if c & 1 == 0 { half.x } else { -half.x }, if c & 2 == 0 { half.y } else { -half.y }, if c & 4 == 0 { half.z } else { -half.z }))) },
                    S::Capsule { radius, half } => for e in [-1.0, 1.0] { pts.push(gp.act(&Vec3::new(0., 0., e * half)) - Vec3::z() * *radius) },
                    sh => { let d = gp.rot.transpose() * Vec3::new(0., 0., -1.); pts.push(gp.act(&sh.support(&d))) }
                }
                for p in pts {
                    if p.z >= 0.0 { continue; }
                    let u = data.point_velocity(&model, BodyId(i), &p);
                    let n = (20000.0 * -p.z - 400.0 * u.z).max(0.0);
                    let ut = Vec3::new(u.x, u.y, 0.0);
                    let f = Vec3::new(0., 0., n) - ut * (0.8 * n / (ut.norm() + 0.05));
                    data.point_jacobian(&model, BodyId(i), &p, &mut jac);
                    for k in 0..model.nv() { tau[k] += (0..3).map(|r| jac[3 * k + r] * f[r]).sum::<f64>(); }
                    if n > 0.0 { forces.push(Force { body: i as u32, point: single(&p), force: single(&f) }); }
                }
            }
        }
        // push
        if (0.5..0.6).contains(&t) {
            let b = model.role(sinew::dynamics::Role::Trunk).unwrap_or(BodyId(0));
            let p = data.body_placement(&model, b).act(&Vec3::new(0., 0., 0.15));
            let f = Vec3::new(0., 250.0, 0.0);
            data.point_jacobian(&model, b, &p, &mut jac);
            for k in 0..model.nv() { tau[k] += (0..3).map(|r| jac[3 * k + r] * f[r]).sum::<f64>(); }
            pushes.push(Force { body: b.0 as u32, point: single(&p), force: single(&f) });
        }
        if t + 1e-9 >= next {
            next += 1.0 / 60.0;
            for i in 0..model.bodies().len() { scene.frames.poses.push(pose(&data.body_placement(&model, BodyId(i)))); }
            scene.frames.contacts.push_frame(&forces);
            scene.frames.pushes.push_frame(&pushes);
        }
        let com_due = scene.frames.com.len() < scene.frames.contacts.count.len();
        // passive joints
        let hold = if t < 0.45 { 300.0 } else { 6.0 };
        for j in model.joints() {
            let spec = model.joint_spec(model.joint(&j.name).unwrap());
            match j.kind {
                JointKind::Hinge { .. } => {
                    tau[j.v] -= 1.5 * v[j.v] + hold * 0.02 * (q[j.q] - key.map_or(0.0, |k| k.q[j.q]));
                    if let Some([a, b]) = spec.range {
                        let over = (q[j.q] - b).max(0.0) + (q[j.q] - a).min(0.0);
                        tau[j.v] -= 300.0 * over + if over != 0.0 { 3.0 * v[j.v] } else { 0.0 };
                    }
                }
                JointKind::Ball => {
                    let w = q[j.q].signum();
                    for k in 0..3 { tau[j.v + k] -= 2.0 * v[j.v + k] + hold * 0.1 * w * q[j.q + 1 + k]; }
                }
                _ => {}
            }
        }
        let a = aba(&model, &mut data, &q, &v, &tau).unwrap().to_vec();
        for k in 0..v.len() { v[k] += dt * a[k]; }
        if com_due { scene.frames.com.push(single(&center_of_mass(&model, &mut data, &q))); }
        let step: Vec<f64> = v.iter().map(|x| x * dt).collect();
        let mut n = q.clone();
        model.integrate(&q, &step, &mut n);
        q = n;
    }
    // hemisphere
    let nb = scene.bodies.len();
    for i in nb..scene.frames.poses.len() {
        let prev = scene.frames.poses[i - nb];
        let p = &mut scene.frames.poses[i];
        let d: f32 = (3..7).map(|k| p[k] * prev[k]).sum();
        if d < 0.0 { for k in 3..7 { p[k] = -p[k]; } }
    }
    scene
}

#[test]
fn write_samples() {
    let out = std::env::var("SAMPLES").unwrap_or("/tmp/wt-scratch-viewer".into());
    for name in std::env::var("NAMES").unwrap_or("human".into()).split(',') {
        let scene = fall(name, std::env::var("SECONDS_").map_or(4.0, |s| s.parse().unwrap()));
        let html = page::html(&scene, Storage::Deflated).unwrap();
        println!("{name}: data {} KB", super::pack::pack(&scene, Storage::Deflated).unwrap().len() / 1024);
        std::fs::write(format!("{out}/{name}.html"), &html).unwrap();
        std::fs::write(format!("{out}/{name}-plain.html"), page::html(&scene, Storage::Plain).unwrap()).unwrap();
    }
}

#[test]
fn write_pose() {
    let model: Model = characters::load("human").unwrap();
    let mut data = Data::new(&model);
    let mut scene = fall("human", 0.0);
    scene.about.title = "poses".into();
    scene.frames = Frames::default();
    for (hip, knee, elbow, sh, ankle) in [(0.0, 0.0, 0.0, 0.0, 0.0), (0.8, 1.0, 1.0, 0.8, 0.2), (1.6, 1.7, 1.6, 1.4, 0.3), (2.0, 2.3, 2.5, 2.6, 0.3)] {
        let mut q = model.neutral();
        for j in model.joints() {
            let n = &j.name;
            let ball = |q: &mut Vec<f64>, a: f64, axis: usize| { q[j.q] = (a / 2.0).cos(); q[j.q + axis] = (a / 2.0).sin(); };
            if n == "hip_l" { ball(&mut q, -hip, 2) }
            if n == "hip_r" { ball(&mut q, hip*0.3, 2) }
            if n == "shoulder_l" { ball(&mut q, -sh, 2) }
            if n == "shoulder_r" { ball(&mut q, -sh, 1) }
            if n == "neck" { ball(&mut q, sh * 0.3, 3) }
            if n == "lower_back" || n == "upper_back" { ball(&mut q, hip * 0.2, 2) }
            if n.starts_with("knee") { q[j.q] = knee }
            if n.starts_with("elbow") { q[j.q] = elbow }
            if n.starts_with("ankle_pitch") { q[j.q] = ankle }
        }
        forward_velocities(&model, &mut data, &q, &vec![0.0; model.nv()]);
        for i in 0..model.bodies().len() { scene.frames.poses.push(pose(&data.body_placement(&model, BodyId(i)))); }
        scene.frames.contacts.push_frame(&[]);
        scene.frames.pushes.push_frame(&[]);
        scene.frames.com.push(single(&center_of_mass(&model, &mut data, &q)));
    }
    scene.about.rate = 1.0;
    std::fs::write("/tmp/wt-scratch-viewer/pose.html", page::html(&scene, Storage::Deflated).unwrap()).unwrap();
}
#[test]
fn write_stills() {
    for name in characters::names() {
        let model: Model = characters::load(name).unwrap();
        let mut data = Data::new(&model);
        let mut scene = fall("human", 0.0);
        scene.about.title = name.into();
        scene.bodies = drawing::parts(&model);
        scene.terrain.extend(drawing::fixed(model.spec()));
        scene.frames = Frames::default();
        let q = model.spec().keyframes.iter().find(|k| k.name == "ready").or(model.spec().keyframes.first()).map_or_else(|| model.neutral(), |k| k.q.clone());
        for _ in 0..2 {
            forward_velocities(&model, &mut data, &q, &vec![0.0; model.nv()]);
            for i in 0..model.bodies().len() { scene.frames.poses.push(pose(&data.body_placement(&model, BodyId(i)))); }
            scene.frames.contacts.push_frame(&[]);
            scene.frames.pushes.push_frame(&[]);
            scene.frames.com.push(single(&center_of_mass(&model, &mut data, &q)));
        }
        std::fs::write(format!("/tmp/wt-scratch-viewer/still-{name}.html"), page::html(&scene, Storage::Deflated).unwrap()).unwrap();
    }
}
