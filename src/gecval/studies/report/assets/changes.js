// How much references and systems change: of all sentences, the share with 0, 1, 2, … words changed.
(() => {
  "use strict";

  const { element, isolated, byId, replaceBody, write } = gecval;
  const { table, column, rowHead, cell, row, region } = gecval;

  function heatMap(rows) {
    const most = rows[0].shares.length - 1;
    const share = (value, words) => {
      const percent = 100 * value;
      const text = percent === 0 ? "" : percent < 1 ? "<1" : write.fixed(percent, 0);
      const amount = `${words}${words === most ? " or more" : ""} words: ${write.fixed(percent, 1)}% of the sentences`;
      const node = cell(text, "heat", { title: amount });
      node.style.setProperty("--heat", `${Math.round(70 * Math.sqrt(value))}%`);
      return node;
    };
    const line = ({ name, reference, sentences, mean, shares }) => {
      const fewer = reference && sentences < gecval.data.sentences ? ` (${write.plural(sentences, "sentence")})` : "";
      return row(
        rowHead([isolated(name), element("span", { class: "muted" }, fewer)], "system"),
        cell(write.fixed(mean, 2), "number strong"),
        shares.map(share),
      );
    };
    const references = rows.filter(({ reference }) => reference);
    const systems = rows.filter(({ reference }) => !reference).sort((first, second) => second.mean - first.mean);
    return table(
      { class: "heat-map still changed", id: "changed-table" },
      "Of 100 sentences, how many have so many words changed; people above, systems below, from the boldest to the most cautious",
      [
        column("Corrected by"),
        column("Words", "number", { title: "words changed in a sentence, on average" }),
        rows[0].shares.map((_, words) => column(words === most ? `${words}+` : words)),
      ],
      references.map(line),
      systems.map(line),
    );
  }

  /** Which systems change much less, or more, than people do. */
  function summary(rows) {
    const references = rows.filter(({ reference }) => reference);
    const systems = rows.filter(({ reference }) => !reference);
    const weight = references.reduce((sum, { sentences }) => sum + sentences, 0);
    const people = references.reduce((sum, { mean, sentences }) => sum + mean * sentences, 0) / weight;
    const cautious = systems.filter(({ mean }) => mean < 0.8 * people).length;
    const bold = systems.filter(({ mean }) => mean > 1.25 * people).length;
    const counted = (number) => (number < systems.length ? `${number} of ${write.plural(systems.length, "system")}` : number === 2 ? "Both systems" : number === 1 ? "The system" : `All ${number} systems`);
    const as = (number, words) => (number ? `${counted(number)} ${number === 1 ? "changes" : "change"} ${words}` : "");
    const said = [as(cautious, "at least a fifth fewer"), as(bold, "at least a quarter more")];
    return `People change ${write.fixed(people, 2)} words in a sentence, on average. ${said.filter(Boolean).join("; ") || "All systems change about as much"}.`;
  }

  function drawChanges() {
    const rows = gecval.data.corrected;
    if (!rows.some(({ reference }) => reference)) return;
    replaceBody(
      byId("changes"),
      gecval.wholeNote(),
      element("p", { class: "lead" }, summary(rows), " Case and punctuation do not count. A system that changes far less than people is cautious, whatever its precision."),
      region("Words changed", heatMap(rows)),
    );
  }

  Object.assign(gecval, { drawChanges });
})();
