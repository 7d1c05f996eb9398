//! Tests of the dynamics: identities, closed forms and numbers of other libraries.

mod diagnose;
mod extent;
mod identities;
mod morph;
mod reference;
mod support;
mod urdf;
