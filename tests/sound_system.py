"""Linux's sound system with one microphone, called “table”, fed through a pipe."""

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
    """Feed the microphone of this process, and of those that it starts, from a thread.

    Args:
        folder: folder of the pipe and the configuration.
        speak: target of the thread, called with the pipe and an event that ends it.
        flags: additional flags for opening the pipe.
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
