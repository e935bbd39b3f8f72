"""Refusals of requests."""

from __future__ import annotations

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.i18n.texts import Texts
from bunnymoose_cv.web.server.refusals import refusal


def test_a_refusal_can_be_sent_whatever_bytes_a_name_has() -> None:
    answer = refusal(InputError("There is no c\udcff.mp4: check the name"), Texts())
    assert (answer.status_code, bytes(answer.body)) == (409, b"There is no c\\udcff.mp4: check the name")
