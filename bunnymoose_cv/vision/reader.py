"""Reader: images to readings of all players. The only entry point of `vision`."""

from __future__ import annotations

from dataclasses import replace
from threading import local
from typing import TYPE_CHECKING, Self

from bunnymoose_cv.capture.frame import check_image
from bunnymoose_cv.core.room_in_memory import MODELS_BYTES, has_room_in_memory
from bunnymoose_cv.core.user_settings import Settings, load_settings
from bunnymoose_cv.vision.effort import Effort
from bunnymoose_cv.vision.faces.face_search import find_heads
from bunnymoose_cv.vision.hands.lone_hand import find_lone_hand
from bunnymoose_cv.vision.headgear.headgear_reader import HeadgearReader, reading_of
from bunnymoose_cv.vision.nets.worker_pool import Workers
from bunnymoose_cv.vision.pipeline import run_image_stages, run_player_stages
from bunnymoose_cv.vision.readings import FaceReading, FrameReading, PlayerReading
from bunnymoose_cv.vision.stages import FrameState, ImageTools, PlayerState, PlayerTools
from bunnymoose_cv.vision.tongue.tongue_cascade import TongueReader
from bunnymoose_cv.vision.tongue.tongue_reading import TongueReading
from bunnymoose_cv.vision.video.motion import has_moved

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import TracebackType

    from bunnymoose_cv.capture.frame import Frame, Image
    from bunnymoose_cv.rules.pose import Side
    from bunnymoose_cv.vision.faces.head import Head
    from bunnymoose_cv.vision.hands.assignment import Player
    from bunnymoose_cv.vision.headgear.headgear_reading import HeadgearProbabilities, HeadgearReading
    from bunnymoose_cv.vision.nets.mediapipe import Landmarkers


class _OwnNets(local):
    """Networks of our own, one set a thread, loaded at first use (a tenth of a second)."""

    def __init__(self, settings: Settings) -> None:
        self.tools = PlayerTools(HeadgearReader(settings.headgear), TongueReader(settings.tongue))


class Reader:
    """Reader of images, with the models; heads of one image are read in parallel, and several threads may read.

    Every method that takes pixels raises `TypeError` where they are no array of `uint8`, `ValueError` where their shape
    is not (height, width, 3), and `RuntimeError` once the reader is closed.

    Args:
        settings: thresholds; those of `calibration/default.toml` and the user's own settings file unless told.

    Raises:
        InputError: a model is missing or damaged, or the settings file cannot be used.
    """

    def __init__(self, settings: Settings | None = None) -> None:
        self.settings = settings = settings or load_settings()
        self._is_closed = False
        self._workers = Workers()
        self._own = _OwnNets(settings)

    def read(self, image: Image, time_s: float = 0.0) -> FrameReading:
        """Read one image, searching it for players.

        Args:
            image: shape (height, width, 3), blue-green-red, unmirrored.
            time_s: when it was taken, carried through.
        """
        return self._read(FrameState(image), time_s, Effort.SEARCH, lambda _: None)

    def follow(
        self,
        frame: Frame,
        heads: Sequence[Head],
        effort: Effort = Effort.FULL,
        reused: Sequence[PlayerReading] = (),
    ) -> FrameReading:
        """Read a frame whose players are known from an earlier one: far quicker, since nobody is searched for.

        Args:
            heads: their places some tenths of a second ago; other people are not found.
            effort: `FULL` or `QUICK`; tongues get their second stage in each, since every frame shows
                for how long they are out.
            reused: readings of other players, who are not read in this frame: these readings are carried over.
        """
        by_head = {reading.player.head: reading for reading in reused}

        def find_reused(player: Player) -> PlayerReading | None:
            reading = by_head.get(player.head)
            return None if reading is None else replace(reading, player=player, is_reused=True)

        state = FrameState(frame.image, (*heads, *by_head), fixed_heads=by_head.keys(), skip_hands=by_head.keys())
        return self._read(state, frame.time_s, effort, find_reused)

    def read_quick(
        self,
        frame: Frame,
        heads: Sequence[Head],
        previous: FrameReading,
    ) -> FrameReading:
        """Read a frame at a glance: all faces, and hands and mouth of players without a reading to reuse.

        Args:
            heads: as `follow` takes them.
            previous: an earlier reading, with the players whose hands and mouths are reused.
        """
        skip_hands = {head for head in heads if _reading_of(head, previous) is not None}
        in_place = [each.player.head for each in previous.players]
        fixed_heads = {head for head in skip_hands if any(head is each for each in in_place)}

        def find_reused(player: Player) -> PlayerReading | None:
            reading = _reading_of(player.head, previous)
            return None if reading is None else _move_to_head(reading, player, previous.image, frame.image)

        state = FrameState(frame.image, tuple(heads), fixed_heads, skip_hands)
        return self._read(state, frame.time_s, Effort.GLANCE, find_reused)

    def search(self, image: Image) -> tuple[Head, ...]:
        """Search one image for heads, from left to right."""
        self._check(image)
        return find_heads(image, self._workers, self.settings.people)

    def _read(
        self, state: FrameState, time_s: float, effort: Effort, find_reused: Callable[[Player], PlayerReading | None]
    ) -> FrameReading:
        """Run the stages; whoever has a reading to reuse is not read."""
        self._check(state.image)
        tools = ImageTools(self._workers, self.settings.people, lambda: self._own.tools)

        def read_player(_: Landmarkers, player: Player) -> PlayerReading:
            return find_reused(player) or self._read_player(state.image, player, effort)

        state = run_image_stages(state, tools, effort)
        return FrameReading(state.image, time_s, tuple(self._workers.map(read_player, state.players)))

    def _read_player(self, image: Image, player: Player, effort: Effort) -> PlayerReading:
        state = run_player_stages(PlayerState(image, player), self._own.tools, effort)
        assert state.tongue is not None  # noqa: S101 - the last stage gives it
        return PlayerReading(player, state.headgear, state.tongue)

    def read_faces(self, image: Image) -> tuple[FaceReading, ...]:
        """Read the tongues of all faces, from left to right, whatever the hands do."""
        self._check(image)
        heads = find_heads(image, self._workers, self.settings.people)
        tongues = self._workers.map(lambda _, head: self._own.tools.tongue.read(image, head), heads)
        return tuple(FaceReading(head.box, tongue) for head, tongue in zip(heads, tongues, strict=True))

    def read_lone_hand(self, image: Image) -> HeadgearReading | None:
        """Read a hand by itself; None where none is found.

        Args:
            image: shape (height, width, 3), blue-green-red, unmirrored; may be cut tight.
        """
        self._check(image)
        hand = find_lone_hand(image, self._workers)
        return None if hand is None else self._own.tools.headgear.read_alone([hand])[0]

    def headgear_reading(self, player: Player, side: Side, probabilities: HeadgearProbabilities) -> HeadgearReading:
        """Reading of a side of a head from probabilities that were aggregated over frames."""
        return reading_of(player, side, probabilities, self.settings.headgear)

    def tongue_reading(self, head: Head, probability_out: float) -> TongueReading:
        """Reading of a head's tongue from a probability that was aggregated over frames."""
        return TongueReading.of(probability_out, self.settings.tongue).at_head(head)

    def close(self) -> None:
        """Release the models."""
        self._is_closed = True
        self._workers.close()

    def _check(self, image: Image) -> None:
        if self._is_closed:
            raise RuntimeError("The reader is closed: open another.")
        check_image(image)

    def __enter__(self) -> Self:
        """Begin to read.

        Raises:
            MemoryError: the models have no room; some of them would end the program without a word.
        """
        if not has_room_in_memory(MODELS_BYTES):
            raise MemoryError
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _reading_of(head: Head, previous: FrameReading) -> PlayerReading | None:
    """Earlier reading of the person whose box overlaps a head."""
    return next((reading for reading in reversed(previous.players) if head.overlaps(reading.face)), None)


def with_fresh_players(reading: FrameReading, before: FrameReading) -> FrameReading:
    """Return a reading in which players whom only the reading before has read are carried over from there."""
    fresh = replace(before, players=tuple(player for player in before.players if not player.is_reused))

    def newest(player: PlayerReading) -> PlayerReading:
        read = _reading_of(player.player.head, fresh) if player.is_reused else None
        return player if read is None else _move_to_head(read, player.player, before.image, reading.image)

    return replace(reading, players=tuple(map(newest, reading.players)))


def _move_to_head(reused: PlayerReading, player: Player, before: Image, now: Image) -> PlayerReading:
    """Move a player's earlier reading to the head's present place."""
    return replace(
        reused,
        player=replace(player, hands=reused.player.hands),
        is_reused=True,
        has_moved=reused.has_moved or has_moved(before, reused.player.head, now, player.head),
    )
