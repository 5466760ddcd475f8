import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { recordKey } from '../../../src/harness/records/record.js';
import { type Matrix, matrixSize, openCells } from '../../../src/harness/run/matrix.js';
import { identifyInstances } from '../../../src/harness/run/sources.js';
import { findBenchmark } from '../../../src/jssp/suites.js';
import { namedSource } from '../fixtures.js';

function matrixOf(changes: Partial<Matrix> = {}): Matrix {
  const instances = identifyInstances([namedSource('a'), namedSource('b')]);
  return {
    instances,
    planners: ['p', 'q'],
    variants: ['full'],
    objective: 'makespan',
    disruption: null,
    replicates: 3,
    seed: 0,
    ...changes,
  };
}

function cellsOf(matrix: Matrix, done: ReadonlySet<string> = new Set()) {
  return Array.from(openCells(matrix, done), ({ cells }) =>
    cells.map((cell) => ({ ...cell, key: recordKey(cell) })),
  ).flat();
}

describe('openCells', () => {
  it('makes each cell of the matrix once, instance by instance', () => {
    const tasks = cellsOf(matrixOf());
    expect(tasks).toHaveLength(matrixSize(matrixOf()));
    expect(new Set(tasks.map(({ key }) => key)).size).toBe(tasks.length);
    expect(tasks.map(({ instance }) => instance).join('')).toBe('aaaaaabbbbbb');
  });

  it('leaves out exactly what is done, and changes no seed by that', () => {
    const all = cellsOf(matrixOf());
    fc.assert(
      fc.property(fc.subarray(all), (done) => {
        const rest = cellsOf(matrixOf(), new Set(done.map(({ key }) => key)));
        const expected = all.filter((task) => !done.includes(task));
        expect(rest.map(({ key, seed }) => [key, seed])).toEqual(
          expected.map(({ key, seed }) => [key, seed]),
        );
      }),
    );
  });

  it('gives a replicate of an instance the same seed under every planner, and no other cell', () => {
    const seeds = new Map<string, Set<number>>();
    for (const { instance, replicate, seed } of cellsOf(matrixOf())) {
      const cell = `${instance} ${replicate}`;
      seeds.set(cell, (seeds.get(cell) ?? new Set()).add(seed));
    }
    expect([...seeds.values()].map(({ size }) => size)).toEqual(Array(6).fill(1));
    expect(new Set([...seeds.values()].flatMap((set) => [...set])).size).toBe(6);
  });

  it('derives every seed from the base seed', () => {
    const [zero, one] = [0, 1].map((seed) => cellsOf(matrixOf({ seed })).map((task) => task.seed));
    expect(zero.some((seed) => one.includes(seed))).toBe(false);
  });

  it('loads an instance when its first cell asks for it, once for all its cells', () => {
    const loads: string[] = [];
    const instances = identifyInstances([namedSource('a'), namedSource('b')]).map((instance) => ({
      ...instance,
      load: () => {
        loads.push(instance.name);
        return instance.load();
      },
    }));
    const cells = openCells(matrixOf({ instances }), new Set());
    const first = cells.next();
    expect(loads).toEqual([]);
    if (!first.done) first.value.load();
    expect(loads).toEqual(['a']);
    for (const { load } of cells) load();
    expect(loads).toEqual(['a', 'b']);
  });
});

describe('identifyInstances', () => {
  it('loads into shared memory, under the name of the source', () => {
    const [{ load }] = identifyInstances([{ ...namedSource('x'), name: 'y' }]);
    const instance = load();
    expect(instance.name).toBe('y');
    expect(instance.duration.buffer).toBeInstanceOf(SharedArrayBuffer);
  });

  it('takes the bounds of a benchmark also where a file has its numbers', () => {
    const ft06 = findBenchmark('ft06');
    if (ft06 === undefined) throw new Error('ft06 is gone');
    const copy = { ...ft06, name: 'copy', suite: 'mine', bounds: null, sha256: null };
    const [one, other] = identifyInstances([ft06, copy]);
    expect(other.sha256).toBe(one.sha256);
    expect(other.bounds).toEqual(one.bounds);
    expect(one.bounds).toMatchObject({ upper_bound: 55, lower_bound: 55 });
  });

  it('has a bound of its own for an instance that nobody knows, but no upper one', () => {
    const [{ bounds }] = identifyInstances([namedSource('x')]);
    expect(bounds).toMatchObject({
      lower_bound_source: 'own',
      lower_bound: 6,
      upper_bound: null,
    });
  });

  it('refuses two instances of one name', () => {
    expect(() => identifyInstances([namedSource('a'), namedSource('a')])).toThrow(
      'a.txt and a.txt are both called a; rename one',
    );
  });

  it('refuses a bad file, be it a benchmark or not', () => {
    const load = () => {
      throw new Error('bad file');
    };
    const benchmark = { ...namedSource('a'), sha256: 'f00d', load };
    expect(() => identifyInstances([benchmark])).toThrow('bad file');
  });

  it('reads an instance once, and again only beyond what may stay in memory', () => {
    const loads = [0, 0];
    const sources = ['a', 'b'].map((name, k) => {
      const source = namedSource(name);
      const load = () => {
        loads[k]++;
        return source.load();
      };
      return { ...source, load };
    });
    const [{ operations }] = sources.map(({ load }) => load());
    loads.fill(0);
    const [first, second] = identifyInstances(sources, () => {}, operations);
    expect(first.load()).toBe(first.load());
    expect(second.load()).toEqual(second.load());
    expect(loads).toEqual([1, 3]);
  });

  it('notices that a file which is read again has changed since the run began', () => {
    let loads = 0;
    const fickle = {
      ...namedSource('a'),
      load: () => [namedSource('a'), changed()][loads++].load(),
    };
    const changed = () => findBenchmark('ft06') ?? namedSource('a');
    const [{ load }] = identifyInstances([fickle], () => {}, 0);
    expect(load).toThrow('a.txt: the instance has changed since the run began');
  });
});
