"""Draw the reading of a photo over it: python draw_reading.py PHOTO OUT."""

import sys

import cv2

from bunnymoose_cv import judge
from bunnymoose_cv.drawing.annotation import draw

photo, out = sys.argv[1:3]
cv2.imwrite(out, draw(judge(photo).reading))
