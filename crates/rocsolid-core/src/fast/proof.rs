//! Every path, type of score and number of threads against a reference in fractions, on inputs full of ties.
//!
//! The reference is the definition: all pairs, and one fraction a positive. It shares nothing with what it judges but
//! the comparison of two scores.

use proptest::prelude::*;

use super::*;
use crate::table::Table;
use crate::testing::Rng;

const THREADS: [usize; 3] = [1, 2, 5];

/// Rows of the reference at most: the least common multiple of all smaller numbers, times as many, fits 128 bits.
const MOST_ROWS: u64 = 60;

/// Twice U: two for each negative below a positive, one for each at it.
fn twice_u<S: PartialOrd>(scores: &[S], positive: &[u8]) -> u128 {
    let of = |class: bool| {
        scores
            .iter()
            .zip(positive)
            .filter(move |row| (*row.1 != 0) == class)
    };
    of(true)
        .map(|(p, _)| {
            of(false)
                .map(|(n, _)| u128::from(n < p) + u128::from(n <= p))
                .sum::<u128>()
        })
        .sum()
}

/// Average precision: the mean over the positives of the share of positives among the rows at or above each. An exact
/// fraction over the least common multiple of its denominators, divided bit by bit.
fn average_precision<S: PartialOrd>(scores: &[S], positive: &[u8]) -> f64 {
    let denominator = (1..=scores.len() as u128).fold(1, |all, n| all / gcd(all, n) * n);
    let (mut numerator, mut n_pos) = (0u128, 0u128);
    for (p, _) in scores.iter().zip(positive).filter(|row| *row.1 != 0) {
        let at_or_above = || scores.iter().zip(positive).filter(|row| row.0 >= p);
        let predicted = at_or_above().count() as u128;
        let true_pos = at_or_above().filter(|row| *row.1 != 0).count() as u128;
        numerator += true_pos * (denominator / predicted);
        n_pos += 1;
    }
    if n_pos == 0 {
        return f64::NAN;
    }
    let divisor = denominator * n_pos;
    let (mut quotient, mut rest) = (numerator / divisor, numerator % divisor);
    for _ in 0..62 {
        rest *= 2;
        quotient = 2 * quotient + rest / divisor;
        rest %= divisor;
    }
    quotient as f64 / 2f64.powi(62)
}

fn gcd(a: u128, b: u128) -> u128 {
    if b == 0 {
        a
    } else {
        gcd(b, a % b)
    }
}

/// The distinct scores in order, and the rows of each class at each.
fn table<S: Score + PartialOrd>(scores: &[S], positive: &[u8], descending: bool) -> Table<S> {
    let mut distinct: Vec<S> = Vec::new();
    for &score in scores {
        if !distinct.contains(&score) {
            distinct.push(score);
        }
    }
    distinct.sort_by(|a, b| a.partial_cmp(b).unwrap());
    if descending {
        distinct.reverse();
    }
    let mut table = Table::with_capacity(distinct.len());
    for score in distinct {
        let at = |class: bool| {
            let rows = scores.iter().zip(positive);
            rows.filter(|row| *row.0 == score && (*row.1 != 0) == class)
                .count() as u64
        };
        table.push(score, at(true), at(false));
    }
    table
}

/// Every task by every path.
fn prove<S: Score + PartialOrd + std::fmt::Debug>(scores: &[S], positive: &[u8], threads: usize) {
    let call = Call::uninterrupted(threads);
    let (twice, precision) = (
        twice_u(scores, positive),
        average_precision(scores, positive),
    );
    for path in Path::ALL {
        let context = || format!("{path:?}, {threads} threads: {scores:?} {positive:?}");
        let found = areas(path, scores, positive, &call).unwrap();
        assert_eq!(found.u2, twice, "{}", context());
        let near = found.ap.to_bits().abs_diff(precision.to_bits()) <= 1;
        let both_undefined = found.ap.is_nan() && precision.is_nan();
        let ap = found.ap;
        assert!(
            near || both_undefined,
            "{ap} for {precision}, {}",
            context()
        );
        for descending in [true, false] {
            let found = group(path, scores, positive, descending, &call).unwrap();
            assert!(
                found == table(scores, positive, descending),
                "{}",
                context()
            );
        }
    }
    let weights: Vec<u8> = (0..scores.len()).map(|i| (i * 7 % 11 % 4) as u8).collect();
    whole_weights_repeat_rows(scores, positive, &weights, threads);
}

/// How many more inputs than the suite usually tries: `ROCSOLID_PROOF`, for `make nightly`.
fn more() -> u32 {
    let asked = std::env::var("ROCSOLID_PROOF").ok();
    asked.and_then(|n| n.parse().ok()).unwrap_or(1)
}

/// Scores of which many are alike, a third of the time in order, so that the path for these is taken too.
fn tied(rng: &mut Rng, round: u64) -> Vec<f64> {
    let (n, distinct) = (rng.below(MOST_ROWS + 1), 1 + rng.below(12));
    let kind = rng.below(4);
    let mut scores: Vec<f64> = (0..n)
        .map(|_| {
            let place = rng.below(distinct) as f64;
            match kind {
                0 => place - 3.0,
                1 => 1.0 + place * f64::EPSILON, // one ulp apart
                2 => [f64::NEG_INFINITY, -0.0, 0.0, 5e-324, f64::INFINITY][place as usize % 5],
                _ => (place % 2.0) * 1e15 + place,
            }
        })
        .collect();
    if round.is_multiple_of(3) {
        scores.sort_by(f64::total_cmp);
    }
    if round.is_multiple_of(6) {
        scores.reverse();
    }
    scores
}

/// Sixty thousand inputs, each through every path; each type of score and number of threads gets five thousand.
#[test]
fn every_path_is_right() {
    let before = path_counts();
    let mut rng = Rng::new(50);
    let rounds = if cfg!(miri) {
        12
    } else {
        60_000 * u64::from(more())
    };
    for round in 0..rounds {
        let scores = tied(&mut rng, round / 12);
        let odd = 1 + rng.below(4);
        let label = |_| u8::from(rng.below(odd) == 0) * 3;
        let positive: Vec<u8> = (0..scores.len()).map(label).collect();
        let whole = |&x: &f64| ((x - 1.0) * 2f64.powi(52)) as i64; // keeps what is one ulp apart
        let threads = THREADS[round as usize % 3];
        match round / 3 % 4 {
            0 => prove(&scores, &positive, threads),
            1 => prove(
                &scores.iter().map(|&x| x as f32).collect::<Vec<_>>(),
                &positive,
                threads,
            ),
            2 => prove(
                &scores.iter().map(whole).collect::<Vec<_>>(),
                &positive,
                threads,
            ),
            _ => {
                let scores: Vec<u64> = scores.iter().map(|x| whole(x) as u64).collect();
                prove(&scores, &positive, threads);
            }
        }
    }
    let least = if cfg!(miri) { 0 } else { 1000 };
    for (then, now) in before.iter().zip(path_counts()) {
        let (task, path, score, threads, calls) = now;
        // No call takes `auto` itself, a table is only sorted, counted or distributed, weighted rows are not counted.
        let never = match task {
            "group" => ["auto", "sorted", "rare"].contains(&path),
            "weighted areas" => !["sort", "distribute"].contains(&path),
            _ => path == "auto",
        };
        assert!(
            never || calls - then.4 >= least,
            "{task}, {path}, {score}, {threads} threads: {} calls",
            calls - then.4
        );
    }
}

/// Scores from arbitrary bits, from hard cases, from one ulp apart, and from two clusters far apart.
fn any_scores() -> impl Strategy<Value = Vec<f64>> {
    let hard = [
        0.0,
        -0.0,
        5e-324,
        -5e-324,
        f64::MIN_POSITIVE,
        f64::MAX,
        f64::MIN,
        f64::INFINITY,
        f64::NEG_INFINITY,
    ];
    let one = prop_oneof![
        any::<u64>()
            .prop_map(f64::from_bits)
            .prop_filter("no place", |x| !x.is_nan()),
        prop::sample::select(hard.to_vec()),
        (0u64..4).prop_map(|ulps| f64::from_bits(1.5f64.to_bits() + ulps)),
        (0u32..3).prop_map(f64::from),
        (0u32..3).prop_map(|x| 1e15 + f64::from(x)),
        (0u64..3).prop_map(f64::from_bits),
    ];
    prop::collection::vec(one, 0..=MOST_ROWS as usize)
}

proptest! {
    // Failures are printed in full, so no file of them is kept. `PROPTEST_CASES` asks for more.
    #![proptest_config(ProptestConfig {
        cases: if cfg!(miri) { 2 } else { 256 * more() },
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn arbitrary_bits_are_counted_right(
        scores in any_scores(),
        labels in prop::collection::vec(any::<bool>(), MOST_ROWS as usize),
        weights in prop::collection::vec(0u8..4, MOST_ROWS as usize),
        threads in prop::sample::select(THREADS.to_vec()),
    ) {
        let positive: Vec<u8> = labels[..scores.len()].iter().map(|&label| u8::from(label)).collect();
        prove(&scores, &positive, threads);
        prove(&scores.iter().map(|&x| x as f32).collect::<Vec<_>>(), &positive, threads);
        let bits: Vec<u64> = scores.iter().map(|x| x.to_bits()).collect();
        prove(&bits, &positive, threads);
        prove(&bits.iter().map(|&x| x as i64).collect::<Vec<_>>(), &positive, threads);
        whole_weights_repeat_rows(&scores, &positive, &weights[..scores.len()], threads);
    }
}

/// A row of weight three is three rows, and one of weight zero none.
fn whole_weights_repeat_rows<S: Score>(
    scores: &[S],
    positive: &[u8],
    weights: &[u8],
    threads: usize,
) {
    let mut repeated: (Vec<S>, Vec<u8>) = Default::default();
    for ((&score, &label), &weight) in scores.iter().zip(positive).zip(weights) {
        for _ in 0..weight {
            repeated.0.push(score);
            repeated.1.push(label);
        }
    }
    let (rows, labels) = repeated;
    let expected = areas(Path::Sort, &rows, &labels, &Call::uninterrupted(1)).unwrap();
    if expected.n_pos == 0 || expected.n_neg == 0 {
        return;
    }
    let weights: Vec<f64> = weights.iter().map(|&weight| f64::from(weight)).collect();
    let call = Call::uninterrupted(threads);
    let near = |a: f64, b: f64| a.to_bits().abs_diff(b.to_bits()) <= 1;
    for path in [Path::Auto, Path::Distribute, Path::Sort] {
        let (auc, ap) = weighted::areas(path, scores, positive, &weights, &call).unwrap();
        assert!(near(auc, expected.auc()), "{auc} for {}", expected.auc());
        assert!(near(ap, expected.ap), "{ap} for {}", expected.ap);
    }
}
