"""Gauges of a verdict: numbers against their limits."""

from __future__ import annotations

from dataclasses import replace
from shutil import copytree
from typing import TYPE_CHECKING

from bunnymoose_cv.core.user_settings import load_settings
from bunnymoose_cv.i18n.texts import Texts
from bunnymoose_cv.record.round_folder import round_folder
from bunnymoose_cv.vision.headgear.measures import Quantity
from bunnymoose_cv.web.widgets.gauges import confidence_gauges, gauge_art, measure_gauges, tongue_gauge
from tests.unit.web.states import restarted, view

if TYPE_CHECKING:
    from pathlib import Path

    from tests.unit.web.judging import JudgedRound

TEXTS = Texts()


def test_gauges_and_reasons_tell_the_same_numbers(judged_round: JudgedRound) -> None:
    told = 0
    for verdict in view(judged_round.told).verdicts:
        assert verdict.read is not None
        for side in (verdict.read.left, verdict.read.right):
            if side.measures is None:
                continue
            gauges = {gauge.words: gauge for gauge in measure_gauges(side, TEXTS)}
            assert len(gauges) == sum(side.measures.value(quantity) is not None for quantity in Quantity)
            apart = side.measures.parting
            for reason in side.reasons:
                if apart is not None and "° apart" in reason:
                    assert f"fingers {apart:.0f}° apart" in reason
                    assert gauges[f"fingers {apart:.1f}° apart"].value == apart
                    assert gauges[f"fingers {apart:.1f}° apart"].sure is ("neither" not in reason)
                    told += 1
    assert told >= 2


def test_a_gauge_asks_exactly_where_the_reading_does(judged_round: JudgedRound) -> None:
    settings = load_settings(judged_round.games.parent / "profile.toml")
    for verdict in view(judged_round.told).verdicts:
        assert verdict.read is not None
        for side in (verdict.read.left, verdict.read.right):
            gauges = tuple(confidence_gauges(side, settings.headgear, TEXTS))
            unsure = sum(not gauge.sure for gauge in gauges)
            # What is kept has four digits: a field just below its limit may be rounded up to it.
            assert 0 <= len(side.unclear) - unsure <= sum(gauge.value == 1 for gauge in gauges)
        assert tongue_gauge(verdict.read.tongue, settings.tongue, TEXTS).sure is not verdict.read.tongue.unclear


def test_a_gauge_draws_its_value_between_its_ends(judged_round: JudgedRound) -> None:
    read = view(judged_round.told).verdicts[0].read
    assert read is not None
    for gauge in measure_gauges(read.left, TEXTS):
        far = replace(gauge, value=1e9, words="<b>")
        assert 'cx="240.0"' in gauge_art(far)
        assert "&lt;b&gt;" in gauge_art(far)


def test_an_older_rounds_evidence_has_no_measures_and_no_gauges(judged_round: JudgedRound, tmp_path: Path) -> None:
    copy = copytree(judged_round.told.folder, tmp_path / "game")
    json_path = round_folder(copy, 1).json
    shape = round_folder(copy, 1).read()
    assert shape is not None
    json_path.write_text(shape.model_dump_json(exclude={"agreed": {"players": {"__all__": {"left": {"measures"}}}}}))
    read = view(replace(restarted(judged_round.told), folder=copy)).verdicts[0].read
    assert read is not None
    assert read.left.measures is None
    assert tuple(measure_gauges(read.left, TEXTS)) == ()
