"""Files of a round's evidence: images and readings are written at once, what comes later is added."""

from __future__ import annotations

from dataclasses import dataclass, field
from shutil import rmtree
from typing import TYPE_CHECKING

from bunnymoose_cv.core.atomic_files import whole_file
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.drawing.annotation import draw
from bunnymoose_cv.i18n.language import Language
from bunnymoose_cv.i18n.texts import Texts
from bunnymoose_cv.record.evidence_json import FrameEvidence, MoveEvidence, RoundShape, VerdictEvidence
from bunnymoose_cv.record.round_folder import EvidenceError
from bunnymoose_cv.record.still_images import write_still
from bunnymoose_cv.voice.phrases import announce

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from bunnymoose_cv.record.round_folder import RoundFolder
    from bunnymoose_cv.rules.round import Verdict
    from bunnymoose_cv.vision.readings import FrameReading


@dataclass(frozen=True, slots=True, eq=False)
class RoundEvidence:
    """Evidence of a round, as it is handed to the keeper.

    Attributes:
        cue_s: when Bam was said, on the clock of the frames.
        players: in seat order.
        readings: one per frame, in the order in which their images are kept: those that were judged first, then the
            others of the window, with players only where they were read.
        agreed: what they show together, on the image to show; somebody who was not seen is missing.
        verdicts: of those who were judged; those being asked are missing.
        moved: by seat, when a frame shows that the player changed after the freeze.
        language: of the announcements, and of the words in images and films.
    """

    number: int
    cue_s: float
    players: tuple[str, ...]
    readings: tuple[FrameReading, ...]
    agreed: FrameReading
    verdicts: tuple[Verdict, ...]
    said: tuple[str, ...] = ()
    moved: Mapping[int, float] = field(default_factory=dict)
    language: Language = Language.ENGLISH


def keep_stills(kept: RoundFolder, evidence: RoundEvidence) -> None:
    """Write images and readings; they replace what was kept of the round.

    Raises:
        EvidenceError: the disk refuses; then nothing of the round is kept.
    """
    banners = {verdict.seat: _banner(verdict, evidence.language) for verdict in evidence.verdicts}
    still = draw(evidence.agreed, banners, Texts(evidence.language))
    try:
        rmtree(kept.folder, ignore_errors=True)
        kept.folder.parent.mkdir(mode=0o700, exist_ok=True)
        kept.folder.mkdir(mode=0o700)
        write_still(still, kept.still)
        _keep_frames(kept, evidence)
    except (OSError, InputError) as error:
        rmtree(kept.folder, ignore_errors=True)
        raise _not_kept(evidence.number, error) from error


def keep_what_came(kept: RoundFolder, evidence: RoundEvidence) -> None:
    """Write the readings once more, with what is known of them by now.

    Raises:
        EvidenceError: the disk refuses.
    """
    try:
        _keep_frames(kept, evidence)
    except (OSError, InputError) as error:
        raise _not_kept(evidence.number, error) from error


def _keep_frames(kept: RoundFolder, evidence: RoundEvidence) -> None:
    """Write the images that are not kept yet, then all readings."""
    for number, reading in enumerate(evidence.readings, start=1):
        if not kept.frame(number).exists():
            write_still(reading.image, kept.frame(number))
    write_text(kept.json, _round_shape(kept, evidence).model_dump_json())


def _not_kept(number: int, error: Exception) -> EvidenceError:
    return EvidenceError(
        Phrase("What was seen in round {number} is not kept ({reason}).", number=number, reason=reason_of(error))
    )


def _round_shape(kept: RoundFolder, evidence: RoundEvidence) -> RoundShape:
    height, width = evidence.agreed.image.shape[:2]
    frames = [
        FrameEvidence.of(kept.frame(number).name, reading) for number, reading in enumerate(evidence.readings, start=1)
    ]
    return RoundShape(
        round=evidence.number,
        cue_s=evidence.cue_s,
        size=(width, height),
        players=evidence.players,
        frames=tuple(sorted(frames, key=lambda frame: frame.time_s)),
        agreed=FrameEvidence.of(kept.still.name, evidence.agreed),
        verdicts=tuple(VerdictEvidence.of(verdict, evidence.language) for verdict in evidence.verdicts),
        moved=tuple(MoveEvidence(seat=seat, time_s=time_s) for seat, time_s in sorted(evidence.moved.items())),
        said=evidence.said,
        language=evidence.language,
    )


def _banner(verdict: Verdict, language: Language) -> str:
    return announce(verdict.score.species, verdict.score.total, [verdict.player], language)


def write_text(path: Path, text: str) -> None:
    """Write a text file, whole or not at all.

    Raises:
        OSError: the disk refuses.
    """
    with whole_file(path) as part:
        part.write_text(text, "utf-8")


def reason_of(error: Exception) -> str:
    """Reason why something is not kept, in words."""
    if isinstance(error, InputError):
        return error.sentence
    return (error.strerror if isinstance(error, OSError) else None) or str(error)
