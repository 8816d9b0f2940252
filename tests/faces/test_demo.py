"""The demo: real classifiers, a file, and the same path as for any file."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pyarrow.parquet as pq
import pytest

from rocsolid import cli, demo
from rocsolid.errors import MissingDependencyError


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("demo") / "deep" / "er"
    code = f"import sys\nfrom rocsolid.cli import main\nsys.exit(main(['demo', '-o', {str(folder)!r}]))"
    done = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=False)
    return folder, done


def test_runs_without_a_warning(made):
    _, done = made
    assert done.returncode == 0, done.stderr
    assert "warning" not in done.stderr.lower()
    assert "malignant as 0" in done.stderr


def test_writes_predictions_and_page(made):
    folder, done = made
    assert sorted(p.name for p in folder.iterdir()) == ["predictions.parquet", "report.html"]
    assert str(folder / "report.html") in done.stdout
    assert "Breast cancer, two classifiers" in (folder / "report.html").read_text("utf-8")


def test_malignant_is_positive(made):
    folder, done = made
    table = pq.read_table(folder / "predictions.parquet")
    labels = table["diagnosis"].to_pylist()
    assert (labels.count("malignant"), labels.count("benign")) == (212, 357)
    assert table.column_names == ["diagnosis", "logistic", "boosting"]
    for name in ("logistic", "boosting"):
        sick = [s for s, y in zip(table[name].to_pylist(), labels, strict=True) if y == "malignant"]
        assert sum(sick) / len(sick) > 0.8
    assert "212 positive, 357 negative; positive: 'malignant'" in done.stdout


def test_the_commands_shown_give_the_same(made, capsys):
    folder, done = made
    words = ["evaluate", str(folder / "predictions.parquet"), "--label", "diagnosis", "--score", "logistic", "boosting"]
    assert f"$ rocsolid {' '.join(words)} --pos-label malignant" in done.stderr
    assert cli.main([*words, "--pos-label", "malignant"]) == 0
    assert capsys.readouterr().out in done.stdout


def test_same_numbers_every_time(made, tmp_path):
    folder, _ = made
    again = demo.write(tmp_path)
    assert pq.read_table(again.path).equals(pq.read_table(folder / "predictions.parquet"))


@pytest.mark.parametrize(("module", "hint"), [("sklearn.datasets", "rocsolid[sklearn]"), ("pyarrow", "rocsolid[cli]")])
def test_without_a_library(module, hint, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MissingDependencyError) as caught:
        demo.write(tmp_path)
    assert caught.value.hint == f'pip install "{hint}"'
    assert not list(tmp_path.iterdir())


def test_folder_that_can_not_be_made(tmp_path, capsys):
    (tmp_path / "file").write_text("x")
    assert cli.main(["demo", "-o", str(tmp_path / "file" / "x")]) == 3
    assert "can not make the folder" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("absent", "extras"), [(("pyarrow", "sklearn"), "cli,sklearn"), (("sklearn",), "sklearn"), (("pyarrow",), "cli")]
)
def test_all_that_is_missing_is_named_before_anything_is_done(absent, extras, tmp_path, capsys, monkeypatch):
    for module in absent:
        monkeypatch.setitem(sys.modules, module, None)
    assert cli.main(["demo", "-o", str(tmp_path / "new")]) == 3
    out, err = capsys.readouterr()
    assert out == ""
    assert "fitting" not in err
    assert err.splitlines()[1] == f'hint: pip install "rocsolid[{extras}]"'
    for module in absent:
        assert {"sklearn": "scikit-learn"}.get(module, module) in err.splitlines()[0]
    assert not list(tmp_path.iterdir())


def test_it_computes_on_one_thread(monkeypatch):
    import threadpoolctl

    from sklearn import model_selection

    seen = []

    def watched(model, data, labels, **options):
        seen.extend(pool["num_threads"] for pool in threadpoolctl.threadpool_info())
        return np.full((len(labels), 2), 0.5)

    monkeypatch.setattr(model_selection, "cross_val_predict", watched)
    demo._predict()
    assert seen
    assert set(seen) == {1}
