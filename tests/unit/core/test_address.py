"""Addresses are opened with any secret, and shown and stored without it."""

from collections.abc import Callable
from urllib.parse import unquote, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bunnymoose_cv.core.address import completed, find_address, without_secrets

ODD = "@/?#[]:;,&=+!$'()*_.~-\\|\"<>{}^` %"
SECRETS = st.text(st.sampled_from(f"{ODD}abzé0я"), min_size=6, max_size=20).filter(
    lambda secret: secret == secret.strip()
)

FORMS: dict[str, Callable[[str], str]] = {
    "password": lambda secret: f"rtsp://anna:{secret}@192.168.1.20:554/live?channel=1",
    "user alone": lambda secret: f"rtsp://{secret}@192.168.1.20/live",
    "IPv6": lambda secret: f"http://anna:{secret}@[fe80::1]:8080/video",
    "name": lambda secret: f"https://anna:{secret}@camera/video",
    "no scheme": lambda secret: f"anna:{secret}@192.168.1.20/video",
    "path": lambda secret: f"http://192.168.1.20/user=anna_password={secret}",
    "parameter": lambda secret: f"http://192.168.1.20/x;user=a;pwd={secret}",
    "query": lambda secret: f"http://192.168.1.20/video?w=640&token={secret}",
    "encoded": lambda secret: f"http://192.168.1.20/x%3Bpw%3D{secret}",
    "unknown scheme": lambda secret: f"ftp://anna:{secret}@192.168.1.20/x",
    "no host": lambda secret: f"http://anna:{secret}@/video",
    "bad port": lambda secret: f"http://anna:{secret}@192.168.1.20:99999/x",
}


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
@given(secret=SECRETS.filter(lambda secret: not secret.endswith(":")))  # a user and an empty password
def test_secret_is_neither_shown_nor_stored(form: Callable[[str], str], secret: str) -> None:
    given_address = form(secret)
    address = find_address(given_address)
    assert address is not None
    for text in (without_secrets(given_address), address.kept, repr(address), without_secrets(address.kept)):
        assert secret not in text
        assert secret not in unquote(text)


@pytest.mark.parametrize("form", ["password", "IPv6", "name"])
@given(secret=SECRETS)
def test_password_with_any_characters_is_used_for_opening(form: str, secret: str) -> None:
    address = find_address(FORMS[form](secret))
    assert address is not None
    parts = urlsplit(address.opened)
    assert (parts.username, unquote(parts.password or "")) == ("anna", unquote(secret))
    assert parts.hostname in {"192.168.1.20", "fe80::1", "camera"}
    kept = find_address(address.kept)
    assert kept is not None
    assert not kept.is_complete
    assert find_address(completed(address.kept, secret)) == address


@pytest.mark.parametrize(
    ("pasted", "opened"),
    [
        (" http://10.0.0.5:8080/video\n", "http://10.0.0.5:8080/video"),
        ("“http://10.0.0.5/video”", "http://10.0.0.5/video"),
        ("<rtsp://10.0.0.5/live>", "rtsp://10.0.0.5/live"),
        ("HTTP://Camera.local/Video", "http://Camera.local/Video"),
        ("http:/10.0.0.5/video", "http://10.0.0.5/video"),
        ("http:10.0.0.5/video", "http://10.0.0.5/video"),
        ("http//10.0.0.5/video", "http://10.0.0.5/video"),
        ("http;//10.0.0.5/video", "http://10.0.0.5/video"),
        ("http:\\\\10.0.0.5\\video", "http://10.0.0.5/video"),
        ("http://camera\\video", "http://camera/video"),
        ("10.0.0.5:8080/video", "http://10.0.0.5:8080/video"),
        ("10.0.0.5", "http://10.0.0.5"),
        ("10.0.0.5:8554/live", "rtsp://10.0.0.5:8554/live"),
        ("10.0.0.5:1935/live", "rtmp://10.0.0.5:1935/live"),
        ("camera.local/video", "http://camera.local/video"),
        ("phone:8080/video", "http://phone:8080/video"),
        ("anna:pass word@10.0.0.5/video", "http://anna:pass%20word@10.0.0.5/video"),
        ("[fe80::1]:8080/video", "http://[fe80::1]:8080/video"),
        ("http://rtsp://10.0.0.5/live", "rtsp://10.0.0.5/live"),
        ("URL: rtsp://10.0.0.5/live", "rtsp://10.0.0.5/live"),
        ("[camera](rtsp://ida:x@10.0.0.5/live)", "rtsp://ida:x@10.0.0.5/live"),
        ("`rtsp://ida:x@10.0.0.5/live`", "rtsp://ida:x@10.0.0.5/live"),
        ("ffplay -rtsp_transport tcp rtsp://ida:x@10.0.0.5/live", "rtsp://ida:x@10.0.0.5/live"),
        ("view-source:http://ida:x@10.0.0.5/video", "http://ida:x@10.0.0.5/video"),
        ("rtsp%3A%2F%2Fida%3Ax%4010.0.0.5%2Flive", "rtsp://ida:x@10.0.0.5/live"),
        ("rtsp\uff1a\uff0f\uff0fida\uff1ax\uff2010.0.0.5\uff0flive", "rtsp://ida:x@10.0.0.5/live"),
        ("ida/x@10.0.0.5/live", "http://ida%2Fx@10.0.0.5/live"),
        ("udp://@:1234", "udp://@:1234"),
        ("udp://@239.0.0.1:1234", "udp://@239.0.0.1:1234"),
        ("rtmp://10.0.0.5/live", "rtmp://10.0.0.5/live"),
        ("http://10.0.0.5/video@2x?mail=a@b.c", "http://10.0.0.5/video@2x?mail=a@b.c"),
        ("http://10.0.0.5/my video", "http://10.0.0.5/my%20video"),
        ("rtsp://anna:p%40ss@10.0.0.5/", "rtsp://anna:p%40ss@10.0.0.5/"),
        ("rtsp://anna:100%@10.0.0.5/", "rtsp://anna:100%25@10.0.0.5/"),
    ],
)
def test_pasted_address_is_normalized(pasted: str, opened: str) -> None:
    address = find_address(pasted)
    assert address is not None
    assert (address.is_valid, address.opened) == (True, opened)


@pytest.mark.parametrize(
    "where",
    [
        *("0", "", " ", "C920", "Logitech, Inc. C270", "HD: Cam @ home", "USB:1", "/dev/video2", "clip.mp4"),
        *("evening/round 1.mp4", "clip@2x.mp4", "C:\\films\\a@b.mp4", "C:/films/a.mp4", "1.2", "x" * 9_000),
    ],
)
def test_camera_or_file_is_not_an_address(where: str) -> None:
    assert find_address(where) is None


@pytest.mark.parametrize("where", ["http://", "http://[::1/x", "http://a b/x", "http://h:port/x", "htp://10.0.0.5/v"])
def test_malformed_address_is_invalid(where: str) -> None:
    address = find_address(where)
    assert address is not None
    assert not address.is_valid


@pytest.mark.parametrize(
    ("where", "kept"),
    [
        ("rtsp://10.0.0.5/live", "rtsp://10.0.0.5/live"),
        ("rtsp://ida:x@10.0.0.5/live", "rtsp://ida:…@10.0.0.5/live"),
        ("rtsp://ida:@10.0.0.5/live", "rtsp://ida:@10.0.0.5/live"),
        ("rtsp://key@10.0.0.5/live", "rtsp://…@10.0.0.5/live"),
        (
            "rtsp://h/user=a&password=x&channel=1&stream=0.sdp?real",
            "rtsp://h/user=a&password=…&channel=1&stream=0.sdp?real",
        ),
        ("http://h/v?key=x&w=3&access_token=q", "http://h/v?key=…&w=3&access_token=…"),
        ("http://h/v?loginuse=a&loginpas=x", "http://h/v?loginuse=a&loginpas=…"),
        ("http://h/v?t=a81fbd0c55e1aa42", "http://h/v?t=…"),
        ("http://h/token/x/video", "http://h/token/…/video"),
        ("http://h/video?codec=h264&auth=x", "http://h/video?codec=h264&auth=…"),
        ("http://h/v?mdp=s3cret&fps=25&t=7", "http://h/v?mdp=…&fps=25&t=7"),
        ("http://h/v?pass%77ord=s3cret", "http://h/v?pass%77ord=…"),
        ("http://h/v?login[word]=s3cret&real", "http://h/v?login[word]=…&real"),
        ('http://h/v?data={"word":"s3cret"}', "http://h/v?data=…"),
        ("http://h/v?url=rtsp%3A%2F%2Fa%3As3cret%40h2%2F", "http://h/v?url=…"),
        ("http://h/v?password:s3cret", "http://h/v?password:…"),
        ("rtsp://h/anna:s3cret/ch1", "rtsp://h/anna:…/ch1"),
        ("rtsps://h:7441/aBc1DeF2gHi3JkL4?enableSrtp", "rtsps://h:7441/…?enableSrtp"),
        ("rtsp://h/5f0c9a12-77de-4b0c/main", "rtsp://h/…/main"),
        ("http://h/my%20video.mjpg", "http://h/my%20video.mjpg"),
        ("rtsp://h/Channels/101?transportmode=unicast", "rtsp://h/Channels/101?transportmode=unicast"),
        ("http://10.0.0.5/proxy/rtsp://a:b@10.0.0.6/", "http://10.0.0.5/proxy/rtsp://a:…@10.0.0.6/"),
    ],
)  # fmt: skip
def test_stored_address_lacks_only_the_secrets(where: str, kept: str) -> None:
    address = find_address(where)
    assert address is not None
    assert address.kept == kept
    again = find_address(kept)
    assert again is not None
    assert again.kept == kept


@pytest.mark.parametrize(
    "where", ["rtsps://h:7441/aBc1DeF2gHi3JkL4?enableSrtp", "rtsp://h/5f0c9a12-77de-4b0c/main", "http://h/v/ida:s3cret"]
)
def test_token_in_the_path_is_not_shown(where: str) -> None:
    assert without_secrets(where).endswith("/…")


@pytest.mark.parametrize(
    ("host", "is_local"),
    [
        *((host, True) for host in ("127.0.0.1", "10.1.2.3", "192.168.1.20:8080", "172.16.0.1", "169.254.3.4")),
        *((host, True) for host in ("[::1]:80", "[fe80::1%eth0]", "[fd12::1]", "localhost:8080", "camera.local")),
        ("phone", True),
        *((host, False) for host in ("example.org", "8.8.8.8", "[2606:4700::1111]", "local.example.org")),
    ],
)  # fmt: skip
def test_local_addresses_are_recognized(host: str, *, is_local: bool) -> None:
    address = find_address(f"http://{host}/video")
    assert address is not None
    assert address.is_local is is_local
