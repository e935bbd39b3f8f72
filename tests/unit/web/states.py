"""Table states of games in files, for tests that need no session."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bunnymoose_cv.session.table_state import CameraState, TableState

if TYPE_CHECKING:
    from bunnymoose_cv.record.game_file import GameFile


def state_of(file: GameFile, camera: CameraState) -> TableState:
    """The state of a game that nobody plays just now."""
    return TableState(
        version=1,
        game=file.game,
        entries=file.entries,
        folder=file.folder,
        camera=camera,
        problem="",
        paused=False,
        judging=False,
        asked=(),
        judged=None,
        deal=None,
        said=(),
        changes=None,
    )
