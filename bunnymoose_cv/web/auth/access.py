"""Access control of the screen: the owner at the table, the phones of the players, and their stored keys.

A phone joins by the evening's code, which is in the QR code, and then belongs to the player that was chosen on it.
Only a browser on the computer itself can be the owner, and only with the key in the address that is opened there. All
functions are called on the server's event loop.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from hashlib import sha256
from hmac import compare_digest
from typing import TYPE_CHECKING, Final

from bunnymoose_cv.core.observable import Observable
from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.web.auth.access_file import KeptAccess, Phone
from bunnymoose_cv.web.auth.permissions import (
    A_PHONE,
    NARRATOR_ACTIONS,
    POSE_ACTIONS,
    REFUSED,
    REFUSED_NOW,
    SCREEN,
    AccessError,
    Action,
    Role,
    phone_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from starlette.requests import Request

    from bunnymoose_cv.web.auth.access_file import AccessFile

VISITOR: Final = "bunnymoose.visitor"
"""Key of a request's scope for its visitor."""

MOST_PHONES: Final = 24
"""Limit of joined phones, so that a leaked code cannot fill the memory; far more than there are players."""

MOST_OWNERS: Final = 8
"""Limit of the owner's browsers on this computer; the oldest is forgotten."""

MOST_PHONES_OF_ONE: Final = 8
"""Limit of phones from one address, so that one guest cannot use up all places; a router may give all the same one."""

_SECRET_BYTES: Final = 24
"""Length of secrets: 192 random bits cannot be guessed."""


@dataclass(frozen=True, slots=True, eq=False)
class Visitor:
    """Visitor of a page, made for one request; its permissions are checked again at each use.

    Attributes:
        role: the role at the time of the request.
        player: the player of the phone at that time; None for the owner and for guests.
        key: the identity of the visitor: a digest of its cookie, and not a secret.
    """

    role: Role
    player: str | None
    key: str
    access: Access

    @property
    def name(self) -> str:
        """Return the name for the game file: `screen`, `Blue's phone`."""
        if self.role is Role.OWNER:
            return SCREEN
        return A_PHONE if self.player is None else phone_of(self.player)

    @property
    def has_same_role(self) -> bool:
        """Return whether the role is unchanged: in a new game phones of players who left become guests."""
        return self.access.role_with(self.key) is self.role

    def may(self, action: Action, about: str | None = None) -> bool:
        """Return whether the visitor may do something now, either in general or about a player."""
        return self.access.allows(self, action, about)

    def expect(self, action: Action, about: str | None = None) -> None:
        """Raise an `AccessError` unless `may` allows an action."""
        if not self.may(action, about):
            raise AccessError(REFUSED.get(action, REFUSED_NOW))


def visitor_of(request: Request) -> Visitor:
    """Return the visitor of an authenticated request."""
    visitor: Visitor = request.scope[VISITOR]
    return visitor


@dataclass(slots=True, eq=False)
class Access:
    """Visitors known this evening.

    Args:
        file: the file with the access data, so that visitors remain known after a restart in the middle of a game.
        narrator: returns the current narrator; None while no game is running.
        plays: returns whether a player is in the running game; phones of other players count as guests.
        asked: returns the players with an open question; none while no game is running.
    """

    file: AccessFile
    narrator: Callable[[], str | None] = lambda: None
    plays: Callable[[str], bool] = lambda _: True
    asked: Callable[[], Collection[str]] = tuple
    code: str = ""
    """Secret of the QR code, with which phones join until the evening ends."""
    owner_key: str = ""
    """Secret that makes a browser of this computer the owner's."""
    phones: list[Phone] = field(default_factory=list)
    port: int = 0
    """Port at which open pages look for the screen; 0 before it was first served."""
    owners: list[str] = field(default_factory=list)
    """Digests of the cookies of the owner's browsers."""
    changes: Observable[[]] = field(default_factory=Observable)
    _once: set[str] = field(default_factory=set)

    @classmethod
    def of_the_evening(cls, file: AccessFile, *, resume: bool) -> Access:
        """Return the access data of the stored evening if `resume` and it is readable, otherwise of a new one."""
        kept = file.read() if resume else None
        if kept is not None:
            return cls(file, **dict(kept))
        access = cls(file)
        access.begin_evening()
        return access

    def begin_evening(self) -> None:
        """Begin an evening: forget all visitors of the last one, and make its code and keys invalid."""
        self.code, self.owner_key = _secret(), _secret()
        self.phones, self.owners, self._once = [], [], set()
        self._changed()

    def serve_at(self, port: int) -> None:
        """Store the port of the screen; open pages look for it there after a restart."""
        self.port = port
        self._changed()

    def renew_code(self) -> None:
        """Replace the join code; phones that have joined remain known."""
        self.code = _secret()
        self._changed()

    def one_time_key(self) -> str:
        """Return a new one-time key of the owner, since other programs may see the address with it."""
        self._once.add(key := _secret())
        return key

    def become_owner(self, key: str) -> str | None:
        """Exchange a key for the owner's cookie. The result is None if the key is wrong or used up."""
        once = next((secret for secret in self._once if _same(secret, key)), None)
        if once is None and not _same(self.owner_key, key):
            return None
        self._once.discard(once or "")
        cookie = _secret()
        self.owners = [*self.owners, _digest(cookie)][-MOST_OWNERS:]
        self._changed()
        return cookie

    def is_owner_key(self, key: str) -> bool:
        """Return whether a key would make a browser the owner's, without using it up."""
        return _same(self.owner_key, key) or any(_same(secret, key) for secret in self._once)

    def is_code(self, code: str) -> bool:
        """Return whether a code lets phones in."""
        return _same(self.code, code)

    def join(self, code: str, address: str = "") -> str | None:
        """Exchange the code for a phone's cookie. The result is None if the code is wrong.

        If too many phones have joined from its address, the oldest of them without a player is forgotten. Raise an
        `AccessError` if there are too many with players, or in all.
        """
        if not self.is_code(code):
            return None
        from_there = [phone for phone in self.phones if address and phone.address == address]
        free = next((phone for phone in from_there if phone.player is None), None)
        if len(from_there) >= MOST_PHONES_OF_ONE and free is not None:
            self.phones.remove(free)
        elif len(from_there) >= MOST_PHONES_OF_ONE or len(self.phones) >= MOST_PHONES:
            raise AccessError(Phrase("Too many phones have joined: remove some at the table."))
        cookie = _secret()
        number = max((phone.number for phone in self.phones), default=0) + 1
        self.phones.append(Phone(number=number, key=_digest(cookie), address=address))
        self._changed()
        return cookie

    def visitor(self, cookie: str | None) -> Visitor | None:
        """Return the visitor with a cookie, or None if it is unknown."""
        key = _digest(cookie) if cookie else ""
        role, phone = self.role_with(key), self._phone(key)
        if role is None:
            return None
        return Visitor(role, None if phone is None else self._player_with(phone), key, self)

    def role_with(self, key: str) -> Role | None:
        """Return the role of the visitor with a key, or None if it is unknown."""
        if key in self.owners:
            return Role.OWNER
        if (phone := self._phone(key)) is None:
            return None
        return Role.GUEST if self._player_with(phone) is None else Role.PLAYER

    def choose(self, visitor: Visitor, player: str, *, shares: bool = False) -> None:
        """Assign a phone to a player, until the player leaves, or the phone is given back or removed.

        Raise an `AccessError` if the phone has a player already, or the player has another phone.
        """
        phone = self._phone(visitor.key)
        if phone is None:
            raise AccessError(Phrase("This phone has not joined: scan the code on the screen again."))
        if self._player_with(phone) not in {None, player}:
            raise AccessError(Phrase("This phone already belongs to a player: let the table remove it first."))
        if any(other is not phone and other.player == player for other in self.phones):
            raise AccessError(Phrase("That player already has a phone: let the table remove it first."))
        phone.player, phone.shares = player, shares
        self._changed()

    def rename(self, names: Mapping[str, str]) -> None:
        """Let phones follow renamed players, whose new names are given by the old ones."""
        renamed = [phone for phone in self.phones if phone.player in names]
        for phone in renamed:
            phone.player = names[phone.player or ""]
        if renamed:
            self._changed()

    def share(self, visitor: Visitor, *, shares: bool) -> None:
        """Set whether the others may see the near films of a phone's player; raise an `AccessError` without one."""
        phone = self._phone(visitor.key)
        if phone is None or self._player_with(phone) is None:
            raise AccessError(REFUSED_NOW)
        phone.shares = shares
        self._changed()

    def shares(self, player: str) -> bool:
        """Return whether a player has agreed that the others see the player's near films."""
        return any(self._player_with(phone) == player and phone.shares for phone in self.phones)

    def give_back(self, visitor: Visitor) -> None:
        """Undo the assignment of a phone, for a visitor who chose the wrong player."""
        phone = self._phone(visitor.key)
        if phone is not None:
            phone.player, phone.shares = None, False
            self._changed()

    def remove(self, number: int) -> None:
        """Remove a phone, whose cookie becomes invalid."""
        self.phones = [phone for phone in self.phones if phone.number != number]
        self._changed()

    def knows(self, key: str) -> bool:
        """Return whether the visitor with a key is still known."""
        return key in self.owners or self._phone(key) is not None

    def allows(self, visitor: Visitor, action: Action, about: str | None = None) -> bool:
        """Return whether a visitor may do something now."""
        if visitor.key in self.owners:
            return True
        phone = self._phone(visitor.key)
        if phone is None:
            return False
        player = self._player_with(phone)
        return action is Action.SEE if player is None else self._allows_player(player, action, about)

    def _allows_player(self, player: str, action: Action, about: str | None) -> bool:
        if action is Action.SEE_CLOSE_UPS:
            return about is not None and (about == player or self.shares(about))
        if action in NARRATOR_ACTIONS:
            return player == self.narrator()
        if action in POSE_ACTIONS:
            return self._allows_pose(player, action, about)
        return action is Action.SEE

    def _allows_pose(self, player: str, action: Action, about: str | None) -> bool:
        """Return whether a player's phone may enter or confirm the pose of a player.

        A player who is asked about is frozen with both hands at the head. So the narrator's phone answers, and the
        player's own phone can only confirm.
        """
        if about in self.asked():
            return player == self.narrator() or (player == about and action is Action.CONFIRM_POSE)
        return player == about

    def _phone(self, key: str) -> Phone | None:
        return next((phone for phone in self.phones if phone.key == key), None)

    def _player_with(self, phone: Phone) -> str | None:
        """Return the player of a phone, or None if there is none in the game."""
        return phone.player if phone.player is not None and self.plays(phone.player) else None

    def _changed(self) -> None:
        self.file.write(KeptAccess.model_validate(self))
        self.changes.notify()


def _secret() -> str:
    return secrets.token_urlsafe(_SECRET_BYTES)


def _digest(cookie: str) -> str:
    """Return the digest of a cookie, from which the cookie cannot be recovered."""
    return sha256(cookie.encode()).hexdigest()


def _same(ours: str, theirs: str) -> bool:
    """Return whether two secrets are equal, in a time that does not depend on the number of equal characters."""
    return bool(ours) and compare_digest(ours.encode(), theirs.encode())
