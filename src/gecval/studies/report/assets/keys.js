// Keys, as readers of mail and code know them. They rest while somebody types.
(() => {
  "use strict";

  const { element, byId } = gecval;

  const KEYS = [
    { keys: ["/"], does: "search", run: openSearch },
    { keys: ["j"], does: "next sentence", run: () => gecval.step(1) },
    { keys: ["k"], does: "previous sentence", run: () => gecval.step(-1) },
    { keys: ["ArrowRight"], shown: "→", does: "next edit of the sentence", run: () => gecval.stepEdit(1) },
    { keys: ["ArrowLeft"], shown: "←", does: "previous edit of the sentence", run: () => gecval.stepEdit(-1) },
    { keys: ["n"], does: "next page", run: () => gecval.turnPage(1) },
    { keys: ["p"], does: "previous page", run: () => gecval.turnPage(-1) },
    { keys: ["s"], does: "to the sentences", run: () => gecval.show("sentences") },
    { keys: ["r"], does: "to the ranking", run: () => gecval.show("ranking") },
    { keys: ["c"], does: "clear all filters", run: () => gecval.choose(gecval.withoutFilters()) },
    { keys: ["?"], does: "this help", run: () => byId("help").showModal() },
  ];

  function openSearch() {
    byId("panel").open = true;
    byId("choose-q").focus();
    byId("choose-q").select();
  }

  const typing = (target) => target.closest?.("input:not([type=checkbox]), textarea, select, dialog");

  function onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (event.key === "Escape" && event.target.id === "choose-q") {
      byId("sentences-heading").focus();
      return;
    }
    if (typing(event.target)) return;
    const binding = KEYS.find(({ keys }) => keys.includes(event.key));
    // Arrows keep scrolling where there is no further edit to go to.
    if (binding && binding.run() !== false) event.preventDefault();
  }

  function bindKeys() {
    document.addEventListener("keydown", onKey);
    byId("help-open").addEventListener("click", () => byId("help").showModal());
    byId("keys").append(
      ...KEYS.flatMap(({ keys, shown, does }) => [
        element("dt", {}, element("kbd", {}, shown ?? keys[0])),
        element("dd", {}, does),
      ]),
    );
    byId("help-close").addEventListener("click", () => byId("help").close());
  }

  gecval.bindKeys = bindKeys;
})();
