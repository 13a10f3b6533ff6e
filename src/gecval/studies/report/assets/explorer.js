// The list of sentences: a page of fifty at a time, so that five thousand stay quick and the keyboard can cross them.
(() => {
  "use strict";

  const { element, isolated, unseen, byId, replaceBody, write } = gecval;
  const { table, column, rowHead, cell, row, region } = gecval;

  const PAGE = 50;
  const AT_ONCE = 4; // sentences that fill a window: the others follow while people look at these
  const THEN = 12; // sentences at a time that follow: every time costs a frame
  const PRINTED = 10; // sentences on paper
  const PAPER = 650; // pixels of a printed line
  const LABEL = { wide: 132, narrow: 74 }; // pixels of the column with names, as in style.css
  const MARGIN = 8; // what measuring a text may be wrong by

  const pages = () => Math.max(1, Math.ceil(gecval.view.order.length / PAGE));
  const currentPage = () => Math.min(gecval.state.page, pages() - 1);

  /** Every metric's score of this sentence, for the systems on show. */
  function scoresTable(sentence) {
    const { metrics, systems } = gecval.data;
    const score = (system) => (_, metric) =>
      cell(write.score(gecval.sentenceScore(metric, sentence, system), 3), "number");
    const name = `Scores of sentence ${write.count(sentence + 1)}`;
    const scores = table(
      { class: "sentence-scores" },
      unseen(name),
      [column("System"), metrics.map((metric) => column(isolated(metric.name), "number"))],
      gecval
        .shownSystems()
        .map((system) => row(rowHead(isolated(systems[system]), "system"), metrics.map(score(system)))),
    );
    return region(name, scores);
  }

  /** The table is made when it is opened: fifty of them would slow the page. */
  function scoresDetails(sentence) {
    const summary = element("summary", {}, "Scores", unseen(` of sentence ${write.count(sentence + 1)}`));
    const details = element("details", { class: "scores" }, summary);
    const fill = () => details.open && details.children.length === 1 && details.append(scoresTable(sentence));
    details.addEventListener("toggle", fill);
    details.open = Boolean(gecval.state.scores);
    fill();
    return details;
  }

  function facts(sentence, decision) {
    const { metric, a, b } = gecval.state;
    const parts = [write.plural(gecval.sourceLengths()[sentence], "token")];
    if (gecval.data.systems.length > 1) {
      const difference = gecval.sentenceScore(metric, sentence, a) - gecval.sentenceScore(metric, sentence, b);
      parts.push(`A − B ${write.signed(difference, 3)}`);
    }
    const influence = decision?.influence?.[sentence];
    if (write.known(influence)) parts.push(`influence ${write.signed(influence, 5)}`);
    return element("span", { class: "facts" }, parts.join(" · "));
  }

  function sentenceNode(sentence, layout) {
    const { metric } = gecval.state;
    const note = (system) => {
      const score = write.score(gecval.sentenceScore(metric, sentence, system), 3);
      return element("span", { class: "label-score" }, unseen(`${gecval.data.metrics[metric].name} `), score);
    };
    const heading = `sentence-${sentence}-heading`;
    const article = { class: "sentence", tabindex: -1, "data-sentence": sentence, "aria-labelledby": heading };
    return element(
      "article",
      { id: `sentence-${sentence}`, ...article },
      element(
        "header",
        {},
        element("h3", { id: heading }, `Sentence ${write.count(sentence + 1)}`),
        facts(sentence, layout.decision),
      ),
      gecval.alignmentNode(sentence, gecval.shownSystems(), { ...layout, note }),
      scoresDetails(sentence),
    );
  }

  function pager(name) {
    const { length } = gecval.view.order;
    const page = currentPage();
    const turn = (by, text, key) => {
      const button = {
        type: "button",
        class: text.toLowerCase(),
        "aria-keyshortcuts": key,
        on: { click: () => turnPage(by) },
      };
      return element("button", { ...button, disabled: page + by < 0 || page + by >= pages() }, text);
    };
    const last = Math.min(length, (page + 1) * PAGE);
    const where = length ? `${write.count(page * PAGE + 1)}–${write.count(last)} of ${write.count(length)}` : "none";
    return element(
      "nav",
      { class: "pager", "aria-label": `Pages of sentences, ${name}` },
      turn(-1, "Previous", "p"),
      element("span", { class: "where" }, where),
      turn(1, "Next", "n"),
    );
  }

  let measured = null; // of the window: to ask again makes the browser lay out the whole page before anything is seen

  /** What the lines of alignments are broken by. */
  function layoutOf(list) {
    const { innerWidth } = window;
    if (measured?.innerWidth !== innerWidth) {
      const { fontSize, fontFamily } = getComputedStyle(list);
      measured = { innerWidth, font: `${fontSize} ${fontFamily}`, width: list.clientWidth };
    }
    gecval.drawnWidth = measured.width;
    const width = gecval.printing ? PAPER : measured.width;
    const label = innerWidth <= 600 ? LABEL.narrow : LABEL.wide;
    return { font: measured.font, available: width - label - MARGIN, decision: gecval.decisionOf(gecval.state) };
  }

  let rest = null; // what is still to be drawn: nodes of the next few sentences at each call, none at the end
  let drawing = Promise.resolve();
  gecval.drawn = () => drawing;

  /** A few sentences now, then a few after each frame. A newer list ends an older one. */
  function drawInTurn(list, sentences, layout) {
    let next = 0;
    const step = () => {
      const some = sentences.slice(next, next + (next ? THEN : AT_ONCE));
      next += some.length;
      list.append(...some.map((sentence) => sentenceNode(sentence, layout)));
      if (next >= sentences.length && rest === step) rest = null;
    };
    rest = step;
    step();
    drawing = new Promise((done) => {
      const follow = () => {
        if (rest !== step) return done();
        step();
        setTimeout(follow, 0);
      };
      gecval.afterFrame(follow);
    });
  }

  /** Draw all that is left at once. */
  function finishDrawing() {
    while (rest) rest();
  }

  function drawSentences() {
    const list = element("div", { id: "list" });
    const focused = document.activeElement?.id;
    replaceBody(byId("sentences"), gecval.toolbar(), gecval.legend(), pager("above"), list, pager("below"));
    const layout = layoutOf(list);
    const start = currentPage() * PAGE;
    const { order } = gecval.view;
    const some = gecval.printing ? PRINTED : PAGE; // thirty pages of sentences are not read
    drawInTurn(list, order.slice(start, start + some), layout);
    byId("sentences").toggleAttribute("data-sought", gecval.state.type >= 0 || Boolean(gecval.state.outcome));
    if (gecval.printing) {
      finishDrawing();
      const more = order.length - start - some;
      if (more > 0) list.append(element("p", { class: "message" }, `${write.plural(more, "more sentence")}: open the page to read them.`));
    }
    if (!order.length) list.append(element("p", { class: "message" }, "No sentence fits these filters."));
    // A control that was drawn again keeps the focus.
    if (focused && document.activeElement === document.body) byId(focused)?.focus({ preventScroll: true });
  }

  function focusSentence(sentence) {
    if (!byId(`sentence-${sentence}`)) finishDrawing();
    const node = byId(`sentence-${sentence}`);
    node?.focus({ preventScroll: true });
    node?.scrollIntoView({ block: "start" });
  }

  /** Show the sentence at a place in the list. */
  function showPlace(place) {
    const sentence = gecval.view.order[place];
    if (sentence === undefined) return;
    gecval.choose({ page: Math.floor(place / PAGE), at: sentence });
    focusSentence(sentence);
  }

  /** Go some pages on; the first sentence of the new page gets the focus. */
  const turnPage = (by) => showPlace((currentPage() + by) * PAGE);

  /** The next or the previous sentence: from the one with the focus, else from the one that was reached last. */
  function step(by) {
    const focused = document.activeElement?.closest("[data-sentence]")?.dataset.sentence;
    const place = gecval.view.order.indexOf(Number(focused ?? gecval.state.at));
    showPlace(place < 0 ? currentPage() * PAGE : place + by);
  }

  /** The next or the previous edit of the sentence that has the focus; false where there is none. */
  function stepEdit(by) {
    const edits = [...(document.activeElement?.closest("[data-sentence]")?.querySelectorAll(".edit") ?? [])];
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
    showPlace(gecval.view.order.indexOf(sentence));
  }

  Object.assign(gecval, { drawSentences, turnPage, step, stepEdit, goTo, focusSentence });
})();
