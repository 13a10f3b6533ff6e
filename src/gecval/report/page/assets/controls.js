// The panel: metric, pair, filters. Every control carries the name of the choice that it sets.
(() => {
  "use strict";

  const { element, option, byId } = gecval;

  const field = (label, control, hint) => element("p", { class: "field" },
    element("label", { for: control.id }, label), control, hint ? element("span", { class: "hint" }, hint) : null);

  function menu(name, options) {
    return element("select", { id: `choose-${name}`, "data-name": name }, options.map(([value, text]) => option(value, text)));
  }

  const number = (name, label) => element("input", { id: `choose-${name}`, "data-name": name, type: "number", min: 0, inputmode: "numeric", "aria-label": label, placeholder: "any" });

  const group = (title, ...fields) => element("fieldset", {}, element("legend", {}, title), fields);

  function agreements() {
    const most = Math.max(0, ...gecval.data.references.map((references) => references.length));
    const choices = [["", "any number"], ["0", "none"]];
    for (let n = 1; n <= most; n++) choices.push([`${n}+`, n === most && most > 1 ? `all ${n}` : `${n} or more`]);
    return choices;
  }

  function buildControls() {
    const { systems, metrics, types, references, outputEdits, deciding } = gecval.data;
    const named = systems.map((name, system) => [system, name]);
    const hasReferences = references.some((texts) => texts.length) && outputEdits;
    const search = element("input", { id: "choose-q", "data-name": "q", type: "search", spellcheck: "false", "aria-keyshortcuts": "/", "aria-describedby": "search-message", dir: "auto" });
    const regex = element("label", { class: "check" }, element("input", { id: "choose-regex", "data-name": "regex", type: "checkbox" }), " regular expression");
    const two = systems.length > 1;
    byId("controls").append(
      group("Compare", field("Metric", menu("metric", metrics.map(({ name }, metric) => [metric, name]))),
        two ? [field("A", menu("a", named)), field("B", menu("b", named))] : []),
      group("Filter sentences", field("Text", search), regex, element("p", { id: "search-message", class: "error", role: "alert" }),
        hasReferences ? [
          field("Type of edit", menu("type", [[-1, "any"], ...types.map((name, type) => [type, name])])),
          field("Outcome", menu("outcome", [["", "any"], ...gecval.outcomeNames.map((name) => [name, name])])),
          field("Edit by", menu("by", [[-1, "any system"], ...named])),
          field("References with it", menu("agree", agreements())),
        ] : [],
        element("p", { class: "field" }, element("label", { for: "choose-min" }, "Tokens"), element("span", { class: "from-to" }, number("min", "Tokens, at least"), " – ", number("max", "Tokens, at most"))),
        hasReferences && two ? field("Who is right", menu("right", [["", "anyone"], ["a", "only A is right"], ["b", "only B is right"], ["both", "both are right"], ["neither", "neither is right"]])) : [],
        two && deciding?.length ? field("Deciding A − B", menu("deciding", [["", "any sentence"], ["only", "only deciding ones"], ["without", "without them"]])) : [],
        element("p", { class: "buttons" }, element("button", { type: "button", id: "reset", on: { click: () => gecval.choose(gecval.withoutFilters()) } }, "Clear filters"))));
    const controls = byId("controls");
    controls.addEventListener("submit", (event) => event.preventDefault());
    controls.addEventListener("input", ({ target }) => target.dataset.name && change(target));
    showChoices();
  }

  function change({ dataset: { name }, type, checked, value }) {
    if (type === "checkbox") return gecval.choose({ [name]: Number(checked) });
    const isText = typeof gecval.state[name] === "string";
    const chosen = isText ? value : Number(value || 0);
    // A and B always differ: choosing the other's system swaps the two.
    const other = { a: "b", b: "a" }[name];
    gecval.choose(other && gecval.state[other] === chosen ? { [name]: chosen, [other]: gecval.state[name] } : { [name]: chosen });
  }

  /** Controls show the choices, whoever made them: the panel, a click in a table, the address. */
  function showChoices() {
    for (const control of byId("controls").querySelectorAll("[data-name]")) {
      const value = gecval.state[control.dataset.name];
      if (control.type === "checkbox") control.checked = Boolean(value);
      else {
        const text = control.type === "number" && value === 0 ? "" : String(value);
        if (control.value !== text) control.value = text;
      }
    }
    byId("reset").disabled = !gecval.filtered();
  }

  function showMessage(message) {
    byId("search-message").textContent = message;
    byId("choose-q").setAttribute("aria-invalid", String(Boolean(message)));
  }

  Object.assign(gecval, { buildControls, showChoices, showMessage });
})();
