"""Estimate of a camera's unknown delay from all players: players who settle late together show a late stream.

No pose may change after Bam. If all players go on changing and settle at about the same time, the stream is late; if
one player changes after all others have settled, that player has moved. The estimate is Bayesian, over a grid of
delays, and is updated in each round.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bunnymoose_cv.vision.video.movement import Settling

Likelihoods: TypeAlias = npt.NDArray[np.float64]
"""A value for each delay of the grid."""

LONGEST_S: Final = 3.5
"""Longest delay that is considered, seconds."""

STEP_S: Final = 0.25
"""Interval of the frames that are read while players settle, seconds."""

SURELY_MOVED: Final = 0.9
SURELY_HELD: Final = 0.007
"""Probabilities of a move after Bam between which the table is asked."""

_GRID_S: Final = np.arange(0.0, LONGEST_S + 0.01, 0.05)

_HELD_UNTIL_S: Final = (-6.0, -1.3, 0.0, 0.35)
_HELD_SHARES: Final = (0.45, 0.43, 0.06)
"""Times at which players reach the pose that they hold, seconds from Bam, and the share of players between them."""

_MOVED_UNTIL_S: Final = (0.75, 3.5)
_MOVED_SHARE: Final = 0.06
"""Time in which players who move after Bam reach their next pose, seconds from Bam, and their share."""

_LEAST_DENSITY: Final = 0.0005
"""Density of errors of reading, for each second."""

_MEMORY: Final = 0.9
"""Weight of what earlier rounds have shown: the delay of a stream may change."""

_SURE_SHARE: Final = 0.99
"""Share of the estimate below the longest delay that is waited for."""


@dataclass(frozen=True, slots=True)
class LateRow:
    """Players of one round in frames that come late.

    Attributes:
        settled_s: time from Bam until all players who did not surely move are seen to have settled.
        before_s: the same without the players in doubt.
        in_doubt: seats of players who may have moved after Bam or may have settled last.
        moved: time from Bam until each player settled again who surely moved, by seat.
    """

    settled_s: float
    before_s: float
    in_doubt: frozenset[int]
    moved: Mapping[int, float]


class CommonDelay:
    """Delay of one camera, learnt from round to round."""

    def __init__(self) -> None:
        self._log_odds = np.zeros(len(_GRID_S))

    @property
    def longest_s(self) -> float:
        """Return the longest delay in seconds that the observations leave open."""
        return self._quantile_s(_SURE_SHARE)

    @property
    def likely_s(self) -> float:
        """Return the delay in seconds that is as likely too short as too long."""
        return self._quantile_s(0.5)

    def learn(self, found: Sequence[Settling], cue_s: float) -> LateRow:
        """Learn from the times at which players settle around Bam, and distinguish late players from movers."""
        late_s = {player.seat: 0.0 if player.time_s is None else max(0.0, player.time_s - cue_s) for player in found}
        self._log_odds *= _MEMORY
        for settled_s in late_s.values():
            self._log_odds += np.log(_held(settled_s) + _moved(settled_s))
        moved = {seat: float(self._posterior @ (_moved(s) / (_held(s) + _moved(s)))) for seat, s in late_s.items()}
        in_doubt = frozenset(seat for seat, share in moved.items() if SURELY_HELD < share < SURELY_MOVED)
        surely = {seat: late_s[seat] for seat, share in moved.items() if share >= SURELY_MOVED}
        return LateRow(
            max((late_s[seat] for seat in late_s if seat not in surely), default=0.0),
            max((late_s[seat] for seat in late_s if seat not in {*surely, *in_doubt}), default=0.0),
            in_doubt,
            surely,
        )

    def _quantile_s(self, share: float) -> float:
        return float(_GRID_S[np.searchsorted(np.cumsum(self._posterior), share)])

    @property
    def _posterior(self) -> Likelihoods:
        odds = np.exp(self._log_odds - self._log_odds.max())
        return np.asarray(odds / odds.sum())


def _held(late_s: float) -> Likelihoods:
    """Return the likelihood, at each delay, that a player who holds the pose of Bam is seen to settle then."""
    return _share_of(late_s, _HELD_UNTIL_S, _HELD_SHARES) + _LEAST_DENSITY * STEP_S


def _moved(late_s: float) -> Likelihoods:
    """Return the likelihood, at each delay, that a player who moves after Bam is seen to settle then."""
    return _share_of(late_s, _MOVED_UNTIL_S, (_MOVED_SHARE,)) + _LEAST_DENSITY * _MOVED_SHARE * STEP_S


def _share_of(late_s: float, edges_s: tuple[float, ...], shares: tuple[float, ...]) -> Likelihoods:
    """Return the share of players, at each delay, who settle in the step before a time; time 0 has all earlier ones."""
    summed = np.concatenate([[0.0], np.cumsum(shares)])
    until = np.interp(late_s - _GRID_S, edges_s, summed)
    since = np.interp(late_s - STEP_S - _GRID_S, edges_s, summed)
    return np.asarray(until - (since if late_s > 0 else 0.0))
