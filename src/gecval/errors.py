"""What a user can mend: the message is one line that names the file, the line and the remedy."""


class InputError(ValueError):
    """Input that cannot be meant. The command line prints it and exits with 2."""


class MissingExtraError(InputError):
    """An optional dependency is absent; the message holds the install line."""

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(f"{what} needs an optional part: pip install 'gecval[{extra}]'")
