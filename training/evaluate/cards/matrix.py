"""The rendered matrix: images by group and seed, read with a deck enrolled by another camera in other light.

    python -m training.evaluate.cards.matrix OUT --seeds 1000 1420 --groups PHONE WEBCAM
    python -m training.evaluate.cards.matrix OUT --show
    python -m training.evaluate.cards.matrix OUT --factors

Outcomes are appended to OUT, one JSON line for each image. Images that are already in it are skipped, so that an
interrupted run can be resumed. No image is stored.
"""

from __future__ import annotations

import argparse
import json
import time
from dataclasses import asdict
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import cv2
import numpy as np

from bunnymoose_cv.art.card_art import card_face
from bunnymoose_cv.art.card_images import printed_card, printed_enrolment, rasterised
from bunnymoose_cv.i18n.texts import Texts
from bunnymoose_cv.rules.deck import load_deck
from bunnymoose_cv.vision.cards.card_frame import CROP_SIZE, FRAME_CORNERS, Corners, card_height
from bunnymoose_cv.vision.cards.card_reader import CardReader
from bunnymoose_cv.vision.cards.card_reading import CardFaceId, CardsReading, PlaceReading, PlaceState
from bunnymoose_cv.vision.cards.enrolment import EnrolledCard, Enrolment
from bunnymoose_cv.vision.cards.mat import CARD_SIZE_MM
from training.augmentation import as_bytes, through_jpeg
from training.evaluate.card_manifest import EMPTY as NOTHING
from training.evaluate.card_manifest import OTHER, CardOutcome, ImageOutcome, card_figures
from training.evaluate.cards.conditions import Group
from training.evaluate.cards.laid_cards import EMPTY, FOREIGN, Face
from training.evaluate.cards.scene import COVERED, Scene, render
from training.evaluate.shares import Share

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bunnymoose_cv.capture.frame import Image
    from bunnymoose_cv.rules.cards import Table
    from training.evaluate.cards.conditions import Conditions

_PRINTED: Final = (400, 560)
_ENROLLED_HEIGHT: Final = 380
_FACTORS: Final = (
    "height_px", "tilt_deg", "defocus_px", "motion_px", "noise", "exposure", "glare", "sleeves", "bend_mm", "cover",
    "pile", "offset_mm", "cloth", "mat", "piles", "beside",
)  # fmt: skip
_MOST_VALUES: Final = 6
_FIGURES: Final = ("found", "right", "all_right", "asked", "offered", "sure_wrong", "taken")
_TRUTHS: Final = {EMPTY: NOTHING, FOREIGN: OTHER, COVERED: OTHER}


def _cards() -> Table:
    deck = load_deck("second")
    return deck.cards + deck.advanced


def printed_faces() -> tuple[Face, ...]:
    """Return our deck's distinct faces, printed from edge to edge without markers, as on a bought card."""
    faces = dict.fromkeys(_cards())
    return tuple(Face(CardFaceId(str(card)), rasterised(card_face(card, Texts()), _PRINTED)) for card in faces)


def _printed_deck() -> tuple[Enrolment, tuple[Face, ...]]:
    """Return the deck of `deck print` as the program knows it, from the artwork, and its printed faces."""
    scale = _PRINTED[0] / CARD_SIZE_MM[0]
    faces = enumerate(dict.fromkeys(_cards()))
    on_paper = tuple(Face(CardFaceId(str(card)), printed_card(card, number, scale)) for number, card in faces)
    return printed_enrolment(_cards()), on_paper


def enrolled(faces: Sequence[Face]) -> Enrolment:
    """Enrol the deck from a photograph of each face: warm light from one side, soft lens, noise, corners 0.7 px off."""
    rng = np.random.default_rng(0)
    return Enrolment(tuple(EnrolledCard(face.face, _photographed(face.image, rng)) for face in faces))


def _photographed(image: Image, rng: np.random.Generator) -> Image:
    height = _ENROLLED_HEIGHT
    size = round(height * CROP_SIZE[0] / CROP_SIZE[1]), height
    small = cv2.resize(image, size, interpolation=cv2.INTER_AREA).astype(np.float32)
    soft = cv2.GaussianBlur(small, (0, 0), 0.9)
    side = np.linspace(1.08, 0.86, size[0], dtype=np.float32)[None, :, None]
    warm = np.array([0.8, 0.97, 1.1], np.float32)
    curve = 255 * (np.clip(soft * side * warm, 0, 255) / 255) ** 1.15
    taken = through_jpeg(as_bytes(curve + rng.normal(0, 4, curve.shape)), 88)
    corners = np.array([[0, 0], [size[0], 0], [size[0], size[1]], [0, size[1]]], np.float32)
    marked = (corners + rng.normal(0, 0.7, (4, 2))).astype(np.float32)
    onto = cv2.getPerspectiveTransform(marked, FRAME_CORNERS)
    return np.asarray(cv2.warpPerspective(taken, onto, CROP_SIZE, borderMode=cv2.BORDER_REPLICATE), np.uint8)


def outcome(scene: Scene, reading: CardsReading, name: str, seconds: float) -> ImageOutcome:
    """Compare a reading with the truth, place by place in the image."""
    places = []
    for place in scene.places:
        read = _at(reading, place.corners_px)
        shows = _TRUTHS.get(place.shows, place.shows)
        offered = () if read is None else tuple(str(candidate.face) for candidate in read.candidates)
        places.append(CardOutcome(shows, None if read is None else read.state, offered))
    things = [_at(reading, corners) for corners in scene.foreign_px]
    taken = sum(thing is not None and bool(thing.candidates) for thing in things)
    return ImageOutcome(name, scene.conditions.group.name, tuple(places), len(things), taken, seconds)


def _at(reading: CardsReading, corners: Corners) -> PlaceReading | None:
    """Return the reading within half a card's width of a place."""
    reach = 0.35 * card_height(corners)
    near = [place for place in reading.places if np.linalg.norm(place.corners_px.mean(0) - corners.mean(0)) < reach]
    return near[0] if near else None


def _line(image: ImageOutcome, conditions: Conditions) -> str:
    places = [[place.shows, place.state and place.state.value, *place.offered] for place in image.places]
    things, seconds = [image.things, image.things_taken], round(image.seconds, 3)
    plain = {name: _plain(value) for name, value in asdict(conditions).items()}
    facts = {"name": image.name, "group": image.group, "places": places, "things": things, "seconds": seconds}
    return json.dumps(facts | {"conditions": plain})


def _plain(value: object) -> object:
    """Convert a condition to a JSON value."""
    return value.value if isinstance(value, Enum) else round(value, 2) if isinstance(value, float) else value


def read_outcomes(path: Path) -> list[ImageOutcome]:
    """Return the outcomes in a file."""
    return [_outcome(line) for line in _lines(path)]


def _lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()] if path.exists() else []


def _outcome(line: dict[str, Any]) -> ImageOutcome:
    places = tuple(
        CardOutcome(shows, PlaceState(state) if state else None, tuple(offered))
        for shows, state, *offered in line["places"]
    )
    things, taken = line["things"]
    return ImageOutcome(line["name"], line["group"], places, things, taken, line["seconds"])


def run(out: Path, groups: Sequence[Group], seeds: range) -> None:
    """Render and read the images that are not in the file yet, alternating between the groups."""
    bought = printed_faces()
    decks = {False: (CardReader(enrolled(bought), threads=1), bought)}
    if Group.PRINTED in groups:
        enrolment, ours = _printed_deck()
        decks[True] = CardReader(enrolment, threads=1), ours
    done = {image.name for image in read_outcomes(out)}
    with out.open("a", encoding="utf-8") as file:
        for seed in seeds:
            for group in groups:
                name = f"{group.name}-{seed}"
                if name in done:
                    continue
                reader, faces = decks[group is Group.PRINTED]
                scene = render(group, seed, faces)
                begun = time.perf_counter()
                reading = reader.read(scene.image)
                file.write(_line(outcome(scene, reading, name, time.perf_counter() - begun), scene.conditions) + "\n")
                file.flush()


def show(images: Sequence[ImageOutcome]) -> str:
    """Return the table of figures by group, in Markdown."""
    rows = ["| group | pictures | found | card right | all right | asked | right of two | sure, wrong | taken | s |"]
    rows.append("|---" * 10 + "|")
    for group in Group:
        of_group = [image for image in images if image.group == group.name]
        if of_group:
            figures = card_figures(of_group)
            row = " | ".join(_cell(getattr(figures, name)) for name in _FIGURES)
            rows.append(f"| {group.value} | {figures.images} | {row} | {figures.median_seconds:.2f} |")
    return "\n".join(rows)


def show_factors(path: Path, group: Group) -> str:
    """Return a group's figures by each condition as a Markdown table, with conditions of many values in quarters."""
    lines = [line for line in _lines(path) if line["group"] == group.name]
    rows = ["| condition | value | pictures | found | right of found | asked | sure, wrong |", "|---" * 7 + "|"]
    for factor in _FACTORS if lines else ():
        values = [line["conditions"][factor] for line in lines]
        binned = _quarters(values) if len(set(values)) > _MOST_VALUES else values
        for value in dict.fromkeys(sorted(binned)):
            chosen = [_outcome(line) for line, own in zip(lines, binned, strict=True) if own == value]
            figures = card_figures(chosen)
            found = [place for image in chosen for place in image.places if place.is_card and place.is_found]
            right = Share.of(place.is_right for place in found)
            cells = " | ".join(map(_cell, (figures.found, right, figures.asked, figures.sure_wrong)))
            rows.append(f"| {factor} | {value} | {len(chosen)} | {cells} |")
    return "\n".join(rows)


def _quarters(values: list[float]) -> list[str]:
    """Return for each value the quarter of all values that contains it, as a range."""
    edges = np.quantile(values, (0, 0.25, 0.5, 0.75, 1))
    bins = np.clip(np.searchsorted(edges, values, "right") - 1, 0, 3)
    return [f"{edges[bin_]:.1f} to {edges[bin_ + 1]:.1f}" for bin_ in bins]


def _cell(share: Share | None) -> str:
    if share is None:
        return "–"
    low, high = share.interval
    return f"{share.count} of {share.total}, {share.rate:.2%} ({low:.2%}–{high:.2%})"


def main() -> None:
    """Run the matrix, or show it."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("out", type=Path)
    arguments.add_argument("--seeds", type=int, nargs=2, default=(1000, 1420))
    arguments.add_argument("--groups", nargs="+", default=[group.name for group in Group])
    arguments.add_argument("--show", action="store_true")
    arguments.add_argument("--factors", action="store_true", help="show the group of everything at once by condition")
    given = arguments.parse_args()
    if given.factors:
        print(show_factors(given.out, Group.HARD))
        return
    if not given.show:
        cv2.setNumThreads(1)
        run(given.out, [Group[name] for name in given.groups], range(*given.seeds))
    print(show(read_outcomes(given.out)))


if __name__ == "__main__":
    main()
