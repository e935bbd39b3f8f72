"""Profiles of tables: the one that is offered at set-up, and the table of a game that begins."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from typing import TYPE_CHECKING

from bunnymoose_cv.calibration.profiles.profile_files import default_profile_files
from bunnymoose_cv.calibration.profiles.profile_kind import ProfileKind
from bunnymoose_cv.calibration.profiles.table_profile import LONGEST_CAMERA, TableProfile, moment
from bunnymoose_cv.core.address import without_secrets
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.unicode_text import is_unseen
from bunnymoose_cv.rules.player_names import LONGEST_NAME

if TYPE_CHECKING:
    from collections.abc import Callable

    from bunnymoose_cv.calibration.profiles.profile_files import ProfileFiles


class TableProfiles:
    """Profiles of the tables among stored profiles."""

    def __init__(self, files: ProfileFiles) -> None:
        self._files = files

    @property
    def all(self) -> tuple[TableProfile, ...]:
        """Every table that can be read."""
        stored = self._files.list(ProfileKind.TABLE).profiles
        return tuple(each for each in stored if isinstance(each, TableProfile))

    def find(self, name: str) -> TableProfile | None:
        """A table's profile; None where nothing is stored.

        Raises:
            DamagedProfileError: the file is damaged.
        """
        profile = self._files.find(ProfileKind.TABLE, name)
        return profile if isinstance(profile, TableProfile) else None

    def last(self) -> TableProfile | None:
        """The table that was used last; None where there is none."""
        return max((each for each in self.all if each.used), key=lambda each: each.used, default=None)

    def use(self, table: TableProfile) -> TableProfile:
        """Make a table the one that is offered at set-up.

        Raises:
            InputError: the disk refuses.
        """
        used = replace(table, used=moment())
        self._files.keep(used)
        return used

    def remember(self, camera: str, players: tuple[str, ...], tell: Callable[[str], object]) -> None:
        """Keep the table of a game that begins, so that it is offered again; a disk that refuses is told.

        A table with this camera that people named keeps its name; another one is called like the camera.
        """
        try:
            self.use(replace(self._table_of(camera), players=players))
        except InputError as error:
            tell(error.sentence)

    def keep_delay(self, camera: str, size: tuple[int, int], delay_s: float) -> None:
        """Keep the measured delay of a camera with the table that it sees.

        Raises:
            InputError: the disk refuses.
        """
        self._files.keep(replace(self._table_of(camera), delay_s=round(delay_s, 3), delay_at=_size_text(size)))

    def delay_of(self, camera: str, size: tuple[int, int]) -> float | None:
        """Return the measured delay of a camera; None if there is none, or the camera had another size then."""
        table = self._table_of(camera)
        return table.delay_s if table.delay_at == _size_text(size) else None

    def _table_of(self, camera: str) -> TableProfile:
        """Return the table last used with a camera, or a new one."""
        camera = camera[:LONGEST_CAMERA]
        same = [each for each in self.all if each.camera == camera]
        return max(same, key=lambda each: each.used, default=None) or TableProfile(
            self._free_name(without_secrets(camera)), camera
        )

    def _free_name(self, camera: str) -> str:
        """The title of a camera as a table's name; with a mark where another camera's table is called so."""
        name = "".join(each for each in camera.strip() if not is_unseen(each))[:LONGEST_NAME].strip()
        if not self._files.path(ProfileKind.TABLE, name).exists():
            return name
        mark = hashlib.sha256(camera.encode("utf-8", "surrogatepass")).hexdigest()[:6]
        return f"{name[: LONGEST_NAME - len(mark) - 1].strip()} {mark}"


def _size_text(size: tuple[int, int]) -> str:
    return f"{size[0]}x{size[1]}"


def default_table_profiles() -> TableProfiles:
    """The tables in the user's data folder."""
    return TableProfiles(default_profile_files())
