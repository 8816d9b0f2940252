//! The bootstrap of several models on the same rows.
//!
//! Comparing models needs the same rows for all of them in a replicate, so rows are drawn, not scores. The draws are
//! counted by row; each model then walks the rows in its own order and looks their counts up. The walk is made once:
//! it leads through the rows strict to lenient and says where a new row of the table starts.

use crate::call::Call;
use crate::deal::{Deal, Urn};
use crate::error::{same_length, Error, Result};
use crate::parallel::map;
use crate::random::{Purpose, Random};
use crate::resample::{replicates, Plan, Replicates};
use crate::scan::{Pair, Scan};

/// Steps whose counts are put together before they are scanned.
const CHUNK: usize = 1 << 10;

/// Most rows: a step keeps two bits for itself.
const MOST_ROWS: usize = 1 << 30;

/// Both areas of each model in bootstrap replicates of the rows.
///
/// Each model ranks all rows; a low rank is strict, and rows of one rank are tied.
pub fn resample_rows(
    ranks: &[&[u32]],
    positive: &[u8],
    plan: Plan,
    call: &Call,
) -> Result<Vec<Replicates>> {
    let walk = |(): &mut (), ranks: &&[u32]| Walk::new(ranks, positive);
    let walks = map(call, call.threads, ranks, || (), walk)?;
    let urns = positive.iter().enumerate().map(|(slot, &positive)| Urn {
        slot,
        positive: positive != 0,
        rows: 1,
    });
    let deal = Deal::new(urns, positive.len(), plan.scheme)?;
    let worker = || {
        let mut counts: Vec<u32> = Vec::with_capacity(deal.slots());
        let mut room = Vec::new();
        let (deal, walks) = (&deal, &walks);
        move |replicate, out: &mut [Pair]| {
            let mut random = Random::new(plan.seed, replicate, Purpose::Deal);
            counts.clear();
            deal.draw(&mut random, &mut room, |segment| {
                counts.extend_from_slice(segment)
            });
            for (out, walk) in out.iter_mut().zip(walks) {
                *out = walk.areas(&counts);
            }
        }
    };
    let pairs = replicates(plan.n_resamples, 1, walks.len(), call, worker)?;
    let model = |pairs: &[Pair], i| pairs.iter().skip(i).step_by(walks.len()).copied().collect();
    let models = (0..walks.len()).map(|i| Replicates::new(model(&pairs, i)));
    Ok(models.collect())
}

/// The rows in one model's order: `row << 2 | starts a row of the table << 1 | positive`.
struct Walk(Vec<u32>);

impl Walk {
    fn new(ranks: &[u32], positive: &[u8]) -> Result<Self> {
        same_length(&[ranks.len(), positive.len()])?;
        if ranks.len() > MOST_ROWS {
            return Err(Error::TooMany);
        }
        let mut order: Vec<(u32, u32)> = ranks.iter().copied().zip(0..).collect();
        order.sort_unstable();
        let mut steps = Vec::with_capacity(order.len());
        let mut before = None;
        for tied in order.chunk_by(|a, b| a.0 == b.0) {
            let has_pos = tied.iter().any(|&(_, row)| positive[row as usize] != 0);
            // Neighbours without a positive share a row: no area tells them apart (see crate::resample).
            let mut starts = before.is_some_and(|before| before || has_pos);
            before = Some(has_pos);
            for &(_, row) in tied {
                let class = u32::from(positive[row as usize] != 0);
                steps.push(row << 2 | u32::from(starts) << 1 | class);
                starts = false;
            }
        }
        Ok(Walk(steps))
    }

    /// Both areas of a replicate, given how often each row was drawn.
    fn areas(&self, counts: &[u32]) -> Pair {
        let mut scan = Scan::<u32>::default();
        let mut rows = [0u32; 2 * (CHUNK + 1)];
        for steps in self.0.chunks(CHUNK) {
            let mut at = 0;
            for &step in steps {
                at += (step & 2) as usize;
                rows[at + (step & 1 ^ 1) as usize] += counts[(step >> 2) as usize];
            }
            scan.add(&rows[..at]);
            // The last row may go on in the next chunk.
            let last = [rows[at], rows[at + 1]];
            rows[..at + 2].fill(0);
            rows[..2].copy_from_slice(&last);
        }
        scan.add(&rows[..2]);
        scan.areas()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::area;
    use crate::resample::Scheme;
    use crate::testing::{on, Rng};

    fn some_models(rng: &mut Rng, n: usize) -> (Vec<Vec<u32>>, Vec<u8>) {
        let distinct = 1 + rng.below(n as u64 + 1);
        let ranks = |rng: &mut Rng| (0..n).map(|_| rng.below(distinct) as u32).collect();
        let models = (0..3).map(|_| ranks(rng)).collect();
        (models, (0..n).map(|_| rng.below(2) as u8).collect())
    }

    fn draw(models: &[Vec<u32>], positive: &[u8], plan: Plan, threads: usize) -> Vec<Replicates> {
        let ranks: Vec<&[u32]> = models.iter().map(Vec::as_slice).collect();
        resample_rows(&ranks, positive, plan, &on(threads)).unwrap()
    }

    fn bits(models: &[Replicates]) -> Vec<Vec<u64>> {
        let all = models.iter().flat_map(|m| [&m.auc, &m.ap]);
        all.map(|x| x.iter().map(|x| x.to_bits()).collect())
            .collect()
    }

    /// The slow and obvious way: write the drawn rows down and evaluate them.
    #[test]
    fn areas_are_those_of_the_drawn_rows() {
        let mut rng = Rng::new(34);
        for round in 0..200 {
            let n = 1 + rng.below(if round % 20 == 0 { 5000 } else { 60 }) as usize;
            let (models, positive) = some_models(&mut rng, n);
            let plan = Plan {
                seed: round,
                n_resamples: 3,
                scheme: [Scheme::Multinomial, Scheme::Stratified, Scheme::Poisson]
                    [round as usize % 3],
            };
            let found = draw(&models, &positive, plan, 1);
            let urns = positive.iter().enumerate().map(|(slot, &y)| Urn {
                slot,
                positive: y != 0,
                rows: 1,
            });
            let deal = Deal::new(urns, n, plan.scheme).unwrap();
            for replicate in 0..3 {
                let mut rows = Vec::new();
                let mut random = Random::new(plan.seed, replicate, Purpose::Deal);
                deal.draw(&mut random, &mut Vec::new(), |counts: &[u64]| {
                    let counts = counts.iter().enumerate();
                    rows.extend(counts.flat_map(|(row, &c)| std::iter::repeat_n(row, c as usize)));
                });
                assert!(rows.len() == n || plan.scheme == Scheme::Poisson);
                let y: Vec<u8> = rows.iter().map(|&row| positive[row]).collect();
                for (model, found) in models.iter().zip(&found) {
                    let s: Vec<i64> = rows.iter().map(|&row| -i64::from(model[row])).collect();
                    let expected = area::areas_by_sorting(&s, &y, &on(1)).unwrap();
                    let pairs = 2 * expected.n_pos * expected.n_neg;
                    let auc = expected.u2 as f64 / pairs as f64;
                    let (a, p) = (found.auc[replicate as usize], found.ap[replicate as usize]);
                    assert!(a == auc || a.is_nan() && pairs == 0, "{a} {auc}");
                    assert!((p - expected.ap).abs() < 1e-14 || p.is_nan() && expected.n_pos == 0);
                }
            }
        }
    }

    #[test]
    fn threads_and_other_replicates_leave_no_trace() {
        let (models, positive) = some_models(&mut Rng::new(35), 3000);
        let mut plan = Plan {
            seed: 1,
            n_resamples: 37,
            scheme: Scheme::Multinomial,
        };
        let expected = bits(&draw(&models, &positive, plan, 1));
        for threads in [0, 2, 3] {
            assert_eq!(bits(&draw(&models, &positive, plan, threads)), expected);
        }
        plan.n_resamples = 5;
        let few = bits(&draw(&models, &positive, plan, 2));
        assert!(few
            .iter()
            .zip(&expected)
            .all(|(few, all)| few[..] == all[..5]));
    }

    #[test]
    fn no_rows_no_models_and_bad_columns() {
        let plan = Plan {
            seed: 1,
            n_resamples: 2,
            scheme: Scheme::Multinomial,
        };
        assert_eq!(draw(&[], &[1, 0], plan, 2), []);
        let nothing = draw(&[vec![]], &[], plan, 1);
        assert!(nothing[0].degenerate == 2 && nothing[0].ap[1].is_nan());
        let short = resample_rows(&[&[1]], &[1, 0], plan, &on(1));
        assert_eq!(short, Err(Error::Length));
    }
}
