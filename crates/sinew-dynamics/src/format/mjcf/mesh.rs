//! Mesh assets: vertices inline or in a file, fetched only when a geom needs them.
//!
//! A vertex `v` of the file becomes `scale ∘ Rᵀ(v − refpos)`. MuJoCo moves a mesh to its own centre of mass and
//! principal axes and the geom with it; here both stay where the file puts them, which is the same in the body.

use super::defaults::{Classes, Kind};
use super::notes::Notes;
use super::schema;
use super::settings::Compiler;
use super::tree::{Node, clip};
use super::value::{self, Layers};
use super::{Options, orientation};
use crate::format::mesh::{self, MAX_VERTICES, Rule, TriangleMesh};
use crate::format::{FormatError, nearest};
use crate::spatial::{Inertia, Vec3, rotation};
use std::collections::HashMap;
use std::rc::Rc;

/// Most bytes of all mesh files together.
const MAX_BYTES: usize = 256 << 20;

/// All mesh assets.
#[derive(Default)]
pub(super) struct Meshes<'t> {
    assets: HashMap<String, Layers<'t>>,
    loaded: HashMap<String, Rc<Vec<Vec3>>>,
    solids: HashMap<String, Inertia>,
    bytes: usize,
}

impl<'t> Meshes<'t> {
    /// Notes a `<mesh>` of `<asset>`.
    pub(super) fn add(
        &mut self,
        node: Node<'t>,
        classes: &Classes<'t>,
        notes: &mut Notes,
    ) -> Result<(), FormatError> {
        schema::MESH.check(node, "", notes)?;
        // without a name, a mesh has that of its file
        let stem = |path: &'t str| {
            let file = path.rsplit(['/', '\\']).next().unwrap_or(path);
            file.rsplit_once('.').map_or(file, |(stem, _)| stem)
        };
        let name = match node.name() {
            "" => node.attribute("file").map_or("", stem),
            name => name,
        };
        if name.is_empty() {
            return Err(node.error("a mesh needs the attribute name or file"));
        }
        let layers = classes.layers(Kind::Mesh, node, None)?;
        if self.assets.insert(name.to_owned(), layers).is_some() {
            return Err(node.error(format!("there are two meshes called \"{}\"", clip(name))));
        }
        Ok(())
    }

    /// Whether the vertices of a mesh stand in the text.
    pub(super) fn is_inline(&self, name: &str) -> bool {
        self.assets.get(name).is_some_and(|at| at.text("vertex").is_some())
    }

    /// Whether the file of a mesh cannot be had.
    pub(super) fn is_absent(&self, name: &str, compiler: &Compiler, options: &Options<'_>) -> bool {
        let file =
            self.assets.get(name).filter(|_| !self.loaded.contains_key(name)).and_then(|at| at.text("file"));
        file.is_some_and(|file| (options.load)(&path(file, compiler)).is_err())
    }

    /// The vertices of a mesh, and when asked for its inertia at unit density.
    pub(super) fn get(
        &mut self,
        name: &str,
        geom: Node<'_>,
        with_inertia: bool,
        compiler: &Compiler,
        options: &Options<'_>,
    ) -> Result<(Rc<Vec<Vec3>>, Option<Inertia>), FormatError> {
        let Some(at) = self.assets.get(name).cloned() else {
            let mut known: Vec<&str> = self.assets.keys().map(String::as_str).collect();
            known.sort_unstable();
            let hint = nearest::did_you_mean(name, known);
            return Err(geom.error(format!("there is no mesh \"{}\"{hint}", clip(name))));
        };
        if !self.loaded.contains_key(name) || (with_inertia && !self.solids.contains_key(name)) {
            let mesh = self.load(&at, compiler, options)?;
            if with_inertia {
                self.solids.insert(name.to_owned(), inertia(&at, &mesh, compiler)?);
            }
            // what collides is the hull
            self.loaded.insert(name.to_owned(), Rc::new(mesh::hull_corners(mesh.vertices)));
        }
        Ok((self.loaded[name].clone(), with_inertia.then(|| self.solids[name])))
    }

    fn load(
        &mut self,
        at: &Layers<'t>,
        compiler: &Compiler,
        options: &Options<'_>,
    ) -> Result<TriangleMesh, FormatError> {
        let node = at.element();
        let mut mesh = match (at.text("vertex"), at.text("file")) {
            (Some(text), None) => inline(node, text)?,
            (None, Some(file)) => self.fetch(node, file, compiler, options)?,
            (Some(_), Some(_)) => return Err(node.error("give vertex or file, not both")),
            (None, None) => {
                return Err(node
                    .error("a mesh needs the attribute vertex or file; built-in shapes are not supported"));
            }
        };
        let scale = at.vector("scale")?.unwrap_or(Vec3::repeat(1.0));
        let centre = at.vector("refpos")?.unwrap_or_default();
        let turn = match at.numbers("refquat")? {
            None => None,
            Some(q) => Some(
                orientation::unit_quat(q)
                    .ok_or_else(|| node.error("refquat=\"0 0 0 0\" is no orientation"))?,
            ),
        };
        if scale != Vec3::repeat(1.0) || centre != Vec3::zeros() || turn.is_some() {
            let back = turn.map(|q| rotation::to_matrix(&q).transpose());
            for v in &mut mesh.vertices {
                let moved = *v - centre;
                *v = back.map_or(moved, |r| r * moved).component_mul(&scale);
            }
        }
        if !mesh.vertices.iter().all(|v| v.amax() <= value::MAX_NUMBER) {
            return Err(node.error("its vertices become too large to compute with"));
        }
        mesh.merge_vertices();
        if mesh.vertices.len() < 4 {
            return Err(node
                .error(format!("a mesh needs at least 4 different vertices, has {}", mesh.vertices.len())));
        }
        Ok(mesh)
    }

    fn fetch(
        &mut self,
        node: Node<'_>,
        file: &str,
        compiler: &Compiler,
        options: &Options<'_>,
    ) -> Result<TriangleMesh, FormatError> {
        let name = file.rsplit(['/', '\\']).next().unwrap_or(file);
        let path = path(file, compiler);
        let wrong = |why: String| node.error(format!("mesh file \"{}\": {why}", clip(&path)));
        let bytes = (options.load)(&path).map_err(wrong)?;
        self.bytes += bytes.len();
        if self.bytes > MAX_BYTES {
            return Err(wrong(format!("the mesh files have more than {} MB", MAX_BYTES >> 20)));
        }
        mesh::read(name, &bytes).map_err(wrong)
    }
}

/// Where the file of a mesh is.
fn path(file: &str, compiler: &Compiler) -> String {
    let name = file.rsplit(['/', '\\']).next().unwrap_or(file);
    format!("{}{}", compiler.mesh_folder, if compiler.strip_path { name } else { file })
}

/// A mesh from the attributes vertex and face.
fn inline(node: Node<'_>, text: &str) -> Result<TriangleMesh, FormatError> {
    let numbers = value::list(node, "vertex", text, 3 * MAX_VERTICES)?;
    if numbers.len() % 3 != 0 {
        return Err(node.error(format!("vertex has {} numbers, not three per vertex", numbers.len())));
    }
    let vertices: Vec<Vec3> = numbers.chunks_exact(3).map(|v| Vec3::new(v[0], v[1], v[2])).collect();
    let mut triangles = Vec::new();
    if let Some(text) = node.attribute("face") {
        let corners = value::list(node, "face", text, 3 * MAX_VERTICES)?;
        let known = |x: &f64| *x >= 0.0 && x.fract() == 0.0 && *x < vertices.len() as f64;
        if corners.len() % 3 != 0 || !corners.iter().all(known) {
            let n = vertices.len();
            return Err(
                node.error(format!("face must be three whole numbers per triangle, from 0 to {}", n - 1))
            );
        }
        triangles = corners.chunks_exact(3).map(|t| [t[0] as usize, t[1] as usize, t[2] as usize]).collect();
    }
    Ok(TriangleMesh { vertices, triangles })
}

/// Inertia at unit density by the mesh's own rule.
fn inertia(at: &Layers<'_>, mesh: &TriangleMesh, compiler: &Compiler) -> Result<Inertia, FormatError> {
    let node = at.element();
    let words = [("convex", None), ("legacy", Some(Rule::Absolute)), ("exact", Some(Rule::Exact))];
    if at.text("inertia") == Some("shell") {
        return Err(node.error("inertia=\"shell\" is not supported; meshes are solid"));
    }
    let usual = if compiler.exact_meshes { Rule::Exact } else { Rule::Absolute };
    let rule = at.word("inertia", &words)?.unwrap_or(Some(usual));
    // points without faces stand for their hull
    let found = match rule.filter(|_| !mesh.triangles.is_empty()) {
        Some(rule) => mesh::solid(mesh, rule),
        None => mesh::convex_hull(&mesh.vertices).and_then(|triangles| {
            mesh::solid(&TriangleMesh { vertices: mesh.vertices.clone(), triangles }, Rule::Exact)
        }),
    };
    found.ok_or_else(|| node.error("the mesh encloses no volume that a mass could be computed from"))
}
