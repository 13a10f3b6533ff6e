// What stands above the sentences: how they are sorted, which systems are shown, what the marks mean.
(() => {
  "use strict";

  const { element, isolated, option, byId, visible, OUTCOMES } = gecval;

  function sortMenu() {
    const { sort, metric, a, b } = gecval.state;
    const { systems, metrics, deciding } = gecval.data;
    const entry = (value, text) => option(value, text, sort === value);
    const change = ({ target }) => gecval.choose({ sort: target.value });
    const scores = systems.map((name, system) => entry(`score-${system}`, name));
    return element(
      "select",
      { id: "sort", on: { change } },
      entry("file", "order of the file"),
      entry("length", "length"),
      systems.length > 1 ? entry("difference", `A − B: ${systems[a]} − ${systems[b]}`) : null,
      systems.length > 1 && deciding?.length ? entry("influence", "influence on A − B") : null,
      element("optgroup", { label: `${visible(metrics[metric].name)} of` }, scores),
    );
  }

  function directionButton() {
    const { down } = gecval.state;
    const click = () => gecval.choose({ down: down ? 0 : 1 });
    const button = { type: "button", id: "direction", "aria-pressed": String(Boolean(down)), on: { click } };
    return element("button", button, down ? "↓ highest first" : "↑ lowest first");
  }

  function systemsMenu() {
    const shown = gecval.shownSystems();
    const change = () => {
      const checked = [...byId("shown").querySelectorAll("input:checked")];
      gecval.choose({ shown: checked.map(({ value }) => Number(value)) });
    };
    const box = (name, system) => {
      const input = {
        type: "checkbox",
        id: `shown-${system}`,
        value: system,
        checked: shown.includes(system),
        on: { change },
      };
      return element("label", {}, element("input", input), " ", isolated(name));
    };
    return element(
      "details",
      { id: "shown", class: "menu", open: byId("shown")?.open },
      element("summary", {}, `Systems shown: ${shown.length} of ${gecval.data.systems.length}`),
      element("fieldset", {}, element("legend", { class: "unseen" }, "Systems shown"), gecval.data.systems.map(box)),
    );
  }

  function scoresBox() {
    const change = ({ target }) => gecval.choose({ scores: Number(target.checked) });
    const input = { type: "checkbox", id: "all-scores", checked: Boolean(gecval.state.scores), on: { change } };
    return element("label", {}, element("input", input), " every metric's score");
  }

  const toolbar = () =>
    element(
      "div",
      { class: "toolbar" },
      element("p", {}, element("label", { for: "sort" }, "Sort by "), sortMenu(), " ", directionButton()),
      systemsMenu(),
      scoresBox(),
      gecval.csvButton(),
    );

  /** What the marks mean; without references there are only changes, which need no legend. */
  function legend() {
    if (!gecval.data.references.some((references) => references.length)) return null;
    const mark = ([name, { sign, meaning }]) => {
      const drawn = element("span", { class: "sign", "aria-hidden": "true" }, sign);
      return element("span", { class: `edit ${name}`, title: meaning }, drawn, name);
    };
    const gold = element("span", { class: "edit gold", title: "an edit of a reference" }, "reference");
    const sought = gecval.state.type >= 0 || gecval.state.outcome;
    const asked = sought ? element("span", { class: "edit sought", title: "an edit that the filters ask for" }, "asked for") : null;
    const { a, b } = gecval.state;
    const both = a !== b && [a, b].every((system) => gecval.shownSystems().includes(system));
    const differing = both ? element("span", { class: "cell chunk differs key" }, "A and B differ") : null;
    return element("p", { class: "legend", id: "legend" }, Object.entries(OUTCOMES).map(mark), gold, differing, asked);
  }

  Object.assign(gecval, { toolbar, legend });
})();
