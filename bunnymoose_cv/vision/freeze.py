"""Readings of the frames around the cue put together: one reading per seat, so that one bad frame does not decide.

Owns no frames and no cue; who moved after the cue is the live round's question.
"""

from __future__ import annotations

from dataclasses import astuple, replace
from typing import TYPE_CHECKING

import numpy as np

from bunnymoose_cv.rules.pose import Side
from bunnymoose_cv.vision.headgear import NO_HAND, HeadgearProbabilities
from bunnymoose_cv.vision.reader import FrameReading, PlayerReading

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bunnymoose_cv.vision.headgear import HeadgearReading
    from bunnymoose_cv.vision.reader import Reader

SAME_PLACE = 2.0
"""A face within so many eye distances of where it was belongs to the same player: nobody changes seats in a freeze."""

SEEN_OFTEN = 1 / 3
"""A hand found in this share of the frames is there; in fewer it is a slip of the landmarks."""


def agree(frames: Sequence[FrameReading], reader: Reader) -> FrameReading:
    """Put the readings of the freeze window together.

    The frame in the middle among those with the most players lends its picture, heads and hands; probabilities are
    averaged over all frames in which the same player was seen.

    Args:
        frames: at least one reading, in order of time.
        reader: whose limits decide what is unclear.
    """
    most = max(len(frame.players) for frame in frames)
    full = [frame for frame in frames if len(frame.players) == most]
    shown = full[len(full) // 2]
    return replace(shown, players=tuple(_agreed(player, frames, reader) for player in shown.players))


def _agreed(shown: PlayerReading, frames: Sequence[FrameReading], reader: Reader) -> PlayerReading:
    seen = [player for frame in frames if (player := _same(shown, frame)) is not None]
    headgear = {side: _agreed_headgear(shown, seen, side, reader) for side in Side}
    out = float(np.mean([player.tongue.probability_out for player in seen]))
    return PlayerReading(shown.player, headgear, reader.tongue_reading(out))


def _agreed_headgear(
    shown: PlayerReading, seen: Sequence[PlayerReading], side: Side, reader: Reader
) -> HeadgearReading:
    found = [player.headgear[side].probabilities for player in seen if side in player.player.hands]
    if len(found) < SEEN_OFTEN * len(seen):
        found = []
    mean = HeadgearProbabilities(*np.mean([astuple(one) for one in found], axis=0).tolist()) if found else NO_HAND
    speaker = shown if side in shown.player.hands else next((p for p in seen if side in p.player.hands), shown)
    return reader.headgear.reading_of(speaker.player, side, mean)


def _same(shown: PlayerReading, frame: FrameReading) -> PlayerReading | None:
    """The player of a frame who sits where the shown one sits."""
    head = shown.player.head
    place = np.asarray(head.centre)

    def away(player: PlayerReading) -> float:
        return float(np.linalg.norm(np.asarray(player.player.head.centre) - place)) / head.eye_distance

    nearest = min(frame.players, key=away, default=None)
    return nearest if nearest is not None and away(nearest) < SAME_PLACE else None
