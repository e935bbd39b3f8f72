"""The narrator when nobody wants to be: recites the poem line by line, lays the cards, says Bam with the hunter.

Owns no cards, no rules of the deal, no voice and no round.
"""
