"""JSON lines of an evaluation: one JSON object an image, and a last one with the figures.

    {"id", "truth": {…}, "read": {…}, "right": {measure: bool}}
    {"fields": {measure: {"n", "right", "rate", "low", "high"}},
     "shares": {"sure_wrong" | "unclear" | "unclear_between": {"n", "count", "rate", "low", "high"}},
     "people_left_out": how many people's tongues were read by nets that have not seen them,
     "confusions": {name: {shown: {read: n}}},
     "groups": [{"group", "value", "people", "fields": {measure: {…}}, "sure_wrong": {…}}],
     "reliability": {field: {"error", "bins": [{"said", "n", "right", "rate", "low", "high"}]}},
     "sources": {source: {"people", "fields": {measure: {…}}, "shares": {…}}}}     of a file of landmarks alone

`truth` and `read` of people hold `faces` and, seat by seat, `poses` and `unclear`; the truth of a photograph holds only
what its labels tell (`left.kind`, `tongue`), and that of players, seat by seat, what is in `between` two shapes. Those
of a hand hold its fields, those of a mouth its `tongue`.

    {"narrator", "heard": {"n", "count", …}, "false_alarms": {"count", "hours", "an_hour", "low", "high"}}
    {"heard", "heard_soft", "heard_as_loud", "false_alarms", "late_s": {"median", "slow"}}     evaluate --cues, its last

`earlier_figures` reads them back, to stand beside today's.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.text_file import read_text
from bunnymoose_cv.evaluation.bams import false_alarms, heard, timing_errors_s
from bunnymoose_cv.evaluation.headgear_fields import HeadgearFields
from bunnymoose_cv.evaluation.reading import ReadHeadgear, ReadTongue
from bunnymoose_cv.evaluation.shares import Share, share_line
from bunnymoose_cv.rules.pose import Side, Tongue
from bunnymoose_cv.rules.pose_fields import HEADGEAR_FIELDS, HeadgearField

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from bunnymoose_cv.evaluation.bams import NarratorFigures, Rate
    from bunnymoose_cv.evaluation.confusion import Confusion
    from bunnymoose_cv.evaluation.evaluated import Evaluated
    from bunnymoose_cv.evaluation.groups import Group
    from bunnymoose_cv.evaluation.metrics import Figures, Part
    from bunnymoose_cv.evaluation.reading import Read, ReadPlayer
    from bunnymoose_cv.evaluation.reliability import Reliability
    from bunnymoose_cv.evaluation.truth import Between, PlayerTruth, Truth


def earlier_figures(path: Path) -> Mapping[str, Share]:
    """The share of each measure, and of `sure_wrong`, `unclear` and `unclear_between`.

    Args:
        path: what `bunnymoose evaluate --json` printed; its last line alone counts.

    Raises:
        InputError: it is not there or is something else.
    """
    try:
        last = json.loads(read_text(path).splitlines()[-1])
        fields = {name: Share(share["n"], share["right"]) for name, share in last["fields"].items()}
        return fields | {name: Share(share["n"], share["count"]) for name, share in last["shares"].items()}
    except FileNotFoundError as error:
        raise InputError(f"There is no {path}: check the name") from error
    except (OSError, ValueError, LookupError, RecursionError, TypeError, AttributeError) as error:
        raise InputError(f"{path} holds no earlier figures: name what `bunnymoose evaluate --json` printed") from error


def image_line(image: Evaluated) -> dict[str, Any]:
    """The object of one image; a measure is right if all of its comparisons in the image are."""
    return {
        "id": image.row.name,
        "truth": truth_words(image.truth),
        "read": read_words(image.read),
        "right": {measure.value: right for measure, right in image.right.items()},
    }


def figures_line(figures: Figures, sources: Iterable[Part] = ()) -> dict[str, Any]:
    """The last object.

    Args:
        figures: of all images.
        sources: figures of each source, where images name theirs.
    """
    named = {part.name: {"people": part.people} | _right_and_shares(part.figures) for part in sources}
    return _whole(figures) | ({"sources": named} if named else {})


def _whole(figures: Figures) -> dict[str, Any]:
    return _right_and_shares(figures) | {
        "people_left_out": figures.people_left_out,
        "confusions": {confusion.name: _confusion(confusion) for confusion in figures.confusions},
        "groups": [_group(group) for group in figures.groups],
        "reliability": {field.field: _reliability(field) for field in figures.reliability},
    }


def _right_and_shares(figures: Figures) -> dict[str, Any]:
    shares = {
        "sure_wrong": figures.sure_wrong,
        "unclear": figures.unclear,
        "unclear_between": figures.unclear_between,
    }
    return {
        "fields": {measure.value: share_line(share, "right") for measure, share in figures.right.items()},
        "shares": {name: share_line(share) for name, share in shares.items() if share is not None},
    }


def _confusion(confusion: Confusion) -> dict[str, dict[str, int]]:
    counts: dict[str, dict[str, int]] = {}
    for (shown, read), count in confusion.counts.items():
        counts.setdefault(shown, {})[read] = count
    return counts


def _group(group: Group) -> dict[str, Any]:
    line = {"group": group.label, "value": group.value, "people": group.people}
    fields = {measure.value: share_line(share, "right") for measure, share in group.right.items()}
    sure_wrong = {} if group.sure_wrong is None else {"sure_wrong": share_line(group.sure_wrong)}
    return line | {"fields": fields} | sure_wrong


def _reliability(field: Reliability) -> dict[str, Any]:
    bins = [{"said": round(own.confidence, 4)} | share_line(own.right, "right") for own in field.bins]
    return {"error": round(field.error, 4), "bins": bins}


def truth_words(truth: Truth) -> dict[str, Any]:
    """Truth of an image, as far as its labels tell."""
    if truth is None:
        return {}
    if isinstance(truth, HeadgearFields):
        return _fields(truth)
    if isinstance(truth, Tongue):
        return {"tongue": truth.name.lower()}
    words: dict[str, Any] = {"faces": len(truth.players)}
    if all(player.pose is not None for player in truth.players):
        words |= {"poses": [str(player.pose) for player in truth.players]}
        between = [_between(player.between) for player in truth.players]
        return words | {"between": between} if any(between) else words
    return words | _player(truth.players[0])


def read_words(read: Read) -> dict[str, Any]:
    """Reading of an image."""
    if read is None:
        return {"kind": None}
    if isinstance(read, ReadHeadgear):
        return _fields(read.fields) | {"unclear": _names(read.unclear)}
    if isinstance(read, ReadTongue):
        return {"tongue": read.tongue.name.lower(), "unclear": ["tongue"] if read.unclear else []}
    return {
        "faces": len(read),
        "poses": [str(player.pose) for player in read],
        "unclear": [_unclear(player) for player in read],
    }


def spelled(values: Mapping[str, object]) -> str:
    """A truth or a reading in one line: `faces 2, poses WU CD t / -- SS`."""
    return ", ".join(f"{name} {_seats(value) if isinstance(value, list) else value}" for name, value in values.items())


def _seats(values: Iterable[object]) -> str:
    return " / ".join(" ".join(value) or "–" if isinstance(value, list) else str(value) for value in values) or "–"


def narrator_line(narrator: NarratorFigures) -> dict[str, Any]:
    """The object of one narrator's Bams."""
    heard_bams = heard([narrator])
    return {
        "narrator": narrator.name,
        "heard": None if heard_bams is None else share_line(heard_bams),
        "false_alarms": _rate(false_alarms([narrator])),
    }


def bams_line(narrators: Sequence[NarratorFigures]) -> dict[str, Any]:
    """The object of all narrators' Bams."""
    shares = {"heard": heard(narrators)}
    shares |= {"heard_soft": heard(narrators, soft=True), "heard_as_loud": heard(narrators, soft=False)}
    line: dict[str, Any] = {name: share_line(share) for name, share in shares.items() if share is not None}
    median_s, slow_s = timing_errors_s(narrators)
    late = {"median": round(median_s, 3), "slow": round(slow_s, 3)}
    return line | {"false_alarms": _rate(false_alarms(narrators)), "late_s": late}


def _rate(rate: Rate) -> dict[str, float]:
    low, high = rate.interval
    return {
        "count": rate.count,
        "hours": round(rate.hours, 4),
        "an_hour": round(rate.an_hour, 3),
        "low": round(low, 3),
        "high": round(high, 3),
    }


def _fields(fields: HeadgearFields) -> dict[str, str]:
    values = ((field, fields.value(field)) for field in HEADGEAR_FIELDS)
    return {field.value: value.value for field, value in values if value is not None}


def _player(player: PlayerTruth) -> dict[str, str]:
    """One of several people of whom the labels tell the same, or the only one."""
    words = {} if player.animal is None else {"animal": player.animal.value}
    for side in Side:
        words |= {f"{side.name.lower()}.{name}": value for name, value in _fields(player.headgear(side)).items()}
    return words if player.tongue is None else words | {"tongue": player.tongue.name.lower()}


def _unclear(player: ReadPlayer) -> list[str]:
    sides = [f"{side.name.lower()}.{name}" for side in Side for name in _names(player.headgear(side).unclear)]
    return [*sides, "tongue"] if player.tongue.unclear else sides


def _between(between: Between) -> list[str]:
    sides = [f"{side.name.lower()}.{name}" for side in Side for name in _names(between.of(side))]
    return [*sides, "tongue"] if between.tongue else sides


def _names(fields: Iterable[HeadgearField]) -> list[str]:
    return [field.value for field in HEADGEAR_FIELDS if field in set(fields)]
