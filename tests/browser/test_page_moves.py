"""The report in a real Chromium: every control does something exact, in all pictures and both languages."""

from __future__ import annotations

import json
import re
from importlib.util import find_spec
from pathlib import Path

import pytest

import rocsolid as rs
from conftest import KINDS, probabilities
from rocsolid.report import render_html
from rocsolid.report.text import count, number, percent, span

POINT = ("roc", "log_roc", "precision_recall", "det", "flagged_cost", "decision", "scores", "reliability")
"""Pictures that move the operating point; the others move prevalence or costs."""


def clean(opened, path):
    assert opened.complaints == []
    assert all(url.startswith(path.as_uri().split("#")[0]) for url in opened.requests)


@pytest.mark.parametrize("kind", KINDS)
def test_it_opens_complains_of_nothing_and_moves(kind, made, opened):
    path, summary = made(kind)
    seen = opened().go(path)
    before = seen.snapshot()
    assert len(before["cards"]) == len(summary["models"])
    for slider in ("#slide-point", "#slide-prevalence", "#slide-cost"):
        seen.page.locator(slider).focus()
        for _ in range(6):
            seen.page.keyboard.press("ArrowLeft")
        after = seen.snapshot()
        assert after["hash"] != before["hash"], slider
        before = after
    for panel in seen.page.locator("svg.panel").all():
        panel.focus()
        for key in ("ArrowRight", "PageUp", "PageDown", "End", "Home"):
            seen.page.keyboard.press(key)
    assert "NaN" not in seen.page.locator("body").inner_text()
    assert "undefined" not in seen.page.locator(".explore").inner_text()
    clean(seen, path)


# ---------------------------------------------------------------------------------------------- controls


def test_every_control_changes_the_page(made, opened):
    path, _ = made("two")
    seen = opened().go(path)
    for control in ["[data-rule=fpr]", "[data-rule=recall]", "[data-rule=precision]", "[data-rule=score]",
                    "[data-rule=cost]", "[data-rule=flagged]", "#dark", "#copy_markdown", "#copy_csv",
                    ".overview th:nth-child(2) button", ".switch label[for=lang-zh]", "[data-rule=fpr]",
                    "[data-band=pointwise]", "[data-band=simultaneous]", "[data-band=none]", "#reset"]:  # fmt: skip
        before = seen.page.locator("html").evaluate("(h) => h.outerHTML + location.hash")
        seen.page.locator(control).click()
        seen.settle()
        assert seen.page.locator("html").evaluate("(h) => h.outerHTML + location.hash") != before, control
    clean(seen, path)


def test_bands_of_the_roc_curves(made, opened):
    path, _ = made("two")
    seen = opened().go(path)
    bands = seen.page.locator("svg[data-panel=roc] .band")
    assert bands.count() == 4
    for kind, shown in (("pointwise", 2), ("simultaneous", 2), ("none", 0)):
        seen.page.locator(f"[data-band={kind}]").click()
        seen.settle()
        assert sum(band.is_visible() for band in bands.all()) == shown
        assert ("band=" in seen.snapshot()["hash"]) == (kind != "none")


def test_typed_values(made, opened):
    path, _ = made("two")
    seen = opened().go(path)
    seen.page.locator("[data-rule=recall]").click()
    seen.page.locator("#asked").fill("80")
    seen.page.locator("#asked").press("Enter")
    seen.settle()
    assert "Recall ≥ 80%: attained 8" in seen.text(0, "asked")
    seen.page.locator("#asked").fill("800")
    seen.page.locator("#asked").press("Enter")
    seen.settle()
    assert seen.page.locator("#trouble").inner_text() == "expected a number from 0 to 100"
    seen.page.locator("#top-k").fill("25")
    seen.page.locator("#top-k").press("Enter")
    seen.settle()
    assert [int(seen.text(m, "tp")) + int(seen.text(m, "fp")) for m in (0, 1)] == [25, 25]


def test_print_and_json_buttons(made, opened):
    path, summary = made("two")
    seen = opened(accept_downloads=True).go(path)
    seen.page.evaluate("window.print = () => { window.printed = true; }")
    seen.page.locator("#print").click()
    assert seen.page.evaluate("window.printed")
    with seen.page.expect_download() as download:
        seen.page.locator("#json").click()
    held = json.loads(Path(download.value.path()).read_text("utf-8"))
    assert held["own"] == summary["curves"]["own_prevalence"]
    for found, model in zip(held["models"], summary["curves"]["models"], strict=True):
        assert [found[k] for k in ("thresholds", "tp", "fp")] == [model[k] for k in ("thresholds", "tp", "fp")]
    clean(seen, path)


# ------------------------------------------------------------------------------- dragging, hovering, keys


@pytest.mark.parametrize("kind", POINT)
def test_dragging_a_picture_moves_all(kind, made, opened):
    path, _ = made("two")
    seen = opened().go(path)
    before = seen.snapshot()
    panel = seen.page.locator(f"svg[data-panel={kind}]").first
    panel.scroll_into_view_if_needed()
    box = panel.bounding_box()
    place = [(box["x"] + fx * box["width"], box["y"] + fy * box["height"]) for fx, fy in ((0.3, 0.45), (0.5, 0.35))]
    seen.page.mouse.move(*place[0])
    seen.page.mouse.down()
    seen.page.mouse.move(*place[1], steps=4)
    seen.page.mouse.up()
    seen.page.mouse.move(5, 5)
    after = seen.snapshot()
    assert after["cards"] != before["cards"]
    moved = [a != b for a, b in zip(after["panels"], before["panels"], strict=True)]
    fixed = seen.page.locator("svg.panel").evaluate_all("(all) => all.map((s) => s.dataset.panel === 'ap_prevalence')")
    assert all(m or f for m, f in zip(moved, fixed, strict=True))
    rule = {"precision_recall": "recall", "flagged_cost": "flagged", "roc": "fpr", "log_roc": "fpr", "det": "fpr"}
    assert f"rule={rule.get(kind, 'score')}&" in after["hash"]


@pytest.mark.parametrize(("kind", "changed"), [("cost_curve", "cost="), ("ap_prevalence", "prevalence="),
                                               ("precision_prevalence", "prevalence=")])  # fmt: skip
def test_dragging_moves_the_sliders(kind, changed, made, opened):
    path, _ = made("two")
    seen = opened().go(path)

    def value():
        return re.search(changed + r"([^&]*)", seen.snapshot()["hash"])[1]

    before = value()
    panel = seen.page.locator(f"svg[data-panel={kind}]")
    panel.scroll_into_view_if_needed()
    box = panel.bounding_box()
    seen.page.mouse.click(box["x"] + 0.3 * box["width"], box["y"] + 0.4 * box["height"])
    assert value() != before


def test_hovering_shows_a_cut_everywhere_and_moves_nothing(made, opened):
    path, _ = made("two")
    seen = opened().go(path)
    before = seen.snapshot()
    panel = seen.page.locator("svg[data-panel=roc]")
    panel.scroll_into_view_if_needed()
    box = panel.bounding_box()
    seen.page.mouse.move(box["x"] + 0.4 * box["width"], box["y"] + 0.3 * box["height"])
    assert seen.page.locator("svg[data-panel=det] .ghost").count() == 2
    assert "Recall" in seen.page.locator("svg[data-panel=roc] .tip").text_content()
    seen.page.mouse.move(2, 2)
    assert seen.page.locator(".ghost").count() == 0
    assert seen.snapshot() == before


def test_keys_move_one_cut_fifty_and_to_the_ends(made, opened):
    path, summary = made("two")
    seen = opened().go(path)
    panel = seen.page.locator("svg[data-panel=roc]")
    panel.focus()

    def now():
        seen.settle()
        return int(panel.get_attribute("aria-valuenow"))

    start = now()
    for key, expected in (("ArrowRight", start + 1), ("ArrowUp", start + 2), ("ArrowLeft", start + 1),
                          ("ArrowDown", start), ("PageUp", start + 50), ("PageDown", start), ("Home", 0),
                          ("End", len(summary["curves"]["models"][0]["tp"]) - 1)):  # fmt: skip
        seen.page.keyboard.press(key)
        assert now() == expected, key
    assert panel.get_attribute("role") == "slider"
    assert "recall 1.0000" in panel.get_attribute("aria-valuetext")


# ----------------------------------------------------------------------------------------- exact numbers


def test_every_number_of_a_cut_is_exact(made, opened):
    """At cuts reached by keys the cards say what the evaluation says, to the last digit."""
    path, summary = made("two")
    ev = rs.evaluate_many(*probabilities(569, 0.37, 2))
    seen = opened().go(path)
    panel = seen.page.locator("svg[data-panel=precision_recall]")
    panel.focus()
    for presses in (3, 20, 45):
        for _ in range(presses):
            seen.page.keyboard.press("ArrowLeft")
        seen.settle()
        for i, (name, found) in enumerate(zip(ev, summary["curves"]["models"], strict=True)):
            threshold = float(seen.text(i, "rule").removeprefix("Score ≥ "))
            assert threshold in found["thresholds"]
            point = ev[name].at(threshold=threshold)
            assert [seen.text(i, c) for c in ("tp", "fp", "fn", "tn")] == [
                count(c) for c in (point.tp, point.fp, point.fn, point.tn)
            ]
            for rate in ("recall", "specificity", "precision", "f1"):
                expected = getattr(point, rate)
                assert seen.text(i, rate) == number(expected.value)
                assert seen.text(i, f"{rate}-limits") == span(expected.interval.low, expected.interval.high)


def test_prevalence_gives_stored_average_precision_and_reweighted_counts(made, opened):
    path, summary = made("two")
    seen = opened().go(path)
    found = summary["curves"]
    for place in (0, 17, 42, 60):
        seen.page.locator("#slide-prevalence").fill(str(place))
        seen.settle()
        p = found["prevalence"][place]
        for i, model in enumerate(found["models"]):
            assert seen.text(i, "ap_here") == number(model["average_precision"][place])
            tp, fp = (int(seen.text(i, c)) for c in ("tp", "fp"))
            hit, alarm = p * tp / model["tp"][-1], (1 - p) * fp / model["fp"][-1]
            assert seen.text(i, "precision_here") == number(hit / (hit + alarm))
        assert percent(p) in seen.page.locator("#out-prevalence").inner_text()
        assert "Per 10,000 at prevalence " + percent(p) in seen.text(0, "per-caption")


def test_the_script_starts_from_what_python_wrote(made, opened):
    """With and without the script the page shows the same first operating point and the same pictures."""
    path, _ = made("two")
    plain, live = opened(java_script_enabled=False), opened()
    read = "(all) => all.map((e) => e.tagName === 'path' ? e.getAttribute('d') : e.innerText)"
    for selector in (".card [data-k]", "svg.panel [data-line]", "svg.panel .chance"):
        texts = []
        for seen in (plain, live):
            seen.page.goto(path.as_uri())
            texts.append(seen.page.locator(selector).evaluate_all(read))
        assert texts[0] == texts[1], selector


# ------------------------------------------------------------------------------------------ state, languages


def test_state_survives_a_reload(made, opened):
    path, _ = made("two")
    seen = opened().go(path)
    seen.page.locator("svg[data-panel=det]").focus()
    for _ in range(7):
        seen.page.keyboard.press("ArrowRight")
    seen.page.locator("#slide-cost").focus()
    seen.page.keyboard.press("ArrowRight")
    seen.page.locator("#dark").click()
    seen.page.locator(".switch label[for=lang-zh]").click()
    before = seen.snapshot()
    seen.page.reload()
    assert seen.snapshot() == before
    other = opened().go(path, before["hash"])
    assert other.snapshot() == before
    assert other.page.locator("html").get_attribute("lang") == "zh"
    assert other.page.locator("html").get_attribute("data-theme") == "dark"


@pytest.mark.parametrize(
    "hash", ["#rule=nonsense&asked=x", "#pin=9.9999&prevalence=7", "#&&&===", "#asked=1e999&rule=fpr"]
)
def test_a_broken_address_is_harmless(hash, made, opened):
    path, _ = made("two")
    seen = opened().go(path, hash)
    assert "NaN" not in seen.page.locator("body").inner_text()
    clean(seen, path)


def test_both_languages_are_complete(made, opened):
    path, _ = made("two")
    seen = opened().go(path, "#lang=zh&rule=recall&asked=0.9")
    text = seen.page.locator("body").inner_text()
    names = {"model", "ROC", "AUC", "DET", "AP", "Brier", "JSON", "English", "Page", "Up", "Down", "Home", "End",
             "CORP", "Markdown", "CSV", "True", "study", "csv", "rocsolid", "report", "DeLong", "Wilson",
             "effective", "error",
             "influence", "mover", "log", "TP", "FP", "FN", "score", "Boyd", "logit", "FPR", "ln", "Drummond", "Holte",
             "Vickers", "Elkin", "JavaScript", "threshold"}  # fmt: skip
    sources = re.compile(r"[A-Z][A-Za-z&,.; -]+ (et al\. )?\d{4}[^。一-鿿\n]*")
    rest = set(re.findall(r"[A-Za-z]{2,}", re.sub(r"\b[0-9a-f]{16}\b", "", sources.sub("", text)))) - names
    assert rest == set()
    assert "查全率 ≥ 90%" in text
    seen.page.locator(".switch label[for=lang-en]").click()
    seen.settle()
    assert not re.search("[\u4e00-\u9fff]", seen.page.locator("main").inner_text())


def test_copies_of_the_summary(made, opened):
    path, summary = made("two")
    seen = opened().go(path)
    seen.page.locator("#copy_markdown").click()
    lines = seen.page.locator("#copied").get_attribute("data-text").splitlines()
    assert lines[0].startswith("| Model | ROC-AUC | Average precision |")
    assert len({line.count("|") for line in lines}) == 1
    auc = summary["models"][0]["estimates"][0]
    assert number(auc["value"]) in lines[2]
    seen.page.locator("#copy_csv").click()
    assert seen.page.locator("#copied").get_attribute("data-text").startswith("Model,ROC-AUC,Average precision,")


def test_sorting(made, opened):
    path, summary = made("six")
    seen = opened().go(path)

    def order():
        return seen.page.locator(".overview tbody th").all_inner_texts()

    seen.page.locator(".overview th:nth-child(2) button").click()
    values = {m["name"]: m["estimates"][0]["value"] for m in summary["models"]}
    assert order() == sorted(values, key=lambda name: -values[name])
    seen.page.locator(".overview th:nth-child(2) button").click()
    assert order() == sorted(values, key=lambda name: values[name])
    seen.page.locator(".overview th:first-child button").click()
    assert order() == sorted(values)


# -------------------------------------------------------------------------------- without script, small screens


def test_without_script_tables_and_curves_are_there(made, opened):
    path, _ = made("two")
    seen = opened(java_script_enabled=False)
    seen.page.goto(path.as_uri())
    text = seen.page.locator("body").inner_text()
    assert "ROC-AUC" in text
    assert "The controls need JavaScript" in text
    assert not seen.page.locator(".controls").is_visible()
    assert seen.page.locator("svg[data-panel=roc] .line").first.bounding_box()["height"] > 100
    seen.page.locator(".switch label[for=lang-zh]").click()
    assert "汇总" in seen.page.locator("body").inner_text()


def test_a_policy_that_blocks_scripts_still_shows_the_page(made, opened):
    """Jenkins serves reports with ``sandbox; default-src 'none'; img-src 'self'; style-src 'self'``."""
    path, _ = made("two")
    seen = opened()
    policy = "sandbox; default-src 'none'; img-src 'self'; style-src 'self';"
    body = path.read_text("utf-8")
    seen.page.route("http://report.test/*", lambda route: route.fulfill(
        body=body, content_type="text/html", headers={"Content-Security-Policy": policy}))  # fmt: skip
    seen.page.goto("http://report.test/page.html")
    assert "ROC-AUC" in seen.page.locator("body").inner_text()
    assert seen.page.locator("svg[data-panel=roc] .line").first.bounding_box()["width"] > 50


def test_split_page_works(made, opened, tmp_path):
    _, summary = made("two")
    parts = render_html.render_split(summary, "page")
    for ending, text in (("html", parts.html), ("css", parts.css), ("js", parts.js)):
        (tmp_path / f"page.{ending}").write_text(text, encoding="utf-8")
    seen = opened()
    seen.page.route(
        "http://report.test/*", lambda route: route.fulfill(path=tmp_path / route.request.url.split("/")[-1])
    )
    seen.page.goto("http://report.test/page.html")
    seen.settle()
    assert "rule=flagged" in seen.snapshot()["hash"]
    assert seen.complaints == []


@pytest.mark.parametrize("kind", ["two", "six", "logits"])
@pytest.mark.parametrize("width", [360, 800, 1200, 1920])
def test_nothing_overflows(kind, width, made, opened):
    path, _ = made(kind)
    seen = opened(width=width).go(path)
    assert seen.page.evaluate("document.documentElement.scrollWidth") <= width
    beyond = seen.page.evaluate(
        """() => [...document.querySelectorAll("main :is(p, th, td, h2, h3, button, output, label)")]
          .filter((e) => !e.closest(".scroll, .hidden") && e.getBoundingClientRect().right > innerWidth + 1)
          .map((e) => e.textContent.slice(0, 40))"""
    )
    assert beyond == []


def test_print_replaces_controls_by_their_values(made, opened):
    path, _ = made("two")
    seen = opened().go(path, "#theme=dark")
    seen.page.emulate_media(media="print")
    assert not seen.page.locator("#slide-point").is_visible()
    assert not seen.page.locator("#dark").is_visible()
    assert "Flagged ≤" in seen.page.locator("#out-point").inner_text()
    assert seen.page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"


@pytest.mark.parametrize("hash", ["#theme=light", "#theme=dark", "#theme=light&lang=zh"])
@pytest.mark.parametrize("kind", ["two", "six"])
def test_accessibility(kind, hash, made, opened):
    if find_spec("axe_playwright_python") is None:
        pytest.skip("axe-playwright-python is not installed")
    script = Path(find_spec("axe_playwright_python").origin).parent / "axe.min.js"
    path, _ = made(kind)
    seen = opened(bypass_csp=True).go(path, hash)
    seen.page.add_script_tag(content=script.read_text("utf-8"))
    found = seen.page.evaluate("() => axe.run(document, {resultTypes: ['violations']})")
    serious = [
        (v["id"], v["nodes"][0]["html"][:120], v["nodes"][0]["failureSummary"][:300])
        for v in found["violations"]
        if v["impact"] in ("serious", "critical")
    ]
    assert serious == []


# ------------------------------------------------------------------------------------------------ size, time


@pytest.mark.parametrize(("kind", "models"), [("one", 1), ("two", 2), ("rare", 2), ("large", 2), ("six", 6)])
def test_size(kind, models, made):
    path, _ = made(kind)
    assert path.stat().st_size <= 1024 * (100 + 40 * models)


def test_a_move_is_drawn_within_a_frame(made, opened):
    """Half a hundred milliseconds of work for a move, with a million rows behind the page; the middle of 30 moves."""
    path, _ = made("large")
    seen = opened().go(path)
    times = seen.page.evaluate(
        """async () => {
          const panel = document.querySelector("svg[data-panel=roc]"), times = [];
          for (let i = 0; i < 30; i++) {
            const key = new KeyboardEvent("keydown", {key: i % 2 ? "PageUp" : "PageDown", bubbles: true});
            await new Promise((done) => requestAnimationFrame(() => {
              panel.dispatchEvent(key);
              requestAnimationFrame((start) => setTimeout(() => {
                times.push(performance.now() - start);
                done();
              }, 0));
            }));
          }
          return times.sort((a, b) => a - b);
        }"""
    )
    assert times[len(times) // 2] < 100, times
