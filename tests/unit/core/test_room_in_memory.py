"""The probe for exhausted memory."""

from __future__ import annotations

import sys

from bunnymoose_cv.core.room_in_memory import has_address_space, has_room_in_memory

MORE_THAN_THERE_IS = 1 << 60


def test_a_megabyte_is_there_and_an_exabyte_is_not() -> None:
    assert has_room_in_memory(1 << 20)
    assert not has_room_in_memory(MORE_THAN_THERE_IS)


def test_address_space_is_limited_on_linux_alone() -> None:
    assert has_address_space(1 << 20)
    assert has_address_space(MORE_THAN_THERE_IS) == (sys.platform != "linux")
