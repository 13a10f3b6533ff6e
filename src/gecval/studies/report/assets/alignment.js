// A sentence in columns of shared chunks: where nobody changes anything, all texts share a column; where somebody does,
// the column is as wide as the longest version. Lines break between columns, so every line can be read downwards.
(() => {
  "use strict";

  const { element, isolated, unseen, visible, OUTCOMES } = gecval;

  const SIGN = 16; // pixels for the sign before an edit, with its padding
  const GAP = 5; // pixels between columns
  const NOTHING = "∅"; // what a deletion leaves
  const PLACE = "\u00a0\u00a0\u00a0"; // where a missed insertion belongs: a gap

  /** Spans of all edits, merged where they overlap or an insertion touches: [[start, end], …]. */
  function chunkSpans(edits) {
    const spans = [];
    for (const { start, end } of [...edits].sort((x, y) => x.start - y.start || x.end - y.end)) {
      const last = spans.at(-1);
      if (last && gecval.touches({ start: last[0], end: last[1] }, { start, end })) last[1] = Math.max(last[1], end);
      else spans.push([start, end]);
    }
    return spans;
  }

  /** Columns that cover the whole source: unchanged ones and chunks in turn. */
  function columnsOf(spans, length) {
    const columns = [];
    let position = 0;
    for (const [start, end] of spans) {
      if (start > position) columns.push({ start: position, end: start, chunk: false });
      columns.push({ start, end, chunk: true });
      position = end;
    }
    if (position < length) columns.push({ start: position, end: length, chunk: false });
    return columns;
  }

  /** What a text has in a column: plain tokens and edits, in order. */
  function piecesIn({ start, end }, edits, tokens) {
    const pieces = [];
    let position = start;
    const plain = (until) => {
      if (until > position) pieces.push({ text: tokens.slice(position, until).join(" ") });
      position = Math.max(position, until);
    };
    for (const edit of edits) {
      plain(edit.start);
      const untouched = tokens.slice(edit.start, edit.end).join(" ");
      const missed = edit.outcome === "missed";
      const text = missed ? untouched || PLACE : edit.correction || NOTHING;
      const wanted = missed ? ` → ${edit.correction || NOTHING}` : ""; // what a reference has in its place
      pieces.push({ text, wanted, edit: { ...edit, before: untouched } });
      position = Math.max(position, edit.end);
    }
    plain(end);
    return pieces;
  }

  /** The texts of a sentence and what each has in every column. */
  function aligned(sentence, systems) {
    const tokens = gecval.tokens(gecval.data.sources[sentence]);
    const texts = [{ label: "Source", kind: "source", edits: [] }];
    const references = gecval.referenceEdits(sentence);
    references.forEach((edits, index) => {
      const label = references.length > 1 ? `Ref. ${index + 1}` : "Reference";
      texts.push({ label, kind: "reference", edits: [...edits].sort((x, y) => x.start - y.start || x.end - y.end) });
    });
    for (const system of systems)
      texts.push({
        label: gecval.data.systems[system],
        kind: "system",
        system,
        edits: gecval.systemEdits(sentence, system),
      });
    const columns = columnsOf(chunkSpans(texts.flatMap(({ edits }) => edits)), tokens.length);
    for (const text of texts) {
      // An insertion between two chunks belongs to the first that touches it, and to no other.
      const left = new Set(text.edits);
      text.cells = columns.map((column) => {
        const own = column.chunk
          ? [...left].filter(({ start, end }) => start >= column.start && end <= column.end)
          : [];
        for (const edit of own) left.delete(edit);
        return piecesIn(column, own, tokens);
      });
    }
    return { columns, texts, tokens };
  }

  /** What a system wrote in a column: a missed edit leaves the words of the source. */
  const written = (pieces) =>
    pieces
      .map(({ text, edit }) => (edit ? (edit.outcome === "missed" ? edit.before : edit.correction) : text))
      .filter(Boolean)
      .join(" ");

  const widths = new Map();
  let ruler = null;
  let rulerFont = "";

  /** Pixels of a text in the font of the alignment. */
  function widthOf(text, font) {
    if (font !== rulerFont) {
      widths.clear();
      rulerFont = font;
      ruler ??= document.createElement("canvas").getContext("2d");
      ruler.font = font;
    }
    let width = widths.get(text);
    if (width === undefined) widths.set(text, (width = ruler.measureText(visible(text)).width));
    return width;
  }

  const cellWidth = (pieces, font) =>
    pieces.reduce((sum, { text, wanted, edit }) => sum + widthOf(text + (wanted ?? ""), font) + (edit ? SIGN : 0) + GAP, 0);

  /** Break columns into lines that fit. Shared text breaks between tokens, a chunk stays whole. */
  function linesOf({ columns, texts, tokens }, font, available) {
    const lines = [[]];
    let used = 0;
    const make = (width) => {
      if (used > 0 && used + width > available) {
        lines.push([]);
        used = 0;
      }
      used += width;
      return lines.at(-1);
    };
    columns.forEach((column, index) => {
      if (column.chunk) {
        const width = Math.ceil(Math.max(...texts.map(({ cells }) => cellWidth(cells[index], font)))) + GAP;
        make(width).push({ index, width: Math.min(width, available) });
        return;
      }
      for (let token = column.start; token < column.end; token++) {
        const width = Math.min(available, widthOf(`${tokens[token]} `, font) + 0.5);
        const line = make(width);
        const last = line.at(-1);
        if (last?.index === index) {
          last.shared.push(tokens[token]);
          last.width += width;
        } else line.push({ index, shared: [tokens[token]], width });
      }
    });
    return lines;
  }

  /** What an edit is, in words: shown on hover and on focus, and read aloud. */
  function description(sentence, edit) {
    const { outcome, type, before, correction, agree, instead } = edit;
    const references = gecval.data.references[sentence].length;
    const words = [outcome === "gold" ? "reference" : outcome];
    if (gecval.data.types[type] !== undefined) words.push(gecval.typeTitle(gecval.data.types[type]));
    words.push(`${before || NOTHING} → ${correction || NOTHING}`);
    if (instead) words.push(`the reference has ${instead.correction || NOTHING}`);
    const number = agree ?? gecval.agreement(sentence, edit);
    if (references > 1) words.push(`${number} of ${references} references`);
    return visible(words.join(" · "));
  }

  function pieceNode(sentence, { text, wanted, edit }) {
    if (!edit) return visible(text);
    const words = description(sentence, edit);
    const sign = OUTCOMES[edit.outcome]?.sign;
    return element(
      "span",
      { class: `edit ${edit.outcome}${gecval.isSought(sentence, edit) ? " sought" : ""}`, tabindex: -1, title: words },
      sign ? element("span", { class: "sign", "aria-hidden": "true" }, sign) : null,
      visible(text),
      wanted ? element("span", { class: "wanted", "aria-hidden": "true" }, visible(wanted)) : null,
      unseen(` (${words}) `),
    );
  }

  function cellNode(sentence, unit, pieces, available, differs) {
    const content = unit.shared
      ? visible(unit.shared.join(" "))
      : pieces.flatMap((piece) => [pieceNode(sentence, piece), " "]);
    const node = element("span", { class: unit.shared ? "cell shared" : "cell chunk" }, content);
    node.classList.toggle("differs", differs);
    node.classList.toggle("long", unit.width >= available); // a token that is longer than a line is broken within
    node.style.width = `${Math.ceil(unit.width)}px`;
    return node;
  }

  const STRONG = /\p{L}/u;
  const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;
  const direction = (text) => (RIGHT_TO_LEFT.test(STRONG.exec(text)?.[0] ?? "") ? "rtl" : "ltr");

  /**
   * The alignment as a list: one item per text, so that it reads as a sentence. The grid lays lines of all texts below
   * each other.
   * `note(system)` gives what stands next to a system's name.
   */
  function alignmentNode(sentence, systems, { font, available, note }) {
    const alignment = aligned(sentence, systems);
    const lines = linesOf(alignment, font, available);
    const { texts } = alignment;
    const way = direction(gecval.data.sources[sentence]);
    const { a, b } = gecval.state;
    const [ofA, ofB] = [a, b].map((system) => texts.find((text) => text.system === system));
    /** Whether A and B wrote different words in a column. */
    const differ = (index) => a !== b && ofA && ofB && written(ofA.cells[index]) !== written(ofB.cells[index]);
    const items = texts.map((text, row) => {
      const parts = lines.flatMap((line, number) => {
        const label = element(
          "span",
          { class: "label", "aria-hidden": number > 0 ? "true" : null, title: visible(text.label) },
          element("span", { class: "name" }, isolated(text.label)),
          text.system !== undefined && number === 0 ? note(text.system) : null,
        );
        const segment = element(
          "span",
          { class: "segment", dir: way, lang: gecval.data.language },
          line.flatMap((unit) => {
            const differs = !unit.shared && (text === ofA || text === ofB) && differ(unit.index);
            return [cellNode(sentence, unit, text.cells[unit.index], available, Boolean(differs)), " "];
          }),
        );
        for (const part of [label, segment]) {
          part.style.gridRow = String(number * texts.length + row + 1);
          if (number > 0 && row === 0) part.classList.add("next-line");
        }
        return [label, segment];
      });
      return element("li", { class: text.kind }, parts);
    });
    return element("ul", { class: "alignment", "aria-label": "Source, references and outputs, aligned" }, items);
  }

  Object.assign(gecval, { aligned, alignmentNode, chunkSpans });
})();
