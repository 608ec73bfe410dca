"""What the proof of an upgrade says where it can prove nothing."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tools import upgrade_proof


def git(folder: Path, *arguments: str) -> None:
    who = ("-c", "user.name=somebody", "-c", "user.email=somebody@example.com", "-c", "commit.gpgsign=false")
    subprocess.run(["git", *who, *arguments], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def whole(tmp_path: Path) -> Path:
    """A clone in which one version follows another."""
    clone = tmp_path / "whole"
    versions = clone / upgrade_proof.VERSIONS
    versions.mkdir(parents=True)
    git(clone, "init", "-q")
    for number in ("0001", "0002"):
        (versions / f"{number}_one.py").write_text("")
        git(clone, "add", ".")
        git(clone, "commit", "-q", "-m", number)
    return clone


def test_a_clone_without_an_earlier_version_proves_nothing_and_fails_unless_that_is_allowed(
    whole: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    git(whole, "clone", "-q", "--depth", "1", f"file://{whole}", f"{whole}-shallow")
    monkeypatch.setattr(upgrade_proof, "ROOT", Path(f"{whole}-shallow"))
    for arguments, code in (([], 1), (["--allow-unproven"], 0)):
        monkeypatch.setattr("sys.argv", ["upgrade_proof", *arguments])
        with pytest.raises(SystemExit) as ended:
            upgrade_proof.main()
        assert ended.value.code == code
        assert capsys.readouterr().out.splitlines()[-1].startswith("NOT PROVEN")


def test_a_whole_clone_has_the_version_before(whole: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(upgrade_proof, "ROOT", whole)
    assert upgrade_proof.schemas_of(upgrade_proof.earlier()) == ["0001"]
