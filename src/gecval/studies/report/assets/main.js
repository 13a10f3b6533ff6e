// Opens the report, and draws again what a change of choices changes.
(() => {
  "use strict";

  const { element, byId, write } = gecval;

  /** What is on show: the sentences that are in (mask, count, order), their scores (grid). `whole` is all of them. */
  gecval.view = null;
  gecval.whole = null;

  const any = (changed, names) => names.some((name) => changed.has(name));

  // Filters about A and B, or about the deciding sentences of a metric, change with them.
  const SELECTION = [...gecval.FILTERS, "a", "b", "metric"];
  const ORDER = ["sort", "down", "metric", "a", "b"];

  let turn = 0; // counts selections: an answer to an older one is dropped
  let pending = Promise.resolve();
  let recounted = Promise.resolve();
  /** When the page has followed the last choice; scores may still be computed (html[data-scored]). */
  gecval.settled = () => pending.then(() => Promise.all([gecval.drawn(), recounted]));

  function onChange(changed) {
    gecval.showChoices();
    if (changed.has("theme")) showTheme();
    if (any(changed, SELECTION)) pending = selectAgain(changed);
    else draw(changed);
  }

  const waiting = new Set(); // changes whose drawing waits for a selection

  async function selectAgain(changed) {
    const now = ++turn;
    for (const name of changed) waiting.add(name);
    const { mask, count, message } = await gecval.select(gecval.state);
    if (now !== turn) return;
    gecval.showMessage(message);
    const moved = gecval.view.mask.some((bit, sentence) => bit !== mask[sentence]);
    gecval.view = { ...gecval.view, mask, count };
    gecval.showFilters(count);
    gecval.showScope(count);
    byId("count").textContent = `${write.count(count)} of ${write.plural(gecval.data.sentences, "sentence")}`;
    if (moved) waiting.add("mask");
    draw(waiting);
    waiting.clear();
    if (moved) recounted = new Promise((done) => gecval.afterFrame(() => done(now === turn && recount()))); // sentences come first
  }

  /** Types of error and scores of the sentences that are in. */
  function recount() {
    gecval.drawBars(gecval.view);
    void gecval.drawTally();
    void rescore();
  }

  /** Scores of the sentences that are in: what is there at once, then metric by metric. A newer question ends this. */
  async function rescore() {
    const { mask } = gecval.view;
    const onProgress = (known) => {
      gecval.view.grid = gecval.scoreGrid(known.scores);
      gecval.view.pending = new Set(known.pending);
      gecval.drawRanking(gecval.view);
    };
    const answer = await gecval.scoresOf(mask, { intervals: true, onProgress });
    if (answer) document.documentElement.dataset.scored = "true";
  }

  function draw(changed) {
    const { view } = gecval;
    const moved = changed.has("mask");
    document.documentElement.toggleAttribute("data-filtered", gecval.filtered());
    if (moved || any(changed, ORDER)) view.order = gecval.ordered(gecval.state, view.mask);
    if (moved) document.documentElement.dataset.scored = "no";
    else if (any(changed, ["metric", ...gecval.FILTERS])) gecval.drawRanking(view);
    if (any(changed, ["metric", "against"])) gecval.drawTests();
    if (any(changed, ["metric", "a", "b"])) gecval.drawPair();
    if (any(changed, ["system", "more", "types", "a", "b"])) gecval.drawTypes(view);
    if (any(changed, ["metric", "a", "b"])) gecval.drawDeciding();
    if (moved || any(changed, [...ORDER, "page", "shown", "scores"])) gecval.drawSentences();
  }

  /** Bring a section into view and the focus to its heading. */
  gecval.show = (id) => {
    byId(`${id}-heading`).focus({ preventScroll: true });
    byId(id).scrollIntoView({ block: "start" });
  };

  function buildContents() {
    for (const { id } of document.querySelectorAll("main section:not([hidden])")) {
      const link = element("a", { href: `#${id}` }, byId(`${id}-heading`).textContent);
      // The address keeps the choices, so a link within the page must not take its place.
      link.addEventListener("click", (event) => {
        event.preventDefault();
        gecval.show(id);
      });
      byId("contents").append(element("li", {}, link));
    }
    document.querySelector(".skip").addEventListener("click", (event) => {
      event.preventDefault();
      byId("content").focus();
    });
  }

  /** The contents show which section is being read: the last one whose top has passed an upper part of the window. */
  function followReading() {
    const links = [...byId("contents").querySelectorAll("a")];
    const sections = links.map((link) => byId(link.getAttribute("href").slice(1)));
    let asked = false;
    const mark = () => {
      asked = false;
      const line = innerHeight / 3;
      const shown = sections.map((section, index) => [section.getBoundingClientRect(), index]);
      const passed = shown.filter(([{ top, height }]) => height && top < line);
      // Sections may stand next to each other: of those that begin at one height, the first.
      const reached = Math.max(...passed.map(([{ top }]) => top));
      const current = passed.find(([{ top }]) => top === reached)?.[1] ?? 0;
      links.forEach((link, index) => (index === current ? link.setAttribute("aria-current", "true") : link.removeAttribute("aria-current")));
    };
    const ask = () => {
      if (!asked) requestAnimationFrame(mark);
      asked = true;
    };
    addEventListener("scroll", ask, { passive: true });
    addEventListener("resize", ask);
    mark();
  }

  const THEMES = ["light dark", "light", "dark"];

  function showTheme() {
    const { theme } = gecval.state;
    document.documentElement.style.colorScheme = THEMES[theme];
    byId("theme").textContent = `Theme: ${theme ? THEMES[theme] : "system"}`;
  }

  function bindTheme() {
    showTheme();
    byId("theme").addEventListener("click", () => gecval.choose({ theme: (gecval.state.theme + 1) % THEMES.length }));
  }

  /** Lines of the alignment are broken for the width of the window, and for paper while printing. */
  function followWidth() {
    let wait;
    addEventListener("resize", () => {
      clearTimeout(wait);
      wait = setTimeout(() => byId("list").clientWidth !== gecval.drawnWidth && gecval.drawSentences(), 150);
    });
    const print = (on) => () => {
      gecval.printing = on;
      gecval.drawSentences();
    };
    addEventListener("beforeprint", print(true));
    addEventListener("afterprint", print(false));
  }

  async function open() {
    await gecval.load();
    const { data } = gecval;
    byId("version").textContent = data.version;
    gecval.openState();
    gecval.listen(onChange);
    gecval.whole = { grid: gecval.scoreGrid(data.scores) };
    const mask = new Uint8Array(data.sentences).fill(1);
    gecval.view = {
      mask,
      count: data.sentences,
      grid: gecval.whole.grid,
      pending: new Set(),
      order: gecval.ordered(gecval.state, mask),
    };
    gecval.buildControls();
    if (data.systems.length === 2) byId("ranking").before(byId("pair"));
    if (matchMedia("(max-width: 900px)").matches) byId("panel").open = false;
    gecval.drawVerdict();
    gecval.drawRanking(gecval.view);
    gecval.drawTests();
    gecval.drawPair();
    gecval.drawTypes(gecval.view);
    gecval.drawDeciding();
    gecval.drawChanges();
    gecval.drawGiven();
    gecval.drawMethods();
    gecval.drawSentences();
    buildContents();
    followReading();
    bindTheme();
    gecval.bindKeys();
    followWidth();
    byId("loading").remove();
    await (pending = selectAgain(new Set()));
    if (gecval.state.at >= 0) gecval.focusSentence(gecval.state.at);
    gecval.prepareSearch();
    await gecval.drawn();
    document.documentElement.dataset.ready = "true";
  }

  addEventListener("DOMContentLoaded", () => {
    open().catch((error) => {
      byId("loading").textContent = `The report cannot be opened: ${error.message}`;
      throw error;
    });
  });
})();
