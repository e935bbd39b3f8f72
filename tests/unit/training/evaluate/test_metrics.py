"""Figures of evaluated images: outcomes, mistakes, confusions, groups, reliability, JSON, and earlier figures."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.rules.pose import Animal, Direction, Form, Spread, Tongue
from bunnymoose_cv.rules.pose_fields import Field
from bunnymoose_cv.vision.headgear.headgear_reading import Kind
from tests.unit.training.evaluate.made_images import read, shown
from training.evaluate.breakdowns import BINS, NOT_FOUND, confusions, groups, reliability
from training.evaluate.comparison import LARGEST_GROUP, Measure, Outcome, compare_people
from training.evaluate.datasets import Row, RowKind
from training.evaluate.evaluated import Evaluated, Words, mistakes, read_words, spelled, truth_words
from training.evaluate.headgear_fields import HeadgearFields
from training.evaluate.metrics import Figures, ImageFiguresShape, ImageShape, earlier_figures, parts
from training.evaluate.reading import Read, ReadHeadgear, ReadTongue
from training.evaluate.shares import Share
from training.evaluate.truth import Between, PeopleTruth, PlayerTruth, Truth


def test_confusions_count_truth_against_reading() -> None:
    images = [
        shown("a", "WU TF t", read("WU SF t")),
        shown("b", "WU --"),
        shown("c", "WU WU", read("CU WU"), between=Between(left=frozenset({Field.SPREAD}))),
    ]
    headgear, animal, tongue = confusions(images)
    assert dict(headgear.counts) == {("WU", "WU"): 2, ("TF", "SF"): 1, ("WU", NOT_FOUND): 1, ("--", NOT_FOUND): 1}
    assert dict(animal.counts) == {("bush", "bush"): 1, ("bush", NOT_FOUND): 1}
    assert dict(tongue.counts) == {("out", "out"): 1, ("in", "in"): 1, ("in", NOT_FOUND): 1}
    assert headgear.row("WU") == (2, 0, 0, 0, 0, 0, 0, 0, 0, 1)


EAR = HeadgearFields(Kind.EAR, form=Form.STRAIGHT)
ANTLER = HeadgearFields(Kind.ANTLER, spread=Spread.WIDE)


@pytest.mark.parametrize(
    ("truth", "read_as", "counts"),
    [
        (EAR, ReadHeadgear(EAR), {("straight ear", "straight ear"): 1}),
        (EAR, ReadHeadgear(HeadgearFields(Kind.NEITHER)), {("straight ear", "neither"): 1}),
        (
            ANTLER,
            ReadHeadgear(HeadgearFields(Kind.ANTLER, Spread.COMPACT, Direction.UP)),
            {("wide antler", "compact antler"): 1},
        ),
        (ANTLER, None, {("wide antler", NOT_FOUND): 1}),
    ],
)
def test_confusions_of_single_hands_ignore_direction(
    truth: HeadgearFields, read_as: ReadHeadgear | None, counts: dict[tuple[str, str], int]
) -> None:
    row = Row("a", Path("a.jpg"), RowKind.HAND, {}, 2)
    (hand,) = confusions([Evaluated(row, truth, read_as, (), None)])
    assert (hand.name, dict(hand.counts)) == ("hand", counts)


def test_hand_with_an_open_shape_is_not_counted() -> None:
    row = Row("a", Path("a.jpg"), RowKind.HAND, {}, 2)
    assert confusions([Evaluated(row, HeadgearFields(Kind.EAR), ReadHeadgear(EAR), (), None)]) == ()


def test_groups_come_from_labels_and_face_height() -> None:
    images = [
        shown("a", "WU WU", read("WU WU"), labels="light=dim;skin=dark", face=49),
        shown("b", "WU WU", read("WU WU t", limit=0.0), labels="light=dim;skin=light", face=50),
        shown("c", "TS TS/WU WU", read("TS TS"), read("CU WU"), labels="light=warm;skin=dark/light;age=12/70"),
    ]
    by_value = {(group.label, group.value): group for group in groups(images)}
    assert set(by_value) == {
        ("light", "dim"),
        ("light", "warm"),
        ("skin", "dark"),
        ("skin", "light"),
        ("face", "80 to 120 px"),
    }
    dim = by_value["light", "dim"]
    assert dim.people == 2
    assert (dim.right[Measure.POSE], dim.right[Measure.HEADGEAR]) == (Share(2, 1), Share(4, 4))
    assert dim.sure_wrong == Share(14, 1)
    assert by_value["skin", "dark"].right[Measure.POSE] == Share(2, 2)
    assert by_value["skin", "light"].right[Measure.POSE] == Share(2, 0)


@pytest.mark.parametrize(
    ("height", "band"),
    [(49, "0 to 50 px"), (50, "50 to 80 px"), (179.9, "120 to 180 px"), (180, "180 px and more")],
)
def test_face_is_grouped_by_its_height(height: float, band: str) -> None:
    (group,) = groups([shown(name, "WU WU", read("WU WU"), face=height) for name in "ab"])
    assert (group.label, group.value) == ("face", band)


def test_numeric_groups_are_sorted_numerically() -> None:
    images = [shown(str(age), "WU WU", read("WU WU"), labels=f"age={age}") for age in (70, 9, 70, 9, 12, 12)]
    assert [group.value for group in groups(images) if group.label == "age"] == ["9", "12", "70"]


def test_reliability_bins_equally_confident_readings() -> None:
    images = [
        shown("a", "WU WU", read("WU WU", 0.97)),
        shown("b", "WU WU", read("CU WU", 0.99)),
        shown("c", "WU WU", read("WU WU", 0.51)),
        shown("d", "WU WU"),
    ]
    fields = {own.field: own for own in reliability(images)}
    assert set(fields) == {"kind", "spread", "direction", "tongue"}
    least, most = fields["spread"].bins
    assert (least.right, most.right) == (Share(2, 2), Share(4, 3))
    assert [least.confidence, most.confidence] == pytest.approx([0.51, 0.98])
    assert fields["spread"].error == pytest.approx((2 * 0.49 + 4 * 0.23) / 6)


@pytest.mark.parametrize(
    ("confidence", "others", "together"), [(0.34, 0.5, True), (0.949, 0.95, False), (1.0, 0.96, True)]
)
def test_reliability_bins_cover_confidence_from_half_to_one(confidence: float, others: float, together: bool) -> None:  # noqa: FBT001 - a table
    images = [shown(str(sure), "WU WU", read("WU WU", sure)) for sure in (confidence, others)]
    assert BINS == 10
    assert (len(reliability(images)[0].bins) == 1) is together


IMAGE = shown("a", "WU WU", read("WU WU"))


def test_measure_is_right_if_all_its_comparisons_are() -> None:
    outcomes = tuple(
        Outcome(measure, right=right, sure=None, confidence=None)
        for measure, right in ((Measure.TONGUE, True), (Measure.KIND, True), (Measure.KIND, False))
    )
    right = replace(IMAGE, outcomes=outcomes).right
    assert list(right.items()) == [
        (measure, measure is Measure.TONGUE) for measure in Measure if measure in {Measure.KIND, Measure.TONGUE}
    ]


def test_players_are_paired_with_their_readings() -> None:
    ((truth, own),) = IMAGE.players
    assert (str(truth.pose), own) == ("WU WU", read("WU WU"))
    ((_, nobody),) = shown("b", "WU WU").players
    assert nobody is None


def test_hands_and_large_groups_have_no_players() -> None:
    assert replace(IMAGE, truth=HeadgearFields()).players == ()
    assert replace(IMAGE, read=None).players == ()
    assert len(shown("c", "/".join(["WU WU"] * LARGEST_GROUP)).players) == LARGEST_GROUP
    assert shown("d", "/".join(["WU WU"] * (LARGEST_GROUP + 1))).players == ()


@pytest.mark.parametrize(
    ("truth", "words"),
    [
        (None, {}),
        (EAR, {"kind": "ear", "form": "S"}),
        (Tongue.OUT, {"tongue": "out"}),
        (
            PeopleTruth((PlayerTruth(animal=Animal.BUSH, left=HeadgearFields(Kind.ANTLER), tongue=Tongue.IN),)),
            {"faces": 1, "animal": "bush", "left.kind": "antler", "tongue": "in"},
        ),
    ],
)
def test_truth_is_described_in_words(truth: Truth, words: Words) -> None:
    assert truth_words(truth) == words


@pytest.mark.parametrize(
    ("own", "words"),
    [
        (None, {"kind": None}),
        (ReadHeadgear(EAR, frozenset({Field.FORM})), {"kind": "ear", "form": "S", "unclear": ["form"]}),
        (ReadTongue(Tongue.IN, unclear=True), {"tongue": "in", "unclear": ["tongue"]}),
        (ReadTongue(Tongue.IN), {"tongue": "in", "unclear": []}),
        ((read("WU --"),), {"faces": 1, "poses": ["WU --"], "unclear": [[]]}),
    ],
)
def test_reading_is_described_with_its_unclear_fields(own: Read, words: Words) -> None:
    assert read_words(own) == words


@pytest.mark.parametrize(
    ("words", "line"),
    [
        ({"faces": 2, "poses": ["WU CD t", "-- SS"]}, "faces 2, poses WU CD t / -- SS"),
        ({"unclear": [["left.kind", "tongue"], []]}, "unclear left.kind tongue / –"),
        ({"poses": []}, "poses –"),
        ({"kind": None}, "kind None"),
    ],
)
def test_words_are_spelled_on_one_line(words: Words, line: str) -> None:
    assert spelled(words) == line


def test_mistakes_are_ordered_by_confidence() -> None:
    images = [
        shown("asked", "WU WU", read("CU WU", 0.7, limit=0.9)),
        shown("right", "WU WU", read("WU WU")),
        shown("surest", "WU WU", read("CU WU", 0.99)),
        shown("missed", "WU WU"),
        shown("sure", "WU WU", read("CU CU", 0.6, limit=0.5)),
    ]
    assert [mistake.image.row.name for mistake in mistakes(images)] == ["surest", "sure", "asked", "missed"]
    assert mistakes(images)[1].wrong == (Outcome(Measure.SPREAD, right=False, sure=True, confidence=0.6),) * 2


def test_only_named_people_are_counted_per_part() -> None:
    labels = ("source=a;subject=x", "source=a;subject=x", "source=a", "source=b")
    images = [shown(str(number), "WU WU", labels=own) for number, own in enumerate(labels)]
    assert [(part.name, part.people) for part in parts(images, "source")] == [("a", 1), ("b", 0)]


def test_intermediate_and_shrunk_readings_are_counted_apart() -> None:
    half = shown("a", "WU WU", read("CU WU", 0.5), between=Between(left=frozenset({Field.SPREAD})))
    head = replace(read("-- --"), shrunk=ReadTongue(Tongue.OUT))
    truth = PeopleTruth((PlayerTruth(tongue=Tongue.IN),))
    outcomes = compare_people(truth, (head,), RowKind.HEAD_HANDS)
    row = Row("b", Path("b.jpg"), RowKind.HEAD_HANDS, {}, 3)
    figures = Figures.of([half, Evaluated(row, truth, (head,), outcomes, None)])
    assert (figures.unclear_between, figures.unclear) == (Share(1, 1), Share(7, 6))
    assert figures.sure_wrong == Share(1, 0)
    assert figures.right[Measure.TONGUE_SHRUNK] == Share(1, 0)


def test_json_has_the_tables() -> None:
    images = [shown("a", "WU WU", read("WU WU"), labels="light=dim"), shown("b", "WU --", labels="light=dim")]
    line = json.loads(ImageFiguresShape.of(Figures.of(images)).line())
    assert line["confusions"]["headgear"] == {"WU": {"WU": 2, NOT_FOUND: 1}, "--": {NOT_FOUND: 1}}
    (group,) = line["groups"]
    assert (group["group"], group["value"], group["people"]) == ("light", "dim", 2)
    assert (group["fields"]["pose"]["right"], group["fields"]["pose"]["n"], group["sure_wrong"]["count"]) == (1, 2, 0)
    (spread,) = line["reliability"]["spread"].pop("bins")
    assert spread == pytest.approx({"said": 1.0, "n": 2, "right": 2, "rate": 1.0, "low": 0.3423802, "high": 1.0})
    assert line["reliability"]["spread"] == {"error": 0.0}


def test_json_line_of_an_image() -> None:
    half = Between(left=frozenset({Field.SPREAD}))
    assert ImageShape.of(shown("é", "WU --", read("CU --", 0.7))).line(ascii_only=False) == (
        '{"id": "é", "truth": {"faces": 1, "poses": ["WU --"]}, "read": {"faces": 1, "poses": ["CU --"], '
        '"unclear": [["left.kind", "left.spread", "left.direction", "right.kind", "tongue"]]}, '
        '"right": {"players": true, "pose": false, "animal": true, "headgear": false, "kind": true, "spread": false, '
        '"direction": true, "tongue": true, "headgear_placed": true, "headgear_seen": true}}'
    )
    assert (
        ImageShape.of(shown("c", "WU WU", between=half))
        .line()
        .startswith(
            '{"id": "c", "truth": {"faces": 1, "poses": ["WU WU"], "between": [["left.spread"]]}, '
            '"read": {"faces": 0, "poses": [], "unclear": []}, "right": {"players": false, '
        )
    )


def test_json_line_of_all_figures() -> None:
    one = '{"n": 1, "right": 1, "rate": 1.0, "low": 0.2065493117918027, "high": 1.0}'
    two = '{"n": 2, "right": 2, "rate": 1.0, "low": 0.3423802239546494, "high": 1.0}'
    none = '{"n": 7, "count": 0, "rate": 0.0, "low": 0.0, "high": 0.3543304386758683}'
    fields = (
        f'"fields": {{"players": {one}, "pose": {one}, "animal": {one}, "headgear": {two}, "kind": {two}, '
        f'"spread": {two}, "direction": {two}, "tongue": {one}, "headgear_placed": {two}, "headgear_seen": {two}}}, '
        f'"shares": {{"sure_wrong": {none}, "unclear": {none}}}'
    )
    sides = ", ".join(
        f'"{field}": {{"error": 0.0, "bins": [{{"said": 1.0, {share[1:]}]}}'
        for field, share in (("kind", two), ("spread", two), ("direction", two), ("tongue", one))
    )
    images = [shown("a", "WU WU", read("WU WU"), labels="source=é;subject=x")]
    assert ImageFiguresShape.of(Figures.of(images), parts(images, "source")).line() == (
        f'{{{fields}, "people_left_out": 0, "confusions": {{"headgear": {{"WU": {{"WU": 2}}}}, '
        '"animal": {"moose": {"moose": 1}}, "tongue": {"in": {"in": 1}}}, "groups": [], '
        f'"reliability": {{{sides}}}, "sources": {{"\\u00e9": {{"people": 1, {fields}}}}}}}'
    )
    assert ImageFiguresShape.of(Figures.of(images)).line().endswith(f'"reliability": {{{sides}}}}}')


def test_printed_figures_are_read_back(tmp_path: Path) -> None:
    figures = Figures.of([shown("a", "WU WU", read("WU WU")), shown("b", "WU --", read("WU WU", 0.7))])
    (tmp_path / "printed").write_text("\n" + ImageFiguresShape.of(figures).line() + "\n")
    earlier = earlier_figures(tmp_path / "printed")
    assert {name: earlier[name.value] for name in figures.right} == figures.right
    assert (earlier["sure_wrong"], earlier["unclear"]) == (figures.sure_wrong, figures.unclear)


NOBODY = '{"fields": {"pose": {"n": 0, "right": 0}}, "shares": {}}'


@pytest.mark.parametrize("content", ["", "nonsense", "[]", '{"fields": {"pose": 3}}', '{"id": "a"}', NOBODY])
def test_file_without_earlier_figures_is_refused(tmp_path: Path, content: str) -> None:
    (tmp_path / "printed").write_text(content)
    with pytest.raises(InputError, match="holds no earlier figures"):
        earlier_figures(tmp_path / "printed")
    with pytest.raises(InputError, match=r"There is no .*nothing"):
        earlier_figures(tmp_path / "nothing")
