import { expect, test } from 'vitest';
import {
  createMemoryStore,
  type LogStore,
  type RunResult,
  replayRun,
  resumeRun,
  runWorkflow,
} from '../src/index.js';
import { EXAMPLE_RUNS, type ExampleRun, type Outside } from './example-runs.js';

/** A store that counts what is appended, and breaks down after so many appends. */
function fragile(store: LogStore, lasts: number) {
  let appends = 0;
  const append: LogStore['append'] = (entries, options) => {
    if (appends >= lasts) throw new Error('power cut');
    appends++;
    return store.append(entries, options);
  };
  return { store: { ...store, append }, appends: () => appends };
}

/** What must not depend on whether a run was broken off. */
function endOf({ status, output, error, remaining }: RunResult, outside: Outside) {
  return { status, output, error: error?.code, remaining, outside: outside.look() };
}

async function attempt({ name, workflow, input, open }: ExampleRun, lasts: number) {
  const log = createMemoryStore();
  const { store, appends } = fragile(log, lasts);
  const outside = await open();
  try {
    const { options } = outside;
    const result = await runWorkflow(workflow, input, {
      ...options,
      store,
      runId: name,
      unchecked: true,
    }).catch((error) => {
      expect(error.message).toBe('power cut');
      return resumeRun(log, name, options);
    });
    expect(await replayRun(log, name, options)).toMatchObject({ parity: true });
    return { end: endOf(result, outside), appends: appends() };
  } finally {
    await outside.close();
  }
}

test.each(EXAMPLE_RUNS)('$name ends the same wherever it is broken off', async (run) => {
  const whole = await attempt(run, Number.POSITIVE_INFINITY);
  expect(whole.appends).toBeGreaterThan(3);
  for (let lasts = 1; lasts < whole.appends; lasts++) {
    const { end } = await attempt(run, lasts);
    // A process that ends takes an attempt with it: the last failure may be that.
    const known = end.error === 'Interrupted' ? { error: 'Interrupted' } : {};
    expect(end, `after ${lasts} appends`).toEqual({ ...whole.end, ...known });
  }
});
