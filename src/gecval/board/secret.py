"""Secrets: links, tokens and sessions are random and stored as their SHA-256; passwords as argon2id."""

from __future__ import annotations

import hashlib
import secrets
from functools import cache

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from gecval.errors import InputError

SHORTEST, LONGEST = 10, 1000  # of passwords; the longest bounds what a stranger can have hashed


def new_secret() -> str:
    return secrets.token_urlsafe(32)


def digest(secret: str) -> str:
    """What is stored of a random secret. It is too long to be guessed, so a fast hash will do."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def hash_password(password: str, *, cost: int = 0) -> str:
    if len(password) < SHORTEST:
        raise InputError(f"a password has at least {SHORTEST} letters")
    if len(password) > LONGEST:
        raise InputError(f"a password has at most {LONGEST} letters")
    return _hasher(cost).hash(password.encode("utf-8", "surrogatepass"))


def password_fits(hashed: str | None, password: str, *, cost: int = 0) -> bool:
    """Whether a password is right. Where there is no such account, as long is spent on it as where there is one."""
    try:
        given = password[:LONGEST].encode("utf-8", "surrogatepass")
        return _hasher(cost).verify(hashed or _nobody(cost), given) and hashed is not None
    except (VerificationError, InvalidHashError):
        return False


@cache
def _hasher(cost: int) -> PasswordHasher:
    return PasswordHasher(time_cost=1, memory_cost=8 * cost, parallelism=1) if cost else PasswordHasher()


@cache
def _nobody(cost: int) -> str:
    return _hasher(cost).hash(new_secret())
