"""Settings: the tuned thresholds of reading people, one frozen dataclass per stage, with the measured evidence."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class FaceThresholds:
    """Thresholds of face search, refinement and tracking."""

    possible: float = 0.3
    """Score of the face detector above which our face network checks a face if none is surely seen."""

    doubtful: float = 0.8
    """Score of the face detector below which a face is looked for again in the mirrored image. Of 324 labelled faces
    one look finds 313 at 0.12 false positives per picture, with this check 319 at 0.08 (docs/experiments/018). The
    widths of the other faces decide whether a larger or smaller look follows. In a waiting look a doubtful new face
    gets one crop for its mesh."""

    confirmed: float = 0.9
    """Confidence of our face network at which such a face is sure."""

    smallest_px: int = 12
    """Smallest width of a face, pixels. A narrower one cannot be read, and noise looks like many of them."""

    same_look: float = 0.4
    """Non-maximum suppression threshold of one look: intersection over union of two boxes of the same face."""

    same_overlap: float = 0.5
    """Non-maximum suppression threshold: boxes that share more than this of the smaller one show the same face."""

    same_size: float = 2.0
    """Ratio of sizes at which two boxes show two things: a lens of glasses is not a face."""

    own_confidence: float = 0.6
    """Confidence at which our network confirms a face. A confirmed face without a mesh gets the mean mesh, and a
    followed face that MediaPipe loses is kept where our network sees it."""

    beside: float = 0.45
    """Distance between the eyes of mesh and network, in eye distances, above which the mesh has missed the face."""

    leant: float = 0.25
    """The same distance between mesh and detector, above which a head that was at rest is fitted again. The detector's
    eyes are 0.05 to 0.2 off the mesh of a head that does not move."""


@dataclass(frozen=True, slots=True)
class HandThresholds:
    """Thresholds of the assignment of hands."""

    same_hand: float = 0.45
    """Non-maximum suppression threshold: hands nearer to each other than this, in palms, are one hand found twice, even
    if MediaPipe orders its digits the other way round the second time. Among 501 rendered players and 72 photographs,
    fourteen such pairs are at most 0.25 apart, one of which has a hand placed across two that touch. Two hands of one
    rendered player are at least 0.83 apart."""

    other_hand: float = 1.5
    """Penalty, in eye distances, for a right hand on the left of a head, or the reverse. With another head 5, 6 or 7
    eye distances away, 95, 98 and 99 % of 796 real hands at or near a head are assigned to their own head; without the
    penalty 81, 92 and 99 %. It was chosen on these hands (docs/experiments/016)."""

    both_on_one_side: float = 0.6
    """Distance from the head's middle, in eye distances, beyond which two hands are on one side. Otherwise a hand that
    rests beside an ear would push the ear to the wrong side. Three of 300 real people are read differently without it
    (docs/experiments/008)."""

    filled_face: float = 0.5
    """Smallest share of a face's box that is filled by a hand mistaken for a face, if four fifths of the hand are
    within the box. The detector and our network both accept curled fingers on a crown as a face (fixtures/faces). A
    larger hand around a small face is another player's. One of 384 images of people, renders and photographs has such
    a hand."""


@dataclass(frozen=True, slots=True)
class HeadgearThresholds:
    """Thresholds of the headgear reader."""

    visible_share: float = 0.5
    """Smallest visible share of a head's side. With less, a hand may be beyond the border."""

    surely_no_hand: float = 0.08
    """Probability of a hand on a side, by the side network, below which no closer crops are searched. With networks
    that have not seen the person, 88 % of 1321 real empty sides are below it, and none of the 224 that hold headgear.
    Before there was such a limit, closer crops found hands in hair on 286 empty sides (docs/experiments/018)."""

    second_look_weights: tuple[float, float] = (0.2, 0.4)
    """Weights of the side network's kinds and of its fields if the hand alone is uncertain; the first look has weight 1
    (docs/experiments/025)."""

    widest_gap: tuple[float, float, float] = (1.33, 1.4, 1.8)
    """Gaps between a hand and the head's outline, eye distances, beyond which the odds of headgear fall: of antlers
    whose thumb is surely out, of other hands, and of antlers whose thumb is not found. By the rules a hand counts up to
    1. Of 220 real hands that count one is measured beyond 1.4, of 29 that are too far off 23 (docs/experiments/019)."""

    fall: float = 30.0
    """Fall of the log odds of headgear per eye distance beyond that gap."""


@dataclass(frozen=True, slots=True)
class MeasureThresholds:
    """Thresholds of the measures of a hand. They choose words and gauges; only the thumb's take part in verdicts."""

    finger_out: float = 1.45
    """Reach above which a finger is out of the fist, straight or curled."""

    not_there: tuple[float, float] = (0.3, 0.5)
    """Limits of places that do not count. The first is the distance of a finger or the palm from an eye, the nose or
    the mouth, in eye distances, below which a hand is over the face. All 30 real hands labelled so are below it, and
    fewer than 1 in 20 of 380 at the head. The second is the share of a hand's joints within the head's outline above
    which it is laid along the head."""

    words: Mapping[str, tuple[float, float]] = field(
        default_factory=lambda: {
            "thumb": (0.7, 1.0),  # tucked in below, out beyond
            "parting": (4.5, 9.0),  # neighbours touch below, are clearly apart beyond (spikes)
            "straightness": (0.9, 0.97),  # curled below, straight beyond (90 of 100 rendered fingers are outside)
            "pointing": (60.0, 120.0),  # up below, down beyond: thirds of a half turn
            # At the head below, surely turned away beyond. Of 118 real antlers four are beyond 0.3, with the thumb 1.4
            # and more off; of 445 other real hands some 120 (docs/experiments/022).
            "thumb_behind": (0.3, 0.6),
            "temple": (0.3, 1.0),  # touches below, well off beyond; an antler needs neither
            "gap": (0.9, 1.1),  # at the head below, too far off beyond: one eye distance by the rules, measured roughly
            "height": (-1.0, 1.6),  # below the eyes, above the head
        }
    )
    """Thresholds of each quantity: one word applies below the first, the other above the second."""


@dataclass(frozen=True, slots=True)
class TongueThresholds:
    """Thresholds of the tongue cascade."""

    doubtful: tuple[float, float] = (0.01, 0.95)
    """Probabilities between which the first crop is uncertain. Without the second stage, 12 instead of 5 of 294 real
    people are asked about their tongue (docs/experiments/008)."""


@dataclass(frozen=True, slots=True)
class MotionThresholds:
    """Thresholds of the motion check beside a head."""

    changed_grey: float = 20.0
    """Threshold of the change of a cell's grey value (0 to 255), after the change of light is subtracted."""

    moved_share: float = 0.05
    """Threshold of the share of changed cells on one side, for a hand that appears, leaves or turns (0.06 to 0.37 in
    the clips here). A player who rests, blinks or breathes remains below 0.04."""


@dataclass(frozen=True, slots=True)
class FreezeThresholds:
    """Thresholds of the temporal aggregation."""

    still: float = 0.35
    """Mean distance of a hand's joints from one reading to the next, in eye distances, above which it moves."""

    debounce_readings: int = 2
    """Number of consecutive readings needed for a settled hand, or for a change. A single one is ignored as a slip."""

    after_cue_s: float = 0.1
    """Time after the cue for which a player must hold still to count as frozen. Later movement is a move after Bam."""

    left_its_place: float = 1.5
    """Distance of a hand from its place in the freeze, in eye distances, above which it has left. The joints of hands
    that hold still jump farther in 1 of 50 players, and beyond 1.0 in 1 of 20 (all clips of `fixtures/rounds`)."""

    confidence_exponent: int = 4
    """Exponent of the weights by confidence: a reading half as confident has a sixteenth of the weight."""

    most_readings: int = 4
    """Number of readings in a freeze after which a player with a held pose is not read further, sure or not. The mean
    of more frames would say the same (futility bound of the sequential test)."""


@dataclass(frozen=True, slots=True)
class SeatThresholds:
    """Thresholds of the row of players."""

    same_place: float = 2.0
    """Gating distance of a person's track, eye distances. Players do not change seats in a freeze."""

    seen_often: float = 1 / 3
    """Smallest share of frames in which a player is found. Below it, a face is a false detection."""

    face_height: float = 3.0
    """Approximate height of a face, in eye distances. A face that far off the row costs as much as one of two thirds
    the size."""

    off_middle: float = 0.2
    """Weight of a row's offset from the image's middle; people's offsets from their seats have weight 1."""


@dataclass(frozen=True, slots=True)
class TrackerThresholds:
    """Times of the tracker."""

    search_again_s: float = 1.0
    """Time between searches of the whole image while a player is missing. A search takes as long as three looks."""

    newcomers_s: float = 15.0
    """Time between searches of the whole image for new faces while no player is missing."""

    gone_s: float = 3.0
    """Time for which a lost face (behind a hand, under the table) is still searched for in its last place."""

    glances_s: float = 1.0
    """Time for which the reading of a glance counts as evidence for a cue. After half of it the player is read again,
    although nothing has moved beside the head."""


FACES: Final = FaceThresholds()
HANDS: Final = HandThresholds()
HEADGEAR: Final = HeadgearThresholds()
MEASURES: Final = MeasureThresholds()
TONGUE: Final = TongueThresholds()
MOTION: Final = MotionThresholds()
FREEZE: Final = FreezeThresholds()
SEATS: Final = SeatThresholds()
TRACKER: Final = TrackerThresholds()
