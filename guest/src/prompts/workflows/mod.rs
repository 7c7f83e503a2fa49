//! The texts of the six workflows, one a file.

pub(super) mod audit_residual_unknowns;
pub(super) mod compare_application_versions;
pub(super) mod investigate_feature;
pub(super) mod prepare_bounded_process_capture;
pub(super) mod trace_crash;
pub(super) mod verify_reconstruction;
