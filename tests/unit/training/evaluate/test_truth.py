"""Truth of labels: invented rows in the grammar of the sets, with the truth according to the rulebook."""

import json
import re
from collections import Counter
from pathlib import Path

import pytest

from bunnymoose_cv.rules.pose import Animal, Form, Pose, Spread, Tongue
from bunnymoose_cv.rules.pose_fields import Field
from bunnymoose_cv.vision.geometry import Box
from bunnymoose_cv.vision.headgear.headgear_reading import Kind
from training.evaluate.datasets import ManifestError, Row, RowKind, read_manifest
from training.evaluate.headgear_fields import HeadgearFields
from training.evaluate.truth import Between, PeopleTruth, PlayerTruth, Truth, truth_of

ANTLER, EAR, NEITHER = (HeadgearFields(kind) for kind in (Kind.ANTLER, Kind.EAR, Kind.NEITHER))
OPEN = HeadgearFields()
FOUR = "index+middle+ring+pinky"
WIDE_FOUR = f"{FOUR}/wide/straight/thumb_out"


def truth(kind: RowKind, labels: str) -> Truth:
    pairs = (label.split("=", 1) for label in labels.split(";") if label)
    return truth_of(Row("a", Path("a.jpg"), kind, dict(pairs), 2))


def one(kind: RowKind, labels: str) -> PlayerTruth:
    people = truth(kind, labels)
    assert isinstance(people, PeopleTruth)
    (player,) = people.players
    return player


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        # four fingers: the kind depends on the thumb
        (f"fingers_out={FOUR};thumb=out;spread=wide;shape=straight", HeadgearFields(Kind.ANTLER, spread=Spread.WIDE)),
        (f"fingers_out={FOUR};thumb=out;spread=compact", HeadgearFields(Kind.ANTLER, spread=Spread.COMPACT)),
        (f"fingers_out={FOUR};thumb=out;spread=medium", ANTLER),
        (f"fingers_out={FOUR};thumb=tucked;spread=wide;shape=straight", HeadgearFields(Kind.EAR, form=Form.STRAIGHT)),
        (f"fingers_out={FOUR};thumb=half", OPEN),
        (f"fingers_out={FOUR}", OPEN),
        # two fingers
        ("fingers_out=index+middle;thumb=tucked;shape=curled", HeadgearFields(Kind.EAR, form=Form.FLOPPY)),
        ("fingers_out=index+middle;thumb=tucked;shape=half_bent", EAR),
        ("fingers_out=index+middle;thumb=out;class=two_plus_thumb", EAR),
        ("fingers_out=index+middle", EAR),
        ("fingers_out=index+pinky;thumb=tucked", NEITHER),
        ("fingers_out=ring+pinky;thumb=tucked", NEITHER),
        ("fingers_out=index+pinky;thumb=out", NEITHER),
        # any other number of fingers is neither, with any thumb
        ("fingers_out=none;thumb=out", NEITHER),
        ("fingers_out=index;thumb=tucked", NEITHER),
        ("fingers_out=index+middle+ring", NEITHER),
        # labels without fingers
        ("fingers_out=some;thumb=out", OPEN),
        ("class=four_spread", OPEN),
        ("", OPEN),
    ],
)
def test_truth_of_a_single_hand(labels: str, expected: HeadgearFields) -> None:
    assert truth(RowKind.HAND, f"hand=left;view=back;{labels};subject=x;mood=merry") == expected


TWO = "index+middle/compact/straight/thumb_tucked"
STRAIGHT_EAR = HeadgearFields(Kind.EAR, form=Form.STRAIGHT)
FLOPPY_EAR = HeadgearFields(Kind.EAR, form=Form.FLOPPY)
WIDE_ANTLER = HeadgearFields(Kind.ANTLER, spread=Spread.WIDE)
TEMPLES = "hands=2;place=both_temples;touch=yes"
TOPS = "hands=2;place=top_of_head_both;touch=yes"
ANTLER_POSE = f"touch=yes;right={WIDE_FOUR}"


@pytest.mark.parametrize(
    ("labels", "left", "right", "animal"),
    [
        # an antler: four fingers, the thumb out and at the temple
        (f"hands=1;place=temple_thumb_touching;touch=yes;right={WIDE_FOUR}", NEITHER, WIDE_ANTLER, "bush"),
        (f"hands=1;place=temple;touch=yes;left={FOUR}/medium/straight/thumb_out", ANTLER, NEITHER, "bush"),
        (f"{TEMPLES};left={WIDE_FOUR};right={WIDE_FOUR}", WIDE_ANTLER, WIDE_ANTLER, "moose"),
        # off the head and on the cheek the distance is unlabelled; on top the hand counts
        (f"hands=1;place=beside_head;touch=no;right={WIDE_FOUR}", NEITHER, OPEN, "bush"),
        (f"hands=1;place=cheek_thumb_touching;touch=yes;right={WIDE_FOUR}", NEITHER, OPEN, "bush"),
        (f"hands=2;place=cheeks_both;touch=yes;right={WIDE_FOUR}", OPEN, OPEN, None),
        (f"hands=1;place=top_of_head;touch=yes;right={WIDE_FOUR}", NEITHER, WIDE_ANTLER, "bush"),
        # below or over the face it is neither
        (f"hands=2;place=shoulder+chest;touch=no;left={TWO};right={FOUR}/straight/thumb_out", NEITHER, NEITHER, "bush"),
        (f"hands=2;place=above_head+chest;touch=no;left={TWO};right=none/fist", OPEN, NEITHER, "bush"),
        (f"hands=1;place=over_face;touch=yes;left={WIDE_FOUR}", NEITHER, NEITHER, "bush"),
        # an ear at the temple or on top: two fingers, with any thumb
        (f"{TEMPLES};left={TWO};right={TWO}", STRAIGHT_EAR, STRAIGHT_EAR, "rabbit"),
        (f"{TOPS};left={FOUR}/wide/curled/thumb_tucked;right={TWO}", FLOPPY_EAR, STRAIGHT_EAR, "rabbit"),
        ("hands=1;place=temple;touch=yes;left=index+middle/straight/thumb_out", STRAIGHT_EAR, NEITHER, "bush"),
        (f"hands=2;place=beside_head_both;touch=no;left={TWO};right={TWO}", OPEN, OPEN, None),
        (f"{TEMPLES};left={TWO};right={WIDE_FOUR}", STRAIGHT_EAR, WIDE_ANTLER, "bush"),
        (f"{TEMPLES};left={TWO}", STRAIGHT_EAR, OPEN, None),
        # hands that are neither at any place
        (f"{TEMPLES};left=none/fist;right=index/straight/thumb_out", NEITHER, NEITHER, "bush"),
        (f"{TEMPLES};left=middle+ring+pinky(bent);right=index+pinky/straight/thumb_out", NEITHER, NEITHER, "bush"),
        # missing fingers, missing thumb
        (f"{TEMPLES};left=five_bent;right={TWO}", OPEN, STRAIGHT_EAR, None),
        (f"hands=1;place=temple;touch=yes;right={FOUR}/compact/straight", NEITHER, OPEN, "bush"),
        # the pose overrules place and touch
        (
            f"hands=2;place=both_sides;touch=no;pose=rabbit_ears_both;left={TWO};right={TWO}",
            STRAIGHT_EAR,
            STRAIGHT_EAR,
            "rabbit",
        ),
        (f"hands=1;place=x;pose=single_moose_antler;{ANTLER_POSE}", NEITHER, WIDE_ANTLER, "bush"),
        (f"hands=1;place=face;pose=single_moose_antler_like;{ANTLER_POSE}", NEITHER, OPEN, "bush"),
        (f"{TEMPLES};pose=horns_one_finger(not a game pose)", NEITHER, NEITHER, "bush"),
        (f"{TEMPLES};pose=other;left={TWO};right={TWO}", NEITHER, NEITHER, "bush"),
        # hands without a side
        ("hands=1;place=top_of_head;touch=yes", OPEN, OPEN, "bush"),
        ("hands=2;place=somewhere;touch=no", OPEN, OPEN, None),
        ("hands=0", NEITHER, NEITHER, "bush"),
        ("place=top_of_head", OPEN, OPEN, None),
    ],
)
def test_truth_of_a_head_with_hands(
    labels: str, left: HeadgearFields, right: HeadgearFields, animal: str | None
) -> None:
    player = one(RowKind.HEAD_HANDS, f"faces=1;{labels};smile=1")
    assert (player.left, player.right) == (left, right)
    assert player.animal is (None if animal is None else Animal(animal))
    assert player.pose is None


@pytest.mark.parametrize(
    ("kind", "labels", "players"),
    [
        (RowKind.FACE, "faces=1;tongue=out;mouth=open", [PlayerTruth(tongue=Tongue.OUT)]),
        (RowKind.FACE, "tongue=in;mouth=open_wide", [PlayerTruth(tongue=Tongue.IN)]),
        (RowKind.FACE, "faces=1;tongue=hidden", [PlayerTruth()]),
        (RowKind.FACE, "faces=0", []),
        (RowKind.GROUP, "faces=3;scene=row;tongue=in", [PlayerTruth(tongue=Tongue.IN)] * 3),
        (RowKind.HEAD_HANDS, "faces=2;hands=1;pose=other;tongue=in", [PlayerTruth(tongue=Tongue.IN)] * 2),
        (RowKind.PLAYER, "faces=1;poses=WU CD t;light=dim", [PlayerTruth.of(Pose.parse("WU CD t"))]),
        (
            RowKind.SCENE,
            "poses=TS TF/-- SS t;faces=2",
            [PlayerTruth.of(Pose.parse("TS TF")), PlayerTruth.of(Pose.parse("-- SS t"))],
        ),
    ],
)
def test_truth_of_people_follows_from_labels(kind: RowKind, labels: str, players: list[PlayerTruth]) -> None:
    assert truth(kind, labels) == PeopleTruth(tuple(players))


@pytest.mark.parametrize("kind", RowKind)
def test_ambiguous_image_has_no_truth(kind: RowKind) -> None:
    assert truth(kind, "faces=1;tongue=out;ambiguous=1") is None


@pytest.mark.parametrize(
    ("kind", "labels", "sentence"),
    [
        (RowKind.FACE, "faces=two", "faces=two: write a whole number"),
        (RowKind.GROUP, "faces=-1", "faces=-1: write a whole number"),
        (RowKind.PLAYER, "faces=1", "has no label poses"),
        (RowKind.PLAYER, "poses=WU XX", "“XX” is not a headgear"),
        (RowKind.SCENE, "faces=3;poses=WU CD/-- --", "has 2 poses but faces=3"),
    ],
)
def test_unreadable_label_is_named(kind: RowKind, labels: str, sentence: str) -> None:
    with pytest.raises(ManifestError, match=sentence) as raised:
        truth(kind, labels)
    assert str(raised.value).startswith("Line 2 of the manifest (a) ")


PHOTOGRAPHS = Path(__file__).parents[5] / "shared" / "real" / "manifest.csv"


@pytest.mark.skipif(not PHOTOGRAPHS.is_file(), reason="the photographs lie in ../shared beside the checkout")
def test_labels_of_the_photographs_are_parsed() -> None:
    manifest = read_manifest(PHOTOGRAPHS)
    assert not manifest.problems
    truths = [(row.kind, truth_of(row)) for row in manifest.rows]
    hands = Counter(hand.kind for kind, hand in truths if kind is RowKind.HAND and isinstance(hand, HeadgearFields))
    assert hands == {Kind.EAR: 26, Kind.ANTLER: 7}
    heads = [
        people.players[0] for kind, people in truths if kind is RowKind.HEAD_HANDS and isinstance(people, PeopleTruth)
    ]
    assert Counter(head.animal for head in heads) == {Animal.RABBIT: 5, Animal.BUSH: 55, None: 5}
    assert Counter(side.kind for head in heads for side in (head.left, head.right)) == {
        Kind.EAR: 10,
        Kind.ANTLER: 7,
        Kind.NEITHER: 93,
        None: 20,
    }
    assert sum(truth is None for _, truth in truths) == 3


def test_intermediate_fields_are_listed_per_seat() -> None:
    people = truth(RowKind.SCENE, "poses=WU CD t/TS --/WU WU;between=left.spread+tongue//right.kind")
    assert isinstance(people, PeopleTruth)
    assert [player.between for player in people.players] == [
        Between(left=frozenset({Field.SPREAD}), tongue=True),
        Between(),
        Between(right=frozenset({Field.KIND})),
    ]


@pytest.mark.parametrize(
    ("labels", "sentence"),
    [
        (
            "poses=WU CD;between=left.colour",
            "has between=left.colour, which is no field: use tongue or one of left.kind",
        ),
        ("poses=WU CD/TS TS;between=left.kind", "has between= for 1 seats and 2 poses"),
    ],
)
def test_impossible_intermediate_field_is_refused(labels: str, sentence: str) -> None:
    with pytest.raises(ManifestError, match=re.escape(sentence)):
        truth(RowKind.SCENE, labels)


@pytest.mark.parametrize(("label", "expected"), [("in", Tongue.IN), ("out", Tongue.OUT), ("unclear", None)])
def test_truth_of_a_mouth_follows_from_its_label(label: str, expected: Tongue | None) -> None:
    assert truth(RowKind.MOUTH, f"tongue={label};subject=x") is expected


def test_faces_come_from_the_truth_file_of_the_image(tmp_path: Path) -> None:
    row = Row("a", tmp_path / "a.jpg", RowKind.SCENE, {"poses": "WU CD/TS TS"}, 2)
    for content, expected in (
        ({"players": [{"face_px": [1, 2, 3, 4]}, {"face_px": [5, 6, 7, 8]}]}, [Box(1, 2, 3, 4), Box(5, 6, 7, 8)]),
        (None, [None, None]),
    ):
        if content is None:
            (tmp_path / "a.json").unlink()
        else:
            (tmp_path / "a.json").write_text(json.dumps(content))
        people = truth_of(row)
        assert isinstance(people, PeopleTruth)
        assert [player.face for player in people.players] == expected


@pytest.mark.parametrize("content", ["nonsense", "[]", '{"players": [{}]}', '{"face_px": [1, 2, 3, 4]}'])
def test_invalid_truth_file_is_refused(tmp_path: Path, content: str) -> None:
    (tmp_path / "a.json").write_text(content)
    with pytest.raises(ManifestError, match="beside it"):
        truth_of(Row("a", tmp_path / "a.jpg", RowKind.SCENE, {"poses": "WU CD/TS TS"}, 2))
