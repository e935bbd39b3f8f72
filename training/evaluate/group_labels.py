"""Labels of a manifest that make groups: one value for everybody in the image, or one for each seat."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from training.evaluate.csv_list import ManifestError

if TYPE_CHECKING:
    from training.evaluate.datasets import Row

LABELS: Final = ("light", "skin", "age", "glasses", "hat", "hair", "beard", "bush", "mouth")
"""Labels of the manifest that make groups."""


def check_group_labels(row: Row, players: int) -> None:
    """Refuse a label of a group whose values fit neither everybody nor each seat.

    Raises:
        ManifestError: such a label stands in the row.
    """
    for label in LABELS:
        if label in row.labels:
            label_values(row, label, players)


def label_values(row: Row, label: str, players: int) -> list[str]:
    """Return the value of a label for each player.

    Raises:
        ManifestError: the number of values is neither 1 nor that of the players.
    """
    values = row.labels[label].split("/")
    if len(values) not in {1, players}:
        raise ManifestError(
            f"Line {row.line} of the manifest ({row.name}) has {label}= for {len(values)} seats and {players} people:"
            " write one value, or one for each"
        )
    return values if len(values) == players else values * players
