"""Functions of the public API, which `bunnymoose_cv` exports."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

from bunnymoose_cv.rules import scoring
from bunnymoose_cv.rules.cards import Card, Table, parse_table
from bunnymoose_cv.rules.deck import Rules, rules_for
from bunnymoose_cv.rules.pose import Pose

if TYPE_CHECKING:
    from types import UnionType

    from bunnymoose_cv.capture.frame import Image
    from bunnymoose_cv.referee.judge import Judgement
    from bunnymoose_cv.rules.scoring import Score
    from bunnymoose_cv.vision.reader import Reader


def score(pose: str | Pose, cards: str | Table | None, rules: Rules | None = None) -> Score:
    """Score a pose against the cards on the piles.

    Args:
        pose: a pose or its notation, such as `WU CD t`.
        cards: cards or their notation, one per pile, separated by spaces; an empty text or None without cards.
        rules: edition and variants; None for the second edition with the advanced cards.

    Returns:
        the total (None for a bush), and one line with a reason per card.

    Raises:
        NotationError: a pose or card cannot be parsed; the error points at the position.
        TypeError: an argument does not have the right type.

    Examples:
        >>> from bunnymoose_cv import score
        >>> result = score("TS TF t", "L.WU+1 TONGUE+3")
        >>> result.total, [str(line.why) for line in result.lines]
        (3, ['no wide antler up on the left', 'tongue out'])
    """
    return scoring.score(_pose(pose), _table(cards), _rules(rules))


def judge(
    image: str | Path | Image,
    cards: str | Table | None = None,
    *,
    rules: Rules | None = None,
    bet: int | None = None,
    reader: Reader | None = None,
) -> Judgement:
    """Read all players of one image and score them.

    Args:
        image: a file, or pixels of shape (height, width, 3), blue-green-red, unmirrored.
        cards: cards or their notation, like those of `score`. Without cards nothing is scored.
        rules: edition and variants; None for the second edition with the advanced cards.
        bet: seat that the narrator bet on, counted from 1 at the left of the image. Without cards it pays nothing.
        reader: an open reader to reuse, since opening one takes about a second; None to open a new one.

    Returns:
        the players from left to right with readings, scores and reasons; `said` holds the announcements.

    Raises:
        UnreadableError: the file is not an image.
        NotationError: the cards cannot be parsed.
        BetError: the bet is on an empty seat.
        TypeError: the pixels are not an array of `uint8`, or cards or rules do not have the right type.
        ValueError: the pixels have another shape, or are empty.

    MediaPipe logs to file descriptor 2 (stderr), and ignores Python's and all other logging settings. To hide these
    lines, a program must redirect descriptor 2, as the command line does.
    """
    from bunnymoose_cv.capture.frame import Frame  # noqa: PLC0415 - `score` needs no NumPy
    from bunnymoose_cv.capture.images import read_image  # noqa: PLC0415 - likewise
    from bunnymoose_cv.referee.judge import Judge, JudgingContext  # noqa: PLC0415 - likewise
    from bunnymoose_cv.vision.reader import Reader  # noqa: PLC0415 - likewise

    context = JudgingContext(_rules(rules), _table(cards), bet)
    pixels = read_image(Path(image)) if isinstance(image, str | Path) else image
    with nullcontext(reader) if reader is not None else Reader() as opened:
        return Judge(opened, context).judge([Frame(pixels, 0.0)], 0.0)


def _pose(pose: str | Pose) -> Pose:
    if isinstance(pose, str):
        return Pose.parse(pose)
    _expect(pose, Pose, "A pose is a Pose or its notation")
    return pose


def _table(cards: str | Table | None) -> Table:
    if isinstance(cards, str):
        return parse_table(cards) if cards.strip() else ()
    expected = "Cards are a tuple of cards or their notation"
    table = () if cards is None else cards
    _expect(table, tuple | list, expected)
    for card in table:
        _expect(card, Card, expected)
    return tuple(table)


def _rules(rules: Rules | None) -> Rules:
    if rules is None:
        return rules_for()
    _expect(rules, Rules, "Rules are made by rules_for")
    return rules


def _expect(value: object, kind: type | UnionType, expected: str) -> None:
    """Raise a `TypeError` for an argument of the wrong type, before it causes an obscure error elsewhere."""
    if not isinstance(value, kind):
        raise TypeError(f"{expected}, not {type(value).__name__}.")
