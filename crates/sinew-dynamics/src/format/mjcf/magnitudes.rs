//! Bounds for computed numbers, which are the same as for numbers of the file: positions are sums and masses are products, and a
//! number that is too large to be read again must not be written.

use super::tree::Node;
use super::{Reader, value};
use crate::format::FormatError;
use crate::{Geom, Shape, Site};

impl Reader<'_, '_> {
    /// Refuses a model with numbers beyond those that can be read.
    pub(super) fn check_magnitudes(&self, root: Node<'_>) -> Result<(), FormatError> {
        let tame = |numbers: &[f64]| numbers.iter().all(|x| x.abs() <= value::MAX_NUMBER);
        let length = |shape: &Shape| match shape {
            Shape::Capsule { half, .. } | Shape::Cylinder { half, .. } => *half,
            Shape::Box { half } | Shape::Ellipsoid { half } => half.amax(),
            _ => 0.0,
        };
        let parts = |geoms: &[Geom], sites: &[Site]| {
            geoms.iter().all(|g| tame(g.pos.as_slice()) && tame(&[length(&g.shape)]))
                && sites.iter().all(|s| tame(s.pos.as_slice()))
        };
        let problem = "its numbers become too large to compute with";
        for (body, draft) in self.spec.bodies.iter().zip(&self.drafts) {
            let i = &body.inertia;
            let s = &i.about_com;
            let fine = tame(&[i.mass, s.xx, s.yy, s.zz, s.xy, s.xz, s.yz])
                && tame(body.pos.as_slice())
                && tame(i.com.as_slice())
                && body.joints.iter().all(|j| tame(&[j.armature]) && tame(j.anchor.as_slice()))
                && parts(&body.geoms, &body.sites);
            if !fine {
                return Err(draft.node.error(problem));
            }
        }
        let controls = self.spec.actuators.iter().filter_map(|a| a.ctrl_range);
        if !parts(&self.spec.world_geoms, &self.spec.world_sites) || !controls.into_iter().all(|r| tame(&r)) {
            return Err(root.error(problem));
        }
        Ok(())
    }
}
