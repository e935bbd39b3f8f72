"""Networks of left-out people come back from their differences byte for byte."""

from pathlib import Path

import pytest

from bunnymoose_cv.vision.tongue.tongue_cascade import SHIPPED_NET
from training.evaluate.held_out_net import difference_of, net_of

NETS = Path(__file__).parents[4] / "models" / "left_out"


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
