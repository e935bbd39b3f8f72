"""`bunnymoose judge`: readings and scores of images and clips, its options and its report."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path  # noqa: TC003 - typer reads the annotations
from typing import TYPE_CHECKING, Annotated, Final

import typer

from bunnymoose_cv.cli.framework.command_groups import takes_groups
from bunnymoose_cv.cli.framework.named_files import check_output_folder, process_inputs
from bunnymoose_cv.cli.shared_options import AdvancedOption, EditionOption, SpeciesChangeOption, chosen_rules
from bunnymoose_cv.cli.terminal.echo import echo, warn
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.rules.cards import parse_table
from bunnymoose_cv.rules.deck import DEFAULT_EDITION, deck_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bunnymoose_cv.capture.clips import Clip
    from bunnymoose_cv.capture.frame import Frame, Image
    from bunnymoose_cv.capture.media_inputs import MediaInput
    from bunnymoose_cv.core.user_settings import FreezeSettings
    from bunnymoose_cv.record.still_images import Stills
    from bunnymoose_cv.referee.judge import Judgement
    from bunnymoose_cv.rules.cards import Table
    from bunnymoose_cv.rules.deck import Rules
    from bunnymoose_cv.voice.speaker import Speaker


_SHORTEST_STEP_S: Final = 0.001
"""Minimum of `--every`, seconds; no camera has a frame rate at which a shorter step would show more."""


@dataclass(frozen=True, slots=True)
class JudgeOptions:
    """Typed options of one call; contradicting ones, and values out of range, raise an `InputError`."""

    cards: Annotated[str | None, typer.Option(help="The cards on the piles, such as “L.WU+1 B.CD+1/-1 RABBIT*2”.")] = (
        None
    )
    cards_from: Annotated[
        Path | None, typer.Option(metavar="IMAGE", help="Read the cards in this photograph of them.")
    ] = None
    edition: EditionOption = DEFAULT_EDITION
    advanced: AdvancedOption = True
    species_change: SpeciesChangeOption = True
    bet: Annotated[
        int | None, typer.Option(metavar="SEAT", help="The seat that the narrator bet on, 1 at the left.")
    ] = None
    at: Annotated[
        float | None, typer.Option(metavar="SECONDS", help="Judge a clip by several frames around this moment.")
    ] = None
    every: Annotated[
        float | None, typer.Option(metavar="SECONDS", help="Judge a clip repeatedly, each time by one frame.")
    ] = None
    ask_everything: Annotated[
        bool, typer.Option("--ask-everything", help="Ask about every unsure field, even if it changes no move.")
    ] = False
    game: Annotated[
        bool,
        typer.Option("--game", help="The images show a freeze of the game, so hands at heads are likely headgear."),
    ] = False
    speak: Annotated[bool, typer.Option("--speak", help="Say the announcements.")] = False

    def __post_init__(self) -> None:
        self._check_moments()
        if self.cards is not None and self.cards_from is not None:
            raise InputError("--cards names the cards and --cards-from reads them: choose one of them")
        needs_cards = "--speak" if self.speak else "--bet" if self.bet is not None else ""
        if needs_cards and self.cards is None and self.cards_from is None:
            raise InputError(f"{needs_cards} needs the cards: add --cards, such as --cards L.WU+1")
        if self.bet is not None and self.bet < 1:
            raise InputError(f"There is no seat {self.bet} to bet on: seats are counted from 1 at the picture's left.")

    def _check_moments(self) -> None:
        if self.at is not None and self.every is not None:
            raise InputError("--at judges one moment and --every many: choose one of them")
        if self.at is not None and self.at < 0:
            raise InputError(f"--at needs a moment in seconds, 0 or later, not {self.at:g}")
        if self.every is not None and self.every < _SHORTEST_STEP_S:
            raise InputError(f"--every needs at least {_SHORTEST_STEP_S:g} seconds, not {self.every:g}")

    def rules(self) -> Rules:
        """Return the chosen rules."""
        return chosen_rules(self.edition, advanced=self.advanced, species_change=self.species_change)

    def table(self) -> Table:
        """Parse the typed cards, or read those on the photograph; the table is empty if neither was given."""
        if self.cards_from is None:
            return () if self.cards is None else parse_table(self.cards)
        from bunnymoose_cv.cli.cards_command import table_in

        return table_in(self.cards_from, deck_of(self.rules()))

    def moments(self, opened: Image | Clip, settings: FreezeSettings) -> Iterator[tuple[Sequence[Frame], float]]:
        """Yield the frames of each moment to judge, with its time in seconds."""
        from bunnymoose_cv.capture.clips import Clip
        from bunnymoose_cv.capture.frame import Frame
        from bunnymoose_cv.referee.freeze_frames import freeze_frames, stepped_frames

        if not isinstance(opened, Clip):
            yield (Frame(opened, 0.0),), 0.0
        elif self.every is not None:
            for frame, time_s in stepped_frames(opened, self.every):
                yield (frame,), time_s
        else:
            time_s = opened.duration_s / 2 if self.at is None else abs(self.at)  # −0 is 0
            yield freeze_frames(opened, time_s, settings), time_s


def _report(
    source: MediaInput,
    opened: Image | Clip,
    judgement: Judgement,
    *,
    stills: Stills | None,
    speaker: Speaker | None,
    as_json: bool,
) -> None:
    """Print one judgement, and store and speak it if there are stills and a speaker."""
    from bunnymoose_cv.capture.clips import Clip
    from bunnymoose_cv.cli.tables import show_judgement
    from bunnymoose_cv.cli.terminal.console import Terminal
    from bunnymoose_cv.cli.terminal.echo import printable
    from bunnymoose_cv.core.json_line import json_line
    from bunnymoose_cv.drawing.annotation import draw
    from bunnymoose_cv.output.judged_json import judgement_json

    moment = f"{judgement.reading.time_s:.2f}" if isinstance(opened, Clip) else ""
    if as_json:
        echo(json_line(judgement_json(source.name, judgement)))
    else:
        show_judgement(Terminal(), printable(f"{source.name} at {moment} s" if moment else source.name), judgement)
    if stills is not None:
        name = source.path.stem if source.path else source.name.replace(" ", "-")
        stills.keep(draw(judgement.reading, judgement.banners), f"{name}-{moment}" if moment else name)
    if speaker is not None:
        for line in judgement.said:
            speaker.say(line)


JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON object per image and nothing else.")]
_CUT_OFF_S: Final = 0.5
"""Missing seconds at the end of a clip that are ignored: headers are rounded, and sound may outlast the images."""


@takes_groups
def judge(
    sources: Annotated[
        list[str], typer.Argument(metavar="SOURCE", help="Images, clips, folders of them, or - for standard input.")
    ],
    *,
    options: JudgeOptions,
    as_json: JsonOption = False,
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Write each image, annotated with the readings, to this folder.")
    ] = None,
) -> None:
    """Judge the players in images and clips: what each shows, why, and the score for the cards.

    A clip without --at and --every is judged by several frames around its middle. For images --at and --every
    are ignored. Files that cannot be read are named, the rest are judged, and the exit code is 2.

    For example:

        bunnymoose judge party.jpg

        bunnymoose judge party.jpg --cards "L.WU+1 B.CD+1/-1 RABBIT*2" --bet 2 --speak

        bunnymoose judge party.jpg --cards-from table.jpg

        bunnymoose judge round.mp4 --at 4.2 --out judged

        bunnymoose judge round.mp4 photos/ --every 0.5 --json
    """
    rules, table = options.rules(), options.table()

    from bunnymoose_cv.capture.clips import Clip
    from bunnymoose_cv.capture.media_inputs import find_inputs
    from bunnymoose_cv.core.user_settings import load_settings
    from bunnymoose_cv.record.still_images import Stills
    from bunnymoose_cv.referee.judge import BetError, Judge, JudgingContext
    from bunnymoose_cv.vision.reader import Reader
    from bunnymoose_cv.voice.speaker import Speaker

    if out is not None:
        check_output_folder(out)
    found = list(find_inputs(sources, warn))
    stills = None if out is None else Stills(out, (source.path for source in found if source.path))
    settings = load_settings()
    with Reader(settings) as reader, Speaker() if options.speak else nullcontext() as speaker:
        context = JudgingContext(rules, table, options.bet, asks_everything=options.ask_everything, at_bam=options.game)
        judges = Judge(reader, context)

        def judge_one(source: MediaInput) -> None:
            opened = source.open()
            if isinstance(opened, Clip) and opened.missing_s() >= _CUT_OFF_S:
                there = f"{opened.duration_s:.1f} s, {opened.missing_s():.1f} s before its end"
                warn(f"{source.name} breaks off after {there}: only what is there can be judged.")
            if isinstance(opened, Clip) and opened.hides_another():
                warn(f"{source.name} is several clips in one file, and not all of them are read: part them.")
            for frames, time_s in options.moments(opened, settings.freeze):
                try:
                    judgement = judges.judge(frames, time_s)
                except BetError as error:
                    raise InputError(f"{source.name}: {error}") from error
                _report(source, opened, judgement, stills=stills, speaker=speaker, as_json=as_json)

        process_inputs(found, judge_one)
