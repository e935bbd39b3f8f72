"""The JSON of a judged round, written and read: landmarks, readings, verdicts with their reasons.

Points are pixels of the frame's image, origin top left, unmirrored, with depth; left and right are the player's own.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, Self, TypeAlias

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, PlainSerializer, PlainValidator

from bunnymoose_cv.core.json_line import rounded
from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.i18n.language import Language
from bunnymoose_cv.rules.pose import Side, Tongue, format_headgear
from bunnymoose_cv.vision.headgear.measures import HandMeasures  # noqa: TC001 - likewise
from bunnymoose_cv.voice.phrases import announce

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bunnymoose_cv.rules.round import Verdict
    from bunnymoose_cv.vision.geometry import Points
    from bunnymoose_cv.vision.headgear.headgear_reading import HeadgearReading
    from bunnymoose_cv.vision.readings import FrameReading, PlayerReading
    from bunnymoose_cv.vision.tongue.tongue_reading import TongueReading


def _encode_phrase(phrase: Phrase) -> str | dict[str, Any]:
    return _with_values(phrase) if phrase.values else phrase.template


def _with_values(phrase: Phrase) -> dict[str, Any]:
    values = {name: _with_values(each) if isinstance(each, Phrase) else each for name, each in phrase.values.items()}
    return {"text": phrase.template, "values": values}


def _read(kept: object) -> Phrase:
    """A phrase out of JSON; one that is a phrase already stays as it is."""
    match kept:
        case Phrase():
            return kept
        case str():
            return Phrase(kept)
        case {"text": str(text), "values": dict(values)}:
            read = {name: _read(each) if isinstance(each, dict) else each for name, each in values.items()}
            try:
                return Phrase(text, **read)
            except (LookupError, AttributeError, TypeError) as error:
                raise ValueError(f"the values do not fit “{text}”") from error
    raise ValueError("a phrase is a text, or a text with its values")


KeptPhrase: TypeAlias = Annotated[Phrase, PlainValidator(_read), PlainSerializer(_encode_phrase)]
"""The type of a field that holds a phrase."""


EVIDENCE_FORMAT: Final = 2
"""Rises when the shape changes so that older programs cannot read it."""

Pixels: TypeAlias = Annotated[float, Field(ge=-1_000_000, le=1_000_000)]
"""Place in an image; none is so far outside."""

Length: TypeAlias = Annotated[float, Field(ge=1, le=1_000_000)]
"""Length in an image, pixels."""

PointShape: TypeAlias = tuple[Pixels, Pixels, Pixels]
BoxShape: TypeAlias = tuple[Pixels, Pixels, Length, Length]
"""Left, top, width, height."""


class _Shape(BaseModel):
    model_config = ConfigDict(frozen=True, allow_inf_nan=False)


class HeadgearEvidence(_Shape):
    """Reading of one side; `hand` holds its joints, none where no hand was found.

    `probabilities` are the net's own answer (vision/headgear/headgear_reading.py). `measures` are what the reasons tell
    of the hand in words; none where no hand was found, or an older program kept the round.
    """

    headgear: str
    confidence: float
    probabilities: dict[str, float]
    unclear: tuple[str, ...]
    reasons: tuple[KeptPhrase, ...]
    hand: tuple[PointShape, ...]
    measures: HandMeasures | None = None

    @classmethod
    def of(cls, player: PlayerReading, side: Side) -> Self:
        """From a player's reading."""
        reading: HeadgearReading = player.headgear[side]
        hand = player.player.hands.get(side)
        return cls(
            headgear=format_headgear(reading.headgear),
            confidence=rounded(reading.confidence),
            probabilities={name: rounded(each) for name, each in asdict(reading.probabilities).items()},
            unclear=tuple(field.value for field in reading.unclear),
            reasons=reading.reasons,
            hand=() if hand is None else _points(hand.points),
            measures=reading.measures,
        )


class TongueEvidence(_Shape):
    """Reading of a mouth."""

    out: bool
    confidence: float
    unclear: bool

    @classmethod
    def of(cls, reading: TongueReading) -> Self:
        """From a reading."""
        return cls(out=reading.tongue is Tongue.OUT, confidence=rounded(reading.confidence), unclear=reading.unclear)


class PlayerEvidence(_Shape):
    """One player in one frame, or agreed over all frames; `exempt` names what is not judged."""

    seat: int
    face_px: BoxShape
    face: tuple[PointShape, ...]
    pose: str
    left: HeadgearEvidence
    right: HeadgearEvidence
    tongue: TongueEvidence
    exempt: tuple[str, ...] = ()

    @classmethod
    def of(cls, reading: PlayerReading) -> Self:
        """From a reading."""
        box = reading.face
        return cls(
            seat=reading.seat,
            face_px=(round(box.x, 1), round(box.y, 1), round(box.width, 1), round(box.height, 1)),
            face=_points(reading.player.head.face.points),
            pose=str(reading.pose),
            left=HeadgearEvidence.of(reading, Side.LEFT),
            right=HeadgearEvidence.of(reading, Side.RIGHT),
            tongue=TongueEvidence.of(reading.tongue),
            exempt=tuple(sorted(each.value for each in reading.exempt)),
        )


def _last_part(name: str) -> str:
    """A file's name without any folder, so that no evidence names an image elsewhere on the disk."""
    return name.replace("\\", "/").rsplit("/", 1)[-1]


class FrameEvidence(_Shape):
    """One judged frame: its image's file beside this, and who was seen in it."""

    file: Annotated[str, AfterValidator(_last_part)]
    time_s: float
    players: tuple[PlayerEvidence, ...]

    @classmethod
    def of(cls, file: str, frame: FrameReading) -> Self:
        """From a frame's reading."""
        return cls(
            file=file,
            time_s=rounded(frame.time_s),
            players=tuple(PlayerEvidence.of(player) for player in frame.players),
        )


class ScoreLineEvidence(_Shape):
    """Effect of one card, and the reason."""

    card: str
    points: int
    factor: int
    why: KeptPhrase


class VerdictEvidence(_Shape):
    """Judged pose of a player and its score; corrections stand in the game file.

    `say` is its announcement in the language of the round (`RoundShape.language`).
    """

    player: str
    seat: int
    pose: str
    species: Literal["moose", "rabbit", "bush"]
    total: int | None
    lines: tuple[ScoreLineEvidence, ...]
    say: str

    @classmethod
    def of(cls, verdict: Verdict, language: Language) -> Self:
        """From a verdict, announced in a language."""
        score = verdict.score
        return cls(
            player=verdict.player,
            seat=verdict.seat,
            pose=str(score.pose),
            species=score.species.value,
            total=score.total,
            lines=tuple(
                ScoreLineEvidence(card=str(line.card), points=line.points, factor=line.factor, why=line.why)
                for line in score.lines
            ),
            say=announce(score.species, score.total, [verdict.player], language),
        )


class MoveEvidence(_Shape):
    """A player who changed after the freeze, and when it shows."""

    seat: int
    time_s: float


class RoundShape(_Shape):
    """A round's `evidence.json`.

    Attributes:
        cue_s: when Bam was said; all times are on this clock.
        size: of the images, width and height in pixels.
        players: in seat order.
        frames: those that were read.
        agreed: what they show together, drawn in the file that it names.
        verdicts: of those who were not asked.
        moved: who changed afterwards.
        said: what was announced.
        language: of what was announced and of the words in films; older programs kept none.
    """

    format: Literal[1, 2] = EVIDENCE_FORMAT
    round: int
    cue_s: float
    size: tuple[int, int]
    players: tuple[str, ...]
    frames: Annotated[tuple[FrameEvidence, ...], Field(min_length=1)]
    agreed: FrameEvidence
    verdicts: tuple[VerdictEvidence, ...]
    moved: tuple[MoveEvidence, ...]
    said: tuple[str, ...]
    language: Language = Language.ENGLISH

    def reading_of(self, seat: int) -> PlayerEvidence | None:
        """Return the aggregated reading of a seat; None for somebody who was not seen."""
        return next((player for player in self.agreed.players if player.seat == seat), None)


FilmSeconds: TypeAlias = Annotated[float, Field(ge=0, le=86_400)]
"""Seconds of a film; none of ours lasts a day."""


class RepeatShape(_Shape):
    """Slow-motion repeat of a player's move in a replay, seconds of the film."""

    seat: int
    start_s: FilmSeconds
    end_s: FilmSeconds


class FilmShape(_Shape):
    """A round's `replay.json`: what happens when in its replay, seconds of the film.

    Attributes:
        cue_s: when it stops for the judged image.
        hold_s: for how long.
        repeats: the slow motion at its end.
    """

    cue_s: FilmSeconds
    hold_s: FilmSeconds
    repeats: tuple[RepeatShape, ...] = ()


def _points(points: Points) -> tuple[PointShape, ...]:
    """Points to a tenth of a pixel."""
    rows: Iterable[list[float]] = points.astype(float).round(1).tolist()
    return tuple((x, y, z) for x, y, z in rows)
