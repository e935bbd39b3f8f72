"""Our own line art: pure functions from the game's values to SVG text.

Left and right in the names of things are the player's own, as everywhere. Whoever is drawn faces us as in a mirror: the
player's left is at the left of the image, as on the cards.
"""
