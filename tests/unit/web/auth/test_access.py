"""Admission to the screen, refusal, and expulsion: attacks on the running server."""

import json
import re
import socket
import stat
import sys
from collections import deque
from contextlib import suppress
from pathlib import Path

import httpx
import pytest

from bunnymoose_cv.web.auth.access import Access, Visitor
from bunnymoose_cv.web.auth.access_file import AccessFile, KeptAccess
from bunnymoose_cv.web.auth.permissions import AccessError, Action, Role
from bunnymoose_cv.web.server.addresses import addresses_of_this_computer
from bunnymoose_cv.web.server.command_endpoint import COMMANDS
from bunnymoose_cv.web.server.html_pages import ROUTES
from tests.unit.web.browsing import NAMES, Served, reach, seen_on
from tests.unit.web.hosts import access_in, known
from tests.unit.web.in_process import InProcess

PAGES = ["/", *(re.sub(r"\{.*?\}", "1", route.path) for route in ROUTES)]
EVENTS = [f"/events{re.sub(r'{.*?}', '1', route.path)}" for route in ROUTES]
MEDIA = [
    "/live.mjpeg",
    "/clock.json",
    "/still/1/1.jpg",
    "/frame/1/1.jpg",
    *(f"/film/20261121200533/{film}" for film in ("1.mp4", "1.vtt", "1/1.mp4", "highlights.mp4")),
    *(f"/download/20261121200533.{kind}" for kind in ("zip", "csv", "json")),
]
FILES = ["/style/house.css", "/style/house.js", "/style/parts.js", "/nowhere"]
WRONG = ["", "nonsense", "x" * 32, "ü", "../../", "%00"]


@pytest.mark.parametrize(
    ("here", "sentences"),
    [
        (True, ("Open the address that the terminal shows.", "An unfinished game is waiting there")),
        (False, ("Take the code on the screen", "If the game has stopped, wait until it goes on there.")),
    ],
)
def test_strangers_see_how_to_log_in_on_a_page_that_reloads(
    in_process: InProcess, sentences: tuple[str, ...], *, here: bool
) -> None:
    page = in_process.stranger(here=here).get("/table").text
    assert all(sentence in page for sentence in sentences)
    assert '<meta http-equiv="refresh" content="10">' in page


@pytest.mark.parametrize("path", PAGES + EVENTS + MEDIA + FILES)
@pytest.mark.parametrize("here", [True, False], ids=["on this computer", "from the network"])
def test_every_address_needs_a_cookie(in_process: InProcess, path: str, *, here: bool) -> None:
    answer = in_process.stranger(here=here).get(path)
    assert answer.status_code in {403, 404}
    assert not answer.cookies
    assert "event-stream" not in answer.headers["content-type"]
    assert "data-stream" not in answer.text


@pytest.mark.parametrize("value", [*WRONG, '"', ";", "a" * 1500])
def test_invented_cookies_are_refused(in_process: InProcess, value: str) -> None:
    for here in (True, False):
        stranger = in_process.stranger(here=here)
        answer = stranger.ask("GET", "/table", headers={b"Cookie": f"bunnymoose-{in_process.port}={value}".encode()})
        assert answer.status_code == 403


@pytest.mark.parametrize("code", WRONG)
def test_wrong_codes_and_keys_are_refused(in_process: InProcess, code: str) -> None:
    for path in (
        f"/join?code={code}",
        f"/open?key={code}",
        f"/join?key={in_process.owner_key}",
        f"/open?code={in_process.code}",
    ):
        for here in (True, False):
            answer = in_process.stranger(here=here).get(path)
            assert answer.status_code == 403
            assert not answer.cookies


def test_a_phone_joins_by_the_code_without_storing_it(in_process: InProcess) -> None:
    answer = in_process.stranger().get(f"/join?code={in_process.code}")
    assert answer.status_code == 200
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie
    assert in_process.code not in answer.text + cookie
    assert 'http-equiv="refresh" content="0;url=/join"' in answer.text
    assert answer.headers["referrer-policy"] == "no-referrer"
    assert answer.headers["cache-control"] == "no-store"


def test_joining_twice_does_not_create_a_second_phone(in_process: InProcess) -> None:
    phone = in_process.phone()
    before = in_process.call("players")
    assert not phone.get(f"/join?code={in_process.code}").cookies
    assert in_process.call("players") == before


def test_a_one_time_key_is_valid_once(in_process: InProcess) -> None:
    key = in_process.call("once")
    assert in_process.stranger(here=True).get(f"/open?key={key}").cookies
    again = in_process.stranger(here=True).get(f"/open?key={key}")
    assert again.status_code == 403
    assert not again.cookies


def test_the_owner_is_accepted_on_this_computer_only(in_process: InProcess) -> None:
    owner = in_process.owner()
    assert owner.get("/table").status_code == 200
    from_the_network = in_process.stranger()
    from_the_network.cookies = owner.cookies
    assert from_the_network.get("/table").status_code == 403
    assert in_process.stranger().get(f"/open?key={in_process.owner_key}").status_code == 403


@pytest.mark.parametrize("path", ["/setup", "/practice", "/check", "/warm-up", "/enrol"])
def test_pages_of_the_owner_are_not_for_phones(in_process: InProcess, path: str) -> None:
    for phone in (in_process.phone(), in_process.phone_of("Blue")):
        answer = phone.get(path)
        assert answer.status_code == phone.get(f"/events{path}").status_code == 403
        assert "data-stream" not in answer.text


@pytest.mark.parametrize("path", ["/history", "/history/20261121200533"])
def test_the_history_leads_phones_to_their_films(in_process: InProcess, path: str) -> None:
    for phone in (in_process.phone(), in_process.phone_of("Blue")):
        answer = phone.get(path)
        assert (answer.status_code, answer.headers["location"]) == (303, "/films")
        assert phone.get(f"/events{path}").status_code == 403
        assert "data-stream" in phone.html("/films")


def test_phones_see_no_other_evening_and_download_none(in_process: InProcess) -> None:
    phone, owner = in_process.phone_of("Blue"), in_process.owner()
    number = "".join(filter(str.isdecimal, in_process.call("folder").rsplit("/", 1)[1]))
    for kind in ("zip", "csv", "json"):
        assert phone.get(f"/download/{number}.{kind}").status_code == 404
        assert owner.get(f"/download/{number}.{kind}").status_code == 200


def test_forbidden_requests_from_a_phone_leave_the_game_unchanged(in_process: InProcess) -> None:
    """Send every command of every page, including those for which phones have no button."""
    narrator, code = in_process.call("narrator"), in_process.code
    own = next(name for name in NAMES if name != narrator)
    for phone in (in_process.phone(), in_process.phone_of(own)):
        before, phones = in_process.call("entries"), in_process.call("players")
        for command in ("renew-code", "remove-phone", "pause", "go-on"):
            assert phone.send(command).status_code == phone.send(command, number="²").status_code == 403
        own_affairs = {"choose-player", "give-phone-back", "share-close-ups", "make-evening-film"}
        for command in {*COMMANDS} - own_affairs:
            for player, number in ((narrator, str(phones[-1][0])), ("Nobody", "1")):
                form = {"player": player, "pose": "WU CU", "round": "", "card": "HUNTER", "pile": "1", "number": number}
                form |= {"typed": f"{player} WU CU", "left": "WU", "right": "CU", "cards": "HUNTER"}
                assert phone.send(command, **form).status_code == 403, command
                assert phone.send(command, **form | {"round": "1", "by": "button"}).status_code == 403, command
        assert (in_process.call("entries"), in_process.call("players")) == (before, phones)
        assert in_process.code == code


def test_commands_of_the_narrators_phone_are_carried_out(in_process: InProcess) -> None:
    """Check that the commands of the attack above have an effect when the narrator sends them."""
    narrator = in_process.call("narrator")
    phone, before = in_process.phone_of(narrator), in_process.call("entries")
    seat = next(name for name in NAMES if name != narrator)
    assert phone.send("bet", player=seat).status_code == 204
    assert in_process.call("entries")[len(before) :] == [["BetPlaced", f"{narrator}'s phone"]]
    assert phone.send("undo").status_code == 204
    assert [who for _, who in in_process.call("entries")[len(before) :]] == [f"{narrator}'s phone"] * 2
    assert phone.send("lay", cards="l.wu+1 reverse").status_code == 204
    assert in_process.call("cards") == "L.WU+1 REVERSE"
    assert [phone.send("undo").status_code for _ in range(2)] == [204, 204]
    assert in_process.call("cards") == ""
    assert phone.send("pause").status_code == 403, "that is the table's"


def test_only_the_narrators_phone_answers_questions(tmp_path: Path) -> None:
    """Without a camera there is no likeliest answer that a player could confirm."""
    with InProcess(tmp_path) as served:
        narrator = served.call("narrator")
        seats = [name for name in NAMES if name != narrator]
        served.call("bam")
        before = served.call("entries")
        forms = (
            ("answer-question", {"pose": "WU CU"}),
            ("correct-verdict", {"left": "WU", "right": "CU", "asked": ""}),
        )
        for own in seats:
            phone = served.phone(own)
            for command, form in forms:
                answers = [phone.send(command, player=player, round="1", **form) for player in seats]
                assert {answer.status_code for answer in answers} == {403}, command
        assert served.call("entries") == before
        phone = served.phone(narrator)
        for player in seats[:-1]:
            for command, form in forms[: 1 if player == seats[0] else 2]:
                answer = phone.send(command, player=player, round="1", **form)
                expected = 204 if command == "answer-question" else 403
                assert answer.status_code == expected, "once it is answered it is no longer the narrator's"
        assert phone.send("correct-verdict", player=seats[-1], round="1", **forms[1][1]).status_code == 204
        judged = [entry for entry in served.call("entries") if entry[0] == "PosesJudged"]
        assert judged == [["PosesJudged", f"{narrator}'s phone"]] * len(seats)


def test_a_player_in_question_can_only_confirm_the_likeliest_answer(tmp_path: Path) -> None:
    with InProcess(tmp_path, doubts=True, names=("Red", "Blue", "Green", "Yellow", "Ida", "Tom")) as served:
        served.call("doubt 2")
        assert served.owner_once.send("lay", cards="L.WU+1 B.CD+1/-1 R.TS+2 R.?F-1 MOOSE*2 TONGUE+1").status_code == 204
        served.call("bam")
        before, blue, yellow = served.call("entries"), served.phone("Blue"), served.phone("Yellow")
        offered = re.findall(r'name="pose" value="([^"]*)"', served.owner_once.html("/table"))
        yes = re.findall(r'name="pose" value="([^"]*)"', blue.html("/phone"))
        assert yes == offered[:1]
        assert re.findall(r'name="pose"', yellow.html("/phone")) == []
        for phone, player, pose in ((blue, "Blue", offered[1]), (blue, "Green", yes[0]), (yellow, "Blue", yes[0])):
            assert phone.send("answer-question", player=player, round="1", pose=pose).status_code == 403
        chosen = {"left": "WU", "right": "CU", "asked": "1"}
        assert blue.send("correct-verdict", player="Blue", round="1", **chosen).status_code == 403
        assert blue.get("/contest/1/1/preview.json?left=WU&right=CU").status_code == 403
        assert "Red’s phone and the table’s screen answer this." in blue.html("/contest/1/1")
        assert served.call("entries") == before
        assert blue.send("answer-question", player="Blue", round="1", pose=yes[0]).status_code == 204
        assert served.call("entries")[len(before) :] == [["PosesJudged", "Blue's phone"]]
        late = served.phone("Red").send("answer-question", player="Blue", round="1", pose=offered[1])
        assert (late.status_code, late.text) == (403, "Somebody has just answered: please check again.")
        assert blue.send("correct-verdict", player="Blue", round="1", left="WU", right="CU").status_code == 204


def test_commands_of_the_owner_are_carried_out(in_process: InProcess) -> None:
    """Check that the commands of the attack above have an effect when the owner sends them."""
    owner, before = in_process.owner_once, in_process.call("entries")
    for command, form in (("lay", {"cards": "L.WU+1"}), ("undo", {}), ("pause", {}), ("go-on", {})):
        assert owner.send(command, **form).status_code == 204, command
    assert in_process.call("entries")[len(before) :] == [["CardLaid", "screen"], ["Undone", "screen"]]


def test_a_phone_belongs_to_one_player_and_a_player_has_one_phone(in_process: InProcess) -> None:
    first = in_process.phone_of("Green")
    assert first.html("/phone")
    players = [player for _, player in in_process.call("players")]
    assert first.send("choose-player", player="Red").status_code == 403
    second = in_process.phone()
    taken = [player for player in players if player is not None]
    for player in (*taken, "Nobody", "", "<b>"):
        assert second.send("choose-player", player=player).status_code == 403
    assert in_process.owner_once.send("choose-player", player="Green").status_code == 403
    after = [player for _, player in in_process.call("players")]
    assert after.count("Green") == players.count("Green") == 1


def test_a_phone_can_be_given_back_until_it_is_used(tmp_path: Path) -> None:
    with InProcess(tmp_path) as served:
        phone = served.phone()
        assert phone.send("give-phone-back").status_code == 403
        for player in ("Green", "Red"):
            assert phone.send("choose-player", player=player).status_code == 204
            assert "/command/give-phone-back" in phone.html("/phone")
            if player == "Green":
                assert phone.send("give-phone-back").headers["location"] == "/join"
                assert phone.get("/phone").headers["location"] == "/join"
        assert phone.send("bet", player="Blue").status_code == 204
        assert "/command/give-phone-back" not in phone.html("/phone")
        assert phone.send("give-phone-back").status_code == 403
        assert [player for _, player in served.call("players")] == ["Red"]


def test_a_phone_without_a_player_in_the_game_is_a_guests(tmp_path: Path) -> None:
    access = access_in(tmp_path)
    cookie = access.join(access.code)
    access.choose(known(access, cookie), "Ida")
    own = known(access, cookie)
    assert (own.role, own.has_same_role, own.may(Action.CORRECT_POSE, "Ida")) == (Role.PLAYER, True, True)
    access.plays = lambda player: player == "Anna"
    assert (own.has_same_role, own.may(Action.CORRECT_POSE, "Ida"), own.may(Action.SEE)) == (False, False, True)
    nobodys = known(access, cookie)
    assert (nobodys.role, nobodys.player) == (Role.GUEST, None)
    access.choose(nobodys, "Anna")
    assert [phone.player for phone in access.phones] == ["Anna"]


def test_a_removed_phone_is_out_at_once(served: Served) -> None:
    phone, owner = served.phone("Yellow"), served.owner()
    number = next(number for number, player in served.call("players") if player == "Yellow")
    with phone.events("/table", seen_on(phone.html("/table"))) as events, reach(phone.address) as live:
        live.sendall(
            f"GET /live.mjpeg HTTP/1.1\r\nHost: 127.0.0.2:{served.port}\r\nCookie: {phone.cookie}\r\n\r\n".encode()
        )
        assert live.recv(12) == b"HTTP/1.1 200"
        assert "Remove the phone: Yellow" in owner.html("/join")
        assert owner.send("remove-phone", number=str(number)).status_code == 204
        with pytest.raises(httpx.RemoteProtocolError):
            deque(events)
        with suppress(ConnectionResetError):
            while live.recv(65536):
                pass
    assert phone.get("/phone").status_code == 403
    assert phone.get("/events/table").status_code == 403
    assert number not in [phone_number for phone_number, _ in served.call("players")]


def test_visitors_remain_known_after_a_restart_in_the_same_evening_only(tmp_path: Path) -> None:
    """Restart only the access control; server/test_coming_back.py restarts a running server."""
    first = access_in(tmp_path)
    cookies = (first.become_owner(first.owner_key), first.join(first.code))
    first.choose(known(first, cookies[1]), "Blue")
    again = access_in(tmp_path, resume=True)
    assert (again.code, again.owner_key) == (first.code, first.owner_key)
    visitors = [known(again, cookie) for cookie in cookies]
    assert [(visitor.role, visitor.player) for visitor in visitors] == [(Role.OWNER, None), (Role.PLAYER, "Blue")]
    another = access_in(tmp_path)
    assert {another.code, another.owner_key}.isdisjoint({first.code, first.owner_key})
    assert [another.visitor(cookie) for cookie in cookies] == [None, None]
    assert another.join(first.code) is another.become_owner(first.owner_key) is None


def test_the_access_file_is_private_and_contains_no_cookie(tmp_path: Path) -> None:
    file = AccessFile(tmp_path / "deep" / "access.json")
    access = Access.of_the_evening(file, resume=False)
    cookie = access.join(access.code)
    assert cookie is not None
    assert cookie not in file.path.read_text("utf-8")
    if sys.platform != "win32":
        assert stat.S_IMODE(file.path.stat().st_mode) == 0o600
    kept = file.read()
    assert kept is not None
    assert KeptAccess.model_validate(json.loads(file.path.read_text("utf-8"))) == kept
    assert Access.of_the_evening(file, resume=True).visitor(cookie) is not None


@pytest.mark.parametrize("action", list(Action))
def test_permissions_of_phones(tmp_path: Path, action: Action) -> None:
    access = access_in(tmp_path)
    access.narrator = lambda: "Red"
    guest = known(access, access.join(access.code))
    assert guest.may(action) is (action is Action.SEE)
    access.choose(guest, "Red")
    narrators = {Action.SEE, Action.BET, Action.LAY, Action.UNDO, Action.DISMISS, Action.BAM, Action.DEAL}
    poses = {Action.CORRECT_POSE, Action.CONFIRM_POSE}
    assert guest.may(action) is (action in narrators)
    about_oneself = poses | {Action.SEE_CLOSE_UPS}
    assert guest.may(action, about="Red") is (action in narrators | about_oneself)
    assert guest.may(action, about="Blue") is (action in narrators)
    access.asked = lambda: ("Blue",)
    assert guest.may(action, about="Blue") is (action in narrators | poses)
    assert guest.may(action, about="Green") is guest.may(action) is (action in narrators)
    access.narrator = lambda: "Blue"
    assert guest.may(action) is (action is Action.SEE)
    assert guest.may(action, about="Blue") is (action is Action.SEE)
    access.asked = lambda: ("Red", "Blue")
    assert guest.may(action, about="Red") is (action in {Action.SEE, Action.CONFIRM_POSE, Action.SEE_CLOSE_UPS})
    assert guest.may(action, about="Blue") is (action is Action.SEE)
    access.remove(access.phones[0].number)
    assert not guest.may(action)
    assert not guest.may(action, about="Red")


def test_close_ups_are_visible_to_others_only_with_consent(tmp_path: Path) -> None:
    access = access_in(tmp_path)
    own, other, guest = (known(access, access.join(access.code)) for _ in range(3))
    access.choose(own, "Blue")
    access.choose(other, "Green", shares=True)

    def seen(by: Visitor) -> set[str]:
        return {player for player in ("Red", "Blue", "Green") if by.may(Action.SEE_CLOSE_UPS, player)}

    own, other = known_again(access, own), known_again(access, other)
    assert (seen(own), seen(other), seen(guest)) == ({"Blue", "Green"}, {"Green"}, set())
    access.share(own, shares=True)
    access.share(other, shares=False)
    assert (seen(own), seen(other), seen(guest)) == ({"Blue"}, {"Blue", "Green"}, set())
    again = access_in(tmp_path, resume=True)
    assert [phone.shares for phone in again.phones] == [True, False, False], "a restart keeps what was agreed"
    access.give_back(own)
    assert not access.shares("Blue"), "whoever takes the phone next is asked"
    access.share(other, shares=True)
    access.plays = lambda player: player != "Green"
    assert not access.shares("Green")
    with pytest.raises(AccessError):
        access.share(guest, shares=True)


def known_again(access: Access, visitor: Visitor) -> Visitor:
    """Return the visitor after its phone was assigned."""
    player = next(phone.player for phone in access.phones if phone.key == visitor.key)
    return Visitor(Role.PLAYER, player, visitor.key, access)


def test_the_server_listens_at_local_network_addresses_only() -> None:
    for address in addresses_of_this_computer():
        assert address not in {"0.0.0.0", "127.0.0.1"}  # noqa: S104 - that is what must not be


def test_the_server_listens_at_the_loopback_address_by_default(in_process: InProcess) -> None:
    others = [*addresses_of_this_computer(), "127.0.0.3"]
    for address in others:
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection((address, in_process.port), 5)
    with pytest.raises(OSError, match=r"refused|not available|unreachable|supported"):
        socket.create_connection(("::1", in_process.port), 5)
