//! From the sign of a crash to the code and the paths that lead there.

use crate::prompts::points::{Point, When, absent, given, way};
use crate::prompts::{Argument, Prompt};
use crate::session::Family;

/// The workflow.
pub(in crate::prompts) const PROMPT: Prompt = Prompt {
    name: "trace_crash",
    title: "Trace a crash",
    description: "Relate the sign of a crash (message, exception, signal, address, symptom) to the code where it \
                  arises, to static paths that lead there and, where there is one, to a capture.",
    arguments: &[
        Argument::required(
            "crash_signal",
            "What is known of the crash: a message, an exception, a signal, an address or a symptom to reproduce.",
        ),
        Argument::optional(
            "target_path",
            "Absolute path of the binary or application bundle; not needed if it is open.",
        ),
        Argument::completed(
            "document",
            Family::Document,
            "The document of the open target in which to look.",
        ),
        Argument::completed(
            "procedure",
            Family::Procedure,
            "A procedure known to be near the crash, by address or by a name that has one address.",
        ),
        Argument::completed(
            "capture_evidence_id",
            Family::ProcessCapture,
            "Retained evidence of a process capture of the crash.",
        ),
    ],
    objective: "Find the code where this crash arises and the paths that can lead there, and keep what was observed \
                apart from what is likely.",
    points: &[
        Point {
            when: When::Given("target_path"),
            lead: "The target",
            ways: &[way(&[
                "open it with {open_binary}, `path` = `target_path`, unless it is the active one already",
            ])],
            lacks: "open a target",
        },
        Point {
            when: When::Absent("target_path"),
            lead: "Without a `target_path`",
            ways: &[way(&[
                "work on the active target; if there is none, ask for its path and open it with {open_binary}",
            ])],
            lacks: "open a target",
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
                    &["{list_documents} names them; choose the one that was running"],
                ),
            ],
            lacks: "",
        },
        Point {
            when: When::Given("procedure"),
            lead: "`procedure` is known to be near the crash",
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
            lead: "A message or a name in the signal",
            ways: &[
                way(&["{search_strings} finds the fixed parts of a message"]),
                way(&["{search_procedures} finds the names of a backtrace"]),
                absent(
                    "procedure",
                    &["{procedure_address} gives the address of a name"],
                ),
            ],
            lacks: "search strings and names",
        },
        Point {
            when: When::Always,
            lead: "An address in the signal",
            ways: &[
                way(&[
                    "{inspect_binary_layout} shows the segments, to turn a run-time address into one of the file (less the load base)",
                ]),
                way(&[
                    "{resolve_containing_procedure} tells in which procedure it lies, if in any; a return address points behind its call, so try the address minus one too",
                ]),
            ],
            lacks: "look up an address",
        },
        Point {
            when: When::Always,
            lead: "The code there and the ways to it",
            ways: &[
                way(&[
                    "{analyze_function} shows one function with its calls, references and strings",
                ]),
                way(&["{xrefs} lists what refers to an address, as to that of the message"]),
                way(&["{procedure_callers} lists direct callers"]),
                way(&["{build_call_path} finds direct call paths between two procedures"]),
                way(&["a path that exists need not be the one that was taken"]),
            ],
            lacks: "read code or follow references and calls",
        },
        Point {
            when: When::Always,
            lead: "The run itself, if static evidence leaves the answer open",
            ways: &[
                given(
                    "capture_evidence_id",
                    &["`capture_evidence_id` refers to a capture that may hold the crash already"],
                ),
                way(&[
                    "{capture_process_scenario} runs the program once, within limits, with the rights of the user",
                ]),
                way(&[
                    "{correlate_static_and_runtime} relates code and capture by mappings that you state, never by name or time alone",
                ]),
            ],
            lacks: "capture a run or relate one to the code",
        },
        Point {
            when: When::Always,
            lead: "A cause that stays open",
            ways: &[way(&[
                "{record_unknown} keeps the question, with the evidence that bears on it",
            ])],
            lacks: "keep open questions",
        },
    ],
};
