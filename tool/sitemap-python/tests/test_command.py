"""The command, and the examples of the documentation."""

from __future__ import annotations

import doctest
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest
import sitemap
from conftest import Server, urlset

COMMAND = Path(sys.executable).parent / "sitemap"
GUIDE = Path(__file__).parents[3] / "docs" / "guides" / "python.md"


@pytest.mark.skipif(not COMMAND.exists(), reason="the package is not installed")
def test_the_command_has_its_own_exit_status(tmp_path: Path) -> None:
    (tmp_path / "good.xml").write_bytes(urlset("<loc>https://example.com/</loc>"))
    (tmp_path / "bad.xml").write_bytes(urlset("<loc></loc>"))
    for name, status in [("good.xml", 0), ("bad.xml", 1), ("none.xml", 2)]:
        assert subprocess.run([COMMAND, "check", tmp_path / name], capture_output=True).returncode == status
    ran = subprocess.run([COMMAND, "list", tmp_path / "good.xml"], capture_output=True, text=True)
    assert ran.stdout == "https://example.com/\n"


@pytest.mark.skipif(not COMMAND.exists(), reason="the package is not installed")
def test_a_signal_ends_the_command_without_a_traceback(server: Server) -> None:
    server.pause = 60
    program = subprocess.Popen(
        [COMMAND, "check", server.url("/sitemap.xml"), "--allow-private"], stderr=subprocess.PIPE, text=True
    )
    while not server.requests:
        time.sleep(0.05)
    program.send_signal(2)
    _, err = program.communicate(timeout=30)
    assert (program.returncode, err) == (130, "interrupted by SIGINT\n")


def test_the_module_is_the_command(tmp_path: Path) -> None:
    ran = subprocess.run([sys.executable, "-m", "sitemap", "--version"], capture_output=True, text=True)
    assert re.fullmatch(r"sitemap \d+\.\d+\.\d+\n", ran.stdout)


def test_the_examples_of_the_docstrings() -> None:
    failed = attempted = 0
    for name in ("_model", "_read", "_check"):
        result = doctest.testmod(sys.modules[f"sitemap.{name}"])
        failed, attempted = failed + result.failed, attempted + result.attempted
    assert (failed, attempted >= 4) == (0, True)


def test_everything_public_has_a_docstring() -> None:
    missing = [name for name in sitemap.__all__ if not getattr(getattr(sitemap, name), "__doc__", None)]
    # Aliases of types have none.
    assert missing in ([], ["Row", "Source"]), missing


def test_the_code_of_the_guide(tmp_path: Path, server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs the code blocks one after another, and compares what each prints with the `text` block after it."""
    blocks = re.findall(r"```(python|text)\n(.*?)```", GUIDE.read_text(), re.S)
    assert blocks
    shutil.copytree(Path(__file__).parent / "shop", tmp_path / "public")
    monkeypatch.chdir(tmp_path)
    code, expected = "", ""
    for kind, text in blocks:
        if kind == "python":
            code += text
        else:
            expected += text
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (ran.stderr, ran.stdout) == ("", expected)
