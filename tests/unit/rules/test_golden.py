"""Every kind of card against every pose, compared with a reviewed table.

`python tests/unit/rules/test_golden.py` rewrites the table; review the difference.
"""

from pathlib import Path

from bunnymoose_cv.rules.cards import PATTERNS, Card, parse_card
from bunnymoose_cv.rules.deck import Rules, Variant, rules_for
from bunnymoose_cv.rules.pose import ALL_POSES, Animal, Pose
from bunnymoose_cv.rules.scoring import score, species_of

GOLDEN = Path(__file__).parent / "golden" / "cards.txt"

HEADER = """\
# One column per pose, in the order of ALL_POSES: left, then right, then tongue out and in.
# Species: M moose, R rabbit, # bush. Cards: # bush, . no match, 1-9 points, a-i points back, x doubles, ~ turns around.
"""

SINGLES = [parse_card(f"{side}.{pattern}+2") for pattern in PATTERNS for side in "LR"]
DOUBLES = [parse_card(f"B.{pattern}+1/-3") for pattern in PATTERNS] + [
    parse_card(text) for text in ("B.WU+1/CD+2", "B.TS+1/SF+2", "B.?U+1/WD+2", "B.T?+1/?F+2")
]
TONGUE_AND_SPECIES = [parse_card(text) for text in ("TONGUE+3", "MOOSE+2", "RABBIT-2", "MOOSE*2", "RABBIT*2")]
OTHERS = [parse_card(text) for text in ("REVERSE", "HUNTER")]

SECTIONS: list[tuple[str, Rules, list[Card]]] = [
    ("second edition, advanced", rules_for("second"), [*SINGLES, *DOUBLES, *TONGUE_AND_SPECIES, *OTHERS]),
    ("second edition, basic", rules_for("second", advanced=False), TONGUE_AND_SPECIES),
    ("first edition", rules_for("first"), TONGUE_AND_SPECIES),
    (
        "first edition, no species change",
        rules_for("first", variants=[Variant.NO_SPECIES_CHANGE]),
        TONGUE_AND_SPECIES,
    ),
]


def golden_text() -> str:
    lines = []
    for title, rules, cards in SECTIONS:
        lines += ["", title]
        lines.append(f"{'species':12}{''.join(species_letter(pose, rules) for pose in ALL_POSES)}")
        lines += [f"{card!s:12}{''.join(outcome(pose, card, rules) for pose in ALL_POSES)}" for card in cards]
    return HEADER + "\n".join(lines) + "\n"


def species_letter(pose: Pose, rules: Rules) -> str:
    return {Animal.MOOSE: "M", Animal.RABBIT: "R", Animal.BUSH: "#"}[species_of(pose, rules.tongue)]


def outcome(pose: Pose, card: Card, rules: Rules) -> str:
    result = score(pose, (card,), rules)
    (line,) = result.lines
    if result.total is None:
        return "#"
    if line.factor != 1:
        return {2: "x", -1: "~"}[line.factor]
    if line.points < 0:
        return chr(ord("a") - 1 - line.points)
    return str(line.points) if line.points else "."


def test_scores_of_every_card_kind_and_pose_match_golden_file() -> None:
    assert golden_text() == GOLDEN.read_text(encoding="utf-8")


if __name__ == "__main__":
    GOLDEN.write_text(golden_text(), encoding="utf-8")
