"""`bunnymoose warmup`: everybody at once shows five poses, and the referee learns everybody's hands."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, Annotated, Final

import typer

from bunnymoose_cv.cli.framework.each_input import INPUT_WAS_WRONG
from bunnymoose_cv.cli.terminal.echo import echo
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.i18n.language import Language
from bunnymoose_cv.rules.deck import MOST_PLAYERS
from bunnymoose_cv.rules.exemptions import Exemption
from bunnymoose_cv.rules.player_names import name_key, player_called, player_names

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from bunnymoose_cv.calibration.adaptation.labelled_take import LabelledTake
    from bunnymoose_cv.calibration.profiles.player_profile import PlayerProfile
    from bunnymoose_cv.core.user_settings import Settings
    from bunnymoose_cv.session.warmup.warm_up_round import WarmUpRound

PAUSE_S: Final = 0.03


def warmup(  # noqa: PLR0917 - as many parameters as options
    camera: Annotated[str, typer.Option("--camera", metavar="N|NAME|FILE|URL", help="What sees the players.")],
    players: Annotated[
        str, typer.Option("--players", metavar="A,B,…", help="Who sits in the row, from the left of the image.")
    ],
    only: Annotated[
        list[str] | None, typer.Option("--only", metavar="NAME", help="Do this person again; others may rest.")
    ] = None,
    exempt: Annotated[
        list[str] | None,
        typer.Option(
            "--exempt", metavar="NAME=PART", help="Never judge left_hand, right_hand, tongue or down of a player."
        ),
    ] = None,
    language: Annotated[Language, typer.Option("--language", help="Of what is shown and said.")] = Language.ENGLISH,
    silent: Annotated[bool, typer.Option("--silent", help="No voice.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object a player.")] = False,
) -> None:
    """Warm up: everybody shows five poses at once, 25 seconds; what was learnt is used in the next game.

    What is stored of whom “bunnymoose profile” shows and deletes: numbers, no images. Ctrl+C ends it, and keeps
    nothing.

    For example:

        bunnymoose warmup --camera 0 --players Anna,Ben,Cleo

        bunnymoose warmup --camera 0 --players Anna,Ben --only Ben --exempt Ben=tongue
    """
    from bunnymoose_cv.core.user_settings import load_settings
    from bunnymoose_cv.session.warmup.warm_up_round import WarmUpRound
    from bunnymoose_cv.vision.reader import Reader

    names = _names(players)
    exemptions = _exemptions(exempt or [], names)
    asked = [_among(name, names) for name in only or names]
    seats = frozenset(names.index(name) + 1 for name in asked)
    settings = load_settings()
    exempt_of = _exempt_by_seat(names, exemptions)
    with Reader(settings) as reader:
        warm_up = WarmUpRound(reader, len(names), seats, exempt_of)
        _play(warm_up, camera, settings, language, silent=silent)
    takes = {name: warm_up.takes.get(number, ()) for number, name in enumerate(names, 1)}
    chosen = {name: takes[name] for name in asked}
    keep_profiles(chosen, exemptions, settings, _json if as_json else _told_in(language))


def _names(players: str) -> tuple[str, ...]:
    """Names in seat order.

    Raises:
        InputError: there is none, two are alike, more are named than can play, or nobody is called so.
    """
    typed = [name for name in players.split(",") if name.strip()]
    if not typed or len(set(map(name_key, typed))) < len(typed):
        raise InputError(Phrase("Name every player once: --players Anna,Ben."))
    if len(typed) > MOST_PLAYERS:
        raise InputError(f"At most {MOST_PLAYERS} people play, not {len(typed)}: leave some out of --players.")
    return player_names(typed)


def _among(name: str, names: Sequence[str]) -> str:
    """The player of a name.

    Raises:
        InputError: nobody of the players is called so.
    """
    player = player_called(name, names)
    if player is None:
        raise InputError(Phrase("“{name}” is none of the players.", name=name))
    return player


def _exemptions(told: Sequence[str], names: Sequence[str]) -> dict[str, frozenset[Exemption]]:
    """Exemptions by player.

    Raises:
        InputError: no name or no part was told, somebody does not play, or there is no such part.
    """
    found: dict[str, frozenset[Exemption]] = {}
    for each in told:
        typed, equals, part = each.rpartition("=")
        if not equals or not typed.strip():
            raise InputError(f"“{each}” exempts nobody: write --exempt NAME=PART, such as {names[0]}=tongue.")
        name = _among(typed, names)
        if part not in {one.value for one in Exemption}:
            raise InputError(
                Phrase(
                    "“{part}” cannot be left unjudged: say one of {parts}.",
                    part=part,
                    parts=", ".join(one.value for one in Exemption),
                )
            )
        found[name] = found.get(name, frozenset()) | {Exemption(part)}
    return found


def _exempt_by_seat(
    names: Sequence[str], told: Mapping[str, frozenset[Exemption]]
) -> Mapping[int, frozenset[Exemption]]:
    """Exemptions told now, else those that are stored.

    Raises:
        InputError: a stored profile is damaged; better now than after the warm-up.
    """
    from bunnymoose_cv.calibration.profiles.player_profiles import default_player_profiles

    store = default_player_profiles()
    stored = {name: profile.exempt for name in names if (profile := store.find(name)) is not None}
    return {seat: told.get(name, stored.get(name, frozenset())) for seat, name in enumerate(names, 1)}


def _play(warm_up: WarmUpRound, camera: str, settings: Settings, language: Language, *, silent: bool) -> None:
    """Show and say each step until the round is over.

    Raises:
        InputError: the camera cannot be opened, or ends before.
    """
    from contextlib import ExitStack

    from bunnymoose_cv.capture.camera_state import CameraState
    from bunnymoose_cv.i18n.texts import Texts
    from bunnymoose_cv.session.source_choice import camera_source
    from bunnymoose_cv.vision.video.tracker import Tracker
    from bunnymoose_cv.voice.speaker import Speaker

    texts, told, seen_s = Texts(language), None, float("-inf")
    tracker = Tracker(warm_up.reader, warm_up.seats)
    with ExitStack() as stack:
        source = stack.enter_context(camera_source(camera, camera, settings.camera).make())
        speaker = None if silent else stack.enter_context(Speaker(tell=lambda sentence: echo(sentence, err=True)))
        while (state := warm_up.state).step is not None:
            if (state.number, state.again) != told:
                told = state.number, state.again
                line = texts(state.step.words)
                echo(texts("Once more. {line}", line=line) if state.again else line, err=True)
                echo(f"  {texts(state.step.manual)}", err=True)
                if speaker is not None:
                    speaker.say(line, language)
            frame = source.newest()
            if frame is not None and frame.time_s > seen_s:
                seen_s = frame.time_s
                warm_up.see(tracker.read(frame))
            elif source.camera is CameraState.ENDED:
                raise InputError(Phrase("The pictures ended before the warm-up was over: nothing is kept."))
            else:
                time.sleep(PAUSE_S)


def keep_profiles(
    takes: Mapping[str, Sequence[LabelledTake]],
    exemptions: Mapping[str, frozenset[Exemption]],
    settings: Settings,
    tell: Callable[[PlayerProfile, Settings], str],
) -> None:
    """Keep what was learnt, and tell what the referee understood of whom.

    Raises:
        typer.Exit: what was learnt of somebody cannot be kept; it is told, and the others' is kept.
    """
    from bunnymoose_cv.calibration.profiles.player_profiles import default_player_profiles

    store, all_kept = default_player_profiles(), True
    for name, learnt in takes.items():
        try:
            if name in exemptions:
                store.exempt(name, exemptions[name])
            echo(tell(store.warm_up(name, learnt), settings))
        except InputError as error:
            all_kept = False
            echo(f"{name}: {error}", err=True)
    if not all_kept:
        raise typer.Exit(INPUT_WAS_WRONG)


def _json(profile: PlayerProfile, settings: Settings) -> str:
    calibration = profile.calibration(settings)
    facts = {
        "player": profile.name,
        "takes": len(profile.takes),
        "understood": [
            {"field": each.field.value, "labels": each.labels, "right": each.labels - each.wrong[each.kept]}
            for each in calibration.outcomes
        ],
        "helped": [each.field.value for each in calibration.outcomes if each.helped],
        "exempt": sorted(each.value for each in profile.exempt),
    }
    return json.dumps(facts, ensure_ascii=False)


def _told_in(language: Language) -> Callable[[PlayerProfile, Settings], str]:
    from bunnymoose_cv.i18n.texts import Texts
    from bunnymoose_cv.session.warmup.warm_up_summary import WarmUpSummary

    texts = Texts(language)
    return lambda profile, settings: texts(WarmUpSummary.of(profile, settings).words)
