//! The kernel's stages, one by one: `make bench-rust`, or `cargo bench -p rocsolid-core -- FILTER`.
//!
//! Throughput is in rows (or distinct scores) a second; everything on one thread. Where a stage is private, the public
//! function that does little else stands for it.

use divan::counter::ItemsCount;
use divan::{black_box, Bencher};
use rocsolid_core::fast::{self, Path};
use rocsolid_core::{area, gram, group, influence, paired, resample, rows, Call, Table};

fn main() {
    divan::main();
}

/// Large enough to leave every cache but the last, small enough for many samples.
const ROWS: usize = 1 << 18;
const MODELS: usize = 10;
const REPLICATES: usize = 8;

/// Labels, and scores that are higher for positives; rounded to so many steps if `steps` is above zero.
fn rows_of(steps: f64) -> (Vec<f64>, Vec<u8>) {
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    let mut uniform = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as f64 / (1u64 << 53) as f64
    };
    let row = |_| {
        let positive = uniform() < 0.5;
        let score = (uniform() + uniform() + f64::from(u8::from(positive))) / 3.0;
        let score = if steps > 0.0 {
            (score * steps).round() / steps
        } else {
            score
        };
        (score, u8::from(positive))
    };
    (0..ROWS).map(row).unzip()
}

/// A call on one thread.
fn alone() -> Call<'static> {
    Call::uninterrupted(1)
}

fn table(steps: f64) -> Table<f64> {
    let (scores, positive) = rows_of(steps);
    group(&scores, &positive, None, true, &alone()).expect("clean rows")
}

/// Both areas by each path, all on the same scores without ties: only `distribute` and `sort` suit them.
#[divan::bench(args = ["sort", "distribute", "few", "rare"])]
fn areas_without_ties(bencher: Bencher, path: &str) {
    areas_by(bencher, path, rows_of(0.0));
}

/// The same with a thousand distinct scores, which `few` is for.
#[divan::bench(args = ["sort", "distribute", "few", "auto"])]
fn areas_of_thousand_scores(bencher: Bencher, path: &str) {
    areas_by(bencher, path, rows_of(1000.0));
}

/// The same with one positive in 256, which `rare` is for.
#[divan::bench(args = ["sort", "distribute", "rare", "auto"])]
fn areas_of_few_positives(bencher: Bencher, path: &str) {
    let (scores, mut positive) = rows_of(0.0);
    for (row, label) in positive.iter_mut().enumerate() {
        *label &= u8::from(row % 128 == 0);
    }
    areas_by(bencher, path, (scores, positive));
}

/// The same with rows in order, which one walk is enough for.
#[divan::bench(args = ["sort", "distribute", "sorted", "auto"])]
fn areas_of_sorted_rows(bencher: Bencher, path: &str) {
    let (mut scores, positive) = rows_of(0.0);
    scores.sort_unstable_by(f64::total_cmp);
    areas_by(bencher, path, (scores, positive));
}

/// One bucket: no distribution, only the spreading over leaves and their counting.
#[divan::bench(args = [1 << 10, 1 << 12, 1 << 14])]
fn areas_of_one_bucket(bencher: Bencher, size: usize) {
    let (scores, positive) = rows_of(0.0);
    let (scores, positive) = (scores[..size].to_vec(), positive[..size].to_vec());
    areas_by(bencher, "auto", (scores, positive));
}

fn areas_by(bencher: Bencher, path: &str, (scores, positive): (Vec<f64>, Vec<u8>)) {
    let path = Path::ALL.into_iter().find(|p| p.name() == path);
    let path = path.expect("one of the names");
    let call = Call::uninterrupted(1);
    bencher
        .counter(ItemsCount::new(scores.len()))
        .bench(|| fast::areas(path, black_box(&scores), &positive, &call));
}

/// Sort both classes, merge them into a table.
#[divan::bench(args = [0.0, 1000.0])]
fn group_rows(bencher: Bencher, steps: f64) {
    let (scores, positive) = rows_of(steps);
    bencher
        .counter(ItemsCount::new(ROWS))
        .bench(|| group(black_box(&scores), &positive, None, true, &alone()));
}

/// The same for float32.
#[divan::bench]
fn group_float32(bencher: Bencher) {
    let (scores, positive) = rows_of(0.0);
    let scores: Vec<f32> = scores.iter().map(|&score| score as f32).collect();
    bencher
        .counter(ItemsCount::new(ROWS))
        .bench(|| group(black_box(&scores), &positive, None, true, &alone()));
}

/// The same with weights, which are added exactly.
#[divan::bench(args = [0.0, 1000.0])]
fn group_weighted(bencher: Bencher, steps: f64) {
    let (scores, positive) = rows_of(steps);
    let weights: Vec<f64> = scores.iter().map(|score| 1.0 + score * score).collect();
    bencher.counter(ItemsCount::new(ROWS)).bench(|| {
        group(
            black_box(&scores),
            &positive,
            Some(&weights),
            true,
            &alone(),
        )
    });
}

/// U and the squares behind DeLong's variance, from a table.
#[divan::bench]
fn roc_sums(bencher: Bencher) {
    let table = table(0.0);
    bencher
        .counter(ItemsCount::new(table.pos.len()))
        .bench(|| area::roc_sums(black_box(&table.pos), &table.neg));
}

/// Average precision, rounded once, from a table.
#[divan::bench]
fn average_precision(bencher: Bencher) {
    let table = table(0.0);
    bencher
        .counter(ItemsCount::new(table.pos.len()))
        .bench(|| area::average_precision(black_box(&table.pos), &table.neg));
}

/// Twice the placement of every row.
#[divan::bench(args = [0.0, 1000.0])]
fn placements(bencher: Bencher, steps: f64) {
    let (scores, positive) = rows_of(steps);
    bencher
        .counter(ItemsCount::new(ROWS))
        .bench(|| fast::placements(Path::Auto, black_box(&scores), &positive, true, &alone()));
}

/// Exact sums of products of the placements of ten models; rows a second, whatever the number of models.
#[divan::bench]
fn products_of_ten_models(bencher: Bencher) {
    let (scores, positive) = rows_of(0.0);
    let column: Vec<u32> = match fast::placements(Path::Auto, &scores, &positive, true, &alone()) {
        Ok(rows::Column::Narrow(column)) => column,
        _ => unreachable!("clean rows, fewer than 2^31"),
    };
    let columns = [column.as_slice(); MODELS];
    bencher
        .counter(ItemsCount::new(ROWS))
        .bench(|| gram::gram(black_box(&columns), &positive, &alone()));
}

/// The influence of every row on average precision.
#[divan::bench]
fn ap_influence(bencher: Bencher) {
    let (scores, positive) = rows_of(0.0);
    bencher
        .counter(ItemsCount::new(ROWS))
        .bench(|| influence::ap_influence(black_box(&scores), &positive, None, true, &alone()));
}

const PLAN: resample::Plan = resample::Plan {
    seed: 7,
    n_resamples: REPLICATES,
    scheme: resample::Scheme::Multinomial,
};

/// Draw and scan replicates of a table; rows times replicates a second.
#[divan::bench(args = [0.0, 1000.0])]
fn replicates(bencher: Bencher, steps: f64) {
    let table = table(steps);
    bencher
        .counter(ItemsCount::new(ROWS * REPLICATES))
        .bench(|| resample::resample(black_box(&table.pos), &table.neg, PLAN, &alone()));
}

/// Draw rows once for two models and scan both; rows times replicates a second.
#[divan::bench]
fn paired_replicates(bencher: Bencher) {
    let (scores, positive) = rows_of(0.0);
    let ranks: Vec<u32> = match rows::ranks(&scores, true, &alone()) {
        Ok((rows::Column::Narrow(ranks), _)) => ranks,
        _ => unreachable!("clean rows, fewer than 2^31"),
    };
    let models = [ranks.as_slice(); 2];
    bencher
        .counter(ItemsCount::new(ROWS * REPLICATES))
        .bench(|| paired::resample_rows(black_box(&models), &positive, PLAN, &alone()));
}
