//! Areas within each of many groups, such as the sessions of a search engine or the users of a feed.
//!
//! Rows are dealt to partitions of neighbouring groups that fit the cache, each partition to its groups, and each
//! group, small as a rule, is sorted by itself. So the work is that of sorting the groups, whatever their number.

use crate::call::Call;
use crate::error::{same_length, Error, Result};
use crate::order::{Direction, Key, Score};
use crate::parallel::map;

/// Rows of a partition, if groups are of like size.
const PARTITION: usize = 1 << 14;
/// Partitions at most: so many places are written to side by side.
const MOST_PARTITIONS: usize = 1 << 11;

/// What is known of each group, in the order of their numbers.
#[derive(Debug, Default, PartialEq)]
pub struct Segments {
    /// Positives.
    pub pos: Vec<u64>,
    /// Negatives.
    pub neg: Vec<u64>,
    /// Twice the pairs in order, a tied pair being half a pair.
    pub twice_u: Vec<u64>,
    /// Average precision; NaN without positives.
    pub average_precision: Vec<f64>,
    /// Normalised discounted cumulative gain of the first `top` ranks; NaN without positives.
    pub ndcg: Vec<f64>,
}

/// A row: its key in the direction of strictness, and `group << 1 | positive`.
type Dealt<K> = (K, u64);

/// Rows with the numbers of their groups, from 0.
#[derive(Clone, Copy)]
pub struct GroupedRows<'a, S> {
    /// Scores.
    pub scores: &'a [S],
    /// Labels: not 0 is positive.
    pub positive: &'a [u8],
    /// Groups; a number that no row has is a group without rows.
    pub codes: &'a [u32],
}

impl<S> GroupedRows<'_, S> {
    /// One more than the largest number of a group.
    fn groups(&self) -> usize {
        self.codes.iter().max().map_or(0, |&code| code as usize + 1)
    }
}

/// The areas within each group, of gains among the first `top` ranks.
///
/// Rows with the same score share their ranks: gains are those of the mean over the orders of the tied rows (McSherry &
/// Najork 2008).
pub fn segments<S: Score>(
    rows: GroupedRows<'_, S>,
    top: usize,
    descending: bool,
    call: &Call,
) -> Result<Segments> {
    same_length(&[rows.scores.len(), rows.positive.len(), rows.codes.len()])?;
    let groups = rows.groups();
    let shift = shift_for(rows.scores.len(), groups);
    let dealt = deal(rows, groups, shift, Direction { descending }, call)?;
    let longest = largest_group(rows.codes, groups)?;
    let discounts = Discounts::new(top.min(longest));
    let found = map(
        call,
        call.threads,
        0..dealt.starts.len() - 1,
        Vec::new,
        |sorted: &mut Vec<(S::Key, bool)>, p| {
            let first = p << shift;
            let count = (groups - first).min(1 << shift);
            Ok(of_partition(
                dealt.partition(p),
                first,
                count,
                &discounts,
                sorted,
            ))
        },
    )?;
    let mut all = Segments::default();
    for mut part in found {
        all.pos.append(&mut part.pos);
        all.neg.append(&mut part.neg);
        all.twice_u.append(&mut part.twice_u);
        all.average_precision.append(&mut part.average_precision);
        all.ndcg.append(&mut part.ndcg);
    }
    Ok(all)
}

/// Groups `g` with the same `g >> shift` are a partition.
fn shift_for(rows: usize, groups: usize) -> u32 {
    let wanted = (rows / PARTITION).clamp(1, MOST_PARTITIONS);
    let per_partition = groups.div_ceil(wanted).max(1);
    per_partition.next_power_of_two().trailing_zeros()
}

struct DealtRows<K> {
    rows: Vec<Dealt<K>>,
    starts: Vec<usize>,
}

fn deal<S: Score>(
    rows: GroupedRows<'_, S>,
    groups: usize,
    shift: u32,
    direction: Direction,
    call: &Call,
) -> Result<DealtRows<S::Key>> {
    let partitions = ((groups.max(1) - 1) >> shift) + 1;
    let mut starts = vec![0usize; partitions + 1];
    call.for_each(rows.codes.iter(), |&code| {
        starts[(code as usize >> shift) + 1] += 1;
        Ok(())
    })?;
    for p in 0..partitions {
        starts[p + 1] += starts[p];
    }
    let mut dealt = Vec::new();
    dealt
        .try_reserve_exact(rows.scores.len())
        .map_err(|_| Error::Memory)?;
    dealt.resize(rows.scores.len(), Dealt::<S::Key>::default());
    let mut next = starts.clone();
    let labelled = rows.scores.iter().zip(rows.positive).zip(rows.codes);
    call.for_each(labelled, |((&score, &label), &code)| {
        let place = &mut next[code as usize >> shift];
        let tagged = u64::from(code) << 1 | u64::from(label != 0);
        dealt[*place] = (direction.key(score)?, tagged);
        *place += 1;
        Ok(())
    })?;
    Ok(DealtRows {
        rows: dealt,
        starts,
    })
}

impl<K: Key> DealtRows<K> {
    fn partition(&self, p: usize) -> &[Dealt<K>] {
        &self.rows[self.starts[p]..self.starts[p + 1]]
    }
}

/// Rows of the largest group. With fewer than 2^32 of them twice its pairs fit 64 bits.
fn largest_group(codes: &[u32], groups: usize) -> Result<usize> {
    let mut counts = vec![0u32; groups];
    for &code in codes {
        let count = &mut counts[code as usize];
        *count = count.checked_add(1).ok_or(Error::TooMany)?;
    }
    Ok(counts.into_iter().max().unwrap_or(0) as usize)
}

fn of_partition<K: Key>(
    rows: &[Dealt<K>],
    first: usize,
    count: usize,
    discounts: &Discounts,
    sorted: &mut Vec<(K, bool)>,
) -> Segments {
    let mut ends = vec![0usize; count + 1];
    for &(_, tagged) in rows {
        ends[(tagged >> 1) as usize - first + 1] += 1;
    }
    for g in 0..count {
        ends[g + 1] += ends[g];
    }
    let mut next = ends.clone();
    sorted.clear();
    sorted.resize(rows.len(), (K::default(), false));
    for &(key, tagged) in rows {
        let place = &mut next[(tagged >> 1) as usize - first];
        sorted[*place] = (key, tagged & 1 != 0);
        *place += 1;
    }
    let mut out = Segments::default();
    for g in 0..count {
        let group = &mut sorted[ends[g]..ends[g + 1]];
        group.sort_unstable_by_key(|&(key, _)| key);
        out.push(group, discounts);
    }
    out
}

impl Segments {
    /// One more group, its rows strict to lenient.
    fn push<K: Key>(&mut self, group: &[(K, bool)], discounts: &Discounts) {
        let (mut pos, mut rows, mut twice_u) = (0u64, 0u64, 0u64);
        let (mut precision, mut gain) = (0.0, 0.0);
        for tied in group.chunk_by(|a, b| a.0 == b.0) {
            let n = tied.len() as u64;
            let p = tied.iter().filter(|row| row.1).count() as u64;
            let q = n - p;
            twice_u += q * (2 * pos + p);
            (pos, rows) = (pos + p, rows + n);
            if p > 0 {
                precision += p as f64 * (pos as f64 / rows as f64);
                gain += p as f64 / n as f64 * discounts.between(rows - n, rows);
            }
        }
        let any = if pos > 0 { 1.0 } else { f64::NAN };
        self.pos.push(pos);
        self.neg.push(rows - pos);
        self.twice_u.push(twice_u);
        self.average_precision.push(any * precision / pos as f64);
        self.ndcg.push(any * gain / discounts.between(0, pos));
    }
}

/// Running sums of `1 / log2(1 + rank)`, up to the last rank that counts.
struct Discounts(Vec<f64>);

impl Discounts {
    fn new(top: usize) -> Self {
        let mut sums = Vec::with_capacity(top + 1);
        let mut sum = 0.0;
        sums.push(sum);
        for rank in 1..=top {
            sum += 1.0 / (rank as f64 + 1.0).log2();
            sums.push(sum);
        }
        Discounts(sums)
    }

    /// Of the ranks after `above`, up to `rank`.
    fn between(&self, above: u64, rank: u64) -> f64 {
        let last = self.0.len() - 1;
        let at = |r: u64| self.0[usize::try_from(r).map_or(last, |r| r.min(last))];
        at(rank) - at(above)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(scores: &[f64], positive: &[u8], codes: &[u32], top: usize) -> Segments {
        let rows = GroupedRows {
            scores,
            positive,
            codes,
        };
        segments(rows, top, true, &Call::uninterrupted(2)).unwrap()
    }

    #[test]
    fn two_groups_by_hand() {
        // group 0: 3+ 2- 1+, group 2: 5+ 5-; group 1 has no row
        let s = found(
            &[3.0, 5.0, 2.0, 5.0, 1.0],
            &[1, 1, 0, 0, 1],
            &[0, 2, 0, 2, 0],
            usize::MAX,
        );
        assert_eq!((s.pos, s.neg), (vec![2, 0, 1], vec![1, 0, 1]));
        assert_eq!(s.twice_u, [2, 0, 1]);
        assert_eq!(s.average_precision[0], (1.0 + 2.0 / 3.0) / 2.0);
        assert_eq!(s.average_precision[2], 0.5);
        assert!(s.average_precision[1].is_nan() && s.ndcg[1].is_nan());
        let log3 = 3f64.log2();
        assert!((s.ndcg[0] - 1.5 / (1.0 + 1.0 / log3)).abs() < 1e-15);
        assert!((s.ndcg[2] - (1.0 + 1.0 / log3) / 2.0).abs() < 1e-15);
    }

    #[test]
    fn only_the_top_counts_for_gain() {
        let s = found(&[2.0, 1.0], &[0, 1], &[0, 0], 1);
        assert_eq!(s.ndcg, [0.0]);
    }

    #[test]
    fn many_groups_are_each_group_alone() {
        let n = 60_000usize;
        let scores: Vec<f64> = (0..n).map(|i| ((i * 7919) % 101) as f64).collect();
        let positive: Vec<u8> = (0..n).map(|i| u8::from((i * 31) % 3 == 0)).collect();
        let codes: Vec<u32> = (0..n).map(|i| ((i * 613) % 4999) as u32).collect();
        let all = found(&scores, &positive, &codes, 5);
        assert_eq!(all.pos.len(), 4999);
        for g in [0u32, 1, 17, 4998] {
            let at: Vec<usize> = (0..n).filter(|&i| codes[i] == g).collect();
            let one = found(
                &at.iter().map(|&i| scores[i]).collect::<Vec<_>>(),
                &at.iter().map(|&i| positive[i]).collect::<Vec<_>>(),
                &vec![0; at.len()],
                5,
            );
            let g = g as usize;
            assert_eq!((one.pos[0], one.neg[0]), (all.pos[g], all.neg[g]));
            assert_eq!(one.twice_u[0], all.twice_u[g]);
            assert_eq!(one.average_precision[0], all.average_precision[g]);
            assert_eq!(one.ndcg[0], all.ndcg[g]);
        }
    }

    #[test]
    fn bad_input_is_refused() {
        let refused = |scores: &[f64], positive: &[u8]| {
            let rows = GroupedRows {
                scores,
                positive,
                codes: &[0],
            };
            segments(rows, 1, true, &Call::uninterrupted(1)).unwrap_err()
        };
        assert_eq!(refused(&[f64::NAN], &[1]), Error::Nan);
        assert_eq!(refused(&[1.0], &[1, 0]), Error::Length);
    }

    #[test]
    fn no_rows_are_no_groups() {
        assert_eq!(found(&[], &[], &[], 1), Segments::default());
    }
}
