"""What mkdocs does besides: the search script comes from the site itself, not from another host."""

from mkdocs.structure.pages import Page

ELSEWHERE = "https://unpkg.com/iframe-worker/shim"  # what the theme's plugin "offline" writes into every page
OURS = "site/iframe-worker.js"


def on_post_page(output: str, page: Page, **_: object) -> str:
    """The page with our copy of the script, named from where the page stands."""
    up = "../" * page.url.count("/")
    return output.replace(ELSEWHERE, up + OURS)


def on_post_template(output_content: str, **_: object) -> str:
    """The same for pages without a place of their own, such as 404.html: a server's root is where they look."""
    return output_content.replace(ELSEWHERE, f"/{OURS}")
