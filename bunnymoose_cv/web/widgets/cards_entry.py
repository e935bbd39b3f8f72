"""Cards on a page: the piles, and how visitors lay cards by picking, typing or photographing them.

A card is picked in two taps at most: its motif, then its side and value. The second choice opens in a dialog, whose
faces cards.js fetches; the only card with its motif is sent by the first tap. While a visitor types, the page shows the
cards that are understood and marks the first place that is not. A photograph is shown with the cards read in it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import dist
from typing import TYPE_CHECKING, Final

from bunnymoose_cv.art.art_names import card_name, kind_name
from bunnymoose_cv.art.card_art import SIZE, card_face, motif_art
from bunnymoose_cv.art.ink import BAD, GOOD, SUN, numerals
from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.rules.cards import Card, SingleCard, parse_table
from bunnymoose_cv.rules.game import Phase
from bunnymoose_cv.rules.pose import NotationError
from bunnymoose_cv.vision.cards.card_reading import PlaceState
from bunnymoose_cv.web.auth.permissions import Action, Role
from bunnymoose_cv.web.live.card_choices import CardGroup, cards_of, motifs
from bunnymoose_cv.web.templates.rendering import drawing, render
from bunnymoose_cv.web.urls import PHOTO

if TYPE_CHECKING:
    from collections.abc import Mapping

    from markupsafe import Markup

    from bunnymoose_cv.i18n.texts import Texts
    from bunnymoose_cv.rules.cards import Table
    from bunnymoose_cv.rules.game import Game
    from bunnymoose_cv.session.cards.card_photo import CardPhoto, SeenPile
    from bunnymoose_cv.session.table_state import TableState
    from bunnymoose_cv.web.auth.access import Visitor
    from bunnymoose_cv.web.live.card_choices import Motif
    from bunnymoose_cv.web.live.host import Host


@dataclass(frozen=True, slots=True)
class Pile:
    """Content of one pile, numbered from 1.

    Attributes:
        card: the top card; None while the pile is empty.
        is_next: whether the next card goes there.
        laid: the number of cards laid there, so that laying an equal card on top shows as a change.
    """

    number: int
    card: Card | None
    is_next: bool
    laid: int


def takes_cards(game: Game) -> bool:
    """Return whether cards can be laid: before Bam, and after it while piles are unknown."""
    return game.phase in {Phase.BETTING, Phase.DEALING} or (game.phase is Phase.FROZEN and game.first_pass)


def piles_of(game: Game) -> tuple[Pile, ...]:
    """Return the content of every pile."""
    count, cards = game.rules.piles, game.table
    waits = takes_cards(game)
    return tuple(
        Pile(
            number=number + 1,
            card=cards[number] if number < len(cards) else None,
            is_next=waits and number == game.laid % count,
            laid=(game.laid + count - 1 - number) // count,
        )
        for number in range(count)
    )


def pile_parts(game: Game, texts: Texts, way: str = "") -> Mapping[str, Markup]:
    """Return one part for each pile, so that only changed piles are sent again; empty ones once the game is over.

    Args:
        way: the address of the page that a press on a pile opens; empty if there is none.
    """
    is_over = game.phase is Phase.OVER
    return {f"pile-{pile.number}": drawing("") if is_over else _pile_html(pile, texts, way) for pile in piles_of(game)}


def _pile_html(pile: Pile, texts: Texts, way: str) -> Markup:
    face, label = drawing(""), texts("Pile {number} is empty", number=pile.number)
    if pile.card is not None:
        face = drawing(card_face(pile.card, texts))
        label = texts("On pile {number}: {card}", number=pile.number, card=card_name(pile.card, texts))
    return render("round/pile", texts, pile=pile, face=face, label=label, way=way)


SCRIPT: Final = "cards"
"""Name of the script and of the style sheet of pages with a picker or a field to type cards in."""

_GROUPS: Final = {
    CardGroup.ANTLERS: Phrase("Antlers"),
    CardGroup.EARS: Phrase("Ears"),
    CardGroup.OTHERS: Phrase("Animals, tongue, reversal, hunter"),
}


@dataclass(frozen=True, slots=True)
class PickerForm:
    """Form that sends a card.

    Attributes:
        faces: the address of the faces with a motif.
        needs: the permission without which the form is disabled, if the page lists permissions (parts.js).
    """

    action: str
    name: str
    faces: str
    needs: str = ""
    hidden: Mapping[str, str] = field(default_factory=dict)


def motifs_html(deck: Table, form: PickerForm, texts: Texts) -> Markup:
    """Render the motifs of a deck."""
    shown = motifs(deck)
    groups = [
        (group.value, texts(name), [_tile(motif, texts) for motif in shown if motif.group is group])
        for group, name in _GROUPS.items()
    ]
    return render("cards/picker", texts, form=form, groups=groups)


def _tile(motif: Motif, texts: Texts) -> Mapping[str, object]:
    return {
        "sample": str(motif.sample),
        "name": kind_name(motif.sample, texts),
        "art": drawing(motif_art(motif.sample)),
        "only": str(motif.cards[0]) if len(motif.cards) == 1 else "",
    }


def choices_html(form: PickerForm, texts: Texts) -> Markup:
    """Render the dialog of the second tap."""
    return render("cards/choices", texts, form=form)


def faces_html(motif: Motif, remaining: Mapping[Card, int], name: str, texts: Texts) -> Markup:
    """Render the faces of a motif in that dialog; one of which no copy can still come is disabled."""
    faces = [
        {
            "card": str(card),
            "place": _place(card) if isinstance(motif.sample, SingleCard) else "",
            "art": drawing(card_face(card, texts)),
            "copies": remaining.get(card, 0),
        }
        for card in motif.cards
    ]
    return render("cards/faces", texts, faces=faces, field=name)


def _place(card: Card) -> str:
    """Return the column of a face: the player's left is at the left, as in a mirror."""
    return f"at-{card.side.name.lower()}" if isinstance(card, SingleCard) else "at-both"


MOST_CHARACTERS: Final = 200
"""Longest typed text: room for more cards than any table has piles."""


def entry_html(texts: Texts, key: str = "", needs: str = "") -> Markup:
    """Render the text field for cards, with an empty preview; `key` focuses it, `needs` is that of `PickerForm`."""
    return render(
        "cards/entry", texts, key=key, needs=needs, most=MOST_CHARACTERS, understood=understood_html("", texts)
    )


def understood_html(typed: str, texts: Texts) -> Markup:
    """Render typed cards as far as they are understood, or the hint if nothing is typed."""
    cards, mistake = normalized(typed), None
    try:
        faces = [drawing(card_face(card, texts)) for card in parse_table(cards)] if cards.strip() else []
    except NotationError as error:
        faces, mistake = [], _mistake(error)
    return render("cards/understood", texts, faces=faces, mistake=mistake)


def normalized(typed: str) -> str:
    """Return typed text in the notation, whose letters are all upper case here, cut to the longest allowed length."""
    return typed[:MOST_CHARACTERS].upper()


def _mistake(error: NotationError) -> Mapping[str, object]:
    """Return the typed text with the mistake marked, and the sentence about it."""
    end = next((at for at, sign in enumerate(error.text) if at > error.position and sign.isspace()), len(error.text))
    return {
        "before": error.text[: error.position],
        "place": error.text[error.position : end] or "\N{NO-BREAK SPACE}",
        "after": error.text[end:],
        "sentence": error.sentence,
    }


def sheets_html(visitor: Visitor, player: str, texts: Texts) -> Markup:
    """Render the dialogs that a visitor may use at some time in the game.

    The player in the example is the same throughout a game, so that an open dialog stays open.
    """
    sheets = drawing("")
    if visitor.role is not Role.GUEST:
        sheets += render("table/cards_sheet", texts, entry=entry_html(texts))
    if visitor.role is Role.OWNER:
        sheets += render("table/pose_sheet", texts, player=player)
    return sheets


PHOTO_SHEET: Final = "photo"
"""Name of the style sheet and of the script of pages with photographs of cards."""

PICKER, RESULT = "picker", "photo"
"""Parts with the buttons to take a photograph, and with the newest one."""


def picker_html(address: str, title: str, texts: Texts, *, several: bool = False) -> Markup:
    """Return both buttons, with the place where the script reports the progress; `several` images may be chosen."""
    return render("cards/photo_picker", texts, address=address, title=title, several=several)


def photo_parts(host: Host, visitor: Visitor, state: TableState) -> Mapping[str, Markup]:
    """Return the buttons from Bam until the round is over, and the photograph until the next round begins.

    Both are empty at other times, and for visitors without the permission to lay cards.
    """
    may = visitor.may(Action.LAY) and host.card_reader is not None
    frozen = state.game.phase is Phase.FROZEN or state.judging
    texts, nothing = host.texts, drawing("")
    picker = picker_html(PHOTO, texts("Photograph the cards"), texts) if may and frozen else nothing
    result = nothing if state.photo is None or not may else _result(host, state, state.photo)
    return {PICKER: picker, RESULT: result}


def _result(host: Host, state: TableState, photo: CardPhoto) -> Markup:
    """Render the photograph, with the likeliest cards of an unsure pile as buttons and all others in a list."""
    texts = host.texts
    named = [(str(card), card_name(card, texts)) for card in dict.fromkeys(cards_of(state.game, host.choices.deck))]
    return render(
        "cards/photo_result",
        texts,
        photo=photo,
        address=f"{PHOTO}/{photo.number}.jpg",
        overlay=drawing(_photo_overlay(photo, texts)),
        is_open=state.game.phase is Phase.FROZEN,
        cards=sorted(named, key=lambda card: card[1]),
        questions=[
            (pile, _question(pile, texts), [(str(card), drawing(card_face(card, texts))) for card in pile.answers])
            for pile in photo.piles
            if pile.asked
        ],
    )


def _question(pile: SeenPile, texts: Texts) -> str:
    if pile.state is PlaceState.EMPTY:
        return texts("Pile {number} looks empty: which card lies there?", number=pile.number)
    if pile.state is PlaceState.COVERED:
        return texts("Something covers pile {number}: which card lies there?", number=pile.number)
    return texts("Which card is on pile {number}?", number=pile.number)


_COVERS: Final = 0.62
"""Height of the drawn card as a share of the photographed one, which remains visible around it."""

_WIDE: Final = 1000.0
"""Width of the drawing in its own coordinates."""


def _photo_overlay(photo: CardPhoto, texts: Texts) -> str:
    """Draw the outline of every pile, with the card that counts or a question mark; words beside it say the same."""
    height = _WIDE * photo.size[1] / photo.size[0]
    drawn = "".join(_outlined_pile(pile, height, texts) for pile in photo.piles if pile.corners)
    return f'<svg viewBox="0 0 {_WIDE:g} {height:.0f}" aria-hidden="true">{drawn}</svg>'


def _outlined_pile(pile: SeenPile, height: float, texts: Texts) -> str:
    points = [(x * _WIDE, y * height) for x, y in pile.corners]
    x, y = sum(x for x, _ in points) / 4, sum(y for _, y in points) / 4
    side = (dist(points[0], points[3]) + dist(points[1], points[2])) / 2 * _COVERS
    corners = " ".join(f"{x:.0f},{y:.0f}" for x, y in points)
    colour = SUN if pile.asked else GOOD
    outline = f'<polygon points="{corners}" fill="none" stroke="{colour}" stroke-width="5"/>'
    if pile.asked or pile.card is None:
        disc = f'<circle cx="{x:.0f}" cy="{y:.0f}" r="{side / 4:.0f}" fill="{SUN}" stroke="{BAD}"/>'
        mark = numerals("?", (x, y), side / 4, "#35261b")
        return f'{outline}{disc}<g fill="none" stroke-linecap="round">{mark}</g>'
    width = side * SIZE[0] / SIZE[1]
    place = f'x="{x - width / 2:.0f}" y="{y - side / 2:.0f}" width="{width:.0f}" height="{side:.0f}"'
    return outline + card_face(pile.card, texts).replace('role="img"', "").replace("<svg ", f"<svg {place} ", 1)
