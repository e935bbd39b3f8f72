"""Profiles of players and tables in the user's data folder: list, find, write, delete."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from bunnymoose_cv.calibration.profiles.profile_forms import (
    LONGEST_CAMERA,
    DamagedProfileError,
    NoProfileError,
    PlayerProfile,
    ProfileKind,
    StoredProfile,
    TableProfile,
    parse_profile,
    printable_name,
)
from bunnymoose_cv.core.address import without_secrets
from bunnymoose_cv.core.atomic_files import whole_file
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.folders import make_private, user_folder
from bunnymoose_cv.core.input_file import UNUSABLE, FormError, toml_fault
from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.core.unicode_text import is_unseen
from bunnymoose_cv.rules.player_names import LONGEST_NAME, name_key

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from pathlib import Path

    from bunnymoose_cv.rules.exemptions import Exemption


MOST_PROFILES: Final = 500
"""Largest number of files that are read in a folder."""


@dataclass(frozen=True, slots=True)
class ProfileList:
    """Profiles of one kind by name, and a sentence for each damaged file."""

    profiles: tuple[StoredProfile, ...]
    damaged: tuple[DamagedProfileError, ...]


class ProfileFiles:
    """Profiles of players and tables in one folder, which is created with the first of them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def path(self, kind: ProfileKind, name: str) -> Path:
        """Return the file of a profile, whether it exists or not. Unicode spellings of a name share one file.

        Older programs named the file after the name as typed; such a file is found by the name in it.
        """
        path = self._new_path(kind, name)
        if path.exists():
            return path
        key = name_key(name)
        others = ((file, found) for file, found in self._files(kind) if not isinstance(found, DamagedProfileError))
        return next((file for file, found in others if name_key(found.name) == key), path)

    def _new_path(self, kind: ProfileKind, name: str) -> Path:
        """Return the path for writing a profile: readable, and different for every name."""
        key = name_key(name)
        slug = re.sub(r"[^a-z0-9]+", "-", key).strip("-")[:24] or kind.value
        mark = hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()[:8]
        return self.folder / f"{kind.value}s" / f"{slug}-{mark}.toml"

    def list(self, kind: ProfileKind) -> ProfileList:
        """Return all profiles of a kind; a damaged one does not hide the others."""
        stored = [profile for _, profile in self._files(kind)]
        found = [profile for profile in stored if not isinstance(profile, DamagedProfileError)]
        damaged = tuple(profile for profile in stored if isinstance(profile, DamagedProfileError))
        return ProfileList(tuple(sorted(found, key=lambda profile: profile.name.casefold())), damaged)

    def find(self, kind: ProfileKind, name: str) -> StoredProfile | None:
        """Return a profile, or None if nothing is stored; a damaged file raises a `DamagedProfileError`."""
        path = self.path(kind, name)
        return read_profile(path, kind) if path.is_file() else None

    def _files(self, kind: ProfileKind) -> Iterator[tuple[Path, StoredProfile | DamagedProfileError]]:
        """Yield each file of a kind with its profile, or with the error if it is damaged."""
        for path in sorted((self.folder / f"{kind.value}s").glob("*.toml"))[:MOST_PROFILES]:
            try:
                yield path, read_profile(path, kind)
            except DamagedProfileError as error:
                yield path, error

    def keep(self, profile: StoredProfile) -> Path:
        """Write a profile atomically, instead of one of the same name; raise an `InputError` if that fails."""
        try:
            profile = replace(profile, name=printable_name(profile.name))
        except ValueError as error:
            raise InputError(
                Phrase("“{name}” cannot be a name: {reason}", name=profile.name, reason=f"it {error}")
            ) from error
        path, older = self._new_path(profile.kind, profile.name), self.path(profile.kind, profile.name)
        try:
            make_private(path.parent)
            with whole_file(path) as part:
                part.write_text(profile.text, "utf-8")
            if older != path:
                older.unlink()
        except OSError as error:
            raise InputError(
                Phrase(
                    "The profile cannot be kept in {path} ({reason}): make room, or give yourself the right to write "
                    "there.",
                    path=str(path),
                    reason=error.strerror or str(error),
                )
            ) from error
        return path

    def delete(self, kind: ProfileKind, name: str) -> None:
        """Delete a profile, damaged or not; raise an `InputError` if it does not exist, or cannot be deleted."""
        path = self.path(kind, name)
        try:
            path.unlink()
        except (FileNotFoundError, NotADirectoryError):
            raise InputError(Phrase("There is no profile “{name}”.", name=name)) from None
        except OSError as error:
            raise InputError(
                Phrase("The profile {path} cannot be deleted ({reason}).", path=str(path), reason=error.strerror)
            ) from error

    def player(self, name: str) -> PlayerProfile | None:
        """Return a player's profile, or None if nothing is stored; a damaged file raises a `DamagedProfileError`."""
        profile = self.find(ProfileKind.PLAYER, name)
        return profile if isinstance(profile, PlayerProfile) else None

    def exemptions(self, players: Iterable[str], report: Callable[[str], object]) -> Mapping[str, frozenset[Exemption]]:
        """Return the exemptions of those players who have any. A damaged profile is reported and ignored."""
        found = {}
        for name in players:
            try:
                profile = self.player(name)
            except DamagedProfileError as error:
                report(error.sentence)
                continue
            if profile is not None and profile.exempt:
                found[name] = profile.exempt
        return found

    def exempt(self, name: str, parts: frozenset[Exemption]) -> None:
        """Keep a player's exemptions; a profile without any is deleted, a damaged one raises an `InputError`."""
        profile = replace(self.player(name) or PlayerProfile(name), exempt=parts)
        if profile.exempt:
            self.keep(profile)
        elif self.path(ProfileKind.PLAYER, name).exists():
            self.delete(ProfileKind.PLAYER, name)

    @property
    def tables(self) -> tuple[TableProfile, ...]:
        """All readable tables."""
        return tuple(table for table in self.list(ProfileKind.TABLE).profiles if isinstance(table, TableProfile))

    def last_table(self) -> TableProfile | None:
        """Return the table that was used last, or None if no table has been used."""
        return max((table for table in self.tables if table.used), key=lambda table: table.used, default=None)

    def use_table(self, table: TableProfile) -> TableProfile:
        """Make a table the one offered at set-up; raise an `InputError` if its profile cannot be written."""
        used = replace(table, used=datetime.now(UTC).isoformat(timespec="seconds"))
        self.keep(used)
        return used

    def remember_table(self, camera: str, players: tuple[str, ...], report: Callable[[str], object]) -> None:
        """Keep the table of a game that begins, so that it is offered again. A write error is reported.

        A table with this camera keeps the name that users gave it. A new table is named after the camera.
        """
        try:
            self.use_table(replace(self._table_of(camera), players=players))
        except InputError as error:
            report(error.sentence)

    def keep_delay(self, camera: str, size: tuple[int, int], delay_s: float) -> None:
        """Keep the measured delay of a camera; raise an `InputError` if its table's profile cannot be written."""
        self.keep(replace(self._table_of(camera), delay_s=round(delay_s, 3), delay_at=_size_text(size)))

    def delay_of(self, camera: str, size: tuple[int, int]) -> float | None:
        """Return the measured delay of a camera; None if it was not measured at this size."""
        table = self._table_of(camera)
        return table.delay_s if table.delay_at == _size_text(size) else None

    def _table_of(self, camera: str) -> TableProfile:
        """Return the table last used with a camera, or a new one."""
        camera = camera[:LONGEST_CAMERA]
        same = [table for table in self.tables if table.camera == camera]
        return max(same, key=lambda table: table.used, default=None) or TableProfile(
            self._free_name(without_secrets(camera)), camera
        )

    def _free_name(self, camera: str) -> str:
        """Return the title of a camera as a table's name, with a mark if another camera's table already has it."""
        name = "".join(letter for letter in camera.strip() if not is_unseen(letter))[:LONGEST_NAME].strip()
        if not self.path(ProfileKind.TABLE, name).exists():
            return name
        mark = hashlib.sha256(camera.encode("utf-8", "surrogatepass")).hexdigest()[:6]
        return f"{name[: LONGEST_NAME - len(mark) - 1].strip()} {mark}"


def _size_text(size: tuple[int, int]) -> str:
    return f"{size[0]}x{size[1]}"


def read_profile(path: Path, kind: ProfileKind) -> StoredProfile:
    """Read a stored profile of a kind; raise a `DamagedProfileError` if the file is not one."""
    try:
        return parse_profile(path, kind)
    except OSError as error:
        sentence = Phrase(
            "The profile {path} cannot be read ({reason}): give yourself the right to read it, or move it away.",
            path=str(path),
            reason=error.strerror or str(error),
        )
        raise DamagedProfileError(sentence) from error
    except (UnicodeDecodeError, FormError, NoProfileError) as error:
        sentence = Phrase(
            "The profile {path} is damaged ({reason}): repair it, or delete it.", path=str(path), reason=str(error)
        )
        raise DamagedProfileError(sentence) from error


def read_exported(path: Path, kind: ProfileKind) -> StoredProfile:
    """Read a profile of a kind from a file that a user named; raise an `InputError` if it is not one."""
    try:
        return parse_profile(path, kind)
    except UNUSABLE as error:
        raise InputError(f"The profile {path} {toml_fault(error)}.") from error
    except NoProfileError as error:
        raise InputError(
            f"{path} is no profile of a {kind.value} ({error}): name what “bunnymoose profile export” wrote."
        ) from error


def default_profile_files() -> ProfileFiles:
    """Return the profiles in the user's data folder."""
    return ProfileFiles(user_folder() / "profiles")
