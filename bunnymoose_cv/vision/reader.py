"""Reader: images to readings of all players. The only entry point of `vision`."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain
from threading import local
from typing import TYPE_CHECKING, Self

from bunnymoose_cv.capture.frame import check_picture
from bunnymoose_cv.core.profile import Profile, load_profile
from bunnymoose_cv.core.room_in_memory import MODELS_BYTES, has_room_in_memory
from bunnymoose_cv.vision.effort import BUDGETS, Budget, Effort
from bunnymoose_cv.vision.faces.face_search import faces_in, find_heads, find_newcomers
from bunnymoose_cv.vision.faces.head_tracking import follow_heads
from bunnymoose_cv.vision.hands.assignment import holding
from bunnymoose_cv.vision.hands.hand_search import hands_around
from bunnymoose_cv.vision.hands.lone_hand import find_lone_hand
from bunnymoose_cv.vision.headgear.headgear_reader import HeadgearReader, reading_of
from bunnymoose_cv.vision.nets.worker_pool import Workers
from bunnymoose_cv.vision.pipeline import (
    FrameState,
    ImageTools,
    PlayerState,
    PlayerTools,
    run_image_stages,
    run_player_stages,
)
from bunnymoose_cv.vision.readings import FaceReading, FrameReading, PlayerReading
from bunnymoose_cv.vision.settings import FACES
from bunnymoose_cv.vision.tongue.tongue_cascade import TongueReader
from bunnymoose_cv.vision.tongue.tongue_reading import TongueReading
from bunnymoose_cv.vision.video.motion import has_moved

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence
    from types import TracebackType

    from bunnymoose_cv.capture.frame import Frame, Picture
    from bunnymoose_cv.rules.pose import Side
    from bunnymoose_cv.vision.detections import HandLandmarks
    from bunnymoose_cv.vision.faces.head import Head
    from bunnymoose_cv.vision.faces.tiles import Tile
    from bunnymoose_cv.vision.hands.assignment import Player
    from bunnymoose_cv.vision.headgear.headgear_reading import HeadgearProbabilities, HeadgearReading
    from bunnymoose_cv.vision.nets.mediapipe import Landmarkers


class _OwnNets(local):
    """Our own nets: each thread has a set for itself, loaded when it first asks (a tenth of a second)."""

    def __init__(self, profile: Profile) -> None:
        self.tools = PlayerTools(HeadgearReader(profile.headgear), TongueReader(profile.tongue))


class Reader:
    """Reader of images, with the models; heads of one image are read in parallel, and several threads may read.

    Every method that takes pixels raises `TypeError` where they are no array of `uint8`, `ValueError` where their shape
    is not (height, width, 3), and `RuntimeError` once the reader is closed.

    Args:
        profile: thresholds; those of `calibration/default.toml` and the user's own settings file unless told.

    Raises:
        InputError: a model is missing or damaged, or the settings file cannot be used.
    """

    def __init__(self, profile: Profile | None = None) -> None:
        self.profile = profile = profile or load_profile()
        self._is_closed = False
        self._workers = Workers()
        self._own = _OwnNets(profile)

    def read(self, picture: Picture, time_s: float = 0.0) -> FrameReading:
        """Read one image, searching it for players.

        Args:
            picture: shape (height, width, 3), blue-green-red, unmirrored.
            time_s: when it was taken, carried through.
        """
        return self._read(FrameState(picture), time_s, BUDGETS[Effort.SEARCH])

    def follow(
        self,
        frame: Frame,
        heads: Sequence[Head],
        effort: Effort = Effort.FULL,
        standing: Sequence[PlayerReading] = (),
    ) -> FrameReading:
        """Read a frame whose players are known from an earlier one: far quicker, since nobody is searched for.

        Args:
            frame: unmirrored.
            heads: their places some tenths of a second ago; other people are not found.
            effort: `FULL` or `QUICK`; tongues get their second stage in each, since every frame shows
                for how long they are out.
            standing: readings of other players that stand: nobody looks at those, and the readings are carried over.
        """
        stand = tuple(reading.player.head for reading in standing)
        return self._read(FrameState(frame.picture, tuple(heads), stand), frame.time_s, BUDGETS[effort], standing)

    def read_quick(
        self,
        frame: Frame,
        heads: Sequence[Head],
        earlier: FrameReading,
        still: Collection[int] = (),
        tiles: Sequence[Tile] = (),
    ) -> FrameReading:
        """Read a frame at first sight: where everybody is, and what those show who were not read a moment ago.

        Args:
            frame: unmirrored.
            heads: as `follow` takes them.
            earlier: the look before, with the players whose hands and mouths are taken as they were then.
            still: seats of those of them whose heads are taken to be where they were, too.
            tiles: parts of the picture that are searched for heads besides.
        """
        self._check(frame.picture)
        resting = {head for head in heads if any(_shows(reading, head) for reading in earlier.players)}
        hands = hands_around([head for head in heads if head not in resting], frame.picture, self._workers)
        kept = {head for head in resting for each in earlier.players if each.seat in still and each.player.head is head}
        there = follow_heads(frame.picture, heads, self._workers, kept)
        beside_hands = faces_in(frame.picture, tiles[:1], self._workers)
        found = tuple(hands)
        reading = self._glance(frame, earlier, there, found)
        beside_nets = faces_in(frame.picture, tiles[1:], self._workers)
        players = tuple(reading)
        faces = chain(beside_hands, beside_nets)
        newcomers = find_newcomers(frame.picture, faces, there, self._workers, self.profile.people)
        if newcomers:
            row = tuple(sorted([*there, *newcomers], key=lambda head: head.centre[0]))
            more = hands_around(newcomers, frame.picture, self._workers)
            players = tuple(self._glance(frame, earlier, row, (*found, *more), players))
        return FrameReading(frame.picture, frame.time_s, players)

    def _glance(
        self,
        frame: Frame,
        earlier: FrameReading,
        heads: tuple[Head, ...],
        hands: Sequence[HandLandmarks],
        read: Sequence[PlayerReading] = (),
    ) -> Iterator[PlayerReading]:
        """Read whoever has no reading yet, of this frame or of the look before; begun at once."""
        before = {head: reading for head in heads for reading in earlier.players if _shows(reading, head)}
        now = {reading.player.head: reading for reading in read}

        def look_at(_: Landmarkers, player: Player) -> PlayerReading:
            if player.head in now:
                return replace(now[player.head], player=replace(now[player.head].player, seat=player.seat))
            if player.head in before:
                return _rested(before[player.head], player, earlier.picture, frame.picture)
            return self._read_player(frame.picture, player, BUDGETS[Effort.GLANCE])

        return self._workers.begin(look_at, holding(hands, heads, self.profile.people))

    def search(self, picture: Picture) -> tuple[Head, ...]:
        """Search one image for heads, from left to right.

        Args:
            picture: shape (height, width, 3), blue-green-red, unmirrored.
        """
        self._check(picture)
        return find_heads(picture, self._workers, self.profile.people)

    def _read(
        self, state: FrameState, time_s: float, budget: Budget, standing: Sequence[PlayerReading] = ()
    ) -> FrameReading:
        self._check(state.image)
        known = {reading.player.head: reading for reading in standing}

        def read_player(_: Landmarkers, player: Player) -> PlayerReading:
            if player.head in known:
                return _carried(known[player.head], player)
            return self._read_player(state.image, player, budget)

        players = run_image_stages(state, ImageTools(self._workers, self.profile.people), budget).players
        return FrameReading(state.image, time_s, tuple(self._workers.map(read_player, players)))

    def _read_player(self, image: Picture, player: Player, budget: Budget) -> PlayerReading:
        state = run_player_stages(PlayerState(image, player), self._own.tools, budget)
        assert state.tongue is not None  # noqa: S101 - the last stage gives it
        return PlayerReading(player, state.headgear, state.tongue)

    def read_faces(self, picture: Picture) -> tuple[FaceReading, ...]:
        """Read the tongues of all faces, from left to right, whatever the hands do.

        Args:
            picture: shape (height, width, 3), blue-green-red.
        """
        self._check(picture)
        heads = find_heads(picture, self._workers, self.profile.people)
        tongues = self._workers.map(lambda _, head: self._own.tools.tongue.read(picture, head), heads)
        return tuple(FaceReading(head.box, tongue) for head, tongue in zip(heads, tongues, strict=True))

    def read_lone_hand(self, picture: Picture) -> HeadgearReading | None:
        """Read a hand by itself; None where none is found.

        Args:
            picture: shape (height, width, 3), blue-green-red, unmirrored; may be cut tight.
        """
        self._check(picture)
        hand = find_lone_hand(picture, self._workers)
        return None if hand is None else self._own.tools.headgear.read_alone([hand])[0]

    def headgear_reading(self, player: Player, side: Side, probabilities: HeadgearProbabilities) -> HeadgearReading:
        """A reading of a side of a head from its probabilities, put together from several frames."""
        return reading_of(player, side, probabilities, self.profile.headgear)

    def tongue_reading(self, head: Head, probability_out: float) -> TongueReading:
        """A reading of a head's tongue from its probability, put together from several frames."""
        return TongueReading.of(probability_out, self.profile.tongue).at_head(head)

    def close(self) -> None:
        """Give the models back."""
        self._is_closed = True
        self._workers.close()

    def _check(self, picture: Picture) -> None:
        if self._is_closed:
            raise RuntimeError("The reader is closed: open another.")
        check_picture(picture)

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


def _shows(reading: PlayerReading, head: Head) -> bool:
    """Tell if a reading is of whom this head belongs to."""
    return head.box.overlap(reading.face) > FACES.same_overlap


def _carried(known: PlayerReading, player: Player) -> PlayerReading:
    """A reading of another frame, in the seat of this one."""
    return replace(known, player=replace(known.player, seat=player.seat), carried=True)


def _rested(known: PlayerReading, player: Player, before: Picture, now: Picture) -> PlayerReading:
    """Move a player's former reading to the player's present place."""
    return replace(
        known,
        player=replace(player, hands=known.player.hands),
        carried=True,
        moved=known.moved or has_moved(before, known.player.head, now, player.head),
    )
