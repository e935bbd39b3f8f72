"""Examples are written, read, joined and packed without loss or duplication."""

from pathlib import Path

import numpy as np

from tests.unit.vision.made_heads import at_round_heads
from training.gathering import Gathered
from training.headgear.examples import COLUMNS, Hands, Sides, Truth


def truth(*places: str) -> Truth:
    """Return the truth of sides at the given places."""
    values = np.arange(len(places) * len(COLUMNS), dtype=np.int8).reshape(-1, len(COLUMNS))
    return Truth(values, values > 3, np.full(len(places), "Ann"), np.array(places))


def sides(*places: str) -> Sides:
    """Return sides whose crops are the bytes of their places."""
    joints = np.zeros((len(places), 21, 2), np.float16)
    return Sides([place.encode() for place in places], np.full(len(places), 40, np.float32), joints, truth(*places))


def test_columns_of_all_types_are_saved_and_loaded(tmp_path: Path) -> None:
    features = at_round_heads(np.ones((2, 21, 3), np.float32), np.zeros((2, 21, 2), np.float32))
    Hands(features, truth("a/left", "b/left"), np.array([1, 2], np.int8)).save(tmp_path / "hands.npz")
    sides("a/left", "a/right", "b/left").save(tmp_path / "sides.npz")
    hands, loaded = Hands.load(tmp_path / "hands.npz"), Sides.load(tmp_path / "sides.npz")
    assert (len(hands), hands.features.points.sum(), hands.shape.tolist()) == (2, 126, [1, 2])
    some = Sides.join([loaded.take(np.array([2])), loaded.take(np.array([0]))])
    assert (some.cuts, some.truth.place.tolist()) == ([b"b/left", b"a/left"], ["b/left", "a/left"])
    assert np.array_equal(some.truth.between, loaded.truth.between[[2, 0]])


def test_each_image_is_packed_once(tmp_path: Path) -> None:
    for packed in (tmp_path / "parts", tmp_path / "packed.npz"):
        gathered = Gathered(
            Sides, tmp_path / packed.stem / "work", packed, lambda sides: [p[0] for p in sides.truth.place]
        )
        for new, name, places in ((2, "a", ["a/left", "a/right"]), (1, "b", ["b/left"]), (0, "c", [])):
            sides(*places).save(gathered.file(name))
            assert gathered.pack() == new
        assert gathered.all().cuts == [b"a/left", b"a/right", b"b/left"]
        assert gathered.images() == {"a", "b"}
