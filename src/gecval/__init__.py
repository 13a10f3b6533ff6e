"""gecval scores grammatical error correction and says how far each score can be trusted."""

from importlib.metadata import version

__version__ = version("gecval")
