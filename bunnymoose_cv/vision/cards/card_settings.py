"""Settings of card reading: its tuned thresholds, one frozen dataclass per step, with the measured evidence.

They were chosen on rendered seeds below 1000 (`evaluate/cards/matrix.py`). The figures are from other seeds. Sizes
without a unit are in pixels of the card's frame, 4 per millimetre. Similarities of descriptors are cosines.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class MatThresholds:
    """Thresholds of the search for the mat."""

    searched_px: int = 1280
    """Longest side of the searched image. The time for a phone's image grows with its pixels."""

    fewest_markers: int = 2
    """Smallest number of markers that locate the mat."""

    off_px: float = 6.0
    """Largest distance of a marker's corner from its fitted place, pixels of the image."""

    fitting_share: float = 0.7
    """Smallest share of the markers' corners that fit."""


@dataclass(frozen=True, slots=True)
class OutlineThresholds:
    """Thresholds of the search by outlines on a table without a mat."""

    searched_px: int = 900
    """Longest side of the searched image."""

    sides: tuple[float, float] = (1.12, 2.1)
    """Lowest and highest ratio of the long side to the short one. A flat card has 1.4; perspective changes it."""

    filled: float = 0.72
    """Smallest share of its bounding rectangle that a contour fills."""

    area: tuple[float, float] = (0.003, 0.2)
    """Lowest and highest share of the image that a card covers."""

    same: float = 0.55
    """Non-maximum suppression threshold: rectangles whose middles are nearer than this, in short sides of the larger
    one, are one card."""

    size_range: tuple[float, float] = (0.8, 1.25)
    """Lowest and highest ratio of the short side to the median, for cards in one enrolment photograph."""

    frame: float = 0.85
    """Ratio of short sides below which a rectangle inside another may be the frame of its artwork."""

    middle: float = 0.35
    """Largest distance between the middles of both, in short sides of the outer one."""


@dataclass(frozen=True, slots=True)
class KeypointVoteThresholds:
    """Thresholds of the search by votes of matched keypoints on a table without a mat."""

    searched_px: int = 1280
    """Longest side of the searched image."""

    most_keypoints: int = 3000
    """Number of keypoints of the image."""

    contrast: float = 0.025
    """Lowest contrast of a keypoint."""

    words: int = 3
    """Number of words of the vocabulary that one keypoint may match, since a drawing may be in two sizes."""

    similar: float = 0.84
    """Similarity above which a keypoint matches a word."""

    as_good: float = 0.04
    """Difference from the keypoint's best match below which another match counts, too."""

    most_matches: int = 1500
    """Largest number of matches that vote; the strongest are kept."""

    log_scale: float = 0.35
    """Largest difference of the logarithms of two sizes for which matches vote for one card."""

    cosine: float = 0.9
    """Lowest cosine of the difference of two turns for which matches vote for one card: 26°."""

    middle: float = 0.16
    """Largest distance of two middles along each axis for which matches vote for one card, in heights of the card."""

    fewest: int = 5
    """Smallest number of votes for a card."""

    most: int = 12
    """Largest number of cards in one image: the eight of the longest row, the hunter, and some false ones."""

    cleared: float = 0.5
    """Distance from a found card's middle, in its widths, within which no more votes count."""

    fitted_within: float = 0.025
    """Largest distance of a match from its fitted place, in heights of the card."""

    collapsed: float = 1.6
    """Ratio between the size of the fitted card and the size by its keypoints from which the fit is rejected."""

    other_size: tuple[float, float] = (0.6, 1.6)
    """Lowest and highest ratio of an outline's size to the median of the voted cards."""


@dataclass(frozen=True, slots=True)
class MatchThresholds:
    """Thresholds of the alignment by matched keypoints."""

    per_face: int = 80
    """Number of keypoints of an enrolled face."""

    per_crop: int = 220
    """Number of keypoints of a crop, which shows a card and the margin around it."""

    contrast: float = 0.02
    """Lowest contrast of a keypoint."""

    similar: float = 0.86
    """Similarity above which two keypoints match."""

    words_per_face: int = 60
    """Number of a face's keypoints in the vocabulary."""

    alike: float = 0.93
    """Similarity above which keypoints of two faces are one word of the vocabulary."""

    same_place: float = 12.0
    """Distance along each axis below which such keypoints are one word."""

    place_margin: float = 56.0
    """Largest offset of a card from its place: 14 mm."""

    bin_size: float = 24.0
    """Side of a cell of the Hough votes for a shift."""

    reach: float = 84.0
    """Largest shift that votes can be for."""

    turn_degrees: float = 28.0
    """Largest turn of a card on its place, either way up."""

    tried: int = 2
    """Number of faces, those with most votes, for which a map is fitted."""

    fewest: int = 9
    """Smallest number of matches that agree on a map."""

    near: float = 7.0
    """Largest distance from its fitted place at which a match agrees with a turn, a shift and a scale."""

    fewest_projective: int = 24
    """Smallest number of matches that agree on a projective map."""

    near_projective: float = 4.0
    """Largest distance from its fitted place at which a match agrees with a projective map."""

    level: float = 0.5
    """Slope of a card's upper edge below which a map keeps it level."""

    sides: tuple[float, float] = (0.7, 1.35)
    """Lowest and highest ratio by which a map stretches each side of a card."""

    uneven: float = 1.45
    """Ratio of the largest to the smallest stretch of a side below which a map keeps a card square."""


@dataclass(frozen=True, slots=True)
class DecisionThresholds:
    """Thresholds of the decision on one place."""

    card: float = 0.58
    """Correlation with the likeliest face below which a place shows no card of the deck. The foreign cards of seed 2
    reach it, blurred and dark cards reach 0.73."""

    sure: float = 0.66
    """Lowest correlation with the likeliest face at which a card may be sure. It applies to the whole card and to the
    region of each pair comparison, since a covered digit fits nothing. Below it, both readers must name the same face
    for a place to show a card at all. Among 555 cards of seeds 1300 to 1337, three fit a region by less than 0.58, and
    were asked about; the others fit by 0.72 and more."""

    margin: float = 0.05
    """Lead by which the likeliest face must win every pair comparison to be sure. Among 90 cards of seeds 510 to 533,
    most of them blurred, dark or small, one lost to its twin, by 0.012."""

    compared: int = 8
    """Number of faces that are compared in pairs. These correlate best, but their order by correlation alone is often
    wrong."""

    marker_off: float = 14.0
    """Largest offset of a marker's corners from the printed ones: 3.5 mm. The marker of a card below, or of a card the
    other way up, is farther off."""

    most_candidates: int = 4
    """Largest number of faces that are offered for an unsure card."""

    least_probability: float = 0.02
    """Probability above which a third or fourth face is offered."""


@dataclass(frozen=True, slots=True)
class CauseThresholds:
    """Thresholds of the causes for which a place could not be read. They only choose advice, not a card."""

    plain: float = 0.022
    """Spread of a flattened crop below which a place is empty."""

    small_px: float = 110.0
    """Height of a card in the image below which it is small."""

    blurred: float = 2.4
    """Blur of the best fitting templates at which a card is blurred, in pixels of an aligned crop."""

    fine: float = 0.1
    """Share of fine structure below which a place without a known card is blurred. Sharp cards of other games have 0.18
    and more, cards that are out of focus by 0.07 of their height have at most 0.06."""

    dark: float = 45.0
    """Mean lightness, 0 to 255, below which a card is dark."""

    bright: float = 248.0
    """Lowest lightness of a reflection, 0 to 255."""

    reflecting: float = 0.25
    """Share of such light on a place without a known card above which it is a reflection."""

    colourless: float = 40.0
    """Saturation, 0 to 255, below which such light on a card is a reflection."""

    apart: float = 0.45
    """Difference from the likeliest face's flattened image above which something covers the card, or shines on it."""

    washed: float = 0.03
    """Reflecting share of a card above which a reflection is the cause."""

    covered: float = 0.06
    """Covered share of a card above which things over it are the cause."""


@dataclass(frozen=True, slots=True)
class ImageThresholds:
    """Thresholds of the reading of a whole image."""

    longest_px: int = 2048
    """Longest side of the image that is read."""

    same_place: float = 0.6
    """Non-maximum suppression threshold: readings whose middles are nearer than this, in card widths, are one card."""

    smallest: float = 0.4
    """Height, as a share of the image's largest card, below which a reading is a letter or a drawing, not a card."""


@dataclass(frozen=True, slots=True)
class EnrolmentThresholds:
    """Thresholds of enrolment photographs and of the comparison of two crops."""

    longest_px: int = 4096
    """Longest side of the searched photograph."""

    guess: float = 0.5
    """Lowest correlation with a known face at which it is proposed."""

    place_margin: float = 32.0
    """Search margin around a card's place on the mat: 8 mm."""

    may_be_equal: float = 0.6
    """Correlation before alignment below which two crops are surely different."""

    equal: float = 0.95
    """Lowest correlation after alignment at which two crops may show one face."""

    apart: float = 2.2
    """Largest difference in any part of two crops of one face, in spreads of the whole. In two rendered sets of
    photographs of the deck 99 of 100 pairs of equal faces differ by less. Twins that correlate by 0.95 differ by at
    least 2.7."""


@dataclass(frozen=True, slots=True)
class WatchThresholds:
    """Thresholds of watching a table while cards are laid."""

    changed_grey: float = 6.0
    """Change of a cell, in grey levels, above which something moves through it."""

    moved_cells: int = 3
    """Smallest number of changed cells that is motion. Fewer are a flickering reflection."""

    frames: int = 5
    """Number of frames that vote."""

    agreeing: int = 3
    """Number of those frames that must agree."""


MAT: Final = MatThresholds()
OUTLINES: Final = OutlineThresholds()
KEYPOINT_VOTES: Final = KeypointVoteThresholds()
MATCHING: Final = MatchThresholds()
DECISION: Final = DecisionThresholds()
CAUSES: Final = CauseThresholds()
IMAGE: Final = ImageThresholds()
ENROLMENT: Final = EnrolmentThresholds()
WATCHING: Final = WatchThresholds()
