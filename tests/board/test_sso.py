"""Single sign-on against a provider on this machine, which signs real tokens: whose account it opens, and whose not."""

from __future__ import annotations

import base64
import hashlib
import json
import secrets
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from sqlalchemy import select

from board import making
from board.serving import ORIGIN, Browser, Served
from gecval.board import accounts, clock, mail, sso
from gecval.board.database.models import Address, Identity, Mail, User, WebSession

CLIENT, SECRET = "gecval-board", "a client's secret"
Claims = dict[str, Any]


@dataclass
class Provider:
    """OpenID Connect with the code flow. ``change`` is what a test does to claims; ``sign`` how a token is signed."""

    keys: dict[str, Any]
    issuer: str = ""
    codes: dict[str, Claims] = field(default_factory=dict)
    change: Callable[[Claims], Claims] = dict
    sign: Callable[[Claims], str] | None = None
    down: bool = False

    def log_in(self, address: str, subject: str, **claims: Any) -> str:
        """What the browser is sent back to, once somebody has logged in here."""
        asked = {name: values[0] for name, values in parse_qs(urlsplit(address).query).items()}
        assert (asked["client_id"], asked["response_type"]) == (CLIENT, "code")
        assert set(asked["scope"].split()) == {"openid", "email", "profile"}
        code, at = secrets.token_hex(8), int(time.time())
        token = {"iss": self.issuer, "aud": CLIENT, "sub": subject, "iat": at, "exp": at + 60, "nonce": asked["nonce"]}
        self.codes[code] = asked | {"claims": self.change(token | claims)}
        assert asked["redirect_uri"] == f"{ORIGIN}/sso/back"
        return f"/sso/back?code={code}&state={asked['state']}"

    def exchange(self, form: dict[str, str], authorization: str) -> Claims | None:
        """The token for a code: for this client, for who holds the verifier, and once."""
        asked = self.codes.pop(form.get("code", ""), None)
        basic = base64.b64encode(f"{CLIENT}:{SECRET}".encode()).decode()
        challenge = base64.urlsafe_b64encode(hashlib.sha256(form.get("code_verifier", "").encode()).digest())
        fits = asked and asked["code_challenge"] == challenge.decode().rstrip("=")
        if not fits or authorization != f"Basic {basic}" or form["redirect_uri"] != asked["redirect_uri"]:
            return None
        return {"access_token": "x", "token_type": "Bearer", "id_token": (self.sign or self.signed)(asked["claims"])}

    def signed(self, claims: Claims, key: str = "ours", algorithm: str = "RS256") -> str:
        from joserfc import jwt

        header = {"alg": algorithm, "kid": "ours"}
        return jwt.encode(header, claims, self.keys[key], algorithms=[algorithm])

    def answer(self, path: str, form: dict[str, str], authorization: str) -> Claims | None:
        if path == "/.well-known/openid-configuration":
            ends = {name: f"{self.issuer}/{name}" for name in ("authorization_endpoint", "token_endpoint", "jwks_uri")}
            return {"issuer": self.issuer, **ends}
        if path == "/jwks_uri":
            return {"keys": [self.keys["ours"].as_dict(private=False) | {"kid": "ours"}]}
        return self.exchange(form, authorization) if path == "/token_endpoint" else None


@pytest.fixture(scope="module")
def running() -> Iterator[Provider]:
    pytest.importorskip("authlib", reason="authlib is not installed")
    from joserfc.jwk import OctKey, RSAKey

    keys = {name: RSAKey.generate_key(2048) for name in ("ours", "another")}
    provider = Provider(keys | {"secret": OctKey.import_key(SECRET * 4)})

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
            form = {name: values[0] for name, values in parse_qs(body).items()}
            said = None if provider.down else provider.answer(self.path, form, self.headers.get("Authorization", ""))
            self.send_response(200 if said else 400)
            self.end_headers()
            self.wfile.write(json.dumps(said or {"error": "invalid_grant"}).encode())

        do_POST = do_GET  # noqa: N815

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    provider.issuer = f"http://127.0.0.1:{server.server_port}"
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield provider
    server.shutdown()


@pytest.fixture
def provider(running: Provider) -> Provider:
    running.change, running.sign, running.down = dict, None, False
    return running


@pytest.fixture
def served(on_sqlite, settings, provider) -> Served:
    given = {"sso": provider.issuer, "sso_client": CLIENT, "sso_secret": SECRET, "sso_name": "the lab"}
    return Served(on_sqlite, replace(settings, address=ORIGIN, sso_signup=True, **given))


def begin(browser: Browser) -> str:
    """Where the button of the log-in page leads."""
    assert 'href="/sso"' in browser.get("/login")
    answer = browser.client.get("/sso")
    assert answer.status_code == 303, answer.text
    return answer.headers["location"]


def enter(browser: Browser, provider: Provider, subject: str = "s1", **claims: Any) -> tuple[int, str]:
    answer = browser.client.get(provider.log_in(begin(browser), subject, **claims))
    return answer.status_code, answer.text


def connect(browser: Browser, provider: Provider, subject: str = "s1", **claims: Any) -> tuple[int, str]:
    page = browser.send("/account/sso", {"password": making.PASSWORD}).text
    found = page.partition(f'href="{provider.issuer}')[2].partition('"')[0].replace("&amp;", "&")
    answer = browser.client.get(provider.log_in(found, subject, **claims))
    return answer.status_code, answer.text


def owner(browser: Browser) -> str:
    return browser.get("/account").partition("<h1>")[2].partition("</h1>")[0]


def names(served: Served) -> set[str]:
    with served.database.read() as session:
        return set(session.scalars(select(User.name)))


def give_address(served: Served, name: str, address: str, *, role: str = "") -> None:
    with served.database.write() as session:
        user = session.scalars(select(User).where(User.name == name)).one()
        mail.set_address(session, user, address)
        user.role = role or user.role


def test_somebody_new_and_again(served, provider) -> None:
    one, other = served.browser(), served.browser()
    assert enter(one, provider, preferred_username="maria", email="M@lab.example", email_verified=True)[0] == 303
    assert owner(one) == "maria"
    assert enter(other, provider, preferred_username="renamed")[0] == 303
    assert owner(other) == "maria"  # the subject is who it is
    with served.database.read() as session:
        assert session.scalars(select(Address.address)).all() == ["m@lab.example"]
    guess = served.browser().send("/login", {"name": "maria", "password": ""}, form="/login")
    assert guess.status_code == 401
    assert one.send("/account/sso/remove", {}).status_code == 400  # its only way in


@pytest.mark.parametrize(("claimed", "made"), [("Anna", "Anna 2"), ("\u202e\n", "member"), ("", "member")])
def test_a_name_that_is_taken_or_none(served, provider, claimed: str, made: str) -> None:
    browser = served.browser()
    enter(browser, provider, preferred_username=claimed)
    assert owner(browser) == made
    assert owner(served.browser("anna")) == "anna"


def test_an_answer_holds_for_the_browser_that_asked_and_once(served, provider) -> None:
    one, other = served.browser(), served.browser()
    back = provider.log_in(begin(one), "s1")
    assert other.client.get(back).status_code == 403  # no cookie
    begin(other)
    assert other.client.get(back).status_code == 403  # another state
    code = back.partition("code=")[2].partition("&")[0]
    theirs = provider.log_in(begin(other), "s2").partition("&state=")[2]
    assert other.client.get(f"/sso/back?code={code}&state={theirs}").status_code == 403  # PKCE: a stolen code
    assert names(served) == {"olga", "anna", "ben"}
    back = provider.log_in(begin(one), "s1")
    assert one.client.get(back).status_code == 303
    assert one.client.get(back).status_code == 403
    assert one.client.get("/sso/back?error=access_denied").status_code == 403


def without(name: str) -> Callable[[Claims], Claims]:
    return lambda claims: {key: value for key, value in claims.items() if key != name}


@pytest.mark.parametrize(
    "change",
    [
        lambda claims: claims | {"nonce": "of another log-in"},
        without("nonce"),
        lambda claims: claims | {"aud": "another program"},
        lambda claims: claims | {"aud": [CLIENT, "another"], "azp": "another"},
        lambda claims: claims | {"iss": "https://another.example"},
        lambda claims: claims | {"exp": claims["iat"] - 1000},
        without("exp"),
        without("sub"),
        lambda claims: claims | {"sub": ""},
        lambda claims: claims | {"sub": ["s1"]},
    ],
)
def test_a_token_that_does_not_fit(served, provider, change) -> None:
    provider.change = change
    status, text = enter(served.browser(), provider)
    assert (status, "did not confirm who you are" in text) == (403, True)
    check_nobody_came(served)


@pytest.mark.parametrize("how", ["another key", "HS256", "none", "not a token", "no token"])
def test_a_token_that_the_provider_did_not_sign(served, provider, how: str) -> None:
    def unsigned(claims: Claims) -> str:
        parts = [json.dumps(part).encode() for part in ({"alg": "none"}, claims)]
        return ".".join(base64.urlsafe_b64encode(part).decode().rstrip("=") for part in parts) + "."

    provider.sign = {
        "another key": lambda claims: provider.signed(claims, "another"),
        "HS256": lambda claims: provider.signed(claims, "secret", "HS256"),
        "none": unsigned,
        "not a token": lambda _: "a.b.c",
        "no token": lambda _: "",
    }[how]
    assert enter(served.browser(), provider)[0] == 403
    check_nobody_came(served)


def check_nobody_came(served: Served) -> None:
    with served.database.read() as session:
        assert session.scalars(select(Identity)).all() == []
        assert session.scalars(select(WebSession)).all() == []
    assert names(served) == {"olga", "anna", "ben"}


def test_an_address_that_both_sides_verified_finds_its_account(served, provider) -> None:
    give_address(served, "anna", "anna@lab.example")
    browser = served.browser()
    assert enter(browser, provider, email="Anna@Lab.example", email_verified=True)[0] == 303
    assert owner(browser) == "anna"
    again = served.browser()
    enter(again, provider, email="moved@lab.example", email_verified=True)
    assert owner(again) == "anna"
    other = enter(served.browser(), provider, "s2", email="anna@lab.example", email_verified=True)
    assert other[0] == 403  # a second person with the same address: the first has the account


@pytest.mark.parametrize("verified", [False, None, "true", 1])
def test_an_address_that_is_only_claimed_finds_nothing(served, provider, verified: object) -> None:
    give_address(served, "anna", "anna@lab.example")
    browser = served.browser()
    enter(browser, provider, preferred_username="eve", email="anna@lab.example", email_verified=verified)
    assert owner(browser) == "eve"


def test_an_address_that_nobody_confirmed_here_is_nobodys(served, provider) -> None:
    """Somebody who makes an account in my name before I come gets nothing of mine."""
    with served.database.write() as session:
        anna = session.scalars(select(User).where(User.name == "anna")).one()
        mail.ask_confirmation(session, anna, "victim@lab.example")
    browser = served.browser()
    enter(browser, provider, preferred_username="victim", email="victim@lab.example", email_verified=True)
    assert owner(browser) == "victim"


def test_an_organiser_is_not_found_by_address(served, provider) -> None:
    give_address(served, "olga", "olga@lab.example")
    status, text = enter(served.browser(), provider, email="olga@lab.example", email_verified=True)
    assert (status, "log in with its password" in text) == (403, True)
    assert connect(served.browser("olga"), provider)[0] == 303
    browser = served.browser()
    enter(browser, provider)
    assert owner(browser) == "olga"


def test_an_account_is_connected_by_its_owner_alone(served, provider) -> None:
    anna, ben = served.browser("anna"), served.browser("ben")
    assert anna.client.post("/account/sso", data={}).status_code == 403  # another site's form
    page = anna.send("/account/sso", {"password": making.PASSWORD}).text
    address = page.partition(f'href="{provider.issuer}')[2].partition('"')[0].replace("&amp;", "&")
    back = provider.log_in(address, "eve")
    assert ben.client.get(back).status_code == 403
    ben.client.cookies.set("gecval_sso", anna.client.cookies["gecval_sso"])
    assert ben.client.get(provider.log_in(address, "eve")).status_code == 403  # with her cookie, too
    assert connect(anna, provider)[0] == 303
    status, text = connect(served.browser("ben"), provider)
    assert (status, "another account" in text) == (403, True)
    assert "You can log in by the lab" in anna.get("/account")
    assert anna.send("/account/sso/remove", {}).status_code == 303
    browser = served.browser()
    enter(browser, provider, preferred_username="new")
    assert owner(browser) == "new"


def test_who_is_shut_out_stays_out(served, provider) -> None:
    connect(served.browser("anna"), provider)
    give_address(served, "anna", "anna@lab.example")
    with served.database.write() as session:
        anna, olga = (session.scalars(select(User).where(User.name == name)).one() for name in ("anna", "olga"))
        accounts.disable(session, anna, by=olga, disabled=True)
    for subject in ("s1", "s2"):
        assert enter(served.browser(), provider, subject, email="anna@lab.example", email_verified=True)[0] == 403


def test_without_sign_up_a_stranger_stays_one(served, provider) -> None:
    served.settings = replace(served.settings, sso_signup=False)
    served.app.state.settings = served.settings
    status, text = enter(served.browser(), provider, preferred_username="eve")
    assert (status, "ask an organiser for a link" in text) == (403, True)
    check_nobody_came(served)


def test_a_provider_that_is_down_or_another(served, provider) -> None:
    provider.down = True
    assert served.browser().client.get("/sso").status_code == 403
    served.app.state.settings = replace(served.settings, sso="http://127.0.0.1:9")
    answer = served.browser().client.get("/sso")
    assert (answer.status_code, "does not answer" in answer.text) == (503, True)
    provider.down = False
    served.app.state.settings = replace(served.settings, sso=provider.issuer + "/")
    answer = served.browser().client.get("/sso")
    assert (answer.status_code, "not that of a provider" in answer.text) == (503, True)
    assert owner(served.browser("anna")) == "anna"


def test_without_the_library_the_install_line_is_said(served, monkeypatch) -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == "authlib"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "authlib", None)
    answer = served.browser().client.get("/sso")
    assert (answer.status_code, "pip install &#39;gecval[sso]&#39;" in answer.text) == (400, True)


def test_without_a_provider_there_is_no_button(on_sqlite, settings) -> None:
    served = Served(on_sqlite, settings)
    assert "/sso" not in served.browser().get("/login")
    anna = served.browser("anna")
    assert "sign-on" not in anna.get("/account")
    for path in ("/sso", "/sso/back"):
        anna.get(path, 404)


def test_connecting_takes_the_password(served, provider) -> None:
    """A stolen session opens no other way in."""
    anna = served.browser("anna")
    assert 'name="password"' in anna.get("/account").partition("Single sign-on")[2].partition("</form>")[0]
    for wrong in ("", "not hers, surely"):
        refused = anna.send("/account/sso", {"password": wrong})
        assert (refused.status_code, "the password is wrong" in refused.text) == (403, True)
        assert "gecval_sso" not in anna.client.cookies
    for _ in range(served.settings.logins - 2):
        anna.send("/account/sso", {"password": ""})
    assert anna.send("/account/sso", {"password": making.PASSWORD}).status_code == 429


def test_who_has_no_password_logs_in_before_they_connect(served, provider, monkeypatch) -> None:
    browser = served.browser()
    enter(browser, provider, preferred_username="maria")
    assert connect(browser, provider, "s2")[0] == 303
    monkeypatch.setattr(clock, "read_clock", lambda: time.time() + 601)
    refused = browser.send("/account/sso", {})
    assert (refused.status_code, "log out, log in, and try again" in refused.text) == (403, True)


def test_the_operators_new_password_disconnects(served, provider) -> None:
    connect(served.browser("anna"), provider, "thief")
    with served.database.write() as session:
        accounts.reset_password(session, served.settings, "anna")
    browser = served.browser()
    enter(browser, provider, "thief", preferred_username="eve")
    assert owner(browser) == "eve"


def test_who_has_disconnected_is_not_found_by_address(served, provider) -> None:
    give_address(served, "anna", "anna@lab.example")
    theirs = {"email": "anna@lab.example", "email_verified": True}
    anna = served.browser("anna")
    assert connect(anna, provider)[0] == 303
    assert anna.send("/account/sso/remove", {}).status_code == 303
    for subject in ("s1", "s2"):
        status, text = enter(served.browser(), provider, subject, **theirs)
        assert (status, "log in with its password" in text) == (403, True)
    assert connect(anna, provider)[0] == 303
    browser = served.browser()
    enter(browser, provider, **theirs)
    assert owner(browser) == "anna"
    with served.database.write() as session:  # a new password is no wish to stay disconnected
        accounts.reset_password(session, served.settings, "anna")
    enter(browser, provider, **theirs)
    assert owner(browser) == "anna"


def test_a_cookie_holds_once_and_for_ten_minutes(served, provider, monkeypatch) -> None:
    browser = served.browser()
    first = begin(browser)
    cookie = browser.client.cookies["gecval_sso"]
    assert browser.client.get(provider.log_in(first, "s1")).status_code == 303
    browser.client.cookies.set("gecval_sso", cookie, domain="localhost.local", path="/sso")
    assert browser.client.get(provider.log_in(first, "s1")).status_code == 403
    assert "gecval_sso" not in browser.client.cookies  # also where it fails
    late = provider.log_in(begin(browser), "s1")
    monkeypatch.setattr(clock, "read_clock", lambda: time.time() + 601)
    assert browser.client.get(late).status_code == 403


def test_ways_back_are_limited_and_few_ask_the_provider(served, provider, monkeypatch) -> None:
    asked = []
    answer = provider.answer
    monkeypatch.setattr(provider, "answer", lambda path, *given: (asked.append(path), answer(path, *given))[1])
    browser = served.browser()
    state = provider.log_in(begin(browser), "s1").partition("state=")[2]
    cookie = browser.client.cookies["gecval_sso"]
    tried = []
    for number in range(102):
        browser.client.cookies.set("gecval_sso", cookie, domain="localhost.local", path="/sso")
        tried.append(browser.client.get(f"/sso/back?code=bad{number}&state={state}").status_code)
    assert tried == [403] * 100 + [429] * 2
    assert asked == ["/.well-known/openid-configuration", "/token_endpoint"]


def test_a_slow_provider_holds_few_threads(served, provider, monkeypatch) -> None:
    waiting, go_on = threading.Semaphore(0), threading.Event()
    answer = provider.answer

    def slowly(*given: Any) -> Any:
        waiting.release()
        assert go_on.wait(60)
        return answer(*given)

    monkeypatch.setattr(provider, "answer", slowly)
    with ThreadPoolExecutor(sso.AT_ONCE) as readers:
        asking = [readers.submit(served.browser().client.get, "/sso") for _ in range(sso.AT_ONCE)]
        for _ in asking:
            assert waiting.acquire(timeout=60)
        refused = served.browser().client.get("/sso")
        assert (refused.status_code, "is slow" in refused.text) == (503, True)
        go_on.set()
        assert [one.result().status_code for one in asking] == [303] * sso.AT_ONCE


def test_without_a_mail_server_no_mail_waits(served, provider) -> None:
    connect(served.browser("anna"), provider)
    enter(served.browser(), provider, "s2", email="new@lab.example", email_verified=True)
    with served.database.read() as session:
        assert session.scalars(select(Mail)).all() == []
