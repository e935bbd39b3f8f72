"""Tongues are judged by networks that have not learned from their person, kept as differences byte for byte."""

from __future__ import annotations

import csv
import json
import lzma
import tomllib
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.user_settings import load_settings
from bunnymoose_cv.vision.reader import Reader
from bunnymoose_cv.vision.tongue.tongue_cascade import SHIPPED_NET
from training.evaluate.datasets import Row, RowKind, read_manifest
from training.evaluate.evaluated import evaluate
from training.evaluate.held_out_net import difference_of, net_of
from training.evaluate.reading import HeldOutTongues

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).parents[4]
NETS = ROOT / "models" / "left_out"
PLAYER = ROOT / "fixtures" / "players" / "0001.jpg"
PHOTOGRAPHS = ROOT.parent / "shared" / "real" / "manifest.csv"

UNSEEN = {net: frozenset(listed["unseen"]) for net, listed in tomllib.loads((NETS / "people.toml").read_text()).items()}


def row(subject: str, kind: RowKind = RowKind.FACE) -> Row:
    return Row(subject, PLAYER, kind, {"tongue": "in", "subject": subject}, 2)


def test_everybody_has_one_net() -> None:
    assert set(UNSEEN) == {file.stem for file in NETS.glob("*.xz")}
    assert sum(map(len, UNSEEN.values())) == len(frozenset().union(*UNSEEN.values()))


def test_a_listed_person_gets_the_net_that_has_not_seen_them() -> None:
    tongues = HeldOutTongues(load_settings().tongue)
    readers = {net: {tongues.reader_of(row(subject)) for subject in subjects} for net, subjects in UNSEEN.items()}
    assert all(len(own) == 1 and None not in own for own in readers.values())
    assert len(set.union(*readers.values())) == len(readers)
    assert tongues.reader_of(row("somebody_else")) is None
    assert tongues.reader_of(Row("x", PLAYER, RowKind.PLAYER, {}, 2)) is None


def test_an_installed_program_has_no_such_nets(tmp_path: Path) -> None:
    subject = min(UNSEEN["tongue_1"])
    assert HeldOutTongues(load_settings().tongue, tmp_path).reader_of(row(subject)) is None


@pytest.mark.parametrize("content", [None, b"", b"no difference", lzma.compress(b"of another network")])
def test_a_listed_net_that_is_missing_or_damaged_is_told(tmp_path: Path, content: bytes | None) -> None:
    (tmp_path / "people.toml").write_text('[tongue_1]\nunseen = ["a"]\n', "utf-8")
    if content is not None:
        (tmp_path / "tongue_1.xz").write_bytes(content)
    with pytest.raises(InputError, match=r"tongue_1\.xz is no network that left people out"):
        HeldOutTongues(load_settings().tongue, tmp_path)


def test_the_tongue_is_read_by_that_net_and_nothing_else_changes() -> None:
    tongues = HeldOutTongues(load_settings().tongue)
    with Reader(load_settings()) as reader:
        plain, left_out = (evaluate(row(one), reader, tongues) for one in ("somebody_else", min(UNSEEN["tongue_2"])))
    assert (plain.left_out, left_out.left_out) == (None, min(UNSEEN["tongue_2"]))
    assert isinstance(plain.read, tuple)
    assert isinstance(left_out.read, tuple)
    (own,), (other,) = plain.read, left_out.read
    assert other == replace(own, tongue=other.tongue)
    assert other.tongue.confidence != own.tongue.confidence


def test_the_figures_say_how_many_people(laboratory: Callable[..., tuple[int, str, str]], tmp_path: Path) -> None:
    first, second = (min(UNSEEN[net]) for net in ("tongue_1", "tongue_3"))
    lines = [f"{n},{PLAYER},face,tongue=in;subject={subject}" for n, subject in enumerate((first, first, second, "x"))]
    manifest = tmp_path / "manifest.csv"
    manifest.write_text("\n".join(["id,file,kind,labels", *lines]) + "\n", "utf-8")
    code, told, _ = laboratory("evaluate", str(manifest))
    assert code == 0
    assert "tongues of 2 people judged by nets that have not seen them" in told.splitlines()
    _, printed, _ = laboratory("evaluate", str(manifest), "--json")
    assert json.loads(printed.splitlines()[-1])["people_left_out"] == 2


@pytest.mark.skipif(not PHOTOGRAPHS.is_file(), reason="needs ../shared/real beside the checkout")
def test_all_photographed_people_are_listed() -> None:
    with PHOTOGRAPHS.open(encoding="utf-8", newline="") as file:
        labels = [dict(part.partition("=")[::2] for part in line["labels"].split(";")) for line in csv.DictReader(file)]
    scored = [one for one in labels if one.get("tongue") in {"in", "out"} and "ambiguous" not in one]
    people = {one["subject"] for one in scored if "subject" in one}
    mouths = {row.labels["subject"] for row in read_manifest(PHOTOGRAPHS.with_name("mouths.csv")).rows}
    listed = frozenset().union(*UNSEEN.values())
    assert people <= listed <= people | mouths


@pytest.mark.parametrize("net", [b"", b"same", b"\x00\xff\x7f\x80"])
def test_a_difference_gives_back_the_bytes(net: bytes) -> None:
    shipped = b"\xff\x00\x80\x7f"[: len(net)]
    assert net_of(difference_of(net, shipped), shipped) == net


def test_a_net_of_other_layers_has_no_difference() -> None:
    with pytest.raises(ValueError, match="shape"):
        difference_of(b"four", b"shipped")


@pytest.mark.parametrize("file", sorted(NETS.glob("*.xz")), ids=lambda file: str(file.stem))
def test_the_differences_belong_to_the_shipped_net(file: Path) -> None:
    shipped = SHIPPED_NET.read_bytes()
    net = net_of(file.read_bytes(), shipped)
    assert net != shipped
    assert all(name in net for name in (b"mouths", b"probability_out"))
