"""Part of a published state that a page shows, without what comes with every frame."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bunnymoose_cv.session.practice.practice_mirror import Mirror
    from bunnymoose_cv.session.warmup.warm_up_guide import WarmUpGuide


def shown_of_practice(mirror: Mirror) -> object:
    """Task, counts, consent and problem of a practice."""
    state, practice = mirror.state, mirror.state.practice
    lesson = practice.lesson
    counted = (lesson.number, lesson.done, lesson.tallies, practice.consent, practice.kept)
    return counted, state.problem, state.over


def shown_of_warm_up(guide: WarmUpGuide) -> object:
    """Phase, people and step of a warm-up."""
    view = guide.state
    step = None if view.round is None else (view.round.number, view.round.again, view.round.step)
    return view.phase, view.row, view.asked, dict(view.exempt), dict(view.understood), view.problem, step
