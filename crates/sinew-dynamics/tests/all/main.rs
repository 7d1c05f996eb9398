//! Tests of the dynamics: identities, closed forms and numbers of other libraries.
mod allocation;
mod extent;
mod identities;
mod laws;
mod morph;
mod reference;
mod support;
mod urdf;
