// Text and regular expressions over source, references and outputs, in either case.
//
// Some regular expressions never end ("(a+)+$"), and a page cannot stop one that runs. So they run in a worker, which
// is ended after a second; the page goes on.
(() => {
  "use strict";

  const LIMIT = 1000; // milliseconds that a regular expression may take over the whole corpus

  let texts = null;
  let lowered = null;
  let worker = null; // a promise of a worker that holds the texts

  /** Per sentence: source, references and outputs, one a line. */
  function corpusTexts() {
    const { sources, references, outputs } = gecval.data;
    texts ??= sources.map((source, i) => [source, ...references[i], ...outputs[i]].join("\n"));
    return texts;
  }

  /** In lower case; made while nobody waits, so that the first search is as quick as the others. */
  const loweredTexts = () => (lowered ??= corpusTexts().map((text) => text.toLowerCase()));

  function withText(needle) {
    const sought = needle.toLowerCase();
    return Uint8Array.from(loweredTexts(), (text) => (text.includes(sought) ? 1 : 0));
  }

  /** Runs in the worker: the first message brings the texts, every later one an expression. */
  function matcher() {
    let held = null;
    onmessage = ({ data }) => {
      if (held === null) {
        held = data;
        postMessage("ready");
      } else {
        const expression = new RegExp(data, "imu");
        postMessage(Uint8Array.from(held, (text) => (expression.test(text) ? 1 : 0)));
      }
    };
  }

  const answer = (from) =>
    new Promise((resolve, reject) => {
      from.onmessage = ({ data }) => resolve(data);
      from.onerror = reject;
    });

  async function start() {
    const address = URL.createObjectURL(new Blob([`(${matcher})()`], { type: "text/javascript" }));
    const started = new Worker(address);
    const ready = answer(started);
    started.postMessage(corpusTexts());
    await ready;
    URL.revokeObjectURL(address);
    return started;
  }

  async function withExpression(pattern) {
    new RegExp(pattern, "imu"); // throws where the pattern is malformed
    worker ??= start();
    const runner = await worker;
    const matched = answer(runner);
    runner.postMessage(pattern);
    let clock;
    const late = new Promise((resolve) => (clock = setTimeout(resolve, LIMIT, null)));
    const mask = await Promise.race([matched, late]);
    clearTimeout(clock);
    if (mask === null) {
      runner.terminate();
      worker = null;
      throw new Error("It takes longer than a second. Make it simpler: avoid nested + and *.");
    }
    return mask;
  }

  // One question at a time: the worker's answers carry no name.
  let last = Promise.resolve();

  /** The sentences with a text: {mask, message}. The mask is null where there is none, or where the message says why. */
  async function search(pattern, isExpression) {
    if (!pattern) return { mask: null, message: "" };
    if (!isExpression) return { mask: withText(pattern), message: "" };
    const turn = last.then(() => withExpression(pattern));
    last = turn.catch(() => {});
    try {
      return { mask: await turn, message: "" };
    } catch (error) {
      const reason = error.message.replace(/^Invalid regular expression: /, "");
      return { mask: null, message: `This regular expression is not used. ${gecval.visible(reason)}` };
    }
  }

  const prepareSearch = () => (window.requestIdleCallback ?? setTimeout)(loweredTexts);

  Object.assign(gecval, { search, prepareSearch });
})();
