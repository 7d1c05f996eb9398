//! The skin as a mesh: one primitive and one material per colour.

use super::buffer::Builder;
use super::nodes::vector;
use crate::skin::{Patch, Skin, linear};
use gltf_json::accessor::Type;
use gltf_json::buffer::Target;
use gltf_json::material::{AlphaMode, PbrBaseColorFactor, PbrMetallicRoughness, StrengthFactor};
use gltf_json::mesh::{Mode, Primitive, Semantic};
use gltf_json::validation::Checked::Valid;
use gltf_json::{Index, Material, Mesh};

/// Cloth and skin scatter light.
const ROUGHNESS: f32 = 0.75;
/// A weight of 1.
const ONE: u16 = u16::MAX;

/// Adds the mesh; none for a skin without triangles.
pub(super) fn add(builder: &mut Builder, skin: &Skin, name: &str) -> Option<Index<Mesh>> {
    if skin.patches.is_empty() {
        return None;
    }
    let primitives = skin.patches.iter().map(|patch| primitive(builder, patch)).collect();
    let name = Some(format!("{name} skin"));
    Some(builder.root.push(Mesh { primitives, name, weights: None, extensions: None, extras: None }))
}

fn primitive(builder: &mut Builder, patch: &Patch) -> Primitive {
    let target = Some(Target::ArrayBuffer);
    let positions: Vec<f32> = patch.positions.iter().flat_map(vector).collect();
    let normals: Vec<f32> = patch.normals.iter().flat_map(vector).collect();
    let (joints, weights): (Vec<[u16; 4]>, Vec<[u16; 4]>) =
        (0..patch.positions.len()).map(|vertex| patch.shares(vertex, ONE)).unzip();
    let attributes = [
        (Semantic::Positions, builder.floats(Type::Vec3, &positions, target)),
        (Semantic::Normals, builder.floats(Type::Vec3, &normals, target)),
        (Semantic::Joints(0), builder.fours(&joints, false)),
        (Semantic::Weights(0), builder.fours(&weights, true)),
    ];
    Primitive {
        attributes: attributes.into_iter().map(|(semantic, index)| (Valid(semantic), index)).collect(),
        indices: Some(builder.triangles(&patch.triangles, patch.positions.len())),
        material: Some(builder.root.push(material(patch.rgba))),
        mode: Valid(Mode::Triangles),
        targets: None,
        extensions: None,
        extras: None,
    }
}

/// Colours of models are sRGB; glTF's are linear.
fn material([r, g, b, a]: [f32; 4]) -> Material {
    let hex = [r, g, b].map(|c| format!("{:02x}", (c.clamp(0.0, 1.0) * 255.0).round() as u8)).concat();
    let alpha_mode = Valid(if a < 1.0 { AlphaMode::Blend } else { AlphaMode::Opaque });
    Material {
        name: Some(format!("#{hex}")),
        alpha_mode,
        pbr_metallic_roughness: PbrMetallicRoughness {
            base_color_factor: PbrBaseColorFactor([linear(r), linear(g), linear(b), a.clamp(0.0, 1.0)]),
            metallic_factor: StrengthFactor(0.0),
            roughness_factor: StrengthFactor(ROUGHNESS),
            ..PbrMetallicRoughness::default()
        },
        ..Material::default()
    }
}
