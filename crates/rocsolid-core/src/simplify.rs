//! Fewer vertices of a curve, such that no picture of it shows the difference.
//!
//! One pass over the vertices, strict to lenient, with constant memory but for what is kept. A vertex is kept when the
//! next one could not be joined to the last kept one without leaving some skipped vertex further away than the
//! tolerance, in any of several pictures at once. Every kept vertex is a true vertex; nothing is moved.
//!
//! Two kinds of pictures. In a *straight* one vertices are joined by lines and both coordinates never fall (ROC; the same
//! with a logarithmic axis; DET, drawn upwards). Lines from the anchor that pass a skipped vertex within the tolerance
//! form a cone, and cones are intersected as they come (Williams 1978; Sklansky & Gonzalez 1980). Along a monotone path
//! the foot of each skipped vertex lies on the new segment, and the old path crosses every perpendicular of it, so the
//! distance holds both ways. In a *stepped* one (precision against recall) the path goes up or down at a constant recall,
//! then across: a window of recalls and precisions says what may be skipped.

/// Lines from the anchor, between two directions, that pass every skipped vertex within the tolerance.
#[derive(Clone, Copy)]
struct Cone {
    low: [f64; 2],
    high: [f64; 2],
}

fn cross(a: [f64; 2], b: [f64; 2]) -> f64 {
    a[0] * b[1] - a[1] * b[0]
}

fn admits(cone: Option<Cone>, d: [f64; 2]) -> bool {
    cone.is_none_or(|c| cross(c.low, d) >= 0.0 && cross(d, c.high) >= 0.0)
}

/// The part of a cone that passes within `tolerance` of the vertex at `d` from the anchor; no angle is computed.
fn narrowed(cone: Option<Cone>, d: [f64; 2], tolerance: f64) -> Option<Cone> {
    let squared = d[0] * d[0] + d[1] * d[1];
    if squared <= tolerance * tolerance {
        return cone; // every line from the anchor passes it
    }
    let s = (squared - tolerance * tolerance).sqrt();
    let low = [d[0] * s + tolerance * d[1], d[1] * s - tolerance * d[0]];
    let high = [d[0] * s - tolerance * d[1], d[1] * s + tolerance * d[0]];
    Some(match cone {
        None => Cone { low, high },
        Some(c) => Cone {
            low: if cross(c.low, low) > 0.0 { low } else { c.low },
            high: if cross(high, c.high) > 0.0 {
                high
            } else {
                c.high
            },
        },
    })
}

/// Precisions of the skipped vertices: of those at the anchor's recall (within the tolerance), and of those beyond.
#[derive(Clone, Copy)]
struct Window {
    near: [f64; 2],
    beyond: [f64; 2],
}

const NOTHING: [f64; 2] = [f64::INFINITY, f64::NEG_INFINITY];

fn with(range: [f64; 2], value: f64) -> [f64; 2] {
    [range[0].min(value), range[1].max(value)]
}

impl Window {
    const EMPTY: Window = Window {
        near: NOTHING,
        beyond: NOTHING,
    };

    /// Whether the step from precision `from` to precision `to` passes every skipped vertex within `tolerance`.
    fn admits(&self, from: f64, to: f64, tolerance: f64) -> bool {
        self.beyond[1] - to <= tolerance
            && to - self.beyond[0] <= tolerance
            && self.near[1] <= from.max(to) + tolerance
            && self.near[0] >= from.min(to) - tolerance
    }

    fn skip(&mut self, gained: f64, precision: f64, tolerance: f64) {
        if gained <= tolerance {
            self.near = with(self.near, precision);
        } else {
            self.beyond = with(self.beyond, precision);
        }
    }
}

/// Chooses vertices as they are fed, strict to lenient.
///
/// A vertex is a row of numbers in units of the tolerance's: x and y in each straight picture, then, if there is one,
/// recall and precision in the stepped one.
pub struct Simplifier {
    straight: usize,
    stepped: bool,
    tolerance: f64,
    cones: Vec<Option<Cone>>,
    window: Window,
    anchor: Vec<f64>,
    last: Vec<f64>,
    fed: u64,
    kept: Vec<u64>,
}

impl Simplifier {
    /// For so many straight pictures, and a stepped one or not.
    pub fn new(straight: usize, stepped: bool, tolerance: f64) -> Self {
        Simplifier {
            straight,
            stepped,
            tolerance,
            cones: vec![None; straight],
            window: Window::EMPTY,
            anchor: Vec::new(),
            last: Vec::new(),
            fed: 0,
            kept: Vec::new(),
        }
    }

    /// Numbers of a vertex.
    pub fn width(&self) -> usize {
        2 * (self.straight + usize::from(self.stepped))
    }

    /// The next vertex; `forced` ones are kept, and so is the first. O(pictures).
    pub fn push(&mut self, vertex: &[f64], forced: bool) {
        debug_assert_eq!(vertex.len(), self.width());
        if self.fed > 0 && !self.reaches(vertex) {
            let last = std::mem::take(&mut self.last);
            self.keep(self.fed - 1, &last);
            self.last = last;
        }
        if self.fed == 0 || forced {
            self.keep(self.fed, vertex);
        } else {
            self.skip(vertex);
        }
        self.last.clear();
        self.last.extend_from_slice(vertex);
        self.fed += 1;
    }

    /// Which vertices are kept, the first and the last among them.
    pub fn finish(mut self) -> Vec<u64> {
        if self.fed > 0 && self.kept.last() != Some(&(self.fed - 1)) {
            self.kept.push(self.fed - 1);
        }
        self.kept
    }

    /// Whether the anchor may be joined to a vertex; to the one right after it it always may.
    fn reaches(&self, vertex: &[f64]) -> bool {
        if self.kept.last() == Some(&(self.fed - 1)) {
            return true;
        }
        let straight = self
            .cones
            .iter()
            .enumerate()
            .all(|(k, &cone)| admits(cone, self.step_to(vertex, k)));
        straight
            && (!self.stepped
                || self.window.admits(
                    self.precision(&self.anchor),
                    self.precision(vertex),
                    self.side(),
                ))
    }

    fn skip(&mut self, vertex: &[f64]) {
        for k in 0..self.straight {
            self.cones[k] = narrowed(self.cones[k], self.step_to(vertex, k), self.tolerance);
        }
        if self.stepped {
            let gained = self.step_to(vertex, self.straight)[0];
            let (precision, side) = (self.precision(vertex), self.side());
            self.window.skip(gained, precision, side);
        }
    }

    fn keep(&mut self, index: u64, vertex: &[f64]) {
        self.kept.push(index);
        self.anchor.clear();
        self.anchor.extend_from_slice(vertex);
        self.cones.fill(None);
        self.window = Window::EMPTY;
    }

    fn step_to(&self, vertex: &[f64], picture: usize) -> [f64; 2] {
        let at = 2 * picture;
        [
            vertex[at] - self.anchor[at],
            vertex[at + 1] - self.anchor[at + 1],
        ]
    }

    fn precision(&self, vertex: &[f64]) -> f64 {
        vertex[2 * self.straight + 1]
    }

    /// Off by this along both axes is off by the tolerance.
    fn side(&self) -> f64 {
        self.tolerance * std::f64::consts::FRAC_1_SQRT_2
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(points: &[[f64; 2]], tolerance: f64) -> Vec<u64> {
        let mut simplifier = Simplifier::new(1, false, tolerance);
        for point in points {
            simplifier.push(point, false);
        }
        simplifier.finish()
    }

    #[test]
    fn a_line_is_its_ends() {
        let line: Vec<_> = (0..100)
            .map(|i| [f64::from(i), 2.0 * f64::from(i)])
            .collect();
        assert_eq!(kept(&line, 0.5), [0, 99]);
    }

    #[test]
    fn a_corner_stays_unless_it_is_small() {
        let corner = [
            [0.0, 0.0],
            [0.0, 5.0],
            [0.0, 10.0],
            [5.0, 10.0],
            [10.0, 10.0],
        ];
        assert_eq!(kept(&corner, 0.5), [0, 2, 4]);
        assert_eq!(kept(&corner, 8.0), [0, 4]);
    }

    #[test]
    fn nothing_one_and_two() {
        assert!(kept(&[], 0.5).is_empty());
        assert_eq!(kept(&[[1.0, 1.0]], 0.5), [0]);
        assert_eq!(kept(&[[1.0, 1.0], [1.0, 1.0]], 0.5), [0, 1]);
    }

    #[test]
    fn forced_vertices_stay() {
        let mut simplifier = Simplifier::new(1, false, 0.5);
        for i in 0..10 {
            simplifier.push(&[f64::from(i), f64::from(i)], i == 4);
        }
        assert_eq!(simplifier.finish(), [0, 4, 9]);
    }

    #[test]
    fn steps_keep_their_dips() {
        // precision falls at one recall and comes back before the next gain: the dip is drawn
        let path = [
            [0.0, 100.0],
            [10.0, 100.0],
            [10.0, 60.0],
            [10.0, 50.0],
            [20.0, 60.0],
            [30.0, 60.2],
        ];
        let mut simplifier = Simplifier::new(0, true, 0.5);
        for vertex in &path {
            simplifier.push(vertex, false);
        }
        assert_eq!(simplifier.finish(), [0, 1, 3, 5]);
    }
}
