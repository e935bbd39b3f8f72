"""Files of profiles in the user's data folder: list, find, write, delete."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, TypeAlias

from bunnymoose_cv.calibration.profiles.player_profile import PlayerForm, PlayerProfile, printable_name
from bunnymoose_cv.calibration.profiles.profile_kind import ProfileKind
from bunnymoose_cv.calibration.profiles.profile_text import DamagedProfileError, NoProfileError, read_form
from bunnymoose_cv.calibration.profiles.table_profile import TableForm, TableProfile
from bunnymoose_cv.core.atomic_files import whole_file
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.core.text_file import UNUSABLE, FormError, toml_fault
from bunnymoose_cv.core.user_folder import make_private, user_folder
from bunnymoose_cv.rules.player_names import name_key

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


MOST_PROFILES: Final = 500
"""Most files of a folder that are read."""


StoredProfile: TypeAlias = PlayerProfile | TableProfile


@dataclass(frozen=True, slots=True)
class ProfileList:
    """Profiles of one kind by name, and a sentence for each damaged file."""

    profiles: tuple[StoredProfile, ...]
    damaged: tuple[DamagedProfileError, ...]


class ProfileFiles:
    """Files of one folder's profiles; the folder is made with the first of them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def path(self, kind: ProfileKind, name: str) -> Path:
        """The file that holds a profile, or will; the same one for every spelling of its name in Unicode.

        Older programs called the file by the name as it was typed: such a file is found by what stands in it.
        """
        path = self._new_path(kind, name)
        if path.exists():
            return path
        return next((each for each, stored in self._files(kind) if _is_called(stored, name)), path)

    def _new_path(self, kind: ProfileKind, name: str) -> Path:
        """The file that a profile is written to: readable, and another one for every name."""
        key = name_key(name)
        slug = re.sub(r"[^a-z0-9]+", "-", key).strip("-")[:24] or kind.value
        mark = hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()[:8]
        return self.folder / f"{kind.value}s" / f"{slug}-{mark}.toml"

    def list(self, kind: ProfileKind) -> ProfileList:
        """All profiles of a kind; a damaged one hides no other."""
        stored = [each for _, each in self._files(kind)]
        found = [each for each in stored if not isinstance(each, DamagedProfileError)]
        damaged = tuple(each for each in stored if isinstance(each, DamagedProfileError))
        return ProfileList(tuple(sorted(found, key=lambda each: each.name.casefold())), damaged)

    def find(self, kind: ProfileKind, name: str) -> StoredProfile | None:
        """A profile; None where nothing is stored.

        Raises:
            DamagedProfileError: the file is damaged.
        """
        path = self.path(kind, name)
        return read_profile(path, kind) if path.is_file() else None

    def _files(self, kind: ProfileKind) -> Iterator[tuple[Path, StoredProfile | DamagedProfileError]]:
        """Each file of a kind, and what stands in it."""
        for path in sorted((self.folder / f"{kind.value}s").glob("*.toml"))[:MOST_PROFILES]:
            try:
                yield path, read_profile(path, kind)
            except DamagedProfileError as error:
                yield path, error

    def keep(self, profile: StoredProfile) -> Path:
        """Write a profile, whole or not at all; one of the same name is replaced.

        Raises:
            InputError: the disk refuses, or it has no proper name.
        """
        try:
            profile = replace(profile, name=printable_name(profile.name))
        except ValueError as error:
            raise InputError(
                Phrase("“{name}” is no name: {reason}", name=profile.name, reason=f"it {error}")
            ) from error
        kind = kind_of(profile)
        path, older = self._new_path(kind, profile.name), self.path(kind, profile.name)
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
        """Delete a profile, damaged or not.

        Raises:
            InputError: there is none, or the disk refuses.
        """
        path = self.path(kind, name)
        try:
            path.unlink()
        except (FileNotFoundError, NotADirectoryError):
            raise InputError(Phrase("There is no profile “{name}”.", name=name)) from None
        except OSError as error:
            raise InputError(
                Phrase("The profile {path} cannot be deleted ({reason}).", path=str(path), reason=error.strerror)
            ) from error


def _is_called(stored: StoredProfile | DamagedProfileError, name: str) -> bool:
    return not isinstance(stored, DamagedProfileError) and name_key(stored.name) == name_key(name)


def kind_of(profile: StoredProfile) -> ProfileKind:
    """The kind of a profile."""
    return ProfileKind.PLAYER if isinstance(profile, PlayerProfile) else ProfileKind.TABLE


def read_profile(path: Path, kind: ProfileKind) -> StoredProfile:
    """Read a stored profile of a kind.

    Raises:
        DamagedProfileError: the file is none.
    """
    try:
        return _profile(path, kind)
    except OSError as error:
        sentence = Phrase(
            "The profile {path} cannot be read ({reason}): give yourself the right to read it, or move it away.",
            path=str(path),
            reason=error.strerror or str(error),
        )
        raise DamagedProfileError(sentence) from error
    except (UnicodeDecodeError, FormError, NoProfileError) as error:
        sentence = Phrase(
            "The profile {path} is damaged ({reason}): mend it, or delete it.", path=str(path), reason=str(error)
        )
        raise DamagedProfileError(sentence) from error


def read_exported(path: Path, kind: ProfileKind) -> StoredProfile:
    """Read a profile of a kind from a file that a person named.

    Raises:
        InputError: the file is missing or none, or a newer version of the program wrote it.
    """
    try:
        return _profile(path, kind)
    except UNUSABLE as error:
        raise InputError(f"The profile {path} {toml_fault(error)}.") from error
    except NoProfileError as error:
        raise InputError(
            f"{path} is no profile of a {kind.value} ({error}): name what “bunnymoose profile export” wrote."
        ) from error


def _profile(path: Path, kind: ProfileKind) -> StoredProfile:
    """Read a profile.

    Raises:
        OSError, UnicodeDecodeError, FormError, DamagedProfileError, NoProfileError: as `read_form`.
    """
    if kind is ProfileKind.TABLE:
        return TableProfile.of(read_form(path, TableForm))
    return PlayerProfile.of(read_form(path, PlayerForm))


def default_profile_files() -> ProfileFiles:
    """The profiles in the user's data folder."""
    return ProfileFiles(user_folder() / "profiles")
