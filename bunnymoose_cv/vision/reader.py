"""Reader: images to readings of all players. The only entry point of `vision`."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from threading import local
from typing import TYPE_CHECKING, Self

from bunnymoose_cv.capture.frame import check_image
from bunnymoose_cv.core.exhaustion import MODELS_BYTES, has_room_in_memory
from bunnymoose_cv.core.user_settings import Settings, load_settings
from bunnymoose_cv.vision.effort import Effort
from bunnymoose_cv.vision.faces.face_search import find_heads
from bunnymoose_cv.vision.hands.hand_search import find_lone_hand
from bunnymoose_cv.vision.headgear.headgear_reader import HeadgearReader, reading_of
from bunnymoose_cv.vision.motion import has_moved
from bunnymoose_cv.vision.nets.worker_pool import Workers
from bunnymoose_cv.vision.pipeline import run_image_stages, run_player_stages
from bunnymoose_cv.vision.readings import FaceReading, FrameReading, PlayerReading
from bunnymoose_cv.vision.stages import FrameState, ImageTools, PlayerState, PlayerTools
from bunnymoose_cv.vision.tongue import TongueReader, TongueReading

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bunnymoose_cv.capture.frame import Frame, Image
    from bunnymoose_cv.rules.pose import Side
    from bunnymoose_cv.vision.faces.head import Head
    from bunnymoose_cv.vision.hands.assignment import Player
    from bunnymoose_cv.vision.headgear.headgear_reading import HeadgearProbabilities, HeadgearReading
    from bunnymoose_cv.vision.nets.mediapipe import Landmarkers


class OwnNets(local):
    """Networks of our own, one set per thread, loaded at first use (a tenth of a second)."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    @cached_property
    def tools(self) -> PlayerTools:
        """The networks of the calling thread."""
        return PlayerTools(HeadgearReader(self._settings.headgear), TongueReader(self._settings.tongue))


class Reader:
    """Reader of images, with the loaded models. Heads of one image are read in parallel, and several threads may read.

    Every method that takes an image raises `TypeError` if it is not an array of `uint8`, `ValueError` if its shape is
    not (height, width, 3), and `RuntimeError` once the reader is closed.

    Args:
        settings: the thresholds; None for those of `calibration/default.toml` and of the user's settings file.

    Raises:
        InputError: a model is missing or damaged, or the settings file cannot be used.
    """

    def __init__(self, settings: Settings | None = None) -> None:
        self.settings = settings = settings or load_settings()
        self._is_closed = False
        self._workers = Workers()
        self._own = OwnNets(settings)

    def read(self, image: Image, time_s: float = 0.0) -> FrameReading:
        """Search one image for players, and read them.

        Args:
            image: the image, shape (height, width, 3), blue-green-red, unmirrored.
            time_s: time at which it was taken, copied to the reading.
        """
        return self._read(FrameState(image), time_s, Effort.SEARCH, lambda _: None)

    def follow(
        self,
        frame: Frame,
        heads: Sequence[Head],
        effort: Effort = Effort.FULL,
        reused: Sequence[PlayerReading] = (),
    ) -> FrameReading:
        """Read a frame whose players are known from an earlier one, which is far quicker than a search.

        Args:
            heads: the heads as they were some tenths of a second ago. Other people are not found.
            effort: `FULL` or `QUICK`. Both run the second stage of the tongue, since every frame shows for how long a
                tongue is out.
            reused: earlier readings of players who are not read in this frame; they are carried over.
        """
        by_head = {reading.player.head: reading for reading in reused}

        def find_reused(player: Player) -> PlayerReading | None:
            reading = by_head.get(player.head)
            return None if reading is None else replace(reading, player=player, is_reused=True)

        state = FrameState(
            frame.image, (*heads, *by_head), fixed_heads=by_head.keys(), is_reused=by_head.keys().__contains__
        )
        return self._read(state, frame.time_s, effort, find_reused)

    def read_quick(self, frame: Frame, heads: Sequence[Head], previous: FrameReading) -> FrameReading:
        """Read a frame at a glance: all faces, and hands and mouth of players without a reading to reuse.

        Args:
            heads: the heads to follow, like those of `follow`.
            previous: an earlier reading, whose players' hands and mouths are reused.
        """

        def is_reused(head: Head) -> bool:
            return _reading_of(head, previous) is not None

        def find_reused(player: Player) -> PlayerReading | None:
            reading = _reading_of(player.head, previous)
            return None if reading is None else _move_to_head(reading, player, previous.image, frame.image)

        state = FrameState(frame.image, tuple(heads), set(previous.heads).intersection(heads), is_reused)
        return self._read(state, frame.time_s, Effort.GLANCE, find_reused)

    def search(self, image: Image) -> tuple[Head, ...]:
        """Search one image for heads, from left to right."""
        self._check(image)
        return find_heads(image, self._workers, self.settings.people)

    def _read(
        self, state: FrameState, time_s: float, effort: Effort, find_reused: Callable[[Player], PlayerReading | None]
    ) -> FrameReading:
        """Run the stages. A player with a reading to reuse is not read."""
        self._check(state.image)
        tools = ImageTools(self._workers, self.settings.people, lambda: self._own.tools)

        state = run_image_stages(state, tools, effort)
        tongues = dict(state.tongues)

        def read_player(_: Landmarkers, player: Player) -> PlayerReading:
            if (reused := find_reused(player)) is not None:
                return reused
            read = run_player_stages(PlayerState(state.image, player, state.answers), self._own.tools, effort)
            return PlayerReading(player, read.headgear, tongues[player.head])

        return FrameReading(state.image, time_s, tuple(self._workers.map(read_player, state.players)))

    def read_faces(self, image: Image) -> tuple[FaceReading, ...]:
        """Read the tongues of all faces, from left to right, without the hands."""
        heads = self.search(image)
        tongues = self._workers.map(lambda _, head: self._own.tools.tongue.read(image, head), heads)
        return tuple(FaceReading(head.box, tongue) for head, tongue in zip(heads, tongues, strict=True))

    def read_lone_hand(self, image: Image) -> HeadgearReading | None:
        """Read an image of a single hand, unmirrored and maybe cropped tightly; None if no hand is found."""
        self._check(image)
        hand = find_lone_hand(image, self._workers)
        return None if hand is None else self._own.tools.headgear.read_alone(hand)

    def headgear_reading(
        self, player: Player, side: Side, probabilities: HeadgearProbabilities, headgear_prior: float | None = None
    ) -> HeadgearReading:
        """Return the reading of a side of a head for probabilities aggregated over frames."""
        return reading_of(player, side, probabilities, self.settings.headgear, headgear_prior)

    def tongue_reading(self, head: Head, probability_out: float) -> TongueReading:
        """Return the reading of a head's tongue for a probability aggregated over frames."""
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
        """Raise a `MemoryError` if the models do not fit; some of them would end the program without a message."""
        if not has_room_in_memory(MODELS_BYTES):
            raise MemoryError
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _reading_of(head: Head, previous: FrameReading) -> PlayerReading | None:
    """Return the earlier reading of the person whose box overlaps a head, or None."""
    return next((reading for reading in reversed(previous.players) if head.overlaps(reading.face)), None)


def with_fresh_players(reading: FrameReading, before: FrameReading) -> FrameReading:
    """Return a reading whose reused players are replaced by those that the reading before has read itself."""
    fresh = replace(before, players=tuple(player for player in before.players if not player.is_reused))

    def newest(player: PlayerReading) -> PlayerReading:
        read = _reading_of(player.player.head, fresh) if player.is_reused else None
        return player if read is None else _move_to_head(read, player.player, before.image, reading.image)

    return replace(reading, players=tuple(map(newest, reading.players)))


def _move_to_head(reused: PlayerReading, player: Player, before: Image, now: Image) -> PlayerReading:
    """Move a player's earlier reading to the present place of the head."""
    return replace(
        reused,
        player=replace(player, hands=reused.player.hands),
        is_reused=True,
        has_moved=reused.has_moved or has_moved(before, reused.player.head, now, player.head),
    )
