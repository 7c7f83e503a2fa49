//! Between the words of the contract and those of the library: field by field, the same on both sides.

use super::wit;
use crate::toggle;

/// Converts one by one.
pub(super) fn all<A, B: From<A>>(from: Vec<A>) -> Vec<B> {
    from.into_iter().map(Into::into).collect()
}

macro_rules! same_cases {
    ($from:path, $to:path, $($case:ident),+) => {
        impl From<$from> for $to {
            fn from(from: $from) -> Self {
                match from {
                    $(<$from>::$case => <$to>::$case,)+
                }
            }
        }
    };
}

same_cases!(wit::Naming, toggle::Naming, Dsh, Gateway);
same_cases!(
    wit::ServerState,
    toggle::ServerState,
    Connected,
    Down,
    Absent
);
same_cases!(
    toggle::ServerState,
    wit::ServerState,
    Connected,
    Down,
    Absent
);
same_cases!(wit::Movement, toggle::Movement, On, Off, Flip);
same_cases!(toggle::Movement, wit::Movement, On, Off, Flip);
same_cases!(
    wit::StoreFailureKind,
    toggle::StoreFailureKind,
    Busy,
    Failed
);
same_cases!(
    toggle::ProblemKind,
    wit::ProblemKind,
    Syntax,
    Missing,
    WrongType,
    Empty,
    Unprintable,
    Duplicate,
    Unknown,
    TooMuch
);
same_cases!(
    toggle::DamageKind,
    wit::DamageKind,
    Size,
    Encoding,
    Syntax,
    Shape,
    Version
);

impl From<wit::Settings> for toggle::Settings {
    fn from(from: wit::Settings) -> Self {
        Self {
            servers: from.servers,
            default_enabled: from.default_enabled,
        }
    }
}

impl From<wit::Hosting> for toggle::Hosting {
    fn from(from: wit::Hosting) -> Self {
        Self {
            naming: from.naming.into(),
            state_path: from.state_path,
            command: from.command,
        }
    }
}

impl From<wit::Held> for toggle::Held {
    fn from(from: wit::Held) -> Self {
        Self {
            mask: from.mask,
            sections: from.sections,
        }
    }
}

impl From<wit::Server> for toggle::Server {
    fn from(from: wit::Server) -> Self {
        Self {
            name: from.name,
            state: from.state.map(Into::into),
        }
    }
}

impl From<wit::OwnedNames> for toggle::OwnedNames {
    fn from(from: wit::OwnedNames) -> Self {
        Self {
            server: from.server,
            names: from.names,
        }
    }
}

impl From<wit::AgentNames> for toggle::AgentNames {
    fn from(from: wit::AgentNames) -> Self {
        Self {
            agent: from.agent,
            names: from.names,
        }
    }
}

impl From<wit::Toolset> for toggle::Toolset {
    fn from(from: wit::Toolset) -> Self {
        Self {
            servers: all(from.servers),
            names: from.names,
            owned: all(from.owned),
            agents: all(from.agents),
        }
    }
}

impl From<wit::Agent> for toggle::Agent {
    fn from(from: wit::Agent) -> Self {
        Self {
            id: from.id,
            parent: from.parent,
            origin: from.origin,
            names: from.names,
            held: from.held.map(Into::into),
        }
    }
}

impl From<wit::Ancestor> for toggle::Ancestor {
    fn from(from: wit::Ancestor) -> Self {
        Self {
            id: from.id,
            parent: from.parent,
            origin: from.origin,
        }
    }
}

impl From<wit::Change> for toggle::Change {
    fn from(from: wit::Change) -> Self {
        Self {
            session: from.session,
            to: from.to.into(),
        }
    }
}

impl From<wit::StoreFailure> for toggle::StoreFailure {
    fn from(from: wit::StoreFailure) -> Self {
        Self {
            kind: from.kind.into(),
            detail: from.detail,
        }
    }
}

impl From<wit::HttpRequest> for toggle::Request {
    fn from(from: wit::HttpRequest) -> Self {
        Self {
            method: from.method,
            query: from.query,
            headers: from.headers,
            body: from.body,
        }
    }
}

impl From<wit::Fence> for toggle::Fence {
    fn from(from: wit::Fence) -> Self {
        Self {
            hosts: from.hosts,
            origins: from.origins,
        }
    }
}

impl From<wit::HttpChange> for toggle::HttpChange {
    fn from(from: wit::HttpChange) -> Self {
        Self {
            change: from.change.into(),
            origin: from.origin,
        }
    }
}

impl From<toggle::Settings> for wit::Settings {
    fn from(from: toggle::Settings) -> Self {
        Self {
            servers: from.servers,
            default_enabled: from.default_enabled,
        }
    }
}

impl From<toggle::Configuration> for wit::Configuration {
    fn from(from: toggle::Configuration) -> Self {
        Self {
            settings: from.settings.into(),
            shared: from.shared,
            ignored: from.ignored,
        }
    }
}

impl From<toggle::Problem> for wit::Problem {
    fn from(from: toggle::Problem) -> Self {
        Self {
            kind: from.kind.into(),
            field: from.field,
            detail: from.detail,
        }
    }
}

impl From<toggle::Order> for wit::Order {
    fn from(from: toggle::Order) -> Self {
        Self {
            agent: from.agent,
            conversation: from.conversation,
            enabled: from.enabled,
            mask: from.mask,
            sections: from.sections,
        }
    }
}

impl From<toggle::Orders> for wit::Orders {
    fn from(from: toggle::Orders) -> Self {
        Self {
            masks: from.masks.iter().map(|mask| mask.to_vec()).collect(),
            agents: all(from.agents),
        }
    }
}

impl From<toggle::Decision> for wit::Decision {
    fn from(from: toggle::Decision) -> Self {
        Self {
            conversation: from.conversation,
            enabled: from.enabled,
            deny: from.deny,
            sections: from.sections,
        }
    }
}

impl From<toggle::Change> for wit::Change {
    fn from(from: toggle::Change) -> Self {
        Self {
            session: from.session,
            to: from.to.into(),
        }
    }
}

impl From<toggle::Damage> for wit::Damage {
    fn from(from: toggle::Damage) -> Self {
        Self {
            kind: from.kind.into(),
            field: from.field,
            detail: from.detail,
        }
    }
}

impl From<toggle::Adopted> for wit::Adopted {
    fn from(from: toggle::Adopted) -> Self {
        Self {
            conversations: from.conversations,
            orders: from.orders.into(),
            damage: from.damage.map(Into::into),
        }
    }
}

impl From<toggle::Written> for wit::Written {
    fn from(from: toggle::Written) -> Self {
        Self {
            document: from.document.into_bytes(),
            conversation: from.conversation,
            enabled: from.enabled,
            damage: from.damage.map(Into::into),
        }
    }
}

impl From<toggle::Status> for wit::Status {
    fn from(from: toggle::Status) -> Self {
        Self {
            session: from.session,
            conversation: from.conversation,
            enabled: from.enabled,
            known: from.known,
            agents: from.agents,
            tools: from.tools,
            schema_bytes: from.schema_bytes,
        }
    }
}

impl From<toggle::Summary> for wit::Summary {
    fn from(from: toggle::Summary) -> Self {
        Self {
            default_enabled: from.default_enabled,
            servers: from
                .servers
                .into_iter()
                .map(|(name, state)| (name, state.into()))
                .collect(),
            conversations: from.conversations,
            agents: from.agents,
            tools: from.tools,
            schema_bytes: from.schema_bytes,
            state_path: from.state_path,
        }
    }
}

impl From<toggle::Conversation> for wit::Conversation {
    fn from(from: toggle::Conversation) -> Self {
        Self {
            id: from.id,
            enabled: from.enabled,
            revision: from.revision,
            agents: from.agents,
        }
    }
}

impl From<toggle::Reply> for wit::Reply {
    fn from(from: toggle::Reply) -> Self {
        Self {
            ok: from.ok,
            text: from.text,
        }
    }
}

impl From<toggle::Response> for wit::HttpResponse {
    fn from(from: toggle::Response) -> Self {
        Self {
            status: from.status,
            headers: from.headers,
            body: from.body,
        }
    }
}

impl From<toggle::HttpChange> for wit::HttpChange {
    fn from(from: toggle::HttpChange) -> Self {
        Self {
            change: from.change.into(),
            origin: from.origin,
        }
    }
}

impl From<toggle::CommandStep> for wit::CommandStep {
    fn from(from: toggle::CommandStep) -> Self {
        match from {
            toggle::CommandStep::Reply(reply) => Self::Reply(reply.into()),
            toggle::CommandStep::Change(change) => Self::Change(change.into()),
        }
    }
}

impl From<toggle::HttpStep> for wit::HttpStep {
    fn from(from: toggle::HttpStep) -> Self {
        match from {
            toggle::HttpStep::Response(response) => Self::Response(response.into()),
            toggle::HttpStep::Change(change) => Self::Change(change.into()),
        }
    }
}
