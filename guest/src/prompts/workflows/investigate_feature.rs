//! From the traces of a feature to the code behind it.

use crate::prompts::points::{Point, When, absent, given, way};
use crate::prompts::{Argument, Prompt};
use crate::session::Family;

/// The workflow.
pub(in crate::prompts) const PROMPT: Prompt = Prompt {
    name: "investigate_feature",
    title: "Investigate a feature",
    description: "Follow one feature of a binary or an application from the traces it leaves (strings, symbols, \
                  modules) to the code that implements it.",
    arguments: &[
        Argument::required(
            "feature",
            "What to look for: a feature, a behaviour, a string or a symbol.",
        ),
        Argument::optional(
            "target_path",
            "Absolute path of the binary, application bundle or application directory; not needed if it is open.",
        ),
        Argument::completed(
            "document",
            Family::Document,
            "The document of the open target in which to look.",
        ),
        Argument::completed(
            "procedure",
            Family::Procedure,
            "A procedure to start from, by address or by a name that has one address.",
        ),
        Argument::completed(
            "provider_id",
            Family::Provider,
            "The analysis provider to prefer where it has the capability.",
        ),
    ],
    objective: "Find out where and how this target implements the requested feature, and show what each conclusion \
                rests on.",
    points: &[
        // G6: such a directory is never opened.
        Point {
            when: When::Always,
            lead: "A JavaScript or Electron application directory",
            ways: &[
                given(
                    "target_path",
                    &[
                        "call {analyze_javascript_application} directly, with `input_path` = `target_path`; nothing has to be opened first",
                    ],
                ),
                absent(
                    "target_path",
                    &[
                        "call {analyze_javascript_application} directly, with `input_path` = the directory; nothing has to be opened first",
                    ],
                ),
            ],
            lacks: "analyse a JavaScript application directory",
        },
        Point {
            when: When::Given("target_path"),
            lead: "A file or a macOS application bundle (`.app`)",
            ways: &[
                way(&[
                    "open it with {open_binary}, `path` = `target_path`, unless it is the active target already",
                ]),
                PREFERRED_PROVIDER,
            ],
            lacks: "open a target",
        },
        Point {
            when: When::Absent("target_path"),
            lead: "Without a `target_path`",
            ways: &[
                way(&[
                    "work on the active target; if there is none, ask for its path and open it with {open_binary}",
                ]),
                PREFERRED_PROVIDER,
            ],
            lacks: "open a target",
        },
        // G6: what was already learnt comes before tracing.
        Point {
            when: When::Retained(&["analyze_javascript_application", "inspect_binary_layout"]),
            lead: "Evidence of the application or of the binary layout is retained already",
            ways: &[way(&[
                "look at the part of it that concerns the feature with {inspect_analysis_view} before you trace anything",
            ])],
            lacks: "",
        },
        Point {
            when: When::Always,
            lead: "A target with several documents",
            ways: &[
                given(
                    "document",
                    &["`document` is the one to look in; {list_documents} shows the others"],
                ),
                absent(
                    "document",
                    &["{list_documents} names them, and tools take one as `document`"],
                ),
                way(&["{set_current_document} only if a tool cannot be given the document"]),
            ],
            lacks: "",
        },
        Point {
            when: When::Given("procedure"),
            lead: "`procedure` is a place to start from",
            ways: &[
                way(&[
                    "{procedure_address} gives its one address, or lists the addresses that share the name",
                ]),
                way(&["{analyze_function} takes it as it is"]),
            ],
            lacks: "",
        },
        Point {
            when: When::Always,
            lead: "Traces of the feature in a binary",
            ways: &[
                way(&[
                    "{search_strings} finds texts that it shows, logs or parses, also in a stripped file",
                ]),
                way(&["{search_procedures} finds names"]),
                absent(
                    "procedure",
                    &["{procedure_address} gives the address of a name"],
                ),
                way(&["{list_procedures} goes through all there are, in pages"]),
                way(&[
                    "{inspect_binary_layout} shows the sections and segments that an address can fall in",
                ]),
            ],
            lacks: "search strings and names",
        },
        Point {
            when: When::Always,
            lead: "Traces of the feature in an analysed application",
            ways: &[way(&[
                "{trace_application_feature} follows a route, an API, an IPC channel, a module, a string or a native export through its layers",
            ])],
            lacks: "follow a feature through the layers of an application",
        },
        Point {
            when: When::Always,
            lead: "From a trace to the code",
            ways: &[
                way(&["{trace_feature} goes from a string or a name to the code that uses it"]),
                way(&[
                    "{analyze_function} shows one function with its calls, references and strings",
                ]),
                way(&["{xrefs} lists what refers to an address"]),
                way(&[
                    "{procedure_callers} and {procedure_callees} list direct calls",
                    "{procedure_callers} lists direct callers",
                    "{procedure_callees} lists direct callees",
                ]),
                way(&["indirect calls and paths cut short stay Unknowns"]),
            ],
            lacks: "read code or follow references and calls",
        },
        Point {
            when: When::Always,
            lead: "A question that stays open",
            ways: &[way(&[
                "{record_unknown} keeps it, with the evidence that bears on it",
            ])],
            lacks: "keep open questions",
        },
    ],
};

const PREFERRED_PROVIDER: crate::prompts::points::Way = given(
    "provider_id",
    &["prefer the provider `provider_id` where a tool takes one and it has the capability"],
);
