"""What mkdocs does besides: scripts come from the site itself, and copy buttons copy what one types."""

import re
from html import escape

from mkdocs.structure.pages import Page

ELSEWHERE = "https://unpkg.com/iframe-worker/shim"  # what the theme's plugin "offline" writes into every page
OURS = "site/iframe-worker.js"
CONSOLE = re.compile(r"^```console\n(.*?)\n```$", re.MULTILINE | re.DOTALL)
SHOWN = '<div class="language-console highlight"'  # how a console stands in the page


def on_post_page(output: str, page: Page, **_: object) -> str:
    """The page with our copy of the script, named from where the page stands, and with the commands of its consoles."""
    up = "../" * page.url.count("/")
    return with_commands(output.replace(ELSEWHERE, up + OURS), page.markdown or "")


def on_post_template(output_content: str, **_: object) -> str:
    """The same for pages without a place of their own, such as 404.html: a server's root is where they look."""
    return output_content.replace(ELSEWHERE, f"/{OURS}")


def with_commands(output: str, markdown: str) -> str:
    """Consoles with their commands in ``data-copy``, which the theme's button copies: no prompts, and no output."""
    consoles = [commands(block) for block in CONSOLE.findall(markdown)]
    start, *parts = output.split(SHOWN)
    if len(parts) != len(consoles):
        raise ValueError(f"{len(parts)} consoles are shown, and the page has {len(consoles)}")
    shown = [f'{SHOWN} data-copy="{escape(copied)}"{part}' for copied, part in zip(consoles, parts, strict=True)]
    return "".join([start, *shown])


def commands(block: str) -> str:
    """What one types: the lines after a prompt, and those that go on after a backslash.

    >>> commands("$ gecval score a \\\\\\n    -r b\\n 0.5\\n$ ls")
    'gecval score a \\\\\\n    -r b\\nls'
    """
    typed: list[str] = []
    for line in block.split("\n"):
        if line.startswith("$ "):
            typed.append(line.removeprefix("$ "))
        elif typed and typed[-1].endswith("\\"):
            typed.append(line)
    return "\n".join(typed)
