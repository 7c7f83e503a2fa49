//! Words that several interfaces share.

use super::imports;
use crate::session;

pub(super) fn family_out(family: session::Family) -> imports::types::Family {
    use imports::types::Family as Out;
    match family {
        session::Family::Document => Out::Document,
        session::Family::Procedure => Out::Procedure,
        session::Family::Provider => Out::Provider,
        session::Family::Evidence => Out::Evidence,
        session::Family::ProcessCapture => Out::ProcessCapture,
        session::Family::ArtifactManifest => Out::ArtifactManifest,
        session::Family::ArtifactOccurrence => Out::ArtifactOccurrence,
        session::Family::ResidualUnknown => Out::ResidualUnknown,
    }
}

pub(super) fn unavailable(reason: imports::types::Unavailable) -> session::Unavailable {
    use imports::types::Unavailable as In;
    match reason {
        In::NoTarget => session::Unavailable::NoTarget,
        In::Cold => session::Unavailable::Cold,
        In::InTransition => session::Unavailable::InTransition,
        In::Unsupported => session::Unavailable::Unsupported,
        In::Failed => session::Unavailable::Failed,
    }
}

pub(super) fn fault(fault: session::Fault) -> imports::types::Fault {
    use imports::types::FaultCode as Out;
    imports::types::Fault {
        code: match fault.code {
            session::FaultCode::UnknownPrompt => Out::UnknownPrompt,
            session::FaultCode::MissingArgument => Out::MissingArgument,
            session::FaultCode::BlankArgument => Out::BlankArgument,
            session::FaultCode::MalformedInput => Out::MalformedInput,
            session::FaultCode::OutOfTurn => Out::OutOfTurn,
            session::FaultCode::Other => Out::Other,
        },
        field: fault.field,
        detail: fault.detail,
    }
}
