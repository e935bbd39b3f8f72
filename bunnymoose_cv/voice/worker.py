"""Process of the speech engine, which receives orders and writes WAV files.

pyttsx3 speaks only the last of several phrases, hangs with several threads and sometimes for no reason, and on
espeak-ng a second phrase may be empty (one in seventy). So it runs alone in this process, which `engine` can end, and
renders only one phrase, since the first is never empty. espeak-ng applies a rate in a separate thread, on a busy
computer after it has begun to speak; so the rate is read back and sent again until it is applied (`_await_rate`).

The script depends only on pyttsx3. It reads the order from stdin and writes its answers to stdout, as one JSON object
per line.

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
    """Report the voices, then execute one order if it arrives before stdin ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C ends the parent, which ends this process
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
    except Exception as error:  # noqa: BLE001 - each system's driver has its own; the parent reports it
        answer(error=str(error))


def _take_stdout() -> Any:
    """Reserve stdout for the answers, since pyttsx3 and the systems' engines print to it and to stderr."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    return answers


def _start_engine() -> tuple[Any, list[Exception]]:
    """Return the system's speech engine, and a list to which it appends errors instead of raising them."""
    import pyttsx3  # noqa: PLC0415 - after stdout is safe, inside what reports errors

    refusals: list[Exception] = []

    def note(exception: Exception, **_: Any) -> None:
        refusals.append(exception)

    engine = pyttsx3.init()
    engine.connect("error", note)
    _await_rate(_PYTTSX3_RATE)  # a pending rate would override that of the order
    return engine, refusals


def _await_rate(rate: int) -> None:
    """Wait until espeak-ng has applied a rate, and send it again, since it is sometimes lost."""
    espeak = sys.modules.get("pyttsx3.drivers._espeak")
    # The library itself, since pyttsx3's GetParameter lacks the argument that requests the current value.
    while espeak is not None and espeak.dll.espeak_GetParameter(espeak.RATE, 1) != rate:
        espeak.dll.espeak_SetParameter(espeak.RATE, rate, 0)
        time.sleep(_RATE_S)


_RATE_S = 0.01
"""Time that a change of rate may take before it is sent again."""


def _render(engine: Any, *, text: str, voice: str, rate: int, path: str) -> None:
    engine.connect("started-utterance", lambda **_: _await_rate(rate))
    engine.setProperty("voice", voice)
    engine.setProperty("rate", rate)
    engine.save_to_file(text, path)
    engine.runAndWait()
    _await_file(path)


def _await_file(path: str) -> None:
    """Wait until the driver has finished its file, which espeak-ng writes in a separate thread."""
    for _ in range(_FILE_MS):
        content = Path(path).read_bytes()
        promised = int.from_bytes(content[4:8], "little") + 8
        if content and (content[:4] != b"RIFF" or len(content) >= promised):
            return
        time.sleep(0.001)


_FILE_MS = 1000
"""Timeout of a file, longer than any needs; the parent detects an empty one."""


def _language(languages: list[Any]) -> str:
    """Return a voice's language in one notation for all systems (macOS has `en_GB`, old espeak has bytes)."""
    if not languages or not languages[0]:
        return ""
    first = languages[0]
    text = first.decode("utf-8", "ignore") if isinstance(first, bytes) else str(first)
    return text.strip("\x05\x02\x00 ").replace("_", "-").lower()


if __name__ == "__main__":
    main()
