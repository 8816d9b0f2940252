"""docs/explanation/coverage.md, from the results."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from pathlib import Path
from statistics import fmean, median

from tests.statistical.simulate import judge
from tests.statistical.simulate.grid import COMPARED, Cell, every_cell
from tests.statistical.simulate.run import Result

Row = tuple[Cell, Result]
WORST = 25

HEAD = """# Coverage

How often the intervals of this package contain the truth, and how often its tests cry wolf: simulated, cell by
cell. Written by `make simulate`; every cell is a line of [coverage.jsonl](../assets/coverage.jsonl), and gives
the same numbers again when it is run again.

A cell is a population (normal scores with an AUC of .6 to .995; positives half, once and twice as wide as
negatives; continuous or cut into five levels; in clusters, with weights, in folds), class sizes, and a measure.
Nominal level 95 %, tests at 5 %. The bars for what is the default (`auto`):

- an interval covers at least .93 in every cell with five rows (or clusters) in each class; counts at a cut are
  discrete, so there it is the mean over populations that must;
- at most .99 where the smaller class has 30 rows and fewer than one sample in a hundred is perfect;
- the size of a test is at most .065, and at least .03 where the smaller class has 30 rows and the AUC is at
  most .95.
"""


def write(path: Path, found: dict[str, Result]) -> None:
    rows = [(cell, found[cell.key]) for cell in every_cell() if cell.key in found]
    path.write_text("\n".join(text(rows)), encoding="utf-8")


def text(rows: list[Row]) -> Iterator[str]:
    yield HEAD
    yield from replicates(rows)
    yield "## The bars\n"
    yield from bars(rows)
    yield "## Interval methods\n"
    yield METHODS_HEAD
    yield from methods(rows)
    yield "### ROC-AUC by size\n"
    yield from by_size(rows)
    yield "## Tests\n"
    yield TESTS_HEAD
    yield from tests(rows)
    yield "## Cells that miss a bar\n"
    yield from misses(rows)


def replicates(rows: list[Row]) -> Iterator[str]:
    counts = [found.r for _, found in rows]
    few, many = min(counts), max(counts)
    largest, smallest = (math.sqrt(0.95 * 0.05 / r) for r in (few, many))
    yield (
        f"This run: {len(rows):,} of {len(every_cell()):,} cells, {sum(counts):,} data sets. A cell has {few:,} to "
        f"{many:,} data sets (median {median(counts):,.0f}): where a bar was close more were drawn. The Monte-Carlo "
        f"standard error of a coverage of .95 is {smallest:.4f} to {largest:.4f}. With so many cells the *lowest* of "
        "rules that all cover exactly .95 is expected 3.3 of these below .95. *For sure* means: by more than two of "
        "them. A cell that looked safe was not looked at again: of those with a true coverage of .925 one in twenty or "
        "so is not found in this way. `make simulate` as it stands draws 4,000 data sets everywhere (an hour or two on "
        "two processors).\n"
    )


def table(head: Iterable[str], body: Iterable[Iterable[str]]) -> Iterator[str]:
    head = list(head)
    yield "| " + " | ".join(head) + " |"
    yield "|---" * len(head) + "|"
    for line in body:
        yield "| " + " | ".join(line) + " |"
    yield ""


def grouped(rows: list[Row], key: Callable[[Cell], tuple[str, ...]]) -> Iterator[tuple[tuple[str, ...], list[Row]]]:
    for name, members in groupby(sorted(rows, key=lambda row: key(row[0])), lambda row: key(row[0])):
        yield name, list(members)


def family(cell: Cell) -> tuple[str, str]:
    return cell.family, cell.measure.partition("(")[0]


def number(x: float) -> str:
    return f"{x:.3f}".removeprefix("0")


def with_error(found: judge.Found) -> str:
    return f"{found} ± {number(found.error)}"


# ------------------------------------------------------------------------------------------------ the bars


def bars(rows: list[Row]) -> Iterator[str]:
    body = []
    for (name, measure), members in grouped(rows, family):
        judged = [row for row in members if judge.floor_holds(row[0])]
        lowest = min((judge.coverage(found) for _, found in judged), key=lambda one: one.share)
        mean = fmean(judge.coverage(found).share for _, found in judged)
        high = [row for row in members if judge.ceiling_holds(*row)]
        discrete = judge.discrete(members[0][0])
        body.append((
            f"{name}: `{measure}`", str(len(judged)), number(mean), with_error(lowest),
            "by mean" if discrete else count(judged, "coverage below"),
            "by mean" if discrete else f"{count(high, 'coverage above')} of {len(high)}",
        ))  # fmt: skip
    yield "Intervals. Beside the number of cells that miss a bar, in brackets those that do for sure.\n"
    yield from table(("family", "cells", "mean coverage", "lowest, with its error", "below .93", "above .99"), body)
    body = []
    for (name, measure), members in grouped([row for row in rows if row[0].family in COMPARED], family):
        alike = [row for row in members if judge.equal(row[0])]
        eligible = [row for row in alike if judge.size_holds(row[0])]
        sizes = [judge.rejection(found) for _, found in alike]
        within = [judge.rejection(found) for _, found in eligible]
        body.append((
            f"{name}: `{measure}`", str(len(alike)), with_error(max(sizes, key=lambda one: one.share)),
            count(alike, "size above"),
            with_error(min(within, key=lambda one: one.share)) if within else "",
            f"{count(eligible, 'size below')} of {len(eligible)}" if within else "",
        ))  # fmt: skip
    yield "Tests of two models that are alike.\n"
    yield from table(
        ("family", "cells", "largest size", "above .065", "smallest where it is judged", "below .03"), body
    )


def count(rows: list[Row], bar: str) -> str:
    """How many miss a bar, and how many for sure."""
    seen, sure = (
        sum(any(one.startswith(bar) for one in judge.missed(*row, errors=errors)) for row in rows)
        for errors in (0.0, judge.SURE)
    )
    return f"{seen} ({sure})" if seen else "0"


# ----------------------------------------------------------------------------------------- methods and tests

METHODS_HEAD = """Over the cells of a family: the lowest, a tenth and half of the coverages lie at or below these;
the share of cells below .93; and the mean width as a multiple of the default's, where both exist. Cells with fewer
than five rows in a class are left out. An interval that does not exist covers nothing.
"""


def methods(rows: list[Row]) -> Iterator[str]:
    body = []
    plain = [row for row in rows if row[0].family not in COMPARED and judge.floor_holds(row[0])]
    for (name, measure), members in grouped(plain, family):
        for method in members[0][0].methods:
            covered = sorted(judge.coverage(found, method).share for _, found in members)
            ratios = [judge.width(found, method) / judge.width(found) for _, found in members]
            low = sum(share < judge.FLOOR for share in covered) / len(covered)
            width = fmean(r for r in ratios if not math.isnan(r))
            body.append((
                f"{name}: `{measure}`" if method == "auto" else "", f"`{method}`", number(covered[0]),
                number(covered[len(covered) // 10]), number(median(covered)), f"{low:.0%}",
                number(mean_width(members)) if method == "auto" else f"x {width:.2f}",
            ))  # fmt: skip
    yield from table(("family", "method", "lowest", "a tenth", "median", "below .93", "mean width"), body)


def mean_width(rows: list[Row]) -> float:
    return fmean(judge.width(found) for _, found in rows if not math.isnan(judge.width(found)))


def by_size(rows: list[Row]) -> Iterator[str]:
    plain = [row for row in rows if row[0].family == "ROC-AUC"]
    aucs = sorted({cell["auc"] for cell, _ in plain})
    for method in ("auto", "logit-t", "delong"):
        yield f"Lowest and highest coverage of `{method}` by rows of the smaller class (down) and AUC (across).\n"
        body = []
        for size in sorted({cell.smaller for cell, _ in plain}):
            line = [f"{size:g}"]
            for auc in aucs:
                at = [judge.coverage(f, method).share for c, f in plain if c.smaller == size and c["auc"] == auc]
                line.append(f"{number(min(at))} to {number(max(at))}" if at else "")
            body.append(line)
        yield from table(("rows", *(f"AUC {number(auc)}" for auc in aucs)), body)


TESTS_HEAD = """Size: how often the test rejects two models that are alike, over cells with thirty rows (or clusters)
in the smaller class, and over all. Power: the mean over cells with different models, where it was tried. Coverage is
that of the interval which comes with the test.
"""


def tests(rows: list[Row]) -> Iterator[str]:
    body = []
    for (name, measure), members in grouped([row for row in rows if row[0].family in COMPARED], family):
        for method in dict.fromkeys(m for cell, _ in members for m in cell.methods):
            tried = [row for row in members if method in row[0].methods]
            size = [judge.rejection(f, method).share for c, f in tried if judge.equal(c)]
            larger = [judge.rejection(f, method).share for c, f in tried if judge.equal(c) and c.smaller >= 30]
            power = [judge.rejection(f, method).share for c, f in tried if not judge.equal(c)]
            covered = [judge.coverage(f, method).share for _, f in tried]
            body.append((
                f"{name}: `{measure}`" if method == "auto" else "", f"`{method}`", str(len(tried)),
                f"{number(min(larger))} to {number(max(larger))}" if larger else "",
                f"{number(min(size))} to {number(max(size))}", number(fmean(power)) if power else "",
                f"{number(min(covered))}, {number(median(covered))}",
            ))  # fmt: skip
    yield from table(
        ("family", "method", "cells", "size, 30 rows", "size, all", "power", "coverage: lowest, median"), body
    )


# ------------------------------------------------------------------------------------------------- the misses

MISSES_HEAD = """What they are, and why they are left:

- *Average precision over folds, for the population.* The average precision of few rows lies above that of many,
  and a mean over folds keeps that bias: it is an estimate of what folds of this size give (the family above it,
  which is covered), and a note says so. No width repairs a wrong centre; larger folds do.
- *Size below .03.* With thirty rows a class, good or much alike models, most pairs of samples have few rows
  that tell the models apart, and the differences take few values: Student's t is careful there. Where positives
  are rare and the models poor, the standard error of a difference of average precisions grows with the
  difference itself. Fewer than ten rows apart and the result warns of low power. `method="permutation"` has a size
  of .04 and more in those of the same cells that it was tried in. Three ways to a default that is never so careful
  were tried and left: exchange of ranks, flips of the signs of the differences of influences, and a standard error at
  the common value. Each rejects in 3 to 7 % of alike models; of unlike ones, the next point, in up to 28 %.
- *Size above .065.* Two models with one AUC but unlike shapes, and few positives. The standard error is small just
  in those samples in which the one model looks perfect by luck; neither normal nor Student's quantile, nor an
  exchange of ranks (its null hypothesis is that the models are alike) knows of it. The interval does: it covers in
  all these cells. Where the test contradicts its interval a note says so, and `method="mover"` gives the p value of
  the interval, the size of which is one minus the coverage. It is not the default: where models are alike it is
  more careful than need be (in 85 instead of 23 of the judged cells it rejects in less than 3 %).
- *Coverage above .99.* Near 1 the lower limit would have to exclude truths that even a perfect sample can not
  exclude, and an area of few rows takes few values. Of some twenty rules that were tried for ROC-AUC none was below
  .99 in all such cells without being below .93 in others (the one that came closest left 9 % of them). At another
  prevalence the prior is wide on purpose, since few negatives decide: of six priors tried over its 72 cells (4,000
  data sets each) the narrower five had a lowest coverage of .925 to .932, and still 21 or 22 cells above .99
  instead of 28.
"""


def misses(rows: list[Row]) -> Iterator[str]:
    """Every cell in which coverage is too low or a test too eager; the most extreme of the rest."""
    yield MISSES_HEAD
    for bar, share in (
        ("coverage below .93", judge.coverage), ("size above .065", judge.rejection),
        ("size below .03", judge.rejection), ("coverage above .99", judge.coverage),
    ):  # fmt: skip
        hit = [row for row in rows if bar in judge.missed(*row)]
        sure = {cell.key for cell, found in hit if bar in judge.missed(cell, found, errors=judge.SURE)}
        if "below" in bar:
            hit.sort(key=lambda row: share(row[1]).share)
        else:
            hit.sort(key=lambda row: (-share(row[1]).share, -row[1].r))
        shown = hit if bar in ("coverage below .93", "size above .065") else hit[:WORST]
        of = f", the {len(shown)} most extreme of them" if len(shown) < len(hit) else ""
        yield f"### {bar.capitalize()}\n"
        yield f"{len(hit)} cells, {len(sure)} for sure{of}.\n"
        if shown:
            yield from table(
                ("family", "cell", "data sets", bar.partition(" ")[0], "for sure"),
                ((cell.family, f"{cell}".replace("|", ""), f"{found.r:,}", with_error(share(found)),
                  "yes" if cell.key in sure else "") for cell, found in shown),
            )  # fmt: skip
