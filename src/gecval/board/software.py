"""The version of gecval that scores here."""

from importlib.metadata import version

SOFTWARE = version("gecval")
