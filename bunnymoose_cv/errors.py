"""The mistakes that a person at the keyboard can put right. Owns no wording: each room writes its own sentences."""


class InputError(Exception):
    """What was given cannot be used. Its text is one sentence: what was wrong, where, and what to do about it.

    The command line prints the sentence and exits with 2; everything that is not an `InputError` is a fault of ours.
    """
