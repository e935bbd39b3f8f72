"""Draw the reading of a photo over it: python draw_reading.py PHOTO OUT."""

import sys

import cv2

from bunnymoose_cv import draw, judge

if len(sys.argv) != 3:
    sys.exit(__doc__)
photo, out = sys.argv[1:]
cv2.imwrite(out, draw(judge(photo).reading))
