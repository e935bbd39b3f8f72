"""Actor thread: commands from any thread are carried out on one, in their order, and told as Futures."""

from __future__ import annotations

from concurrent.futures import Future
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Thread
from typing import TYPE_CHECKING, Any, Self, TypeAlias, TypeVar

from bunnymoose_cv.core.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable

    from bunnymoose_cv.core.phrase import Phrase

    _Command: TypeAlias = tuple[Callable[[], Any], Future[Any]]

Result = TypeVar("Result")


class ActorThread:
    """A daemon thread with a queue of commands, from `start` to `stop` or `finish`, or within `with`.

    A command fails its own Future. An `InputError` goes no further; any other exception, also out of a turn, is a
    fault of ours: it ends the thread, and `raise_fault` raises it where the owner of the thread asks.

    Args:
        turn: the thread's own work between commands. It is called after commands, and otherwise after as many seconds
            as it returned; None ends the turns.
        first_turn_s: so long commands are waited for before the first turn.
        ended: called on the thread when nothing more is done, with the fault that ended it.
        refusal: the sentence of the `InputError` of commands that come too late; without one they are cancelled.
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
        self._is_over = False
        self._fault: BaseException | None = None
        self._thread = Thread(target=self._run, name=name, daemon=True)

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """Stop, and raise a fault that ended the thread, unless another exception is on its way."""
        self.stop()
        if kind is None:
            self.raise_fault()

    @property
    def running(self) -> bool:
        """Tell if commands are carried out; False before the start and after the end."""
        return self._thread.is_alive()

    def start(self) -> None:
        """Begin: commands that were submitted before are carried out now."""
        self._thread.start()

    def submit(self, command: Callable[[], Result]) -> Future[Result]:
        """Have a command carried out; called from any thread.

        Returns:
            The command's result; it fails with what the command raises.
        """
        done: Future[Result] = Future()
        self._commands.put((command, done))
        if self._is_over:
            self._turn_away(self._refusal)
        return done

    def cancel_waiting(self) -> None:
        """Cancel the commands that have not begun; called from any thread."""
        self._turn_away(None)

    def stop(self, patience_s: float | None = None) -> None:
        """End after the command or turn that is under way; the commands behind it are refused.

        Args:
            patience_s: leave a thread that hangs longer than so many seconds behind; None waits for it.
        """
        self._turn_away(self._refusal)
        self._end(patience_s)

    def finish(self) -> None:
        """End after all commands that were submitted before."""
        self._end(None)

    def raise_fault(self) -> None:
        """Raise the fault that ended the thread, once.

        Raises:
            BaseException: whatever a turn or a command raised, an `InputError` of a command aside.
        """
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
                pause_s = self._take_turn()
        except BaseException as fault:  # noqa: BLE001 - raised again by `raise_fault`
            self._fault = fault
        try:
            self._ended(self._fault)
        finally:
            self._refuse_from_now_on()

    def _take_turn(self) -> float | None:
        pause_s = self._turn()
        if pause_s is None:
            self._turn = lambda: None
        return pause_s

    def _carry_out_waiting(self, pause_s: float | None) -> bool:
        """Carry out what waits, and wait for the first so many seconds at most; False at the end."""
        try:
            command = self._commands.get(timeout=pause_s)
            while command is not None:
                _carry_out(*command)
                command = self._commands.get_nowait()
        except Empty:
            return True
        return False

    def _refuse_from_now_on(self) -> None:
        self._is_over = True
        self._turn_away(self._refusal)

    def _turn_away(self, refusal: Phrase | None) -> None:
        """Take all waiting commands out of the queue, and tell those who wait for them."""
        is_ending = False
        with suppress(Empty):
            while True:
                command = self._commands.get_nowait()
                if command is None:
                    is_ending = True
                else:
                    _refuse(command[1], refusal)
        if is_ending and not self._is_over:
            self._commands.put(None)


def _carry_out(command: Callable[[], Any], done: Future[Any]) -> None:
    if not done.set_running_or_notify_cancel():
        return
    try:
        result = command()
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
