"""The program ``gecval``, and ``python -m gecval``. However early an interrupt comes, it gives one line and status 130.

An interrupt is an exception, which Python raises wherever it is. In two places it would be lost, or cause another:

    in an import              C code turns the exception into another one, or ignores it
    in __del__ or a callback  Python prints it and goes on

So an interrupt waits until the import is done, and one that was lost comes again. A second Ctrl-C does not wait.
"""

from __future__ import annotations

import _signal as signal  # type: ignore[import-not-found]  # signal imports so much that an interrupt may come then
import sys
from types import FrameType

AGAIN_S = 0.005

_waiting = False


def main() -> None:
    """Run the command line."""
    signal.signal(signal.SIGINT, _interrupt)
    sys.unraisablehook = _notice_lost_interrupt
    try:
        from gecval.cli.program import main as run_program
        from gecval.runtime import processes

        processes.ours = True
        run_program()
    except KeyboardInterrupt:
        _stop_listening()
        sys.stderr.write("gecval: interrupted; no output file was touched\n")
        sys.exit(130)
    finally:
        _stop_listening()  # everything is written


def _stop_listening() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform != "win32":
        signal.signal(signal.SIGALRM, signal.SIG_IGN)


def _interrupt(number: int, frame: FrameType | None) -> None:
    global _waiting
    if (number == signal.SIGINT and _waiting) or not _importing(frame):
        _waiting = False
        raise KeyboardInterrupt
    _waiting = _call_again()
    if not _waiting:
        raise KeyboardInterrupt


def _importing(frame: FrameType | None) -> bool:
    while frame is not None:
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            return True
        frame = frame.f_back
    return False


def _call_again() -> bool:
    """Interrupt again in a moment, where the system has such a clock."""
    if sys.platform == "win32":
        return False
    signal.signal(signal.SIGALRM, _interrupt)
    signal.setitimer(signal.ITIMER_REAL, AGAIN_S)
    return True


def _notice_lost_interrupt(lost: sys.UnraisableHookArgs) -> None:
    if not (issubclass(lost.exc_type, KeyboardInterrupt) and _call_again()):
        sys.__unraisablehook__(lost)


if __name__ == "__main__":
    main()
