//! Whether a reconstruction meets a finite goal.

use crate::prompts::points::{Point, When, given, way};
use crate::prompts::{Argument, Prompt};
use crate::session::Family;

/// The workflow.
pub(in crate::prompts) const PROMPT: Prompt = Prompt {
    name: "verify_reconstruction",
    title: "Verify a reconstruction",
    description: "Check a reconstruction against a finite list of claims, each on a retained comparison. A claim that \
                  passes says nothing about any other.",
    arguments: &[
        Argument::required(
            "reconstruction_goal",
            "The behaviour or structure, finite and checkable, that the reconstruction must have.",
        ),
        Argument::completed(
            "comparison_evidence_id",
            Family::Evidence,
            "Retained evidence of a comparison that a claim can rest on.",
        ),
        Argument::completed(
            "provider_id",
            Family::Provider,
            "The analysis provider whose evidence matters here.",
        ),
    ],
    objective: "Turn the goal into claims that can be checked, and decide for each whether the evidence shows that it \
                passes, that it fails, or neither.",
    points: &[
        Point {
            when: When::Always,
            lead: "Evidence for a claim",
            ways: &[
                way(&["{compare_artifacts} for files and structure"]),
                way(&["{compare_functions} for single functions"]),
                way(&["{compare_process_captures} for behaviour that was captured"]),
                given(
                    "provider_id",
                    &["prefer evidence of the provider `provider_id`, and state its limits"],
                ),
            ],
            lacks: "compare original and reconstruction",
        },
        Point {
            when: When::Always,
            lead: "The verdict",
            ways: &[
                way(&[
                    "{verify_reconstruction} takes a finite specification and gives pass, fail or unknown for each claim",
                ]),
                given(
                    "comparison_evidence_id",
                    &["`comparison_evidence_id` may back a claim on just what it compared"],
                ),
                way(&["a pass holds for its claim alone, not for the whole"]),
            ],
            lacks: "evaluate claims",
        },
        Point {
            when: When::Always,
            lead: "Open questions that touch a claim",
            ways: &[way(&[
                "{list_unknowns} shows them; such a claim has not passed",
            ])],
            lacks: "list open questions",
        },
    ],
};
