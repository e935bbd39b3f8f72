"""Gives each script of NiceGUI's page template the nonce of its page, so that the content policy may forbid all others.

Only the template is changed, as it is read, and never what is filled into it: a script that came with a name has no
nonce.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from jinja2 import BaseLoader
from nicegui.client import templates

if TYPE_CHECKING:
    from collections.abc import Callable

    from jinja2 import Environment

NONCE: Final = "bunnymoose.nonce"
"""Key of a request's scope for the nonce of its page."""

_SCRIPT: Final = re.compile(r"<script(?=[\s>])")
_WITH_NONCE: Final = f'<script nonce="{{{{ request.scope["{NONCE}"] }}}}"'


class _Loader(BaseLoader):
    """NiceGUI's own loader, with nonces."""

    def __init__(self, inner: BaseLoader) -> None:
        self._inner = inner

    def get_source(self, environment: Environment, template: str) -> tuple[str, str | None, Callable[[], bool] | None]:
        source, name, is_fresh = self._inner.get_source(environment, template)
        return _SCRIPT.sub(_WITH_NONCE, source), name, is_fresh


def give_nonces() -> None:
    """Have all pages of this program made with nonces; more than once is no harm."""
    loader = templates.env.loader
    if loader is not None and not isinstance(loader, _Loader):
        templates.env.loader = _Loader(loader)
