"""Session that is killed during the watch: the readings of Bam are stored when it is resumed."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest

from bunnymoose_cv.referee.script import Script
from bunnymoose_cv.web.live.round_evidence import frame_jpeg, round_evidence_view, still_jpeg
from tests.doubles import CannedVideoSource
from tests.unit.session.conftest import OpenSitting

CHECKOUT = Path(__file__).parents[3]

PLAYING = """
import sys
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from threading import current_thread
from bunnymoose_cv.cues.cue import Maker
from bunnymoose_cv.referee.script import read_script
from bunnymoose_cv.core.user_settings import load_settings
from bunnymoose_cv.vision.video.window import Window
from tests.doubles import CannedFootage, CannedReader, CannedVideoSource, row_reading
from tests.unit.session.conftest import POSES, open_session

evening = read_script(Path(sys.argv[1]))
window = Window.around(evening.rounds[0].bam_s, load_settings().freeze)
row = row_reading(POSES)

class Camera(CannedFootage):
    def wait_for(self, time_s, patience_s):
        reading = current_thread().name == "session"  # another one holds the footage from the cue on
        if reading and time_s > window.end_s + window.step_s / 2:
            print("who moves is yet to be seen", flush=True)
            sys.stdin.read()
        return True

class Live(CannedVideoSource):
    def recorded(self, number):
        moment = super().recorded(number)
        return replace(moment, footage=Camera(row.image, 0.0, moment.cue_s, moment.cue_s + 3.0))

with ExitStack() as stack:
    reader = stack.enter_context(CannedReader(row))
    session = open_session(stack, reader, evening, Path("games"), Live(evening, row.image), asks=False)
    session.bam(Maker.KEY, "people").result()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")
def test_all_players_are_still_visible(
    open_sitting: OpenSitting, evening: Script, canned_evening: CannedVideoSource, tmp_path: Path
) -> None:
    script = CHECKOUT / "fixtures" / "evening" / "evening.toml"
    with subprocess.Popen(
        [sys.executable, "-c", PLAYING, str(script)],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(CHECKOUT)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    ) as playing:
        assert playing.stdout is not None
        assert playing.stdout.readline() == b"who moves is yet to be seen\n"
        playing.send_signal(signal.SIGKILL)
    state = open_sitting(canned_evening).state
    assert state.judged is None
    seen = round_evidence_view(state, 1)
    assert seen is not None
    assert seen.cue_s == evening.rounds[0].bam_s
    images = [still_jpeg(state, 1, seat) for seat in (1, 2, 3)]
    images += [frame_jpeg(state, 1, number) for number, _ in enumerate(seen.frames, 1)]
    for image in images:
        assert image is not None
        assert cv2.imdecode(np.frombuffer(image, np.uint8), cv2.IMREAD_COLOR) is not None
