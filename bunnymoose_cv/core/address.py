"""Addresses of streams as users paste them, with the forms to open, to show and to store.

A password may contain any character, so an address is split at its last `@`, unlike a URL. Parts that may be secret
are neither shown nor stored.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from ipaddress import ip_address
from typing import Final
from urllib.parse import quote, unquote

LEFT_OUT: Final = "…"
"""Placeholder of a secret in an address that is shown or stored."""

_LONGEST: Final = 2_000
"""Length in letters of the longest text that is taken for an address."""

SCHEMES: Final = ("http", "https", "rtsp", "rtsps", "rtmp", "rtmps", "rtmpt", "udp", "rtp", "tcp")
"""Schemes of the streams that can be opened."""

_LISTENING: Final = frozenset({"udp", "rtp", "tcp"})
"""Schemes whose addresses may lack a host, because this computer listens for the sender."""

_SCHEMES_OF_PORTS: Final = {"554": "rtsp", "8554": "rtsp", "322": "rtsps", "1935": "rtmp"}
"""Schemes of addresses that were pasted without one, by port; those with any other port are `http`."""

_AROUND: Final = " \t\r\n\xa0\u200b\ufeff\"'`<>“”„«»"
"""Characters around a copied address that are stripped."""

_STRICT: Final = re.compile(r"([a-z][a-z0-9+.-]+)://(.*)", re.IGNORECASE | re.DOTALL)
_BROKEN: Final = re.compile(rf"({'|'.join(SCHEMES)})(?:[:;]+[/\\]*|[/\\]{{2,}})(.*)", re.IGNORECASE | re.DOTALL)
_TWICE: Final = re.compile(rf"(?:https?://)+(?=(?:{'|'.join(SCHEMES)})://)", re.IGNORECASE)
_BEFORE: Final = re.compile(rf"[^@/?#&:]*[\s([=:]+(?=(?:{'|'.join(SCHEMES)})://)", re.IGNORECASE)
"""Words that were copied with an address: `URL: `, `[camera](`, `ffmpeg -i `, `view-source:`."""

_ENCODED: Final = re.compile(r"[a-z]+%3a%2f%2f", re.IGNORECASE)
"""Beginning of an address that was percent-encoded as a whole, such as one copied out of a link."""

_FULL_WIDTH: Final = str.maketrans("\uff1a\uff0f\uff20\uff0e", ":/@.")
"""Characters of East Asian keyboards that look like those of an address."""

_NUMBERS: Final = r"(?:\d{1,3}\.){3}\d{1,3}|\[[0-9a-f:.]+(?:%[\w.-]+)?\]"
_NEAR: Final = r"localhost|[\w.-]+\.(?:local|lan|home|internal|localdomain|home\.arpa|fritz\.box)"
_BARE: Final = re.compile(
    r"(?![a-z]:[/\\])(?:[^\s/\\?#:]*:.*@[^\s@]+|(?:[^\s\\:]*@)?"
    rf"(?:(?:{_NUMBERS}|{_NEAR})(?:[:/?#].*)?|(?:[\w-]+\.)+[\w-]+:\d{{2,5}}(?:[/?#].*)?|[\w-]+:\d{{2,5}}/.*))",
    re.IGNORECASE | re.DOTALL,
)
"""Address without a scheme. It has a user and a password, an IP address, a name of a home network, or a port."""

_HOST: Final = re.compile(rf"({_NUMBERS}|[\w.-]*)(?::(\d{{1,5}}))?", re.IGNORECASE)
_SURE_HOST: Final = re.compile(rf"(?:.*@)?(?:{_NUMBERS}|{_NEAR})(?::\d+)?", re.IGNORECASE)
"""Beginning that ends with a host and not with part of a user and password, even if an `@` follows."""

_HIDDEN_KEY: Final = (
    r"(?:[a-z0-9.-]*(?:pas|pwd|psw|tok|key|auth|secret|signature|sess|cred|hash|jwt|bearer|ticket|nonce|otp)[a-z0-9.-]*"
    r"|[a-z]*pw|p|sig|sid|pin|[a-z]*code)"
)
_OPEN_KEY: Final = (
    r"(?:channel|ch|stream\w*|subtype|resolution|size|w|h|width|height|fps|rate|quality|codec|profile|unicast|proto"
    r"|camera|cam|id|user\w*|usr|login\w*|mode|action|transport\w*|format|type|audio\w*|video\w*)"
)
"""Keys whose values are not secret. They end a secret before them, which may contain text like any other key."""

_SECRET_PAIR: Final = re.compile(
    rf"((?:(?<![a-z0-9])|(?<=%3b)|(?<=%26)){_HIDDEN_KEY}(?:=|%3d)).+?"
    rf"(?=(?:[?&;,_#/]|%26|%3b)+(?:{_OPEN_KEY}|[a-z]*_?{_HIDDEN_KEY})(?:=|%3d)|$)",
    re.IGNORECASE | re.DOTALL,
)
_SECRET_PART: Final = re.compile(rf"(/{_HIDDEN_KEY}[/:]|:(?=[^/]*@))[^/?#;&@]+", re.IGNORECASE)
_RANDOM: Final = re.compile(r"(?=\D*\d)(?:(?=.*[a-z])(?=.*[A-Z])[\w-]{16,}|[\da-f-]{16,}|[\dA-F-]{16,})", re.ASCII)
"""Part of a path that looks like a token, as some recorders put into the addresses of their cameras."""

_HARMLESS: Final = re.compile(
    rf"[a-z]+:|(?:{_NUMBERS})(?::\d+)?|[^=:]*|{_OPEN_KEY}=[^:]*|(?!{_HIDDEN_KEY}=)[^=:]+=(?:\d{{0,3}}|[a-z]{{1,5}})",
    re.IGNORECASE,
)
"""Part of a path or a query that is stored: without a value, or with a known key or a value too short for a secret."""

_HOME_NAMES: Final = re.compile(rf"[^.]*|{_NEAR}|.*\.localhost", re.IGNORECASE)
_PRINTABLE: Final = "".join(map(chr, range(0x21, 0x7F)))


@dataclass(frozen=True, slots=True)
class Address:
    """Address of a stream.

    Attributes:
        login: user and password as given, with any characters; None if the address has no `@`.
        host: name or number of the host, with its port.
        rest: path, query and fragment.
    """

    scheme: str
    login: str | None = field(repr=False)
    host: str
    rest: str = field(repr=False)

    @property
    def is_valid(self) -> bool:
        """Return whether the scheme is known and the host well-formed."""
        host = _HOST.fullmatch(self.host)
        named = host is not None and bool(host[1] or self.scheme in _LISTENING) and int(host[2] or 0) < 2**16
        return named and self.scheme in SCHEMES

    @property
    def is_complete(self) -> bool:
        """Return whether no secret was replaced by the placeholder."""
        return LEFT_OUT not in f"{self.login}{self.rest}"

    @property
    def name(self) -> str:
        """Name or number of the host, without its port."""
        host = _HOST.fullmatch(self.host)
        return "" if host is None else host[1].strip("[]")

    @property
    def is_local(self) -> bool:
        """Return whether the host is this computer or in a private network, which no proxy reaches."""
        try:
            ip = ip_address(self.name.partition("%")[0])
        except ValueError:
            return _HOME_NAMES.fullmatch(self.name.rstrip(".")) is not None
        return ip.is_private or ip.is_loopback or ip.is_link_local

    @property
    def opened(self) -> str:
        """The address as a URL; invalid characters of user and password are percent-encoded."""
        return self._joined("" if self.login is None else f"{_encoded_login(self.login)}@", self.rest)

    @property
    def bare(self) -> str:
        """The address as a URL without user and password."""
        return self._joined("", self.rest)

    @property
    def kept(self) -> str:
        """The address as a profile stores it, each secret replaced by the placeholder."""
        if not self.is_valid:
            return self.shown
        user, colon, password = (self.login or "").partition(":")
        login = f"{_encoded_login(user)}:{LEFT_OUT if password else ''}" if colon else LEFT_OUT if user else ""
        rest = self.rest
        for secret in (_SECRET_PAIR, _SECRET_PART):
            rest = secret.sub(rf"\1{LEFT_OUT}", rest)
        rest = "".join(map(_kept_part, re.split(r"([?&;#/])", rest)))
        return self._joined("" if self.login is None else f"{login}@", rest).replace(quote(LEFT_OUT), LEFT_OUT)

    @property
    def shown(self) -> str:
        """The address for display, without user, password and the parts of path and query that may be secret."""
        if not self.is_valid:
            return f"{self.scheme}://{LEFT_OUT}"
        return f"{self.scheme}://{self.host}{_open_path(self.rest)}"

    def _joined(self, login: str, rest: str) -> str:
        return f"{self.scheme}://{login}{self.host}{quote(rest, _PRINTABLE, errors='backslashreplace')}"


def find_address(text: str) -> Address | None:
    """Parse a text as an address, repairing typical mistakes of pasting; None if it is something else."""
    if len(text) > _LONGEST:
        return None
    text = text.strip(_AROUND)
    text = _TWICE.sub("", text if _STRICT.fullmatch(text) else _cut_out(text))
    if found := _STRICT.fullmatch(text) or _BROKEN.fullmatch(text):
        return _split(found[1].lower(), found[2])
    if _BARE.fullmatch(text):
        address = _split("http", text)
        return _split(_SCHEMES_OF_PORTS.get(address.host.rpartition(":")[2], "http"), text)
    return None


def _cut_out(text: str) -> str:
    """Return an address without the words that were copied with it, and in plain characters."""
    text = unquote(text) if _ENCODED.match(text) else text.translate(_FULL_WIDTH)
    before = _BEFORE.match(text)
    if before is None:
        return text
    return text[before.end() :].removesuffix(")" if before[0].endswith("(") else "")


def completed(text: str, secret: str) -> str:
    """Return an address with its first placeholder replaced by a secret."""
    return text.replace(LEFT_OUT, secret, 1)


def without_secrets(text: str) -> str:
    """Return the displayable form of a text that a user gave as a source, with the secrets of an address removed."""
    address = find_address(text)
    if address is not None:
        return address.shown
    pieces = re.split(r"(\s+)", text)
    for number, piece in enumerate(pieces):
        if "://" in piece or 0 < piece.find(":", 2) < piece.rfind("@"):
            return "".join(pieces[:number]) + LEFT_OUT
    return text


def _split(scheme: str, rest: str) -> Address:
    """Split the part after the scheme at the last `@`, unless a host that cannot be a user comes before it."""
    begin = re.split(r"[/\\?#]", rest, maxsplit=1)[0]
    login, at, behind = rest.rpartition("@")
    if len(begin) <= len(login) and _SURE_HOST.fullmatch(begin):
        login, at, behind = rest[: max(0, begin.rfind("@"))], "@" * ("@" in begin), rest[begin.rfind("@") + 1 :]
    behind = behind.replace("\\", "/")
    host = re.split(r"[/?#]", behind, maxsplit=1)[0]
    return Address(scheme, login if at else None, host, behind[len(host) :])


def _encoded_login(login: str) -> str:
    """Percent-encode user and password, keeping existing escapes."""
    pieces = re.split(r"(%[0-9a-f]{2})", login, flags=re.IGNORECASE)
    return "".join(
        piece if number % 2 else quote(piece, ":!$&'()*+,;=", errors="backslashreplace")
        for number, piece in enumerate(pieces)
    )


def _kept_part(part: str) -> str:
    """Return a part of a path or a query as a profile stores it, with its value replaced by the placeholder."""
    plain = unquote(unquote(part))
    if LEFT_OUT in part or (_HARMLESS.fullmatch(plain) and not _RANDOM.fullmatch(plain)):
        return part
    key = re.match(r"[^=:]+?(?:[=:]|%(?:25)?3[ad])", part, re.IGNORECASE)
    return f"{'' if key is None else key[0]}{LEFT_OUT}"


def _open_path(rest: str) -> str:
    """Return the path up to the first part that has a key and a value, or follows a word such as “token”."""
    path = re.split(r"[?#]", rest, maxsplit=1)[0]
    shown = ""
    for part in path.split("/")[1:]:
        is_value = re.search(r"[;=@&:]", unquote(unquote(part))) or _RANDOM.fullmatch(part)
        if is_value or re.fullmatch(_HIDDEN_KEY, shown.rpartition("/")[2], re.IGNORECASE):
            return f"{shown}/{LEFT_OUT}"
        shown += f"/{part}"
    return shown
