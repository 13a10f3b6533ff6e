// How numbers are written: one place, so that a score looks the same wherever it stands.
(() => {
  "use strict";

  const MINUS = "\u2212";
  const UNDEFINED = "\u2013"; // an en dash, as in the tables on the command line
  const grouped = new Intl.NumberFormat("en-US");

  const known = (value) => typeof value === "number" && Number.isFinite(value);

  /** Decimals as Python writes them: of two equally near numbers the even one. toFixed takes the larger. */
  function fixed(value, decimals) {
    const scaled = value * 10 ** decimals;
    // Only fractions of a power of two can lie halfway; for these the products are exact.
    const halfway = Number.isInteger(value * 2 ** (decimals + 1)) && Math.abs(scaled % 1) === 0.5;
    const text = (halfway ? (2 * Math.round(scaled / 2)) / 10 ** decimals : value).toFixed(decimals);
    return /[1-9]/.test(text) ? text : text.replace("-", ""); // what rounds to zero has no sign
  }

  /** A score with as many decimals as its size can bear. */
  function score(value, decimals = 4) {
    if (!known(value)) return UNDEFINED;
    const kept = Math.abs(value) >= 1000 ? 0 : Math.abs(value) >= 10 ? Math.min(decimals, 2) : decimals;
    return fixed(value, kept).replace("-", MINUS);
  }

  /** A difference: its sign is always written, so that it can be read without colour. Zero has none. */
  function signed(value, decimals = 4) {
    const text = score(value, decimals);
    return known(value) && value > 0 && /[1-9]/.test(text) ? `+${text}` : text;
  }

  const interval = (bounds, decimals = 4) =>
    bounds && known(bounds[0]) ? `[${score(bounds[0], decimals)}, ${score(bounds[1], decimals)}]` : UNDEFINED;

  /** A p-value as papers write it: without the zero that it cannot exceed. */
  function probability(p) {
    if (!known(p)) return UNDEFINED;
    if (p < 0.001) return "<.001";
    return p > 0.9995 ? "1" : fixed(p, 3).replace(/^0/, "");
  }

  /** A p-value in a cell: where it is the least that so many tests can give, it may be smaller still. */
  function bounded(p) {
    const { leastP } = gecval.data;
    const least = known(p) && leastP && p <= leastP + 1e-9 && p >= 0.001;
    return `${least ? "≤" : ""}${probability(p)}`;
  }

  const count = (value) => (known(value) ? grouped.format(value) : UNDEFINED);

  /** "1 sentence", "1,312 sentences" */
  const plural = (value, noun) => `${count(value)} ${noun}${value === 1 ? "" : "s"}`;

  /** "1–3", or "2" where both ends are the same. */
  const range = (bounds) =>
    !bounds ? UNDEFINED : bounds[0] === bounds[1] ? `${bounds[0]}` : `${bounds[0]}\u2013${bounds[1]}`;

  gecval.write = { fixed, score, signed, interval, probability, bounded, count, plural, range, known, UNDEFINED };
})();
