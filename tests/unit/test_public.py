"""The public API: its names, its examples, and the scripts of `examples/`."""

import doctest
import inspect
import re
import runpy
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import bunnymoose_cv
from bunnymoose_cv import public
from bunnymoose_cv.capture.frame import Frame
from bunnymoose_cv.capture.images import read_image
from bunnymoose_cv.rules.cards import Table, parse_card
from bunnymoose_cv.rules.pose import Pose
from bunnymoose_cv.vision.reader import Reader
from bunnymoose_cv.vision.readings import FrameReading
from tests.program import environment, run_python

ROOT = Path(__file__).parents[2]
PLAYER = ROOT / "fixtures" / "players" / "0001.jpg"


def test_every_public_name_exists() -> None:
    assert {name for name in bunnymoose_cv.__all__ if getattr(bunnymoose_cv, name, None) is None} == set()
    assert dir(bunnymoose_cv) == sorted(bunnymoose_cv.__all__)
    with pytest.raises(AttributeError, match="no attribute 'referees'"):
        _ = bunnymoose_cv.referees


def test_version_matches_the_package() -> None:
    assert version("bunnymoose-cv") == bunnymoose_cv.__version__


@pytest.mark.parametrize("name", bunnymoose_cv.__all__)
def test_every_public_name_is_documented(name: str) -> None:
    assert (
        re.search(rf"\b{name}\b", (ROOT / "docs" / "reference" / "api.md").read_text("utf-8")) or name == "__version__"
    )


API = (ROOT / "docs" / "reference" / "api.md").read_text("utf-8")

NOT_OURS = {
    *("Any", "Collection", "Iterable", "Iterator", "Mapping", "NDArray", "OSError", "Path", "Points", "Self"),
    *("None", "Sequence", "bool", "bytes", "class", "dict", "float", "frozenset", "int", "npt", "np", "object"),
    *("str", "tuple", "type", "uint8"),
}
"""Words of annotations that are not classes of the package, and `Points`, an array of numbers."""


def shown_members(name: str) -> set[str] | None:
    """Return the members of a class that the page shows, or None if it shows all."""
    block = re.search(rf"^::: \S+\.{name}\n(?:    options:\n      members: (.+)\n)?", API, re.MULTILINE)
    return set(re.findall(r"\w+", block[1])) if block and block[1] else None


def shown_annotations(name: str) -> Iterator[str]:
    """Yield the annotations that the page shows for a public name: parameters, fields, and results of methods."""
    item = getattr(bunnymoose_cv, name)
    if not isinstance(item, type):
        yield from getattr(item, "__annotations__", {}).values()
        return
    shown = shown_members(name)
    listed = "Attributes:" in (item.__doc__ or "")
    for field, annotation in inspect.get_annotations(item).items():
        if not field.startswith("_") and (shown is None or field in shown or listed):
            yield str(annotation)
    for member, value in item.__dict__.items():
        function = getattr(value, "fget", None) or getattr(value, "func", None) or getattr(value, "__func__", value)
        is_public = not member.startswith("_") and (shown is None or member in shown)
        if is_public and callable(function):
            yield from map(str, getattr(function, "__annotations__", {}).values())


@pytest.mark.parametrize("name", sorted({*bunnymoose_cv.__all__} - {"__version__"}))
def test_every_type_of_a_public_signature_is_public(name: str) -> None:
    words = {word for annotation in shown_annotations(name) for word in re.findall(r"[A-Za-z_]\w*", annotation)}
    assert words - NOT_OURS - {*bunnymoose_cv.__all__} == set()


def test_reader_follows_a_person_from_an_earlier_image(reader: Reader) -> None:
    first = reader.read(read_image(PLAYER))
    frame = bunnymoose_cv.Frame(first.image, 0.1)
    (player,) = reader.follow(frame, first.heads, bunnymoose_cv.Effort.QUICK).players
    assert (player.pose, isinstance(player.face, bunnymoose_cv.Box)) == (first.players[0].pose, True)


def test_package_and_rules_import_no_numpy() -> None:
    code = (
        "import sys, bunnymoose_cv, bunnymoose_cv.rules.scoring as s\n"
        "bunnymoose_cv.score('WU CD', 'L.WU+1'), bunnymoose_cv.parse_card('HUNTER'), bunnymoose_cv.rules_for()\n"
        "assert not {'numpy', 'cv2', 'mediapipe', 'pydantic'} & sys.modules.keys()"
    )
    assert run_python(code).returncode == 0


@pytest.mark.parametrize("module", [bunnymoose_cv, public])
def test_examples_in_docstrings_pass(module: object) -> None:
    failed, tried = doctest.testmod(module)  # type: ignore[arg-type]
    assert (failed, tried > 0) == (0, True)


def test_judge_reads_and_scores_an_image() -> None:
    judgement = bunnymoose_cv.judge(PLAYER, "L.WU+1 TONGUE+3")
    (player,) = judgement.players
    assert isinstance(player.reading.pose, Pose)
    assert player.score is not None
    assert len(player.score.lines) == 2


@pytest.mark.parametrize("cards", ["", " ", None, ()])
def test_pose_without_cards_scores_zero(cards: str | Table | None) -> None:
    scored = bunnymoose_cv.score("WU CD", cards)
    assert (scored.total, scored.lines) == (0, ())


@pytest.mark.parametrize("cards", ["", " ", None, ()])
def test_image_without_cards_has_no_score(reader: Reader, cards: str | Table | None) -> None:
    (player,) = bunnymoose_cv.judge(PLAYER, cards, reader=reader).players
    assert player.score is None


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"pose": 5}, "A pose is a Pose or its notation, not int."),
        ({"pose": None}, "A pose is a Pose or its notation, not NoneType."),
        ({"cards": 5}, "Cards are a tuple of cards or their notation, not int."),
        ({"cards": parse_card("L.WU+1")}, "Cards are a tuple of cards or their notation, not SingleCard."),
        ({"cards": ["L.WU+1"]}, "Cards are a tuple of cards or their notation, not str."),
        ({"rules": "first"}, "Rules are made by rules_for, not str."),
    ],
)
def test_wrong_argument_type_is_a_clear_error(arguments: dict[str, Any], sentence: str) -> None:
    with pytest.raises(TypeError, match=f"^{re.escape(sentence)}$"):
        bunnymoose_cv.score(**{"pose": "WU CD", "cards": "L.WU+1"} | arguments)
    if "pose" not in arguments:
        with pytest.raises(TypeError, match=f"^{re.escape(sentence)}$"):
            bunnymoose_cv.judge(PLAYER, **arguments)


def test_list_of_cards_scores_like_its_notation() -> None:
    cards: Any = [parse_card("L.WU+1"), parse_card("TONGUE+3")]
    assert bunnymoose_cv.score("WU CD", cards) == bunnymoose_cv.score("WU CD", "L.WU+1 TONGUE+3")


@pytest.mark.parametrize(
    ("pixels", "error", "sentence"),
    [
        (np.zeros((40, 40, 3)), TypeError, "of uint8 (0 to 255), not of float64"),
        ([[0, 0, 0]], TypeError, "a NumPy array, not list"),
        (None, TypeError, "a NumPy array, not NoneType"),
        (np.zeros((40, 40), np.uint8), ValueError, "not (40, 40)"),
        (np.zeros((40, 40, 4), np.uint8), ValueError, "not (40, 40, 4)"),
        (np.zeros((2, 40, 40, 3), np.uint8), ValueError, "not (2, 40, 40, 3)"),
        (np.zeros((0, 0, 3), np.uint8), ValueError, "not (0, 0, 3)"),
    ],
)
@pytest.mark.parametrize(
    "look",
    [
        lambda reader, pixels: bunnymoose_cv.judge(pixels, reader=reader),
        lambda reader, pixels: reader.read(pixels),
        lambda reader, pixels: reader.follow(Frame(pixels, 0.0), ()),
        lambda reader, pixels: reader.read_quick(Frame(pixels, 0.0), (), FrameReading(pixels, 0.0, ())),
        lambda reader, pixels: reader.search(pixels),
        lambda reader, pixels: reader.read_faces(pixels),
        lambda reader, pixels: reader.read_lone_hand(pixels),
    ],
)
def test_invalid_image_is_a_clear_error(
    reader: Reader, look: Callable[[Reader, Any], object], pixels: object, error: type[Exception], sentence: str
) -> None:
    with pytest.raises(error, match=re.escape(sentence)):
        look(reader, pixels)


@pytest.mark.parametrize("shape", [(1, 1, 3), (1, 400, 3), (400, 1, 3)])
def test_tiny_image_has_no_players(reader: Reader, shape: tuple[int, int, int]) -> None:
    assert reader.read(np.zeros(shape, np.uint8)).players == ()


def test_view_of_an_image_reads_like_its_copy(reader: Reader) -> None:
    flipped = read_image(PLAYER)[:, ::-1]
    assert [player.pose for player in reader.read(flipped).players] == [
        player.pose for player in reader.read(flipped.copy()).players
    ]


def test_closed_reader_raises_a_clear_error() -> None:
    with bunnymoose_cv.Reader() as reader:
        pass
    with pytest.raises(RuntimeError, match="The reader is closed"):
        reader.read(read_image(PLAYER))


@dataclass(frozen=True)
class Example:
    """Runner of `examples/` in this process and the test's folder; a call returns exit code, stdout and stderr."""

    monkeypatch: pytest.MonkeyPatch
    capsys: pytest.CaptureFixture[str]

    def __call__(self, script: str, *arguments: str) -> tuple[int, str, str]:
        path = ROOT / "examples" / script
        self.monkeypatch.setattr(sys, "argv", [str(path), *arguments])
        try:
            runpy.run_path(str(path), run_name="__main__")
        except SystemExit as left:
            out, err = self.capsys.readouterr()
            return (1, out, f"{err}{left.code}\n") if isinstance(left.code, str) else (int(left.code or 0), out, err)
        return 0, *self.capsys.readouterr()


@pytest.fixture
def example(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Example:
    monkeypatch.chdir(tmp_path)
    return Example(monkeypatch, capsys)


@pytest.mark.parametrize(
    ("script", "arguments", "said"),
    [
        ("score_without_camera.py", (), "TS TF t: 3"),
        ("judge_photo.py", (str(PLAYER), "L.WU+1"), "Seat 1:"),
        ("judge_photo.py", (str(PLAYER),), "Seat 1:"),
        ("draw_reading.py", (str(PLAYER), "drawn.jpg"), ""),
        ("follow_stream.py", (str(ROOT / "fixtures" / "evening" / "blink.mp4"), "0.2"), " s: "),
    ],
)
def test_example_scripts_run(
    example: Example, script: str, arguments: tuple[str, ...], said: str, tmp_path: Path
) -> None:
    code, out, err = example(script, *arguments)
    assert (code, said in out) == (0, True), err
    assert (tmp_path / "drawn.jpg").is_file() == (script == "draw_reading.py")


def test_example_runs_as_a_program(tmp_path: Path) -> None:
    script = str(ROOT / "examples" / "judge_photo.py")
    command = [sys.executable, script, "nothing.jpg"]
    done = subprocess.run(command, cwd=tmp_path, env=environment(), capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (1, "There is no nothing.jpg: check the name\n")


@pytest.mark.parametrize("script", ["judge_photo.py", "draw_reading.py", "follow_stream.py"])
def test_example_without_arguments_prints_its_usage(example: Example, script: str) -> None:
    code, out, err = example(script)
    assert (code, out, err.count("\n")) == (1, "", 1)
    assert f"python {script} " in err


@pytest.mark.parametrize(
    ("script", "arguments", "sentence"),
    [
        ("judge_photo.py", ("nothing.jpg",), "There is no nothing.jpg: check the name"),
        ("judge_photo.py", (str(PLAYER), "L.XX+1"), "“XX” is not a card’s headgear"),
        ("draw_reading.py", ("nothing.jpg", "drawn.jpg"), "There is no nothing.jpg: check the name"),
        ("draw_reading.py", (str(PLAYER), "folder/drawn.jpg"), "folder/drawn.jpg cannot be written"),
        ("draw_reading.py", (str(PLAYER), "drawn"), "drawn cannot be written"),
        ("follow_stream.py", ("nothing.mp4",), "There is no camera, clip or folder “nothing.mp4”"),
    ],
)
def test_error_of_an_example_is_one_sentence(
    example: Example, script: str, arguments: tuple[str, ...], sentence: str
) -> None:
    code, _, err = example(script, *arguments)
    assert code == 1
    assert err.splitlines()[-1].startswith(sentence)
    assert "Traceback" not in err
