"""`bunnymoose judge`: images and clips in, readings and scores out."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path  # noqa: TC003 - typer reads the annotations
from typing import TYPE_CHECKING, Annotated

import typer

from bunnymoose_cv.cli.each_input import process_inputs
from bunnymoose_cv.cli.judge_options import JudgeOptions
from bunnymoose_cv.cli.output_guard import check_output_folder
from bunnymoose_cv.cli.play_options import AdvancedOption, EditionOption  # noqa: TC001 - typer reads the annotations
from bunnymoose_cv.cli.score_commands import SpeciesChangeOption, chosen_rules
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.rules.deck import DEFAULT_EDITION

if TYPE_CHECKING:
    from bunnymoose_cv.capture.media_inputs import MediaInput

JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON object per image and nothing else.")]

AskEverythingOption = Annotated[
    bool,
    typer.Option("--ask-everything", help="Ask about every unsure field, also where it changes no move."),
]


def judge(
    sources: Annotated[
        list[str],
        typer.Argument(metavar="SOURCE", help="Images, clips, folders of them, or - for standard input."),
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
        typer.Option("--out", metavar="DIR", help="Write each image with what was read drawn on it to this folder."),
    ] = None,
    speak: Annotated[bool, typer.Option("--speak", help="Say the announcements.")] = False,
) -> None:
    """Judge the players in images and clips: what everybody shows, why, and what the cards pay.

    A clip without --at and --every is judged by several frames around its middle. In images --at and --every mean
    nothing. What cannot be read is named, the rest is still judged, and the exit code is 2.

    For example:

        bunnymoose judge party.jpg

        bunnymoose judge party.jpg --cards "L.WU+1 B.CD+1/-1 RABBIT*2" --bet 2 --speak

        bunnymoose judge party.jpg --cards-from table.jpg

        bunnymoose judge round.mp4 --at 4.2 --out judged

        bunnymoose judge round.mp4 photos/ --every 0.5 --json
    """
    rules = chosen_rules(edition, advanced=advanced, species_change=species_change)
    options = JudgeOptions(rules, cards, cards_from, bet, at, every, speak)
    table = options.table()

    from bunnymoose_cv.capture.media_inputs import find_inputs
    from bunnymoose_cv.cli.judge_report import JudgeReport
    from bunnymoose_cv.core.user_settings import load_settings
    from bunnymoose_cv.record.still_images import Stills
    from bunnymoose_cv.referee.judge import BetError, Judge, JudgingContext
    from bunnymoose_cv.vision.reader import Reader
    from bunnymoose_cv.voice.speaker import Speaker

    if out is not None:
        check_output_folder(out)
    found = list(find_inputs(sources))
    stills = None if out is None else Stills(out, (source.path for source in found if source.path))
    settings = load_settings()
    with Reader(settings) as reader, Speaker() if speak else nullcontext() as speaker:
        judges = Judge(reader, JudgingContext(rules, table, bet, asks_everything=ask_everything))
        report = JudgeReport(stills, speaker, as_json=as_json)

        def judge_one(source: MediaInput) -> None:
            opened = source.open()
            for frames, time_s in options.moments(opened, settings.freeze):
                try:
                    judgement = judges.judge(frames, time_s)
                except BetError as error:
                    raise InputError(f"{source.name}: {error}") from error
                report.add(source, opened, judgement)

        process_inputs(found, judge_one)
