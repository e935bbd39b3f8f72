"""Profiles in the user's data folder: list, read, write, delete."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, TypeAlias

from bunnymoose_cv.calibration.profiles.player_profile import PlayerForm, PlayerProfile, printable_name
from bunnymoose_cv.calibration.profiles.profile_kind import ProfileKind
from bunnymoose_cv.calibration.profiles.profile_text import DamagedProfileError, NoProfileError, read_form
from bunnymoose_cv.calibration.profiles.table_profile import LONGEST_CAMERA, TableForm, TableProfile, moment
from bunnymoose_cv.core.atomic_files import whole_file
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.core.text_file import UNUSABLE, FormError, toml_fault
from bunnymoose_cv.core.unicode_text import is_unseen
from bunnymoose_cv.core.user_folder import user_folder
from bunnymoose_cv.rules.player_names import LONGEST_NAME, tidied
from bunnymoose_cv.rules.pose import NotationError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from bunnymoose_cv.calibration.adaptation.labelled_take import LabelledTake
    from bunnymoose_cv.calibration.adaptation.player_calibration import PlayerCalibration
    from bunnymoose_cv.core.user_settings import Settings
    from bunnymoose_cv.rules.exemptions import Exemption

MOST_PROFILES: Final = 500
"""Most files of a folder that are read."""


StoredProfile: TypeAlias = PlayerProfile | TableProfile


@dataclass(frozen=True, slots=True)
class ProfileList:
    """Profiles of one kind by name, and a sentence for each damaged file."""

    profiles: tuple[StoredProfile, ...]
    damaged: tuple[DamagedProfileError, ...]


class ProfileStore:
    """Profiles of one folder, which is made with the first of them."""

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
        plain = _plain(name)
        slug = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:24] or kind.value
        mark = hashlib.sha256(plain.encode("utf-8", "surrogatepass")).hexdigest()[:8]
        return self.folder / f"{kind.value}s" / f"{slug}-{mark}.toml"

    def list(self, kind: ProfileKind) -> ProfileList:
        """All profiles of a kind; a damaged one hides no other."""
        stored = [each for _, each in self._files(kind)]
        found = [each for each in stored if not isinstance(each, DamagedProfileError)]
        damaged = tuple(each for each in stored if isinstance(each, DamagedProfileError))
        return ProfileList(tuple(sorted(found, key=lambda each: each.name.casefold())), damaged)

    def _files(self, kind: ProfileKind) -> Iterator[tuple[Path, StoredProfile | DamagedProfileError]]:
        """Each file of a kind, and what stands in it."""
        for path in sorted((self.folder / f"{kind.value}s").glob("*.toml"))[:MOST_PROFILES]:
            try:
                yield path, read_profile(path, kind)
            except DamagedProfileError as error:
                yield path, error

    def player(self, name: str) -> PlayerProfile | None:
        """A player's profile; None where nothing is stored.

        Raises:
            DamagedProfileError: the file is damaged.
        """
        path = self.path(ProfileKind.PLAYER, name)
        profile = read_profile(path, ProfileKind.PLAYER) if path.is_file() else None
        return profile if isinstance(profile, PlayerProfile) else None

    def table(self, name: str) -> TableProfile | None:
        """A table's profile; None where nothing is stored.

        Raises:
            DamagedProfileError: the file is damaged.
        """
        path = self.path(ProfileKind.TABLE, name)
        profile = read_profile(path, ProfileKind.TABLE) if path.is_file() else None
        return profile if isinstance(profile, TableProfile) else None

    def last_table(self) -> TableProfile | None:
        """The table that was used last; None where there is none."""
        tables = [each for each in self.list(ProfileKind.TABLE).profiles if isinstance(each, TableProfile)]
        return max((each for each in tables if each.used), key=lambda each: each.used, default=None)

    def use(self, table: TableProfile) -> TableProfile:
        """Make a table the one that is offered at set-up.

        Raises:
            InputError: the disk refuses.
        """
        used = replace(table, used=moment())
        self.keep(used)
        return used

    def remember_table(self, camera: str, players: tuple[str, ...], tell: Callable[[str], object]) -> None:
        """Keep the table of a game that begins, so that it is offered again; a disk that refuses is told.

        A table with this camera that people named keeps its name; another one is called like the camera.

        Args:
            camera: title of what sees the players.
            players: round the table, from the first narrator to the left.
            tell: how people are told.
        """
        camera = camera[:LONGEST_CAMERA]
        known = [each for each in self.list(ProfileKind.TABLE).profiles if isinstance(each, TableProfile)]
        same = [each for each in known if each.camera == camera]
        table = max(same, key=lambda each: each.used, default=TableProfile(self._free_name(camera), camera))
        try:
            self.use(replace(table, players=players))
        except InputError as error:
            tell(error.sentence)

    def _free_name(self, camera: str) -> str:
        """The title of a camera as a table's name; with a mark where another camera's table is called so."""
        name = "".join(each for each in camera.strip() if not is_unseen(each))[:LONGEST_NAME].strip()
        if not self.path(ProfileKind.TABLE, name).exists():
            return name
        mark = hashlib.sha256(camera.encode("utf-8", "surrogatepass")).hexdigest()[:6]
        return f"{name[: LONGEST_NAME - len(mark) - 1].strip()} {mark}"

    def keep(self, profile: StoredProfile) -> Path:
        """Write a profile, whole or not at all; one of the same name is replaced.

        Raises:
            InputError: the disk refuses, or it has no proper name.
        """
        try:
            profile = replace(profile, name=printable_name(profile.name))
        except ValueError as error:
            raise InputError(Phrase("“{name}” is no name: {reason}", name=profile.name, reason=str(error))) from error
        kind = kind_of(profile)
        path, older = self._new_path(kind, profile.name), self.path(kind, profile.name)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
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

    def calibrations(
        self, players: Iterable[str], settings: Settings, tell: Callable[[str], object]
    ) -> Mapping[str, PlayerCalibration]:
        """Calibrations of those players who have a profile; of a damaged one people are told, and the default stands.

        Args:
            players: by the names that people typed: nobody is recognised.
            settings: thresholds by which a field is asked about.
            tell: how people are told.
        """
        found = {}
        for name in players:
            try:
                profile = self.player(name)
            except DamagedProfileError as error:
                tell(error.sentence)
                continue
            if profile is not None:
                found[name] = profile.calibration(settings)
        return {name: each for name, each in found.items() if each.changes_something}

    def exempt(self, name: str, parts: frozenset[Exemption]) -> None:
        """Keep what is not judged of a player; a profile that says nothing any more is deleted.

        Raises:
            InputError: the profile is damaged, or the disk refuses.
        """
        profile = replace(self.player(name) or PlayerProfile(name), exempt=parts)
        if profile.exempt or profile.takes:
            self.keep(profile)
        elif self.path(ProfileKind.PLAYER, name).exists():
            self.delete(ProfileKind.PLAYER, name)

    def warm_up(self, name: str, takes: Sequence[LabelledTake]) -> PlayerProfile:
        """Keep the takes of a warm-up, in place of those of the last one; without any nothing is changed.

        Returns:
            The player's profile, also where there is nothing to keep.

        Raises:
            InputError: the profile is damaged, or the disk refuses.
        """
        profile = self.player(name) or PlayerProfile(name)
        if takes:
            profile = profile.warmed_up(takes)
            self.keep(profile)
        return profile

    def learn(self, labels: Mapping[str, tuple[LabelledTake, ...]], tell: Callable[[str], object]) -> None:
        """Keep corrections of a game with the players who have a profile; a disk that refuses is told."""
        for name, takes in labels.items():
            try:
                profile = self.player(name)
                if profile is not None:
                    self.keep(profile.corrected(takes))
            except InputError as error:
                tell(error.sentence)


def _is_called(stored: StoredProfile | DamagedProfileError, name: str) -> bool:
    return not isinstance(stored, DamagedProfileError) and _plain(stored.name) == _plain(name)


def _plain(name: str) -> str:
    """Key of a profile's name: spaces, composed letters and capitals make no other name."""
    return tidied(name).casefold()


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
    try:
        return PlayerProfile.of(read_form(path, PlayerForm))
    except NotationError as error:
        raise NoProfileError(str(error)) from error


def default_profile_store() -> ProfileStore:
    """The store in the user's data folder."""
    return ProfileStore(user_folder() / "profiles")
