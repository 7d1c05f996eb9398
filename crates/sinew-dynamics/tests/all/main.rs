//! Tests of the dynamics: identities, closed forms and numbers of other libraries.

mod extent;
mod identities;
mod morph;
mod reference;
mod support;
mod urdf;
