"""Tables of judgements, scores, rounds, figures and the ranking of a game in the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.table import Table as Grid
from rich.text import Text

from bunnymoose_cv.announcements.announcing import catch_up_lines, lines_about
from bunnymoose_cv.announcements.phrases import announce, ask_to_check
from bunnymoose_cv.rules.cards import format_table
from bunnymoose_cv.rules.pose import Animal, Side
from bunnymoose_cv.rules.pose_words import headgear_words, tongue_words
from bunnymoose_cv.rules.trail import Figure

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rich.console import Console

    from bunnymoose_cv.referee.judge import Judgement
    from bunnymoose_cv.referee.judged_round import JudgedRound, JudgedSeat
    from bunnymoose_cv.referee.question import JudgedMove
    from bunnymoose_cv.rules.round import Round, RoundFacts
    from bunnymoose_cv.rules.scoring import Score
    from bunnymoose_cv.rules.trail import Standing, Trail
    from bunnymoose_cv.vision.readings import PlayerReading


def score_grid(scored: Score) -> Grid:
    """Return a table of the cards, points and reasons of a score."""
    grid = Grid("Card", "Points", "Why")
    grid.columns[1].justify = "right"
    for line in scored.lines:
        points = f"{line.points:+d}" if line.points else "0"
        if line.factor != 1:
            points = "±" if line.factor < 0 else f"×{line.factor}"
        grid.add_row(str(line.card), points, line.why, style="dim" if points == "0" else None)
    return grid


def show_judgement(console: Console, title: str, judgement: Judgement) -> None:
    """Print a judgement."""
    if not judgement.players:
        console.print(Text(f"{title}: nobody is in the picture"))
        return
    console.print(_readings_grid(title, judgement))
    for player in judgement.players:
        if player.score is not None:
            _show_score(console, player.called, player.score)
    for line in judgement.said:
        console.print(Text(line, "bold"))
    for player in judgement.players:
        if player.move is not None:
            _show_doubt(console, player.called, player.move)


def _readings_grid(title: str, judgement: Judgement) -> Grid:
    grid = Grid(title=Text(title), title_justify="left")
    grid.add_column("Player", no_wrap=True)
    grid.add_column("Shows")
    grid.add_column("Sure", justify="right", no_wrap=True)
    grid.add_column("Because", ratio=1)
    for player in judgement.players:
        heading = Text(f"{player.called}\n{player.reading.pose}")
        for part, words, *cells in reading_rows(player.reading):
            grid.add_row(heading, words if part == "tongue" else f"{part}: {words}", *cells)
            heading = Text()
        grid.add_section()
    return grid


def reading_rows(reading: PlayerReading) -> Iterator[tuple[str, str, str, str]]:
    """Yield words, confidence and reasons for left, right and tongue; a question mark means that users should check."""
    for side in Side:
        shown = reading.headgear[side]
        words = headgear_words(shown.headgear, shown.unclear)
        yield side.name.lower(), words, f"{shown.confidence:.0%}", "; ".join(shown.reasons)
    tongue = reading.tongue
    yield "tongue", tongue_words(tongue.tongue, unclear=tongue.unclear), f"{tongue.confidence:.0%}", ""


def _show_doubt(console: Console, name: str, move: JudgedMove) -> None:
    """Print the question about an unsure move with its answers, or the doubts that do not change a sure one."""
    if move.asked:
        console.print(Text(f"{ask_to_check([name])}: {answers_line(move)}", "yellow"))
    for reason in move.reasons:
        console.print(Text(f"{name}: {reason}", "dim"))


def answers_line(move: JudgedMove) -> str:
    """Format the answers with different moves, likeliest first: `WU CU: Moose ahead 3 (81%), or …`."""
    return ", or ".join(
        f"{answer.pose}: {announce(answer.score.species, answer.score.total)} ({answer.probability:.0%})"
        for answer in move.answers
    )


def _show_score(console: Console, name: str, score: Score) -> None:
    """Print the points of each card; a bush has one reason for all cards."""
    if score.total is None:
        console.print(Text(f"{name}: {score.lines[0].why}", "bold"))
        return
    animal, species = score.pose.animal, score.species
    counts_as = "" if species is animal else f" that counts as a {species.value}"
    console.print(Text(f"{name}: a {animal.value}{counts_as}", "bold"))
    console.print(score_grid(score))


def show_round(console: Console, played: Round, judged: JudgedRound | None) -> None:
    """Print a finished round, with its judgement if it is known."""
    facts = played.facts
    bet = f", bet on {facts.bet}" if facts.bet else ""
    console.print(Text(f"Round {facts.number}: {facts.narrator} narrates{bet}", "bold"))
    console.print(_verdicts_grid(played, judged))
    console.print(Text(f"Cards: {format_table(facts.cards)}"))
    for line in (*lines_about(played.verdicts, facts), *catch_up_lines(played)):
        console.print(Text(line, "bold"))
    console.print(_figures_grid(played.trail))


def _figures_grid(trail: Trail) -> Grid:
    players = dict.fromkeys(figure.player for figure in trail.places)
    grid = Grid("", *players)
    for animal in (Animal.MOOSE, Animal.RABBIT):
        grid.add_row(animal.value, *(str(trail.places[Figure(player, animal)]) for player in players))
    return grid


def ranking_grid(standings: Sequence[Standing]) -> Grid:
    """Return a table of the standings, best first."""
    grid = Grid("place", "player", "rear figure", "front figure", title="Ranking", title_justify="left")
    for standing in standings:
        grid.add_row(str(standing.place), standing.player, str(standing.rear), str(standing.front))
    return grid


def _verdicts_grid(played: Round, judged: JudgedRound | None) -> Grid:
    """Return a table of the verdicts, with remarks if the judgement is known."""
    grid = Grid("Player", "Shows", "Scores", *([] if judged is None else ["Remarks"]))
    for verdict in played.verdicts:
        total = "bush" if verdict.score.total is None else f"{verdict.score.species.value} {verdict.score.total:+d}"
        row = [Text(verdict.player), Text(str(verdict.score.pose)), Text(total)]
        if judged is not None:
            seat = judged.seats[verdict.seat - 1]
            row.append(Text(_remarks(seat, played.facts, judged.threshold)))
        grid.add_row(*row)
    return grid


def _remarks(seat: JudgedSeat, facts: RoundFacts, threshold: float) -> str:
    """Join what is unclear or not seen, the reasons of doubts that changed no move, and movement."""
    remarks = [f"unclear: {', '.join(seat.unclear)}"] if seat.unclear else []
    if seat.reading is None:
        remarks = ["not seen"]
    move = seat.move(facts.cards, facts.rules, threshold)
    if move is not None and facts.poses[seat.player] == seat.pose:
        remarks += move.reasons
    if seat.movement is not None:
        remarks.append("moved")
    return "; ".join(remarks)
