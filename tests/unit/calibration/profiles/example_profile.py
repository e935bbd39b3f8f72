"""Profile of a player with one take, for tests."""

from bunnymoose_cv.calibration.adaptation.labelled_take import LabelledTake, TakeSource
from bunnymoose_cv.calibration.adaptation.log_odds import SideOdds
from bunnymoose_cv.calibration.profiles.player_profile import PlayerProfile, fingerprint
from bunnymoose_cv.rules.exemptions import Exemption
from bunnymoose_cv.rules.pose import Pose

SIDE = SideOdds((-0.01, -7.0, -7.5), spread=-0.5, direction=6.0, form=6.25, place=6.0)


def take(source: TakeSource, tongue: float = -6.0) -> LabelledTake:
    return LabelledTake(source, Pose.parse("WU CD t"), SIDE, SIDE, tongue)


ANNA = PlayerProfile("Änne “O’”", frozenset({Exemption.TONGUE}), (take(TakeSource.WARM_UP),), fingerprint())
