"""Actor thread: runs commands from any thread on one worker thread, in order; each command returns a Future."""

from __future__ import annotations

from collections import deque
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from threading import Thread
from typing import TYPE_CHECKING, Any, Self, TypeVar

from bunnymoose_cv.core.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable

    from bunnymoose_cv.core.phrase import Phrase

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class _Command:
    """A command that waits, and whether a long command lets it go first."""

    act: Callable[[], Any]
    done: Future[Any]
    is_urgent: bool


class ActorThread:
    """Daemon thread with a queue of commands, from `start` to `stop` or `finish`, or within `with`.

    The exception of a command is set on its Future. An `InputError` goes no further. Any other exception, also one
    raised by a turn, is a bug: it ends the thread, and the thread's owner gets it from `raise_fault`.

    Args:
        turn: the thread's own work between commands. It is called after commands, and otherwise after as many seconds
            as it returned; None ends the turns.
        first_turn_s: seconds to wait for a command before the first turn.
        ended: a callback for the end of the thread, called on it with the exception that ended it, or None.
        refusal: the sentence of the `InputError` of commands that come too late; if None, they are cancelled.
    """

    def __init__(
        self,
        name: str,
        turn: Callable[[], float | None] = lambda: None,
        *,
        first_turn_s: float = 0.0,
        ended: Callable[[BaseException | None], object] = lambda _: None,
        refusal: Phrase | None = None,
    ) -> None:
        self._turn, self._first_turn_s, self._ended, self._refusal = turn, first_turn_s, ended, refusal
        self._commands: SimpleQueue[_Command | None] = SimpleQueue()  # None ends the thread
        self._put_off: deque[_Command | None] = deque()  # before all that waits in the queue
        self._is_over = False
        self._fault: BaseException | None = None
        self._thread = Thread(target=self._run, name=name, daemon=True)

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """Stop, and raise the exception that ended the thread, unless another one is being raised."""
        self.stop()
        if kind is None:
            self.raise_fault()

    @property
    def running(self) -> bool:
        """Return whether the thread runs commands; False before the start and after the end."""
        return self._thread.is_alive()

    def start(self) -> None:
        """Start the thread, which also runs the commands submitted before."""
        self._thread.start()

    def submit(self, command: Callable[[], Result], *, is_urgent: bool = False) -> Future[Result]:
        """Queue a command from any thread. An urgent one may be run by `carry_out_urgent` within another command."""
        done: Future[Result] = Future()
        self._commands.put(_Command(command, done, is_urgent))
        if self._is_over:
            self._turn_away(self._refusal)
        return done

    def carry_out_urgent(self) -> None:
        """Carry out the urgent commands that wait before any other; called on the thread, within a long command."""
        with suppress(Empty):
            while not self._put_off:
                command = self._commands.get_nowait()
                if command is None or not command.is_urgent:
                    self._put_off.append(command)
                else:
                    _carry_out(command)

    def cancel_waiting(self) -> None:
        """Cancel the commands that have not begun, from any thread."""
        self._turn_away(None)

    def stop(self, patience_s: float | None = None) -> None:
        """End the thread after the current command or turn, and refuse the commands behind it.

        Args:
            patience_s: the timeout in seconds, after which a hanging thread is abandoned; None waits for it.
        """
        self._turn_away(self._refusal)
        self._end(patience_s)

    def finish(self) -> None:
        """End the thread after all commands that were submitted before."""
        self._end(None)

    def raise_fault(self) -> None:
        """Raise the exception that ended the thread, once."""
        fault, self._fault = self._fault, None
        if fault is not None:
            raise fault

    def _end(self, patience_s: float | None) -> None:
        self._commands.put(None)
        if self._thread.is_alive():
            self._thread.join(patience_s)
        elif not self._is_over:  # never started
            self._refuse_from_now_on()

    def _run(self) -> None:
        try:
            pause_s: float | None = self._first_turn_s
            while self._carry_out_waiting(pause_s):
                pause_s = self._turn()
                if pause_s is None:
                    self._turn = lambda: None
        except BaseException as fault:  # noqa: BLE001 - raised again by `raise_fault`
            self._fault = fault
        try:
            self._ended(self._fault)
        finally:
            self._refuse_from_now_on()

    def _carry_out_waiting(self, pause_s: float | None) -> bool:
        """Run the waiting commands, after waiting up to `pause_s` for the first; False at the end of the thread."""
        try:
            command = self._next(pause_s)
            while command is not None:
                _carry_out(command)
                command = self._next(0.0)
        except Empty:
            return True
        return False

    def _next(self, patience_s: float | None) -> _Command | None:
        """Take the next waiting command, or None at the end. Raise `Empty` if none came in time."""
        with suppress(IndexError):
            return self._put_off.popleft()
        return self._commands.get(block=patience_s != 0.0, timeout=patience_s)

    def _refuse_from_now_on(self) -> None:
        self._is_over = True
        self._turn_away(self._refusal)

    def _turn_away(self, refusal: Phrase | None) -> None:
        """Remove all waiting commands from the queue, then refuse or cancel their Futures; later commands remain."""
        waiting: list[_Command] = []
        is_ending = False
        with suppress(Empty):
            while True:
                command = self._next(0.0)
                if command is None:
                    is_ending = True
                else:
                    waiting.append(command)
        if is_ending and not self._is_over:
            self._commands.put(None)
        for command in waiting:
            _refuse(command.done, refusal)


def _carry_out(command: _Command) -> None:
    done = command.done
    if not done.set_running_or_notify_cancel():
        return
    try:
        result = command.act()
    except InputError as error:
        done.set_exception(error)
    except BaseException as fault:
        done.set_exception(fault)
        raise
    else:
        done.set_result(result)


def _refuse(done: Future[Any], refusal: Phrase | None) -> None:
    if refusal is None:
        done.cancel()
    if done.set_running_or_notify_cancel():
        done.set_exception(InputError(refusal))
