"""`bunnymoose play` and `bunnymoose play-terminal`: a whole game, on the table screen or in the terminal alone."""

from __future__ import annotations

from bunnymoose_cv.cli import play_options as options
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.rules.deck import DEFAULT_EDITION


def play(
    *,
    script: options.ScriptOption = None,
    camera: options.CameraOption = None,
    players: options.PlayersOption = None,
    edition: options.EditionOption = DEFAULT_EDITION,
    advanced: options.AdvancedOption = True,
    variant: options.VariantOption = None,
    deck: options.DeckOption = None,
    seed: options.SeedOption = None,
    tempo: options.TempoOption = None,
    microphone: options.MicrophoneOption = None,
    bam: options.BamOption = None,
    language: options.LanguageOption = None,
    resume: options.ResumeOption = False,
    games_folder: options.GamesOption = None,
    ask_everything: options.AskOption = None,
    speak: options.SpeakOption = None,
    lan: options.LanOption = False,
    port: options.PortOption = None,
    table_camera: options.TableCameraOption = None,
    no_screen: options.NoScreenOption = False,
    deal: options.DealOption = False,
    bet: options.BetOption = None,
    cards: options.CardsOption = None,
    at: options.AtOption = None,
    as_json: options.JsonOption = False,
) -> None:
    """Play a game, with a screen for the table that opens in the browser, or in the terminal alone.

    The screen asks for whatever is not told here. The game is kept as it goes, with pictures and a replay of each
    round; an evening that was interrupted goes on with --resume. --no-screen is “bunnymoose play-terminal”.

    For example:

        bunnymoose play

        bunnymoose play --lan --camera 0 --players Red,Blue,Green,Yellow

        bunnymoose play --script evening.toml --no-screen --json
    """
    if no_screen:
        if table_camera is not None:
            raise InputError("--table-camera is for the screen: play without --no-screen.")
        play_terminal(
            script=script,
            camera=camera,
            players=players,
            edition=edition,
            advanced=advanced,
            variant=variant,
            deck=deck,
            seed=seed,
            tempo=tempo,
            microphone=microphone,
            bam=bam,
            language=language,
            resume=resume,
            games_folder=games_folder,
            ask_everything=ask_everything,
            speak=speak,
            deal=deal,
            bet=bet,
            cards=cards,
            at=at,
            as_json=as_json,
        )
        return
    told = options.play_options(
        script=script,
        camera=camera,
        players=players,
        edition=edition,
        advanced=advanced,
        variant=variant,
        deck=deck,
        seed=seed,
        tempo=tempo,
        microphone=microphone,
        language=language,
        resume=resume,
        ask_everything=ask_everything,
        speak=speak,
    )
    if as_json or deal or bet is not None or cards is not None or at:
        raise InputError("--json, --deal, --bet, --cards and --at are for the terminal: add --no-screen.")
    from bunnymoose_cv.cli.play_screen import play_on_screen

    games, learnt = options.games_in(games_folder), options.learnt_bam(bam)
    play_on_screen(games, told, bam=learnt, table_camera=table_camera, lan=lan, port=port)


def play_terminal(
    *,
    script: options.ScriptOption = None,
    camera: options.CameraOption = None,
    players: options.PlayersOption = None,
    edition: options.EditionOption = DEFAULT_EDITION,
    advanced: options.AdvancedOption = True,
    variant: options.VariantOption = None,
    deck: options.DeckOption = None,
    seed: options.SeedOption = None,
    tempo: options.TempoOption = None,
    microphone: options.MicrophoneOption = None,
    bam: options.BamOption = None,
    language: options.LanguageOption = None,
    resume: options.ResumeOption = False,
    games_folder: options.GamesOption = None,
    ask_everything: options.AskOption = None,
    speak: options.SpeakOption = None,
    deal: options.DealOption = False,
    bet: options.BetOption = None,
    cards: options.CardsOption = None,
    at: options.AtOption = None,
    as_json: options.JsonOption = False,
) -> None:
    """Play a game in the terminal alone, before a camera or from a script; the same as “bunnymoose play --no-screen”.

    A line at the bottom tells the keys. The game is kept as it goes, with pictures and a replay of each round; an
    evening that was interrupted goes on with --resume.

    For example:

        bunnymoose play-terminal --camera 0 --players Red,Blue,Green --deal --tempo 2.5 --language de

        bunnymoose play-terminal --script evening.toml --json

        bunnymoose play-terminal --camera round.mp4 --players Red,Blue,Green --cards "…" --at 4.2 --json
    """
    told = options.play_options(
        script=script,
        camera=camera,
        players=players,
        edition=edition,
        advanced=advanced,
        variant=variant,
        deck=deck,
        seed=seed,
        tempo=tempo,
        microphone=microphone,
        language=language,
        resume=resume,
        ask_everything=ask_everything,
        speak=speak,
    )
    from bunnymoose_cv.cli.play_terminal import TerminalOptions, play_in_terminal

    wanted = TerminalOptions(bam=bam, deals=deal, bet=bet, cards=cards, bams_s=tuple(at or ()), as_json=as_json)
    play_in_terminal(options.games_in(games_folder), told, wanted)
