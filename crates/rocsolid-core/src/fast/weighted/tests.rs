//! Weighted rows by distribution against sorting, bit for bit, on data made to break it.

use super::super::tests::{hostile, labels};
use super::*;
use crate::error::Error;
use crate::fast::isa::tests::BASELINE_ONLY;
use crate::testing::Rng;

/// Weights of a kind: about alike, equal, whole, with zeros, from a wide range, subnormal, too far apart, all zero.
fn weights(rng: &mut Rng, kind: u64, n: usize) -> Vec<f64> {
    let power = |rng: &mut Rng, most: u64| 2f64.powi(rng.below(most) as i32 - most as i32 / 2);
    let one = |rng: &mut Rng| match kind {
        0 => -(1.0 - rng.unit()).ln(),
        1 => 0.1,
        2 => (1 + rng.below(9)) as f64,
        3 => rng.unit() * rng.below(3) as f64,
        4 => rng.unit() * power(rng, 30),
        5 => f64::from_bits(rng.below(1 << 51)),
        6 => rng.unit() * power(rng, 200),
        7 => f64::from(rng.unit() as f32) * 1e300,
        _ => 0.0,
    };
    (0..n).map(|_| one(rng)).collect()
}

fn bits((auc, ap): (f64, f64)) -> [u64; 2] {
    [auc.to_bits(), ap.to_bits()]
}

fn check<S: Score>(scores: &[S], positive: &[u8], weights: &[f64], threads: usize) {
    let by = |path, threads| {
        let call = Call::uninterrupted(threads);
        bits(areas(path, scores, positive, weights, &call).unwrap())
    };
    let expected = by(Path::Sort, 1);
    for path in [Path::Auto, Path::Distribute] {
        assert_eq!(
            by(path, threads),
            expected,
            "{path:?}, {threads} threads, n = {}",
            scores.len()
        );
    }
}

fn check_all(scores: &[f64], positive: &[u8], weights: &[f64], threads: usize) {
    check(scores, positive, weights, threads);
    let single: Vec<f32> = scores.iter().map(|&x| x as f32).collect();
    check(&single, positive, weights, threads);
    let integers: Vec<i64> = scores.iter().map(|&x| (x * 1e6) as i64).collect();
    check(&integers, positive, weights, threads);
    let unsigned: Vec<u64> = integers.iter().map(|&x| (x as u64) ^ (1 << 63)).collect();
    check(&unsigned, positive, weights, threads);
}

#[test]
fn small_data_by_every_path() {
    let mut rng = Rng::new(87);
    for round in 0..2000 {
        let n = if round < 600 {
            round as usize / 30
        } else {
            rng.below(900) as usize
        };
        let scores = hostile(&mut rng, round % 13, n);
        let positive = labels(&mut rng, (round / 13) % 6, n);
        let weights = weights(&mut rng, round % 9, n);
        BASELINE_ONLY.with(|only| only.set(round % 5 == 0));
        check_all(&scores, &positive, &weights, 1 + (round % 3) as usize);
    }
    BASELINE_ONLY.with(|only| only.set(false));
}

#[test]
fn large_data_by_every_path() {
    let mut rng = Rng::new(88);
    for kind in 0..13 {
        let n = 300_000 + rng.below(1000) as usize;
        let scores = hostile(&mut rng, kind, n);
        let positive = labels(&mut rng, [0, 1, 4][kind as usize % 3], n);
        let weights = weights(&mut rng, [0, 2, 3, 4][kind as usize % 4], n);
        check(&scores, &positive, &weights, 1);
        check(&scores, &positive, &weights, 3);
    }
}

#[test]
fn order_and_threads_leave_no_trace() {
    let mut rng = Rng::new(89);
    let n = 600_000;
    let (scores, weights) = (hostile(&mut rng, 9, n), weights(&mut rng, 0, n));
    let positive = labels(&mut rng, 0, n);
    let mut rows: Vec<usize> = (0..n).collect();
    let mut found = |threads| {
        rng.shuffle(&mut rows);
        let scores: Vec<f64> = rows.iter().map(|&i| scores[i]).collect();
        let positive: Vec<u8> = rows.iter().map(|&i| positive[i]).collect();
        let weights: Vec<f64> = rows.iter().map(|&i| weights[i]).collect();
        let call = Call::uninterrupted(threads);
        bits(areas(Path::Auto, &scores, &positive, &weights, &call).unwrap())
    };
    let first = found(1);
    assert!((1..5).all(|threads| found(threads) == first));
}

#[test]
fn what_can_not_be_used_is_found_wherever_it_is() {
    let call = Call::uninterrupted(1);
    for n in [1, 17, 64, 1000, 70_000] {
        for place in [0, n / 2, n - 1] {
            for path in [Path::Auto, Path::Sort, Path::Distribute] {
                let (mut scores, mut weights) = (vec![1.0; n], vec![1.0; n]);
                scores[place] = f64::NAN;
                let found = areas(path, &scores, &vec![1; n], &weights, &call);
                assert_eq!(found, Err(Error::Nan));
                weights[place] = 0.0; // an absent row may have any score
                assert!(areas(path, &scores, &vec![1; n], &weights, &call).is_ok());
                weights[place] = -1.0;
                let found = areas(path, &scores, &vec![1; n], &weights, &call);
                assert_eq!(found, Err(Error::Weight));
            }
        }
    }
    let found = areas(Path::Auto, &[1.0], &[1], &[], &call);
    assert_eq!(found, Err(Error::Length));
    assert!(are_weights(&[0.0, 1.0]) && !are_weights(&[f64::NAN]));
}

#[test]
fn an_interruption_ends_the_call() {
    let mut rng = Rng::new(90);
    let scores = hostile(&mut rng, 12, 300_000);
    for threads in [1, 3] {
        let call = Call::new(threads, &|| true);
        let found = areas(
            Path::Auto,
            &scores,
            &vec![1; 300_000],
            &vec![1.0; 300_000],
            &call,
        );
        assert_eq!(found, Err(Error::Interrupted));
    }
}

#[test]
fn columns_are_each_column() {
    let mut rng = Rng::new(91);
    let (rows, width) = (500, 5);
    let matrix = hostile(&mut rng, 9, rows * width);
    let (positive, weights) = (labels(&mut rng, 0, rows), weights(&mut rng, 0, rows));
    let columns: Vec<Vec<f64>> = (0..width)
        .map(|j| matrix.iter().skip(j).step_by(width).copied().collect())
        .collect();
    let columns: Vec<&[f64]> = columns.iter().map(|column| &column[..]).collect();
    for threads in [1, 2, 9] {
        let call = Call::uninterrupted(threads);
        let one = |scores| areas(Path::Auto, scores, &positive, &weights, &call).unwrap();
        let expected: Vec<_> = columns.iter().map(|&column| one(column)).collect();
        let found = areas_of_columns(&columns, &positive, &weights, &call);
        assert_eq!(found.as_ref(), Ok(&expected));
        let found = areas_of_rows(&matrix, width, &positive, &weights, &call);
        assert_eq!(found, Ok(expected));
    }
}
