"""Medians of the declared stages on a row of players, of a search and of a glance at the same row."""

from __future__ import annotations

import math
import statistics
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Final

from bunnymoose_cv.core.user_settings import load_settings
from bunnymoose_cv.vision.effort import BUDGETS, SCHEDULE, Effort
from bunnymoose_cv.vision.faces.tiles import cover_with_tiles
from bunnymoose_cv.vision.headgear.headgear_reader import HeadgearReader
from bunnymoose_cv.vision.nets.worker_pool import Workers
from bunnymoose_cv.vision.pipeline import IMAGE_STAGES, LATE_STAGES, PLAYER_STAGES, stages_at
from bunnymoose_cv.vision.stages import FrameState, ImageTools, PlayerState, PlayerTools
from bunnymoose_cv.vision.tongue.tongue_cascade import TongueReader
from training.bench.network_timing import milliseconds

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from bunnymoose_cv.capture.frame import Image
    from bunnymoose_cv.vision.effort import Budget
    from bunnymoose_cv.vision.stages import ImageStage

GLANCES_A_SECOND: Final = 15
"""Rate that decides how many tiles a glance searches; about that of a computer with two cores."""


@dataclass(frozen=True, slots=True)
class _Timer:
    """Tools of the stages, and the number of repetitions."""

    tools: ImageTools
    nets: PlayerTools
    rounds: int

    def time(
        self, effort: Effort, state: FrameState, players: int | None = None
    ) -> tuple[FrameState, dict[str, float]]:
        """Run the stages of an effort, the player stages on the first players of the row, else on all.

        The first run of each stage is not counted.

        Returns:
            the results, and the median of each stage in milliseconds.
        """
        medians_ms: dict[str, float] = {}

        def run_image_stages(stages: Iterable[ImageStage], before: FrameState) -> FrameState:
            after = before
            for stage in stages_at(effort, stages):
                run = partial(self._run_to_its_end, stage, after, BUDGETS[effort])
                after, medians_ms[stage.name] = run(), self._median_ms(run)
            return after

        state = run_image_stages(IMAGE_STAGES, state)
        read = [PlayerState(state.image, player) for player in state.players[:players]]
        for stage in stages_at(effort, PLAYER_STAGES):
            runs = [partial(stage.run, player, self.nets, BUDGETS[effort]) for player in read]
            _run_all(runs)
            medians_ms[stage.name] = self._median_ms(partial(_run_all, runs))
        return run_image_stages(LATE_STAGES, state), medians_ms

    def _run_to_its_end(self, stage: ImageStage, state: FrameState, budget: Budget) -> FrameState:
        """Run a stage and wait for what it has begun."""
        state = stage.run(state, self.tools, budget)
        return replace(state, hands=tuple(state.hands), faces=tuple(state.faces))

    def _median_ms(self, run: Callable[[], object]) -> float:
        return statistics.median(milliseconds(run) for _ in range(self.rounds))


def time_stages(image: Image, rounds: int) -> tuple[dict[str, float], dict[str, float]]:
    """Return the median of each stage of a search, and of each of a glance at the same row, in milliseconds."""
    settings = load_settings()
    nets = PlayerTools(HeadgearReader(settings.headgear), TongueReader(settings.tongue))
    with Workers() as workers:
        timer = _Timer(ImageTools(workers, settings.people), nets, rounds)
        searched, of_search = timer.time(Effort.SEARCH, FrameState(image))
        _, of_glance = timer.time(Effort.GLANCE, _glance_after(searched), players=1)
    return of_search, of_glance


def _glance_after(searched: FrameState) -> FrameState:
    """State before a glance at the first player of a row, of which two heads are followed."""
    height, width = searched.image.shape[:2]
    tiles = cover_with_tiles(width, height)
    in_turn = math.ceil(len(tiles) / (SCHEDULE.covered_s * GLANCES_A_SECOND))
    row = searched.heads
    return FrameState(
        searched.image, row, fixed_heads=row[2:], skip_hands=row[1:], newcomer_tiles=tuple(tiles[:in_turn])
    )


def _run_all(runs: Iterable[Callable[[], object]]) -> None:
    for run in runs:
        run()
