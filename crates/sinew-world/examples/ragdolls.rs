//! One hundred ragdolls thrown on stairs and hills for 20 s each: `cargo run --release --example ragdolls -p sinew-world`.
//!
//! Arguments: how many, and for how many seconds. Masses of their bodies differ by up to 200 to 1, and pushes of up to 20 kN
//! hit any of these, hands and feet too, every half second. Prints a table and fails when a number is none, energy appears from nowhere, a joint comes
//! apart or something falls through the ground.

#[path = "../tests/all/torture/throw.rs"]
mod throw;

use std::process::ExitCode;

fn main() -> ExitCode {
    let mut args = std::env::args().skip(1).filter_map(|a| a.parse::<f64>().ok());
    let (count, seconds) = (args.next().unwrap_or(100.0) as u64, args.next().unwrap_or(20.0));
    println!(
        "ragdoll  overlap mm (99 %)  energy gain % (constraints)  joint gap m  µs/step  above 1e-4 m/s %  speed at the end"
    );
    let (mut failed, mut all, mut usual): (usize, [f64; 5], f64) = (0, [0.0; 5], 0.0);
    let mut every_gain = Vec::new();
    for seed in 0..count {
        let o = throw::throw(seed, seconds);
        let unconverged = 100.0 * o.unconverged as f64 / o.steps.max(1) as f64;
        let gains = [o.energy_gain, o.constraint_gain].map(|g| 100.0 * g);
        let row = [1e3 * o.penetration, gains[0], gains[1], o.joint_gap, unconverged];
        all.iter_mut().zip(row).for_each(|(worst, x)| *worst = worst.max(x));
        every_gain.push(gains[0]);
        usual = usual.max(1e3 * o.usual_penetration);
        let broken = throw::broken(&o);
        failed += usize::from(broken.is_some());
        println!(
            "{seed:7}  {:10.3} {:7.3}  {:13.3} {:13.4}  {:11.1e}  {:7.1}  {unconverged:13.2}  {:16.3}  {}",
            row[0],
            1e3 * o.usual_penetration,
            row[1],
            row[2],
            row[3],
            o.step_us,
            o.last_speed,
            broken.unwrap_or_default()
        );
    }
    every_gain.sort_by(f64::total_cmp);
    let median = every_gain.get(every_gain.len() / 2).copied().unwrap_or(0.0);
    println!(
        "worst: overlap {:.3} mm (99 % {usual:.3} mm), energy gain {:.3} % (median {median:.3} %, {:.4} % by constraints), joint gap {:.1e} m, residual above 1e-4 m/s in {:.2} % of the steps",
        all[0], all[1], all[2], all[3], all[4]
    );
    println!("{failed} of {count} failed");
    ExitCode::from(u8::from(failed > 0))
}
