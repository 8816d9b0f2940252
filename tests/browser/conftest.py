"""A real Chromium, driven by Playwright, and pages of many kinds."""

from __future__ import annotations

import shutil
import warnings

import numpy as np
import pytest

import rocsolid as rs

EXECUTABLE = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]  # fmt: skip


@pytest.fixture(scope="session")
def chromium():
    playwright = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
    if EXECUTABLE is None:
        pytest.skip("Chromium is not installed")
    with playwright.sync_playwright() as running:
        browser = running.chromium.launch(executable_path=EXECUTABLE, args=FLAGS)
        yield browser
        browser.close()


class Opened:
    """A page with what it complained of and asked for."""

    def __init__(self, page):
        self.page, self.complaints, self.requests = page, [], []
        page.on("console", lambda message: self.complaints.append(message.text) if message.type != "log" else None)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("request", lambda asked: self.requests.append(asked.url))

    def go(self, path, hash=""):
        self.page.goto(path.as_uri() + hash)
        self.settle()
        return self

    def settle(self):
        """Wait for the next picture."""
        self.page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def snapshot(self):
        """What every picture's marks and every card's numbers are."""
        self.settle()
        return self.page.evaluate(
            """() => ({
              panels: [...document.querySelectorAll(".panel .marks")].map((g) => g.innerHTML),
              lines: [...document.querySelectorAll(".panel [data-line]")].map((p) => p.getAttribute("d")),
              cards: [...document.querySelectorAll(".card")].map((c) => c.textContent),
              hash: location.hash,
            })"""
        )

    def text(self, model, key):
        return self.page.locator(f'.card[data-model="{model}"] [data-k="{key}"]').inner_text()


@pytest.fixture
def opened(chromium):
    contexts = []

    def open_page(width=1400, height=900, **options):
        context = chromium.new_context(viewport={"width": width, "height": height}, **options)
        contexts.append(context)
        return Opened(context.new_page())

    yield open_page
    for context in contexts:
        context.close()


def probabilities(n, share, models=2, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.random(n) < share
    y[:2] = [True, False]
    shift = np.log(share / (1 - share))
    return y, {
        f"model {i}": 1 / (1 + np.exp(-(rng.normal(size=n) + (1.9 - 0.3 * i) * y + shift))) for i in range(models)
    }


def evaluations(kind):
    rng = np.random.default_rng(1)
    if kind == "constant":
        return rs.evaluate_many([0, 1] * 30, {"constant": [0.5] * 60})
    if kind == "logits":
        y, scores = probabilities(600, 0.4)
        return rs.evaluate_many(y, {k: 10 * np.log(s / (1 - s)) for k, s in scores.items()})
    if kind == "one positive":
        return rs.evaluate_many([1] + [0] * 80, {"one": rng.random(81)})
    if kind == "lower":
        y, scores = probabilities(400, 0.3)
        return rs.evaluate_many(y, {k: -s for k, s in scores.items()}, higher_is_positive=False)
    if kind == "weighted":
        y, scores = probabilities(400, 0.3)
        return rs.evaluate_many(y, scores, sample_weight=rng.random(400) + 0.5)
    if kind == "words":
        y, scores = probabilities(400, 0.3)
        return rs.evaluate_many(y, {"<b>bold</b>": scores["model 0"], "中文 </script>": scores["model 1"]})
    sizes = {"two": (569, 0.37, 2), "one": (400, 0.3, 1), "six": (2000, 0.3, 6), "rare": (20_000, 0.03, 2),
             "large": (1_000_000, 0.05, 2)}  # fmt: skip
    return rs.evaluate_many(*probabilities(*sizes[kind]))


KINDS = ("two", "one", "six", "rare", "constant", "logits", "one positive", "lower", "weighted", "words", "large")


@pytest.fixture(scope="session")
def made(tmp_path_factory):
    """Give the page of a kind, written once, and its summary."""
    from rocsolid import report
    from rocsolid.report import render_html

    folder, pages = tmp_path_factory.mktemp("pages"), {}

    def page_of(kind):
        if kind not in pages:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", rs.RocsolidWarning)
                summary = report.summarise(evaluations(kind), source="study.csv", command="rocsolid report study.csv",
                                           bands=kind in ("two", "one"))  # fmt: skip
            path = folder / f"{kind.replace(' ', '-')}.html"
            path.write_text(render_html.render(summary), encoding="utf-8")
            pages[kind] = path, summary
        return pages[kind]

    return page_of
