"""Every code block of README and docs runs, and prints what the page says; links lead somewhere; the site builds."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
RUN = ROOT / "docs" / "run_blocks.py"
LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)|!\[[^\]]*\]\(([^)\s]+)\)|<img[^>]*src=\"([^\"]+)\"")
WITHOUT_CODE = re.compile(r"^```.*?^```$|`[^`\n]*`", re.DOTALL | re.MULTILINE)


def name(page: Path) -> str:
    return str(page.relative_to(ROOT))


def run(script: Path, *arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(script), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=600, cwd=ROOT)


@pytest.mark.parametrize("page", [pytest.param(p, id=name(p)) for p in PAGES if "```" in p.read_text("utf-8")])
def test_blocks_print_what_the_page_says(page):
    done = run(RUN, page)
    assert done.returncode == 0, f"\n{done.stdout}{done.stderr}\nif this is meant: make docs-refresh"


def test_a_wrong_output_is_noticed(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("```python\nprint(1 + 1)\n```\n```text\n3\n```\n", "utf-8")
    done = run(RUN, page)
    assert done.returncode == 1
    assert "-3" in done.stdout
    assert "+2" in done.stdout


def test_output_that_the_page_hides_is_noticed(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("```python\nprint(1 + 1)\n```\n", "utf-8")
    assert run(RUN, page).returncode != 0


@pytest.mark.parametrize("page", [pytest.param(p, id=name(p)) for p in PAGES])
def test_links_lead_somewhere(page):
    text = WITHOUT_CODE.sub("", page.read_text("utf-8"))
    targets = {next(filter(None, groups)) for groups in LINK.findall(text)}
    local = {t.partition("#")[0] for t in targets if not re.match(r"[a-z]+:", t)} - {""}
    broken = sorted(t for t in local if not (page.parent / t).exists())
    assert not broken


def commands(page: Path) -> list[str]:
    """What can be typed in a page, without the comments."""
    found = re.findall(r"^```(?:sh|console)\n(.*?)^```", page.read_text("utf-8"), re.DOTALL | re.MULTILINE)
    return [line.partition(" #")[0].rstrip() for block in found for line in block.splitlines()]


def test_both_readmes_show_the_same_commands():
    """Written for their readers, not word for word; but what can be typed is the same in both."""
    assert commands(ROOT / "README.md") == commands(ROOT / "README.zh-CN.md")


def test_the_site_builds(tmp_path):
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(tmp_path / "site")]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300, cwd=ROOT)
    assert done.returncode == 0, done.stdout + done.stderr
    pages = list((tmp_path / "site").rglob("*.html"))
    assert len(pages) >= len(list((ROOT / "docs").rglob("*.md")))
    fetched = re.compile(r"(?:src|href)=\"(?:https?:)?//[^\"]+\.(?:js|css|woff2?)")
    assert not [str(p) for p in pages if fetched.search(p.read_text("utf-8"))], "the site fetches from the network"
