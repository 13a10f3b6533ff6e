"""Single sign-on by OpenID Connect, where ``board.toml`` names a provider: the code flow with PKCE, state and nonce.

    begin ──► the provider, where people log in ──► finish: a ``Person`` ──► find_or_make, connect

A browser that begins gets a cookie. State, nonce and the verifier of PKCE are HMACs of it under the board's own secret,
so an answer holds for the browser that asked, and for nothing that a stranger has begun.

Whose account is it? The one that this issuer and subject are connected with. Else the one whose address of mail the
board itself has confirmed, if the provider says that it has verified this address, too. An address that somebody only
claims, here or there, is worth nothing. An organiser's account is never found by its address: some providers verify
badly. Organisers connect theirs on their account page. So does who has disconnected an account.

Only few threads at once wait for the provider, so that one that is slow holds nobody else up.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import BoundedSemaphore
from typing import Any
from urllib.parse import urlencode

import httpx
from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from gecval.board import accounts, mail
from gecval.board.accounts import HOUR, check_rate, count_attempt
from gecval.board.clock import now
from gecval.board.database.models import Address, Identity, User
from gecval.board.database.storage import record
from gecval.board.errors import BusyError, ForbiddenError, TooManyError
from gecval.board.form_fields import clean_name
from gecval.board.settings import Settings, is_address
from gecval.errors import InputError, MissingExtraError

NO_PASSWORD = ""  # no password fits it
PATIENCE = 10.0  # seconds that a provider may take to answer
AT_ONCE = 8  # threads that wait for a provider
KNOWN_SECONDS = 600.0  # for which the board remembers the addresses of a provider
COOKIE_MINUTES = 10  # in which somebody comes back
LEEWAY = 120  # seconds that its clock may differ
ALGORITHMS = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"]
UNCONFIRMED = "the provider of single sign-on did not confirm who you are; begin again"
ELSEWHERE = "this log-in was begun elsewhere, or too long ago; begin again"


@dataclass(frozen=True)
class Person:
    """Who somebody is, as a provider says. ``address`` is one that it has verified."""

    issuer: str
    subject: str
    name: str
    address: str | None


@dataclass
class Provider:
    """Asks the provider. It remembers where the provider does what."""

    _known: dict[str, tuple[float, Mapping[str, Any]]] = field(default_factory=dict)
    _places: BoundedSemaphore = field(default_factory=lambda: BoundedSemaphore(AT_ONCE))

    def discover(self, settings: Settings) -> Mapping[str, Any]:
        """Where the provider does what. It must be the one that was asked."""
        moment, known = self._known.get(settings.sso, (-KNOWN_SECONDS, {}))
        if known and time.monotonic() < moment + KNOWN_SECONDS:
            return known
        known = self.ask("GET", f"{settings.sso.rstrip('/')}/.well-known/openid-configuration")
        needed = ("authorization_endpoint", "token_endpoint", "jwks_uri")
        if known.get("issuer") != settings.sso or not all(isinstance(known.get(name), str) for name in needed):
            raise BusyError("the address of single sign-on in board.toml is not that of a provider; tell the operator")
        self._known[settings.sso] = time.monotonic(), known
        return known

    def ask(self, method: str, url: str, **body: Any) -> Mapping[str, Any]:
        with self._place():
            try:
                answer = httpx.request(method, url, timeout=PATIENCE, headers={"Accept": "application/json"}, **body)
                content = answer.json()
            except (httpx.HTTPError, httpx.InvalidURL, ValueError) as error:
                raise BusyError(
                    "the provider of single sign-on does not answer; try again, or log in with a password"
                ) from error
        if answer.status_code != 200 or not isinstance(content, dict):
            raise ForbiddenError(UNCONFIRMED)
        return content

    @contextmanager
    def _place(self) -> Iterator[None]:
        if not self._places.acquire(blocking=False):
            raise BusyError("the provider of single sign-on is slow; try again, or log in with a password")
        try:
            yield
        finally:
            self._places.release()


def new_cookie(user: User | None = None) -> str:
    """What a browser shows when it comes back. With a user, the answer is for connecting this account alone."""
    return f"{user.id if user else ''}.{now():.0f}.{secrets.token_urlsafe(32)}"


def use_cookie(session: Session, secret: str, cookie: str, state: str) -> str:
    """Whom the answer to this browser is for connecting, or nobody. A cookie holds once and for some minutes."""
    user_id, _, rest = cookie.partition(".")
    if not cookie or not hmac.compare_digest(_derive(secret, cookie, "state").encode(), state.encode()):
        raise ForbiddenError(ELSEWHERE)
    if float(rest.partition(".")[0]) < now() - 60 * COOKIE_MINUTES:  # it is ours, as the state fits
        raise ForbiddenError(ELSEWHERE)
    try:
        check_rate(session, "sso cookie", cookie, limit=1, seconds=HOUR)
    except TooManyError:
        raise ForbiddenError(ELSEWHERE) from None
    count_attempt(session, "sso cookie", cookie)
    return user_id


def begin(provider: Provider, settings: Settings, secret: str, cookie: str) -> str:
    """The address at the provider where somebody logs in."""
    _import_authlib()
    from authlib.oauth2.rfc7636 import create_s256_code_challenge  # type: ignore[import-untyped]

    challenge = create_s256_code_challenge(_derive(secret, cookie, "verifier"))
    query = {
        "response_type": "code",
        "client_id": settings.sso_client,
        "redirect_uri": _return_address(settings),
        "scope": "openid email profile",
        "state": _derive(secret, cookie, "state"),
        "nonce": _derive(secret, cookie, "nonce"),
        "code_challenge": challenge,
        "code_challenge_method": "S256",
    }
    endpoint = str(provider.discover(settings)["authorization_endpoint"])
    return f"{endpoint}{'&' if '?' in endpoint else '?'}{urlencode(query)}"


def finish(provider: Provider, settings: Settings, secret: str, cookie: str, code: str) -> Person:
    """Who came back from the provider with a code."""
    if not code:
        raise ForbiddenError("the provider of single sign-on let you not in; begin again, or log in with a password")
    known = provider.discover(settings)
    fields = {
        "grant_type": "authorization_code",
        "code": code,
        "redirect_uri": _return_address(settings),
        "code_verifier": _derive(secret, cookie, "verifier"),
        "client_id": settings.sso_client,
    }
    auth = (settings.sso_client, settings.sso_secret) if settings.sso_secret else None
    token = provider.ask("POST", str(known["token_endpoint"]), data=fields, auth=auth)
    keys = provider.ask("GET", str(known["jwks_uri"]))
    claims = _verify(settings, token, keys, nonce=_derive(secret, cookie, "nonce"))
    address = str(claims.get("email", "")).strip().lower()
    verified = claims.get("email_verified") is True and is_address(address)
    name = str(claims.get("preferred_username") or claims.get("name") or "")
    return Person(settings.sso, str(claims["sub"]), name, address if verified else None)


def _verify(settings: Settings, token: Mapping[str, Any], keys: Any, *, nonce: str) -> Mapping[str, Any]:
    """The claims of an ID token that the provider signed, for us, now, and for this browser."""
    from authlib.oidc.core import CodeIDToken  # type: ignore[import-untyped]
    from joserfc import jwt
    from joserfc.errors import JoseError
    from joserfc.jwk import KeySet

    try:
        signed = jwt.decode(token["id_token"], KeySet.import_key_set(keys), algorithms=ALGORITHMS)
        options: Any = {"iss": {"essential": True, "values": [settings.sso]}, "aud": {"values": [settings.sso_client]}}
        params = {"nonce": nonce, "client_id": settings.sso_client, "access_token": token.get("access_token")}
        claims = CodeIDToken(signed.claims, signed.header, options, params)
        claims.validate(leeway=LEEWAY)
    except (JoseError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise ForbiddenError(UNCONFIRMED) from error
    if not isinstance(claims["sub"], str) or not 0 < len(claims["sub"]) <= 255:
        raise ForbiddenError(UNCONFIRMED)
    return dict(claims)


def find_or_make(session: Session, settings: Settings, person: Person) -> User:
    """The account of somebody who logs in by single sign-on; or a new one, where people may make them."""
    known = session.get(Identity, (person.issuer, person.subject))
    if known is None and person.address is not None:
        known = _find_by_address(session, settings, person, person.address)
    if known is not None:
        user = session.get_one(User, known.user_id)
        if user.disabled is not None:
            raise ForbiddenError("this account is disabled; ask the organisers")
        return user
    if not (settings.sso_signup or settings.open_signup):
        raise ForbiddenError(
            "no account is connected with you at this provider. If you have one, log in with its password, and connect "
            "it on your account page; else ask an organiser for a link"
        )
    user = accounts.make_user(session, name=_free_name(session, person), hashed=NO_PASSWORD, role="participant")
    _connect(session, settings, person, user)
    if person.address is not None:
        mail.set_address(session, user, person.address)
    return user


def connect(session: Session, settings: Settings, person: Person, user: User) -> None:
    """Let somebody who is logged in use single sign-on from now on."""
    known = session.get(Identity, (person.issuer, person.subject))
    if known is not None and known.user_id != user.id:
        raise ForbiddenError("you are connected with another account here already")
    if known is None:
        session.execute(delete(Identity).where(Identity.issuer == person.issuer, Identity.user_id == user.id))
        _connect(session, settings, person, user)
    user.disconnected = None


def disconnect(session: Session, user: User) -> None:
    """From now on single sign-on opens the account no more, also if the address is the same, until it is connected."""
    if user.password == NO_PASSWORD:
        raise InputError("this account has no password, so single sign-on is its only way in")
    session.execute(delete(Identity).where(Identity.user_id == user.id))
    user.disconnected = now()
    record(session, user.name, "disconnect", f"user {user.id}")


def is_connected(session: Session, user: User) -> bool:
    return session.scalars(select(Identity.subject).where(Identity.user_id == user.id).limit(1)).first() is not None


def _find_by_address(session: Session, settings: Settings, person: Person, address: str) -> Identity | None:
    user_id = session.scalar(select(Address.user_id).where(Address.address == address))
    if user_id is None:
        return None
    user = session.get_one(User, user_id)
    taken = session.scalars(select(Identity).where(Identity.user_id == user.id, Identity.issuer == person.issuer))
    if user.role == "organiser" or user.disconnected is not None or taken.first() is not None:
        raise ForbiddenError("an account has your address: log in with its password, and connect it on its page")
    return _connect(session, settings, person, user)


def _connect(session: Session, settings: Settings, person: Person, user: User) -> Identity:
    row = Identity(issuer=person.issuer, subject=person.subject, user_id=user.id)
    session.add(row)
    session.flush()
    record(session, user.name, "connect", f"user {user.id}", issuer=person.issuer)
    if settings.smtp:
        what = f"It can be entered by single sign-on of {person.issuer} now."
        mail.post(session, "notice", user_id=user.id, what=what)
    return row


def _free_name(session: Session, person: Person) -> str:
    """The name that the provider gives, with a number where somebody has it."""
    try:
        wanted = clean_name(person.name[:70], "an account")
    except InputError:
        wanted = "member"
    taken = set(session.scalars(select(User.folded).where(User.folded.startswith(accounts.fold_name(wanted)))))
    names = (wanted if number == 1 else f"{wanted} {number}" for number in range(1, len(taken) + 2))
    return next(name for name in names if accounts.fold_name(name) not in taken)


def _return_address(settings: Settings) -> str:
    return f"{settings.address}/sso/back"


def _derive(secret: str, cookie: str, what: str) -> str:
    text = f"sso {what}\n{cookie}".encode("utf-8", "surrogatepass")
    return hmac.new(secret.encode(), text, hashlib.sha256).hexdigest()


def _import_authlib() -> None:
    try:
        import authlib.oidc.core  # type: ignore[import-untyped]  # noqa: F401
    except ModuleNotFoundError as error:
        raise MissingExtraError("single sign-on", "sso") from error
