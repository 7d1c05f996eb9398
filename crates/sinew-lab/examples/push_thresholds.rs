//! How strong a push a walking person survives, as JSON.
//!
//! `cargo run --release -p sinew-lab --features parallel --example push_thresholds -- [SPEED [SURVIVE [DIRECTION…]]]`, in m/s, s and
//! degrees. Survival for 60 s takes a while; a shorter time gives an upper bound, and the report states it.

use sinew_control::Command;
use sinew_lab::Scenario;
use sinew_lab::push::Protocol;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let numbers = std::env::args().skip(1).map(|n| n.parse()).collect::<Result<Vec<f64>, _>>()?;
    let speed = numbers.first().copied().unwrap_or(1.0);
    let mut protocol = Protocol::default();
    protocol.survive = numbers.get(1).copied().unwrap_or(protocol.survive);
    if let Some(directions) = numbers.get(2..).filter(|directions| !directions.is_empty()) {
        protocol.directions_deg = directions.to_vec();
    }
    let name = format!("walk at {speed} m/s");
    let scenario = Scenario { name, commands: vec![(0.0, Command::forward(speed))], ..Scenario::default() };
    let report = protocol.measure(&scenario, &scenario.built_in()?)?;
    println!("{}", serde_json::to_string_pretty(&report)?);
    Ok(())
}
