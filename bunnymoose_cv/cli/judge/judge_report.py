"""Report of `bunnymoose judge`: stdout, a folder of drawn images, the voice."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bunnymoose_cv.cli.terminal.echo import echo

if TYPE_CHECKING:
    from bunnymoose_cv.capture.clips import Clip
    from bunnymoose_cv.capture.frame import Image
    from bunnymoose_cv.capture.media_inputs import MediaInput
    from bunnymoose_cv.record.still_images import Stills
    from bunnymoose_cv.referee.judge import Judgement
    from bunnymoose_cv.voice.speaker import Speaker


@dataclass(frozen=True, slots=True)
class JudgeReport:
    """Outputs of judgements: stdout, a folder, the voice."""

    stills: Stills | None
    speaker: Speaker | None
    as_json: bool

    def add(self, source: MediaInput, opened: Image | Clip, judgement: Judgement) -> None:
        """Report one judgement."""
        from bunnymoose_cv.capture.clips import Clip
        from bunnymoose_cv.cli.tables.judgement_tables import show_judgement
        from bunnymoose_cv.cli.terminal.console import Terminal
        from bunnymoose_cv.cli.terminal.printable import printable
        from bunnymoose_cv.core.json_line import json_line
        from bunnymoose_cv.drawing.annotation import draw
        from bunnymoose_cv.referee.json_output import judgement_json

        moment = f"{judgement.reading.time_s:.2f}" if isinstance(opened, Clip) else ""
        if self.as_json:
            echo(json_line(judgement_json(source.name, judgement)))
        else:
            show_judgement(Terminal(), printable(f"{source.name} at {moment} s" if moment else source.name), judgement)
        if self.stills is not None:
            name = source.path.stem if source.path else source.name.replace(" ", "-")
            self.stills.keep(draw(judgement.reading, judgement.banners), f"{name}-{moment}" if moment else name)
        if self.speaker is not None:
            for line in judgement.said:
                self.speaker.say(line)
