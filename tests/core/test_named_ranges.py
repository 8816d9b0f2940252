"""``ev.partial_roc_auc`` by its range, typed specs, and names of curves however they are written."""

from fractions import Fraction

import pytest

import rocsolid as rs
from rocsolid import errors
from rocsolid._reference import partial_area_by_tracing

Y, S = [0, 0, 1, 1, 0, 1, 0, 0], [0.1, 0.4, 0.35, 0.8, 0.2, 0.7, 0.3, 0.35]
EV = rs.evaluate(Y, S)
pytestmark = pytest.mark.filterwarnings("ignore::rocsolid.RocsolidWarning")


@pytest.mark.parametrize(
    ("asked", "spec"),
    [
        ({"fpr": (0, 0.1)}, "partial_auc(max_fpr=0.1)"),
        ({"fpr": (0, 0.1), "standardized": True}, "partial_auc(max_fpr=0.1, standardized=true)"),
        ({"fpr": (0.25, 0.5)}, "partial_auc(min_fpr=0.25, max_fpr=0.5)"),
        ({"fpr": (0.25, 1)}, "partial_auc(min_fpr=0.25)"),
        ({"tpr": (0.9, 1)}, "partial_auc(min_tpr=0.9)"),
        ({"tpr": [0, 0.5]}, "partial_auc(max_tpr=0.5)"),
    ],
)
def test_a_range_is_the_measure_by_its_spec(asked, spec):
    found = EV.partial_roc_auc(**asked)
    assert found == EV.measure(spec)
    assert found.measure == spec


def test_areas_of_ranges_by_tracing_and_added_up():
    parts = [EV.partial_roc_auc(fpr=(low / 4, (low + 1) / 4)).exact for low in range(4)]
    assert parts == [partial_area_by_tracing(Y, S, Fraction(i, 4), Fraction(i + 1, 4)) for i in range(4)]
    assert sum(parts) == EV.roc_auc().exact == EV.partial_roc_auc(fpr=(0, 1)).exact
    assert sum(EV.partial_roc_auc(tpr=ends).exact for ends in ((0, 0.9), (0.9, 1))) == EV.roc_auc().exact


@pytest.mark.parametrize(
    "asked",
    [
        {},
        {"fpr": 0.1},
        {"fpr": (0, 0.1), "tpr": (0, 0.1)},
        {"fpr": (0.2, 0.1)},
        {"fpr": (0, 2)},
        {"tpr": (0, float("nan"))},
        {"fpr": (0, 0.1), "standardized": 1},
    ],
)
def test_bad_ranges_are_refused(asked):
    for ask in (EV.partial_roc_auc, rs.Binormal(1, 1).partial_auc):
        with pytest.raises(errors.OptionError) as caught:
            ask(**asked)
        assert caught.value.hint


@pytest.mark.parametrize(
    ("typed", "spec"),
    [
        (rs.measures.D2Absolute(baseline="median"), "d2_absolute_error(baseline=median)"),
        (rs.measures.HMeasure(severity_ratio=3), "h_measure(severity_ratio=3)"),
        (rs.measures.Eer(rule="hull"), "eer(rule=hull)"),
        (rs.measures.Bedroc(alpha=80.0), "bedroc(alpha=80)"),
        (rs.measures.LogAuc(min_fpr=0.01), "log_auc(min_fpr=0.01)"),
        (rs.measures.PartialAuc(max_fpr=0.1), "partial_auc(max_fpr=0.1)"),
        (rs.measures.MinExpectedCost(cost_fp=1, cost_fn=5), "min_expected_cost(cost_fp=1, cost_fn=5)"),
        (rs.measures.ExpectedCost(0.3, cost_fp=1, cost_fn=5), "expected_cost(threshold=0.3, cost_fp=1, cost_fn=5)"),
        (rs.measures.NetBenefit(0.3), "net_benefit(threshold=0.3)"),
    ],
)
def test_typed_specs_are_the_measures_that_they_stand_for(typed, spec):
    assert EV.measure(typed).value == EV.measure(spec).value


def test_names_of_curves_are_read_as_names_of_measures():
    for name in ("precision-recall", "PR", " Precision_Recall "):
        assert EV.curve(name).kind == "precision_recall"
    for name in (None, 3, ["roc"]):
        with pytest.raises(errors.OptionError, match="expected `curve`"):
            EV.curve(name)


@pytest.mark.parametrize(
    "ask",
    [
        lambda: EV.best(None),
        lambda: EV.curve("pr").area(None),
        lambda: EV.average_precision_by_prevalence(0.1),
        lambda: EV.average_precision_by_prevalence("0.1"),
        lambda: rs.OperatingPoint.load(None),
        lambda: EV.summary_for("datasets", datasets={}),
        lambda: EV.summary_for(2),
    ],
)
def test_what_is_no_name_list_or_path_is_refused_with_a_hint(ask):
    with pytest.raises(errors.OptionError) as caught:
        ask()
    assert caught.value.hint
