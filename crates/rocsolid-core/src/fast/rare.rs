//! Few positives among many rows: only the positives are put in order.
//!
//! They cut the line of scores into gaps. A fine grid of cells covers the line; a cell without a positive lies in one
//! gap, so a row in it is counted and never looked at again. The rows of the other cells are set aside and located
//! among the few positives of their cell. Labels are read once, to find the positives.

use super::isa::{dispatch, Isa, Job};
use super::lane::Lane;
use super::map::{Affine, Bits, Cells};
use super::parts::{Part, Parts};
use super::plan::Sample;
use crate::area::{areas_of, Areas};
use crate::call::{Call, STRIDE};
use crate::error::{Error, Result};
use crate::order::Score;

/// Positives that it pays for, and cells at most: counters beyond the second-level cache are still cheaper than
/// moving every row.
const MOST_POSITIVES: usize = 1 << 17;
const MOST_CELLS: usize = 1 << 19;
const CELLS_PER_POSITIVE: usize = 8;
/// Rows whose cells are found together.
const TOGETHER: usize = 16;

/// Whether it pays: positives are few, and few among the rows.
pub(crate) fn suits(n_pos: usize, rows: usize) -> bool {
    n_pos <= MOST_POSITIVES && n_pos <= rows / 50
}

/// Both areas. Unless it is insisted on, `None` if most of the sample would have to be set aside.
pub(crate) fn areas<S: Score>(
    scores: &[S],
    positive: &[u8],
    sample: &Sample<S::Lane>,
    insist: bool,
    call: &Call,
) -> Result<Option<Areas>> {
    let parts = Parts::new(Part::new(scores, positive), call);
    let mut positives = parts.map(call, |part| positives(part, call))?.concat();
    if positives.iter().any(|lane| lane.is_nan()) {
        return Err(Error::Nan);
    }
    positives.sort_unstable_by_key(|lane| lane.order());
    let cells = (positives.len() * CELLS_PER_POSITIVE)
        .next_power_of_two()
        .clamp(1 << 12, MOST_CELLS);
    let positives = Positives::of(&positives);

    let extent = sample.extent();
    let affine = Affine::over(extent[0].number(), extent[1].number(), cells as u32);
    let affine = affine
        .map(|map| Grid::of(map, cells, &positives))
        .filter(|grid| grid.spares_most(sample));
    let gaps = match affine {
        Some(grid) => parts.map(call, |part| grid.count(&positives, part.scores, call))?,
        None => {
            let bits = Bits::over(extent[0].order(), extent[1].order(), cells as u32);
            let grid = Grid::of(bits, cells, &positives);
            if !insist && !grid.spares_most(sample) {
                return Ok(None);
            }
            parts.map(call, |part| grid.count(&positives, part.scores, call))?
        }
    };
    areas_of(positives.rows(gaps).into_iter(), call).map(Some)
}

/// The scores of the positives of some rows.
fn positives<S: Score>(part: Part<'_, S>, call: &Call) -> Result<Vec<S::Lane>> {
    const WORD: usize = 32;
    let mut found = Vec::new();
    for Part {
        scores, positive, ..
    } in part.strides()
    {
        call.check()?;
        for (scores, positive) in scores.chunks(WORD).zip(positive.chunks(WORD)) {
            if positive.iter().fold(0, |any, label| any | label) != 0 {
                let rows = scores.iter().zip(positive).filter(|(_, &label)| label != 0);
                found.extend(rows.map(|(score, _)| score.lane()));
            }
        }
    }
    Ok(found)
}

/// The distinct scores of the positives, rising, and how many share each.
struct Positives<L> {
    scores: Vec<L>,
    sizes: Vec<u64>,
}

impl<L: Lane> Positives<L> {
    fn of(sorted: &[L]) -> Self {
        let ties = || sorted.chunk_by(|a, b| a == b);
        Positives {
            scores: ties().map(|t| t[0]).collect(),
            sizes: ties().map(|t| t.len() as u64).collect(),
        }
    }

    /// The rows of the sweep, strict to lenient, from the numbers of all rows in each gap and at each positive.
    fn rows(&self, parts: Vec<Vec<u64>>) -> Vec<[u64; 2]> {
        let total = |place: usize| parts.iter().map(|gaps| gaps[place]).sum::<u64>();
        let mut rows = vec![[total(2 * self.sizes.len()), 0]];
        for (i, &size) in self.sizes.iter().enumerate().rev() {
            rows.push([total(2 * i + 1) - size, size]);
            rows.push([total(2 * i), 0]);
        }
        rows
    }
}

/// Cells that cover the line of scores.
struct Grid<C> {
    map: C,
    /// Distinct positives in lower cells; one entry more than cells.
    below: Vec<u32>,
    /// 1 for a cell with a positive.
    taken: Vec<u8>,
}

impl<C: Copy + Sync> Grid<C> {
    fn of<L: Lane>(map: C, cells: usize, positives: &Positives<L>) -> Self
    where
        C: Cells<L>,
    {
        let mut below = vec![0; cells + 1];
        positives
            .scores
            .iter()
            .for_each(|&score| below[map.cell(score) as usize + 1] += 1);
        let taken = below[1..]
            .iter()
            .map(|&inside| u8::from(inside > 0))
            .collect();
        for i in 1..below.len() {
            below[i] += below[i - 1];
        }
        Grid { map, below, taken }
    }

    fn spares_most<L: Lane>(&self, sample: &Sample<L>) -> bool
    where
        C: Cells<L>,
    {
        let aside = sample
            .lanes
            .iter()
            .filter(|&&lane| self.taken[self.map.cell(lane) as usize] != 0);
        2 * aside.count() < sample.lanes.len()
    }

    /// How many of the rows lie in each gap (even places) and at each positive (odd places).
    fn count<L: Lane, S: Score<Lane = L>>(
        &self,
        positives: &Positives<L>,
        scores: &[S],
        call: &Call,
    ) -> Result<Vec<u64>>
    where
        C: Cells<L>,
    {
        let mut cells = vec![0u32; self.taken.len()]; // a part has fewer than 2^32 rows
        let mut aside = vec![L::default(); STRIDE];
        let mut gaps = vec![0u64; 2 * positives.scores.len() + 1];
        for scores in scores.chunks(STRIDE) {
            call.check()?;
            let set_aside = dispatch(Sift {
                grid: self,
                scores,
                cells: &mut cells,
                aside: &mut aside,
            })?;
            for &lane in &aside[..set_aside] {
                let cell = self.map.cell(lane) as usize;
                let (first, end) = (self.below[cell] as usize, self.below[cell + 1] as usize);
                let inside = &positives.scores[first..end];
                let rank = first + inside.partition_point(|&score| score < lane);
                let tied = positives
                    .scores
                    .get(rank)
                    .is_some_and(|&score| score == lane);
                gaps[2 * rank + usize::from(tied)] += 1;
            }
        }
        for (cell, &rows) in cells
            .iter()
            .enumerate()
            .filter(|&(cell, _)| self.taken[cell] == 0)
        {
            gaps[2 * self.below[cell] as usize] += u64::from(rows);
        }
        Ok(gaps)
    }
}

/// Counts the rows of each cell and sets aside those in cells with a positive; tells how many.
struct Sift<'w, S, L, C> {
    grid: &'w Grid<C>,
    scores: &'w [S],
    cells: &'w mut [u32],
    aside: &'w mut [L],
}

impl<L: Lane, S: Score<Lane = L>, C: Cells<L>> Job for Sift<'_, S, L, C> {
    type Output = Result<usize>;

    #[inline(always)]
    fn run<I: Isa>(self) -> Result<usize> {
        let (taken, map) = (&self.grid.taken[..], self.grid.map);
        let counts = &mut self.cells[..taken.len()];
        let (mut end, mut nan) = (0, false);
        let mut sift = |lane: L, cell: usize| {
            counts[cell] += 1;
            // Written every time and kept now and then: no branch, which nobody could predict.
            self.aside[end] = lane;
            end += usize::from(taken[cell]);
        };
        let mut strips = self.scores.chunks_exact(TOGETHER);
        for strip in &mut strips {
            let (mut lanes, mut cells) = ([L::default(); TOGETHER], [0; TOGETHER]);
            for i in 0..TOGETHER {
                lanes[i] = strip[i].lane();
                cells[i] = map.cell(lanes[i]);
                nan |= lanes[i].is_nan();
            }
            for i in 0..TOGETHER {
                sift(lanes[i], cells[i] as usize);
            }
        }
        for score in strips.remainder() {
            nan |= score.lane().is_nan();
            sift(score.lane(), map.cell(score.lane()) as usize);
        }
        (!nan).then_some(end).ok_or(Error::Nan)
    }
}
