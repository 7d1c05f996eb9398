//! Mass properties of bodies: given by `<inertial>`, or summed over geoms, then bounded, balanced and scaled.

use super::orientation::{Frame, orientation};
use super::settings::{Compiler, FromGeoms};
use super::tree::Node;
use super::value::Layers;
use crate::format::FormatError;
use crate::spatial::{Inertia, Sym3, rotation};

/// Masses (kg) and principal inertias (kg·m²) below this count as zero, as in MuJoCo.
pub(super) const NOTHING: f64 = 1e-15;

/// Reads an `<inertial>` into the axes of its body.
pub(super) fn inertial(
    node: Node<'_>,
    frame: Option<Frame>,
    compiler: &Compiler,
) -> Result<Inertia, FormatError> {
    node.check_attributes("pos quat axisangle xyaxes zaxis euler mass diaginertia fullinertia")?;
    node.check_leaf()?;
    let at = Layers::of(node);
    let need = |what| node.error(format!("an inertial needs the attribute {what}"));
    at.text("pos").ok_or_else(|| need("pos"))?;
    at.text("mass").ok_or_else(|| need("mass"))?;
    let mass = at.magnitude("mass")?;
    let diagonal = at.numbers::<3>("diaginertia")?;
    let full = at.numbers::<6>("fullinertia")?;

    // inertia in the inertial frame's own axes
    let about_com = match (diagonal, full) {
        (Some(_), Some(_)) => return Err(node.error("give diaginertia or fullinertia, not both")),
        (Some([xx, yy, zz]), None) => Sym3::diagonal(xx, yy, zz),
        (None, Some([xx, yy, zz, xy, xz, yz])) => Sym3 { xx, yy, zz, xy, xz, yz },
        (None, None) => Sym3::ZERO,
    };
    let oriented = ["quat", "axisangle", "xyaxes", "zaxis", "euler"].iter().any(|f| at.text(f).is_some());
    if full.is_some() && oriented {
        return Err(node.error("fullinertia is in the body's axes; it cannot have an orientation"));
    }
    let [least, _, _] = about_com.eigenvalues();
    if !(least >= 0.0 || least.abs() <= 1e-12 * about_com.eigenvalues()[2]) {
        return Err(node.error("the rotational inertia is not positive"));
    }

    // turned only when there is something to turn, so that numbers come back as they were written
    let at_frame = Frame { pos: at.vector("pos")?.unwrap_or_default(), quat: orientation(&at, compiler)? };
    let Frame { pos, quat } = at_frame.inside(frame);
    let turned = oriented || frame.is_some();
    let about_com = if turned { about_com.rotated(&rotation::to_matrix(&quat)) } else { about_com };
    Ok(Inertia { mass, com: pos, about_com })
}

/// The inertia of a body from what was read of it, with the compiler's bounds and corrections.
pub(super) fn resolve(
    node: Node<'_>,
    given: Option<Inertia>,
    solids: &[Inertia],
    compiler: &Compiler,
) -> Result<Inertia, FormatError> {
    let from_geoms = match compiler.from_geoms {
        FromGeoms::Never => false,
        FromGeoms::Missing => given.is_none(),
        FromGeoms::Always => !solids.is_empty(),
    };
    let mut total = given.unwrap_or(Inertia::ZERO);
    if from_geoms {
        total = solids.iter().fold(Inertia::ZERO, |sum, solid| sum + *solid);
    }
    total.mass = total.mass.max(compiler.bound_mass);
    total.about_com = bounded(total.about_com, compiler.bound_inertia);
    if compiler.balance_inertia && !total.is_physical() {
        let Sym3 { xx, yy, zz, .. } = total.about_com;
        let mean = (xx + yy + zz) / 3.0;
        total.about_com = Sym3::diagonal(mean, mean, mean);
    }
    let Inertia { mass, com, about_com } = total;
    let entries = about_com.to_mat3();
    if !mass.is_finite() || !com.iter().chain(entries.iter()).all(|x| x.is_finite()) {
        return Err(node.error("its mass or inertia is too large to compute with"));
    }
    Ok(total)
}

/// Raises principal moments to a bound.
fn bounded(s: Sym3, least: f64) -> Sym3 {
    if least == 0.0 || s.eigenvalues()[0] >= least {
        return s;
    }
    let Some(eigen) = s.to_mat3().try_symmetric_eigen(1e-15, 200) else { return s };
    let [a, b, c]: [f64; 3] = eigen.eigenvalues.into();
    Sym3::diagonal(a.max(least), b.max(least), c.max(least)).rotated(&eigen.eigenvectors)
}

/// The same body, denser.
pub(super) fn scaled(inertia: &Inertia, by: f64) -> Inertia {
    let Inertia { mass, com, about_com: s } = *inertia;
    let [xx, yy, zz, xy, xz, yz] = [s.xx, s.yy, s.zz, s.xy, s.xz, s.yz].map(|x| x * by);
    Inertia { mass: mass * by, com, about_com: Sym3 { xx, yy, zz, xy, xz, yz } }
}

/// Whether a body could move freely by itself.
pub(super) fn substantial(inertia: &Inertia) -> bool {
    inertia.mass >= NOTHING && inertia.about_com.eigenvalues()[0] >= NOTHING
}
