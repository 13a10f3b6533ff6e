"""Debris: what models, tokenisers and pipelines leave in an output, so that it is no longer the sentence to score.

Each kind has one function that cleans a line. A line has this kind of debris where cleaning changes it, and where it is
the output's own: neither the source nor a reference of the sentence has it. So what is found is what is fixed.

A fix never invents words: it takes away what was added, undoes a way of writing, or takes over from the source line
what the output lost (a refusal, ``<unk>``, capitals, the final stop). Lines that were cut off cannot be fixed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass

from rapidfuzz.distance import Indel, Levenshtein

from gecval.corpus import Corpus, System
from gecval.corpus.mismatch import LETTERS, UNLIKE, place_lines
from gecval.formats.fixes import BLANKS, ENTITY, TEXT_FIXES, fix_text, is_tokenised, set_apart

SHARE = 0.005  # of the lines; less is not worth a note
FEWEST = 3  # lines; fewer may be chance, unless there is other debris of a chat model
MOST = 0.5  # of the source lines that could be written in another way, such as without capitals; fewer are chance
LOOKED_AT = 20_000  # lines, evenly spread, that a note takes into account
KEPT = 0.75  # of the source's letters; a line with fewer may be cut off
CLOSE = 0.9  # how much a line that was cut off is like the beginning of its source
ROUNDS = 10  # of fixing a line; what one fix takes away may have hidden what is for another

Clean = Callable[[str, str], str]


@dataclass(frozen=True)
class Debris:
    """A kind of debris. ``name`` is what ``doctor --fix`` takes; ``clean(text, source)`` gives the line without it."""

    name: str
    kind: str
    effect: str
    clean: Clean
    hint: re.Pattern[str] | None = None  # what a text with it contains: quick to look for
    usual: re.Pattern[str] | None = None  # what a source contains that is written in another way; see ``MOST``
    fixable: bool = True
    chat: bool = False  # whether it comes from a chat model, so that the kinds come together


def _like(text: str, source: str) -> float:
    return Indel.normalized_similarity(text[:LETTERS], source[:LETTERS])


# Text that was added

_OPENER = re.compile(
    r"(?:sure|certainly|of course|absolutely|okay|no problem|here(?:'s|’s| is| are)|the (?:corrected|revised|fixed)|"
    r"correct(?:ed|ion)|revised|fixed|improved|output|answer|result|response|sentence)\b",
    re.I,
)
_AGREEMENT = re.compile(r"(?:sure|certainly|of course|absolutely|no problem)\s*[!.]\s*(?=\S)", re.I)


def _clean_preamble(text: str, source: str) -> str:
    """Without ``Sure! Here is the corrected text:``, in any language: what ends in a colon before the line."""
    if _JSON.match(text):
        return text
    for _ in range(2):
        before, colon, rest = text.replace("：", ":", 1).partition(":")
        rest = rest.lstrip()
        if len(_STARS.findall(before)) % 2:  # **Corrected:** He goes home .
            rest = _STARS.sub("", rest, count=1).lstrip() if rest.startswith("*") else rest
        letters = _letters(before)
        if not colon or not rest or len(before) > 100 or not letters or _letters(source).startswith(letters[:20]):
            break
        like = _like(rest, source)
        if like < (0.3 if _OPENER.match(before.lstrip(' "*')) else UNLIKE) or like <= _like(text, source):
            break
        text = rest
    if (agreement := _AGREEMENT.match(text)) and not _AGREEMENT.match(source):
        return text[agreement.end() :]
    return text


_STARS = re.compile(r"\*(?: ?\*)*")
_JSON = re.compile(r'\s*[{\[]\s*"')


def _clean_json(text: str, source: str) -> str:
    """``He goes .`` of ``{"original": "He go .", "corrected": "He goes ."}``: the last text that is like the source."""
    try:
        item = json.loads(text)
    except (ValueError, RecursionError):
        return text
    values = item.values() if isinstance(item, dict) else item if isinstance(item, list) else ()
    texts = [value for value in values if isinstance(value, str) and _like(value, source) > UNLIKE]
    return " ".join(texts[-1].split()) if texts else text


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text)).lower()


_TAIL = re.compile(r"\s*[(\[（【]([^()\[\]（）【】]{8,})[)\]）】]\W*$")
_CORRECT = (  # "This sentence is already correct .", "No changes are needed ."
    r"(?:(?:(?:the|this|that|your|given|original|provided)\s+)*(?:sentence|text|phrase|paragraph|input|it|this)(?:\s+you\s+\w+)?"
    r"(?:(?:\s+(?:is|was|are|seems|appears|looks)|\s?['’]s)(?:\s+(?:to\s+be|already|grammatically|perfectly|completely))*\s+"
    r"(?:correct|fine|error-free|free\s+of)|\s+(?:does\s+not|doesn['’]t)\s+(?:need|require|contain|have)\s+any)"
    r"|(?:there\s+(?:are|is)\s+)?no\s+(?:\w+\s+){0,3}?(?:changes?|corrections?|edits?|errors?|mistakes?)"
    r"(?=\s*(?:in\s|are\s|is\s|were\s|was\s|to\s+be\s|needed|required|necessary|found|detected|made|[.!]|$)))"
    r"\b[^.!?:]*(?:[.!]+|$)"
)
_CLOSING = (  # "Let me know if you need anything else !", "I hope this helps ."
    r"(?:(?:please|and|also|but|just)\s+)*(?:let\s+me\s+know\s+(?:if|whether|what|how|when|in\s+case|should)"
    r"|(?:I\s+)?hope\s+(?:this|that|it)\s+(?:helps?|(?:is|was)\s+(?:helpful|useful)|clarifies|works)"
    r"|feel\s+free\s+to|do(?:\s?n['’]t|\s+not)\s+hesitate\s+to"
    r"|(?:if|should)\s+you\s+(?:have|need|want|would\s+like|['’]d\s+like)\s+(?:any|more|further|anything|additional|other|another|help|me)"
    r"|is\s+there\s+anything\s+else|(?:would|do)\s+you\s+(?:like|want|need)\s+(?:me|any|more|help|further)"
    r"|(?:I\s?['’]?\s?a?m\s+)?(?:happy|glad|here)\s+to\s+(?:help|assist))\b[^.!?]*(?:[.!?]+|$)"
)
_COMMENT = re.compile(
    r"\s*\*{0,2}\(?\b(?:Notes?|Explanations?|Changes(?: made)?|Corrections? made|Reason)\s*:.*\s*$", re.I
)
_REMARKS = re.compile(rf"\s*\*{{0,2}}\(?\b(?:(?:{_CORRECT}|{_CLOSING})\W*)+\s*$", re.I)


def _clean_comment(text: str, source: str) -> str:
    """Without ``(Note: I changed the verb.)`` or ``Let me know if you need more.`` at the end."""
    for pattern, like in ((_COMMENT, _like), (_REMARKS, _like_at_end), (_TAIL, _like)):
        match = pattern.search(text)
        if match and match.start() > 0 and not pattern.search(source):
            rest = text[: match.start()].rstrip()
            lost = set(match[0].split()) - set(source.split())
            if like(rest, source) > max(UNLIKE, like(text, source)) and 2 * len(lost) > len(match[0].split()):
                return rest
    return text


def _like_at_end(text: str, source: str) -> float:
    return Indel.normalized_similarity(text[-LETTERS:], source[-LETTERS:])


_QUOTED = re.compile(r"\s*([\"'“”„«‘`]+)\s*(\S.*?)\s*[\"'”“»’`]+\s*$")
_QUOTES = "\"'“”„«»‘’`"


def _clean_quotes(text: str, source: str) -> str:
    if source[:1] in _QUOTES or source[-1:] in _QUOTES or not (match := _QUOTED.match(text)):
        return text
    if text.rstrip().endswith("`"):  # code in Markdown
        return text
    return match[2]


_BOLD = re.compile(
    r"(\*\*|__|~~)(?=\S)(.+?)(?<=\S)\1|^([*`])(?=[^\s*`])(.+?)(?<=[^\s*`])\3$|^#{1,6} (?=\S)|"
    r"(?<!\S)(\* ?\*|_ ?_|~ ?~) (\S.*?) \5(?!\S)|^([*`_]) (?=[^\s*`_])(.+?) \7$|^#(?: #){1,5} (?=\S)"  # tokenised
)
_HALF = re.compile(r"^\* ?\*\s*(?=\S)|(?:\s+|(?<=[^\w\s*]))\* ?\*$")  # the other half of a bold mark is gone
_FENCE = re.compile(r"(?:`{3,}|` ` `|~{3,})\s?(?:(?:text|txt|plaintext|plain|markdown|md|english)\b)?")
_MARKDOWN = re.compile(f"{_BOLD.pattern}|{_HALF.pattern}|{_FENCE.pattern}")


def _clean_markdown(text: str, source: str) -> str:
    """Without bold, code, titles, and the fences of a block of code."""
    if _MARKDOWN.search(source):
        return text
    text = " ".join(_FENCE.sub(" ", text).split()) if _FENCE.search(text) else text
    if _BOLD.search(text):
        return _BOLD.sub(lambda match: match[2] or match[4] or match[6] or match[8] or "", text)
    return _HALF.sub("", text)


_BULLET = re.compile(r"^\s*(?:[-•·–—▪◦‣●]|\*(?!\s*\*\s|.*\s\*$))\s+(?=\S)")  # bold marks are no bullets
_START = re.compile(r"\s*[-*•·–—▪◦‣●(\[\d]")
_NUMBER = re.compile(r"^\s*[(\[]?\d{1,7}\s?[.)\]:]\s+(?=\S)|^\d{1,7}\t")


def _without_start(pattern: re.Pattern[str]) -> Clean:
    return lambda text, source: text if _START.match(source) else pattern.sub("", text)


_MARK = re.compile(
    r"\s*(?:<think>.*?</think>|</?s>|<pad>|</?(?:bos|eos|cls|sep|mask|think|answer|output|corrected|sentence|text)>|"
    r"\[(?:CLS|SEP|PAD|MASK|BOS|EOS)\]|<\|[\w ]{1,30}\|>|\[/?INST\]|<</?SYS>>|<extra_id_\d+>)\s*"
)


def _clean_marks(text: str, source: str) -> str:
    return text if _MARK.search(source) else _MARK.sub(" ", text).strip()


# No answer

_REFUSAL = re.compile(
    r"\W*(?:I['’ ]?\s?a?m (?:very )?sorry|sorry,|I apologi[sz]e|unfortunately, I|as an AI|I (?:cannot|can['’]t|can not|"
    r"am unable|am not able|['’]m (?:unable|not able)|don['’]t understand|(?:must|have to) decline|"
    r"(?:won['’]t|will not) (?:be able|help|assist))|please provide|this (?:request|content) violates)",
    re.I,
)
_NOTHING = re.compile(r"\W*(?:none|null|nil|nan|n/a|na|undefined|error|no (?:output|response|answer))\W*$", re.I)


def _clean_refusal(text: str, source: str) -> str:
    return source if _REFUSAL.match(text) and _like(text, source) < UNLIKE else text


_ANSWER = re.compile(rf"(?:{_AGREEMENT.pattern})?\W*{_CORRECT}", re.I)


def _clean_answer(text: str, source: str) -> str:
    """Without ``This sentence is already correct.``; where nothing else is left, the source."""
    if not (match := _ANSWER.match(text)) or _ANSWER.match(source):
        return text
    rest, like = text[match.end() :].lstrip(), _like(text, source)
    if rest and _like(rest, source) > max(UNLIKE, like):
        return rest
    return source if like < UNLIKE else text


def _clean_nothing(text: str, source: str) -> str:
    return source if text and _NOTHING.match(text) and not _NOTHING.match(source) else text


def _clean_empty(text: str, source: str) -> str:
    return text or source


# Words in the form of a tokeniser


def _clean_unknown(text: str, source: str) -> str:
    """``<unk>`` stands for the source's word in the same place."""
    words, given = text.split(), source.split()
    fixed: list[str] = []
    for operation in Levenshtein.opcodes(words, given):
        ours = words[operation.src_start : operation.src_end]
        theirs = given[operation.dest_start : operation.dest_end]
        if operation.tag == "replace" and any(map(_UNKNOWN.search, ours)):
            ours = [
                _UNKNOWN.sub(lambda _, there=there: there, here)  # type: ignore[misc]
                for here, there in zip(ours, theirs, strict=True)
            ]
        fixed += ours if operation.tag != "insert" else []
    return " ".join(word for word in fixed if not _UNKNOWN.fullmatch(word))


_UNKNOWN = re.compile(r"<unk>|<UNK>|\[UNK\]|⁇|\bUNK\b")
_PIECE = re.compile("[▁Ġ]")
_JOINED = re.compile(r"@@(?: +|$)| +##(?=\w)|￭ *| *￭")


def _clean_pieces(text: str, source: str) -> str:
    if _PIECE.search(source):
        return text
    if "Ġ" in text and not re.search("(?:^| )Ġ", text):  # a letter of Maltese
        return text
    joined = text.replace(" ", "") if len(_PIECE.findall(text)) > 1 else text
    return " ".join(_PIECE.sub(" ", joined).split())


def _written(pattern: re.Pattern[str], change: Callable[[str], str]) -> Clean:
    return lambda text, source: text if pattern.search(source) else change(text)


# The sentence itself: twice, cut off, without capitals or its final stop


def _clean_doubled(text: str, source: str) -> str:
    """One half, where both are the same; the second, where the first is the source and the second like it."""
    words, given = text.split(), source.split()
    half = len(words) // 2
    if half >= 3 and len(words) > 1.5 * len(given) and len(words) % 2 == 0 and words[:half] == words[half:]:
        return " ".join(words[half:])
    rest = words[len(given) :]
    if len(given) >= 4 and words[: len(given)] == given and 2 * len(rest) >= len(given):
        second = " ".join(rest).lstrip("-=>→ ")
        if _like(second, source) > UNLIKE:
            return second
    return text


_FINAL = re.compile(r"(\s*[.!?。！？।؟…]+)[\s\"'”’»)\]]*$")


def _clean_cut(text: str, source: str) -> str:
    """The source, as a sign that the line is cut off: like its beginning, and without an end."""
    size = len(text)
    if size < 8 or size > KEPT * len(source) or not _FINAL.search(source) or _FINAL.search(text):
        return text
    if not text[-1].isalnum() or Indel.normalized_similarity(text, source[:size]) < CLOSE:
        return text
    return source


def _clean_stop(text: str, source: str) -> str:
    """With the final stop of the source, where only that is missing."""
    stop = _FINAL.search(source)
    if not stop or not text or not text[-1].isalnum() or len(text) < KEPT * len(source):
        return text
    return text + stop[1]


def _clean_case(text: str, source: str) -> str:
    """With the capitals of the source, where the output has none at all."""
    if text != text.lower() or text == text.upper():
        return text
    written = {word.lower(): word for word in reversed(source.split())}
    words = text.split()
    fixed = [written.get(word, word) for word in words]
    if fixed == words:
        return text
    if source[:1].isupper():
        fixed[0] = fixed[0][:1].upper() + fixed[0][1:]
    return " ".join(fixed)


_SMART = str.maketrans("“”„‟‘’‚‛", "\"\"\"\"''''")
_SMART_QUOTE = re.compile("[“”„‟‘’‚‛]")
_PTB = re.compile("(?<!`)``(?!`)|''|-(?:LRB|RRB|LSB|RSB|LCB|RCB)-")
_PTB_SIGNS = {"-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "-LCB-": "{", "-RCB-": "}"}


def _plain(text: str) -> str:
    return _PTB.sub(lambda match: _PTB_SIGNS.get(match[0], '"'), text)


def _straight(text: str) -> str:
    return text.translate(_SMART)


ADDED = "what was added counts as words of the output, and so as wrong edits"
OTHER = "a word that is written so never equals the word of the references"
SPLIT = "they separate words here; scorers that split at single blanks see one word"

QUOTES_OR_BRACKETS = re.compile('["()]')
CAPITALS = re.compile("[A-Z]|[^\x00-\x7f]")

KINDS = [
    Debris("empty", "empty outputs", "every word of the source counts as deleted", _clean_empty),
    Debris("none", "None in place of text", "every word of the source counts as deleted", _clean_nothing, chat=True),
    Debris("refusals", "refusals", f"the sentence is lost; {ADDED}", _clean_refusal, chat=True),
    Debris(
        "answers",
        "answers such as 'The sentence is correct'",
        f"the sentence is lost; {ADDED}",
        _clean_answer,
        chat=True,
    ),
    Debris("preambles", "chat preambles", ADDED, _clean_preamble, re.compile(r"[:：]|^\w[\w ]*[!.]"), chat=True),
    Debris("json", "lines of JSON", ADDED, _clean_json, _JSON, chat=True),
    Debris(
        "comments",
        "comments after the sentence",
        ADDED,
        _clean_comment,
        re.compile(r"(?i)[:)\]）】]|\b(?:correct|no|know|hope|free|hesitate|you|else|help|assist)\b"),
        chat=True,
    ),
    Debris("model-marks", "marks of a model", ADDED, _clean_marks, _MARK, chat=True),
    Debris("numbering", "numbered lines", ADDED, _without_start(_NUMBER), _NUMBER, chat=True),
    Debris("bullets", "lines with bullets", ADDED, _without_start(_BULLET), _BULLET, chat=True),
    Debris("quoted", "lines in quotes", ADDED, _clean_quotes, re.compile(f"^[{_QUOTES}]"), chat=True),
    Debris("markdown", "Markdown", OTHER, _clean_markdown, _MARKDOWN, chat=True),
    Debris("unknown", "unknown words", "a word is lost", _clean_unknown, _UNKNOWN),
    Debris("sentencepiece", "SentencePiece", OTHER, _clean_pieces, _PIECE),
    Debris("bpe", "BPE pieces", OTHER, _written(_JOINED, lambda text: _JOINED.sub("", text)), _JOINED),
    Debris("entities", "character entities", OTHER, _written(ENTITY, TEXT_FIXES["entities"]), ENTITY),
    Debris("blanks", "other blanks", SPLIT, _written(BLANKS, TEXT_FIXES["blanks"]), BLANKS),
    Debris("ptb-quotes", "quotes of the Penn Treebank", OTHER, _written(_PTB, _plain), _PTB, QUOTES_OR_BRACKETS),
    Debris("smart-quotes", "curly quotes", OTHER, _written(_SMART_QUOTE, _straight), _SMART_QUOTE, re.compile("[\"']")),
    Debris("doubled", "sentences twice", ADDED, _clean_doubled),
    Debris(
        "cut-off", "lines that are cut off", "the rest of the sentence counts as deleted", _clean_cut, fixable=False
    ),
    Debris("lowercase", "lines without capitals", OTHER, _clean_case, usual=CAPITALS),
    Debris("final-stop", "lines without the final stop", "the stop counts as deleted", _clean_stop, usual=_FINAL),
]


def find_debris(corpus: Corpus, texts: Sequence[str], *, most: int | None = None) -> Iterator[tuple[Debris, list[int]]]:
    """Each kind of debris that the output has, with its lines (from 0). ``most``: how many are read, evenly spread."""
    places = range(0, len(texts), -(-len(texts) // most) if most else 1)
    sources = [corpus.sources[i] for i in places]
    changed = [i for i, source in zip(places, sources, strict=True) if texts[i] != source]
    found: dict[str, list[int]] = {}
    for debris in KINDS:
        hint = debris.hint
        found[debris.name] = [
            i for i in changed if (hint is None or hint.search(texts[i])) and _is_own(debris, corpus, texts[i], i)
        ]
    chatty = {i for debris in KINDS if debris.chat for i in found[debris.name]}
    for debris in KINDS:
        lines = found[debris.name]
        fewest = 1 if debris.chat and len(chatty) >= FEWEST else FEWEST
        if len(lines) >= fewest and len(lines) >= _least(debris, sources):
            yield debris, lines


def _least(debris: Debris, sources: Sequence[str]) -> float:
    """How many lines it takes. What a source has itself now and then is no debris."""
    if debris.usual is None:
        return SHARE * len(sources)
    if debris.hint and sum(map(bool, map(debris.hint.search, sources))) > SHARE * len(sources):
        return float("inf")
    return MOST * sum(map(bool, map(debris.usual.search, sources)))


def _is_own(debris: Debris, corpus: Corpus, text: str, i: int) -> bool:
    """Whether the line has it, and neither its source nor a reference."""
    source = corpus.sources[i]
    if text == source or debris.clean(text, source) == text:
        return False
    references = corpus.texts_of(i)
    return text not in references and all(debris.clean(reference, source) == reference for reference in references)


def debris_notes(corpus: Corpus, system: System) -> Iterator[str]:
    """A note for each kind of debris in more than a few lines of the output, with the command that fixes it."""
    looked_at = f"{len(corpus)} lines" if len(corpus) <= LOOKED_AT else f"about {LOOKED_AT} lines that were looked at"
    for debris, lines in find_debris(corpus, system.hypotheses, most=LOOKED_AT):
        remedy = "is the system's limit of words too low?"
        if debris.fixable:
            remedy = f"'gecval doctor GOLD OUTPUT --fix {debris.name}' fixes it"
        yield f"{system.name}: {debris.kind} in {len(lines)} of {looked_at}, first in line {lines[0] + 1}; {remedy}"


OUTPUT_FIXES = ("lines", *(debris.name for debris in KINDS if debris.fixable and debris.name not in TEXT_FIXES))


def fix_output(corpus: Corpus, system: System, fixes: Collection[str]) -> System:
    """Fix the output of a system: its lines in the order of the source, without debris, then its characters.

    Debris that the source or a reference has too stays. What is about edits does not concern an output.

    Examples
    --------
    >>> corpus = Corpus.from_texts(["He go home ."])
    >>> fix_output(corpus, corpus.system("mine", ["Corrected: He goes home ."]), ["preambles"]).hypotheses[0]
    'He goes home .'
    """
    texts = place_lines(system.hypotheses, corpus.sources) if "lines" in fixes else list(system.hypotheses)
    kinds = [debris for debris in KINDS if debris.name in fixes and debris.name in OUTPUT_FIXES]
    characters = [name for name in TEXT_FIXES if name in fixes and name != "tokens"]
    counted = "tokens" in fixes and corpus.has_edits()  # edits count the words of the source, which stays
    for i, text in enumerate(texts):
        for _ in range(ROUNDS):
            before = text
            for debris in kinds:
                if (debris.hint is None or debris.hint.search(text)) and _is_own(debris, corpus, text, i):
                    text = debris.clean(text, corpus.sources[i])
            text = fix_text(text, characters)
            if "tokens" in fixes:
                source = corpus.sources[i]
                text = set_apart(text, keep=source.split() if counted or is_tokenised(source) else ())
            if text == before:
                break
        texts[i] = text
    return System(system.name, texts, system.notes)
