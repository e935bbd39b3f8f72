"""JSON shapes that other programs read, one object a line; the design fixes their keys.

Keys stand in a fixed order, and a key that does not apply is left out. More keys may be added, none is ever renamed.
"""

from __future__ import annotations

from itertools import repeat
from typing import TYPE_CHECKING, Any, Literal, Self, TypeAlias

from bunnymoose_cv.core.json_shape import DIGITS, JsonShape
from bunnymoose_cv.rules.cards import format_table
from bunnymoose_cv.rules.pose import Animal, Antler, Ear, Side, Tongue, format_headgear
from bunnymoose_cv.rules.trail import Figure
from bunnymoose_cv.voice.announcing import catch_up_lines, lines_about
from bunnymoose_cv.voice.phrases import NARRATOR, announce

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bunnymoose_cv.referee.judge import JudgedPlayer, Judgement
    from bunnymoose_cv.referee.judged_round import JudgedRound, JudgedSeat
    from bunnymoose_cv.referee.question import JudgedMove
    from bunnymoose_cv.rules.ranking import Standing
    from bunnymoose_cv.rules.round import Round, Verdict
    from bunnymoose_cv.rules.scoring import Score, ScoreLine
    from bunnymoose_cv.rules.trail import Places
    from bunnymoose_cv.vision.geometry import Box
    from bunnymoose_cv.vision.headgear.headgear_reading import HeadgearReading
    from bunnymoose_cv.vision.readings import FaceReading
    from bunnymoose_cv.vision.tongue.tongue_reading import TongueReading

AnimalName: TypeAlias = Literal["moose", "rabbit", "bush"]
FacePixels: TypeAlias = tuple[int, int, int, int]
"""Left, top, width, height."""


class HeadgearShape(JsonShape):
    """Headgear of one side; `unclear` names the fields that are not sure enough to stand alone."""

    headgear: str
    confidence: float
    unclear: tuple[str, ...]
    reasons: tuple[str, ...]

    @classmethod
    def of(cls, reading: HeadgearReading) -> Self:
        """From a reading."""
        return cls(
            headgear=format_headgear(reading.headgear),
            confidence=round(reading.confidence, DIGITS),
            unclear=tuple(field.value for field in reading.unclear),
            reasons=reading.reasons,
        )


class TongueShape(JsonShape):
    """Tongue of one mouth."""

    out: bool
    confidence: float
    unclear: bool

    @classmethod
    def of(cls, reading: TongueReading) -> Self:
        """From a reading."""
        return cls(
            out=reading.tongue is Tongue.OUT,
            confidence=round(reading.confidence, DIGITS),
            unclear=reading.unclear,
        )


class ScoreLineShape(JsonShape):
    """Effect of one card; `factor` multiplies the sum of all points (2, -1, or 1)."""

    card: str
    points: int
    why: str
    factor: int

    @classmethod
    def of(cls, line: ScoreLine) -> Self:
        """From a line of a score."""
        return cls(card=str(line.card), points=line.points, why=line.why, factor=line.factor)


class ScoreShape(JsonShape):
    """Points of the cards; the total of a bush is null."""

    total: int | None
    lines: tuple[ScoreLineShape, ...]
    say: str

    @classmethod
    def of(cls, score: Score) -> Self:
        """From a score."""
        return cls(
            total=score.total,
            lines=tuple(ScoreLineShape.of(line) for line in score.lines),
            say=announce(score.species, score.total),
        )


class MoveDoubtShape(JsonShape):
    """Probability of a verdict's move; `asked` where it is in doubt, `reasons` name what does not matter."""

    probability: float
    asked: bool
    reasons: tuple[str, ...]

    @classmethod
    def of(cls, move: JudgedMove | None) -> Self:
        """From a judged move; from none for a player who was not seen."""
        if move is None:
            return cls(probability=0.0, asked=True, reasons=())
        return cls(probability=round(move.probability, DIGITS), asked=move.asked, reasons=move.reasons)


class PlayerShape(JsonShape):
    """One player; `score` and `move` stand only where cards lie."""

    seat: int
    face_px: FacePixels
    pose: str
    animal: AnimalName
    species: AnimalName
    left: HeadgearShape
    right: HeadgearShape
    tongue: TongueShape
    score: ScoreShape | None = None
    move: MoveDoubtShape | None = None

    @classmethod
    def of(cls, player: JudgedPlayer) -> Self:
        """From a judged player."""
        reading = player.reading
        scored: dict[str, Any] = {}
        if player.score is not None:
            scored = {"score": ScoreShape.of(player.score), "move": MoveDoubtShape.of(player.move)}
        return cls(
            seat=reading.seat,
            face_px=_pixels(reading.face),
            pose=str(reading.pose),
            animal=reading.pose.animal.value,
            species=player.species.value,
            left=HeadgearShape.of(reading.headgear[Side.LEFT]),
            right=HeadgearShape.of(reading.headgear[Side.RIGHT]),
            tongue=TongueShape.of(reading.tongue),
            **scored,
        )


class MoveShape(JsonShape):
    """Distance that a figure moves; negative is back."""

    animal: AnimalName
    spaces: int


class NarratorShape(JsonShape):
    """Moves that the narrator's figures copy from the player with the bet."""

    bet: int
    moves: tuple[MoveShape, ...]
    say: str

    @classmethod
    def of(cls, bet: int, copied: Score) -> Self:
        """From the seat and the score of the player with the bet."""
        return cls(
            bet=bet,
            moves=tuple(MoveShape(animal=move.animal.value, spaces=move.spaces) for move in copied.moves),
            say=announce(copied.species, copied.total, [NARRATOR]),
        )


class JudgementShape(JsonShape):
    """One image, or one moment of a clip; `narrator` stands only where a bet lies."""

    source: str
    time_s: float
    size: tuple[int, int]
    players: tuple[PlayerShape, ...]
    narrator: NarratorShape | None = None

    @classmethod
    def of(cls, source: str, judgement: Judgement) -> Self:
        """From a judgement and the name of what was judged."""
        height, width = judgement.reading.image.shape[:2]
        bet = judgement.bet
        copied = {} if bet is None else {"narrator": NarratorShape.of(bet.seat, bet.copied)}
        return cls(
            source=_readable(source),
            time_s=round(judgement.reading.time_s, DIGITS),
            size=(width, height),
            players=tuple(PlayerShape.of(player) for player in judgement.players),
            **copied,
        )


class ScoredPoseShape(JsonShape):
    """A pose told by hand with what the cards pay; `seat` stands only where somebody sits."""

    seat: int | None = None
    pose: str
    animal: AnimalName
    species: AnimalName
    score: ScoreShape

    @classmethod
    def of(cls, score: Score, seat: int | None = None) -> Self:
        """From a score, and the seat of whose it is."""
        seated = {} if seat is None else {"seat": seat}
        return cls(
            **seated,
            pose=str(score.pose),
            animal=score.pose.animal.value,
            species=score.species.value,
            score=ScoreShape.of(score),
        )


class ScoresShape(JsonShape):
    """Poses told by hand, seat by seat; `narrator` stands only where a bet lies."""

    players: tuple[ScoredPoseShape, ...]
    narrator: NarratorShape | None = None

    @classmethod
    def of(cls, scores: Sequence[Score], bet: int | None) -> Self:
        """From the scores in seat order and the seat with the bet."""
        copied = {} if bet is None else {"narrator": NarratorShape.of(bet, scores[bet - 1])}
        return cls(players=tuple(ScoredPoseShape.of(score, seat) for seat, score in enumerate(scores, 1)), **copied)


class ExtremeShape(JsonShape):
    """All poses that share the highest or the lowest total."""

    total: int | None
    poses: tuple[ScoredPoseShape, ...]

    @classmethod
    def of(cls, scores: Sequence[Score]) -> Self:
        """From scores of the same total."""
        return cls(total=scores[0].total, poses=tuple(map(ScoredPoseShape.of, scores)))


class ExtremesShape(JsonShape):
    """Poses that score most and least against a table; `tried` counts all poses, bushes too."""

    tried: int
    best: ExtremeShape
    worst: ExtremeShape


class HandShape(JsonShape):
    """One hand by itself: an antler has a spread and a direction, an ear a form; without a hand all is empty."""

    source: str
    kind: Literal["antler", "ear", "other"] | None
    spread: Literal["W", "C"] | None
    form: Literal["S", "F"] | None
    direction: Literal["U", "D"] | None
    confidence: float | None
    unclear: tuple[str, ...]
    reasons: tuple[str, ...]

    @classmethod
    def of(cls, source: str, reading: HeadgearReading | None) -> Self:
        """From a reading of one hand, or from none where no hand was found."""
        if reading is None:
            nothing = dict.fromkeys(("kind", "spread", "form", "direction", "confidence"))
            return cls(source=_readable(source), **nothing, unclear=(), reasons=())
        shown = reading.headgear
        return cls(
            source=_readable(source),
            kind=reading.probabilities.kind.value,
            spread=shown.spread.value if isinstance(shown, Antler) else None,
            form=shown.form.value if isinstance(shown, Ear) else None,
            direction=shown.direction.value if isinstance(shown, Antler) else None,
            confidence=round(reading.confidence, DIGITS),
            unclear=tuple(field.value for field in reading.unclear),
            reasons=reading.reasons,
        )


class FaceShape(JsonShape):
    """One face and its tongue."""

    face_px: FacePixels
    tongue: TongueShape


class FacesShape(JsonShape):
    """All faces of an image from left to right."""

    source: str
    faces: tuple[FaceShape, ...]

    @classmethod
    def of(cls, source: str, faces: Sequence[FaceReading]) -> Self:
        """From the readings of an image's faces."""
        return cls(
            source=_readable(source),
            faces=tuple(FaceShape(face_px=_pixels(face.box), tongue=TongueShape.of(face.tongue)) for face in faces),
        )


class FiguresShape(JsonShape):
    """Positions of a player's two figures, in spaces from the rear end that the trail had at the start."""

    moose: int
    rabbit: int

    @classmethod
    def by_player(cls, places: Places) -> dict[str, Self]:
        """From the positions of all figures."""
        return {
            player: cls(moose=places[Figure(player, Animal.MOOSE)], rabbit=places[Figure(player, Animal.RABBIT)])
            for player in dict.fromkeys(figure.player for figure in places)
        }


class VerdictShape(JsonShape):
    """One player in one round of a game; `unclear` names what was not sure enough to stand alone: `left.spread`.

    What people put right stands in `pose`, what was read before it in `read`, which stands only then, and then there
    is no `move`. A player whose face was not found has no `face_px`; in a round of which nothing is remembered there is
    none of these.
    """

    player: str
    seat: int
    pose: str
    animal: AnimalName
    species: AnimalName
    unclear: tuple[str, ...]
    moved: bool
    score: ScoreShape
    move: MoveDoubtShape | None = None
    moved_s: float | None = None
    read: str | None = None
    face_px: FacePixels | None = None

    @classmethod
    def of(cls, verdict: Verdict, seen: dict[str, Any]) -> Self:
        """From what a player scored, and the fields of `seen_fields`."""
        shown = verdict.score.pose
        return cls(
            player=verdict.player,
            seat=verdict.seat,
            pose=str(shown),
            animal=shown.animal.value,
            species=verdict.score.species.value,
            score=ScoreShape.of(verdict.score),
            **{"unclear": (), "moved": False, **seen},
        )


def seen_fields(verdict: Verdict, seat: JudgedSeat, move: JudgedMove | None) -> dict[str, Any]:
    """The fields of a verdict that tell what was seen, and how sure its move is."""
    seen: dict[str, Any] = {"moved": seat.movement is not None}
    if seat.reading is not None:
        seen["face_px"] = _pixels(seat.reading.face)
    if seat.movement is not None:
        seen["moved_s"] = round(seat.movement.time_s, DIGITS)
    if verdict.score.pose != seat.pose:
        return {**seen, "read": str(seat.pose)}
    return {**seen, "unclear": seat.unclear, "move": MoveDoubtShape.of(move)}


class PlayedRoundShape(JsonShape):
    """A round of a game that is over; `clip` is the replay, null where none is kept."""

    round: int
    narrator: str
    bet: str | None
    cards: str
    verdicts: tuple[VerdictShape, ...]
    say: tuple[str, ...]
    catch_up: tuple[str, ...]
    figures: dict[str, FiguresShape]
    clip: str | None

    @classmethod
    def of(cls, played: Round, judged: JudgedRound | None) -> Self:
        """From a round by the rules, and what was seen in it; None where nothing was, or before a restart."""
        facts = played.facts
        seen: Iterable[dict[str, Any]] = repeat({}, len(played.verdicts))
        if judged is not None:
            seen = (
                seen_fields(verdict, seat, seat.move(facts.cards, facts.rules, judged.threshold))
                for verdict, seat in zip(played.verdicts, judged.seats, strict=True)
            )
        return cls(
            round=facts.number,
            narrator=facts.narrator,
            bet=facts.bet,
            cards=format_table(facts.cards),
            verdicts=tuple(map(VerdictShape.of, played.verdicts, seen)),
            say=tuple(lines_about(played.verdicts, facts.narrator, facts.bet)),
            catch_up=tuple(catch_up_lines(played)),
            figures=FiguresShape.by_player(played.trail.places),
            clip=None if judged is None or judged.kept is None else str(judged.kept.replay),
        )


class StandingShape(JsonShape):
    """A player's place in the ranking, with the spaces of the two figures."""

    place: int
    player: str
    rear: int
    front: int


class RankingShape(JsonShape):
    """Standings, best first."""

    ranking: tuple[StandingShape, ...]

    @classmethod
    def of(cls, standings: Sequence[Standing]) -> Self:
        """From a ranking."""
        return cls(
            ranking=tuple(
                StandingShape(place=each.place, player=each.player, rear=each.rear, front=each.front)
                for each in standings
            )
        )


def _pixels(box: Box) -> FacePixels:
    return round(box.x), round(box.y), round(box.width), round(box.height)


def _readable(source: str) -> str:
    """A file's name as text; bytes of it that are no text become a sign for that."""
    return source.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
