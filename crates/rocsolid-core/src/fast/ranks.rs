//! The rows of one bucket in order, its ties together: leaves as in [`super::bucket`], each put in order by counting.
//!
//! How many scores of a leaf lie below a score is the place of that score, and equal scores share one. So counting
//! with vector instructions sorts a leaf and finds its ties at once, without a branch.

use super::bucket::{copy, extent, for_each_leaf, Workspace, MOST_SPREAD};
use super::compare::{as_places, Compare};
use super::isa::{dispatch, Isa, Job};
use super::lane::Lane;
use super::leaf::sort;
use super::map::Affine;
use super::precision::LANES;
use crate::error::Result;
use crate::order::Score;

/// Rows that a leaf holds on average.
const ROWS_PER_LEAF: usize = 10;
/// Rows that a leaf may hold before sorting it is faster.
const MOST_COMPARED: usize = 64;
/// Groups of lanes compared together: as many as a leaf mostly has, so that it takes one loop.
const GROUPS: usize = 2;
/// Rows that are handed on together: enough to go over them in loops, few enough for the fastest cache.
const HELD: usize = 1 << 10;

/// Who takes distinct scores with their counts, strict to lenient.
pub(crate) trait Rows<S> {
    /// One score.
    fn push(&mut self, score: S, pos: u64, neg: u64);

    /// Scores of one row each, and which rows are positive: 1, not 0.
    fn append(&mut self, scores: &[S], positive: &[u8]);
}

/// Hands the rows of a bucket to `out`, given both classes in pieces and their sizes.
pub(crate) fn write<'a, S, P, O>(
    [neg, pos]: [P; 2],
    [n_neg, n_pos]: [usize; 2],
    descending: bool,
    workspace: &mut Workspace,
    out: &mut O,
) -> Result<()>
where
    S: Score,
    P: Iterator<Item = &'a [S::Lane]> + Clone,
    O: Rows<S>,
{
    dispatch(Write {
        pos,
        neg,
        n_pos,
        n_neg,
        workspace,
        writer: Writer {
            out,
            descending,
            scores: [S::of_lane(S::Lane::default()); HELD],
            positive: [0; HELD],
            held: 0,
        },
    })
}

struct Write<'w, 'o, S, P, O> {
    pos: P,
    neg: P,
    n_pos: usize,
    n_neg: usize,
    workspace: &'w mut Workspace,
    writer: Writer<'o, S, O>,
}

impl<'a, S, P, O> Job for Write<'_, '_, S, P, O>
where
    S: Score,
    P: Iterator<Item = &'a [S::Lane]> + Clone,
    O: Rows<S>,
{
    type Output = Result<()>;

    #[inline(always)]
    fn run<I: Isa>(self) -> Result<()> {
        let Write {
            pos,
            neg,
            n_pos,
            n_neg,
            workspace,
            mut writer,
        } = self;
        let Some((low, high)) = extent(pos.clone().chain(neg.clone())) else {
            return Ok(());
        };
        if low == high {
            let score = S::of_lane(low);
            writer.out.push(score, n_pos as u64, n_neg as u64);
            return Ok(());
        }
        let total = n_pos + n_neg;
        // Spare places for the last groups of lanes.
        let (room, [middles, ends], _) = workspace.room(total + GROUPS * LANES)?;
        let leaves = (total / ROWS_PER_LEAF).max(1);
        match Affine::over(low.number(), high.number(), leaves as u32) {
            Some(map) if total <= MOST_SPREAD => {
                spread([pos, neg], map, leaves, [middles, ends], room);
                writer.leaves::<I>(room, middles, ends);
                writer.hand_on();
            }
            _ => {
                copy(pos, &mut room[..n_pos]);
                copy(neg, &mut room[n_pos..]);
                writer.sorted(&mut room[..total], n_pos);
            }
        }
        Ok(())
    }
}

/// Puts the scores of each leaf together, leaves rising, positives first; notes where its positives and it all end.
#[inline(always)]
fn spread<'a, L: Lane>(
    [pos, neg]: [impl Iterator<Item = &'a [L]> + Clone; 2],
    map: Affine,
    leaves: usize,
    [middles, ends]: [&mut Vec<u32>; 2],
    room: &mut [L],
) {
    for places in [&mut *middles, &mut *ends] {
        places.clear();
        places.resize(leaves, 0);
    }
    for_each_leaf(pos.clone(), map, |leaf, _| middles[leaf] += 1);
    for_each_leaf(neg.clone(), map, |leaf, _| ends[leaf] += 1);
    let mut start = 0;
    for (middle, end) in middles.iter_mut().zip(ends.iter_mut()) {
        // Where both classes start, for now.
        let (n_pos, n_neg) = (*middle, *end);
        (*middle, *end) = (start, start + n_pos);
        start += n_pos + n_neg;
    }
    let mut place = |places: &mut [u32], leaf: usize, lane| {
        room[places[leaf] as usize] = lane;
        places[leaf] += 1;
    };
    for_each_leaf(pos, map, |leaf, lane| place(middles, leaf, lane));
    for_each_leaf(neg, map, |leaf, lane| place(ends, leaf, lane));
}

/// Hands rows on, strict to lenient.
struct Writer<'o, S, O> {
    out: &'o mut O,
    descending: bool,
    /// Rows in order that are still to be handed on; what lies behind them has no meaning.
    scores: [S; HELD],
    positive: [u8; HELD],
    held: usize,
}

impl<S: Score, O: Rows<S>> Writer<'_, S, O> {
    /// Writes all leaves. Behind the last one there is room for groups of lanes.
    #[inline(always)]
    fn leaves<I: Isa>(&mut self, room: &mut [S::Lane], middles: &[u32], ends: &[u32]) {
        for i in 0..ends.len() {
            let leaf = if self.descending {
                ends.len() - 1 - i
            } else {
                i
            };
            let start = leaf
                .checked_sub(1)
                .map_or(0, |before| ends[before] as usize);
            let (n_pos, rows) = (middles[leaf] as usize - start, ends[leaf] as usize - start);
            if rows <= MOST_COMPARED {
                self.compared::<I>(&room[start..], n_pos, rows);
            } else {
                self.sorted(&mut room[start..start + rows], n_pos);
            }
        }
    }

    /// Writes a small leaf: the first `rows` lanes, of which the first `n_pos` are positive.
    #[inline(always)]
    fn compared<I: Isa>(&mut self, lanes: &[S::Lane], n_pos: usize, rows: usize) {
        if self.held + MOST_COMPARED > HELD {
            self.hand_on();
        }
        let mut places = 0;
        for start in (0..rows).step_by(GROUPS * LANES) {
            let groups =
                std::array::from_fn(|g| std::array::from_fn(|i| lanes[start + g * LANES + i]));
            let below = S::Lane::each_below::<I, GROUPS>(groups, &lanes[..rows]).map(as_places);
            for i in 0..(GROUPS * LANES).min(rows - start) {
                let below = below.as_flattened()[i];
                let place = if self.descending {
                    rows - 1 - below
                } else {
                    below
                };
                places += place;
                let place = (self.held + place) % HELD;
                self.scores[place] = S::of_lane(groups.as_flattened()[i]);
                self.positive[place] = u8::from(start + i < n_pos);
            }
        }
        // 0, 1, 2 and so on, unless rows share a place.
        if places == rows * rows.saturating_sub(1) / 2 {
            self.held += rows;
        } else {
            let mut tied = [S::Lane::default(); MOST_COMPARED];
            tied[..rows].copy_from_slice(&lanes[..rows]);
            self.sorted(&mut tied[..rows], n_pos);
        }
    }

    /// Hands on the rows held.
    #[inline(always)]
    fn hand_on(&mut self) {
        let held = std::mem::take(&mut self.held);
        self.out
            .append(&self.scores[..held], &self.positive[..held]);
    }

    /// Writes rows of any number, the first `n_pos` of them positive.
    #[inline(never)]
    fn sorted(&mut self, lanes: &mut [S::Lane], n_pos: usize) {
        self.hand_on();
        let (pos, neg) = lanes.split_at_mut(n_pos);
        for class in [&mut *pos, &mut *neg] {
            sort(class);
            if self.descending {
                class.reverse();
            }
        }
        let (mut pos, mut neg) = (&*pos, &*neg);
        let descending = self.descending;
        let stricter = |a, b| if descending { a > b } else { a < b };
        while let Some(&lane) = match (pos.first(), neg.first()) {
            (Some(p), Some(n)) => Some(if stricter(*n, *p) { n } else { p }),
            (one, other) => one.or(other),
        } {
            let (n_pos, n_neg) = (take_equal(&mut pos, lane), take_equal(&mut neg, lane));
            self.out.push(S::of_lane(lane), n_pos, n_neg);
        }
    }
}

/// Cuts off the head of a run that equals a lane, and tells how long it was.
#[inline]
fn take_equal<L: Lane>(run: &mut &[L], lane: L) -> u64 {
    let equal = run.iter().take_while(|&&other| other == lane).count();
    *run = &run[equal..];
    equal as u64
}
