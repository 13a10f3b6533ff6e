// The panel: metric, pair, filters. Every control carries the name of the choice that it sets.
(() => {
  "use strict";

  const { element, option, byId } = gecval;

  const WHO_IS_RIGHT = [
    ["", "anyone"],
    ["a", "only A is right"],
    ["b", "only B is right"],
    ["both", "both are right"],
    ["neither", "neither is right"],
  ];
  const TURNS = [
    ["", "any"],
    ["better", "A better than B"],
    ["worse", "A worse than B"],
    ["equal", "equal"],
  ];
  const DECIDING = [
    ["", "any sentence"],
    ["only", "deciding ones"],
    ["without", "without them"],
  ];

  const group = (title, ...fields) => element("fieldset", {}, element("legend", {}, title), fields);

  const field = (label, control) =>
    element("p", { class: "field" }, element("label", { for: control.id }, label), control);

  const menu = (label, name, choices) => {
    const options = choices.map(([value, text]) => option(value, text));
    return field(label, element("select", { id: `choose-${name}`, "data-name": name }, options));
  };

  const number = (name, label) =>
    element("input", {
      id: `choose-${name}`,
      "data-name": name,
      type: "number",
      min: 0,
      inputmode: "numeric",
      "aria-label": label,
    });

  function searchFields() {
    const search = element("input", {
      id: "choose-q",
      "data-name": "q",
      type: "search",
      spellcheck: "false",
      dir: "auto",
      "aria-keyshortcuts": "/",
      "aria-describedby": "search-message",
    });
    const regex = element("input", { id: "choose-regex", "data-name": "regex", type: "checkbox" });
    return [
      field("Text", search),
      element("label", { class: "check" }, regex, " regular expression"),
      element("p", { id: "search-message", class: "error", role: "alert" }),
    ];
  }

  function lengthField() {
    const bounds = [number("min", "Tokens, at least"), " – ", number("max", "Tokens, at most")];
    const label = element("span", {}, "Tokens");
    return element("p", { class: "field" }, label, element("span", { class: "from-to" }, bounds));
  }

  /** How many references have an edit: none, some or more, all. */
  function agreements() {
    const most = Math.max(0, ...gecval.data.references.map((references) => references.length));
    const least = (n) => [`${n}+`, n === most && most > 1 ? `all ${n} agree` : `${n} or more agree`];
    return [["", "any"], ["0", "none agrees"], ...Array.from({ length: most }, (_, index) => least(index + 1))];
  }

  /** One edit of the sentence must answer all of these. */
  function editFields(systems) {
    const { types } = gecval.data;
    return [
      menu("Edit type", "type", [[-1, "any"], ...types.map((name, type) => [type, gecval.typeTitle(name)])]),
      menu("Outcome", "outcome", [["", "any"], ...gecval.outcomeNames.map((name) => [name, name])]),
      menu("Edit by", "by", [[-1, "anyone"], ...systems]),
      menu("References", "agree", agreements()),
    ];
  }

  function buildControls() {
    const { metrics, references, deciding } = gecval.data;
    const systems = gecval.data.systems.map((name, system) => [system, name]);
    const pair = systems.length > 1;
    const judged = references.some((texts) => texts.length);
    const names = metrics.map(({ name }, metric) => [metric, name]);
    const clear = { click: () => gecval.choose(gecval.withoutFilters()) };
    const reset = element("button", { type: "button", id: "reset", on: clear }, "Clear filters");
    const controls = byId("controls");
    controls.append(
      group("Compare", menu("Metric", "metric", names), pair ? [menu("A", "a", systems), menu("B", "b", systems)] : []),
      group(
        "Filter sentences",
        searchFields(),
        judged ? editFields(systems) : [],
        lengthField(),
        pair ? menu("By metric", "turn", TURNS) : [],
        judged && pair ? menu("Who is right", "right", WHO_IS_RIGHT) : [],
        pair && deciding?.length ? menu("Deciding", "deciding", DECIDING) : [],
        element("p", { class: "buttons" }, reset),
      ),
    );
    controls.addEventListener("submit", (event) => event.preventDefault());
    controls.addEventListener("input", ({ target }) => target.dataset.name && change(target));
    showChoices();
  }

  function change({ dataset: { name }, type, checked, value }) {
    if (type === "checkbox") gecval.choose({ [name]: Number(checked) });
    else if (typeof gecval.state[name] === "string") gecval.choose({ [name]: value });
    else if (name === "a" || name === "b") gecval.choosePairMember(name, Number(value));
    else gecval.choose({ [name]: Number(value || 0) });
  }

  /** Controls show the choices, whoever made them: the panel, a click in a table, the address. */
  function showChoices() {
    for (const control of byId("controls").querySelectorAll("[data-name]")) {
      const value = gecval.state[control.dataset.name];
      const text = control.type === "number" && value === 0 ? "" : String(value);
      if (control.type === "checkbox") control.checked = Boolean(value);
      else if (control.value !== text) control.value = text;
    }
    byId("reset").disabled = !gecval.filtered();
  }

  /** The filters that are on, in words: [what is said, the choices that it rests on]. */
  function filtersInWords() {
    const { q, type, outcome, by, agree, min, max, turn, right, deciding, metric, a, b } = gecval.state;
    const { systems, metrics, types } = gecval.data;
    const [first, second] = [systems[a], systems[b]];
    const said = (table, value) => table.find(([key]) => key === value)?.[1] ?? value;
    const turns = {
      better: `${first} better than ${second} by ${metrics[metric].name}`,
      worse: `${first} worse than ${second} by ${metrics[metric].name}`,
      equal: `${first} and ${second} equal by ${metrics[metric].name}`,
    };
    const rights = {
      a: `only ${first} is right`,
      b: `only ${second} is right`,
      both: `${first} and ${second} are right`,
      neither: `neither ${first} nor ${second} is right`,
    };
    const decides = { only: "deciding sentences only", without: "without the deciding sentences" };
    const words = [
      q && [`text “${q}”`, ["q", "regex"]],
      type >= 0 && [`edits ${gecval.typeTitle(types[type])}`, ["type"]],
      outcome && [outcome, ["outcome"]],
      by >= 0 && [`by ${systems[by]}`, ["by"]],
      agree && [`references: ${said(agreements(), agree)}`, ["agree"]],
      (min || max) && [`${min || 0} to ${max || "any number of"} tokens`, ["min", "max"]],
      turn && [turns[turn] ?? turn, ["turn"]],
      right && [rights[right] ?? right, ["right"]],
      deciding && [decides[deciding] ?? deciding, ["deciding"]],
    ];
    return words.filter(Boolean);
  }

  /** A bar at the foot of the window while a filter is on: wherever the reader is, it says that this is a part. */
  function showFilters(count) {
    const bar = byId("filters-on");
    bar.hidden = !gecval.filtered();
    if (bar.hidden) return;
    const { isolated, write, unseen } = gecval;
    const clear = { type: "button", on: { click: () => gecval.choose(gecval.withoutFilters()) } };
    const chip = ([words, names]) => {
      const defaults = gecval.withoutFilters();
      const click = () => gecval.choose(Object.fromEntries(names.map((name) => [name, defaults[name]])));
      return element("button", { type: "button", class: "chip", on: { click } }, unseen("Take away: "), isolated(words), " ×");
    };
    bar.replaceChildren(
      element("strong", {}, `${write.count(count)} of ${write.plural(gecval.data.sentences, "sentence")} shown:`),
      ...filtersInWords().map(chip),
      element("button", clear, "Show all"),
    );
  }

  function showMessage(message) {
    byId("search-message").textContent = message;
    byId("choose-q").setAttribute("aria-invalid", String(Boolean(message)));
  }

  Object.assign(gecval, { buildControls, showChoices, showMessage, showFilters });
})();
