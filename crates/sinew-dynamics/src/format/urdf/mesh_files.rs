//! Finding and reading the mesh files that a URDF file names.
//!
//! `package://NAME/PATH` points into a ROS package. Where packages lie is the business of a ROS installation; here the
//! file is looked for around the URDF file: in the folders above it that are called `NAME`, in folders `NAME` beside
//! them, and at `PATH` below any of them. Other names are paths relative to the URDF file, or `file://` and a path.

use super::super::{mesh, mjcf};
use crate::spatial::Vec3;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The corners of the convex hull of the mesh that `name` means in a URDF file in `folder`.
pub(super) fn read(folder: &Path, name: &str) -> Result<Vec<Vec3>, String> {
    let places = candidates(folder, name);
    let path = places.iter().find(|p| p.is_file()).ok_or_else(|| not_found(&places))?;
    let mut found = mesh::read(name, &mjcf::fetch(path)?)?;
    found.merge_vertices();
    // a flat or very large mesh keeps all its corners
    let Some(hull) = mesh::convex_hull(&found.vertices) else { return Ok(found.vertices) };
    let corners: BTreeSet<usize> = hull.into_iter().flatten().collect();
    Ok(corners.into_iter().map(|i| found.vertices[i]).collect())
}

fn candidates(folder: &Path, name: &str) -> Vec<PathBuf> {
    let Some(rest) = name.strip_prefix("package://") else {
        return vec![folder.join(name.strip_prefix("file://").unwrap_or(name))];
    };
    let (package, path) = rest.split_once('/').unwrap_or(("", rest));
    let absolute = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
    let above: Vec<&Path> = absolute.ancestors().collect();
    let called = above.iter().filter(|a| a.file_name().is_some_and(|n| n == package)).map(|a| a.join(path));
    let beside = above.iter().map(|a| a.join(package).join(path));
    let below = above.iter().take(3).map(|a| a.join(path));
    called.chain(beside).chain(below).collect()
}

fn not_found(places: &[PathBuf]) -> String {
    let first = places.first().map_or(String::new(), |p| format!(" at {}", p.display()));
    match places.len() {
        0 | 1 => format!("there is no file{first}"),
        n => format!("there is no file{first} nor at {} other places around the URDF file", n - 1),
    }
}
