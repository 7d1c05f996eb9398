//! The catalogue of choices in the first message to the page.

use super::setup::{OWN, TERRAINS};
use crate::protocol::VERSION;
use crate::protocol::catalogue::{SystemOf, params};
use crate::protocol::server::{Hello, TerrainOf};
use sinew::control::Registry;
use sinew::dynamics::characters;
use sinew::lab::scenario::BodyPlan;
use sinew::motion::motions;

/// The first message.
pub(super) fn hello(registry: &Registry, token: &str, resumed: bool) -> Hello {
    let terrain = |terrain: &super::setup::Terrain| TerrainOf {
        name: terrain.kind.name(),
        difficulty: terrain.difficulty,
    };
    Hello {
        protocol: VERSION,
        version: env!("CARGO_PKG_VERSION"),
        token: token.to_owned(),
        resumed,
        characters: characters::names().map(str::to_owned).collect(),
        systems: registry.iter().map(SystemOf::of).collect(),
        terrains: TERRAINS.iter().map(terrain).collect(),
        own_terrain: OWN,
        body: params(BodyPlan::PARAMS),
        motions: motions::names().collect(),
    }
}
