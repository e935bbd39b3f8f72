"""Profiles of players: calibrations that a game is judged by, and what is learnt of a player."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from bunnymoose_cv.calibration.profiles.player_profile import PlayerProfile
from bunnymoose_cv.calibration.profiles.profile_files import default_profile_files
from bunnymoose_cv.calibration.profiles.profile_kind import ProfileKind
from bunnymoose_cv.calibration.profiles.profile_text import DamagedProfileError
from bunnymoose_cv.core.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from bunnymoose_cv.calibration.adaptation.labelled_take import LabelledTake
    from bunnymoose_cv.calibration.adaptation.player_calibration import PlayerCalibration
    from bunnymoose_cv.calibration.profiles.profile_files import ProfileFiles
    from bunnymoose_cv.core.user_settings import Settings
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

    def calibrations(
        self, players: Iterable[str], settings: Settings, tell: Callable[[str], object]
    ) -> Mapping[str, PlayerCalibration]:
        """Calibrations of those players who have a profile; of a damaged one people are told, and the default stands.

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
            if profile is not None:
                found[name] = profile.calibration(settings)
        return {name: each for name, each in found.items() if each.changes_something}

    def exempt(self, name: str, parts: frozenset[Exemption]) -> None:
        """Keep what is not judged of a player; a profile that says nothing any more is deleted.

        Raises:
            InputError: the profile is damaged, or the disk refuses.
        """
        profile = replace(self.find(name) or PlayerProfile(name), exempt=parts)
        if profile.exempt or profile.takes:
            self._files.keep(profile)
        elif self._files.path(ProfileKind.PLAYER, name).exists():
            self._files.delete(ProfileKind.PLAYER, name)

    def warm_up(self, name: str, takes: Sequence[LabelledTake]) -> PlayerProfile:
        """Keep the takes of a warm-up, in place of those of the last one; without any nothing is changed.

        Returns:
            The player's profile, also where there is nothing to keep.

        Raises:
            InputError: the profile is damaged, or the disk refuses.
        """
        profile = self.find(name) or PlayerProfile(name)
        if takes:
            profile = profile.warmed_up(takes)
            self._files.keep(profile)
        return profile

    def learn(self, labels: Mapping[str, tuple[LabelledTake, ...]], tell: Callable[[str], object]) -> None:
        """Keep corrections of a game with the players who have a profile; a disk that refuses is told."""
        for name, takes in labels.items():
            try:
                profile = self.find(name)
                if profile is not None:
                    self._files.keep(profile.corrected(takes))
            except InputError as error:
                tell(error.sentence)


def default_player_profiles() -> PlayerProfiles:
    """The players in the user's data folder."""
    return PlayerProfiles(default_profile_files())
