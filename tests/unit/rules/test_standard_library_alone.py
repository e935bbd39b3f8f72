"""The rules run where nothing is installed but Python."""

import subprocess
import sys

import pytest

ROUND_WITHOUT_LIBRARIES = """
import sys

sys.path.insert(0, sys.argv[1])
from bunnymoose_cv.rules import cards, dealing, deck, events, game, pose, ranking, round, scoring, trail

scored = scoring.score(pose.Pose.parse("WU CD t"), cards.parse_table("L.WU+1 RABBIT*2"), deck.rules_for("second"))
print(scored.species.value, scored.total, len(deck.load_deck("first").cards))
loaded = {name.partition(".")[0] for name in sys.modules}
print(sorted(loaded - set(sys.stdlib_module_names) - {"__main__", "bunnymoose_cv"}))
"""


def test_the_rules_need_no_library(pytestconfig: pytest.Config) -> None:
    """`-I -S` leaves out every installed package, so that NumPy, OpenCV and MediaPipe are not there."""
    root = str(pytestconfig.rootpath)
    run = subprocess.run(
        [sys.executable, "-I", "-S", "-c", ROUND_WITHOUT_LIBRARIES, root], capture_output=True, text=True, check=False
    )
    assert run.stderr == ""
    assert run.stdout.splitlines() == ["rabbit 2 111", "[]"]
