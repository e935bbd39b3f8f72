"""Files of a round's evidence: images and readings are written at once, later evidence is added."""

from __future__ import annotations

from dataclasses import dataclass, field
from shutil import rmtree
from typing import TYPE_CHECKING

from bunnymoose_cv.announcements.announcing import verdict_line
from bunnymoose_cv.core.atomic_files import whole_file
from bunnymoose_cv.core.errors import InputError, reason_of
from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.drawing.annotation import draw
from bunnymoose_cv.i18n.language import Language
from bunnymoose_cv.i18n.texts import Texts
from bunnymoose_cv.record.evidence_json import FrameEvidence, MoveEvidence, RoundShape, VerdictEvidence
from bunnymoose_cv.record.round_folder import EvidenceError, RoundFolder
from bunnymoose_cv.record.still_images import write_still

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from bunnymoose_cv.rules.round import Verdict
    from bunnymoose_cv.vision.readings import FrameReading


@dataclass(frozen=True, slots=True, eq=False)
class RoundEvidence:
    """Evidence of a round, as it is given to the `EvidenceKeeper`, with the players in seat order.

    Attributes:
        cue_s: the time of Bam, in seconds on the clock of the frames.
        readings: one reading per frame, in the order in which their images are stored: first the judged frames, then
            the others of the window, which have players only if they were read.
        agreed: the aggregated reading, on the image to show; players who were not seen are missing.
        verdicts: the verdicts about judged players; players being asked are missing.
        moved: the times when frames show that a player changed the pose after the freeze, by seat.
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
    """Write images and readings in place of the round's earlier ones; raise an `EvidenceError`, with nothing kept."""
    banners = {verdict.seat: verdict_line(verdict, evidence.language) for verdict in evidence.verdicts}
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


def update_evidence(kept: RoundFolder, evidence: RoundEvidence) -> None:
    """Rewrite the readings with the evidence that has been added; raise an `EvidenceError` if that fails."""
    try:
        _keep_frames(kept, evidence)
    except (OSError, InputError) as error:
        raise _not_kept(evidence.number, error) from error


def _keep_frames(kept: RoundFolder, evidence: RoundEvidence) -> None:
    """Write the images that are not stored yet, then all readings."""
    for number, reading in enumerate(evidence.readings, start=1):
        if not kept.frame(number).exists():
            write_still(reading.image, kept.frame(number))
    write_text(kept.json, _round_shape(kept, evidence).model_dump_json())


def _not_kept(number: int, error: Exception) -> EvidenceError:
    return EvidenceError(
        Phrase("The evidence of round {number} could not be saved ({reason}).", number=number, reason=reason_of(error))
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


def write_text(path: Path, text: str) -> None:
    """Write a text file atomically; raise an `OSError` if that fails."""
    with whole_file(path) as part:
        part.write_text(text, "utf-8")
