"""Tongues are judged by a network that was not trained on images of the person."""

import csv
import json
import tomllib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.user_settings import load_settings
from bunnymoose_cv.rules.pose import Tongue
from bunnymoose_cv.vision.reader import Reader
from bunnymoose_cv.vision.tongue import SHIPPED_NET
from training.evaluate.comparison import Measure
from training.evaluate.datasets import Row, RowKind, read_manifest
from training.evaluate.evaluated import evaluate
from training.evaluate.reading import HeldOutTongues, ReadTongue

ROOT = Path(__file__).parents[4]
NETS = ROOT / "models" / "left_out"
PLAYER = ROOT / "fixtures" / "players" / "0001.jpg"
PHOTOGRAPHS = ROOT.parent / "shared" / "real" / "manifest.csv"

UNSEEN = {net: frozenset(listed["unseen"]) for net, listed in tomllib.loads((NETS / "people.toml").read_text()).items()}


def row(subject: str, kind: RowKind = RowKind.FACE) -> Row:
    return Row(subject, PLAYER, kind, {"tongue": "in", "subject": subject}, 2)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a network that has not seen `a`, and without the one that has not seen `b`."""
    folder = tmp_path_factory.mktemp("left_out")
    (folder / "people.toml").write_text('[one]\nunseen = ["a"]\n[missing]\nunseen = ["b"]\n', "utf-8")
    (folder / "one.onnx").write_bytes(SHIPPED_NET.read_bytes())
    return folder


def test_every_person_has_one_network() -> None:
    assert sum(map(len, UNSEEN.values())) == len(frozenset().union(*UNSEEN.values()))


def test_training_person_is_read_by_a_network_that_has_not_seen_them(folder: Path) -> None:
    tongues = HeldOutTongues(load_settings().tongue, folder)
    assert tongues.reader_of(row("a")) not in {None, tongues.shipped}
    assert tongues.reader_of(row("b")) is None
    assert tongues.reader_of(row("somebody else")) is tongues.shipped
    assert tongues.reader_of(Row("x", PLAYER, RowKind.PLAYER, {}, 2)) is tongues.shipped


def test_damaged_network_is_refused(tmp_path: Path) -> None:
    (tmp_path / "people.toml").write_text('[one]\nunseen = ["a"]\n', "utf-8")
    (tmp_path / "one.onnx").write_bytes(b"no network")
    with pytest.raises(InputError, match=r"one\.onnx is not a tongue network"):
        HeldOutTongues(load_settings().tongue, tmp_path)


def test_only_the_tongue_reading_depends_on_the_person(folder: Path) -> None:
    tongues = HeldOutTongues(load_settings().tongue, folder)
    with Reader(load_settings()) as reader:
        plain, held_out, unread = (evaluate(row(one), reader, tongues) for one in ("somebody else", "a", "b"))
    assert [image.left_out for image in (plain, held_out, unread)] == [None, "a", None]
    assert isinstance(plain.read, tuple)
    assert isinstance(unread.read, tuple)
    (own,), (other,) = plain.read, unread.read
    assert held_out.read == plain.read
    assert other == replace(own, tongue=other.tongue, pose=other.pose)
    assert other.tongue == ReadTongue(Tongue.IN, unclear=True, confidence=0.5)
    assert Measure.TONGUE in plain.right
    assert Measure.TONGUE not in unread.right


def test_tongues_without_a_network_are_not_judged(
    laboratory: Callable[..., tuple[int, str, str]], monkeypatch: pytest.MonkeyPatch, folder: Path, tmp_path: Path
) -> None:
    monkeypatch.setattr(HeldOutTongues.__init__, "__defaults__", (folder,))
    kinds = (("a", "face"), ("a", "face"), ("b", "face"), ("b", "mouth"), ("x", "face"))
    lines = [f"{n},{PLAYER},{kind},tongue=in;subject={subject}" for n, (subject, kind) in enumerate(kinds)]
    manifest = tmp_path / "manifest.csv"
    manifest.write_text("\n".join(["id,file,kind,labels", *lines]) + "\n", "utf-8")
    code, printed, warned = laboratory("evaluate", str(manifest), "--json")
    figures = json.loads(printed.splitlines()[-1])
    assert code == 0
    assert figures["people_left_out"] == 1
    assert figures["fields"]["tongue"]["n"] == 3
    assert "mouth" not in figures["fields"]
    assert "tongues of 2 images are not judged" in warned
    _, shown, _ = laboratory("evaluate", str(manifest))
    assert "tongues of 1 people judged by nets that have not seen them" in shown.splitlines()


@pytest.mark.skipif(not PHOTOGRAPHS.is_file(), reason="needs ../shared/real beside the checkout")
def test_all_photographed_people_are_listed() -> None:
    with PHOTOGRAPHS.open(encoding="utf-8", newline="") as file:
        labels = [dict(part.partition("=")[::2] for part in line["labels"].split(";")) for line in csv.DictReader(file)]
    scored = [one for one in labels if one.get("tongue") in {"in", "out"} and "ambiguous" not in one]
    people = {one["subject"] for one in scored if "subject" in one}
    mouths = {row.labels["subject"] for row in read_manifest(PHOTOGRAPHS.with_name("mouths.csv")).rows}
    listed = frozenset().union(*UNSEEN.values())
    assert people <= listed <= people | mouths
