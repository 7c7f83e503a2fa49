//! How fast it is. Not a test of anything; run with `--ignored --nocapture measure`.

use std::time::{Duration, Instant};

use super::{Host, Rows};
use crate::fold::fold;
use crate::procedures::{Builder, Index};

/// Numbers that look random and are the same each time.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit
    }
}

const WORDS: [&str; 24] = [
    "llvm",
    "clang",
    "Analyzer",
    "Decl",
    "Expr",
    "Instruction",
    "Value",
    "visit",
    "get",
    "set",
    "Type",
    "Matcher",
    "std",
    "__1",
    "basic_string",
    "allocator",
    "vector",
    "unique_ptr",
    "DenseMap",
    "Pass",
    "Manager",
    "Builder",
    "Loop",
    "impl",
];

/// Names like those of a large C++ program: long, nested, alike for a long stretch.
fn cpp_like(count: usize, outside_ascii: usize) -> Rows {
    let mut dice = Dice(7);
    let mut templates = Vec::new();
    for _ in 0..4000 {
        let mut text = String::from("_ZN");
        for _ in 0..6 + dice.below(22) {
            let word = WORDS[dice.below(WORDS.len())];
            text.push_str(&format!("{}{word}", word.len()));
        }
        templates.push(text);
    }
    let names = (0..count)
        .map(|n| {
            let mut text = templates[dice.below(templates.len())].clone();
            for _ in 0..1 + dice.below(8) {
                text.push_str(WORDS[dice.below(WORDS.len())]);
            }
            if n % 1000 < outside_ascii {
                text.insert(3 + dice.below(3), 'é');
            }
            (format!("{text}E{}", dice.below(2_000_000)), n as u32 / 2)
        })
        .collect();
    let places = (0..count.div_ceil(2))
        .map(|n| format!("{:#x}", 0x40_0000 + n * 32))
        .collect();
    Rows {
        document: "clang".to_owned(),
        places,
        names,
        complete: true,
    }
}

fn build(documents: &[Rows]) -> Index {
    let host = Host {
        documents,
        page: 5000,
    };
    let begun = Instant::now();
    let mut builder = Builder::begin(documents.iter().map(Rows::extent).collect()).unwrap();
    println!("begin {:?}", begun.elapsed());
    let (mut slices, mut longest, mut done) = (0, Duration::ZERO, false);
    while !done {
        let slice = Instant::now();
        done = builder.advance(&host).unwrap().done;
        longest = longest.max(slice.elapsed());
        slices += 1;
    }
    println!(
        "built in {:?}, {slices} slices, longest {longest:?}",
        begun.elapsed()
    );
    builder.finish().unwrap()
}

/// The middle, the 99th of a hundred and the longest time that it takes to find what was typed.
fn report(what: &str, index: &Index, typed: impl Iterator<Item = String>) {
    let mut times: Vec<Duration> = typed
        .map(|typed| {
            let begun = Instant::now();
            std::hint::black_box(index.find(None, &fold(&typed)));
            begun.elapsed()
        })
        .collect();
    times.sort_unstable();
    let count = times.len();
    let (middle, most, longest) = (times[count / 2], times[count * 99 / 100], times[count - 1]);
    println!("{what}: p50 {middle:?}, p99 {most:?}, longest {longest:?}");
}

fn keystrokes(index: &Index, documents: &[Rows]) {
    let names = &documents[0].names;
    let random = |seed| {
        let mut dice = Dice(seed);
        std::iter::repeat_with(move || {
            (
                names[dice.below(names.len())].0.as_str(),
                1 + dice.below(40),
            )
        })
        .take(10_000)
    };
    let beginning = |(name, length): (&str, usize)| name.chars().take(length).collect::<String>();
    report("a cold keystroke", index, random(1).map(beginning));
    report(
        "the same in lower case",
        index,
        random(2).map(beginning).map(|typed| typed.to_lowercase()),
    );
    report(
        "a whole name",
        index,
        random(3).map(|(name, _)| name.to_owned()),
    );
    let typing = |(name, _): (&'_ str, usize)| {
        let lengths = 1..name.len();
        lengths
            .filter_map(|length| name.get(..length).map(str::to_owned))
            .collect::<Vec<_>>()
    };
    report(
        "a name typed letter by letter",
        index,
        random(4).take(200).flat_map(typing),
    );
    report(
        "nothing typed",
        index,
        std::iter::repeat_n(String::new(), 100),
    );
}

#[test]
#[ignore = "measures, proves nothing"]
fn measure_a_large_program() {
    for outside in [0, 20, 1000] {
        let documents = [cpp_like(700_000, outside)];
        let bytes: usize = documents[0].names.iter().map(|(name, _)| name.len()).sum();
        println!(
            "\n{} names of mean {}, {outside} in a thousand outside ASCII",
            700_000,
            bytes / 700_000
        );
        let index = build(&documents);
        keystrokes(&index, &documents);
    }
}

/// Names made to be as bad as can be: one word of 4,000 letters in many case variants.
#[test]
#[ignore = "measures, proves nothing"]
fn measure_case_variants() {
    let mut dice = Dice(5);
    let names: Vec<(String, u32)> = (0..60_000)
        .map(|_| {
            let letters = (0..4000).map(|at| {
                if at < 40 && dice.below(2) == 0 {
                    'W'
                } else {
                    'w'
                }
            });
            (letters.collect(), 0)
        })
        .collect();
    let documents = [Rows {
        document: "d".to_owned(),
        places: vec!["0x0".to_owned()],
        names,
        complete: true,
    }];
    let host = Host {
        documents: &documents,
        page: 250,
    };
    let begun = Instant::now();
    let mut builder = Builder::begin(documents.iter().map(Rows::extent).collect()).unwrap();
    while !builder.advance(&host).unwrap().done {}
    println!("\nbuilt in {:?}", begun.elapsed());
    let index = builder.finish().unwrap();
    for length in [1, 20, 40, 1000, 4000] {
        let begun = Instant::now();
        let total = index.find(None, &"w".repeat(length)).total;
        println!("{length} letters typed: {total} in {:?}", begun.elapsed());
    }
}
