//! From the streams back to the rows.

use super::Place;
use crate::call::Call;
use crate::error::Result;
use crate::fast::isa::{dispatch, Isa, Job};
use crate::fast::map::{BucketOfCell, Cells, Splitters, CELLS, MOST_BUCKETS};
use crate::fast::parts::Part;
use crate::fast::plan::Map;
use crate::fast::streams::MOST_STREAMS;
use crate::order::Score;

/// Rows whose cells are found together, with vector instructions.
const TOGETHER: usize = 16;

/// The way back to the rows of one part.
pub(super) struct Back<'a, T> {
    pub by_stream: &'a [T],
    pub cursors: Box<[usize; MOST_STREAMS]>,
    pub of_cell: &'a BucketOfCell,
}

impl<T: Place> Back<'_, T> {
    pub fn lead<S: Score>(
        mut self,
        part: Part<'_, S>,
        places: &mut [T],
        map: &Map<S::Lane>,
        call: &Call,
    ) -> Result<()> {
        let mut rest = places;
        for Part {
            scores, positive, ..
        } in part.strides()
        {
            call.check()?;
            let (places, others) = std::mem::take(&mut rest).split_at_mut(scores.len());
            rest = others;
            match map {
                Map::Single(map) => self.lead_by(scores, positive, places, *map),
                Map::Affine(map) => self.lead_by(scores, positive, places, *map),
                Map::Bits(map) => self.lead_by(scores, positive, places, *map),
                Map::Splitters(sorted) => {
                    let map = Splitters::<_, MOST_BUCKETS>::new(sorted);
                    self.lead_by(scores, positive, places, map);
                }
            }
        }
        Ok(())
    }

    fn lead_by<S: Score>(
        &mut self,
        scores: &[S],
        positive: &[u8],
        places: &mut [T],
        cells: impl Cells<S::Lane>,
    ) {
        dispatch(Stretch {
            scores,
            positive,
            places,
            cells,
            back: self,
        });
    }
}

struct Stretch<'w, 'a, S, T, C> {
    scores: &'w [S],
    positive: &'w [u8],
    places: &'w mut [T],
    cells: C,
    back: &'w mut Back<'a, T>,
}

impl<S: Score, T: Place, C: Cells<S::Lane>> Job for Stretch<'_, '_, S, T, C> {
    type Output = ();

    #[inline(always)]
    fn run<I: Isa>(self) {
        let Back {
            by_stream,
            cursors,
            of_cell,
        } = self.back;
        let labels = self.positive.chunks(TOGETHER);
        let places = self.places.chunks_mut(TOGETHER);
        for ((scores, positive), places) in self.scores.chunks(TOGETHER).zip(labels).zip(places) {
            let mut cell = [0; TOGETHER];
            for (cell, score) in cell.iter_mut().zip(scores) {
                *cell = self.cells.cell(score.lane());
            }
            for ((place, &positive), &cell) in places.iter_mut().zip(positive).zip(&cell) {
                let bucket = usize::from(of_cell[cell as usize % CELLS]);
                let cursor = &mut cursors[(2 * bucket + usize::from(positive != 0)) % MOST_STREAMS];
                *place = by_stream[*cursor];
                *cursor += 1;
            }
        }
    }
}
