//! Accuracy against speed: seven tests of the world's physics, after SimBenchmark (Kang and Hwangbo 2018), over time steps and
//! settings of the contact solver. Writes a table (CSV) and a plot (SVG) of each; `docs/physics.md` explains them.
//!
//! ```text
//! cargo run --release -p sinew-lab --example physics -- OUT_DIR [TEST…]
//! ```
//!
//! Times are processor times of the thread where the system reports them (Linux), otherwise of the clock.

mod worlds;

use sinew_dynamics::spatial::Vec3;
use sinew_dynamics::{Data, kinetic_energy, momentum, potential_energy};
use sinew_lab::plot::{Axis, Lines, Series};
use sinew_world::{Settings, StepError, World};
use std::path::Path;
use std::time::Instant;

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

/// One run: an error and what it cost.
struct Run {
    series: String,
    /// Time step, s, or number of bodies.
    knob: f64,
    error: f64,
    /// A second figure, where there is one.
    also: f64,
    /// Simulated seconds per second.
    speed: f64,
    step_us: f64,
}

/// A test: what is plotted.
struct Test {
    name: &'static str,
    title: &'static str,
    error: &'static str,
    also: &'static str,
    run: fn() -> Outcome<Vec<Run>>,
}

const TESTS: [Test; 7] = [
    Test {
        name: "rolling",
        title: "A slab under 25 balls, pulled by 150 N at 60°",
        error: "velocity error, RMS, m/s",
        also: "velocity across the pull, m/s",
        run: rolling,
    },
    Test {
        name: "bouncing",
        title: "49 elastic balls bounce for 20 s",
        error: "energy error, RMS, share",
        also: "energy gained in the end, share",
        run: bouncing,
    },
    Test {
        name: "heap",
        title: "216 balls fall in a heap",
        error: "penetration, RMS, m",
        also: "greatest, m",
        run: heap,
    },
    Test {
        name: "elastic-heap",
        title: "216 elastic balls fall in a heap",
        error: "energy error, RMS, share",
        also: "energy gained in the end, share",
        run: elastic_heap,
    },
    Test {
        name: "crowd",
        title: "Humans stand under PD control",
        error: "steps of a human per second",
        also: "sweeps of the solver",
        run: crowd,
    },
    Test {
        name: "struck",
        title: "A ball hits a limp human without gravity",
        error: "momentum error, RMS, share",
        also: "angular, share",
        run: struck,
    },
    Test {
        name: "thrown",
        title: "A limp human flies for 2 s",
        error: "energy error, RMS, share",
        also: "energy gained in the end, share",
        run: thrown,
    },
];

fn main() -> Outcome<()> {
    let mut args = std::env::args().skip(1);
    let folder = args.next().ok_or("name a folder for the results")?;
    let chosen: Vec<String> = args.collect();
    std::fs::create_dir_all(&folder)?;
    for test in TESTS.iter().filter(|t| chosen.is_empty() || chosen.iter().any(|c| c == t.name)) {
        let runs = (test.run)()?;
        write(Path::new(&folder), test, &runs)?;
    }
    Ok(())
}

fn write(folder: &Path, test: &Test, runs: &[Run]) -> Outcome<()> {
    let knob = if test.name == "crowd" { "bodies" } else { "dt_s" };
    let mut table = format!("series,{knob},\"{}\",\"{}\",real_time_factor,step_us\n", test.error, test.also);
    println!("\n{}\n| series | {knob} | {} | {} | real time | step µs |", test.title, test.error, test.also);
    println!("| --- | ---: | ---: | ---: | ---: | ---: |");
    let mut series: Vec<Series> = Vec::new();
    for r in runs {
        let Run { series: name, knob, error, also, speed, step_us } = r;
        if error.is_nan() {
            println!("| {name} | {knob} | diverges | | | |");
            table += &format!("\"{name}\",{knob},,,,\n");
            continue;
        }
        table += &format!("\"{name}\",{knob},{error:.6e},{also:.6e},{speed:.3},{step_us:.2}\n");
        println!("| {name} | {knob} | {error:.2e} | {also:.2e} | {speed:.2} | {step_us:.1} |");
        if series.last().is_none_or(|s| s.name != *name) {
            series.push(Series::line(name.clone(), []));
        }
        let line = series.last_mut().expect("just pushed");
        if test.name == "crowd" {
            line.points.push((*knob, *error));
        } else {
            line.points.push((*speed, *error));
            line.labels.push(format!("{} ms", 1e3 * knob));
        }
    }
    let x = if test.name == "crowd" { "humans" } else { "simulated seconds per second" };
    let plot = Lines::new(test.title, Axis::logarithmic(x), Axis::logarithmic(test.error), series);
    std::fs::write(folder.join(format!("{}.csv", test.name)), table)?;
    std::fs::write(folder.join(format!("{}.svg", test.name)), plot.svg())?;
    Ok(())
}

/// Time that this thread has computed, s.
fn clock(start: &Instant) -> f64 {
    let stat = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = stat.and_then(|t| t.split(' ').next()?.parse::<f64>().ok());
    nanoseconds.map_or_else(|| start.elapsed().as_secs_f64(), |ns| 1e-9 * ns)
}

/// Steps a world for some seconds and calls `look` after every step. Returns simulated seconds per second, and
/// microseconds per step, both measured on copies of the world without looking.
fn play(world: &mut World, seconds: f64, mut look: impl FnMut(&World)) -> Outcome<(f64, f64)> {
    let steps = (seconds / world.settings().dt).round() as usize;
    let (start, first) = (Instant::now(), world.clone());
    for _ in 0..steps {
        world.step(&[])?;
        look(world);
    }
    // the system counts time by its ticks: long enough for many of them
    let (mut spent, mut runs) = (0.0, 0.0);
    while spent < 0.3 {
        let (mut copy, begin) = (first.clone(), clock(&start));
        for _ in 0..steps {
            copy.step(&[])?;
        }
        (spent, runs) = (spent + clock(&start) - begin, runs + 1.0);
    }
    let each = spent / (runs * steps as f64);
    Ok((seconds / (each * steps as f64), 1e6 * each))
}

/// Settings to compare: name and settings without the time step.
fn solvers() -> Vec<(String, Settings)> {
    let with = |tolerance: f64, relative_tolerance: f64, sweeps: usize| Settings {
        tolerance,
        relative_tolerance,
        sweeps,
        ..Settings::default()
    };
    vec![
        ("tolerance 1e-4, 10 sweeps".into(), with(1e-4, 0.0, 10)),
        ("1e-9 or six digits, 50 sweeps (default)".into(), Settings::default()),
        ("tolerance 1e-10, 200 sweeps".into(), with(1e-10, 0.0, 200)),
    ]
}

fn over(
    solvers: &[(String, Settings)],
    steps: &[f64],
    run: impl Fn(&Settings) -> Outcome<(f64, f64, (f64, f64))>,
) -> Outcome<Vec<Run>> {
    let mut runs = Vec::new();
    for (series, settings) in solvers {
        for &dt in steps {
            // a step too long for the motion ends in numbers that are none
            let (error, also, (speed, step_us)) =
                run(&Settings { dt, ..settings.clone() }).or_else(|e| match e.downcast_ref() {
                    Some(StepError::NotFinite { .. }) => Ok((f64::NAN, f64::NAN, (f64::NAN, f64::NAN))),
                    _ => Err(e),
                })?;
            runs.push(Run { series: series.clone(), knob: dt, error, also, speed, step_us });
        }
    }
    Ok(runs)
}

/// Root of a mean of squares, as it grows.
#[derive(Default)]
struct Rms(f64, usize);

impl Rms {
    fn add(&mut self, x: f64) {
        (self.0, self.1) = (self.0 + x * x, self.1 + 1);
    }

    fn value(&self) -> f64 {
        (self.0 / self.1.max(1) as f64).sqrt()
    }
}

fn velocity(world: &World, actor: usize) -> Vec3 {
    Vec3::from_column_slice(&world.actors()[actor].v[..3])
}

fn rolling() -> Outcome<Vec<Run>> {
    const SECONDS: f64 = 4.0;
    over(&solvers(), &[8e-3, 4e-3, 2e-3, 1e-3, 5e-4], |settings| {
        // closed form: the slab slides, the balls roll on it
        let friction = 0.4 * 35.0 * worlds::GRAVITY;
        let each = (150.0 - friction) / 10.0 / (3.5 + 2.5);
        let (slab, ball) = ((150.0 - friction - 25.0 * each) / 10.0, each);
        let along = Vec3::new(worlds::PULL.0, worlds::PULL.1, 0.0);
        let (mut error, mut across): (Rms, f64) = (Rms::default(), 0.0);
        let speed = play(&mut worlds::rolling(settings, SECONDS), SECONDS, |w| {
            let t = w.time();
            let (a, b) = (velocity(w, 0), velocity(w, 13));
            error.add(((a - along * slab * t).norm_squared() + (b - along * ball * t).norm_squared()).sqrt());
            across = across.max((a - along * a.dot(&along)).norm());
        })?;
        Ok((error.value(), across, speed))
    })
}

/// Energies of all actors of a world.
struct Energy {
    data: Vec<Data>,
}

impl Energy {
    fn new(world: &World) -> Energy {
        Energy { data: world.actors().iter().map(|a| Data::new(a.model())).collect() }
    }

    fn of(&mut self, world: &World) -> f64 {
        let each = world.actors().iter().zip(&mut self.data);
        each.map(|(a, d)| potential_energy(a.model(), d, &a.q) + kinetic_energy(a.model(), d, &a.q, &a.v))
            .sum()
    }
}

/// Error of the energy over a run from its beginning, and at its end, as shares of `scale`, or of the first energy.
fn energy(mut world: World, seconds: f64, scale: Option<f64>) -> Outcome<(f64, f64, (f64, f64))> {
    let mut meter = Energy::new(&world);
    let first = meter.of(&world);
    let scale = scale.unwrap_or(first);
    let (mut error, mut last, mut count) = (Rms::default(), 0.0, 0u64);
    let speed = play(&mut world, seconds, |w| {
        count += 1;
        if count % 10 == 0 {
            last = (meter.of(w) - first) / scale;
            error.add(last);
        }
    })?;
    Ok((error.value(), last, speed))
}

fn bouncing() -> Outcome<Vec<Run>> {
    let solver = [("default".to_owned(), Settings::default())];
    over(&solver, &[1e-2, 4e-3, 2e-3, 1e-3, 5e-4, 2.5e-4], |s| energy(worlds::bouncing(s), 20.0, None))
}

fn heap() -> Outcome<Vec<Run>> {
    over(&solvers(), &[8e-3, 4e-3, 2e-3], |settings| {
        let (mut depth, mut worst): (Rms, f64) = (Rms::default(), 0.0);
        let speed = play(&mut worlds::heap(settings, false), 2.0, |w| {
            for k in 0..w.actors().len() {
                for c in w.report().contacts(k) {
                    depth.add(c.distance.min(0.0));
                    worst = worst.max(-c.distance);
                }
            }
        })?;
        Ok((depth.value(), worst, speed))
    })
}

fn elastic_heap() -> Outcome<Vec<Run>> {
    over(&solvers(), &[2e-3, 1e-3, 5e-4, 2.5e-4], |s| energy(worlds::heap(s, true), 2.0, None))
}

fn crowd() -> Outcome<Vec<Run>> {
    let settings = Settings::default();
    let mut runs = Vec::new();
    for count in [1usize, 2, 5, 10, 20, 50, 100] {
        let (mut world, holds) = worlds::crowd(&settings, count);
        let mut actuation = Vec::new();
        let (start, mut begin, mut sweeps) = (Instant::now(), 0.0, 0);
        let (warm, steps) = (200, 400.max(20_000 / count));
        for step in 0..warm + steps {
            if step == warm {
                begin = clock(&start);
            }
            worlds::hold(&world, &holds, &mut actuation);
            let report = world.step(&actuation)?;
            sweeps += if step >= warm { report.solve.iterations } else { 0 };
        }
        // the torques are not the world's work
        let end = clock(&start);
        for _ in 0..steps {
            worlds::hold(&world, &holds, &mut actuation);
        }
        let each = (end - begin - (clock(&start) - end)) / steps as f64;
        runs.push(Run {
            series: "default".into(),
            knob: count as f64,
            error: count as f64 / each,
            also: sweeps as f64 / steps as f64,
            speed: settings.dt / each,
            step_us: 1e6 * each,
        });
    }
    Ok(runs)
}

fn struck() -> Outcome<Vec<Run>> {
    let solver = [("default".to_owned(), Settings::default())];
    over(&solver, &[8e-3, 4e-3, 2e-3, 1e-3, 5e-4, 2.5e-4], |settings| {
        let mut world = worlds::struck(settings);
        let mut data: Vec<Data> = world.actors().iter().map(|a| Data::new(a.model())).collect();
        // linear momentum, and angular momentum about a fixed point near the human
        let mut total = |w: &World| {
            let centre = Vec3::new(0.0, 0.0, 101.0);
            w.actors().iter().zip(&mut data).fold([Vec3::zeros(); 2], |sum, (a, d)| {
                let m = momentum(a.model(), d, &a.q, &a.v);
                let com = sinew_dynamics::center_of_mass(a.model(), d, &a.q);
                [sum[0] + m.linear, sum[1] + m.angular + (com - centre).cross(&m.linear)]
            })
        };
        let first = total(&world);
        let (mut linear, mut angular) = (Rms::default(), Rms::default());
        let speed = play(&mut world, 4.0, |w| {
            let now = total(w);
            linear.add((now[0] - first[0]).norm() / first[0].norm());
            angular.add((now[1] - first[1]).norm() / first[1].norm());
        })?;
        Ok((linear.value(), angular.value(), speed))
    })
}

fn thrown() -> Outcome<Vec<Run>> {
    let solver = [("default".to_owned(), Settings::default())];
    over(&solver, &[8e-3, 4e-3, 2e-3, 1e-3, 5e-4, 2.5e-4], |settings| {
        let mut world = worlds::thrown(settings);
        play(&mut world, 1.0, |_| {})?;
        let (a, mut data) = (&world.actors()[0], Data::new(world.actors()[0].model()));
        let kinetic = kinetic_energy(a.model(), &mut data, &a.q, &a.v);
        energy(world, 2.0, Some(kinetic))
    })
}
