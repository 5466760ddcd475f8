import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  done,
  failed,
  findDepartures,
  given,
  orderOf,
  type Part,
  pause,
  row,
  together,
  undone,
  upTo,
} from '../../packages/lab/src/conformance/expectation.js';

const at = (kind: string, path: string, error?: string, time?: number) => ({
  runId: 'r',
  step: path,
  item: '',
  path,
  attempt: 1,
  kind: kind as 'start',
  ...(error !== undefined && { error }),
  ...(time !== undefined && { at: time }),
});

/** The rows that events stand for. */
const traceOf = (events: readonly string[]) =>
  events.map((event) => {
    const [kind, path] = event.split(' ');
    return at(kind, path);
  });

/** Partial orders made of rows and of parts side by side, each event with a name of its own. */
const parts = fc
  .letrec<{ part: unknown; leaf: unknown }>((tie) => ({
    leaf: fc.constant('x'),
    part: fc.oneof(
      { maxDepth: 3 },
      tie('leaf'),
      fc.record({ row: fc.array(tie('part'), { minLength: 1, maxLength: 3 }) }),
      fc.record({ together: fc.array(tie('part'), { minLength: 1, maxLength: 3 }) }),
      fc.record({ graph: fc.array(tie('part'), { minLength: 1, maxLength: 4 }) }),
    ),
  }))
  .part.map((part) => {
    let count = 0;
    const rename = (one: unknown): Part => {
      if (typeof one === 'string') return `start s${count++}`;
      const [[key, inner]] = Object.entries(one as Record<string, unknown[]>);
      // Every graph is a diamond, as far as it has nodes for that.
      const diamond = [
        [0, 1],
        [0, 2],
        [1, 3],
        [2, 3],
      ].filter(([, to]) => to < inner.length);
      const edges = key === 'graph' ? { edges: diamond } : {};
      return { [key]: inner.map(rename), ...edges } as unknown as Part;
    };
    return rename(part);
  });

/** Any order of the events that the relations allow. */
function linearise(part: Part, choices: readonly number[]): string[] {
  const { events, before } = orderOf(part);
  const left = new Set(events.keys());
  const trace: string[] = [];
  for (let k = 0; left.size > 0; k++) {
    const free = [...left].filter(
      (event) => !before.some(([earlier, later]) => later === event && left.has(earlier)),
    );
    const next = free[(choices[k % choices.length] ?? 0) % free.length];
    left.delete(next);
    trace.push(next);
  }
  return trace;
}

const choices = fc.array(fc.nat(1000), { minLength: 1, maxLength: 40 });

describe('a partial order', () => {
  it('is fitted by each of its linearisations', () => {
    fc.assert(
      fc.property(parts, choices, (part, drawn) => {
        expect(findDepartures(part, traceOf(linearise(part, drawn)))).toEqual([]);
      }),
    );
  });

  it('is not fitted by a trace that has two dependent events the other way round', () => {
    fc.assert(
      fc.property(parts, choices, fc.nat(), (part, drawn, which) => {
        const trace = linearise(part, drawn);
        const { before } = orderOf(part);
        fc.pre(before.length > 0);
        const [earlier, later] = before[which % before.length];
        const swapped = trace.map((event) =>
          event === earlier ? later : event === later ? earlier : event,
        );
        const problems = findDepartures(part, traceOf(swapped));
        expect(problems).toContain(`${later} comes before ${earlier}`);
      }),
    );
  });

  it('is not fitted by a trace that lacks an event, has one twice, or a strange one', () => {
    fc.assert(
      fc.property(parts, choices, fc.nat(), (part, drawn, which) => {
        const trace = linearise(part, drawn);
        const place = which % trace.length;
        const event = trace[place];
        expect(findDepartures(part, traceOf(trace.toSpliced(place, 1)))).toEqual([
          `missing: ${event}`,
        ]);
        expect(findDepartures(part, traceOf([...trace, event]))).toEqual([`twice: ${event}`]);
        expect(findDepartures(part, traceOf([...trace, 'start other']))).toEqual([
          'not expected: start other',
        ]);
      }),
    );
  });
});

describe('an expectation', () => {
  const stopped = row(
    together(failed('a', 'Broken'), upTo(row(done('b'), done('c')))),
    given('start b', undone('b')),
  );

  it('asserts the names of errors', () => {
    const trace = [at('start', 'a'), at('error', 'a', 'Other')];
    expect(findDepartures(failed('a', 'Broken'), trace)).toEqual([
      'not expected: error a Other',
      'missing: error a Broken',
    ]);
    expect(
      findDepartures(failed('a', 'Broken'), [at('start', 'a'), at('error', 'a', 'Broken')]),
    ).toEqual([]);
  });

  it('lets a part be broken off, but not be begun in its middle', () => {
    const fail = [at('start', 'a'), at('error', 'a', 'Broken')];
    expect(findDepartures(stopped, fail)).toEqual([]);
    const undo = [at('compensate', 'b'), at('compensated', 'b')];
    expect(findDepartures(stopped, [at('start', 'b'), ...fail, ...undo])).toEqual([]);
    expect(findDepartures(stopped, [...fail, at('start', 'c')])).toContain('start c without ok b');
  });

  it('wants what depends on an event if, and only if, that is there', () => {
    const fail = [at('start', 'a'), at('error', 'a', 'Broken')];
    expect(findDepartures(stopped, [at('start', 'b'), ...fail])).toEqual([
      'missing: compensate b',
      'missing: compensated b',
    ]);
    expect(findDepartures(stopped, [...fail, at('compensate', 'b')])).toContain(
      'not expected without start b: compensate b',
    );
  });

  it('holds pauses as intervals', () => {
    const waits = row('start a', pause(1, 3), 'start b');
    const trace = (from: number, to: number) => [
      at('start', 'a', undefined, from),
      at('start', 'b', undefined, to),
    ];
    expect(findDepartures(waits, trace(0, 2000))).toEqual([]);
    expect(findDepartures(waits, trace(0, 900))).toHaveLength(1);
    expect(findDepartures(waits, trace(0, 3100))).toHaveLength(1);
  });

  it('cannot have an event twice', () => {
    expect(() => orderOf(row(done('a'), done('a')))).toThrow('start a twice');
  });
});
