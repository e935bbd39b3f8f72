"""`bunnymoose judge`, `hand`, `face`: pictures and clips in, readings and scores out."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path  # noqa: TC003 - typer reads the annotations
from typing import TYPE_CHECKING, Annotated, Final

import typer

from bunnymoose_cv.cli.each_input import process_inputs
from bunnymoose_cv.cli.echo import echo
from bunnymoose_cv.cli.play_options import AdvancedOption, EditionOption  # noqa: TC001 - typer reads the annotations
from bunnymoose_cv.cli.score_commands import SpeciesChangeOption, chosen_rules
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.rules.cards import parse_table
from bunnymoose_cv.rules.deck import DEFAULT_EDITION, deck_of
from bunnymoose_cv.rules.pose import Ear

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from bunnymoose_cv.capture.clips import Clip
    from bunnymoose_cv.capture.frame import Frame, Picture
    from bunnymoose_cv.capture.media_inputs import MediaInput
    from bunnymoose_cv.core.profile import FreezeLimits
    from bunnymoose_cv.record.still_images import Stills
    from bunnymoose_cv.referee.judge import Judgement
    from bunnymoose_cv.rules.cards import Table
    from bunnymoose_cv.rules.deck import Rules
    from bunnymoose_cv.vision.headgear.headgear_reading import HeadgearReading
    from bunnymoose_cv.vision.reader import Reader
    from bunnymoose_cv.vision.readings import FaceReading
    from bunnymoose_cv.voice.speaker import Speaker

PicturesArgument = Annotated[
    list[str], typer.Argument(metavar="IMAGE", help="Pictures, folders of them, or - for standard input.")
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON object per picture and nothing else.")]

AskEverythingOption = Annotated[
    bool,
    typer.Option("--ask-everything", help="Ask about every unsure field, also where it changes no move."),
]

_SHORTEST_STEP_S: Final = 0.001
"""No camera takes so many pictures a second that a shorter step would show further ones."""


def judge(
    sources: Annotated[
        list[str],
        typer.Argument(metavar="SOURCE", help="Pictures, clips, folders of them, or - for standard input."),
    ],
    *,
    cards: Annotated[
        str | None,
        typer.Option("--cards", help="The cards on the piles, such as “L.WU+1 B.CD+1/-1 RABBIT*2”."),
    ] = None,
    cards_from: Annotated[
        Path | None, typer.Option("--cards-from", metavar="IMAGE", help="Read the cards in this photograph of them.")
    ] = None,
    edition: EditionOption = DEFAULT_EDITION,
    advanced: AdvancedOption = True,
    species_change: SpeciesChangeOption = True,
    bet: Annotated[
        int | None, typer.Option("--bet", metavar="SEAT", help="The seat that the narrator bet on, 1 at the left.")
    ] = None,
    at: Annotated[
        float | None,
        typer.Option("--at", metavar="SECONDS", help="Judge a clip by several frames around this moment."),
    ] = None,
    every: Annotated[
        float | None,
        typer.Option("--every", metavar="SECONDS", help="Judge a clip again and again, each time by one frame."),
    ] = None,
    ask_everything: AskEverythingOption = False,
    as_json: JsonOption = False,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="DIR", help="Write each picture with what was read drawn on it to this folder."),
    ] = None,
    speak: Annotated[bool, typer.Option("--speak", help="Say the announcements.")] = False,
) -> None:
    """Judge the players in pictures and clips: what everybody shows, why, and what the cards pay.

    A clip without --at and --every is judged by several frames around its middle. In pictures --at and --every mean
    nothing. What cannot be read is named, the rest is still judged, and the exit code is 2.

    For example:

        bunnymoose judge party.jpg

        bunnymoose judge party.jpg --cards "L.WU+1 B.CD+1/-1 RABBIT*2" --bet 2 --speak

        bunnymoose judge party.jpg --cards-from table.jpg

        bunnymoose judge round.mp4 --at 4.2 --out judged

        bunnymoose judge round.mp4 photos/ --every 0.5 --json
    """
    choices = _Choices(at, every)
    if cards is not None and cards_from is not None:
        raise InputError("--cards names the cards and --cards-from reads them: choose one of them")
    if (bet is not None or speak) and cards is None and cards_from is None:
        raise InputError(f"{'--speak' if speak else '--bet'} needs the cards: add --cards, such as --cards “L.WU+1”")
    if bet is not None and bet < 1:
        raise InputError(f"There is no seat {bet} to bet on: seats are counted from 1 at the picture's left.")
    rules = chosen_rules(edition, advanced=advanced, species_change=species_change)
    table = _table(cards, cards_from, rules)

    from bunnymoose_cv.capture.media_inputs import find_inputs
    from bunnymoose_cv.core.profile import load_profile
    from bunnymoose_cv.record.still_images import Stills
    from bunnymoose_cv.referee.judge import BetError, Judge, Stakes
    from bunnymoose_cv.vision.reader import Reader
    from bunnymoose_cv.voice.speaker import Speaker

    found = list(find_inputs(sources))
    stills = None if out is None else Stills(out, (source.path for source in found if source.path))
    profile = load_profile()
    with Reader(profile) as reader, Speaker() if speak else nullcontext() as speaker:
        judges = Judge(reader, Stakes(rules, table, bet, asks_everything=ask_everything))
        report = _Report(stills, speaker, as_json=as_json)

        def judge_one(source: MediaInput) -> None:
            opened = source.open()
            for frames, time_s in choices.moments(opened, profile.freeze):
                try:
                    judgement = judges.judge(frames, time_s)
                except BetError as error:
                    raise InputError(f"{source.name}: {error}") from error
                report.add(source, opened, judgement)

        process_inputs(found, judge_one)


def _table(cards: str | None, cards_from: Path | None, rules: Rules) -> Table:
    """The cards that were named, or those that a photograph shows; none where neither was given."""
    if cards_from is None:
        return () if cards is None else parse_table(cards)
    from bunnymoose_cv.cli.cards_command import table_in

    return table_in(cards_from, deck_of(rules))


@dataclass(frozen=True, slots=True)
class _Choices:
    """Choice of the moments of a clip that are judged.

    Raises:
        InputError: the choices contradict each other.
    """

    at_s: float | None
    every_s: float | None

    def __post_init__(self) -> None:
        if self.at_s is not None and self.every_s is not None:
            raise InputError("--at judges one moment and --every many: choose one of them")
        if self.at_s is not None and self.at_s < 0:
            raise InputError(f"--at needs a moment in seconds, 0 or later, not {self.at_s:g}")
        if self.every_s is not None and self.every_s < _SHORTEST_STEP_S:
            raise InputError(f"--every needs at least {_SHORTEST_STEP_S:g} seconds, not {self.every_s:g}")

    def moments(self, opened: Picture | Clip, limits: FreezeLimits) -> Iterator[tuple[Sequence[Frame], float]]:
        """The frames of each moment that is judged, with its time."""
        from bunnymoose_cv.capture.clips import Clip
        from bunnymoose_cv.capture.frame import Frame
        from bunnymoose_cv.referee.judge import freeze_frames, stepped_frames

        if not isinstance(opened, Clip):
            yield (Frame(opened, 0.0),), 0.0
        elif self.every_s is not None:
            for frame, time_s in stepped_frames(opened, self.every_s):
                yield (frame,), time_s
        else:
            time_s = opened.duration_s / 2 if self.at_s is None else self.at_s
            yield freeze_frames(opened, time_s, limits), time_s


@dataclass(frozen=True, slots=True)
class _Report:
    """Outputs of judgements: stdout, a folder, the voice."""

    stills: Stills | None
    speaker: Speaker | None
    as_json: bool

    def add(self, source: MediaInput, opened: Picture | Clip, judgement: Judgement) -> None:
        """Report one judgement."""
        from bunnymoose_cv.capture.clips import Clip
        from bunnymoose_cv.cli.judgement_tables import show_judgement
        from bunnymoose_cv.cli.printable import printable
        from bunnymoose_cv.cli.terminal import Terminal
        from bunnymoose_cv.drawing.annotation import draw
        from bunnymoose_cv.referee.json_output import JudgementShape

        moment = f"{judgement.reading.time_s:.2f}" if isinstance(opened, Clip) else ""
        if self.as_json:
            echo(JudgementShape.of(source.name, judgement).line())
        else:
            show_judgement(Terminal(), printable(f"{source.name} at {moment} s" if moment else source.name), judgement)
        if self.stills is not None:
            name = source.path.stem if source.path else source.name.replace(" ", "-")
            self.stills.keep(draw(judgement.reading, judgement.banners), f"{name}-{moment}" if moment else name)
        if self.speaker is not None:
            for line in judgement.said:
                self.speaker.say(line)


def hand(images: PicturesArgument, *, as_json: JsonOption = False) -> None:
    """Say what a hand by itself makes: an antler, an ear, or neither.

    For example:

        bunnymoose hand antler.jpg

        bunnymoose hand hands/ --json
    """
    from bunnymoose_cv.referee.json_output import HandShape

    def line(reader: Reader, source: MediaInput) -> str:
        reading = reader.read_lone_hand(source.picture())
        return HandShape.of(source.name, reading).line() if as_json else _hand_words(source, reading)

    _echo_each(images, line)


def face(images: PicturesArgument, *, as_json: JsonOption = False) -> None:
    """Say of every face whether its tongue is out.

    For example:

        bunnymoose face party.jpg

        bunnymoose face photos/ --json
    """
    from bunnymoose_cv.referee.json_output import FacesShape

    def line(reader: Reader, source: MediaInput) -> str:
        faces = reader.read_faces(source.picture())
        return FacesShape.of(source.name, faces).line() if as_json else _faces_words(source, faces)

    _echo_each(images, line)


def _echo_each(images: Sequence[str], line: Callable[[Reader, MediaInput], str]) -> None:
    """Print a line of every picture that can be read."""
    from bunnymoose_cv.capture.media_inputs import find_inputs
    from bunnymoose_cv.core.profile import load_profile
    from bunnymoose_cv.vision.reader import Reader

    with Reader(load_profile()) as reader:
        process_inputs(list(find_inputs(images)), lambda source: echo(line(reader, source)))


def _hand_words(source: MediaInput, reading: HeadgearReading | None) -> str:
    """`fist.jpg: nothing, 93% (thumb tucked in; no finger out; …)`."""
    from bunnymoose_cv.drawing.pose_words import headgear_parts

    if reading is None:
        return f"{source.name}: no hand found"
    shown = headgear_parts(reading.headgear, reading.unclear)
    words = " ".join(shown[:1] if isinstance(reading.headgear, Ear) else shown)  # an ear by itself stands in no place
    return f"{source.name}: {words}, {reading.confidence:.0%} ({'; '.join(reading.reasons)})"


def _faces_words(source: MediaInput, faces: Sequence[FaceReading]) -> str:
    """`party.jpg: tongue in 98%, tongue out 91%`, from left to right."""
    from bunnymoose_cv.drawing.pose_words import tongue_words

    said = (f"{tongue_words(face.tongue)} {face.tongue.confidence:.0%}" for face in faces)
    return f"{source.name}: {', '.join(said) or 'no face found'}"
