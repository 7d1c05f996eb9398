//! Tests of the dynamics: identities, closed forms and numbers of other libraries.

mod diagnose;
mod extent;
mod identities;
mod mjcf_characters;
mod morph;
mod reference;
mod roles;
mod shared;
mod support;
mod urdf;
