//! Walks and reports.
use sinew_control::features::*;
use sinew_control::*;
use sinew_dynamics::spatial::*;
use sinew_dynamics::*;
use sinew_world::*;
use std::sync::Arc;

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let get = |key: &str, default: f64| {
        args.iter().position(|a| a == key).map_or(default, |i| args[i + 1].parse().unwrap())
    };
    let name = args.iter().position(|a| a == "--character").map_or("human", |i| &args[i + 1]);
    let (speed, side, seconds) = (get("--speed", 1.0), get("--side", 0.0), get("--seconds", 10.0));
    let (push, direction, at) = (get("--push", 0.0), get("--direction", 0.0), get("--at", 4.0));
    let turn = get("--turn", 0.0);
    let verbose = get("--verbose", 0.0) > 0.0;
    let model = Arc::new(characters::load(name).unwrap());
    let mut world = World::new(Terrain::flat());
    let me = world.add_character("me", model.clone());
    let mut walker = Walker::new(model.clone()).unwrap();
    for name in Gait::NAMES {
        let value = walker.gait.get_mut(name).unwrap();
        *value = get(&format!("--{name}"), *value);
    }
    world.actor_mut(me).q.copy_from_slice(walker.rest());
    walker.reset(&Observation::of(&world, me)).unwrap();
    let mut out = Actuation::none(model.nv());
    let (mut fallen, mut spent, mut recorder) = (None, 0.0, None);
    if let Some(i) = args.iter().position(|a| a == "--out") {
        recorder = Some(
            recording::WorldRecorder::create(&args[i + 1], &world, me, recording::Meta::new(1e-3), &[])
                .unwrap(),
        );
    }
    let trunk = model.role(Role::Trunk).unwrap();
    let head = model.role(Role::Head).unwrap_or(trunk);
    let n = (seconds * 1000.0) as usize;
    let mut mark = 0.0;
    let mut bad = [0usize; 2];
    for k in 0..n {
        let t = k as f64 * 1e-3;
        if push > 0.0 && k >= (at * 1000.0) as usize && (k - (at * 1000.0) as usize) % 4000 == 0 {
            let (s, c) = direction.to_radians().sin_cos();
            world.push(Push::of_impulse(
                me,
                trunk,
                Vec3::zeros(),
                Vec3::new(c, s, 0.0) * push * model.mass(),
                0.4,
                0.001,
            ));
        }
        let command = if t < 0.5 || t > get("--stop", 1e9) {
            Command::STAND
        } else {
            Command { velocity: [speed, side], heading: if t > 3.0 { turn.to_radians() } else { 0.0 } }
        };
        let seen = Observation::of(&world, me);
        let clock = std::time::Instant::now();
        let status = walker.act(&seen, &command, &mut out);
        spent += clock.elapsed().as_secs_f64();
        bad[0] += usize::from(status == ControlStatus::Partial);
        bad[1] += usize::from(status == ControlStatus::FellBack);
        if let Err(e) = world.step(std::slice::from_ref(&out)) {
            println!("{e}");
            break;
        }
        if let Some(r) = &mut recorder {
            r.push(&world, &[]).unwrap();
        }
        let q = &world.actors()[me].q;
        if k == n / 3 {
            mark = q[0];
        }
        if verbose && k % (get("--every", 100.0) as usize) == 0 && t > get("--after", 0.0) {
            let mut t = Telemetry::default();
            walker.telemetry(&mut t);
            println!("{:.2} {:?}", k as f64 * 1e-3, t.values);
        }
        if q[2] < 0.55 * walker.rest()[2] {
            fallen = Some(k as f64 * 1e-3);
            break;
        }
    }
    let _ = head;
    let q = &world.actors()[me].q;
    let t_end = world.time();
    println!(
        "{name} speed {speed}: fell {fallen:?} steps {} mean speed {:.3} y {:.3} us {:.0} partial/fallback {bad:?}",
        walker.steps(),
        (q[0] - mark) / (t_end - seconds / 3.0),
        q[1],
        spent * 1e6 / world.steps() as f64
    );
    if let Some(r) = recorder {
        r.finish().unwrap();
    }
}
