//! The methods of both protocol eras that a client may call, and their parameters.
//!
//! Source: the schemas of 2025-11-25 and 2026-07-28. `_meta` belongs to every one and is checked apart.

use super::{
    Case, Era, Field, Kind, Kind::*, Method, lenient as say, optional as may, required as must,
};
use crate::rules::Capability as Needs;

const fn both(name: &'static str, needs: Needs, fields: &'static [Field]) -> Method {
    Method {
        name,
        needs,
        era: Era::Both,
        fields,
    }
}

const fn legacy(name: &'static str, needs: Needs, fields: &'static [Field]) -> Method {
    Method {
        name,
        needs,
        era: Era::Legacy,
        fields,
    }
}

const fn modern(name: &'static str, needs: Needs, fields: &'static [Field]) -> Method {
    Method {
        name,
        needs,
        era: Era::Modern,
        fields,
    }
}

pub(super) static REQUESTS: &[Method] = &[
    // Served whatever `_meta` says: it is how a client of both eras opens the older one.
    both("initialize", Needs::None, INITIALIZE),
    legacy("ping", Needs::None, &[]),
    both("server/discover", Needs::None, &[]),
    both("prompts/list", Needs::Prompts, PAGE),
    both(
        "prompts/get",
        Needs::Prompts,
        &[
            must("name", Text),
            may("arguments", Map(&Text)),
            may("inputResponses", Object(&[])),
            may("requestState", Text),
        ],
    ),
    both(
        "completion/complete",
        Needs::Completions,
        &[
            must("ref", Variant(REFERENCE)),
            must(
                "argument",
                Object(&[must("name", Text), must("value", Text)]),
            ),
            may("context", Object(&[may("arguments", Map(&Text))])),
        ],
    ),
    both("tools/list", Needs::Tools, PAGE),
    both(
        "tools/call",
        Needs::Tools,
        &[
            must("name", Text),
            may("arguments", Object(&[])),
            may("task", Object(&[may("ttl", Number)])),
            may("inputResponses", Object(&[])),
            may("requestState", Text),
        ],
    ),
    both("resources/list", Needs::Resources, PAGE),
    both("resources/templates/list", Needs::Resources, PAGE),
    both(
        "resources/read",
        Needs::Resources,
        &[
            must("uri", Text),
            may("inputResponses", Object(&[])),
            may("requestState", Text),
        ],
    ),
    legacy(
        "resources/subscribe",
        Needs::ResourceSubscriptions,
        &[must("uri", Text)],
    ),
    legacy(
        "resources/unsubscribe",
        Needs::ResourceSubscriptions,
        &[must("uri", Text)],
    ),
    legacy("logging/setLevel", Needs::Logging, &[must("level", LEVEL)]),
    modern(
        "subscriptions/listen",
        Needs::None,
        &[must("notifications", Object(SUBSCRIPTION))],
    ),
    both("tasks/get", Needs::Tasks, TASK),
    both("tasks/cancel", Needs::Tasks, TASK),
    both(
        "tasks/update",
        Needs::Tasks,
        &[must("taskId", Text), must("inputResponses", Object(&[]))],
    ),
];

static NOTIFICATIONS: &[Method] = &[
    legacy("notifications/initialized", Needs::None, &[]),
    both(
        "notifications/cancelled",
        Needs::None,
        &[must("requestId", Token), may("reason", Text)],
    ),
    both(
        "notifications/progress",
        Needs::None,
        &[
            must("progressToken", Token),
            must("progress", Number),
            may("total", Number),
            may("message", Text),
        ],
    ),
    legacy("notifications/roots/list_changed", Needs::None, &[]),
];

/// `_meta` of any request: the members that the protocol reserves.
pub(crate) static META: &[Field] = &[may(
    "_meta",
    Object(&[
        say("progressToken", Token),
        say("io.modelcontextprotocol/protocolVersion", Text),
        say("io.modelcontextprotocol/clientInfo", Object(IMPLEMENTATION)),
        say(
            "io.modelcontextprotocol/clientCapabilities",
            Object(CAPABILITIES),
        ),
        say("io.modelcontextprotocol/logLevel", LEVEL),
    ]),
)];

const INITIALIZE: &[Field] = &[
    must("protocolVersion", Text),
    must("capabilities", Object(CAPABILITIES)),
    must("clientInfo", Object(IMPLEMENTATION)),
];

/// `null` is no cursor, and the empty string is one.
const PAGE: &[Field] = &[may("cursor", Text)];

const TASK: &[Field] = &[must("taskId", Text)];

const REFERENCE: &[Case] = &[
    Case {
        tag: "ref/prompt",
        needs: Needs::None,
        fields: &[must("name", Text), may("title", Text)],
    },
    Case {
        tag: "ref/resource",
        needs: Needs::Resources,
        fields: &[must("uri", Text)],
    },
];

const SUBSCRIPTION: &[Field] = &[
    may("toolsListChanged", Flag),
    may("promptsListChanged", Flag),
    may("resourcesListChanged", Flag),
    may("resourceSubscriptions", List(&Text)),
];

const IMPLEMENTATION: &[Field] = &[
    must("name", Text),
    must("version", Text),
    say("title", Text),
    say("description", Text),
    say("websiteUrl", Text),
    say(
        "icons",
        List(&Object(&[
            must("src", Text),
            say("mimeType", Text),
            say("sizes", List(&Text)),
            say("theme", Choice(&["light", "dark"])),
        ])),
    ),
];

const CAPABILITIES: &[Field] = &[
    say("experimental", Map(&Object(&[]))),
    say("extensions", Map(&Object(&[]))),
    say("roots", Object(&[say("listChanged", Flag)])),
    say(
        "sampling",
        Object(&[say("tools", Object(&[])), say("context", Object(&[]))]),
    ),
    say(
        "elicitation",
        Object(&[
            say("form", Object(&[say("schemaValidation", Flag)])),
            say("url", Object(&[])),
        ]),
    ),
];

const LEVEL: Kind = Choice(&[
    "debug",
    "info",
    "notice",
    "warning",
    "error",
    "critical",
    "alert",
    "emergency",
]);

/// The request of this name, if the protocol has one.
pub(crate) fn find_request(name: &str) -> Option<&'static Method> {
    REQUESTS.iter().find(|method| method.name == name)
}

/// The notification of this name that a client may send, if the protocol has one.
pub(crate) fn find_notification(name: &str) -> Option<&'static Method> {
    NOTIFICATIONS.iter().find(|method| method.name == name)
}
