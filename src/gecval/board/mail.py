"""E-mail, where ``board.toml`` names a server. Without one, nothing here runs, and nobody is asked for an address.

    a request, or ``post_news`` ──► a row in ``mails`` ──► ``deliver`` in a worker ──► the server, or again later

A row says what a mail is about. Its text is made when it is sent, and so are the secret links in it: neither the
database nor a backup holds them. No request and no job waits for a server. One that is down costs nothing: a mail is
tried again after 1, 4, 16, 64 and 256 minutes. A worker that dies in between may send a mail twice.

An address is stored once its owner has opened the link that was sent to it. Nobody can claim another's address, and
whoever asks for a new password learns nothing: the row is written in any case, and only the worker looks who it is.
"""

from __future__ import annotations

import logging
import smtplib
import ssl
import threading
from collections.abc import Callable
from dataclasses import dataclass
from email.message import EmailMessage
from email.utils import formatdate, make_msgid
from typing import Any
from urllib.parse import unquote, urlsplit

from sqlalchemy import delete, exists, or_, select, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import Session

from gecval.board import accounts
from gecval.board.access import Viewer, shows_own_submissions
from gecval.board.accounts import HOUR, check_rate, count_attempt, fold_name
from gecval.board.clock import DAY, format_moment, now
from gecval.board.database.models import (
    Address,
    Admission,
    Benchmark,
    Job,
    Mail,
    MailLink,
    Member,
    Phase,
    Submission,
    System,
    User,
    new_id,
)
from gecval.board.database.session import Database, lock_rows
from gecval.board.database.storage import digest, record
from gecval.board.errors import NotFoundError
from gecval.board.settings import LOOPBACK, Settings, is_address
from gecval.errors import InputError

log = logging.getLogger("gecval.board.mail")
EVERY = 5.0  # seconds between two looks at the queue
PATIENCE = 30.0  # seconds that a server may take to answer
TRIES, PAUSE = 6, 60.0  # the pause grows fourfold
LEASE = 300.0  # seconds after which a mail is taken for unsent, if its worker has said nothing
RESETS = 3  # that may be asked for one name in an hour
CONFIRM_HOURS, RESET_HOURS = 24, 1
KEPT_DAYS = 7  # in which the same news is not sent again, and after which nothing is
DISCONNECTED = "Single sign-on is disconnected. Connect it again on your account page."


def run(database: Database, settings: Settings, stopping: threading.Event) -> None:
    """Send what is due until ``stopping``. Its own thread: a slow server holds no job up."""
    while not stopping.is_set():
        try:
            post_news(database)
            while not stopping.is_set() and deliver(database, settings):
                pass
        except Exception:  # the database may be restarting
            log.exception("mails cannot be read")
        stopping.wait(EVERY)


# What waits.


def post(session: Session, kind: str, *, about: str | None = None, **values: Any) -> None:
    """Queue a mail: to ``user_id``, or to ``address``. What has the same ``about`` is queued once."""
    columns = {name: values.pop(name, None) for name in ("user_id", "address")}
    row = {"id": new_id(), "created": now(), "kind": kind, "about": about, "detail": values, "tries": 0, "due": now()}
    dialect = sqlite if session.get_bind().dialect.name == "sqlite" else postgresql
    session.execute(dialect.insert(Mail).values(row | columns).on_conflict_do_nothing(index_elements=["about"]))


def post_news(database: Database) -> None:
    """Queue what people want to know: their submission was scored, or could not be; a phase ends within a day."""
    told = exists().where(Mail.about == Job.state + " " + Submission.id)
    ended = (
        select(Job.state, Submission.id, Submission.user_id)
        .join(Submission, Submission.id == Job.submission_id)
        .join(Address, Address.user_id == Submission.user_id)
        .where(Job.state.in_(("done", "failed")), Job.finished > now() - DAY, Address.news, ~told)
        .where(Submission.created > now() - KEPT_DAYS * DAY, Submission.withdrawn.is_(None))
        .order_by(Job.finished)
    )
    # Members of the teams that take part: they are admitted, or have submitted.
    submitted = select(System.benchmark_id, System.team_id).where(System.team_id.is_not(None)).subquery()
    closing = (
        select(Phase.id, Phase.closes, Member.user_id)
        .join(Benchmark, Benchmark.id == Phase.benchmark_id)
        .join(Member, _takes_part(submitted))
        .join(Address, Address.user_id == Member.user_id)
        .where(Phase.opens <= now(), Phase.closes > now(), Phase.closes <= now() + DAY)
        .where(Benchmark.deleted.is_(None), Address.news)
        .distinct()
    )
    with database.read() as session:
        scored, phases = session.execute(ended).all(), session.execute(closing).all()
        known = set(session.scalars(select(Mail.about).where(Mail.kind == "phase"))) if phases else set()
    abouts = {f"{phase} {closes:.0f} {user}": (phase, user) for phase, closes, user in phases}
    abouts = {about: found for about, found in abouts.items() if about not in known}
    if not scored and not abouts:
        return
    with database.write() as session:
        for state, submission, user in scored:
            post(session, "scored", about=f"{state} {submission}", user_id=user, submission=submission, state=state)
        for about, (phase, user) in abouts.items():
            post(session, "phase", about=about, user_id=user, phase=phase)


def _takes_part(submitted: Any) -> Any:
    admitted = select(Admission.team_id).where(Admission.benchmark_id == Benchmark.id)
    entered = select(submitted.c.team_id).where(submitted.c.benchmark_id == Benchmark.id)
    return or_(Member.team_id.in_(admitted), Member.team_id.in_(entered))


def forget_mails(session: Session) -> None:
    """Delete mails of a while ago, also those that nobody sent, and links that hold no more."""
    session.execute(delete(Mail).where(Mail.created < now() - KEPT_DAYS * DAY))
    session.execute(delete(MailLink).where(MailLink.expires < now()))


# Sending.


@dataclass(frozen=True)
class Letter:
    """A mail as it is sent."""

    to: str
    subject: str
    text: str


def deliver(database: Database, settings: Settings) -> bool:
    """Send the mail that is due first. False where there is none."""
    with database.write() as session:
        waiting = select(Mail).where(Mail.due <= now()).order_by(Mail.due, Mail.id).limit(1)
        mail = session.scalars(lock_rows(waiting, skip=True)).first()
        if mail is None:
            return False
        letter = WRITERS[mail.kind](session, settings, mail)
        mail.tries += 1
        mail.due = None if letter is None else now() + LEASE
        mail_id, tries = mail.id, mail.tries
    if letter is None:
        return True
    due = None
    try:
        send(settings, letter)
        log.info("sent", extra={"mail": mail_id})
    except (OSError, smtplib.SMTPException, ValueError) as error:
        if tries < TRIES and not _is_final(error):
            due = now() + PAUSE * 4 ** (tries - 1)
        log.warning("not sent", extra={"mail": mail_id, "why": str(error)[:300], "again": due is not None})
    with database.write() as session:
        session.execute(update(Mail).where(Mail.id == mail_id).values(due=due))  # it may have become void meanwhile
    return True


def _is_final(error: Exception) -> bool:
    """Whether the server will never take this mail. A wrong password can be repaired."""
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        return all(code >= 500 for code, _ in error.recipients.values())
    wrong = isinstance(error, smtplib.SMTPResponseException) and error.smtp_code >= 500
    return wrong and not isinstance(error, smtplib.SMTPAuthenticationError)


def send(settings: Settings, letter: Letter) -> None:
    """Hand a letter to the server. No password goes out unencrypted, except to this machine."""
    at = urlsplit(settings.smtp)
    host, domain = at.hostname or "", settings.sender.rpartition("@")[2]
    message = EmailMessage()
    # A name may look like an encoded word of MIME, which would be decoded: into another subject.
    subject = letter.subject.replace("=?", "= ?")
    message["From"], message["To"], message["Subject"] = settings.sender, letter.to, subject
    message["Date"], message["Message-ID"] = formatdate(), make_msgid(domain=domain)
    message["Auto-Submitted"] = "auto-generated"
    message.set_content(letter.text)
    tls = ssl.create_default_context()
    server: smtplib.SMTP
    if at.scheme == "smtps":
        server = smtplib.SMTP_SSL(host, at.port or 465, timeout=PATIENCE, context=tls)
    else:
        server = smtplib.SMTP(host, at.port or 587, timeout=PATIENCE)
    with server:
        server.ehlo()
        if at.scheme == "smtp" and server.has_extn("starttls"):
            server.starttls(context=tls)
        elif at.scheme == "smtp" and at.username and host not in LOOPBACK:
            raise smtplib.SMTPNotSupportedError("the server offers no TLS, so it gets no password")
        if at.username:
            server.login(unquote(at.username), unquote(at.password or ""))
        server.send_message(message, to_addrs=[letter.to])


# What mails say. Where there is nothing to say any more, they say nothing: a writer gives None.


def _to_user(session: Session, settings: Settings, mail: Mail, subject: str, text: str) -> Letter | None:
    """To the confirmed address of an account that is not disabled."""
    user, row = session.get(User, mail.user_id or ""), session.get(Address, mail.user_id or "")
    if user is None or user.disabled is not None or row is None:
        return None
    end = f"You get this mail because {row.address} belongs to the account {user.name} at {settings.address}."
    return Letter(row.address, subject, f"Hello {user.name},\n\n{text}\n\n--\n{end}\n")


def _write_scored(session: Session, settings: Settings, mail: Mail) -> Letter | None:
    """Without a score: mails pass many hands, and scores of a blind phase are for organisers alone."""
    found = session.get(Submission, mail.detail["submission"])
    if found is None or not found.live or not _sees(session, mail, found.system.benchmark_id):
        return None
    system, benchmark = found.system.name, found.system.benchmark
    where = f"{settings.address}/b/{benchmark.address}/submissions/{found.id}"
    if mail.detail["state"] == "done":
        return _to_user(
            session, settings, mail, f"{system} was scored", f"{system} at {benchmark.name} was scored:\n{where}"
        )
    text = f"{system} at {benchmark.name} could not be scored. This does not count against your limit. Why:\n{where}"
    return _to_user(session, settings, mail, f"{system} could not be scored", text)


def _sees(session: Session, mail: Mail, benchmark_id: str) -> bool:
    """Whether the benchmark is there, and the person may still see it: a team may be admitted no more."""
    user = session.get(User, mail.user_id or "")
    if user is None:
        return False
    seen = select(Benchmark.id).where(Benchmark.id == benchmark_id, Benchmark.deleted.is_(None))
    return session.scalar(seen.where(shows_own_submissions(Viewer.load(session, user)))) is not None


def _write_phase(session: Session, settings: Settings, mail: Mail) -> Letter | None:
    phase = session.get(Phase, mail.detail["phase"])
    if phase is None or phase.closes is None or phase.closes <= now() or not _sees(session, mail, phase.benchmark_id):
        return None
    benchmark, closes = phase.benchmark, format_moment(phase.closes)
    text = f"The phase {phase.name} of {benchmark.name} ends on {closes}:\n{settings.address}/b/{benchmark.address}"
    news = "To get no more news like this, change it on your account page."
    return _to_user(session, settings, mail, f"{benchmark.name}: {phase.name} ends on {closes}", f"{text}\n\n{news}")


def _write_notice(session: Session, settings: Settings, mail: Mail) -> Letter | None:
    """Something about the account changed; to the address that it had before, if that changed."""
    text = f"{mail.detail['what']} If it was not you, tell the organisers of the board."
    if mail.address is None:
        return _to_user(session, settings, mail, "Your account was changed", text)
    return Letter(mail.address, "Your account was changed", f"Hello,\n\n{text}\n\n{settings.address}\n")


def _write_invitation(session: Session, settings: Settings, mail: Mail) -> Letter | None:
    by, role = session.get(User, mail.user_id or ""), mail.detail["role"]
    if by is None or by.disabled is not None or by.role != "organiser" or mail.address is None:
        return None
    if mail.detail.get("made"):  # the mail may have arrived, but nobody knows: one link is enough
        accounts.revoke_unused(session, mail.detail["made"])
    secret = accounts.invite(session, role=role, by=by, days=accounts.INVITATION_DAYS)
    mail.detail = {**mail.detail, "made": digest(secret)}
    text = f"{by.name} invites you as {role} to the board at {settings.address}:\n{settings.address}/join/{secret}\n\n"
    text += f"The link makes one account, and holds for {accounts.INVITATION_DAYS} days."
    return Letter(mail.address, f"{by.name} invites you", f"Hello,\n\n{text}\n")


def _write_confirmation(session: Session, settings: Settings, mail: Mail) -> Letter | None:
    user = session.get(User, mail.user_id or "")
    if user is None or user.disabled is not None or mail.address is None:
        return None
    secret = _make_link(session, user, mail.address, hours=CONFIRM_HOURS)
    text = f"Is this the address of {user.name} at {settings.address}? Then open this link within a day:\n"
    text += f"{settings.address}/mail/{secret}\n\nIf you do not know what this is about, do nothing."
    return Letter(mail.address, "Is this your address?", f"Hello,\n\n{text}\n")


def _write_reset(session: Session, settings: Settings, mail: Mail) -> Letter | None:
    who: str = mail.detail["who"]
    found = select(User).join(Address, Address.user_id == User.id)
    found = found.where(or_(User.folded == who, Address.address == who))
    user = session.scalars(found.order_by(Address.address != who)).first()  # a name may be another's address
    if user is None or user.disabled is not None:
        return None
    mail.user_id = user.id
    text = "Somebody asked for a new password for your account. Was it you? Then open this link within an hour:\n"
    text += f"{settings.address}/mail/{_make_link(session, user, None, hours=RESET_HOURS)}\n\n"
    text += "If it was not you, do nothing: your password stays."
    return _to_user(session, settings, mail, "A new password", text)


WRITERS: dict[str, Callable[[Session, Settings, Mail], Letter | None]] = {
    "scored": _write_scored,
    "phase": _write_phase,
    "notice": _write_notice,
    "invitation": _write_invitation,
    "confirm": _write_confirmation,
    "reset": _write_reset,
}


# Addresses, and the links that mails bring. A link holds once: whoever opens it sees a form, since programs that look
# at mails open links too, and the form uses it up. A new link of a kind takes the place of the last one.


def _make_link(session: Session, user: User, address: str | None, *, hours: float) -> str:
    kind = MailLink.address.is_(None) if address is None else MailLink.address.is_not(None)
    session.execute(delete(MailLink).where(MailLink.user_id == user.id, kind))
    secret = accounts.new_secret()
    session.add(MailLink(hash=digest(secret), user_id=user.id, address=address, expires=now() + hours * HOUR))
    return secret


def find_link(session: Session, secret: str) -> tuple[MailLink, User]:
    """A link that still holds, and whose it is."""
    row = session.scalar(lock_rows(select(MailLink).where(MailLink.hash == digest(secret))))
    user = session.get(User, row.user_id) if row else None
    if row is None or user is None or user.disabled is not None or row.expires < now():
        raise NotFoundError("this link was used or has expired; ask for a new one")
    return row, user


def clean_address(text: str) -> str:
    """An address as it is stored and compared.

    >>> clean_address(" Anna@Example.org ")
    'anna@example.org'
    """
    address = text.strip().lower()
    if not is_address(address):
        raise InputError("write an address of mail, such as anna@example.org")
    return address


def ask_reset(session: Session, settings: Settings, who: str, *, address: str) -> None:
    """Queue a mail for whoever has this name or address of mail. Whether anybody has is not looked at here."""
    folded = fold_name(who[:400])
    for what, key, limit in (("reset", folded, RESETS), ("reset address", address, settings.logins)):
        check_rate(session, what, key, limit=limit, seconds=HOUR)
        count_attempt(session, what, key)
    if folded:
        post(session, "reset", who=folded)


def reset(session: Session, secret: str, hashed: str) -> bool:
    """A new password by a link that a mail brought. All browsers are logged out, and all links of mails are void.

    Single sign-on is disconnected.
    """
    row, user = find_link(session, secret)
    if row.address is not None:
        raise NotFoundError("this link confirms an address")
    accounts.set_password(session, user, hashed)
    disconnected = accounts.disconnect_all(session, user)
    record(session, user.name, "reset password", f"user {user.id}")
    what = "Your password was changed by a link in a mail." + (f" {DISCONNECTED}" if disconnected else "")
    post(session, "notice", user_id=user.id, what=what)
    return disconnected


def ask_confirmation(session: Session, user: User, text: str) -> str:
    """Queue a mail with a link that confirms an address; the address."""
    address = clean_address(text)
    check_rate(session, "confirm", user.id, limit=RESETS, seconds=HOUR)
    count_attempt(session, "confirm", user.id)
    post(session, "confirm", user_id=user.id, address=address)
    return address


def confirm(session: Session, secret: str) -> None:
    """The address is its user's from now on. Where it was another, that one is told."""
    row, user = find_link(session, secret)
    if row.address is None:
        raise NotFoundError("this link is for a new password")
    address = row.address
    session.delete(row)
    session.flush()
    set_address(session, user, address)


def set_address(session: Session, user: User, address: str) -> None:
    """An address that its owner has confirmed, or a provider of single sign-on whom the operator trusts.

    Links that were sent to the address of before are void.
    """
    other = session.scalar(select(Address.user_id).where(Address.address == address, Address.user_id != user.id))
    if other is not None:
        raise InputError("another account has this address")
    known = session.get(Address, user.id)
    if known is None:
        session.add(Address(user_id=user.id, address=address, news=True))
    elif known.address != address:
        _tell_old(session, known, f"The account {user.name} sends its mail to another address from now on.")
        known.address = address
        accounts.void_mail_links(session, user)
    record(session, user.name, "set address", f"user {user.id}")


def remove_address(session: Session, user: User) -> None:
    known = session.get(Address, user.id)
    if known is not None:
        _tell_old(session, known, f"The account {user.name} has no address of mail any more.")
        session.delete(known)
        record(session, user.name, "remove address", f"user {user.id}")
    accounts.void_mail_links(session, user)


def _tell_old(session: Session, known: Address, what: str) -> None:
    post(session, "notice", address=known.address, what=what)
