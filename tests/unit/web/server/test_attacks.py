"""Malicious requests to the running screen: paths, markup, sizes, hosts, origins, frames, uploads."""

import re
import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import sync_playwright

from bunnymoose_cv.web.server.html_pages import ROUTES
from tests.unit.web.browsing import TALKS, Served, raw, reach
from tests.unit.web.in_process import InProcess

SECRETS = (b"root:", b"from __future__", b"owner_key", b"SQLite format")
"""First bytes of files that no path may reach: the system's, the program's, the evening's, a game's."""

HUGE = "9" * 400

CROOKED = {
    "/": ("../../../../etc/passwd", "/etc/passwd", ".", "%", "%ff%fe", "access.json", "docs", "openapi.json"),
    "/style/": ("../server.py", "%2e%2e/server.py", "..%2fserver.py", "..%5cserver.py", "%252e%252e/server.py"),
    "/style": ("//etc/passwd", "/house.css%00.py"),
    "/film/": ("-1/1.mp4", "1e3/1.mp4", "0x10/1.mp4", "%31%00/1.mp4", "%D9%A1/1.mp4", f"{HUGE}/1.mp4"),
    "/film": (f"/{HUGE}/{HUGE}.mp4", "/1/../../game.sqlite", "/..%2f..%2faccess/1.mp4"),
    "/still/": (f"{HUGE[:300]}/1.jpg", "1/..%2f..%2fevidence.json"),
    "/frame/": ("1/0.jpg", "0/1.jpg", "1/999999.jpg"),
    "/download/": ("last.zip", "2026-11-21_20-05-33.zip", "..%2f..%2faccess.json", "../access.json"),
    "/verdicts/": ("../../etc/passwd",),
    "/contest/": ("1/..%2f..",),
}
"""Path traversals, by the path that they follow."""

PATHS = [beginning + end for beginning, ends in CROOKED.items() for end in ends]


@pytest.mark.parametrize("target", PATHS)
def test_paths_cannot_leave_the_static_folder(served: Served, target: str) -> None:
    target = target.encode().decode("latin-1")
    answer = raw(served.owner_once.address, served.owner_once.request(target, "Connection: close"))
    assert re.match(rb"HTTP/1.1 (400|403|404|414) ", answer), answer[:200]
    assert not any(secret in answer for secret in SECRETS)


def test_static_files_are_found_by_exact_names_only(in_process: InProcess) -> None:
    """Check that the paths above are refused as traversals, and not because static files are missing."""
    assert in_process.owner_once.get("/style/house.css").status_code == 200
    assert in_process.owner_once.get("/style/parts.js").status_code == 200


OWNERS_PAGES = ("setup", "table", "cards", "verdicts", "history", "practice", "check", "warm-up", "enrol", "join")

NAMES = (
    "<img src=x onerror=pwned=1>",
    "</script><script>pwned=1</script>",
    "`${pwned=1}`",
    "\"'><b onmouseover=pwned=1>",
    "=HYPERLINK(0)",
)


@pytest.fixture(scope="module")
def marked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Yield a screen whose players have markup as names."""
    with Served(tmp_path_factory.mktemp("marked"), names=NAMES) as screen:
        yield screen


def test_names_are_escaped_and_pages_load_nothing_from_elsewhere(marked: Served) -> None:
    """Chromium runs nothing in a name, sends no request elsewhere, and writes nothing to the console."""
    owner, phone = marked.owner(), marked.phone(NAMES[1])
    marked.call("bet")
    asked: list[str] = []
    messages: list[str] = []
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for browser, names in ((owner, OWNERS_PAGES), (phone, ("phone",))):
            context = chromium.new_context()
            context.add_cookies(browser.for_chromium)
            context.on("request", lambda request: asked.append(request.url))
            context.on("console", lambda message: messages.append(f"{message.type}: {message.text}"))
            for name in names:
                page = context.new_page()
                page.on("websocket", lambda socket: asked.append(socket.url))
                page.goto(f"{browser.base}/{name}")
                page.locator("main").wait_for()
                page.evaluate(TALKS)
                assert page.evaluate("typeof pwned") == "undefined", name
                assert page.locator("img[src=x], b[onmouseover], [onerror]").count() == 0, name
                assert name != "phone" or NAMES[1] in page.inner_text("body")
                page.close()
        chromium.close()
    ours = re.compile(rf"(http|ws)://127\.0\.0\.[12]:{marked.port}/|data:|blob:")
    assert [url for url in asked if not ours.match(url)] == []
    assert messages == []


def test_names_cannot_inject_formulas_or_headers(marked: Served) -> None:
    owner = marked.owner()
    number = "".join(filter(str.isdecimal, marked.call("folder").rsplit("/", 1)[1]))
    for kind in ("csv", "json", "zip"):
        answer = owner.get(f"/download/{number}.{kind}")
        assert re.fullmatch(rf'attachment; filename="[-_0-9]+\.{kind}"', answer.headers["content-disposition"])


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        (["Content-Length: 5"], b"413"),
        (["Transfer-Encoding: chunked"], b"413"),
        (["Content-Length: 99999999999999999999"], b"4"),
        (["X-Long: " + "x" * 20_000], b"4"),
        ([f"X-{number}: {'x' * 100}" for number in range(200)], b"4"),
        (["Cookie: " + "a=b; " * 5000], b"4"),
        (["Host: evil.example"], b"400"),
        (["Content-Length: 5", "Content-Length: 6"], b"400"),
        (["Content-Length: -1"], b"400"),
        (["Bad\0Header: x"], b"400"),
    ],
    ids=lambda value: value[0][:22] if isinstance(value, list) else None,
)
def test_oversized_and_malformed_requests_are_refused(served: Served, headers: list[str], status: bytes) -> None:
    answer = raw(served.owner_once.address, served.owner_once.request("/table", *headers))
    assert answer.startswith(b"HTTP/1.1 " + status), answer[:120]


def test_overlong_addresses_are_refused(in_process: InProcess) -> None:
    assert in_process.owner_once.get("/table?" + "x" * 3000).status_code == 414
    assert in_process.owner_once.get("/table?" + "x" * 100).status_code == 200


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT", "PROPFIND"])
def test_pages_accept_only_get_and_head(served: Served, method: str) -> None:
    uploads = ("/cards/photo/1.jpg", *(() if method == "POST" else ("/cards/photo",)))
    for path in ("/table", "/cards", "/join", "/events/join", "/", "/style/house.css", "/download/1.zip", *uploads):
        assert served.owner_once.ask(method, path).status_code == 405


@pytest.mark.parametrize("path", ["/table", "/events/table", "/command/bam", "/style/house.css", "/socket.io/"])
def test_nothing_is_uploaded(served: Served, path: str) -> None:
    files = {"file": ("game.sqlite", b"x" * 100_000)}
    headers = {"Origin": served.owner_once.base}
    for method in ("POST", "PUT"):
        assert served.owner_once.ask(method, path, files=files, headers=headers).status_code in {405, 413}


@pytest.mark.parametrize("path", ["/table", "/events/table", "/command/bam", "/socket.io/"])
def test_web_sockets_are_refused(served: Served, path: str) -> None:
    upgrade = "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13"
    key = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="
    browser = served.owner_once
    with reach(browser.address) as connection:
        connection.sendall(browser.request(path, *upgrade, key))
        answer = connection.recv(64)
    assert answer.startswith((b"HTTP/1.1 200", b"HTTP/1.1 40")), "as if no socket had been asked for"


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "evil.example:{port}",
        "127.0.0.1",
        "127.0.0.1:1",
        "127.0.0.1:{port}.evil.example",
        "0.0.0.0:{port}",
        "",
    ],
)
def test_requests_for_another_host_are_refused(in_process: InProcess, host: str) -> None:
    """Simulate DNS rebinding, in which a foreign host name resolves to this server."""
    named = host.format(port=in_process.port)
    owner = in_process.owner_once
    for path in ("/table", "/join", f"/join?code={in_process.code}", "/style/house.css"):
        assert owner.get(path, Host=named).status_code in {400, 421}
    answer = owner.ask("POST", "/command/undo", headers={"Origin": owner.base, "Host": named})
    assert answer.status_code in {400, 421}


ANSWERS = {
    **{re.sub(r"\{.*?\}", "1", route.path): 200 for route in ROUTES},
    "/phone": 403,
    "/nowhere": 404,
    "/still/1/1.jpg": 404,
    "/style/house.css": 200,
    "/style/parts.js": 200,
}


@pytest.mark.parametrize(("path", "status"), ANSWERS.items())
def test_every_answer_restricts_the_browser(served: Served, path: str, status: int) -> None:
    answer = served.owner_once.get(path)
    assert answer.status_code == status
    policy = answer.headers["content-security-policy"]
    assert "frame-ancestors 'none'" in policy
    assert "default-src 'none'" in policy
    assert "base-uri 'none'" in policy
    scripts = re.search(r"script-src ([^;]*)", policy)
    assert scripts is None or scripts[1] == "'self'"
    assert "http:" not in policy
    assert answer.headers["x-frame-options"] == "DENY"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["referrer-policy"] == "no-referrer"
    assert answer.headers["cross-origin-resource-policy"] == "same-origin"
    assert "camera=()" in answer.headers["permissions-policy"]
    assert not [name for name in answer.headers if name.startswith("access-control-")]
    assert "server" not in answer.headers
    if not path.startswith("/style/"):
        assert answer.headers["cache-control"] == "no-store"


def test_pages_never_reflect_request_data(in_process: InProcess) -> None:
    answer = in_process.owner_once.get(
        "/table?q=reflected", **{"X-Forwarded-Prefix": "/reflected", "X-Forwarded-Host": "reflected"}
    )
    assert answer.status_code == 200
    assert "reflected" not in answer.text
