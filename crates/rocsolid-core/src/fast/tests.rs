//! Every path against sorting, on data made to break them.

use super::isa::tests::BASELINE_ONLY;
use super::*;
use crate::error::Error;
use crate::testing::Rng;

const NAMED: [Path; 5] = [
    Path::Auto,
    Path::Sorted,
    Path::Few,
    Path::Rare,
    Path::Distribute,
];

/// A type of score, as all the tests need it.
trait Keyed: Score<Key: Into<u64>> + PartialEq + std::fmt::Debug {}

impl<S: Score<Key: Into<u64>> + PartialEq + std::fmt::Debug> Keyed for S {}

/// Scores of a kind that some path or map finds hard.
pub(super) fn hostile(rng: &mut Rng, kind: u64, n: usize) -> Vec<f64> {
    const EDGES: [f64; 12] = [
        0.0,
        -0.0,
        5e-324,
        -5e-324,
        f64::INFINITY,
        f64::NEG_INFINITY,
        1e308,
        -1e308,
        1.0,
        1.0 + f64::EPSILON,
        1.0 - f64::EPSILON / 2.0,
        f64::MIN_POSITIVE,
    ];
    let normal = |rng: &mut Rng| (0..12).map(|_| rng.unit()).sum::<f64>() - 6.0;
    let mut scores: Vec<f64> = (0..n)
        .map(|_| match kind {
            0 => EDGES[rng.below(12) as usize],
            1 => 0.25,
            2 => rng.below(2) as f64,
            3 => rng.below(2) as f64 * 1e15 + normal(rng),
            4 => 1.0 + rng.below(40) as f64 * f64::EPSILON,
            5 => (30.0 * normal(rng)).exp(),
            6 | 7 => normal(rng),
            8 => {
                if rng.below(2) == 0 {
                    0.0
                } else {
                    rng.unit()
                }
            }
            9 => (rng.unit() * 1000.0).round() / 1000.0,
            10 => {
                if rng.below(50) == 0 {
                    EDGES[rng.below(12) as usize]
                } else {
                    normal(rng)
                }
            }
            11 => f64::from_bits(rng.below(1 << 20)), // subnormals
            _ => rng.unit(),
        })
        .collect();
    if kind == 6 || kind == 7 {
        scores.sort_by(f64::total_cmp);
    }
    if kind == 7 {
        scores.reverse();
    }
    scores
}

/// Labels: about a half, few, one, or none positive, or the other way round.
pub(super) fn labels(rng: &mut Rng, kind: u64, n: usize) -> Vec<u8> {
    let odd_one = rng.below(n.max(1) as u64) as usize;
    (0..n)
        .map(|i| match kind {
            0 => rng.below(2) as u8,
            1 => u8::from(rng.below(100) == 0) * 7,
            2 => u8::from(i == odd_one),
            3 => u8::from(i != odd_one),
            4 => u8::from(rng.below(20) > 0),
            _ => 0,
        })
        .collect()
}

fn check<S: Keyed>(scores: &[S], positive: &[u8], threads: usize) {
    if scores.len() < 1000 {
        check_tables(scores, positive, threads);
    }
    let expected = areas(Path::Sort, scores, positive, &Call::uninterrupted(1)).unwrap();
    for path in NAMED {
        let found = areas(path, scores, positive, &Call::uninterrupted(threads)).unwrap();
        let same =
            (found.u2, found.n_pos, found.n_neg) == (expected.u2, expected.n_pos, expected.n_neg);
        let near = found.ap.to_bits().abs_diff(expected.ap.to_bits()) <= 1;
        assert!(
            same && near,
            "{path:?}, {threads} threads: {found:?} instead of {expected:?}, n = {}",
            scores.len()
        );
    }
}

/// The table by every path that has one, against sorting, in both directions.
fn check_tables<S: Keyed>(scores: &[S], positive: &[u8], threads: usize) {
    let call = Call::uninterrupted(threads);
    for descending in [true, false] {
        let expected =
            crate::group(scores, positive, None, descending, &Call::uninterrupted(1)).unwrap();
        for path in [Path::Auto, Path::Few, Path::Distribute, Path::Sort] {
            let found = group(path, scores, positive, descending, &call).unwrap();
            assert!(
                found == expected,
                "{path:?}, {threads} threads, descending: {descending}, n = {}",
                scores.len()
            );
            assert_eq!(found.scores.capacity(), found.scores.len());
        }
    }
    check_placements(scores, positive, threads);
}

/// The placements by distribution, against sorting, in both directions.
fn check_placements<S: Keyed>(scores: &[S], positive: &[u8], threads: usize) {
    let call = Call::uninterrupted(threads);
    for descending in [true, false] {
        let by = |path| placements(path, scores, positive, descending, &call).unwrap();
        let expected = by(Path::Sort);
        for path in [Path::Auto, Path::Distribute] {
            assert!(
                by(path) == expected,
                "{path:?}, {threads} threads, descending: {descending}, n = {}",
                scores.len()
            );
        }
    }
}

/// All four types of score. Rounding to `f32` and scaling to integers makes more ties.
fn check_all(scores: &[f64], positive: &[u8], threads: usize) {
    check(scores, positive, threads);
    check(
        &scores.iter().map(|&x| x as f32).collect::<Vec<_>>(),
        positive,
        threads,
    );
    let scaled = |x: f64| {
        if x.abs() > 1e300 {
            x as i64
        } else {
            ((x * 1e6) as i64).wrapping_add(1 << 60)
        }
    };
    let integers: Vec<i64> = scores.iter().map(|&x| scaled(x)).collect();
    check(&integers, positive, threads);
    check(
        &integers
            .iter()
            .map(|&x| (x as u64) ^ (1 << 63))
            .collect::<Vec<_>>(),
        positive,
        threads,
    );
}

#[test]
fn small_data_by_every_path() {
    let mut rng = Rng::new(40);
    // So few that Miri, which is thousands of times slower, sees each kind once.
    for round in (0..4000).step_by(if cfg!(miri) { 307 } else { 1 }) {
        let n = if round < 1800 {
            round as usize / 100
        } else {
            rng.below(if cfg!(miri) { 70 } else { 700 }) as usize
        };
        let scores = hostile(&mut rng, round % 13, n);
        let positive = labels(&mut rng, (round / 13) % 6, n);
        BASELINE_ONLY.with(|only| only.set(round % 5 == 0));
        check_all(&scores, &positive, 1 + (round % 3) as usize);
    }
    BASELINE_ONLY.with(|only| only.set(false));
}

#[test]
#[cfg_attr(miri, ignore = "large")]
fn large_data_by_every_path() {
    let mut rng = Rng::new(41);
    for kind in 0..13 {
        let n = 600_000 + rng.below(1000) as usize;
        let scores = hostile(&mut rng, kind, n);
        for label in [0, 1, 2] {
            let positive = labels(&mut rng, label, n);
            check(&scores, &positive, 1);
            check(&scores, &positive, 3);
        }
        let positive = labels(&mut rng, 4, n);
        check_tables(&scores, &positive, 1 + kind as usize % 3);
        check(
            &scores.iter().map(|&x| x as f32).collect::<Vec<_>>(),
            &positive,
            2,
        );
    }
}

#[test]
fn a_table_holds_no_negative_zero() {
    let (scores, positive) = (
        [-0.0f32, 1.0, 0.0, -0.0, -1.0].repeat(30),
        [0, 1, 1].repeat(50),
    );
    for path in [Path::Auto, Path::Few, Path::Distribute, Path::Sort] {
        let table = group(path, &scores, &positive, false, &Call::uninterrupted(1)).unwrap();
        assert_eq!(table.scores, [-1.0, 0.0, 1.0]);
        assert!(table.scores[1].is_sign_positive(), "{path:?}");
    }
}

#[test]
#[cfg_attr(miri, ignore = "large")]
fn threads_leave_no_trace() {
    let mut rng = Rng::new(42);
    let scores = hostile(&mut rng, 10, 1_200_000);
    let positive = labels(&mut rng, 0, scores.len());
    for path in NAMED {
        let bits = |threads| {
            let areas = areas(path, &scores, &positive, &Call::uninterrupted(threads)).unwrap();
            (areas.u2, areas.ap.to_bits())
        };
        let one = bits(1);
        assert!((2..6).all(|threads| bits(threads) == one), "{path:?}");
    }
}

#[test]
#[cfg_attr(miri, ignore = "large")]
fn a_nan_is_found_wherever_it_is() {
    let mut rng = Rng::new(43);
    for n in [1, 17, 64, 1000, 70_000] {
        for path in NAMED {
            for place in [0, n / 2, n - 1] {
                let mut scores = hostile(&mut rng, 12, n);
                scores[place] = if place % 2 == 0 { f64::NAN } else { -f64::NAN };
                let found = areas(path, &scores, &vec![0; n], &Call::uninterrupted(1));
                assert_eq!(found, Err(Error::Nan), "{path:?}");
                let table = group(path, &scores, &vec![0; n], true, &Call::uninterrupted(1));
                assert_eq!(table, Err(Error::Nan), "{path:?}");
                let call = Call::uninterrupted(1);
                let placed = placements(path, &scores, &vec![0; n], true, &call);
                assert_eq!(placed, Err(Error::Nan), "{path:?}");
            }
        }
    }
}

#[test]
#[cfg_attr(miri, ignore = "large")]
fn an_interruption_ends_the_call() {
    let mut rng = Rng::new(44);
    let scores = hostile(&mut rng, 12, 700_000);
    let positive = labels(&mut rng, 1, scores.len());
    for path in [Path::Sort, Path::Few, Path::Rare, Path::Distribute] {
        for threads in [1, 3] {
            let found = areas(path, &scores, &positive, &Call::new(threads, &|| true));
            assert_eq!(found, Err(Error::Interrupted), "{path:?}");
            let table = group(
                path,
                &scores,
                &positive,
                true,
                &Call::new(threads, &|| true),
            );
            assert_eq!(table, Err(Error::Interrupted), "{path:?}");
            let call = Call::new(threads, &|| true);
            let placed = placements(path, &scores, &positive, true, &call);
            assert_eq!(placed, Err(Error::Interrupted), "{path:?}");
        }
    }
}

#[test]
fn columns_must_have_one_length() {
    let found = areas(Path::Auto, &[1.0], &[], &Call::uninterrupted(1));
    assert_eq!(found, Err(Error::Length));
    let table = group(Path::Auto, &[1.0], &[], true, &Call::uninterrupted(1));
    assert_eq!(table, Err(Error::Length));
}
