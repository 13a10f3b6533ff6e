"""What an operator can set. The command line fills it, and then the file ``board.toml`` in the board's folder."""

from __future__ import annotations

import os
import re
import sys
from dataclasses import dataclass, fields, replace
from importlib.metadata import version
from pathlib import Path
from typing import Any
from urllib.parse import SplitResult, urlsplit

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

from gecval.errors import InputError, shorten
from gecval.formats.files import readable
from gecval.metrics.lfm.metric import MODELS

MEGABYTE = 1_000_000


@dataclass(frozen=True, kw_only=True)
class Settings:
    """``data`` is the folder of the board; ``database`` an address of SQLAlchemy, by default SQLite in that folder."""

    data: Path = Path("board")
    database: str = ""
    host: str = "127.0.0.1"
    port: int = 8017
    workers: int = 1
    address: str = ""  # where people find it, https://board.example.org; links begin with it
    secure: bool = False  # behind TLS: cookies are sent over TLS alone
    open_signup: bool = False  # anybody may make an account; otherwise an invitation is needed
    max_upload: int = 20 * MEGABYTE  # bytes of one file
    max_files: int = 40  # of one benchmark
    lease: float = 60.0  # seconds without a sign of life after which a job goes back to the queue
    tries: int = 3
    pause: float = 10.0  # seconds before a job that failed is tried again; then four times as many, and so on
    job_minutes: float = 30.0  # after which scoring is stopped
    worker_growth: int = 500 * MEGABYTE  # memory beyond that of its first job, from which on a worker starts again
    poll: float = 0.5  # seconds between two looks at an empty queue
    session_days: int = 14
    undo_days: int = 30
    logins: int = 10  # failed log-ins of one name and address in 15 minutes
    uploads: int = 60  # uploads of one person in an hour, be they refused or not
    smtp: str = ""  # smtp://USER:PASSWORD@HOST:587, smtps:// for TLS from the start; empty: no mail
    sender: str = ""  # the address that mails come from
    sso: str = ""  # the issuer of OpenID Connect: https://login.example.org/realms/lab; empty: no single sign-on
    sso_name: str = "single sign-on"  # as the button says it
    sso_client: str = "gecval-board"
    sso_secret: str = ""
    sso_signup: bool = False  # whoever the provider lets in gets an account
    password_cost: int = 0  # 0: argon2's own default; tests take less

    @property
    def url(self) -> str:
        """The address of the database."""
        return self.database or f"sqlite:///{(self.data / 'board.sqlite').absolute()}"

    @property
    def hosts(self) -> frozenset[str] | None:
        """The names under which the board answers; None where they cannot be known: any."""
        own = {"localhost", "127.0.0.1", "::1", self.host}
        if self.address:
            return frozenset({*own, urlsplit(self.address).hostname or ""})
        return frozenset(own) if self.host in LOOPBACK and not self.secure else None

    def with_file(self) -> Settings:
        """These settings, with those of ``board.toml`` in the folder of the board; the environment overrides it."""
        path = self.data / FILE
        if not path.is_file():
            return self.with_environment()
        try:
            with readable(path):
                values = tomllib.loads(path.read_text("utf-8"))
        except (ValueError, RecursionError) as error:  # also a number of too many digits, and too many brackets
            raise InputError(f"{path} is not TOML: {error}", parameter="data") from None
        kinds: dict[str, type[Any]] = {
            field.name: type(field.default) for field in fields(self) if field.name in IN_FILE
        }
        for name, value in values.items():
            if name not in kinds:
                raise InputError(f"{path}: there is no setting {name[:40]!r}; there is {', '.join(sorted(kinds))}")
            wanted = (int, float) if kinds[name] is float else (kinds[name],)
            if not isinstance(value, wanted) or (isinstance(value, bool) and kinds[name] is not bool):
                default = getattr(self, name)
                like = "a text in quotes" if default == "" else f"like {default!r}"
                raise InputError(f"{path}: {name} is {_show(value)}; it must be {like}")
            if kinds[name] in (int, float):
                least: float = 0 if name in MAY_BE_0 else 0.1 if kinds[name] is float else 1
                most = MOST_BYTES if name == "worker_growth" else MOST
                if not least <= value <= most:  # nor is it "not a number"
                    raise InputError(f"{path}: {name} is {_show(value)}; it must be from {least} to {most:,}")
        return replace(self, **values).normalized(path).with_environment()

    def with_environment(self) -> Settings:
        """These settings, with the two that hold passwords from the environment where they are there."""
        smtp, sso_secret = os.environ.get("GECVAL_SMTP", ""), os.environ.get("GECVAL_SSO_SECRET", "")
        return replace(self, smtp=smtp or self.smtp, sso_secret=sso_secret or self.sso_secret)

    def normalized(self, path: Path) -> Settings:
        """With the address as links need it; ``https`` makes cookies secure."""
        address = _split(self.address)
        if self.address and (address.scheme not in ("http", "https") or not address.hostname):
            raise InputError(f"{path}: address is {self.address!r}; it must be like 'https://board.example.org'")
        return replace(self, address=self.address.rstrip("/"), secure=self.secure or address.scheme == "https")

    def check(self) -> None:
        """Refuse invalid settings, and make the folder. Models of metrics are looked up in it from then on."""
        if self.database and not self.database.startswith(("sqlite:///", "postgresql+psycopg://")):
            raise InputError(
                "the database is sqlite:///PATH or postgresql+psycopg://USER@HOST/NAME", parameter="database"
            )
        try:
            self.data.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(f"cannot make the folder {self.data}: {error.strerror}", parameter="data") from None
        self._check_services()
        os.environ[MODELS] = str(self.data.absolute())  # so that workers and reports, which are processes, know it too

    def _check_services(self) -> None:
        """Mail and single sign-on need to know where the board is: a name that a browser sent may be a stranger's."""
        file, sso = self.data / FILE, _split(self.sso)
        for name in ("smtp", "sso"):
            if getattr(self, name) and not self.address:
                raise InputError(f"{file}: {name} needs address, e.g. 'https://board.example.org': links begin with it")
        smtp = _split(self.smtp)
        if self.smtp and (smtp.scheme not in ("smtp", "smtps") or not smtp.hostname):
            raise InputError(f"{file}: smtp must be like 'smtp://USER:PASSWORD@mail.example.org:587'")
        if self.smtp and not is_address(self.sender):
            raise InputError(f"{file}: smtp needs sender, the address that mails come from")
        if self.sso and sso.scheme != "https" and not (sso.scheme == "http" and sso.hostname in LOOPBACK):
            raise InputError(f"{file}: sso must be the https address of your provider of OpenID Connect")


def _show(value: object) -> str:
    """A value of the file, for a message of one line."""
    try:
        return shorten(repr(value))
    except ValueError:  # in hexadecimal it may have more digits than Python writes
        return "a number of too many digits"


def _split(address: str) -> SplitResult:
    """The parts of an address; of one that is none, no part."""
    try:
        parts = urlsplit(address)
        _ = parts.port  # a number beyond 65535 is no port
    except ValueError:
        return urlsplit("")
    return parts


def is_address(text: str) -> bool:
    """Whether a text is like an address of mail, in ASCII.

    An encoded word of MIME is none: a mail program decodes it, and finds several addresses.

    >>> is_address("anna@example.org"), is_address("anna@localhost, eve@example.org")
    (True, False)
    >>> is_address("=?utf-8?q?anna=40a.org=2ceve?=@example.org")
    False
    """
    return (
        "=?" not in text
        and len(text) <= 254
        and re.fullmatch(r"[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[\w.-]+", text, re.ASCII) is not None
    )


FILE = "board.toml"
MOST, MOST_BYTES = 1_000_000, 10**15  # of a number in the file: beyond them, moments have no date any more
MAY_BE_0 = ("pause", "undo_days")
LOOPBACK = ("localhost", "127.0.0.1", "::1")
IN_FILE = (
    *("address", "open_signup", "max_files", "lease", "tries", "pause", "job_minutes", "worker_growth"),
    *("session_days", "undo_days", "logins", "uploads", "smtp", "sender"),
    *("sso", "sso_name", "sso_client", "sso_secret", "sso_signup"),
)
SOFTWARE = version("gecval")  # the version of gecval that scores here
