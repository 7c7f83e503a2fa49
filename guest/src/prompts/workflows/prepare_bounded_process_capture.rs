//! One capture of a process, thought through before it runs.

use crate::prompts::points::{Point, When, given, way};
use crate::prompts::{Argument, Prompt};
use crate::session::Family;

/// The workflow.
pub(in crate::prompts) const PROMPT: Prompt = Prompt {
    name: "prepare_bounded_process_capture",
    title: "Prepare a bounded process capture",
    description: "Plan one process capture that can answer a question on behaviour: command, inputs, what to observe \
                  and when to stop.",
    arguments: &[
        Argument::required(
            "behavior_question",
            "The question that the capture is to answer, and when it counts as answered.",
        ),
        Argument::required(
            "executable",
            "The command or the path of the program to run.",
        ),
        Argument::required("working_directory", "The folder to run it in."),
        Argument::completed(
            "prior_capture_evidence_id",
            Family::ProcessCapture,
            "Retained evidence of an earlier capture, to refine or to compare with.",
        ),
    ],
    objective: "Design the smallest capture whose result can answer the question, and say before it runs what each \
                outcome would mean.",
    points: &[
        Point {
            when: When::Always,
            lead: "The capture",
            ways: &[
                way(&[
                    "{capture_process_scenario} runs `executable` in `working_directory` once, with the rights of the user: it limits, it does not confine",
                ]),
                way(&[
                    "first state how the command is looked up, its arguments and input, the environment that it inherits, the folders to observe, the limits on time and output, and what ends the capture",
                ]),
            ],
            lacks: "capture a process",
        },
        Point {
            when: When::Always,
            lead: "A comparison",
            ways: &[
                way(&["{compare_process_captures} finds where two captures first diverge"]),
                given(
                    "prior_capture_evidence_id",
                    &["to compare with `prior_capture_evidence_id`, change one thing only"],
                ),
            ],
            lacks: "compare captures",
        },
        Point {
            when: When::Always,
            lead: "What the capture leaves open",
            ways: &[way(&[
                "{record_unknown} keeps gaps between samples, output that was cut, effects outside what was observed, and doubts about clean-up",
            ])],
            lacks: "keep open questions",
        },
    ],
};
