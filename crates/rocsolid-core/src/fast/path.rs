//! The names of the ways to the areas, and how often each was taken.

use std::any::TypeId;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::order::Score;

/// A way to the areas. All lead to the same result; tests force each by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Path {
    /// Whichever is fastest for the data.
    Auto,
    /// Sort both classes and merge.
    Sort,
    /// Walk over rows that are in order already.
    Sorted,
    /// Count few distinct scores.
    Few,
    /// Locate rows beside few positives.
    Rare,
    /// Distribute into buckets.
    Distribute,
}

impl Path {
    /// All of them.
    pub const ALL: [Path; 6] = [
        Path::Auto,
        Path::Sort,
        Path::Sorted,
        Path::Few,
        Path::Rare,
        Path::Distribute,
    ];

    /// The name, in small letters.
    pub fn name(self) -> &'static str {
        match self {
            Path::Auto => "auto",
            Path::Sort => "sort",
            Path::Sorted => "sorted",
            Path::Few => "few",
            Path::Rare => "rare",
            Path::Distribute => "distribute",
        }
    }
}

const SCORES: [&str; 4] = ["float32", "float64", "int64", "uint64"];

/// How often each path was taken for each type of score.
type Taken = [[AtomicU64; SCORES.len()]; Path::ALL.len()];

static TAKEN: Taken = never();
static TAKEN_WITH_WEIGHTS: Taken = never();

const fn never() -> Taken {
    [const { [const { AtomicU64::new(0) }; SCORES.len()] }; Path::ALL.len()]
}

/// Notes that a call has taken this path.
pub(crate) fn note<S: Score>(path: Path) {
    count::<S>(&TAKEN, path);
}

/// Notes that a call with weights has taken this path.
pub(crate) fn note_weighted<S: Score>(path: Path) {
    count::<S>(&TAKEN_WITH_WEIGHTS, path);
}

fn count<S: Score>(taken: &Taken, path: Path) {
    let types = [
        TypeId::of::<f32>(),
        TypeId::of::<f64>(),
        TypeId::of::<i64>(),
        TypeId::of::<u64>(),
    ];
    if let Some(score) = types.iter().position(|&t| t == TypeId::of::<S>()) {
        taken[path as usize][score].fetch_add(1, Ordering::Relaxed);
    }
}

/// How often each path was taken for each type of score, since the process began.
pub fn path_counts() -> Vec<(&'static str, &'static str, u64)> {
    read(&TAKEN)
}

/// The same of calls with weights.
pub fn weighted_path_counts() -> Vec<(&'static str, &'static str, u64)> {
    read(&TAKEN_WITH_WEIGHTS)
}

fn read(taken: &Taken) -> Vec<(&'static str, &'static str, u64)> {
    let rows = Path::ALL.iter().zip(taken);
    let cell = |path: &Path, score: usize, count: &AtomicU64| {
        (path.name(), SCORES[score], count.load(Ordering::Relaxed))
    };
    rows.flat_map(|(path, row)| {
        row.iter()
            .enumerate()
            .map(move |(score, count)| cell(path, score, count))
    })
    .collect()
}
