"""Write the pages of docs/reference from the code: measures from the registry, errors from their classes, the API.

python docs/generate_reference.py            write the pages
python docs/generate_reference.py --check    fail if one of them is not up to date
"""

from __future__ import annotations

import inspect
import math
import re
import sys
import textwrap
import warnings
from collections.abc import Callable
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Any

import numpy as np

import rocsolid as rs
from rocsolid import errors, plot
from rocsolid.inference import methods_of
from rocsolid.measures import REGISTRY, Measure, Request

HERE = Path(__file__).parent / "reference"
GENERATED = "<!-- written by docs/generate_reference.py; do not edit -->\n\n"

# ---------------------------------------------------------------------------------------------- measures

FAMILIES = {
    "ranking": "Ranking",
    "partial_area": "Partial areas",
    "probability": "Probabilities",
    "decomposition": "Parts of a probability score",
    "explained": "Share of a loss that is saved",
    "calibration_error": "Calibration errors over bins",
    "isotonic_gaps": "Calibration errors of the isotonic fit",
    "recalibration": "Calibration in few numbers",
    "threshold": "At a cut",
    "scalars": "Two rates or four cells at a cut",
    "cost": "Costs and benefits at a cut",
    "expected_costs": "Costs over all cuts",
    "weighed_areas": "Areas that look harder at one end",
    "early": "Early recognition",
    "at_prevalence": "At a cut and another prevalence",
    "top_k": "The top of the list",
    "separation": "Separation at the best cut",
    "detection": "Detection",
}
"""Titles of the modules of rocsolid.measures."""


def family_of(entry: Measure[Any, Any]) -> str:
    """The module in which a measure is defined."""
    for module in FAMILIES:
        if entry in vars(getattr(rs.measures, module)).values():
            return module
    raise SystemExit(f"{entry.name} belongs to no family: add its module to FAMILIES")


def number(value: float) -> str:
    """Write an end of a range."""
    if math.isinf(value):
        return "∞" if value > 0 else "-∞"
    return f"{value:g}"


def wanted(entry: Measure[Any, Any]) -> str:
    """Which values are good."""
    return f"{entry.better} is better" if entry.target is None else f"{entry.target:g} is best"


def needed_options(entry: Measure[Any, Any]) -> list[str]:
    """Options without a default."""
    return [f.name for f in fields(entry.options) if f.default is MISSING and f.default_factory is MISSING]


SHOWN: dict[str, dict[str, Any]] = {
    "partial_auc": {"max_fpr": 0.1},
    "net_benefit": {"threshold": 0.2},
    "expected_cost": {"threshold": 0.5, "cost_fp": 1, "cost_fn": 10},
    "min_expected_cost": {"cost_fp": 1, "cost_fn": 10},
    "precision_at_prevalence": {"threshold": 0.5, "prevalence": 0.01},
    "npv_at_prevalence": {"threshold": 0.5, "prevalence": 0.01},
    "f1_at_prevalence": {"threshold": 0.5, "prevalence": 0.01},
    "f_beta": {"threshold": 0.5, "beta": 2},
    "precision_at_k": {"k": 10},
    "recall_at_k": {"share": 0.1},
    "lift_at_k": {"share": 0.1},
    "min_dcf": {"prior": 0.01},
    "act_dcf": {"prior": 0.01},
}
"""Options to show, of measures for which 0.5 everywhere says little."""


def example_request(entry: Measure[Any, Any]) -> Request:
    """The measure with options to show."""
    return Request(entry, entry.options(**SHOWN.get(entry.name, dict.fromkeys(needed_options(entry), 0.5))))


def measures_page() -> str:
    """One section a family, one entry a measure."""
    lines = [
        GENERATED + "# Measures\n",
        "Ask for any of them by name or alias: `ev.measure(\"recall(threshold=0.5)\")`, `ev.table([...])`,",
        "`rs.measure(name, y_true, y_score)`, or on the command line. Names may be written with `-` instead of `_`.\n",
    ]  # fmt: skip
    for module, title in FAMILIES.items():
        lines.append(f"## {title}\n")
        for entry in (m for m in REGISTRY.values() if family_of(m) == module):
            lines += measure_entry(entry)
    return "\n".join(lines).rstrip() + "\n"


def measure_entry(entry: Measure[Any, Any]) -> list[str]:
    """What the registry says about a measure."""
    request = example_request(entry)
    low, high = entry.range
    names = list(methods_of(request))
    options = [f"`{f.name}`" + ("" if f.default is MISSING else f" (`{f.default}`)") for f in fields(entry.options)]
    base = f", carried over from `{entry.monotone.base}`" if entry.monotone else ""
    facts = {
        "Ask for": f"`{request.spec}`",
        "Aliases": ", ".join(f"`{a}`" for a in entry.aliases),
        "Range": f"{number(low)} to {number(high)}, {wanted(entry)}",
        "Needs": ", ".join(sorted(entry.needs)),
        "Options": ", ".join(options),
        "Intervals": ", ".join(f"`{n}`" for n in names) + f" (the first is the default{base})",
        "Source": entry.source,
    }
    rows = [f"| {key} | {value} |" for key, value in facts.items() if value]
    return [
        f"### {entry.name}\n",
        f"**{entry.title}.** {entry.definition}\n",
        f"**{entry.title_zh}。** {entry.definition_zh}\n",
        "| | |",
        "|---|---|",
        *rows,
        "",
    ]


# ------------------------------------------------------------------------------------------------ errors

Y, S = [0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]


def _counts_overflow() -> None:
    rs.Sweep.from_counts([0.5], pos=[-1], neg=[2])


def _sweeps_differ() -> None:
    left, right = (rs.Sweep.from_counts([0.5], [1], [1], higher_is_positive=high) for high in (True, False))
    _ = left + right


EXAMPLES: dict[type[rs.RocsolidError], Callable[[], object]] = {
    errors.EmptyInputError: lambda: rs.areas([], []),
    errors.ShapeError: lambda: rs.areas(Y, np.zeros((4, 2, 2))),
    errors.LengthError: lambda: rs.areas(Y, S[:3]),
    errors.DtypeError: lambda: rs.areas(Y, ["low", "low", "high", "high"]),
    errors.PrecisionError: lambda: rs.areas(Y, [2**60 + 1, 0.5, 1, 2]),
    errors.MissingValueError: lambda: rs.areas(Y, [0.1, math.nan, 0.35, 0.8]),
    errors.PositiveLabelError: lambda: rs.areas(["good", "bad", "bad", "good"], S),
    errors.LabelCountError: lambda: rs.areas([0, 1, 2, 1], S),
    errors.WeightError: lambda: rs.areas(Y, S, sample_weight=[1, 1, -2, 1]),
    errors.ProbabilityError: lambda: rs.brier_score(Y, [0.1, 0.4, 3.5, 0.8]),
    errors.ProbabilitySumError: lambda: rs.evaluate([0, 1, 2], np.full((3, 3), 0.3)).log_loss(),
    errors.CountError: _counts_overflow,
    errors.SweepMismatchError: _sweeps_differ,
    errors.SourceError: lambda: rs.Sweep.load("yesterday.parquet"),
    errors.UndefinedMeasureError: lambda: rs.areas([1, 1, 1, 1], S),
    errors.OptionError: lambda: rs.roc_auc(Y, S, confidence_level=95),
    errors.UnknownNameError: lambda: rs.measure("roc-acu", Y, S),
    errors.NotAvailableError: lambda: rs.evaluate(Y, S, groups=[1, 1, 2, 2]),
}
"""A call that ends in each error. The page shows what it says."""

NOT_SHOWN = {
    errors.RocsolidError: "The base of all: `except rs.RocsolidError` catches everything below.",
    errors.InputError: "The base of all errors about data.",
    errors.MissingDependencyError: "An optional library is needed and not installed; the hint is the pip line.",
}
"""Errors without an example, and what to say instead."""


def error_classes() -> list[type[rs.RocsolidError]]:
    """All of them, in the order of the module."""
    return [c for c in vars(errors).values() if inspect.isclass(c) and issubclass(c, rs.RocsolidError)]


def raised(call: Callable[[], object]) -> rs.RocsolidError:
    """The error that a call ends in."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", rs.RocsolidWarning)
        try:
            call()
        except rs.RocsolidError as error:
            return error
    raise SystemExit("an example of docs/generate_reference.py raised nothing")


def errors_page() -> str:
    """The tree, then one entry an error with a real message."""
    drawing = inspect.cleandoc(errors.__doc__ or "").split("\n\n")[1]
    lines = [
        GENERATED + "# Errors\n",
        "Every error is a `RocsolidError` with a stable `code`, a `message` that says what was expected and what was",
        "found, a `hint` that can be typed, and its facts as attributes. Most are also the built-in error of their",
        "kind, such as `ValueError`.\n",
        f"```\n{textwrap.dedent(drawing)}\n```\n",
        "Something legal that is probably not meant is a `rs.RocsolidWarning`, once an evaluation: an AUC whose whole",
        "interval lies below one half, a class of fewer than five rows, a score with two or three distinct values.\n",
    ]
    for kind in error_classes():
        lines += [f"## {kind.__name__}\n"]
        if kind in NOT_SHOWN:
            lines += [f"Code `{kind.code}`. {NOT_SHOWN[kind]}\n"]
            continue
        error = raised(EXAMPLES[kind])
        if type(error) is not kind:
            raise SystemExit(f"the example of {kind.__name__} raises {type(error).__name__}: {error}")
        meaning = inspect.cleandoc(kind.__doc__ or "").splitlines()[0]
        lines += [f"Code `{error.code}`. {meaning}\n", f"```\n{error}\n```\n"]
    return "\n".join(lines).rstrip() + "\n"


# --------------------------------------------------------------------------------------------------- API

GROUPS = {
    "Evaluate": ("evaluate", "evaluate_many", "Evaluation", "Evaluations"),
    "One number": (
        "roc_auc", "average_precision", "d_prime", "brier_score", "log_loss", "measure", "areas", "bootstrap",
    ),
    "Groups": ("GroupedEvaluation", "GroupTable", "GroupGaps", "AcrossGroups", "gauc", "GroupMean"),
    "More than two classes": ("MulticlassEvaluation", "ClassTable", "ConfusionMatrix", "MacroRocCurve"),
    "Other tools": ("Translation", "Word", "Explanation", "Match"),
    "Curves": (
        "RocCurve", "LogRocCurve", "PrecisionRecallCurve", "DetCurve", "RocHull", "PrecisionRecallGainCurve",
        "GainCurve", "LiftCurve", "CumulativeFlaggedCurve", "CostCurve", "NetBenefitCurve", "ReliabilityCurve",
        "MetricCurve", "Band",
    ),
    "Several curves": ("crossings", "Crossings", "Crossing", "FprRange", "CostRanges", "CostRange"),
    "Calibration": ("Calibration", "CalibrationTest"),
    "Binormal models": ("Binormal", "BinormalFit", "BinormalCrossing", "Goodness", "SmoothRoc"),
    "Other prevalences": ("AtPrevalence", "PrevalenceCurve"),
    "From summary numbers": ("interval_from_summary", "interval_from_counts", "auc_bounds"),
    "Plan a study": (
        "power", "half_width", "sample_size", "AucAgainst", "PairedDifference", "UnpairedDifference", "PilotDifference",
        "AucWidth", "AveragePrecisionWidth", "RecallWidth",
    ),
    "Several sites": ("pool",),
    "The sweep": ("Sweep",),
    "Comparison": ("compare", "Comparison", "Comparisons", "Omnibus", "plot_comparison"),
    "Decisions": (
        "OperatingPoint", "ThresholdInterval", "Optimism", "Monitoring", "Watched", "Zones", "Zone", "AmountRates",
        "DailyCapacity", "Advice", "AdviceRow",
    ),
    "Results": (
        "Estimate", "Interval", "Note", "Sizes", "Counts", "Areas", "ColumnAreas", "Table",
        "CountEstimate", "AucBounds", "Plan", "Pooled", "PooledSite",
    ),
    "Settings": ("get_num_threads", "set_num_threads"),
    "Errors and modules": ("RocsolidError", "RocsolidWarning", "errors", "measures", "__version__"),
}  # fmt: skip
"""Every public name, once."""

UNDERLINED = re.compile(r"^([A-Z][A-Za-z ]+)\n-{3,}$", re.MULTILINE)
TERM = re.compile(r"^(\w[\w, ]*) : (.+)$")
RAISED = re.compile(r"^(\w+(?:, \w+)*)\n    (\S.*)$", re.MULTILINE)


def markdown_of(docstring: str) -> str:
    """A docstring as Markdown: underlined sections bold, terms as a list, doctests as code."""
    text = UNDERLINED.sub(r"**\1**\n", inspect.cleandoc(docstring))
    text = RAISED.sub(r"- `\1`: \2", text)
    text = re.sub(r":(?:class|func|meth|mod):`~?(?:[\w.]+\.)?(\w+)`", r"`\1`", text)
    out: list[str] = []
    in_code = False
    for line in text.replace("``", "`").splitlines():
        starts = line.startswith(">>> ")
        if starts and not in_code:
            out += ["```pycon"]
            in_code = True
        elif in_code and not line:
            out += ["```"]
            in_code = False
        term = None if in_code else TERM.match(line)
        out.append(f"- `{term.group(1)}`: {term.group(2)}" if term else line)
    return "\n".join([*out, "```"] if in_code else out)


def signature_of(function: Callable[..., object], name: str) -> str:
    """The signature as one would type it, one argument a line where it is long."""
    signature = inspect.signature(function)
    parameters = [p for p in signature.parameters.values() if p.name not in ("self", "cls")]
    short = [str(p.replace(annotation=inspect.Parameter.empty)) for p in parameters]
    star = next((i for i, p in enumerate(parameters) if p.kind is inspect.Parameter.KEYWORD_ONLY), None)
    if star is not None:
        short.insert(star, "*")
    line = f"{name}({', '.join(short)})"
    return line if len(line) <= 100 else f"{name}(\n    " + ",\n    ".join(short) + ",\n)"


def members_of(value: type) -> dict[str, Any]:
    """What a class has, its bases' members first; those of other packages are left out."""
    ours = [base for base in reversed(value.__mro__) if base.__module__.startswith("rocsolid")]
    return {key: member for base in ours for key, member in vars(base).items()}


def entry_of(name: str, home: Any = rs, known: type = object) -> list[str]:
    """One public name with its methods, apart from those of a class that is on the page already."""
    value = getattr(home, name)
    if name == "__version__":
        return [f"### {name}\n", "The version as text.\n"]
    if inspect.ismodule(value):
        page = {"errors": "[errors](errors.md)", "measures": "[measures](measures.md)"}[name]
        return [f"### {name}\n", f"The module behind the page on {page}.\n"]
    if not inspect.isclass(value):
        return [
            f"### {name}\n",
            f"```py\n{signature_of(value, ('rs.' if home is rs else 'plot.') + name)}\n```\n",
            markdown_of(value.__doc__) + "\n",
        ]
    lines = [f"### {name}\n", markdown_of(value.__doc__) + "\n"]
    for key, member in members_of(value).items():
        if key in members_of(known) and key not in vars(value):
            continue
        plain = member.__func__ if isinstance(member, (classmethod, staticmethod)) else member
        if key.startswith("_") or issubclass(value, BaseException):
            continue
        if inspect.isfunction(plain):
            shown = f"```\n{signature_of(plain, '.' + key)}\n```\n"
            lines += [f"#### {name}.{key}\n", shown, markdown_of(plain.__doc__ or "") + "\n"]
        elif isinstance(plain, property):
            lines += [f"#### {name}.{key}\n", markdown_of(plain.__doc__ or "") + "\n"]
    return lines


def api_page() -> str:
    """Every public name, grouped."""
    listed = [name for names in GROUPS.values() for name in names]
    if sorted(listed) != sorted(rs.__all__):
        raise SystemExit(f"GROUPS and rocsolid.__all__ differ: {set(listed) ^ set(rs.__all__)}")
    lines = [
        GENERATED + "# Functions and classes\n",
        "`import rocsolid as rs`. This page is written from the docstrings.\n",
    ]
    for title, names in GROUPS.items():
        lines.append(f"## {title}\n")
        for name in names:
            lines += entry_of(name)
    return "\n".join(lines).rstrip() + "\n"


def plots_page() -> str:
    """The displays: what they share once, then what each draws."""
    lines = [
        GENERATED + "# Plots\n",
        "`from rocsolid import plot`. Names end in `_` where they are there after drawing, as in scikit-learn.\n",
    ]
    first = ("draw", "panels", "forest", "CurveDisplay", "RocCurveDisplay")
    for name in (*first, *(other for other in plot.__all__ if other not in first)):
        value = getattr(plot, name)
        shared = {"CurveDisplay": object, "RocCurveDisplay": plot.CurveDisplay}.get(name, plot.RocCurveDisplay)
        known = shared if inspect.isclass(value) and issubclass(value, plot.CurveDisplay) else object
        lines += entry_of(name, plot, known)
    return "\n".join(lines).rstrip() + "\n"


PAGES = {"measures.md": measures_page, "errors.md": errors_page, "api.md": api_page, "plots.md": plots_page}


def main(arguments: list[str]) -> int:
    """Write or check the pages."""
    stale = []
    for name, build in PAGES.items():
        path = HERE / name
        now = build()
        if not path.exists() or path.read_text(encoding="utf-8") != now:
            stale.append(name)
            if "--check" not in arguments:
                path.write_text(now, encoding="utf-8")
    if stale:
        verdict = "not up to date, run `make docs-refresh`" if "--check" in arguments else "written"
        print(f"docs/reference: {', '.join(stale)} {verdict}")
    return 1 if stale and "--check" in arguments else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
