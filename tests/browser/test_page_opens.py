"""The demo's page in a real Chromium: it opens from a file, complains of nothing and shows what it should."""

from __future__ import annotations

import re
import shutil
import subprocess

import numpy as np
import pytest

import rocsolid as rs

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
FLAGS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--enable-logging=stderr",
    "--disable-background-networking", "--disable-component-update", "--disable-sync", "--hide-scrollbars",
]  # fmt: skip
pytestmark = pytest.mark.skipif(BROWSER is None, reason="Chromium is not installed")


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    rng = np.random.default_rng(2)
    y = rng.random(400) < 0.3
    scores = {name: 1 / (1 + np.exp(-rng.normal(size=400) - d * y)) for name, d in (("plain", 1), ("<b>bold</b>", 2))}
    return rs.evaluate_many(y, scores).report(tmp_path_factory.mktemp("page") / "report.html")


def browse(page, tmp_path, *options):
    run = [BROWSER, *FLAGS, f"--user-data-dir={tmp_path / 'profile'}", *options, page.as_uri()]
    return subprocess.run(run, capture_output=True, text=True, timeout=120, check=True)


def test_it_opens_and_complains_of_nothing(page, tmp_path):
    done = browse(page, tmp_path, "--dump-dom")
    assert "CONSOLE" not in done.stderr
    assert "Refused to" not in done.stderr
    dom = done.stdout
    assert dom.count("<svg") >= 3
    assert "ROC-AUC" in dom
    assert re.search("[\u4e00-\u9fff]", dom)
    assert "<b>bold</b>" not in dom
    assert "&lt;b&gt;bold&lt;/b&gt;" in dom


@pytest.mark.parametrize("width", [360, 800, 1400])
def test_something_is_drawn(page, tmp_path, width):
    """A page of one colour would mean that a style or a script had hidden everything."""
    from matplotlib import image

    shot = tmp_path / "page.png"
    browse(page, tmp_path, f"--window-size={width},1200", f"--screenshot={shot}")
    pixels = image.imread(shot)[..., :3].reshape(-1, 3)
    assert len(np.unique((pixels * 255).astype(np.uint8), axis=0)) > 50
    dark = (pixels.mean(axis=1) < 0.4).mean()
    assert 0.005 < dark < 0.6
