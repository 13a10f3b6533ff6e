"""Work on more than one machine: the items of a study, on whatever cluster its user has.

    processes, processes:8    processes on this machine
    dask://host:port          a Dask scheduler and its workers
    ray://host:port           a Ray cluster; ray://local starts one on this machine

``work`` is sent to each worker once, and then only items and answers. It must be a pure function: answers do not depend
on who computed them, so a study gives the same on any backend. A worker that is lost loses the items that it was at,
and others do them again.
"""

from __future__ import annotations

import logging
import os
import warnings
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import CancelledError
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Generic, TypeVar

from gecval.errors import InputError, first_line, import_extra, shorten
from gecval.runtime.processes import in_processes
from gecval.runtime.threads import cores

Item = TypeVar("Item")
Answer = TypeVar("Answer")
FAILURES = 3  # how often an item is tried again on another worker
TIMEOUT_S = 30
RAY_STORE = 512 * 2**20  # bytes; Ray would take a third of the memory of this machine


def spread(work: Callable[[Item], Answer], items: Sequence[Item], *, backend: str | None) -> Generator[Answer]:
    """What ``work`` gives for each item, in order. Without a backend, this process does it all.

    >>> list(spread(abs, [-1, 2], backend=None))
    [1, 2]
    """
    if backend is None:
        yield from map(work, items)
        return
    kind, address = check_backend(backend)
    if kind == "processes":
        yield from _in_processes(work, items, int(address or cores()))
    elif kind == "dask":
        yield from _on_dask(work, items, address)
    else:
        yield from _on_ray(work, items, address)


def check_backend(backend: str | None) -> tuple[str, str]:
    """The kind of a backend, and its address; nonsense is refused in one line. None is this process.

    >>> check_backend("dask://localhost:8786"), check_backend("processes:4")
    (('dask', 'localhost:8786'), ('processes', '4'))
    """
    if backend is None:
        return "", ""
    kind, sign, address = backend.partition("://")
    host, _, port = address.rpartition(":")
    if sign and kind in ("dask", "ray") and ((host and port.isascii() and port.isdigit()) or backend == "ray://local"):
        return kind, address
    kind, colon, number = backend.partition(":")
    is_count = number.isascii() and number.isdigit() and len(number) <= 4 and 0 < int(number) <= 4096
    if kind == "processes" and (is_count or not colon):
        return kind, number
    raise InputError(
        f"{shorten(backend)!r} is no backend: write processes, processes:8, dask://host:port or ray://host:port",
        parameter="backend",
    )


@contextmanager
def connect(backend: str | None) -> Iterator[None]:
    """A study with several steps connects to Ray once: a cluster of its own on this machine takes seconds to start.

    A Dask scheduler must answer before the steps that this process does itself.
    """
    kind, address = check_backend(backend)
    if kind != "ray":
        if kind == "dask":
            _dask_client(address).close()
        yield
        return
    ray = _import("ray", "ray")
    ours = not ray.is_initialized()
    try:
        if ours and address == "local":
            # By its name: Ray would join a cluster that somebody else started on this machine.
            ray.init(address="local", include_dashboard=False, log_to_driver=False, object_store_memory=RAY_STORE)
        elif ours:
            _join_ray(ray, address)
    except Exception as error:  # Ray raises plain ones too, where a node does not start in time
        token = "" if "RAY_AUTH_MODE" in os.environ else "; if it asks for a token, set RAY_AUTH_MODE=token"
        raise InputError(
            f"no Ray cluster answers at {address}: {first_line(error)}{token}", parameter="backend"
        ) from None
    try:
        yield
    finally:
        if ours:
            ray.shutdown()


def _join_ray(ray: Any, address: str) -> None:
    """What Ray says meanwhile is no news: which settings it passes on, how the head starts, that nobody answers."""
    for name in ("client_builder", "util.client.logsclient"):
        logging.getLogger(f"ray.{name}").addFilter(_is_error)  # Ray sets their levels itself
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ray.init(address=f"ray://{address}", log_to_driver=False)


def _is_error(said: logging.LogRecord) -> bool:
    return said.levelno >= logging.ERROR


def _in_processes(work: Callable[[Item], Answer], items: Sequence[Item], jobs: int) -> Iterator[Answer]:
    """joblib would send ``work`` with every item. A file is read once by each process instead."""
    with _temporary_folder() as folder:
        path = Path(folder, "work")
        path.write_bytes(_pickle(work))
        done = failures = 0
        while done < len(items):
            try:
                for answer in in_processes(_Filed[Item, Answer](str(path)), items[done:], jobs=jobs):
                    done, failures = done + 1, 0
                    yield answer
            except BrokenProcessPool as error:  # one process that is lost takes all others with it
                failures += 1
                if failures > FAILURES:
                    raise InputError(
                        f"workers were lost again and again: {first_line(error)}", parameter="backend"
                    ) from None


@contextmanager
def _temporary_folder() -> Iterator[str]:
    """A folder that is removed after a kill too: joblib's own helper, which outlives this process for a moment, removes
    what is registered."""
    tracker = import_module("joblib.externals.loky.backend.resource_tracker")
    tracker.ensure_running()
    with TemporaryDirectory(prefix="gecval-") as folder:
        tracker.register(folder, "folder")
        try:
            yield folder
        finally:
            tracker.unregister(folder, "folder")


@dataclass(frozen=True)
class _Filed(Generic[Item, Answer]):
    """Work that lies in a file."""

    path: str

    def __call__(self, item: Item) -> Answer:
        answer: Answer = _read(self.path)(item)
        return answer


@lru_cache(maxsize=1)
def _read(path: str) -> Any:
    return _unpickle(Path(path).read_bytes())


def _on_dask(work: Callable[[Item], Answer], items: Sequence[Item], address: str) -> Iterator[Answer]:
    distributed = _import("distributed", "dask")
    with _dask_client(address) as client:
        try:
            client.wait_for_workers(1, timeout=TIMEOUT_S)
        except TimeoutError:
            raise InputError(f"the Dask cluster at {address} has no workers", parameter="backend") from None
        _check_versions(client.run(version, "gecval"), version("gecval"))
        # A task of its own: workers pass its value on, and the scheduler has it made again where all of them are lost.
        # It is pickled: Dask hangs where a worker cannot unpack what it gets.
        sent = client.submit(_pass_on, _pickle(work), pure=False)
        futures = [client.submit(_call, sent, item, pure=False, retries=0) for item in items]
        try:
            for future in futures:
                yield future.result()
        except (distributed.KilledWorker, CancelledError) as error:
            raise _explain_loss(error) from None


def _dask_client(address: str) -> Any:
    distributed = _import("distributed", "dask")
    try:
        return distributed.Client(f"tcp://{address}", timeout=TIMEOUT_S, set_as_default=False)
    except (OSError, TimeoutError, ValueError) as error:
        raise InputError(f"no Dask scheduler answers at {address}: {first_line(error)}", parameter="backend") from None


def _on_ray(work: Callable[[Item], Answer], items: Sequence[Item], address: str) -> Iterator[Answer]:
    ray = _import("ray", "ray")
    with connect(f"ray://{address}"):
        remote = ray.remote(max_retries=FAILURES)(_fetch_and_call)
        sent = ray.put(_pickle(work))
        ours = version("gecval")
        for answer in [remote.remote([sent], item, ours) for item in items]:
            try:
                yield ray.get(answer)
            except ray.exceptions.RayTaskError as error:
                unloadable = isinstance(error.cause, ImportError | ray.exceptions.RayError)  # gecval itself
                raise (_fails(error.cause) if unloadable else error.cause) from None
            except ray.exceptions.RayError as error:
                raise _explain_loss(error) from None


def _fetch_and_call(sent: Sequence[Any], item: Item, ours: str) -> Any:
    """In a list, Ray passes a reference on as it is: each worker unpacks the work once, and not for each item."""
    _check_versions({"of Ray": version("gecval")}, ours)
    return _fetch(sent[0])(item)


@lru_cache(maxsize=1)
def _fetch(sent: Any) -> Any:
    return _unpickle(import_module("ray").get(sent))


def _pass_on(sent: bytes) -> bytes:
    return sent


def _call(sent: bytes, item: Item) -> Any:
    return _unpack(sent)(item)


@lru_cache(maxsize=1)
def _unpack(sent: bytes) -> Any:
    return _unpickle(sent)


def _pickle(work: Callable[[Item], Answer]) -> bytes:
    """joblib's own way to pickle also sends what is defined in a script or notebook."""
    try:
        return bytes(import_module("joblib.externals.loky.backend.reduction").dumps(work))
    except Exception as error:  # whatever an object of the user's own raises
        raise InputError(f"this cannot be sent to workers: {first_line(error)}", parameter="backend") from None


def _unpickle(sent: bytes) -> Any:
    try:
        return import_module("pickle").loads(sent)
    except Exception as error:
        raise _fails(error) from None


def _check_versions(versions: dict[str, str], ours: str) -> None:
    """Another version may give another score, so all workers must have ours."""
    for worker, theirs in versions.items():
        if theirs != ours:
            raise InputError(f"the worker {worker} has gecval {theirs}, and this is {ours}", parameter="backend")


def _explain_loss(error: Exception) -> InputError:
    return InputError(f"workers were lost again and again: {first_line(error)}", parameter="backend")


def _fails(error: Exception) -> InputError:
    """Most often a metric of the user's own, in a module that the worker does not have."""
    return InputError(f"a worker fails: {first_line(error)}", parameter="backend")


def _import(module: str, extra: str) -> Any:
    return import_extra(module, f"the backend {extra}", extra)
