"""Profiles of players: what is not judged of whom."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from bunnymoose_cv.calibration.profiles.player_profile import PlayerProfile
from bunnymoose_cv.calibration.profiles.profile_files import default_profile_files
from bunnymoose_cv.calibration.profiles.profile_kind import ProfileKind
from bunnymoose_cv.calibration.profiles.profile_text import DamagedProfileError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from bunnymoose_cv.calibration.profiles.profile_files import ProfileFiles
    from bunnymoose_cv.rules.exemptions import Exemption


class PlayerProfiles:
    """Profiles of the players among stored profiles."""

    def __init__(self, files: ProfileFiles) -> None:
        self._files = files

    def find(self, name: str) -> PlayerProfile | None:
        """A player's profile; None where nothing is stored.

        Raises:
            DamagedProfileError: the file is damaged.
        """
        profile = self._files.find(ProfileKind.PLAYER, name)
        return profile if isinstance(profile, PlayerProfile) else None

    def exemptions(self, players: Iterable[str], tell: Callable[[str], object]) -> Mapping[str, frozenset[Exemption]]:
        """Return the exemptions of those players who have any; a damaged profile is reported, and exempts nothing.

        Args:
            players: by the names that people typed: nobody is recognised.
        """
        found = {}
        for name in players:
            try:
                profile = self.find(name)
            except DamagedProfileError as error:
                tell(error.sentence)
                continue
            if profile is not None and profile.exempt:
                found[name] = profile.exempt
        return found

    def exempt(self, name: str, parts: frozenset[Exemption]) -> None:
        """Keep what is not judged of a player; a profile that says nothing any more is deleted.

        Raises:
            InputError: the profile is damaged, or the disk refuses.
        """
        profile = replace(self.find(name) or PlayerProfile(name), exempt=parts)
        if profile.exempt:
            self._files.keep(profile)
        elif self._files.path(ProfileKind.PLAYER, name).exists():
            self._files.delete(ProfileKind.PLAYER, name)


def default_player_profiles() -> PlayerProfiles:
    """The players in the user's data folder."""
    return PlayerProfiles(default_profile_files())
