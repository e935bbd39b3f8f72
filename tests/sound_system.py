"""Linux's sound system with one microphone, called “table”, that hears what is written into a pipe."""

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest

RATE: Final = 44_100
_CONFIGURATION: Final = """
pcm.!default {{ type plug slave.pcm table }}
pcm.table {{ type file slave.pcm nothing file "/dev/null" infile "{pipe}" format "raw" }}
pcm.nothing {{ type null }}
ctl.!default {{ type hw card 0 }}
"""


@contextmanager
def heard_at_the_microphone(
    folder: Path, speak: Callable[[int, threading.Event], None], flags: int = 0
) -> Iterator[None]:
    """Have this process, and those that it starts, hear what a thread writes.

    Args:
        folder: where the pipe and the configuration lie.
        speak: runs in the thread, with the pipe and an event that ends it.
        flags: more flags with which the pipe is opened.
    """
    pipe, configuration = folder / "pipe", folder / "asound.conf"
    os.mkfifo(pipe)
    configuration.write_text(_CONFIGURATION.format(pipe=pipe))
    end, over = os.open(pipe, os.O_RDWR | flags), threading.Event()
    thread = threading.Thread(target=speak, args=(end, over), daemon=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ALSA_CONFIG_PATH", str(configuration))
        thread.start()
        yield
    over.set()
    thread.join()
    os.close(end)
