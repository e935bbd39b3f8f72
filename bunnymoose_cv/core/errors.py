"""The mistakes that a person at the keyboard can put right."""

from bunnymoose_cv.core.phrase import Phrase


class InputError(Exception):
    """Unusable input, told in one sentence: the fault, its place, and the remedy.

    The command line prints the sentence and exits with 2; everything that is not an `InputError` is a fault of ours.
    """

    @property
    def sentence(self) -> str:
        """The text as it was given: where that is a `Phrase`, `Texts` says it in the language of the table."""
        given = self.args[0] if self.args else ""
        return given if isinstance(given, Phrase) else str(self)
