"""Follow the players of a camera, stream or clip: python follow_stream.py SOURCE [SECONDS]."""

import sys

from bunnymoose_cv import Reader

# Live sources and the tracker are no public API: these modules may change without notice.
from bunnymoose_cv.capture.frame import SourceEndedError
from bunnymoose_cv.capture.live import open_live
from bunnymoose_cv.capture.orientation import AS_IT_IS
from bunnymoose_cv.vision.video.tracker import Tracker

if len(sys.argv) < 2:
    sys.exit(__doc__)
seconds = float(sys.argv[2]) if len(sys.argv) > 2 else 10.0
with Reader() as reader, open_live(sys.argv[1], AS_IT_IS, reader.settings.camera) as source:
    tracker = Tracker(reader)
    first_s = None
    while True:
        try:
            frame = source.read()
        except SourceEndedError:
            break
        first_s = frame.time_s if first_s is None else first_s
        if frame.time_s - first_s > seconds:
            break
        poses = [str(player.pose) for player in tracker.read(frame).players]
        print(f"{frame.time_s - first_s:5.2f} s: {' | '.join(poses) or 'nobody'}")
