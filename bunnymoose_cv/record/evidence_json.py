"""JSON of a judged round: landmarks, readings, verdicts with their reasons.

Points are pixels of the frame's image, origin top left, unmirrored, with depth; left and right are the player's own.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, Self, TypeAlias

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, PlainSerializer, PlainValidator

from bunnymoose_cv.announcements.announcing import verdict_line
from bunnymoose_cv.core.json_line import rounded
from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.i18n.language import Language
from bunnymoose_cv.rules.pose import Side, Tongue, format_headgear
from bunnymoose_cv.vision.headgear.measures import HandMeasures  # noqa: TC001 - pydantic needs the type

if TYPE_CHECKING:
    from bunnymoose_cv.rules.round import Verdict
    from bunnymoose_cv.vision.detections import HandLandmarks
    from bunnymoose_cv.vision.geometry import Points
    from bunnymoose_cv.vision.headgear.headgear_reading import HeadgearReading
    from bunnymoose_cv.vision.readings import FrameReading, PlayerReading
    from bunnymoose_cv.vision.tongue import TongueReading


def _encode_phrase(phrase: Phrase) -> str | dict[str, Any]:
    return _with_values(phrase) if phrase.values else phrase.template


def _with_values(phrase: Phrase) -> dict[str, Any]:
    values = {name: _with_values(part) if isinstance(part, Phrase) else part for name, part in phrase.values.items()}
    return {"text": phrase.template, "values": values}


def _parse_phrase(kept: object) -> Phrase:
    """Parse a phrase from JSON; a `Phrase` is returned unchanged."""
    match kept:
        case Phrase():
            return kept
        case str():
            return Phrase(kept)
        case {"text": str(text), "values": dict(values)}:
            parsed = {name: _parse_phrase(part) if isinstance(part, dict) else part for name, part in values.items()}
            try:
                return Phrase(text, **parsed)
            except (LookupError, AttributeError, TypeError) as error:
                raise ValueError(f"the values do not fit “{text}”") from error
    raise ValueError("a phrase is a text, or a text with its values")


KeptPhrase: TypeAlias = Annotated[Phrase, PlainValidator(_parse_phrase), PlainSerializer(_encode_phrase)]

EVIDENCE_FORMAT: Final = 2
"""Version of the format; it rises with changes that older versions of the program cannot read."""

Pixels: TypeAlias = Annotated[float, Field(ge=-1_000_000, le=1_000_000)]
"""Coordinate in an image, pixels. It may be outside, but never this far."""

Length: TypeAlias = Annotated[float, Field(ge=1, le=1_000_000)]

PointShape: TypeAlias = tuple[Pixels, Pixels, Pixels]
BoxShape: TypeAlias = tuple[Pixels, Pixels, Length, Length]
"""Box: left, top, width, height."""


class _Shape(BaseModel):
    model_config = ConfigDict(frozen=True, allow_inf_nan=False)


class HeadgearEvidence(_Shape):
    """Reading of one side, with the joints of the hand and the measures from which the reasons are worded.

    Without a hand there are neither; older versions stored no measures.
    """

    headgear: str
    confidence: float
    probabilities: dict[str, float]
    unclear: tuple[str, ...]
    reasons: tuple[KeptPhrase, ...]
    hand: tuple[PointShape, ...]
    measures: HandMeasures | None = None

    @classmethod
    def of(cls, reading: HeadgearReading, hand: HandLandmarks | None = None) -> Self:
        """Return the evidence of a reading and its hand."""
        return cls(
            headgear=format_headgear(reading.headgear),
            confidence=rounded(reading.confidence),
            probabilities={name: rounded(value) for name, value in asdict(reading.probabilities).items()},
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
        """Return the evidence of a reading."""
        return cls(out=reading.tongue is Tongue.OUT, confidence=rounded(reading.confidence), unclear=reading.unclear)


class PlayerEvidence(_Shape):
    """One player in one frame, or aggregated over all frames; `exempt` names the exemptions."""

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
        """Return the evidence of a reading."""
        box = reading.face
        return cls(
            seat=reading.seat,
            face_px=(round(box.x, 1), round(box.y, 1), round(box.width, 1), round(box.height, 1)),
            face=_points(reading.player.head.face.points),
            pose=str(reading.pose),
            left=HeadgearEvidence.of(reading.headgear[Side.LEFT], reading.player.hands.get(Side.LEFT)),
            right=HeadgearEvidence.of(reading.headgear[Side.RIGHT], reading.player.hands.get(Side.RIGHT)),
            tongue=TongueEvidence.of(reading.tongue),
            exempt=tuple(sorted(exemption.value for exemption in reading.exempt)),
        )


def _last_part(name: str) -> str:
    """Return a file's name without folders, so that evidence cannot name an image elsewhere on the disk."""
    return name.replace("\\", "/").rsplit("/", 1)[-1]


class FrameEvidence(_Shape):
    """One judged frame: its image file in the same folder, and the players seen in it."""

    file: Annotated[str, AfterValidator(_last_part)]
    time_s: float
    players: tuple[PlayerEvidence, ...]

    @classmethod
    def of(cls, file: str, frame: FrameReading) -> Self:
        """Return the evidence of a frame's reading."""
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
    """Judged pose and score of a player, announced in the language of the round; corrections are in the game file."""

    player: str
    seat: int
    pose: str
    species: Literal["moose", "rabbit", "bush"]
    total: int | None
    lines: tuple[ScoreLineEvidence, ...]
    say: str

    @classmethod
    def of(cls, verdict: Verdict, language: Language) -> Self:
        """Return the evidence of a verdict, announced in a language."""
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
            say=verdict_line(verdict, language),
        )


class MoveEvidence(_Shape):
    """Player who changed the pose after the freeze, and the time when it shows."""

    seat: int
    time_s: float


class RoundShape(_Shape):
    """A round's `evidence.json`, with the players in seat order and the verdicts about all who were not asked.

    Attributes:
        cue_s: the time of Bam, in seconds; all times are on this clock.
        size: width and height of the images in pixels.
        agreed: the aggregated reading of the frames, drawn in the file that it names.
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
        """Return the aggregated reading of a seat; None for a player who was not seen."""
        return next((player for player in self.agreed.players if player.seat == seat), None)


FilmSeconds: TypeAlias = Annotated[float, Field(ge=0, le=86_400)]
"""Time in a film, seconds; no film of this program lasts a day."""


class RepeatShape(_Shape):
    """Slow-motion repeat of a player's move in a replay, seconds of the film."""

    seat: int
    start_s: FilmSeconds
    end_s: FilmSeconds


class FilmShape(_Shape):
    """A round's `replay.json`: the times in its replay, which stops at `cue_s` for the judged image."""

    cue_s: FilmSeconds
    hold_s: FilmSeconds
    repeats: tuple[RepeatShape, ...] = ()


def _points(points: Points) -> tuple[PointShape, ...]:
    """Round points to a tenth of a pixel."""
    return tuple((x, y, z) for x, y, z in points.astype(float).round(1).tolist())
