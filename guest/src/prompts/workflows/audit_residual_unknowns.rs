//! What is still open, and what would settle it.

use crate::prompts::points::{Point, When, absent, given, way};
use crate::prompts::{Argument, Prompt};
use crate::session::Family;

/// The workflow.
pub(in crate::prompts) const PROMPT: Prompt = Prompt {
    name: "audit_residual_unknowns",
    title: "Audit residual unknowns",
    description: "Go through the questions of this session that are not resolved: what evidence bears on them, whether \
                  their revisions are sound, and what authority an answer needs.",
    arguments: &[
        Argument::required(
            "audit_scope",
            "The decision, the risk or the part of the work that the audit serves.",
        ),
        Argument::completed(
            "unknown_id",
            Family::ResidualUnknown,
            "One question that is not resolved; without it the audit takes in all of them.",
        ),
        Argument::completed(
            "evidence_id",
            Family::Evidence,
            "Retained evidence that bears on the audit.",
        ),
    ],
    objective: "Say for each open question in scope what is known, what contradicts it, and what evidence would \
                settle it.",
    points: &[
        Point {
            when: When::Always,
            lead: "What is open",
            ways: &[
                given(
                    "unknown_id",
                    &[
                        "{list_unknowns} shows `unknown_id` with its current revision and its relations",
                    ],
                ),
                absent(
                    "unknown_id",
                    &[
                        "{list_unknowns} shows the questions with status, severity and current revision; begin with those that the scope depends on",
                    ],
                ),
                given(
                    "evidence_id",
                    &[
                        "ask of the evidence `evidence_id` whether it supports or contradicts an answer, and with what authority",
                    ],
                ),
            ],
            lacks: "list open questions",
        },
        Point {
            when: When::Always,
            lead: "A question that counts as resolved",
            ways: &[way(&[
                "{verify_unknown_resolution} checks its evidence, authority and environment; one that was withdrawn or put out of scope is valid, yet nothing was shown to be true",
            ])],
            lacks: "check resolutions",
        },
        Point {
            when: When::Always,
            lead: "A question on which there is news",
            ways: &[way(&[
                "{update_unknown} with `expected_revision` = the revision that you read; after a conflict, read {list_unknowns} again and reconsider",
                "{update_unknown} with `expected_revision` = the revision that you read; after a conflict, reconsider from the newer one",
            ])],
            lacks: "update a question",
        },
        Point {
            when: When::Always,
            lead: "A question that is missing",
            ways: &[way(&[
                "{record_unknown} adds it, with the probe that would answer it",
            ])],
            lacks: "keep open questions",
        },
    ],
};
