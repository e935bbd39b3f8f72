"""Which tongue net judges whom: for people whom the shipped net learned from, one that has not seen them.

`people.toml` lists for each net whom it has not seen, by `subject`; who is in a mouth of a list of mouths goes by the
file's name. The nets
lie in the checkout alone; an installed program has none and judges everybody by the shipped one.
"""

from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING

from bunnymoose_cv.core.resources import bundled
from bunnymoose_cv.vision.tongue.tongue_cascade import TongueReader

if TYPE_CHECKING:
    from pathlib import Path

    from bunnymoose_cv.core.profile import TongueLimits
    from bunnymoose_cv.evaluation.manifest import Row

_FOLDER = bundled("models/left_out")


class LeftOutTongues:
    """Tongue readers for people who took part in training. Belongs to one thread, as its readers do.

    Attributes:
        shipped: reads everybody else.
    """

    def __init__(self, limits: TongueLimits, folder: Path = _FOLDER) -> None:
        """Load the nets that the folder's `people.toml` lists; none where there is no such list.

        Raises:
            InputError: a listed net is missing.
        """
        people = folder / "people.toml"
        nets = tomllib.loads(people.read_text("utf-8")) if people.is_file() else {}
        self.shipped = TongueReader(limits)
        self._reader_of: dict[str, TongueReader] = {}
        for net, listed in nets.items():
            reader = TongueReader(limits, folder / f"{net}.onnx")
            self._reader_of |= dict.fromkeys(listed["unseen"], reader)

    def reader_of(self, row: Row) -> TongueReader | None:
        """The reader that has not seen the row's `subject`; None where the shipped one has not seen them either."""
        return self._reader_of.get(row.labels.get("subject", ""))
