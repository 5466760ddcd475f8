// The handlers of the conformance matrix, for `--handlers` of a worker: they call the stub, as those of our own
// runtime do in one process. Each run has the names of its own workflow, which lies in a folder by the id of the run.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { env } from 'node:process';
import { registryOf } from '@alas-jssp/lab/conformance/embedded';
import { parseWorkflow } from '@alas-jssp/workflow';

const known = new Map();

function registryOfRun(runId) {
  const there = known.get(runId);
  if (there !== undefined) return there;
  const text = readFileSync(join(env.ALAS_CONFORMANCE_RUNS, `${runId}.json`));
  const registry = registryOf(parseWorkflow(text), env.ALAS_CONFORMANCE_STUB, env.ALAS_SABOTAGE);
  known.set(runId, registry);
  return registry;
}

/** A table that has something under every name. */
function underAnyName(make) {
  const describe = (_, name) => {
    const value = typeof name === 'string' ? make(name) : undefined;
    return value && { value, configurable: true, enumerable: true, writable: true };
  };
  return new Proxy(
    {},
    {
      get: (_, name) => (typeof name === 'string' && name !== 'then' ? make(name) : undefined),
      has: (_, name) => typeof name === 'string',
      getOwnPropertyDescriptor: describe,
    },
  );
}

export const handlers = underAnyName((name) => ({
  run: (input, context) => registryOfRun(context.runId).handlers[name].run(input, context),
}));

export const compensators = underAnyName((name) => ({
  run: (effect, context) => registryOfRun(context.runId).compensators[name].run(effect, context),
}));
