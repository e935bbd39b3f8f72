"""`bunnymoose demo`: judging of the bundled clip, without camera or sound device."""

from __future__ import annotations

import tempfile
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bunnymoose_cv.cli.framework.named_files import check_output_folder
from bunnymoose_cv.cli.terminal.echo import echo
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.folders import bundled

if TYPE_CHECKING:
    from bunnymoose_cv.capture.clips import Clip
    from bunnymoose_cv.referee.judge import Judgement
    from bunnymoose_cv.referee.script import DemoFacts
    from bunnymoose_cv.voice.speaker import Speaker

USUAL_FOLDER = "bunnymoose-demo"


def demo(
    *,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="DIR", help=f"The folder to write to; usually {USUAL_FOLDER}.")
    ] = None,
) -> None:
    """Judge the clip that comes with the program: five players freeze at “Bam!”.

    Prints what each player shows and why, says the announcements, and writes the judged image, the announcements as a
    sound file, and the replay. Needs neither a camera nor a sound device.

    For example:

        bunnymoose demo

        bunnymoose demo --out party
    """
    from bunnymoose_cv.capture.clips import Clip
    from bunnymoose_cv.cli.tables import show_judgement
    from bunnymoose_cv.cli.terminal.console import Terminal
    from bunnymoose_cv.drawing.annotation import draw
    from bunnymoose_cv.record.replay import join_sounds, write_replay
    from bunnymoose_cv.record.still_images import Stills
    from bunnymoose_cv.referee.script import demo_facts
    from bunnymoose_cv.voice.speaker import Speaker

    folder = _usual_folder() if out is None else out
    check_output_folder(folder)
    stills = Stills(folder)
    facts = demo_facts()
    clip = Clip(bundled("fixtures/demo.mp4"), "the demo clip")
    with Speaker() as speaker:
        judgement = _judged(clip, facts)
        show_judgement(Terminal(), f"The demo clip at “Bam!”, {facts.bam_s:g} s", judgement)
        sounds = _sounds(judgement, speaker)
        still = draw(judgement.reading, judgement.banners)
        files = {"picture": stills.keep(still, "judged")}
        if sounds:
            files["sound"] = folder / "said.wav"
            join_sounds(sounds, files["sound"])
        files["replay"] = folder / "replay.mp4"
        write_replay(files["replay"], clip, still, facts.bam_s, sounds)
        speaker.wait()
    for what, path in files.items():
        echo(f"{what:8} {path}")


def _usual_folder() -> Path:
    """Return the usual folder in the current one, or a temporary folder if the current one is not writable."""
    here = Path(USUAL_FOLDER)
    with suppress(OSError):
        here.mkdir(exist_ok=True)
        with tempfile.TemporaryFile(dir=here):
            return here
    try:
        return Path(tempfile.mkdtemp(prefix=f"{USUAL_FOLDER}-"))
    except OSError as error:
        raise InputError(
            f"Nothing can be written here, nor where temporary files lie ({error.strerror}): name a folder with --out."
        ) from error


def _judged(clip: Clip, facts: DemoFacts) -> Judgement:
    from bunnymoose_cv.core.user_settings import load_settings
    from bunnymoose_cv.referee.freeze_frames import freeze_frames
    from bunnymoose_cv.referee.judge import Judge, JudgingContext
    from bunnymoose_cv.rules.cards import parse_table
    from bunnymoose_cv.rules.deck import rules_for
    from bunnymoose_cv.vision.reader import Reader

    settings = load_settings()
    context = JudgingContext(rules_for(), parse_table(facts.cards), facts.bet, facts.names, at_bam=True)
    with Reader(settings) as reader:
        frames = freeze_frames(clip, facts.bam_s, settings.freeze)
        return Judge(reader, context).judge(frames, facts.bam_s)


def _sounds(judgement: Judgement, speaker: Speaker) -> tuple[Path, ...]:
    """Begin to speak the announcements, and return their sounds; without a voice, report it once and return none."""
    from bunnymoose_cv.voice.voices import VoiceError

    try:
        sounds = tuple(speaker.render(line) for line in judgement.said)
    except VoiceError as error:
        echo(str(error), err=True)
        return ()
    for line in judgement.said:
        speaker.say(line)
    return sounds
