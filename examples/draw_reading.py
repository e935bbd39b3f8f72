"""Draw the reading of a photo on it: python draw_reading.py PHOTO OUT."""

import sys

import cv2

from bunnymoose_cv import InputError, draw, judge

if len(sys.argv) != 3:
    sys.exit(__doc__)
photo, out = sys.argv[1:]
try:
    drawn = draw(judge(photo).reading)
except InputError as error:  # an error that the user can correct, in one sentence
    sys.exit(str(error))
if not (cv2.haveImageWriter(out) and cv2.imwrite(out, drawn)):
    sys.exit(f"{out} cannot be written: name a file such as drawn.jpg in a folder that is there")
