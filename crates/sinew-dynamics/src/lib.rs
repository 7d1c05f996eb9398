//! Rigid-body dynamics of articulated characters and robots.
#![forbid(unsafe_code)]
