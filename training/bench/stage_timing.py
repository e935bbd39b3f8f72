"""Medians of the declared stages on a row of players, for a search and for a glance at the same row."""

from __future__ import annotations

import statistics
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from bunnymoose_cv.core.user_settings import load_settings
from bunnymoose_cv.vision.effort import BUDGETS, Effort
from bunnymoose_cv.vision.nets.worker_pool import Workers
from bunnymoose_cv.vision.pipeline import IMAGE_STAGES, PLAYER_STAGES, stages_at
from bunnymoose_cv.vision.reader import OwnNets
from bunnymoose_cv.vision.stages import FrameState, ImageTools, PlayerState
from training.bench.network_timing import milliseconds

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from bunnymoose_cv.capture.frame import Image
    from bunnymoose_cv.vision.effort import Budget
    from bunnymoose_cv.vision.stages import ImageStage


@dataclass(frozen=True, slots=True)
class _Timer:
    """State and repetitions for timing the stages."""

    tools: ImageTools
    rounds: int

    def time(
        self, effort: Effort, state: FrameState, players: int | None = None
    ) -> tuple[FrameState, dict[str, float]]:
        """Run the stages of an effort; the player stages on the first players of the row, or on all without a number.

        The first run of each stage is not counted.

        Returns:
            The results, and the median of each stage in milliseconds.
        """
        medians_ms: dict[str, float] = {}
        for stage in stages_at(effort, IMAGE_STAGES):
            run = partial(self._run_to_its_end, stage, state, BUDGETS[effort])
            state, medians_ms[stage.name] = run(), self._median_ms(run)
        read = [PlayerState(state.image, player, state.answers) for player in state.players[:players]]
        for player_stage in stages_at(effort, PLAYER_STAGES):
            runs = [partial(player_stage.run, player, self.tools.own(), BUDGETS[effort]) for player in read]
            _run_all(runs)
            medians_ms[player_stage.name] = self._median_ms(partial(_run_all, runs))
        return state, medians_ms

    def _run_to_its_end(self, stage: ImageStage, state: FrameState, budget: Budget) -> FrameState:
        """Run a stage and wait for the work that it has started."""
        state = stage.run(state, self.tools, budget)
        return replace(state, hands=tuple(state.hands), tongues=tuple(state.tongues))

    def _median_ms(self, run: Callable[[], object]) -> float:
        return statistics.median(milliseconds(run) for _ in range(self.rounds))


def time_stages(image: Image, rounds: int) -> tuple[dict[str, float], dict[str, float]]:
    """Return the median of each stage of a search, and of a glance at the same row, in milliseconds."""
    settings = load_settings()
    nets = OwnNets(settings)
    with Workers() as workers:
        timer = _Timer(ImageTools(workers, settings.people, lambda: nets.tools), rounds)
        searched, of_search = timer.time(Effort.SEARCH, FrameState(image))
        _, of_glance = timer.time(Effort.GLANCE, _glance_after(searched), players=1)
    return of_search, of_glance


def _glance_after(searched: FrameState) -> FrameState:
    """Return the state before a glance at the first player of a row, with two heads tracked."""
    row = searched.heads
    return FrameState(searched.image, row, fixed_heads=row[2:], is_reused=row[1:].__contains__)


def _run_all(runs: Iterable[Callable[[], object]]) -> None:
    for run in runs:
        run()
