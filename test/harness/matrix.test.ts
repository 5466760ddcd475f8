import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Matrix, matrixSize, openTasks } from '../../src/harness/matrix.js';
import { recordKey } from '../../src/harness/record.js';
import { identifyInstances } from '../../src/harness/sources.js';
import { findBenchmark } from '../../src/jssp/suites.js';
import { namedSource } from './fixtures.js';

function matrixOf(changes: Partial<Matrix> = {}): Matrix {
  const instances = identifyInstances([namedSource('a'), namedSource('b')]);
  return {
    instances,
    planners: ['p', 'q'],
    variants: ['full'],
    replicates: 3,
    seed: 0,
    ...changes,
  };
}

function tasksOf(matrix: Matrix, done: ReadonlySet<string> = new Set()) {
  return Array.from(
    openTasks(matrix, done, () => null),
    (task) => {
      return { ...task, key: recordKey({ ...task, instance: task.instance.name }) };
    },
  );
}

describe('openTasks', () => {
  it('makes each cell of the matrix once, instance by instance', () => {
    const tasks = tasksOf(matrixOf());
    expect(tasks).toHaveLength(matrixSize(matrixOf()));
    expect(new Set(tasks.map(({ key }) => key)).size).toBe(tasks.length);
    expect(tasks.map(({ instance }) => instance.name).join('')).toBe('aaaaaabbbbbb');
  });

  it('leaves out exactly what is done, and changes no seed by that', () => {
    const all = tasksOf(matrixOf());
    fc.assert(
      fc.property(fc.subarray(all), (done) => {
        const rest = tasksOf(matrixOf(), new Set(done.map(({ key }) => key)));
        const expected = all.filter((task) => !done.includes(task));
        expect(rest.map(({ key, seed }) => [key, seed])).toEqual(
          expected.map(({ key, seed }) => [key, seed]),
        );
      }),
    );
  });

  it('gives a replicate of an instance the same seed under every planner, and no other cell', () => {
    const seeds = new Map<string, Set<number>>();
    for (const { instance, replicate, seed } of tasksOf(matrixOf())) {
      const cell = `${instance.name} ${replicate}`;
      seeds.set(cell, (seeds.get(cell) ?? new Set()).add(seed));
    }
    expect([...seeds.values()].map(({ size }) => size)).toEqual(Array(6).fill(1));
    expect(new Set([...seeds.values()].flatMap((set) => [...set])).size).toBe(6);
  });

  it('derives every seed from the base seed', () => {
    const [zero, one] = [0, 1].map((seed) => tasksOf(matrixOf({ seed })).map((task) => task.seed));
    expect(zero.some((seed) => one.includes(seed))).toBe(false);
  });

  it('loads an instance when its first task is due, once, and not if nothing is left to do', () => {
    const loads: string[] = [];
    const instances = identifyInstances([namedSource('a'), namedSource('b')]).map((instance) => ({
      ...instance,
      load: () => {
        loads.push(instance.name);
        return instance.load();
      },
    }));
    const matrix = matrixOf({ instances });
    const tasks = openTasks(matrix, new Set(), () => null);
    tasks.next();
    expect(loads).toEqual(['a']);
    Array.from(tasks);
    expect(loads).toEqual(['a', 'b']);
    tasksOf(matrix, new Set(tasksOf(matrixOf()).map(({ key }) => key)));
    expect(loads).toEqual(['a', 'b']);
  });
});

describe('identifyInstances', () => {
  it('loads into shared memory, under the name of the source', () => {
    const [{ load }] = identifyInstances([{ ...namedSource('x'), name: 'y' }]);
    const { instance } = load();
    expect(instance.name).toBe('y');
    expect(instance.duration.buffer).toBeInstanceOf(SharedArrayBuffer);
  });

  it('takes the bounds of a benchmark also where a file has its numbers', () => {
    const ft06 = findBenchmark('ft06');
    if (ft06 === undefined) throw new Error('ft06 is gone');
    const copy = { ...ft06, name: 'copy', suite: 'mine', bounds: null, sha256: null };
    const [one, other] = identifyInstances([ft06, copy]);
    expect(other.sha256).toBe(one.sha256);
    expect(other.load().bounds).toEqual(one.load().bounds);
    expect(one.load().bounds).toMatchObject({ upper: 55, lower: 55 });
  });

  it('has a bound of its own for an instance that nobody knows, but no upper one', () => {
    const [{ load }] = identifyInstances([namedSource('x')]);
    expect(load().bounds).toMatchObject({ source: 'own', lower: 6, upper: null });
  });

  it('refuses two instances of one name', () => {
    expect(() => identifyInstances([namedSource('a'), namedSource('a')])).toThrow(
      'there are two instances called a',
    );
  });

  it('notices that a file has changed since the run began', () => {
    let loads = 0;
    const fickle = {
      ...namedSource('a'),
      load: () => [namedSource('a'), changed()][loads++].load(),
    };
    const changed = () => findBenchmark('ft06') ?? namedSource('a');
    const [{ load }] = identifyInstances([fickle]);
    expect(load).toThrow('a.txt: the instance has changed since the run began');
  });
});
