"""Enrolment: saving and loading, damaged files, and grouping of equal cards in photographs."""

import errno
import json
from collections.abc import Callable, Sequence
from pathlib import Path

import cv2
import numpy as np
import pytest

from bunnymoose_cv.art.card_art import card_face
from bunnymoose_cv.art.card_images import rasterised
from bunnymoose_cv.capture.frame import Image
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.i18n.texts import Texts
from bunnymoose_cv.rules.cards import parse_card
from bunnymoose_cv.vision.cards.card_frame import CROP_SIZE
from bunnymoose_cv.vision.cards.card_reading import CardFaceId
from bunnymoose_cv.vision.cards.enrolment import EnrolledCard, Enrolment
from bunnymoose_cv.vision.cards.enrolment_photos import CardLook, propose
from training.evaluate.cards.laid_cards import Face
from training.evaluate.cards.matrix import enrolled

ALIKE = ("TONGUE+2", "TONGUE+3", "L.SF+1", "L.SF+2", "B.S?+1", "B.SF+1", "REVERSE")
OTHERS = ("L.WU+1", "L.CD-1", "R.TS+2", "MOOSE+1", "RABBIT*2")


@pytest.fixture(scope="module")
def faces() -> tuple[Face, ...]:
    """Faces printed from edge to edge, some of which hardly differ."""
    art = {card: card_face(parse_card(card), Texts()) for card in (*ALIKE, *OTHERS)}
    return tuple(Face(CardFaceId(card), rasterised(svg, (400, 560))) for card, svg in art.items())


@pytest.fixture
def some(faces: Sequence[Face]) -> Enrolment:
    return enrolled(faces[:4])


def test_enrolment_is_saved_and_loaded(some: Enrolment, tmp_path: Path) -> None:
    marked = some.with_face(EnrolledCard(some.ids[1], some.faces[1].crop, marker=7))
    marked.save(tmp_path / "deck")
    again = Enrolment.load(tmp_path / "deck")
    assert [(face.face, face.marker) for face in again.faces] == [(face.face, face.marker) for face in marked.faces]
    assert all(np.array_equal(face.crop, kept.crop) for face, kept in zip(again.faces, marked.faces, strict=True))


def test_removed_face_leaves_no_image_behind(some: Enrolment, tmp_path: Path) -> None:
    some.save(tmp_path)
    some.without(some.ids[0]).save(tmp_path)
    assert len(list(tmp_path.glob("*.png"))) == 3
    assert some.ids[0] not in Enrolment.load(tmp_path).ids


def test_re_enrolled_face_keeps_its_position(some: Enrolment) -> None:
    again = some.with_face(EnrolledCard(some.ids[1], some.faces[0].crop))
    assert again.ids == some.ids
    assert again.faces[1].crop is some.faces[0].crop


def test_failed_save_keeps_the_earlier_enrolment(
    some: Enrolment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    some.save(tmp_path)

    def full(*_: object, **__: object) -> str:
        raise OSError(errno.ENOSPC, "no space left")

    monkeypatch.setattr(json, "dumps", full)
    with pytest.raises(OSError, match="no space left"):
        some.without(some.ids[0]).save(tmp_path)
    kept = Enrolment.load(tmp_path)
    assert kept.ids == some.ids
    assert all(np.array_equal(face.crop, was.crop) for face, was in zip(kept.faces, some.faces, strict=True))
    monkeypatch.undo()
    some.save(tmp_path)
    assert len(list(tmp_path.glob("*.png"))) == len(some.faces)


def test_missing_faces_are_listed_in_deck_order(some: Enrolment) -> None:
    deck = [CardFaceId("X"), some.ids[0], CardFaceId("Y"), CardFaceId("X")]
    assert some.missing(deck) == ("X", "Y")


INDEX, IMAGE = "enrolment.json", "001.png"


@pytest.mark.parametrize(
    "harm",
    [
        lambda deck: (deck / INDEX).write_text('{"version": 1, "faces": [{"face"'),
        lambda deck: (deck / INDEX).write_text('{"version": 99, "faces": []}'),
        lambda deck: (deck / INDEX).write_text((deck / INDEX).read_text().replace(IMAGE, "../1.png")),
        lambda deck: (deck / IMAGE).write_bytes(b""),
        lambda deck: (deck / INDEX).unlink(),
    ],
    ids=["cut short", "later version", "image of another folder", "empty image", "no index"],
)
def test_damaged_enrolment_is_one_sentence(some: Enrolment, tmp_path: Path, harm: Callable[[Path], object]) -> None:
    some.save(tmp_path)
    harm(tmp_path)
    with pytest.raises(InputError, match="enrol"):
        Enrolment.load(tmp_path)


def test_cards_in_rows_are_found_grouped_and_guessed(faces: Sequence[Face]) -> None:
    shown = [faces[index] for index in (0, 1, 2, 7, 0, 8, 9, 10, 11)]
    proposals = propose([_loose_cards(shown)], enrolled(faces))
    assert sum(proposal.copies for proposal in proposals) == 9
    guessed = {proposal.guess[0].face: proposal.copies for proposal in proposals if proposal.guess}
    assert guessed == {face.face: shown.count(face) for face in shown}
    assert all(proposal.crop.shape == (CROP_SIZE[1], CROP_SIZE[0], 3) for proposal in proposals)


def test_unknown_cards_are_proposed_without_a_guess(faces: Sequence[Face]) -> None:
    proposals = propose([_loose_cards([faces[index] for index in (0, 6, 11)])], Enrolment())
    assert [(proposal.copies, proposal.guess) for proposal in proposals] == [(1, ())] * 3


def _loose_cards(faces: Sequence[Face]) -> Image:
    """Return a photograph of loose cards on a dark cloth, in rows of three."""
    table = np.full((1350, 1050, 3), 45, np.uint8)
    for index, face in enumerate(faces):
        top, left = 60 + (index // 3) * 430, 60 + (index % 3) * 330
        card = cv2.resize(face.image, (252, 352), interpolation=cv2.INTER_AREA)
        table[top : top + 352, left : left + 252] = card
    soft = cv2.GaussianBlur(table, (0, 0), 0.8).astype(np.float32)
    noisy = soft * 0.9 + np.random.default_rng(3).normal(0, 3, table.shape)
    return np.clip(noisy, 0, 255).astype(np.uint8)


def _as_it_is(crop: Image) -> Image:
    return crop


def _upside_down(crop: Image) -> Image:
    return np.ascontiguousarray(crop[::-1, ::-1])


def _tilted_in_warm_light(crop: Image) -> Image:
    corners = np.array([[0, 0], [252, 0], [252, 352], [0, 352]], np.float32)
    cut = np.array([[7, 5], [249, -4], [255, 349], [-3, 357]], np.float32)
    moved = cv2.warpPerspective(
        crop, cv2.getPerspectiveTransform(cut, corners), CROP_SIZE, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(np.clip(moved * np.array([0.7, 0.85, 1.05]), 0, 255), np.uint8)


def _blurred_and_noisy(crop: Image) -> Image:
    soft = cv2.GaussianBlur(crop, (0, 0), 1.5) + np.random.default_rng(2).normal(0, 5, crop.shape)
    return np.asarray(np.clip(soft, 0, 255), np.uint8)


@pytest.mark.parametrize("change", [_as_it_is, _upside_down, _tilted_in_warm_light, _blurred_and_noisy])
def test_card_look_matches_only_its_own_face(faces: Sequence[Face], change: Callable[[Image], Image]) -> None:
    crops = {
        face.face: np.asarray(cv2.resize(face.image, CROP_SIZE, interpolation=cv2.INTER_AREA), np.uint8)
        for face in faces[: len(ALIKE)]
    }
    looks = {face: CardLook.of(crop) for face, crop in crops.items()}
    for face, crop in crops.items():
        again = CardLook.of(change(crop))
        assert [other for other, look in looks.items() if again.shows_same_as(look)] == [face]


def test_plain_crop_matches_nothing(faces: Sequence[Face]) -> None:
    plain = CardLook.of(np.full((CROP_SIZE[1], CROP_SIZE[0], 3), 120, np.uint8))
    card = CardLook.of(np.asarray(cv2.resize(faces[0].image, CROP_SIZE), np.uint8))
    assert not plain.shows_same_as(card)
    assert not plain.shows_same_as(plain)
