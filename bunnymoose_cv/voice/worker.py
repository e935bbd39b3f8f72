"""The process that owns the speech engine: orders come in, WAV files are written.

pyttsx3 speaks only the last of several phrases, hangs with several threads and now and then for no reason, and on
espeak-ng a second phrase comes out empty (one in seventy). So it lives alone in this process, where `engine` can end
it, and serves one phrase only: the first is never empty. espeak-ng takes on a rate in a thread of its own, on a busy
computer after it has begun to speak; so the rate is read back, and told again, until it holds (`_await_rate`).

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
import time
from pathlib import Path
from typing import Any

_PYTTSX3_RATE = 200
"""Words per minute that pyttsx3 sets when it starts."""


def main() -> None:
    """Tell which voices there are, then carry out one order, if one comes before stdin ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # who pressed Ctrl-C ends the parent, which ends this process
    answers = _take_stdout()

    def answer(**content: Any) -> None:
        answers.write(json.dumps(content) + "\n")
        answers.flush()

    try:
        engine, refusals = _start_engine()
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


def _start_engine() -> tuple[Any, list[Exception]]:
    """The system's speech engine, and the list in which it notes what it refuses instead of raising it."""
    import pyttsx3  # noqa: PLC0415 - after stdout is safe, inside what reports errors

    refusals: list[Exception] = []

    def note(exception: Exception, **_: Any) -> None:
        refusals.append(exception)

    engine = pyttsx3.init()
    engine.connect("error", note)
    _await_rate(_PYTTSX3_RATE)  # still on its way when a voice is chosen, it would win over the order's
    return engine, refusals


def _await_rate(rate: int) -> None:
    """Wait until espeak-ng has taken on a rate, and tell it again: now and then one gets lost on its way."""
    espeak = sys.modules.get("pyttsx3.drivers._espeak")
    # The library itself: pyttsx3's own GetParameter leaves out the argument that asks for the present value.
    while espeak is not None and espeak.dll.espeak_GetParameter(espeak.RATE, 1) != rate:
        espeak.dll.espeak_SetParameter(espeak.RATE, rate, 0)
        time.sleep(_RATE_S)


_RATE_S = 0.01
"""Time that a change of rate may take before it is sent again."""


def _render(engine: Any, *, text: str, voice: str, rate: int, path: str) -> None:
    """Write one phrase as a sound file."""
    engine.connect("started-utterance", lambda **_: _await_rate(rate))
    engine.setProperty("voice", voice)
    engine.setProperty("rate", rate)
    engine.save_to_file(text, path)
    engine.runAndWait()
    _await_file(path)


def _await_file(path: str) -> None:
    """Give the driver time to finish its file: espeak-ng's is written in a thread that may still be at it."""
    for _ in range(_FILE_MS):
        content = Path(path).read_bytes()
        promised = int.from_bytes(content[4:8], "little") + 8
        if content and (content[:4] != b"RIFF" or len(content) >= promised):
            return
        time.sleep(0.001)


_FILE_MS = 1000
"""Timeout of a file, longer than any takes; one that stays empty is noticed by the parent."""


def _language(languages: list[Any]) -> str:
    """A voice's language, written the same way on every system (macOS has `en_GB`, old espeak has bytes)."""
    if not languages or not languages[0]:
        return ""
    first = languages[0]
    text = first.decode("utf-8", "ignore") if isinstance(first, bytes) else str(first)
    return text.strip("\x05\x02\x00 ").replace("_", "-").lower()


if __name__ == "__main__":
    main()
