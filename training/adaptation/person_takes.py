"""Takes by person: images of known people → log-odds beside what they show, one JSON object a line.

    python -m training.adaptation.person_takes renders FOLDER OUT    what fixtures.render.unusual made
    python -m training.adaptation.person_takes people PEOPLE.csv OUT   real people, those with several crops

What is in OUT already is left alone.
"""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from bunnymoose_cv.calibration.adaptation.labelled_take import LabelledTake, TakeSource
from bunnymoose_cv.calibration.profiles.take_form import TakeForm
from bunnymoose_cv.capture.images import read_image
from bunnymoose_cv.core.user_settings import load_settings
from bunnymoose_cv.rules.pose import Pose
from bunnymoose_cv.vision.reader import Reader
from training.evaluate.people import read_people
from training.question_rate import pose_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from training.evaluate.people import PersonRow

FEWEST_CROPS, MOST_CROPS = 4, 16
"""People with fewer crops teach nothing about a person; of those with more, crops are taken evenly."""


@dataclass(frozen=True, slots=True)
class PersonTake:
    """One image of one person.

    Attributes:
        image: its name.
        person: person id.
        group: what is unusual about the hands, or the source.
        session: number of the take, 0 or 1.
        take: log-odds and label; None if nobody was found.
    """

    image: str
    person: str
    group: str
    session: int
    take: LabelledTake | None

    @property
    def line(self) -> str:
        """JSON line of the take."""
        take = None if self.take is None else TakeForm.of(self.take).model_dump(mode="json")
        return json.dumps(asdict(replace(self, take=None)) | {"take": take})

    @classmethod
    def parse(cls, line: str) -> PersonTake:
        """Parse a JSON line."""
        facts = json.loads(line)
        take = None if facts["take"] is None else TakeForm.model_validate(facts["take"]).take
        return cls(**facts | {"take": take})


def read_takes(path: Path) -> tuple[PersonTake, ...]:
    """Return all takes of a file."""
    return tuple(map(PersonTake.parse, path.read_text("utf-8").splitlines()))


@dataclass(frozen=True, slots=True)
class _Image:
    path: Path
    shown: Pose
    person: str
    group: str
    session: int


def _renders(folder: Path) -> Iterator[_Image]:
    for path in sorted(folder.glob("*.json")):
        truth = json.loads(path.read_text("utf-8"))
        if not truth["between"]:
            shown = Pose.parse(truth["pose"])
            yield _Image(path.with_suffix(".jpg"), shown, truth["subject"], truth["trait"], truth["take"])


def _people(path: Path) -> Iterator[_Image]:
    """Return crops with a whole pose, spread evenly; the first half of a person's crops is the first session."""
    by_person: dict[str, list[tuple[PersonRow, Pose]]] = defaultdict(list)
    for row in read_people(path).rows:
        pose = pose_of(row)
        if pose is not None:
            by_person[row.person].append((row, pose))
    for person, rows in sorted(by_person.items()):
        if len(rows) < FEWEST_CROPS:
            continue
        step = max(1, len(rows) / MOST_CROPS)
        chosen = [rows[int(number * step)] for number in range(int(len(rows) / step))]
        for number, (row, pose) in enumerate(chosen):
            yield _Image(row.image, pose, person, row.source, int(number >= len(chosen) / 2))


def _gather(images: Iterable[_Image], out: Path) -> None:
    known = {take.image for take in read_takes(out)} if out.is_file() else set()
    with Reader(load_settings()) as reader, out.open("a", encoding="utf-8") as lines:
        for each in images:
            if each.path.name in known:
                continue
            players = reader.read(read_image(each.path)).players
            seen = max(players, key=lambda one: one.player.head.eye_distance, default=None)
            take = None if seen is None else LabelledTake.of(seen, each.shown, TakeSource.WARM_UP)
            lines.write(f"{PersonTake(each.path.name, each.person, each.group, each.session, take).line}\n")
            lines.flush()


def main() -> None:
    """Gather what the command line names."""
    match sys.argv[1:]:
        case ["renders", folder, out]:
            _gather(_renders(Path(folder)), Path(out))
        case ["people", manifest, out]:
            _gather(_people(Path(manifest)), Path(out))
        case _:
            raise SystemExit(__doc__)


if __name__ == "__main__":
    main()
