"use strict";
// GLEU's rule: a random reference for every sentence, many times; the scores are averaged. Repetition j draws as Python 2
// does after seed(101 · j), as the original tool does.
(() => {
  const { rowsOf } = gecval;

  /** Python's random numbers: the Mersenne Twister (Matsumoto & Nishimura 1998), seeded by an array. */
  gecval.Twister = class {
    constructor(...key) {
      const state = (this.state = new Int32Array(624));
      state[0] = 19650218;
      for (let i = 1; i < 624; i++) state[i] = Math.imul(1812433253, state[i - 1] ^ (state[i - 1] >>> 30)) + i;
      let i = 1, j = 0;
      const step = () => {
        if (++i >= 624) [state[0], i] = [state[623], 1];
      };
      for (let k = Math.max(624, key.length); k > 0; k--) {
        state[i] = (state[i] ^ Math.imul(state[i - 1] ^ (state[i - 1] >>> 30), 1664525)) + key[j] + j;
        if (++j >= key.length) j = 0;
        step();
      }
      for (let k = 623; k > 0; k--) {
        state[i] = (state[i] ^ Math.imul(state[i - 1] ^ (state[i - 1] >>> 30), 1566083941)) - i;
        step();
      }
      state[0] = 1 << 31;
      this.next = 624;
    }

    refill() {
      const { state } = this;
      for (let k = 0; k < 624; k++) {
        const y = (state[k] & 0x80000000) | (state[(k + 1) % 624] & 0x7fffffff);
        state[k] = state[(k + 397) % 624] ^ (y >>> 1) ^ (y & 1 ? 0x9908b0df : 0);
      }
      this.next = 0;
    }

    word() {
      if (this.next >= 624) this.refill();
      let y = this.state[this.next++];
      y ^= y >>> 11;
      y ^= (y << 7) & 0x9d2c5680;
      y ^= (y << 15) & 0xefc60000;
      return (y ^ (y >>> 18)) >>> 0;
    }

    /** A number in [0, 1) with 53 random bits. */
    random() {
      return ((this.word() >>> 5) * 67108864 + (this.word() >>> 6)) / 9007199254740992;
    }
  };

  // Repetition j draws as Python 2 does after seed(101 · j). The draws of n sentences are the first n of its stream, so
  // streams are kept, up to 40 MB of them: the next subset needs the same ones.
  const KEPT = 5e6;
  const streams = [];

  function uniforms(repetition, count, repetitions) {
    if (streams[repetition]?.length >= count) return streams[repetition];
    const generator = new gecval.Twister(101 * repetition);
    const stream = Float64Array.from({ length: count }, () => generator.random());
    if (count * repetitions <= KEPT) streams[repetition] = stream;
    return stream;
  }

  /**
   * What the references of a subset can change: for each system, the sentences whose rows differ, and by how much each
   * further row differs from the first. All other columns and sentences are summed once.
   */
  function differences(metric, list, system) {
    const { rows, width, drawn } = metric;
    const positions = [], counts = [], starts = [], values = [];
    const totals = new Float64Array(width);
    for (let i = 0; i < list.length; i++) {
      const [begin, end] = rowsOf(metric, list[i], system);
      for (let k = 0; k < width; k++) totals[k] += rows[begin * width + k];
      const from = values.length;
      let differs = false;
      for (let row = begin + 1; row < end; row++) {
        for (const k of drawn) {
          const difference = rows[row * width + k] - rows[begin * width + k];
          differs ||= difference !== 0;
          values.push(difference);
        }
      }
      if (!differs) values.length = from;
      else {
        positions.push(i);
        counts.push(end - begin);
        starts.push(from);
      }
    }
    return { totals, positions: Int32Array.from(positions), counts: Int32Array.from(counts), starts: Int32Array.from(starts), values: Float64Array.from(values) };
  }

  /** The columns in which the references of some sentence differ. */
  function drawnColumns({ rows, width, starts, size }) {
    const differ = new Set();
    for (let unit = 0; unit < size && differ.size < width; unit++) {
      for (let row = starts[unit] + 1; row < starts[unit + 1]; row++) {
        for (let k = 0; k < width; k++) if (rows[row * width + k] !== rows[starts[unit] * width + k]) differ.add(k);
      }
    }
    return Int32Array.from([...differ].sort((a, b) => a - b));
  }

  /**
   * GLEU's rule for all systems: yields how far it is, and returns {scores, totals} with a mean over repetitions for
   * each system.
   */
  gecval.sampled = function* (metric, list) {
    const { width, systems, formula, starts } = metric;
    metric.drawn ??= starts === null ? new Int32Array(0) : drawnColumns(metric);
    const { drawn } = metric;
    const several = starts !== null && list.some((sentence) => {
      const [begin, end] = rowsOf(metric, sentence, 0);
      return end - begin > 1;
    });
    const repetitions = several ? metric.rule.iterations : 1;
    const prepared = Array.from({ length: systems }, (_, system) => differences(metric, list, system));
    const scores = new Float64Array(systems);
    const totals = prepared.map(() => new Float64Array(width));
    const now = new Float64Array(width), more = new Float64Array(drawn.length);
    for (let j = 0; j < repetitions; j++) {
      const stream = several ? uniforms(j, list.length, repetitions) : null;
      for (let system = 0; system < systems; system++) {
        const { positions, counts, starts: from, values, totals: fixed } = prepared[system];
        more.fill(0);
        for (let q = 0; q < positions.length; q++) {
          const row = (stream[positions[q]] * counts[q]) | 0;
          if (row === 0) continue;
          const at = from[q] + (row - 1) * drawn.length;
          for (let k = 0; k < more.length; k++) more[k] += values[at + k];
        }
        now.set(fixed);
        for (let k = 0; k < more.length; k++) now[drawn[k]] += more[k];
        scores[system] += formula.score(now) / repetitions;
        for (let k = 0; k < width; k++) totals[system][k] += now[k] / repetitions;
      }
      if (j % 10 === 9) yield (j + 1) / repetitions;
    }
    return { scores, totals };
  };
})();
