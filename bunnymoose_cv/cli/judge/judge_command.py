"""`bunnymoose judge`: images and clips in, readings and scores out."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path  # noqa: TC003 - typer reads the annotations
from typing import TYPE_CHECKING, Annotated, Final

import typer

from bunnymoose_cv.cli.framework.each_input import process_inputs
from bunnymoose_cv.cli.framework.option_groups import takes_groups
from bunnymoose_cv.cli.framework.output_guard import check_output_folder
from bunnymoose_cv.cli.judge.judge_options import JudgeOptions  # noqa: TC001 - typer reads the annotations
from bunnymoose_cv.cli.terminal.echo import warn
from bunnymoose_cv.core.errors import InputError

if TYPE_CHECKING:
    from bunnymoose_cv.capture.media_inputs import MediaInput

JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON object per image and nothing else.")]
_CUT_OFF_S: Final = 0.5
"""Seconds that a clip has to lack before it is said: headers round, and sound may outlast the images."""


@takes_groups
def judge(
    sources: Annotated[
        list[str],
        typer.Argument(metavar="SOURCE", help="Images, clips, folders of them, or - for standard input."),
    ],
    *,
    options: JudgeOptions,
    as_json: JsonOption = False,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="DIR", help="Write each image with what was read drawn on it to this folder."),
    ] = None,
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
    rules, table = options.rules(), options.table()

    from bunnymoose_cv.capture.clips import Clip
    from bunnymoose_cv.capture.media_inputs import find_inputs
    from bunnymoose_cv.cli.judge.judge_report import JudgeReport
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
        report = JudgeReport(stills, speaker, as_json=as_json)

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
                report.add(source, opened, judgement)

        process_inputs(found, judge_one)
