"""``python -m gecval.schemas``: write the schemas of all results into this folder. Run it after a field has changed."""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path

from gecval.result import Result
from gecval.schemas import RESULTS
from gecval.schemas.generate import json_schema


def generated() -> dict[str, str]:
    """File name → text of every schema."""
    texts = {}
    for kind, path in RESULTS.items():
        module, _, name = path.partition(":")
        result: type[Result] = getattr(import_module(module), name)
        assert result.kind == kind
        texts[f"{kind}-{result.version}.json"] = json.dumps(json_schema(result), ensure_ascii=False, indent=1) + "\n"
    return texts


if __name__ == "__main__":
    for file, text in generated().items():
        Path(__file__).with_name(file).write_text(text, encoding="utf-8")
