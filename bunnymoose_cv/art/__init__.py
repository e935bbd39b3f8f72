"""Our own line art: pure functions from the game's values to SVG text.

Left and right in names are the player's own, as everywhere. Heads face us as in a mirror: the player's left is at the
left of the image, as on the cards.
"""
