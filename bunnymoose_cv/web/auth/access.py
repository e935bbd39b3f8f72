"""Access control of the screen: the owner at the table, the phones of the players, and their kept keys.

Whoever knows the evening's code in the QR code may join with a phone; a phone belongs to the one player that was chosen
on it. Only the computer itself can be the owner, and only with the key in the address that is opened there.
Everything here belongs to the server's loop.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from enum import Enum, auto
from hashlib import sha256
from hmac import compare_digest
from typing import TYPE_CHECKING, Final

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.observable import Observable
from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.web.auth.access_file import KeptAccess, KeptPhone
from bunnymoose_cv.web.auth.authors import A_PHONE, SCREEN, phone_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.requests import Request

    from bunnymoose_cv.web.auth.access_file import AccessFile

VISITOR: Final = "bunnymoose.visitor"
"""Key of a request's scope for its visitor."""

MOST_PHONES: Final = 24
"""Many more than players: whoever photographs the code cannot fill the memory."""

MOST_OWNERS: Final = 8
"""Limit of browsers of this computer that may be the owner's; the oldest goes."""

MOST_PHONES_OF_ONE: Final = 8
"""From one address, which all players may share behind a router: one guest cannot take the places of the others."""

_SECRET_BYTES: Final = 24
"""192 random bits: nobody guesses them."""


class Role(Enum):
    """Role of a visitor."""

    OWNER = "owner"  # the screen at the table
    PLAYER = "player"  # a phone that belongs to a player
    GUEST = "guest"  # a phone that has joined and belongs to nobody yet: it may look


class Action(Enum):
    """Action of a visitor that needs a permission."""

    SEE = auto()  # the evening's own pages and images
    BET = auto()
    LAY = auto()
    UNDO = auto()
    DISMISS = auto()  # that was no Bam
    BAM = auto()
    DEAL = auto()  # the dealer goes on or rests
    PAUSE = auto()
    CORRECT_POSE = auto()  # say what a player shows, or showed
    CORRECT_TABLE = auto()  # say what cards lay there, or who was bet on, in a round that is over
    SET_UP = auto()  # begin and end a game, practise
    BROWSE = auto()  # other evenings, downloads
    DELETE = auto()  # an evening
    ADMIT = auto()  # see the code, remove phones


_OF_THE_NARRATOR: Final = frozenset({Action.BET, Action.LAY, Action.UNDO, Action.DISMISS, Action.BAM, Action.DEAL})
"""Permissions of the narrator's phone, for as long as its player narrates."""

_OF_EVERY_PLAYER: Final = frozenset({Action.SEE, Action.CORRECT_POSE})
"""Permissions of every player's phone; it corrects its own player alone."""


_REFUSED: Final = {Action.LAY: Phrase("Only the narrator's phone and the screen at the table lay cards.")}
"""Sentences about a permission that a visitor has not got, where there is more to say than this:"""

_REFUSED_NOW: Final = Phrase("That is not for this phone to do just now.")


class AccessError(InputError):
    """Refusal: a visitor lacks a permission, or a phone cannot become what it wants to be."""


@dataclass(frozen=True, slots=True, eq=False)
class Visitor:
    """Visitor of a page. Made for one request; its permissions are asked anew each time.

    Attributes:
        role: what it was when the page was asked for.
        player: whose phone it was then.
        key: what it is known by: a digest of its cookie, and no secret.
    """

    role: Role
    player: str | None
    key: str
    access: Access

    @property
    def name(self) -> str:
        """Name in the game file: `screen`, `Blue's phone`."""
        if self.role is Role.OWNER:
            return SCREEN
        return A_PHONE if self.player is None else phone_of(self.player)

    @property
    def is_still_so(self) -> bool:
        """Tell if it is what it was: in a new game the phone of somebody who no longer plays is nobody's."""
        return self.access.role_with(self.key) is self.role

    def may(self, action: Action, about: str | None = None) -> bool:
        """Tell if it may do something now.

        Args:
            about: whom it is about, where it is about one player.
        """
        return self.access.allows(self, action, about)

    def expect(self, action: Action, about: str | None = None) -> None:
        """Expect a permission, as `may` asks it.

        Raises:
            AccessError: it has not got it.
        """
        if not self.may(action, about):
            raise AccessError(_REFUSED.get(action, _REFUSED_NOW))


def visitor_of(request: Request) -> Visitor:
    """Visitor of an authenticated request."""
    visitor: Visitor = request.scope[VISITOR]
    return visitor


@dataclass(slots=True)
class Phone:
    """A phone that has joined.

    Attributes:
        number: the first of the evening is 1.
        key: a digest of its cookie.
        player: whom it belongs to, once that was chosen.
        address: from which it joined; empty where it joined before a restart.
    """

    number: int
    key: str
    player: str | None = None
    address: str = ""


@dataclass(slots=True, eq=False)
class Access:
    """Visitors known this evening.

    Args:
        file: where it is kept, so that a restart in the middle of a game finds everybody again.
        narrator: who narrates now; nobody while no game runs.
        plays: whether somebody is in the game that runs, if one does; the phone of anybody else is nobody's.
    """

    file: AccessFile
    narrator: Callable[[], str | None] = lambda: None
    plays: Callable[[str], bool] = lambda _: True
    code: str = ""
    """Secret of the QR code: it lets phones in until the evening ends."""
    owner_key: str = ""
    """Secret that makes a browser of this computer the owner's."""
    phones: list[Phone] = field(default_factory=list)
    port: int = 0
    """Port at which open pages look for the screen; 0 before it was ever served."""
    _owners: list[str] = field(default_factory=list)
    _once: set[str] = field(default_factory=set)
    _changes: Observable[[]] = field(default_factory=Observable)

    @classmethod
    def of_the_evening(cls, file: AccessFile, *, resume: bool) -> Access:
        """Make the access of an evening's beginning.

        Args:
            resume: whether the evening that is kept goes on; else it is over, and nobody of it is known any more.
        """
        access, kept = cls(file), file.read() if resume else None
        if kept is None:
            access.begin_evening()
            return access
        access.code, access.owner_key, access._owners = kept.code, kept.owner_key, list(kept.owners)
        access.phones = [Phone(each.number, each.key, each.player) for each in kept.phones]
        access.port = kept.port
        return access

    # The evening.

    def begin_evening(self) -> None:
        """Begin an evening: forget everybody of the last one, and make its code and keys invalid."""
        self.code, self.owner_key = _secret(), _secret()
        self.phones, self._owners, self._once = [], [], set()
        self._changed()

    def serve_at(self, port: int) -> None:
        """Note the port on which the screen is served; open pages look for it there after a restart."""
        self.port = port
        self._changed()

    def renew_code(self) -> None:
        """Replace the join code; phones that have joined stay."""
        self.code = _secret()
        self._changed()

    def one_time_key(self) -> str:
        """Make a one-time key of the owner, since other programs may see that address."""
        self._once.add(key := _secret())
        return key

    # Who comes.

    def become_owner(self, key: str) -> str | None:
        """Exchange a one-time key for the owner's cookie; None where the key is wrong or used up."""
        once = next((each for each in self._once if _same(each, key)), None)
        if once is None and not _same(self.owner_key, key):
            return None
        self._once.discard(once or "")
        cookie = _secret()
        self._owners = [*self._owners, _digest(cookie)][-MOST_OWNERS:]
        self._changed()
        return cookie

    def is_owners(self, key: str) -> bool:
        """True where a key would make a browser the owner's; it is not used up."""
        return _same(self.owner_key, key) or any(_same(each, key) for each in self._once)

    def is_code(self, code: str) -> bool:
        """Return whether a code lets phones in."""
        return _same(self.code, code)

    def join(self, code: str, address: str = "") -> str | None:
        """Exchange the code for a phone's cookie; None where it is wrong.

        Where too many have joined from its address, the oldest of those that belong to nobody is forgotten.

        Raises:
            AccessError: there are too many phones.
        """
        if not self.is_code(code):
            return None
        from_there = [each for each in self.phones if address and each.address == address]
        free = next((each for each in from_there if each.player is None), None)
        if len(from_there) >= MOST_PHONES_OF_ONE and free is not None:
            self.phones.remove(free)
        elif len(from_there) >= MOST_PHONES_OF_ONE or len(self.phones) >= MOST_PHONES:
            raise AccessError(Phrase("Too many phones have joined: remove some at the table."))
        cookie = _secret()
        number = max((each.number for each in self.phones), default=0) + 1
        self.phones.append(Phone(number, _digest(cookie), address=address))
        self._changed()
        return cookie

    def visitor(self, cookie: str | None) -> Visitor | None:
        """Return the visitor with a cookie; None for an unknown one."""
        key = _digest(cookie) if cookie else ""
        role, phone = self.role_with(key), self._phone(key)
        if role is None:
            return None
        return Visitor(role, None if phone is None else self._player_with(phone), key, self)

    def role_with(self, key: str) -> Role | None:
        """The role of whoever is known by a key; None where nobody is."""
        if key in self._owners:
            return Role.OWNER
        phone = self._phone(key)
        if phone is None:
            return None
        return Role.GUEST if self._player_with(phone) is None else Role.PLAYER

    def choose(self, visitor: Visitor, player: str) -> None:
        """Assign a phone to a player, until that player leaves or it is given back or removed.

        Raises:
            AccessError: it is somebody's already, or the player has another one.
        """
        phone = self._phone(visitor.key)
        if phone is None:
            raise AccessError(Phrase("This phone has not joined: take the code on the screen once more."))
        if self._player_with(phone) not in {None, player}:
            raise AccessError(Phrase("This phone belongs to a player already: let the table remove it first."))
        if any(each is not phone and each.player == player for each in self.phones):
            raise AccessError(Phrase("That player has a phone already: let the table remove it first."))
        phone.player = player
        self._changed()

    def give_back(self, visitor: Visitor) -> None:
        """Take a phone's assignment back, since somebody had said the wrong player."""
        phone = self._phone(visitor.key)
        if phone is not None:
            phone.player = None
            self._changed()

    def remove(self, number: int) -> None:
        """Remove a phone: its cookie is invalid from now on."""
        self.phones = [each for each in self.phones if each.number != number]
        self._changed()

    # What is asked.

    def knows(self, key: str) -> bool:
        """Tell if somebody is still known."""
        return key in self._owners or self._phone(key) is not None

    def allows(self, visitor: Visitor, action: Action, about: str | None = None) -> bool:
        """Tell if a visitor may do something now."""
        if visitor.key in self._owners:
            return True
        phone = self._phone(visitor.key)
        if phone is None:
            return False
        player = self._player_with(phone)
        if player is None:
            return action is Action.SEE
        if action in _OF_THE_NARRATOR:
            return player == self.narrator()
        return action in _OF_EVERY_PLAYER and (action is not Action.CORRECT_POSE or about == player)

    def listen(self, callback: Callable[[], None]) -> Callable[[], None]:
        """Tell somebody of every change; returns what ends that."""
        return self._changes.listen(callback)

    def _phone(self, key: str) -> Phone | None:
        return next((each for each in self.phones if each.key == key), None)

    def _player_with(self, phone: Phone) -> str | None:
        """Player whose phone it is; None where that one plays no more."""
        return phone.player if phone.player is not None and self.plays(phone.player) else None

    def _changed(self) -> None:
        phones = tuple(KeptPhone(number=each.number, key=each.key, player=each.player) for each in self.phones)
        owners = tuple(self._owners)
        self.file.write(
            KeptAccess(code=self.code, owner_key=self.owner_key, owners=owners, phones=phones, port=self.port)
        )
        self._changes.tell()


def _secret() -> str:
    return secrets.token_urlsafe(_SECRET_BYTES)


def _digest(cookie: str) -> str:
    """Digest of a cookie, from which nobody can make the cookie."""
    return sha256(cookie.encode()).hexdigest()


def _same(ours: str, theirs: str) -> bool:
    """Tell if two secrets are one, in a time that does not tell how much of them is."""
    return bool(ours) and compare_digest(ours.encode(), theirs.encode())
