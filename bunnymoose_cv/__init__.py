"""The referee of Bunny Bunny Moose Moose.

Public API: `Reader` reads images, `judge` reads and scores one image, `score` scores a pose given in notation, and
`draw` draws a reading. The public classes are the values in between, and the errors. All other modules may change
without notice.

    >>> from bunnymoose_cv import score
    >>> score("WU CD", "L.WU+1 B.CD+1 TONGUE+3").total
    2
"""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bunnymoose_cv.core.version import __version__ as __version__

if TYPE_CHECKING:  # the only list of the public names: `_HOMES` reads it
    from bunnymoose_cv.capture.frame import Frame as Frame
    from bunnymoose_cv.capture.frame import Image as Image
    from bunnymoose_cv.capture.frame import UnreadableError as UnreadableError
    from bunnymoose_cv.core.errors import InputError as InputError
    from bunnymoose_cv.core.phrase import Phrase as Phrase
    from bunnymoose_cv.core.user_settings import Settings as Settings
    from bunnymoose_cv.core.user_settings import load_settings as load_settings
    from bunnymoose_cv.drawing.annotation import draw as draw
    from bunnymoose_cv.i18n.language import Language as Language
    from bunnymoose_cv.i18n.texts import Texts as Texts
    from bunnymoose_cv.public import judge as judge
    from bunnymoose_cv.public import score as score
    from bunnymoose_cv.referee.judge import Announced as Announced
    from bunnymoose_cv.referee.judge import Bet as Bet
    from bunnymoose_cv.referee.judge import BetError as BetError
    from bunnymoose_cv.referee.judge import JudgedPlayer as JudgedPlayer
    from bunnymoose_cv.referee.judge import Judgement as Judgement
    from bunnymoose_cv.referee.question import JudgedMove as JudgedMove
    from bunnymoose_cv.rules.cards import AntlerPattern as AntlerPattern
    from bunnymoose_cv.rules.cards import Card as Card
    from bunnymoose_cv.rules.cards import DoubleCard as DoubleCard
    from bunnymoose_cv.rules.cards import EarPattern as EarPattern
    from bunnymoose_cv.rules.cards import Half as Half
    from bunnymoose_cv.rules.cards import HunterCard as HunterCard
    from bunnymoose_cv.rules.cards import Pattern as Pattern
    from bunnymoose_cv.rules.cards import ReversalCard as ReversalCard
    from bunnymoose_cv.rules.cards import SingleCard as SingleCard
    from bunnymoose_cv.rules.cards import SpeciesCard as SpeciesCard
    from bunnymoose_cv.rules.cards import Table as Table
    from bunnymoose_cv.rules.cards import TimesTwoCard as TimesTwoCard
    from bunnymoose_cv.rules.cards import TongueCard as TongueCard
    from bunnymoose_cv.rules.cards import format_table as format_table
    from bunnymoose_cv.rules.cards import parse_card as parse_card
    from bunnymoose_cv.rules.cards import parse_table as parse_table
    from bunnymoose_cv.rules.deck import Edition as Edition
    from bunnymoose_cv.rules.deck import Rules as Rules
    from bunnymoose_cv.rules.deck import Variant as Variant
    from bunnymoose_cv.rules.deck import rules_for as rules_for
    from bunnymoose_cv.rules.exemptions import Exemption as Exemption
    from bunnymoose_cv.rules.moves import LikelyMove as LikelyMove
    from bunnymoose_cv.rules.pose import Animal as Animal
    from bunnymoose_cv.rules.pose import Antler as Antler
    from bunnymoose_cv.rules.pose import Direction as Direction
    from bunnymoose_cv.rules.pose import Ear as Ear
    from bunnymoose_cv.rules.pose import Form as Form
    from bunnymoose_cv.rules.pose import Headgear as Headgear
    from bunnymoose_cv.rules.pose import NotationError as NotationError
    from bunnymoose_cv.rules.pose import Place as Place
    from bunnymoose_cv.rules.pose import Pose as Pose
    from bunnymoose_cv.rules.pose import Side as Side
    from bunnymoose_cv.rules.pose import Spread as Spread
    from bunnymoose_cv.rules.pose import Tongue as Tongue
    from bunnymoose_cv.rules.pose_fields import Field as Field
    from bunnymoose_cv.rules.pose_fields import HeadgearField as HeadgearField
    from bunnymoose_cv.rules.pose_fields import PoseField as PoseField
    from bunnymoose_cv.rules.pose_probabilities import PoseProbabilities as PoseProbabilities
    from bunnymoose_cv.rules.scoring import Move as Move
    from bunnymoose_cv.rules.scoring import Score as Score
    from bunnymoose_cv.rules.scoring import ScoreLine as ScoreLine
    from bunnymoose_cv.vision.detections import FaceLandmarks as FaceLandmarks
    from bunnymoose_cv.vision.detections import HandLandmarks as HandLandmarks
    from bunnymoose_cv.vision.effort import Effort as Effort
    from bunnymoose_cv.vision.faces.head import Head as Head
    from bunnymoose_cv.vision.geometry import Box as Box
    from bunnymoose_cv.vision.hands.assignment import Player as Player
    from bunnymoose_cv.vision.headgear.headgear_reading import HeadgearProbabilities as HeadgearProbabilities
    from bunnymoose_cv.vision.headgear.headgear_reading import HeadgearReading as HeadgearReading
    from bunnymoose_cv.vision.headgear.headgear_reading import Kind as Kind
    from bunnymoose_cv.vision.headgear.measures import HandMeasures as HandMeasures
    from bunnymoose_cv.vision.reader import Reader as Reader
    from bunnymoose_cv.vision.readings import FaceReading as FaceReading
    from bunnymoose_cv.vision.readings import FrameReading as FrameReading
    from bunnymoose_cv.vision.readings import PlayerReading as PlayerReading
    from bunnymoose_cv.vision.tongue import TongueReading as TongueReading


_HOMES = {
    name: home
    for home, name in re.findall(r"^    from (\S+) import (\w+) as", Path(__file__).read_text("utf-8"), re.MULTILINE)
}


def __dir__() -> list[str]:
    """List the public names."""
    return sorted(("__version__", *_HOMES))


def __getattr__(name: str) -> Any:
    """Import a public name at its first use, so that the rules do not depend on the libraries of vision."""
    if name == "__all__":
        return __dir__()
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
