//! Tests of the dynamics: identities, closed forms and numbers of other libraries.

mod allocation;
mod characters;
mod diagnose;
mod extent;
mod identities;
mod laws;
mod mjcf_characters;
mod morph;
mod reference;
mod roles;
mod shared;
mod support;
mod urdf;
