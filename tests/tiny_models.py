"""Small networks with random weights, written to a folder as the large ones are."""

from __future__ import annotations

from pathlib import Path

import pytest

WORDS = ["he", "she", "it", "go", "goes", "went", "home", "like", "likes", "a", "the", "not", "very", ".", ",", "!"]
NEEDS = "needs the extra: pip install 'gecval[lm]'"


def tiny_bert(folder: Path, *, labels: int | None, seed: int = 1) -> str:
    """A BERT of two layers that knows a few words; with labels, a classifier."""
    transformers = pytest.importorskip("transformers", reason=NEEDS)
    torch = pytest.importorskip("torch", reason=NEEDS)
    folder.mkdir(parents=True)
    vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *WORDS]
    (folder / "vocab.txt").write_text("\n".join(vocabulary))
    transformers.BertTokenizerFast(vocab=str(folder / "vocab.txt")).save_pretrained(folder)
    torch.manual_seed(seed)
    config = transformers.BertConfig(
        vocab_size=len(vocabulary),
        hidden_size=16,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=128,
        num_labels=labels or 2,
    )
    # Large weights, so that texts differ by more than the last digits.
    kind = transformers.BertForSequenceClassification if labels else transformers.BertModel
    network = kind(config)
    for parameter in network.parameters():
        torch.nn.init.normal_(parameter, std=0.5)
    network.save_pretrained(folder)
    return str(folder)
