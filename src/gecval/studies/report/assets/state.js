// What the reader has chosen. The address keeps it (#metric=1&q=their): a link leads to the same view of the same file.
(() => {
  "use strict";

  // Systems, metrics and sentences go by their position, so that no name needs escaping. Only what differs is written.
  const DEFAULTS = {
    metric: 0, // which metric ranks, tests, decides and sorts
    a: 0, // the pair that is compared: A − B
    b: 1,
    shown: null, // systems in the explorer; null: A and B
    against: -1, // whose tests are listed on a phone; -1: those of the best
    system: 0, // whose types of error are drawn
    more: 0, // all types of error, not only the frequent ones
    types: "", // how they are sorted: by frequency, or by "difference"
    q: "", // text or regular expression
    regex: 0,
    type: -1, // an edit with this type, outcome, author and agreement must be in the sentence
    outcome: "",
    by: -1,
    agree: "",
    min: 0, // tokens of the source
    max: 0,
    turn: "", // by the metric: A is "better", "worse" or "equal"
    right: "", // "a": only A is right, "b", "both", "neither"
    deciding: "", // "only" the deciding sentences, or all "without" them
    sort: "file", // file, length, difference, influence, or score-<system>
    down: 0,
    page: 0,
    at: -1, // the sentence that j and k have reached
    scores: 0, // every metric's score under every sentence
    theme: 0, // 0: as the reader's system has it, 1: light, 2: dark
  };

  /** The choices that decide which sentences are in. */
  const FILTERS = ["q", "regex", "type", "outcome", "by", "agree", "min", "max", "turn", "right", "deciding"];

  function read(hash) {
    const state = { ...DEFAULTS };
    for (const [name, text] of new URLSearchParams(hash.replace(/^#/, ""))) {
      if (!(name in DEFAULTS)) continue;
      if (name === "shown") state.shown = text.split(".").map(Number);
      else state[name] = typeof DEFAULTS[name] === "number" ? Number(text) : text;
    }
    return checked(state);
  }

  /** A link may come from another report: what does not exist here falls back. */
  function checked(state) {
    const { systems, metrics, types, sentences } = gecval.data;
    const within = (name, length, lowest = 0) => {
      const value = state[name];
      if (!Number.isInteger(value) || value < lowest || value >= length) state[name] = DEFAULTS[name];
    };
    within("metric", metrics.length);
    for (const name of ["a", "b", "system"]) within(name, systems.length);
    within("by", systems.length, -1);
    within("against", systems.length, -1);
    within("type", types.length, -1);
    within("at", sentences, -1);
    within("theme", 3);
    for (const name of ["min", "max", "page"]) within(name, Infinity);
    if (systems.length < 2) state.b = 0;
    else if (state.a === state.b) state.b = state.a === 0 ? 1 : 0;
    if (systems.length < 2) state.a = 0;
    if (state.shown)
      state.shown = state.shown.filter((system) => Number.isInteger(system) && systems[system] !== undefined);
    return state;
  }

  function written(state) {
    const changed = Object.entries(state).filter(([name, value]) => value !== null && value !== DEFAULTS[name]);
    return changed
      .map(([name, value]) => `${name}=${Array.isArray(value) ? value.join(".") : encodeURIComponent(value)}`)
      .join("&");
  }

  const listeners = [];

  /** Change some choices; whoever listens hears which. A new filter or order starts on the first page. */
  function choose(changes) {
    const next = checked({ ...gecval.state, ...changes });
    if (!("page" in changes) && [...FILTERS, "sort", "down"].some((name) => next[name] !== gecval.state[name])) {
      next.page = 0;
      next.at = -1;
    }
    adopt(next);
    const hash = written(next);
    history.replaceState(null, "", hash ? `#${hash}` : location.pathname + location.search);
  }

  function adopt(next) {
    const before = gecval.state;
    gecval.state = next;
    const changed = new Set(Object.keys(DEFAULTS).filter((name) => String(before[name]) !== String(next[name])));
    if (changed.size) for (const listener of listeners) listener(changed);
  }

  /** Start with what the address says, and follow it when the reader changes it. */
  function openState() {
    [DEFAULTS.a, DEFAULTS.b] = gecval.data.pair;
    gecval.state = read(location.hash);
    addEventListener("hashchange", () => {
      if (!document.getElementById(location.hash.slice(1))) adopt(read(location.hash));
    });
  }

  const shownSystems = () =>
    gecval.state.shown ?? (gecval.data.systems.length < 2 ? [0] : [gecval.state.a, gecval.state.b]);

  const filtered = () => FILTERS.some((name) => gecval.state[name] !== DEFAULTS[name]);
  const withoutFilters = () => Object.fromEntries(FILTERS.map((name) => [name, DEFAULTS[name]]));

  Object.assign(gecval, {
    openState,
    choose,
    shownSystems,
    filtered,
    withoutFilters,
    FILTERS,
    listen: (listener) => listeners.push(listener),
  });
})();
