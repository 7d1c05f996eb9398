//! Tests of the dynamics: identities, closed forms and numbers of other libraries.

mod allocation;
mod characters;
mod diagnose;
mod extent;
mod extremes;
mod identities;
mod laws;
mod mjcf_as_it_is;
mod mjcf_characters;
mod mjcf_errors;
mod mjcf_hostile;
mod mjcf_read;
mod mjcf_write;
mod morph;
mod reference;
mod roles;
mod support;
mod urdf;
