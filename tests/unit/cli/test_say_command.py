"""`bunnymoose say`, as a person calls it: a mistake is one sentence and exit code 2."""

from pathlib import Path

import pytest

from bunnymoose_cv.voice.player import seconds
from tests.program import Program


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_out_writes_a_wav_and_tells_where(bunnymoose: Program, tmp_path: Path) -> None:
    assert bunnymoose.output("say", "Moose ahead 3", "--out", "moose.wav") == "moose.wav\n"
    assert 0.5 < seconds(tmp_path / "moose.wav") < 3
    assert [path.name for path in tmp_path.iterdir()] == ["moose.wav"]


def test_list_shows_languages_and_names(bunnymoose: Program) -> None:
    out = bunnymoose.output("say", "--list")
    assert {"en", "de", "fr", "es", "cs"} <= {line.split()[0].split("-")[0] for line in out.splitlines()}


def test_without_a_sound_device_it_says_so(
    bunnymoose: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    code, out, err = bunnymoose("say", "Moose ahead 3")
    assert (code, out, err.count("\n")) == (1, "", 1)
    assert err.startswith("nothing can be heard")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["say"], "nothing to say"),
        (["say", "  "], "nothing to say"),
        (["say", "x", "--voice", "Germn"], "no voice “Germn”"),
        (["say", "x", "--rate", "7"], "not 7"),
        (["say", "x", "--out", "."], ". is a folder"),
        (["say", "x", "--out", "missing/a.wav"], "missing/a.wav cannot be written"),
        (["say", "x", "--out", "file/a.wav"], "file/a.wav cannot be written"),
    ],
)
def test_a_mistake_is_one_sentence(bunnymoose: Program, tmp_path: Path, arguments: list[str], sentence: str) -> None:
    (tmp_path / "file").touch()
    assert sentence in bunnymoose.refusal(*arguments)
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
