"""The process that owns the speech engine: orders come in, WAV files are written. Owns no choice of voice.

pyttsx3 speaks only the last of several phrases, hangs with several threads and now and then for no reason, and on
espeak-ng a second phrase comes out empty (one in seventy) or at another rate (one in a thousand). So it lives alone in
this process, where `engine` can end it, and serves one phrase only: the first is never empty, and at another rate only
where the computer is so busy that waiting (`_settle`) does not help.

It is run as a script and needs nothing but pyttsx3; one JSON object a line, the order on stdin, the answers on stdout.

    first answer    {"voices": [[identifier, name, language], …]} or {"error": "…"}
    the order       {"text": "…", "voice": identifier, "rate": words per minute, "path": "….wav"}
    second answer   {} or {"error": "…"}
"""

from __future__ import annotations

import json
import os
import signal
import sys
from typing import Any


def main() -> None:
    """Tell which voices there are, then carry out one order, if one comes before stdin ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # who pressed Ctrl-C ends the parent, which ends this process
    answers = _take_stdout()

    def answer(**content: Any) -> None:
        answers.write(json.dumps(content) + "\n")
        answers.flush()

    try:
        engine, refusals = _started_engine()
        answer(voices=[[voice.id, voice.name, _language(voice.languages)] for voice in engine.getProperty("voices")])
        order = sys.stdin.readline()
        if order:
            _render(engine, **json.loads(order))
            answer(**({"error": str(refusals[0])} if refusals else {}))
    except Exception as error:  # noqa: BLE001 - each system's driver has its own; the parent tells the person
        answer(error=str(error))


def _take_stdout() -> Any:
    """Keep stdout for the answers alone: pyttsx3 and the systems' engines print to it and to stderr."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    return answers


def _started_engine() -> tuple[Any, list[Exception]]:
    """The system's speech engine, and the list in which it notes what it refuses instead of raising it."""
    import pyttsx3  # noqa: PLC0415 - after stdout is safe, inside what reports errors

    refusals: list[Exception] = []

    def note(exception: Exception, **_: Any) -> None:
        refusals.append(exception)

    engine = pyttsx3.init()
    engine.connect("error", note)
    engine.connect("started-utterance", _settle)
    return engine, refusals


def _settle(**_: Any) -> None:
    """Wait until espeak-ng has taken on voice and rate: a thread of its own does, on a busy computer often too late."""
    espeak = sys.modules.get("pyttsx3.drivers._espeak")
    if espeak is not None:
        espeak.Synchronize()


def _render(engine: Any, *, text: str, voice: str, rate: int, path: str) -> None:
    """Write one phrase as a sound file."""
    engine.setProperty("voice", voice)
    engine.setProperty("rate", rate)
    engine.save_to_file(text, path)
    engine.runAndWait()


def _language(languages: list[Any]) -> str:
    """A voice's language, written the same way on every system (macOS has `en_GB`, old espeak has bytes)."""
    if not languages or not languages[0]:
        return ""
    first = languages[0]
    text = first.decode("utf-8", "ignore") if isinstance(first, bytes) else str(first)
    return text.strip("\x05\x02\x00 ").replace("_", "-").lower()


if __name__ == "__main__":
    main()
