"""`bunnymoose demo`: judges the clip that comes with the program, without camera or sound."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from pydantic import BaseModel, ConfigDict

from bunnymoose_cv.cli.framework.output_guard import check_output_folder
from bunnymoose_cv.cli.terminal.echo import echo
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.resources import bundled

if TYPE_CHECKING:
    from bunnymoose_cv.capture.clips import Clip
    from bunnymoose_cv.referee.judge import Judgement
    from bunnymoose_cv.voice.speaker import Speaker

USUAL_FOLDER = "bunnymoose-demo"


class DemoFacts(BaseModel):
    """Facts about the demo clip.

    Attributes:
        bam_s: when “Bam!” is called, seconds from the clip's beginning.
        bet: the seat that the narrator bet on.
    """

    model_config = ConfigDict(frozen=True)

    bam_s: float
    cards: str
    names: tuple[str, ...] = ()
    bet: int | None = None


def demo(
    *,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="DIR", help=f"The folder for what is written; usually {USUAL_FOLDER}."),
    ] = None,
) -> None:
    """Judge the clip that comes with the program: five players freeze at “Bam!”.

    Prints what everybody shows and why, says the announcements, and writes the judged image, the announcements as a
    sound, and the replay. Needs neither a camera nor a sound device.

    For example:

        bunnymoose demo

        bunnymoose demo --out party
    """
    from bunnymoose_cv.capture.clips import Clip
    from bunnymoose_cv.cli.tables.judgement_tables import show_judgement
    from bunnymoose_cv.cli.terminal.console import Terminal
    from bunnymoose_cv.drawing.annotation import draw
    from bunnymoose_cv.record.audio_track import join_sounds
    from bunnymoose_cv.record.replay import write_replay
    from bunnymoose_cv.record.still_images import Stills
    from bunnymoose_cv.voice.speaker import Speaker

    folder = _usual_folder() if out is None else out
    check_output_folder(folder)
    stills = Stills(folder)
    facts = DemoFacts.model_validate_json(bundled("fixtures/demo.json").read_text("utf-8"))
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
    """A folder here, or where nothing may be written here, one for passing things.

    Raises:
        InputError: nothing may be written there either.
    """
    here = Path(USUAL_FOLDER)
    try:
        here.mkdir(exist_ok=True)
        with tempfile.TemporaryFile(dir=here):
            return here
    except OSError:
        return _passing_folder()


def _passing_folder() -> Path:
    try:
        return Path(tempfile.mkdtemp(prefix=f"{USUAL_FOLDER}-"))
    except OSError as error:
        raise InputError(
            f"Nothing can be written here, nor where temporary files lie ({error.strerror}): name a folder with --out."
        ) from error


def _judged(clip: Clip, facts: DemoFacts) -> Judgement:
    from bunnymoose_cv.core.user_settings import load_settings
    from bunnymoose_cv.referee.clip_frames import freeze_frames
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
    """Begin to say the announcements, and give their sounds; none on a computer without a voice, which is told once."""
    from bunnymoose_cv.voice.voices import VoiceError

    try:
        sounds = tuple(speaker.render(line) for line in judgement.said)
    except VoiceError as error:
        echo(str(error), err=True)
        return ()
    for line in judgement.said:
        speaker.say(line)
    return sounds
