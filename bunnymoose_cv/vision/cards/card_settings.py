"""Settings of card reading: its tuned thresholds, one frozen dataclass a step, with evidence where one was measured.

They were chosen on rendered seeds below 1000 (`evaluate/cards/matrix.py`); figures come from others. Sizes without a
unit are pixels of the card's frame, 4 for one millimetre; similarities of descriptors are cosines.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class MatThresholds:
    """Thresholds of the search for the mat."""

    searched_px: int = 1280
    """Longest side of the searched image; the time for an image of a phone grows with its pixels."""

    fewest_markers: int = 2
    """Smallest number of markers that tell where the mat lies."""

    off_px: float = 6.0
    """Distance of a marker's corner from the fitted place up to which it fits, pixels of the image."""

    fitting_share: float = 0.7
    """Smallest share of the markers' corners that fit."""


@dataclass(frozen=True, slots=True)
class OutlineThresholds:
    """Thresholds of the search by outlines on a table without a mat."""

    searched_px: int = 900
    """Longest side of the searched image."""

    sides: tuple[float, float] = (1.12, 2.1)
    """Ratio of the long side to the short one, lowest and highest: 1.4 of a card, another of one seen slantwise."""

    filled: float = 0.72
    """Smallest share of its rectangle that a contour fills."""

    area: tuple[float, float] = (0.003, 0.2)
    """Share of the image that a card takes, lowest and highest."""

    same: float = 0.55
    """Non-maximum suppression threshold: rectangles whose middles are nearer than this, in short sides of the larger
    one, are one card."""

    size_range: tuple[float, float] = (0.8, 1.25)
    """Ratio of the short side to the median one, lowest and highest, of cards in one enrolment photograph."""

    frame: float = 0.85
    """Ratio of short sides below which a rectangle inside another may be the frame of its image."""

    middle: float = 0.35
    """Distance of their middles up to which it is, in short sides of the outer one."""


@dataclass(frozen=True, slots=True)
class KeypointVoteThresholds:
    """Thresholds of the search by votes of matched keypoints on a table without a mat."""

    searched_px: int = 1280
    """Longest side of the searched image."""

    most_keypoints: int = 3000
    """Number of the image's keypoints."""

    contrast: float = 0.025
    """Lowest contrast of a keypoint."""

    words: int = 3
    """Number of words of the vocabulary that one keypoint may be alike to; a drawing may stand in two sizes."""

    similar: float = 0.84
    """Similarity above which a keypoint matches a word."""

    as_good: float = 0.04
    """Difference to the keypoint's best match below which another one counts as well."""

    most_matches: int = 1500
    """Number of matches that vote: the strongest."""

    log_scale: float = 0.35
    """Difference of the logarithms of two sizes up to which matches vote for one card."""

    cosine: float = 0.9
    """Cosine of the difference of two turns from which on they do: 26°."""

    middle: float = 0.16
    """Distance of the middles along each axis up to which they do, in heights of the card."""

    fewest: int = 5
    """Smallest number of votes for a card."""

    most: int = 12
    """Number of cards in one image: the eight of the longest row, the hunter, and some that prove to be none."""

    cleared: float = 0.5
    """Distance from a found card's middle, in its widths, within which no more votes count."""

    fitted_within: float = 0.025
    """Distance from its fitted place up to which a match fits, in heights of the card."""

    collapsed: float = 1.6
    """Ratio of sizes, of the fitted card and of what its keypoints tell, from which the fit is none."""

    other_size: tuple[float, float] = (0.6, 1.6)
    """Ratio of an outline's size to the voted cards' median, lowest and highest."""


@dataclass(frozen=True, slots=True)
class MatchThresholds:
    """Thresholds of the alignment by matched keypoints."""

    per_face: int = 80
    """Number of an enrolled face's keypoints."""

    per_crop: int = 220
    """Number of a crop's keypoints: of a card and the margin around it."""

    contrast: float = 0.02
    """Lowest contrast of a keypoint."""

    similar: float = 0.86
    """Similarity above which two keypoints match."""

    words_per_face: int = 60
    """Number of a face's keypoints in the vocabulary."""

    alike: float = 0.93
    """Similarity above which keypoints of two faces are one word of the vocabulary."""

    same_place: float = 12.0
    """Distance along each axis below which they are."""

    place_margin: float = 56.0
    """Largest offset of a card from its place: 14 mm."""

    bin_size: float = 24.0
    """Side of a cell of the Hough votes for a shift."""

    reach: float = 84.0
    """Largest shift that is voted for."""

    turn_degrees: float = 28.0
    """Largest turn of a card on its place, either way up."""

    tried: int = 2
    """Number of faces, of most votes, that a map is fitted to."""

    fewest: int = 9
    """Smallest number of matches that agree on a map."""

    near: float = 7.0
    """Distance from its fitted place up to which a match agrees with a turn, a shift and a scale."""

    fewest_projective: int = 24
    """Smallest number of matches that agree on a projective map."""

    near_projective: float = 4.0
    """Distance from its fitted place up to which a match agrees with a projective map."""

    level: float = 0.5
    """Slope of a card's upper edge below which a map leaves it level."""

    sides: tuple[float, float] = (0.7, 1.35)
    """Ratio by which a map stretches each side of a card, lowest and highest."""

    uneven: float = 1.45
    """Ratio of the sides' stretches below which a map leaves a card as square as it was."""


@dataclass(frozen=True, slots=True)
class DecisionThresholds:
    """Thresholds of the decision on one place."""

    card: float = 0.58
    """Correlation with the likeliest face below which a place shows no card of the deck; foreign cards reach that of
    seed 2, blurred and dark cards 0.73."""

    sure: float = 0.66
    """Correlation with the likeliest face from which on its card may be sure, of the whole card and of the region of
    each pair comparison: a covered digit fits nothing. Below it both readers have to name one face for there to be a
    card at all. Three of 555 cards of the seeds from 1300 to 1337 fit a region by less than 0.58, and were asked about;
    the others by 0.72 and more."""

    margin: float = 0.05
    """Threshold of the lead by which the likeliest face has to win every pair comparison to be sure. Of 90 cards of the
    seeds 510 to 533, most of them blurred, dark or small, the one whose twin won did so by 0.012."""

    compared: int = 8
    """Number of faces that are compared in pairs: those that correlate best, whose order by correlation alone is often
    wrong."""

    marker_off: float = 14.0
    """Largest offset of a marker's corners from the printed ones: 3.5 mm. The marker of a card below, or one seen the
    other way up, lies farther off."""

    most_candidates: int = 4
    """Number of faces that an unsure card is offered as."""

    least_probability: float = 0.02
    """Probability above which a third or fourth face is offered."""


@dataclass(frozen=True, slots=True)
class CauseThresholds:
    """Thresholds of the causes for which a place could not be read; they choose advice, no card."""

    plain: float = 0.022
    """Spread of a flattened crop below which a place is empty."""

    small_px: float = 110.0
    """Height of a card in the image below which it is small."""

    blurred: float = 2.4
    """Blur of the best fitting templates, in pixels of an aligned crop, from which on a card is blurred."""

    fine: float = 0.1
    """Share of fine structure below which a place without a known card is blurred; sharp cards of other games have 0.18
    and more, such as are out of focus by 0.07 of their height 0.06 at most."""

    dark: float = 45.0
    """Mean lightness, 0 to 255, below which a card is dark."""

    bright: float = 248.0
    """Lightness that a reflection has."""

    reflecting: float = 0.25
    """Share of a place without a known card above which such light is a reflection."""

    colourless: float = 40.0
    """Saturation, 0 to 255, below which it is one on a card."""

    apart: float = 0.45
    """Difference from the likeliest face's flattened image above which something lies over it, or shines on it."""

    washed: float = 0.03
    """Share of a card above which a reflection is the cause."""

    covered: float = 0.06
    """Share of a card above which things over it are the cause."""


@dataclass(frozen=True, slots=True)
class ImageThresholds:
    """Thresholds of the reading of a whole image."""

    longest_px: int = 2048
    """Longest side of the image that is read."""

    same_place: float = 0.6
    """Non-maximum suppression threshold: readings whose middles are nearer than this, in widths, are one card."""

    smallest: float = 0.4
    """Height of a card beside the largest of the same photograph below which it is none, but a letter or a drawing."""


@dataclass(frozen=True, slots=True)
class EnrolmentThresholds:
    """Thresholds of enrolment photographs and of the comparison of two crops."""

    longest_px: int = 4096
    """Longest side of the searched photograph."""

    guess: float = 0.5
    """Correlation with a known face from which on it is proposed."""

    place_margin: float = 32.0
    """Search margin around a card's place on the mat: 8 mm."""

    may_be_equal: float = 0.6
    """Correlation before alignment below which two crops need no closer look."""

    equal: float = 0.95
    """Correlation after alignment from which on two crops may show one face."""

    apart: float = 2.2
    """Difference in any part, in spreads of the whole, up to which they do. In two rendered sets of photographs of the
    deck 99 of 100 pairs of equal faces differ by less; twins that correlate by 0.95 differ by 2.7 at least."""


@dataclass(frozen=True, slots=True)
class WatchThresholds:
    """Thresholds of a table that is watched while cards are laid."""

    changed_grey: float = 6.0
    """Grey levels by which a cell changes when something moves through it."""

    moved_cells: int = 3
    """Number of changed cells from which on something moves: fewer are a reflection that flickers."""

    frames: int = 5
    """Number of frames that vote."""

    agreeing: int = 3
    """Number of them that must agree."""


MAT: Final = MatThresholds()
OUTLINES: Final = OutlineThresholds()
KEYPOINT_VOTES: Final = KeypointVoteThresholds()
MATCHING: Final = MatchThresholds()
DECISION: Final = DecisionThresholds()
CAUSES: Final = CauseThresholds()
IMAGE: Final = ImageThresholds()
ENROLMENT: Final = EnrolmentThresholds()
WATCHING: Final = WatchThresholds()
