//! The rows of one bucket in order, its ties together: leaves as in [`super::bucket`], each put in order by counting.
//!
//! How many scores of a leaf lie below a score is the place of that score, and equal scores share one. So counting
//! with vector instructions sorts a leaf and finds its ties at once, without a branch.

use super::bucket::{copy, extent, for_each_leaf, Workspace, MOST_SPREAD};
use super::columns::Piece;
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
/// Rows that a leaf may hold before sorting it is faster; as many as a mask has bits.
const MOST_COMPARED: usize = 64;

/// Writes the rows of a bucket to its piece of the table, given both classes in pieces and their sizes.
pub(crate) fn write<'a, S, P>(
    [neg, pos]: [P; 2],
    [n_neg, n_pos]: [usize; 2],
    descending: bool,
    workspace: &mut Workspace,
    out: &mut Piece<'_, S>,
) -> Result<()>
where
    S: Score,
    P: Iterator<Item = &'a [S::Lane]> + Clone,
{
    dispatch(Write {
        pos,
        neg,
        n_pos,
        n_neg,
        workspace,
        writer: Writer { out, descending },
    })
}

struct Write<'w, 'o, S, P> {
    pos: P,
    neg: P,
    n_pos: usize,
    n_neg: usize,
    workspace: &'w mut Workspace,
    writer: Writer<'w, 'o, S>,
}

impl<'a, S, P> Job for Write<'_, '_, S, P>
where
    S: Score,
    P: Iterator<Item = &'a [S::Lane]> + Clone,
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
        // Spare places for a last group of lanes.
        let (room, [middles, ends], _) = workspace.room(total + LANES)?;
        let leaves = (total / ROWS_PER_LEAF).max(1);
        match Affine::over(low.number(), high.number(), leaves as u32) {
            Some(map) if total <= MOST_SPREAD => {
                spread([pos, neg], map, leaves, [middles, ends], room);
                writer.leaves::<I>(room, middles, ends);
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

/// Writes rows, strict to lenient.
struct Writer<'w, 'o, S> {
    out: &'w mut Piece<'o, S>,
    descending: bool,
}

impl<S: Score> Writer<'_, '_, S> {
    /// Writes all leaves. Behind the last one there is room for a group of lanes.
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
        let mut scores = [S::of_lane(S::Lane::default()); MOST_COMPARED];
        let mut counts = [[0u8; MOST_COMPARED]; 2];
        let mut taken = 0u64;
        for start in (0..rows).step_by(LANES) {
            let group = std::array::from_fn(|i| lanes[start + i]);
            let below = as_places(S::Lane::below::<I>(group, &lanes[..rows]));
            for i in 0..LANES.min(rows - start) {
                let place = if self.descending {
                    rows - 1 - below[i]
                } else {
                    below[i]
                };
                let place = place % MOST_COMPARED;
                scores[place] = S::of_lane(group[i]);
                counts[usize::from(start + i < n_pos)][place] += 1;
                taken |= 1 << place;
            }
        }
        let distinct = taken.count_ones() as usize;
        if distinct < rows {
            close_up(taken, &mut scores, &mut counts);
        }
        let [neg, pos] = &counts;
        self.out.append(&scores[..distinct], pos, neg);
    }

    /// Writes rows of any number, the first `n_pos` of them positive.
    #[inline(never)]
    fn sorted(&mut self, lanes: &mut [S::Lane], n_pos: usize) {
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

/// Moves the places taken to the front.
#[inline(never)]
fn close_up<S: Copy>(
    mut taken: u64,
    scores: &mut [S; MOST_COMPARED],
    [neg, pos]: &mut [[u8; MOST_COMPARED]; 2],
) {
    let mut end = 0;
    while taken != 0 {
        let place = taken.trailing_zeros() as usize;
        scores[end] = scores[place];
        (pos[end], neg[end]) = (pos[place], neg[place]);
        taken &= taken - 1;
        end += 1;
    }
}

/// Cuts off the head of a run that equals a lane, and tells how long it was.
#[inline]
fn take_equal<L: Lane>(run: &mut &[L], lane: L) -> u64 {
    let equal = run.iter().take_while(|&&other| other == lane).count();
    *run = &run[equal..];
    equal as u64
}
