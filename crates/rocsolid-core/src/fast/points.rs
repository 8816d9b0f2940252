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

    /// The rows of one each that stay, given which are positive; that of the last row has no meaning.
    #[inline(always)]
    fn stays(self, ones: u64) -> u64 {
        match self {
            Keep::All => !0,
            Keep::Corners => ones ^ ones >> 1,
            Keep::Rises | Keep::LaterRises => ones | ones >> 1,
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
                settled: 0,
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

/// Writes points to a piece: running counts first, then, while they are in the cache, coordinates in their place.
pub(crate) struct Pen<'a, T, K, F, const C: usize> {
    thresholds: &'a mut [MaybeUninit<T>],
    /// The first two hold false and true positives until the point is settled.
    columns: [&'a mut [MaybeUninit<f64>]; C],
    written: usize,
    /// Points whose coordinates are there.
    settled: usize,
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
        self.thresholds[self.written].write(threshold);
        self.columns[0][self.written].write(self.fp as f64);
        self.columns[1][self.written].write(self.tp as f64);
        self.written += 1;
    }

    /// Makes room for a row: unless it needs the point before it, that one goes.
    #[inline(always)]
    fn meet(&mut self, next: Step) {
        self.written -= usize::from(self.keep.drops(self.last, next) && self.first.is_some());
        self.settled = self.settled.min(self.written); // the next point may be another one
        self.first = self.first.or(Some(next));
    }

    /// Whether a row with this step that is met now may not go.
    #[inline(always)]
    fn opens(&self) -> bool {
        self.tp == 0 && self.fp == 0 && self.keep.first_row()
    }

    /// Turns the counts of new points into their coordinates.
    #[inline(always)]
    pub fn settle(&mut self) {
        let new = self.settled..self.written;
        let mut columns = self.columns.each_mut().map(|c| &mut c[new.clone()]);
        for i in 0..new.len() {
            // SAFETY: `write` has written to the first two columns of every point.
            #[allow(unsafe_code)]
            let [fp, tp] = [0, 1].map(|c| unsafe { columns[c][i].assume_init() });
            let point = self.shape.at(tp, fp);
            for (column, value) in columns.iter_mut().zip(point) {
                column[i].write(value);
            }
        }
        self.settled = self.written;
    }

    /// The last point is settled.
    pub fn lift(mut self) -> Left {
        self.settle();
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
    fn append(&mut self, scores: &[S], ones: u64) {
        let Some(last) = scores.len().checked_sub(1) else {
            return;
        };
        let opens = self.opens();
        self.meet(Step::one(ones & 1 != 0));
        let stays = self.keep.stays(ones) | u64::from(opens) | 1 << last;
        for (i, &score) in scores.iter().enumerate() {
            let one = ones >> i & 1;
            (self.tp, self.fp) = (self.tp + one, self.fp + 1 - one);
            self.write((self.threshold)(score));
            // One that goes is written all the same, and then the next in its place: no branch on the data.
            self.written -= (!stays >> i & 1) as usize;
        }
        let step = Step::one(ones >> last & 1 != 0);
        self.last = if opens && last == 0 {
            Step::STAYS
        } else {
            step
        };
    }
}
