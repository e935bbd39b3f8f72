"""Settings: the tuned thresholds of reading people, one frozen dataclass a stage, with evidence where one was measured.

Those of reading cards stand in `cards/card_settings.py`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class FaceThresholds:
    """Thresholds of face search, refinement and tracking."""

    plain: float = 0.6
    """Score of the face detector above which the width of a face decides on a second look."""

    possible: float = 0.3
    """Score of the face detector above which our face network looks at a face if nobody is surely seen."""

    confirmed: float = 0.9
    """Confidence of our face network from which such a face is sure."""

    smallest_px: int = 12
    """Smallest width of a face, pixels: a narrower one shows nothing that could be read, and noise looks like many
    of them."""

    same_look: float = 0.4
    """Non-maximum suppression threshold of one look: intersection over union of two boxes that show one face."""

    same_overlap: float = 0.5
    """Non-maximum suppression threshold: boxes that share more than this of the smaller one show one face."""

    same_size: float = 2.0
    """Threshold of the ratio of sizes from which two boxes show two things: the lens of glasses is no face."""

    own_confidence: float = 0.6
    """Confidence from which our network confirms a face: one without a mesh gets the mean mesh, and a followed face
    that MediaPipe loses stays where our network sees it."""

    beside: float = 0.45
    """Threshold of the distance between the eyes of mesh and network, in eye distances, above which the mesh lies
    beside the face."""

    leant: float = 0.25
    """Threshold of the same distance between mesh and detector above which a head that was at rest is fitted again.
    The detector's eyes are 0.05 to 0.2 off the mesh of a head that stays."""


@dataclass(frozen=True, slots=True)
class HandThresholds:
    """Thresholds of the assignment of hands."""

    same_hand: float = 0.45
    """Non-maximum suppression threshold: hands nearer to each other than this, in palms, are one hand found twice,
    whichever way round MediaPipe has its digits the second time. Of 501 rendered players and 72 photographs fourteen
    such pairs are at most 0.25 apart, one of them with a hand laid across two that touch; two hands of one rendered
    player are at least 0.83 apart."""

    other_hand: float = 1.5
    """Distance, in eye distances, that counts against a head on whose left a right hand would be, or the reverse.
    Beside another head 5, 6 or 7 eye distances away 95, 98 and 99 % of 796 real hands at or near a head are given
    to their own; without it 81, 92 and 99 %. It was chosen on these hands (docs/experiments/016)."""

    both_on_one_side: float = 0.6
    """Threshold of the distance from the head's middle, in eye distances, beyond which two hands stand on one side:
    else a hand that rests beside an ear would put it on the wrong side. Three of 300 real people are read otherwise
    without it (docs/experiments/008)."""

    filled_face: float = 0.5
    """Smallest share of a face's box that a hand four fifths within it fills where the mesh took it for a face:
    curled fingers on a crown pass for one with the detector and with our network (fixtures/faces). A larger
    hand around a small face is another player's. One of 384 images of people, renders and photographs has such a
    hand."""


@dataclass(frozen=True, slots=True)
class HeadgearThresholds:
    """Thresholds of the headgear reader."""

    visible_share: float = 0.5
    """Smallest visible share of a head's side: with less, a hand may stand beyond the border."""

    beyond_border: tuple[float, float, float] = (0.06, 0.12, 0.82)
    """Probabilities of antler, ear and neither on such a side: mostly no hand, but never certain."""

    surely_no_hand: float = 0.08
    """Probability of a hand on a side, by the side network, below which it is not looked for more closely. By networks
    that have not seen the person that is so on 90 % of 1321 real empty sides, on 286 of which closer crops found hands
    in hair, and on none of the 224 that hold headgear (docs/experiments/018)."""

    second_look_weight: float = 0.3
    """Weight of the side network where a hand leaves a question; the first look weighs 1 (docs/experiments/017)."""


@dataclass(frozen=True, slots=True)
class MeasureThresholds:
    """Thresholds of the measures of a hand; they choose words and gauges, no verdict."""

    finger_out: float = 1.45
    """Reach above which a finger is out of the fist, straight or curled."""

    not_there: tuple[float, float] = (0.3, 0.5)
    """Places that do not count. Distance of a finger or the palm from an eye, the nose or the mouth, in eye distances,
    below which a hand is over the face: so are all 30 real hands that are labelled so, and fewer than 1 in 20 of 380 at
    the head. Share of a hand's joints within the head's outline above which it lies along the head."""

    words: Mapping[str, tuple[float, float]] = field(
        default_factory=lambda: {
            "thumb": (0.7, 1.0),  # tucked in below, out beyond
            "parting": (4.5, 9.0),  # neighbours touch below, clearly part beyond (spikes)
            "straightness": (0.9, 0.97),  # curled below, straight beyond (90 of 100 rendered fingers lie outside)
            "pointing": (60.0, 120.0),  # up below, down beyond: thirds of a half turn
            "temple": (0.3, 1.0),  # touches below, well off beyond; an antler needs neither
            "gap": (0.9, 1.1),  # at the head below, too far off beyond: one eye distance by the rules, measured roughly
            "height": (-1.0, 1.6),  # below the eyes, above the head
        }
    )
    """Thresholds of each quantity: one word fits below the first, the other above the second."""


@dataclass(frozen=True, slots=True)
class TongueThresholds:
    """Thresholds of the tongue cascade."""

    doubtful: tuple[float, float] = (0.01, 0.95)
    """Probabilities between which the first crop is uncertain: without the second stage 12 instead of 5 of 294 real
    people are asked about their tongue (docs/experiments/008)."""


@dataclass(frozen=True, slots=True)
class MotionThresholds:
    """Thresholds of the motion check beside a head."""

    changed_grey: float = 20.0
    """Threshold of the change of a cell's grey, of 255, besides the change of the light."""

    moved_share: float = 0.05
    """Threshold of the share of changed cells on one side, for a hand that comes, goes or turns (in the clips here 0.06
    to 0.37). A player who rests, blinks or breathes stays below 0.04."""


@dataclass(frozen=True, slots=True)
class FreezeThresholds:
    """Thresholds of the temporal aggregation."""

    still: float = 0.35
    """Threshold of a moving hand: mean distance of its joints from one reading to the next, in eye distances."""

    debounce_readings: int = 2
    """Readings in a row that make a settled hand, or must show a change; one alone is a slip."""

    after_cue_s: float = 0.1
    """Time after the cue until which a player must hold still to have frozen; a later movement is one after Bam."""

    left_its_place: float = 1.5
    """Threshold of a hand that has moved off: distance from its place in the freeze, in eye distances. Joints of hands
    that hold still jump farther in 1 of 50 players, beyond 1.0 in 1 of 20 (all clips of `fixtures/rounds`)."""

    confidence_exponent: int = 4
    """Exponent of the weights by confidence: a reading half as sure as another weighs a sixteenth of it."""

    most_readings: int = 4
    """Readings in a freeze after which a player whose pose is held is read no more, sure or not: the mean of more
    frames says the same (futility bound of the sequential test)."""

    least_probability: float = 0.001
    """Lower bound of the probabilities of a single frame."""


@dataclass(frozen=True, slots=True)
class SeatThresholds:
    """Thresholds of the row of players."""

    same_place: float = 2.0
    """Gating distance of a person's track, eye distances: nobody changes seats in a freeze."""

    seen_often: float = 1 / 3
    """Smallest share of frames in which a player is found; below it is a false detection of the face finder."""

    face_height: float = 3.0
    """Height of a face, in eye distances, about: one so far off the row costs as much as one of two thirds the size."""

    off_middle: float = 0.2
    """Weight of a row's offset from the image's middle, against 1 of people's offsets from their seats."""


@dataclass(frozen=True, slots=True)
class TrackerThresholds:
    """Times of the tracker."""

    search_again_s: float = 1.0
    """Time between searches of the whole image while somebody is missing: a search takes as long as three looks."""

    newcomers_s: float = 15.0
    """Time between searches of the whole image for new faces, though nobody is missing."""

    gone_s: float = 3.0
    """Time for which a lost face (behind a hand, under the table) is still looked for where it was."""

    glances_s: float = 1.0
    """Time for which a reading of a glance counts as evidence of what is held at a cue."""


FACES: Final = FaceThresholds()
HANDS: Final = HandThresholds()
HEADGEAR: Final = HeadgearThresholds()
MEASURES: Final = MeasureThresholds()
TONGUE: Final = TongueThresholds()
MOTION: Final = MotionThresholds()
FREEZE: Final = FreezeThresholds()
SEATS: Final = SeatThresholds()
TRACKER: Final = TrackerThresholds()
