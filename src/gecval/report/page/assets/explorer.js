// The list of sentences: a page of fifty at a time, so that five thousand stay quick and the keyboard can cross them.
(() => {
  "use strict";

  const { element, isolated, unseen, byId, replaceBody, write, OUTCOMES } = gecval;

  const PAGE = 50;
  const LABEL = 132; // pixels of the column with names; style.css has the same number
  const NARROW_LABEL = 74;

  const pages = () => Math.max(1, Math.ceil(gecval.view.order.length / PAGE));
  const currentPage = () => Math.min(gecval.state.page, pages() - 1);

  /** Every metric's score of this sentence, for the systems on show. */
  function scoresTable(sentence) {
    const { metrics, systems } = gecval.data;
    const shown = gecval.shownSystems();
    return element("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": `Scores of sentence ${sentence + 1}` },
      element("table", { class: "sentence-scores" },
        element("thead", {}, element("tr", {}, element("th", { scope: "col" }, "System"), metrics.map(({ name }) => element("th", { scope: "col", class: "number" }, isolated(name))))),
        element("tbody", {}, shown.map((system) => element("tr", {}, element("th", { scope: "row", class: "system" }, isolated(systems[system])),
          metrics.map((_, metric) => element("td", { class: "number" }, write.score(gecval.sentenceScore(metric, sentence, system), 3))))))));
  }

  /** The table is made when it is opened: fifty of them would slow the page. */
  function scoresDetails(sentence) {
    const details = element("details", { class: "scores", on: { toggle: () => details.open && details.children.length === 1 && details.append(scoresTable(sentence)) } },
      element("summary", {}, "Scores", unseen(` of sentence ${sentence + 1} under every metric`)));
    if (gecval.state.scores) {
      details.append(scoresTable(sentence));
      details.open = true;
    }
    return details;
  }

  function facts(sentence) {
    const { metric, a, b } = gecval.state;
    const parts = [write.plural(gecval.sourceLengths()[sentence], "token")];
    if (gecval.data.systems.length > 1) {
      const difference = gecval.sentenceScore(metric, sentence, a) - gecval.sentenceScore(metric, sentence, b);
      parts.push(`A − B ${write.signed(difference, 3)}`);
      const influence = gecval.decisionOf(gecval.state)?.influence?.[sentence];
      if (write.known(influence)) parts.push(`influence ${write.signed(influence, 5)}`);
    }
    return parts.join(" · ");
  }

  function sentenceNode(sentence, layout) {
    const note = (system) => element("span", { class: "label-score" }, unseen(`${gecval.data.metrics[gecval.state.metric].name} `),
      write.score(gecval.sentenceScore(gecval.state.metric, sentence, system), 3));
    return element("article", { id: `sentence-${sentence}`, class: "sentence", tabindex: -1, "data-sentence": sentence, "aria-labelledby": `sentence-${sentence}-heading` },
      element("header", {}, element("h3", { id: `sentence-${sentence}-heading` }, `Sentence ${write.count(sentence + 1)}`), element("span", { class: "facts" }, facts(sentence))),
      gecval.alignmentNode(sentence, gecval.shownSystems(), { ...layout, note }),
      scoresDetails(sentence));
  }

  function sortMenu() {
    const { sort, down, a, b } = gecval.state;
    const { systems, metrics, deciding } = gecval.data;
    const pair = systems.length > 1 ? [gecval.option("difference", `A − B: ${systems[a]} − ${systems[b]}`, sort === "difference")] : [];
    if (deciding?.length && systems.length > 1) pair.push(gecval.option("influence", "Influence on A − B", sort === "influence"));
    return [
      element("label", { for: "sort" }, "Sort by "),
      element("select", { id: "sort", on: { change: ({ target }) => gecval.choose({ sort: target.value }) } },
        gecval.option("file", "Order of the file", sort === "file"), gecval.option("length", "Length", sort === "length"), pair,
        element("optgroup", { label: `${gecval.visible(metrics[gecval.state.metric].name)} of` },
          systems.map((name, system) => gecval.option(`score-${system}`, name, sort === `score-${system}`)))),
      " ",
      element("button", { type: "button", id: "direction", "aria-pressed": String(Boolean(down)), on: { click: () => gecval.choose({ down: down ? 0 : 1 }) } },
        down ? "↓ highest first" : "↑ lowest first"),
    ];
  }

  function systemsMenu() {
    const shown = gecval.shownSystems();
    const change = () => {
      const chosen = [...byId("shown").querySelectorAll("input:checked")].map(({ value }) => Number(value));
      gecval.choose({ shown: chosen });
    };
    const wasOpen = byId("shown")?.open ?? false;
    return element("details", { id: "shown", class: "menu", open: wasOpen },
      element("summary", {}, `Systems shown: ${shown.length} of ${gecval.data.systems.length}`),
      element("fieldset", {}, element("legend", { class: "unseen" }, "Systems shown"),
        gecval.data.systems.map((name, system) => element("label", {},
          element("input", { type: "checkbox", value: system, checked: shown.includes(system), on: { change } }), " ", isolated(name)))));
  }

  function toolbar() {
    const scores = element("label", {}, element("input", {
      type: "checkbox", id: "all-scores", checked: Boolean(gecval.state.scores), on: { change: ({ target }) => gecval.choose({ scores: Number(target.checked) }) },
    }), " all scores");
    return element("div", { class: "toolbar" }, element("p", {}, sortMenu()), systemsMenu(), scores);
  }

  const legend = () => element("p", { class: "legend" }, Object.entries(OUTCOMES).map(([name, { sign, meaning }]) => [
    element("span", { class: `edit ${name}`, title: meaning }, element("span", { class: "sign", "aria-hidden": "true" }, sign), name), " "]),
  element("span", { class: "edit gold", title: "an edit of a reference" }, "reference"));

  function pager(name) {
    const { order } = gecval.view;
    const page = currentPage();
    const turn = (step, text, key) => element("button", {
      type: "button", class: text.toLowerCase(), disabled: page + step < 0 || page + step >= pages(), "aria-keyshortcuts": key, on: { click: () => turnPage(step) },
    }, text);
    const where = order.length ? `${write.count(page * PAGE + 1)}–${write.count(Math.min(order.length, (page + 1) * PAGE))} of ${write.count(order.length)}` : "no sentences";
    return element("nav", { class: "pager", "aria-label": `Pages of sentences, ${name}` }, turn(-1, "Previous", "p"), element("span", {}, where), turn(1, "Next", "n"));
  }

  /** Go some pages on; the first sentence of the new page gets the focus. */
  function turnPage(step) {
    const page = currentPage() + step;
    if (page < 0 || page >= pages()) return;
    gecval.choose({ page, at: gecval.view.order[page * PAGE] });
    focusSentence(gecval.state.at);
  }

  function drawSentences() {
    const section = byId("sentences");
    const list = element("div", { id: "list" });
    replaceBody(section, toolbar(), legend(), pager("above"), list, pager("below"));
    const font = getComputedStyle(list).font;
    const width = gecval.printing ? 660 : list.clientWidth;
    const layout = { font, available: width - (width < 560 ? NARROW_LABEL : LABEL) - 26 };
    const start = currentPage() * PAGE;
    const { order } = gecval.view;
    list.append(...order.slice(start, start + PAGE).map((sentence) => sentenceNode(sentence, layout)));
    if (!order.length) list.append(element("p", { class: "message" }, "No sentence fits these filters."));
    gecval.drawnWidth = list.clientWidth;
  }

  function focusSentence(sentence) {
    const node = byId(`sentence-${sentence}`);
    node?.focus({ preventScroll: true });
    node?.scrollIntoView({ block: "start" });
  }

  /** The sentence that j and k start from: the one with the focus, else the one that was reached last. */
  function currentPosition() {
    const focused = document.activeElement?.closest?.("[data-sentence]")?.dataset.sentence;
    return gecval.view.order.indexOf(focused === undefined ? gecval.state.at : Number(focused));
  }

  /** The next or the previous sentence, over the ends of pages. */
  function step(by) {
    const { order } = gecval.view;
    const position = currentPosition();
    const next = position < 0 ? currentPage() * PAGE : position + by;
    if (next < 0 || next >= order.length) return;
    gecval.choose({ page: Math.floor(next / PAGE), at: order[next] });
    focusSentence(order[next]);
  }

  /** The next or the previous edit of the sentence that has the focus. */
  function stepEdit(by) {
    const article = document.activeElement?.closest?.("[data-sentence]");
    if (!article) return false;
    const edits = [...article.querySelectorAll(".edit")];
    const at = edits.indexOf(document.activeElement);
    const next = edits[at < 0 ? (by > 0 ? 0 : edits.length - 1) : at + by];
    next?.focus();
    return Boolean(next);
  }

  /** Show one sentence; filters that hide it are taken away. */
  async function goTo(sentence) {
    if (!gecval.view.mask[sentence]) {
      gecval.choose(gecval.withoutFilters());
      await gecval.settled();
    }
    gecval.choose({ page: Math.floor(gecval.view.order.indexOf(sentence) / PAGE), at: sentence });
    focusSentence(sentence);
  }

  Object.assign(gecval, { drawSentences, turnPage, step, stepEdit, goTo, focusSentence });
})();
