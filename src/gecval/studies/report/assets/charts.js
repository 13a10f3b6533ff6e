// Small charts, drawn as SVG. Their numbers stand next to them in a table, so screen readers skip the drawing.
(() => {
  "use strict";

  const { shape } = gecval;

  /** A linear scale from values to pixels, with round ticks. */
  function scale(values, width, { zero = false, margin = 8 } = {}) {
    const known = values.filter((value) => Number.isFinite(value));
    let low = Math.min(...known, ...(zero ? [0] : []));
    let high = Math.max(...known, ...(zero ? [0] : []));
    if (!known.length) [low, high] = [0, 1];
    if (high - low <= 1e-9 * Math.max(Math.abs(low), Math.abs(high))) [low, high] = [low - 0.5, high + 0.5];
    let step = roundStep((high - low) / Math.max(2, width / 70));
    // A round step may leave a single tick, which gives no scale: then the next smaller one.
    while (marks(low, high, step).length < 2) step = roundStep(step / 2.5);
    if (!zero) low = Math.floor(low / step) * step;
    const at = (value) => margin + ((value - low) / (high - low)) * (width - 2 * margin);
    const ticks = marks(low, high, step);
    return { at, ticks, width, decimals: Math.max(0, -Math.floor(Math.log10(step) + 1e-9)) };
  }

  /** Multiples of the step from low to high. */
  function marks(low, high, step) {
    const ticks = [];
    for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; k++) ticks.push(k * step);
    return ticks;
  }

  function roundStep(raw) {
    const power = 10 ** Math.floor(Math.log10(raw));
    return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= raw) ?? 10 * power;
  }

  const drawing = (width, height, name, ...shapes) =>
    shape(
      "svg",
      { class: `chart ${name}`, width, height, viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" },
      ...shapes,
    );

  /** The numbers under a column of interval charts. */
  function axis({ at, ticks, width, decimals }) {
    const label = (tick) => gecval.write.fixed(tick, decimals).replace("-", "\u2212");
    return drawing(
      width,
      16,
      "axis",
      ticks.map((tick) => shape("text", { x: at(tick), y: 12, "text-anchor": "middle" }, label(tick))),
    );
  }

  /** A score as a dot, its interval as a bar with ends, on the scale that all rows share. */
  function intervalChart({ at, ticks, width }, value, bounds, height = 22) {
    const middle = height / 2;
    const parts = ticks.map((tick) => shape("line", { class: "tick", x1: at(tick), x2: at(tick), y1: 0, y2: height }));
    if (bounds && Number.isFinite(bounds[0]))
      parts.push(
        shape("path", {
          class: "interval",
          d: `M${at(bounds[0])} ${middle - 4}v8m0 -4H${at(bounds[1])}m0 -4v8`,
        }),
      );
    if (Number.isFinite(value)) parts.push(shape("circle", { class: "score", cx: at(value), cy: middle, r: 4 }));
    return drawing(width, height, "interval-chart", parts);
  }

  /** A difference as a dot with its interval, and a line at zero; the outcome of the test has a kind of dot. */
  function differenceChart(scaled, value, bounds, kind, height = 24) {
    const drawn = intervalChart(scaled, value, bounds, height);
    const zero = shape("line", { class: "zero", x1: scaled.at(0), x2: scaled.at(0), y1: 0, y2: height });
    drawn.insertBefore(zero, drawn.firstChild);
    drawn.classList.add(`is-${kind}`);
    return drawn;
  }

  /** Better, equal and worse as one bar; the numbers stand on the buttons below. */
  function tallyBar({ better, equal, worse }, width = 480, height = 14) {
    const all = Math.max(1, better + equal + worse);
    let x = 0;
    const part = (count, kind) => {
      const wide = (count / all) * width;
      const drawn = shape("rect", { class: `turn ${kind}`, x, y: 0, width: wide, height });
      x += wide;
      return drawn;
    };
    return drawing(width, height, "tally-bar", part(better, "better"), part(equal, "even"), part(worse, "worse"));
  }

  /** A picture that stands alone: title, subtitle, and a row with name, dot, interval and number for each. */
  function picture({ title, subtitle, rows, zero = false }) {
    const ROW = 22;
    const PLOT = 420;
    const names = 22 + 8.2 * Math.max(...rows.map(({ name }) => [...name].length));
    const values = rows.flatMap(({ value, interval }) => [value, ...(interval ?? [])]);
    const scaled = scale(zero ? [...values, 0] : values, PLOT);
    const width = Math.ceil(names + PLOT + 80);
    const height = 64 + ROW * rows.length + 24;
    const text = (content, attributes) => shape("text", { class: "label", ...attributes }, gecval.visible(content));
    const ticksOf = (scaled) => {
      const drawn = axis(scaled);
      drawn.setAttribute("overflow", "visible"); // half of the outermost numbers
      return drawn;
    };
    const part = (node, x, y) => {
      node.setAttribute("x", x);
      node.setAttribute("y", y);
      return node;
    };
    return drawing(
      width,
      height,
      "picture",
      shape("rect", { class: "paper-fill", x: 0, y: 0, width, height }),
      text(title, { class: "heading", x: 12, y: 24 }),
      text(subtitle, { x: 12, y: 42 }),
      rows.map(({ name, value, interval, text: number }, index) => {
        const y = 54 + ROW * index;
        const chart = zero ? differenceChart(scaled, value, interval, "drawn", ROW) : intervalChart(scaled, value, interval, ROW);
        return [
          text(name, { class: "name", x: names - 6, y: y + 15, "text-anchor": "end" }),
          part(chart, names, y),
          text(number, { class: "name", x: names + PLOT + 8, y: y + 15 }),
        ];
      }),
      part(ticksOf(scaled), names, 54 + ROW * rows.length),
    );
  }

  /** A count as a bar, its interval as a whisker. Every outcome has a column of its own, so colour is not needed. */
  function countBar({ at, width }, { sum, interval }, outcome, height = 14) {
    const middle = height / 2;
    const parts = [
      shape("rect", {
        class: `bar ${outcome}`,
        x: at(0),
        y: 2,
        width: Math.max(0, at(sum) - at(0)),
        height: height - 4,
      }),
    ];
    if (interval && sum > 0)
      parts.push(
        shape("path", { class: "whisker", d: `M${at(interval[0])} ${middle - 3}v6m0 -3H${at(interval[1])}m0 -3v6` }),
      );
    return drawing(width, height, "count-bar", parts);
  }

  /** Influence of every sentence on A − B, in the order of the file. The deciding ones are rings that can be clicked. */
  function influencePlot(influence, deciding, onChoose, width = 720, height = 180) {
    const left = 64;
    const values = Array.from(influence, (value) => (Number.isFinite(value) ? value : 0));
    const y = scale([...values, 0], height, { margin: 14, zero: true });
    const flip = (value) => height - y.at(value);
    const x = (sentence) => left + 6 + (sentence / Math.max(1, values.length - 1)) * (width - left - 14);
    const ticks = y.ticks.map((tick) => [
      shape("line", { class: tick === 0 ? "zero" : "tick", x1: left, x2: width, y1: flip(tick), y2: flip(tick) }),
      shape(
        "text",
        { x: left - 6, y: flip(tick) + 4, "text-anchor": "end" },
        gecval.write.signed(tick, Math.min(6, y.decimals)),
      ),
    ]);
    const points = values.map((value, sentence) => `M${x(sentence).toFixed(1)} ${flip(value).toFixed(1)}h0`).join("");
    const marks = deciding.map((sentence) => {
      const label = `Sentence ${sentence + 1}: ${gecval.write.signed(values[sentence], 5)}`;
      const mark = {
        class: "deciding",
        cx: x(sentence),
        cy: flip(values[sentence]),
        r: 5,
        on: { click: () => onChoose(sentence) },
      };
      return shape("circle", mark, shape("title", {}, label));
    });
    return drawing(width, height, "influence", ticks, shape("path", { class: "points", d: points }), marks);
  }

  gecval.charts = { scale, axis, intervalChart, differenceChart, tallyBar, picture, countBar, influencePlot };
})();
