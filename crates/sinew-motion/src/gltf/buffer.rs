//! Numbers in the binary part of a `.glb` file, and the file around them.
//!
//! A file is a header (`glTF`, version 2, length), a chunk with the JSON document and one with all numbers; everything is
//! little-endian and begins at multiples of four bytes.

use super::GltfError;
use gltf_json::accessor::{ComponentType, GenericComponentType, Type};
use gltf_json::buffer::{Target, View};
use gltf_json::validation::Checked::Valid;
use gltf_json::{Accessor, Buffer, Index, Root};
use serde_json::Value;

/// A document and its numbers.
#[derive(Default)]
pub(super) struct Builder {
    pub(super) root: Root,
    data: Vec<u8>,
}

impl Builder {
    /// Numbers of single precision, with their least and greatest per component.
    pub(super) fn floats(&mut self, kind: Type, numbers: &[f32], target: Option<Target>) -> Index<Accessor> {
        let size = kind.multiplicity();
        let bound = |start: f32, pick: fn(f32, f32) -> f32| {
            let mut bounds = vec![start; size];
            for row in numbers.chunks_exact(size) {
                bounds.iter_mut().zip(row).for_each(|(b, x)| *b = pick(*b, *x));
            }
            Value::from(bounds)
        };
        let bounds = [bound(f32::INFINITY, f32::min), bound(f32::NEG_INFINITY, f32::max)];
        let bytes = numbers.iter().flat_map(|x| x.to_le_bytes());
        let index = self.accessor(kind, ComponentType::F32, numbers.len() / size, bytes, target);
        let [min, max] = bounds.map(Some);
        let accessor = &mut self.root.accessors[index.value()];
        (accessor.min, accessor.max) = (min, max);
        index
    }

    /// Four whole numbers per vertex; `normalized`: parts of the greatest.
    pub(super) fn fours(&mut self, numbers: &[[u16; 4]], normalized: bool) -> Index<Accessor> {
        let bytes = numbers.iter().flatten().flat_map(|x| x.to_le_bytes());
        let target = Some(Target::ArrayBuffer);
        let index = self.accessor(Type::Vec4, ComponentType::U16, numbers.len(), bytes, target);
        self.root.accessors[index.value()].normalized = normalized;
        index
    }

    /// Corners of triangles among so many vertices, as short as they can be.
    pub(super) fn triangles(&mut self, triangles: &[[u32; 3]], vertices: usize) -> Index<Accessor> {
        let (count, target) = (3 * triangles.len(), Some(Target::ElementArrayBuffer));
        let corners = triangles.iter().flatten();
        // the greatest number is reserved
        if vertices <= usize::from(u16::MAX) {
            let bytes = corners.flat_map(|v| (*v as u16).to_le_bytes());
            return self.accessor(Type::Scalar, ComponentType::U16, count, bytes, target);
        }
        self.accessor(Type::Scalar, ComponentType::U32, count, corners.flat_map(|v| v.to_le_bytes()), target)
    }

    fn accessor(
        &mut self,
        kind: Type,
        component: ComponentType,
        count: usize,
        bytes: impl Iterator<Item = u8>,
        target: Option<Target>,
    ) -> Index<Accessor> {
        let from = self.data.len();
        self.data.extend(bytes);
        let length = self.data.len() - from;
        self.data.resize(self.data.len().next_multiple_of(4), 0);
        let view = self.root.push(View {
            buffer: Index::new(0),
            byte_length: length.into(),
            byte_offset: Some(from.into()),
            byte_stride: None,
            name: None,
            target: target.map(Valid),
            extensions: None,
            extras: None,
        });
        self.root.push(Accessor {
            buffer_view: Some(view),
            byte_offset: None,
            count: count.into(),
            component_type: Valid(GenericComponentType(component)),
            extensions: None,
            extras: None,
            type_: Valid(kind),
            min: None,
            max: None,
            name: None,
            normalized: false,
            sparse: None,
        })
    }

    /// The whole file.
    pub(super) fn finish(mut self) -> Result<Vec<u8>, GltfError> {
        if !self.data.is_empty() {
            self.root.push(Buffer {
                byte_length: self.data.len().into(),
                name: None,
                uri: None,
                extensions: None,
                extras: None,
            });
        }
        let mut document = self.root.to_vec()?;
        document.resize(document.len().next_multiple_of(4), b' ');
        let chunks = [(b"JSON", &document), (b"BIN\0", &self.data)];
        let chunks = &chunks[..if self.data.is_empty() { 1 } else { 2 }];
        let length = 12 + chunks.iter().map(|(_, chunk)| 8 + chunk.len()).sum::<usize>();
        let small = |n: usize| u32::try_from(n).map_err(|_| GltfError::TooLarge { bytes: length });
        let mut out = Vec::with_capacity(length);
        out.extend(b"glTF");
        out.extend(2u32.to_le_bytes());
        out.extend(small(length)?.to_le_bytes());
        for (kind, chunk) in chunks {
            out.extend(small(chunk.len())?.to_le_bytes());
            out.extend(*kind);
            out.extend(*chunk);
        }
        Ok(out)
    }
}
