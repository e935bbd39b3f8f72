"""Warm-up guide: seats players before a video source, asks for each pose, and reports which were understood."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import Enum
from typing import TYPE_CHECKING, Final

from bunnymoose_cv.capture.live_source import CameraState
from bunnymoose_cv.core.actor import ActorThread
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.observable import VersionedState
from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.session.source_actor import SourceActor
from bunnymoose_cv.session.table_state import LatestReading
from bunnymoose_cv.session.warmup.warm_up_round import STEPS, WarmUpRound
from bunnymoose_cv.vision.video.seats import seated
from bunnymoose_cv.vision.video.tracker import Tracker

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from concurrent.futures import Future

    from bunnymoose_cv.calibration.profiles.profile_files import ProfileFiles
    from bunnymoose_cv.capture.frame import Frame
    from bunnymoose_cv.rules.exemptions import Exemption
    from bunnymoose_cv.rules.pose import Pose
    from bunnymoose_cv.session.sources.video_source import VideoSource
    from bunnymoose_cv.session.warmup.warm_up_round import WarmUpState
    from bunnymoose_cv.vision.reader import Reader


@dataclass(frozen=True, slots=True)
class WarmUpSummary:
    """Outcome of one player's warm-up, with the missed poses, which were not read as asked."""

    player: str
    missed: tuple[Pose, ...]

    @property
    def words(self) -> Phrase:
        """Outcome as one sentence."""
        if len(self.missed) == len(STEPS):
            return Phrase(
                "{player}: no pose was understood. Sit so that the camera sees head and hands, and do it again.",
                player=self.player,
            )
        return Phrase(
            "{player}: {right} of {count} poses understood.",
            player=self.player,
            right=len(STEPS) - len(self.missed),
            count=len(STEPS),
        )


PAUSE_S: Final = 0.03

CLOSED: Final = Phrase("The warm-up is closed: reload the page.")
ENDED: Final = Phrase("The pictures ended before the warm-up was over.")


class WarmUpPhase(Enum):
    """Phases of a warm-up."""

    SEATING = "seating"
    POSES = "poses"
    OVER = "over"
    CLOSED = "closed"


@dataclass(frozen=True, slots=True, eq=False)
class WarmUpView(VersionedState):
    """Published state of a warm-up.

    Attributes:
        row: the players in the row, from the left of the image.
        asked: the players who show the poses; the others may rest.
        exempt: the parts that are not judged, by player.
        round: the state of the poses; None in other phases.
        problem: a sentence about trouble with camera or disk; otherwise empty.
    """

    phase: WarmUpPhase
    row: tuple[str, ...]
    asked: frozenset[str] = frozenset()
    exempt: Mapping[str, frozenset[Exemption]] = field(default_factory=dict)
    round: WarmUpState | None = None
    understood: Mapping[str, WarmUpSummary] = field(default_factory=dict)
    problem: str = ""


class WarmUpGuide(SourceActor[WarmUpView]):
    """Thread-safe warm-up before a video source, from `with` to its end.

    Args:
        players: the possible players of the row, from the left of the image; at first all of them are in it.
        store: the profiles with the players' exemptions, which are changed there.
        say: says an instruction, and returns at once.
    """

    def __init__(
        self,
        source: VideoSource,
        reader: Reader,
        players: Sequence[str],
        store: ProfileFiles,
        say: Callable[[Phrase], object],
    ) -> None:
        self.players = tuple(players)
        self._reader, self._store, self._say = reader, store, say
        self._tracker = Tracker(reader, len(self.players))
        self._round: WarmUpRound | None = None
        self._said = (0, False)
        self._camera = CameraState.WATCHING
        actor = ActorThread(
            "warm-up",
            self._turn,
            first_turn_s=PAUSE_S,
            ended=lambda _: self._rest(WarmUpPhase.CLOSED, CLOSED),
            refusal=CLOSED,
        )
        exempt, problem = {}, ""
        for name in self.players:
            try:
                if (profile := store.player(name)) is not None:
                    exempt[name] = profile.exempt
            except InputError as error:  # a damaged profile
                problem = error.sentence
        super().__init__(source, actor, WarmUpView(WarmUpPhase.SEATING, self.players, exempt=exempt, problem=problem))

    def sit(self, row: Sequence[str]) -> Future[None]:
        """Change the players of the row, in their order; ignored while poses are shown."""
        return self._actor.submit(lambda: self._sit(frozenset(row)))

    def exempt(self, player: str, parts: frozenset[Exemption]) -> Future[None]:
        """Change and store the parts of a player that are not judged."""
        return self._actor.submit(lambda: self._exempt(player, parts))

    def begin(self, only: frozenset[str] = frozenset()) -> Future[None]:
        """Ask for the poses of all players in the row, or of some; an earlier round is forgotten.

        The Future raises an InputError if the row is empty or the images have ended.
        """
        return self._actor.submit(lambda: self._begin(only))

    def skip(self) -> Future[None]:
        """Skip the current pose."""
        return self._actor.submit(self._skip)

    def leave_off(self) -> Future[None]:
        """Cancel this round."""
        return self._actor.submit(lambda: self._rest(WarmUpPhase.SEATING))

    # On the actor thread.

    def _sit(self, row: frozenset[str]) -> None:
        if self._round is None:
            seats = tuple(player for player in self.players if player in row)
            self._tracker = Tracker(self._reader, len(seats))
            self._published.publish(replace(self.state, row=seats))

    def _exempt(self, player: str, parts: frozenset[Exemption]) -> None:
        if player in self.players:
            self._store.exempt(player, parts)
            self._published.publish(replace(self.state, exempt={**self.state.exempt, player: parts}))

    def _begin(self, only: frozenset[str]) -> None:
        row = self.state.row
        asked = frozenset(row) & (only or frozenset(row))
        if not asked:
            raise InputError(Phrase("Nobody sits in the row: say who does."))
        if self._camera is CameraState.ENDED:
            raise InputError(ENDED)
        seats = {name: number for number, name in enumerate(row, 1)}
        exempt = {seats[name]: parts for name, parts in self.state.exempt.items() if name in seats}
        self._round = WarmUpRound(self._reader, len(row), frozenset(seats[name] for name in asked), exempt)
        self._said = (0, False)
        self._published.publish(
            replace(self.state, phase=WarmUpPhase.POSES, asked=asked, round=self._round.state, problem="")
        )
        self._say_step()

    def _skip(self) -> None:
        if self._round is not None:
            self._go_on(self._round.skip())

    def _turn(self) -> float:
        """Read the next frame; the wait for commands gives the camera time for it."""
        if self._source.camera is not self._camera:
            self._camera = self._source.camera
            self._restart_take()
        elif (frame := self._frames.take()) is not None:
            self._look(frame)
        return PAUSE_S

    def _restart_take(self) -> None:
        """Restart the take, since the camera has changed or is lost, and half a take does not count."""
        self._tracker.forget()
        if self._round is not None:
            self._round.restart_take()
        if self._camera is CameraState.ENDED and self._round is not None:
            self._rest(WarmUpPhase.SEATING, problem=ENDED)
        else:
            self._published.publish(replace(self.state, problem=self._source.problem))

    def _look(self, frame: Frame) -> None:
        reading = self._tracker.read_quick(frame) if self._round is None else self._tracker.read(frame)
        shown = seated(reading, max(1, len(self.state.row)))
        self._latest_reading = LatestReading.after(self._latest_reading, shown)
        if self._round is None:
            self._published.publish(self.state)
        else:
            self._go_on(self._round.see(reading))

    def _go_on(self, state: WarmUpState) -> None:
        self._published.publish(replace(self.state, round=state))
        if state.step is None:
            self._finish()
        else:
            self._say_step()

    def _say_step(self) -> None:
        """Say the instruction, once per take."""
        state = self.state.round
        if state is None or state.step is None or self._said == (state.number, state.again):
            return
        self._said = state.number, state.again
        self._say(Phrase("Again. {line}", line=state.step.words) if state.again else state.step.words)

    def _finish(self) -> None:
        read = {} if self._round is None else self._round.understood
        understood = dict(self.state.understood)
        for seat, name in enumerate(self.state.row, 1):
            if name in self.state.asked:
                missed = tuple(step.asked for step in STEPS if step.asked not in read.get(seat, ()))
                understood[name] = WarmUpSummary(name, missed)
        self._published.publish(replace(self.state, understood=understood))
        self._rest(WarmUpPhase.OVER)

    def _rest(self, phase: WarmUpPhase, problem: str = "") -> None:
        self._round = None
        self._published.publish(replace(self.state, phase=phase, asked=frozenset(), round=None, problem=problem))
