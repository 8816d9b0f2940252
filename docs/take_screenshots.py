"""Take the pictures of the report on the demo's page: light, dark, Chinese, phone and print.

python docs/take_screenshots.py [FOLDER]        needs Chromium and Playwright
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from rocsolid import cli

FOLDER = Path(__file__).parent / "assets" / "report"
SHOTS = {
    "light": (1280, {}, "#theme=light"),
    "dark": (1280, {}, "#theme=dark&rule=fpr&asked=0.05"),
    "zh": (1280, {}, "#theme=light&lang=zh"),
    "phone": (390, {"device_scale_factor": 2}, "#theme=light"),
    "print": (800, {}, "#theme=light"),
}
HEIGHT = 1500
"""Pixels of the page that a picture shows, from its top."""


def main(folder: Path) -> None:
    """Write the demo's page and take every picture of it."""
    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))))
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as place, sync_playwright() as playwright:
        if cli.main(["demo", "-o", place]):
            raise SystemExit("the demo failed")
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        for name in SHOTS:
            take(browser, Path(place) / "report.html", name, folder / f"{name}.png")
        browser.close()


def take(browser: Browser, page: Path, name: str, to: Path) -> None:
    """Take one picture."""
    width, options, place = SHOTS[name]
    context = browser.new_context(viewport={"width": width, "height": HEIGHT}, **options)
    tab = context.new_page()
    tab.goto(page.as_uri() + place)
    if name == "print":
        tab.emulate_media(media="print")
    tab.wait_for_timeout(300)
    tab.screenshot(path=to)
    context.close()
    print(to)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER)
