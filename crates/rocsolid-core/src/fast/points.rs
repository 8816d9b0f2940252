//! The points of a curve while they are made: running counts from strict to lenient, and what is a function of them.
//!
//! A [`Pen`] takes rows of distinct scores and writes points to a piece of the whole. Whether a point stands on a
//! straight line that needs no point there depends on the next row. So the point last written is provisional: the next
//! row may take its place, in the same piece or, when pieces are joined, in the next one.

use std::mem::MaybeUninit;

use super::columns::{close, cut_off, reserve};
use super::ranks::Rows;
use crate::error::Result;

/// Which points are left out, from what their own row and the next one add. The last point is always there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Keep {
    /// None.
    All,
    /// Those with the same step to them as from them; never the first row's.
    Corners,
    /// Those with no positive in either row; never the first row's.
    Rises,
    /// The same, perhaps the first row's too.
    LaterRises,
}

impl Keep {
    fn first_row(self) -> bool {
        self != Keep::LaterRises
    }

    /// Whether a point goes, given what its own row and the next one add.
    fn drops(self, own: Step, next: Step) -> bool {
        match self {
            Keep::All => false,
            Keep::Corners => own == next,
            Keep::Rises | Keep::LaterRises => own.pos == 0 && next.pos == 0,
        }
    }

    /// Whether a row of one stays, given whether it and the next one, of one too, are positive.
    #[inline(always)]
    fn stays(self, own: u8, next: u8) -> u8 {
        match self {
            Keep::All => 1,
            Keep::Corners => own ^ next,
            Keep::Rises | Keep::LaterRises => own | next,
        }
    }
}

/// What a row adds to the positives and negatives called.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Step {
    pos: u64,
    neg: u64,
}

impl Step {
    /// The step of a row that stays in any case: no row adds so many.
    const STAYS: Step = Step {
        pos: u64::MAX,
        neg: u64::MAX,
    };

    fn one(positive: bool) -> Step {
        Step {
            pos: positive.into(),
            neg: (!positive).into(),
        }
    }
}

/// A curve's coordinates as a function of true and false positives.
pub trait Shape<const C: usize>: Copy + Sync {
    /// The coordinates of a point.
    fn at(&self, tp: f64, fp: f64) -> [f64; C];
}

/// Rows of one each that are written together.
const BLOCK: usize = 256;

/// Finished points; the first, where nothing is called positive, has the threshold that was given for it.
#[derive(Debug, Clone, PartialEq)]
pub struct Points<T, const C: usize> {
    /// Scores from strict to lenient.
    pub thresholds: Vec<T>,
    /// Coordinates.
    pub columns: [Vec<f64>; C],
}

/// Room for points, divided into pieces.
pub(crate) struct Sheet<T, const C: usize> {
    points: Points<T, C>,
    lengths: Vec<usize>,
}

impl<T: Copy, const C: usize> Sheet<T, C> {
    /// Room for the first point, and pieces for so many rows each.
    pub fn new(mut lengths: Vec<usize>) -> Result<Self> {
        lengths.insert(0, 1);
        let rows = lengths.iter().sum();
        let mut thresholds = Vec::new();
        reserve(&mut thresholds, rows)?;
        let mut columns = [const { Vec::new() }; C];
        columns.iter_mut().try_for_each(|c| reserve(c, rows))?;
        let points = Points {
            thresholds,
            columns,
        };
        Ok(Sheet { points, lengths })
    }

    /// A pen for each piece, the first point's too. Piece `i` begins below `called[i]`, negatives and positives.
    pub fn pens<S, K: Shape<C>, F: Fn(S) -> T + Copy>(
        &mut self,
        called: impl IntoIterator<Item = [u64; 2]>,
        shape: K,
        keep: Keep,
        threshold: F,
    ) -> Vec<Pen<'_, T, K, F, C>> {
        let mut thresholds = self.points.thresholds.spare_capacity_mut();
        let mut columns = self.points.columns.each_mut().map(Vec::spare_capacity_mut);
        let called = std::iter::once([0, 0]).chain(called);
        let pens = self
            .lengths
            .iter()
            .zip(called)
            .map(|(&length, [fp, tp])| Pen {
                thresholds: cut_off(&mut thresholds, length),
                columns: columns.each_mut().map(|column| cut_off(column, length)),
                written: 0,
                tp,
                fp,
                first: None,
                last: Step::STAYS,
                shape,
                keep,
                threshold,
            });
        pens.collect()
    }

    /// The points of all pieces, given what their pens left behind.
    pub fn join(mut self, mut left: Vec<Left>, keep: Keep) -> Points<T, C> {
        let mut last: Option<usize> = None;
        for i in 0..left.len() {
            let Some(first) = left[i].first else { continue };
            if let Some(before) = last {
                left[before].written -= usize::from(keep.drops(left[before].last, first));
            }
            last = Some(i);
        }
        let written: Vec<usize> = left.iter().map(|left| left.written).collect();
        let (points, lengths) = (&mut self.points, &self.lengths);
        let rows = written.iter().sum();
        close(points.thresholds.spare_capacity_mut(), lengths, &written);
        for column in &mut points.columns {
            close(column.spare_capacity_mut(), lengths, &written);
        }
        // SAFETY: a pen has written its first `written` points to every column of its piece; these now lie without a
        // gap at the start of the capacity.
        #[allow(unsafe_code)]
        unsafe {
            points.thresholds.set_len(rows);
            points.columns.iter_mut().for_each(|c| c.set_len(rows));
        }
        points.thresholds.shrink_to_fit();
        points.columns.iter_mut().for_each(Vec::shrink_to_fit);
        self.points
    }
}

/// Writes points to a piece.
pub(crate) struct Pen<'a, T, K, F, const C: usize> {
    thresholds: &'a mut [MaybeUninit<T>],
    columns: [&'a mut [MaybeUninit<f64>]; C],
    written: usize,
    tp: u64,
    fp: u64,
    first: Option<Step>,
    last: Step,
    shape: K,
    keep: Keep,
    threshold: F,
}

/// What a pen leaves behind: the points written, and the steps of its first and last row.
pub(crate) struct Left {
    written: usize,
    first: Option<Step>,
    last: Step,
}

impl<T: Copy, K: Shape<C>, F, const C: usize> Pen<'_, T, K, F, C> {
    /// The point where nothing is called positive.
    pub fn start(&mut self, threshold: T) {
        self.write(threshold);
    }

    #[inline(always)]
    fn write(&mut self, threshold: T) {
        let point = self.shape.at(self.tp as f64, self.fp as f64);
        self.thresholds[self.written].write(threshold);
        for (column, value) in self.columns.iter_mut().zip(point) {
            column[self.written].write(value);
        }
        self.written += 1;
    }

    /// Makes room for a row: unless it needs the point before it, that one goes.
    #[inline(always)]
    fn meet(&mut self, next: Step) {
        self.written -= usize::from(self.keep.drops(self.last, next) && self.first.is_some());
        self.first = self.first.or(Some(next));
    }

    /// Whether a row with this step that is met now may not go.
    #[inline(always)]
    fn opens(&self) -> bool {
        self.tp == 0 && self.fp == 0 && self.keep.first_row()
    }

    /// There are no more rows in this piece.
    pub fn lift(self) -> Left {
        Left {
            written: self.written,
            first: self.first,
            last: self.last,
        }
    }
}

impl<S: Copy, T: Copy, K, F, const C: usize> Rows<S> for Pen<'_, T, K, F, C>
where
    K: Shape<C>,
    F: Fn(S) -> T,
{
    #[inline]
    fn push(&mut self, score: S, pos: u64, neg: u64) {
        let (step, opens) = (Step { pos, neg }, self.opens());
        self.meet(step);
        (self.tp, self.fp) = (self.tp + pos, self.fp + neg);
        self.write((self.threshold)(score));
        self.last = if opens { Step::STAYS } else { step };
    }

    #[inline(always)]
    fn append(&mut self, scores: &[S], positive: &[u8]) {
        // In blocks, so that what is put by for a block lies in fixed arrays.
        for (scores, positive) in scores.chunks(BLOCK).zip(positive.chunks(BLOCK)) {
            self.block(scores, positive);
        }
    }
}

impl<T: Copy, K: Shape<C>, F, const C: usize> Pen<'_, T, K, F, C> {
    /// Writes at most [`BLOCK`] rows of one each, in loops without a branch on the data.
    #[inline(always)]
    fn block<S: Copy>(&mut self, scores: &[S], positive: &[u8])
    where
        F: Fn(S) -> T,
    {
        let opens = self.opens();
        self.meet(Step::one(positive[0] != 0));
        let last = scores.len() - 1;
        // The rows that stay, and the positives up to each: one that goes is noted too, and the next in its place.
        let (mut rows, mut tps) = ([0u32; BLOCK], [0u32; BLOCK]);
        let (mut stay, mut tp) = (0, 0);
        let mut note = |row: usize, stays: u8| {
            tp += u32::from(positive[row]);
            (rows[stay % BLOCK], tps[stay % BLOCK]) = (row as u32, tp);
            stay += usize::from(stays);
        };
        for row in 0..last {
            let stays = self.keep.stays(positive[row], positive[row + 1]);
            note(row, stays | u8::from(opens && row == 0));
        }
        note(last, 1);

        let (fp, tp) = (self.fp as f64, self.tp as f64);
        let new = self.written..self.written + stay;
        for (to, &row) in self.thresholds[new.clone()].iter_mut().zip(&rows) {
            to.write((self.threshold)(scores[row as usize]));
        }
        let mut columns = self.columns.each_mut().map(|c| &mut c[new.clone()]);
        for i in 0..stay {
            let (row, called) = (f64::from(rows[i] as i32), f64::from(tps[i] as i32));
            let point = self.shape.at(tp + called, fp + (row + 1.0 - called));
            for (column, value) in columns.iter_mut().zip(point) {
                column[i].write(value);
            }
        }
        let called = u64::from(tps[stay - 1]);
        (self.tp, self.fp) = (self.tp + called, self.fp + scores.len() as u64 - called);
        self.written = new.end;
        self.last = if opens && last == 0 {
            Step::STAYS
        } else {
            Step::one(positive[last] != 0)
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Rng;

    #[derive(Clone, Copy)]
    struct Counts;

    impl Shape<2> for Counts {
        fn at(&self, tp: f64, fp: f64) -> [f64; 2] {
            [tp, fp]
        }
    }

    /// Points of rows `(score, positives, negatives)`, cut into pieces; with `single`, rows of one each go together.
    fn points(pieces: &[&[(u32, u64, u64)]], keep: Keep, single: bool) -> Points<u32, 2> {
        let mut called = [0, 0];
        let starts: Vec<_> = pieces
            .iter()
            .map(|rows| {
                let start = called;
                let add = |called: [u64; 2], row: &(u32, u64, u64)| {
                    [called[0] + row.2, called[1] + row.1]
                };
                called = rows.iter().fold(called, add);
                start
            })
            .collect();
        let mut sheet = Sheet::new(pieces.iter().map(|rows| rows.len()).collect()).unwrap();
        let mut pens = sheet.pens(starts, Counts, keep, |score: u32| score);
        pens[0].start(0);
        for (pen, rows) in pens[1..].iter_mut().zip(pieces) {
            for rows in rows.chunk_by(|a, b| single && a.1 + a.2 == 1 && b.1 + b.2 == 1) {
                if single && rows[0].1 + rows[0].2 == 1 {
                    let scores: Vec<u32> = rows.iter().map(|row| row.0).collect();
                    let positive: Vec<u8> = rows.iter().map(|row| row.1 as u8).collect();
                    pen.append(&scores, &positive);
                } else {
                    rows.iter().for_each(|row| pen.push(row.0, row.1, row.2));
                }
            }
        }
        let left = pens.into_iter().map(Pen::lift).collect();
        sheet.join(left, keep)
    }

    /// The slow and obvious way.
    fn reference(rows: &[(u32, u64, u64)], keep: Keep) -> Points<u32, 2> {
        let (mut thresholds, mut columns) = (vec![0], [vec![0.0], vec![0.0]]);
        let (mut tp, mut fp) = (0, 0);
        for (i, row) in rows.iter().enumerate() {
            (tp, fp) = (tp + row.1, fp + row.2);
            let goes = rows.get(i + 1).is_some_and(|next| match keep {
                Keep::All => false,
                Keep::Corners => i > 0 && (row.1, row.2) == (next.1, next.2),
                Keep::Rises => i > 0 && row.1 + next.1 == 0,
                Keep::LaterRises => row.1 + next.1 == 0,
            });
            if !goes {
                thresholds.push(row.0);
                columns[0].push(tp as f64);
                columns[1].push(fp as f64);
            }
        }
        Points {
            thresholds,
            columns,
        }
    }

    #[test]
    fn pieces_are_the_whole() {
        let mut rng = Rng::new(90);
        for round in 0..2000 {
            let n = 1 + rng.below(if round % 50 == 0 {
                3 * BLOCK as u64
            } else {
                12
            });
            let tied = rng.below(3) == 0;
            let rows: Vec<(u32, u64, u64)> = (1..=n as u32)
                .map(|score| match rng.below(if tied { 4 } else { 2 }) {
                    0 => (score, 1, 0),
                    1 => (score, 0, 1),
                    _ => (score, rng.below(2), 1 + rng.below(2)),
                })
                .collect();
            let (mut pieces, mut rest) = (Vec::new(), &rows[..]);
            while !rest.is_empty() {
                let (piece, others) = rest.split_at(rng.below(rest.len() as u64 + 1) as usize);
                pieces.push(piece);
                rest = others;
            }
            for keep in [Keep::All, Keep::Corners, Keep::Rises, Keep::LaterRises] {
                let expected = reference(&rows, keep);
                for single in [false, true] {
                    assert_eq!(points(&[&rows], keep, single), expected);
                    assert_eq!(points(&pieces, keep, single), expected);
                }
            }
        }
    }
}
