"""Functions of the public API; `bunnymoose_cv` exports them."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

from bunnymoose_cv.rules import scoring
from bunnymoose_cv.rules.cards import Card, parse_table
from bunnymoose_cv.rules.deck import Rules, rules_for
from bunnymoose_cv.rules.pose import Pose

if TYPE_CHECKING:
    from types import UnionType

    from bunnymoose_cv.capture.frame import Image
    from bunnymoose_cv.referee.judge import Judgement
    from bunnymoose_cv.rules.cards import Table
    from bunnymoose_cv.rules.scoring import Score
    from bunnymoose_cv.vision.reader import Reader


def score(pose: str | Pose, cards: str | Table | None, rules: Rules | None = None) -> Score:
    """Score a pose against the cards on the piles.

    Args:
        pose: a pose or its notation, such as `WU CD t`.
        cards: cards or their notation, one per pile, separated by spaces; an empty text or None where no card lies.
        rules: edition and variants; the second edition with the advanced cards unless told.

    Returns:
        The total, None for a bush, and one line with a reason per card.

    Raises:
        NotationError: a pose or card that cannot be read; the error points at the position.
        TypeError: what is no pose, no cards or no rules.

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
        cards: as in `score`; without cards nothing is scored.
        rules: edition and variants; the second edition with the advanced cards unless told.
        bet: seat that the narrator bet on, counted from 1 at the left of the image; without cards it pays nothing.
        reader: an open reader to use again; opening one takes about a second.

    Returns:
        Players from left to right with readings, scores and reasons; `said` holds the announcements.

    Raises:
        UnreadableError: a file that is no image.
        NotationError: cards that cannot be read.
        BetError: a bet on an empty seat.
        TypeError: pixels that are no array of `uint8`; what is no cards or no rules.
        ValueError: pixels of another shape, or none.

    MediaPipe writes lines about itself to the file descriptor of stderr, past Python and every setting; a program that
    wants none of them has to point descriptor 2 elsewhere itself, as the command line does.
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
    told = "Cards are a tuple of cards or their notation"
    table = () if cards is None else cards
    _expect(table, tuple | list, told)
    for card in table:
        _expect(card, Card, told)
    return tuple(table)


def _rules(rules: Rules | None) -> Rules:
    if rules is None:
        return rules_for()
    _expect(rules, Rules, "Rules are made by rules_for")
    return rules


def _expect(value: object, kind: type | UnionType, told: str) -> None:
    """Refuse what a program without type checks gives by mistake, before it fails further in."""
    if not isinstance(value, kind):
        raise TypeError(f"{told}, not {type(value).__name__}.")
