//! What changed between two shipped versions.

use crate::prompts::points::{Point, When, given, way};
use crate::prompts::{Argument, Prompt};
use crate::session::Family;

/// The workflow.
pub(in crate::prompts) const PROMPT: Prompt = Prompt {
    name: "compare_application_versions",
    title: "Compare application versions",
    description: "Compare an earlier and a later version of a program as shipped, statically and, where there are \
                  captures, at run time. What was not examined does not count as unchanged.",
    arguments: &[
        Argument::required(
            "left_target_path",
            "Absolute path of the earlier version, the baseline.",
        ),
        Argument::required(
            "right_target_path",
            "Absolute path of the later version, the candidate.",
        ),
        Argument::completed(
            "left_manifest_id",
            Family::ArtifactManifest,
            "The manifest of a retained artifact graph of the earlier version, to use again once it is checked.",
        ),
        Argument::completed(
            "right_manifest_id",
            Family::ArtifactManifest,
            "The manifest of a retained artifact graph of the later version, to use again once it is checked.",
        ),
        Argument::completed(
            "focus_occurrence_id",
            Family::ArtifactOccurrence,
            "A retained occurrence to look at first. It does not permit extracting anything.",
        ),
    ],
    objective: "Say what differs between the earlier and the later target, what was shown to be the same, and what \
                could not be compared.",
    points: &[
        // G8: opening comes before inspecting.
        Point {
            when: When::Always,
            lead: "Files, packages and `.app` bundles, one at a time, as only one target is active",
            ways: &[way(&[
                "open `left_target_path` with {open_binary} and gather what you will compare, then do the same with `right_target_path`",
            ])],
            lacks: "open the two targets",
        },
        Point {
            when: When::Always,
            lead: "What each target contains",
            ways: &[
                way(&[
                    "after {open_binary}, {inspect_artifact} works on the active target: it takes no path and returns the artifact graph and the findings inline",
                    "{inspect_artifact} works on the active target: it takes no path and returns the artifact graph and the findings inline",
                ]),
                given(
                    "left_manifest_id",
                    &[
                        "use the retained graph `left_manifest_id` only if its root digest is that of the earlier target",
                    ],
                ),
                given(
                    "right_manifest_id",
                    &[
                        "use the retained graph `right_manifest_id` only if its root digest is that of the later target",
                    ],
                ),
                given(
                    "focus_occurrence_id",
                    &[
                        "look at the occurrence `focus_occurrence_id` first; it does not permit extraction",
                    ],
                ),
            ],
            lacks: "build artifact graphs",
        },
        Point {
            when: When::Always,
            lead: "Two graphs",
            ways: &[way(&[
                "{compare_artifacts} tells which entries were added, removed or changed, by logical path",
            ])],
            lacks: "compare artifact graphs",
        },
        Point {
            when: When::Always,
            lead: "Native code, the same queries while either target is active",
            ways: &[
                way(&["{inspect_binary_layout} for sections and segments"]),
                way(&["{list_procedures} for procedures and their names"]),
                way(&["{search_strings} for texts"]),
                way(&[
                    "match by name or content, since addresses move between builds; a match by hand is Inference",
                ]),
            ],
            lacks: "query native code",
        },
        Point {
            when: When::Always,
            lead: "A function of interest in both",
            ways: &[way(&[
                "{analyze_function} while either target is active, then {compare_functions} on the two results",
                "{analyze_function} while either target is active shows calls, references and strings to set side by side",
                "{compare_functions} sets two retained function results side by side",
            ])],
            lacks: "compare functions",
        },
        Point {
            when: When::Always,
            lead: "JavaScript or Electron application directories",
            ways: &[
                way(&[
                    "{analyze_javascript_application} on each, with `input_path` = its path; nothing has to be opened first",
                ]),
                way(&["{compare_application_versions} matches the two results"]),
                way(&["{reconcile_javascript_runtime} only where passive runtime evidence exists"]),
            ],
            lacks: "compare JavaScript applications",
        },
        Point {
            when: When::Always,
            lead: "Behaviour",
            ways: &[
                way(&["{compare_process_captures} finds where two captures first diverge"]),
                way(&[
                    "{find_changed_behavior} keeps observed changes apart from static candidates",
                ]),
            ],
            lacks: "compare behaviour",
        },
        Point {
            when: When::Always,
            lead: "What could not be compared",
            ways: &[way(&[
                "{record_unknown} keeps it as an open question; data that is missing is not unchanged",
            ])],
            lacks: "keep open questions",
        },
    ],
};
