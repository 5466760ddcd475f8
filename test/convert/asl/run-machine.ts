import { readAsl } from '../../../src/convert/asl/read.js';
import { runWorkflow } from '../../../src/workflow/hosts/run.js';
import type { Registry } from '../../../src/workflow/interpreter/registry.js';
import { createMemoryStore } from '../../../src/workflow/log/memory-store.js';

/** Reads a machine, runs the workflow, and tells what its handlers were called with and how it ended. */
export async function runMachine(
  machine: unknown,
  input: unknown,
  answers: Record<string, unknown>,
) {
  const calls: [string, unknown, unknown][] = [];
  const handlers: Record<string, NonNullable<Registry['handlers']>[string]> = {
    pass: {
      kind: 'pure',
      run: (given: object, { params }) => params.result ?? { ...given, ...params },
    },
    fail: {
      kind: 'pure',
      run: (_: unknown, { params: { error, cause } }) => {
        throw Object.assign(new Error(String(cause)), { code: error });
      },
    },
  };
  for (const [name, answer] of Object.entries(answers)) {
    handlers[name] = {
      run: (given: unknown, { params }) => {
        calls.push([name, given, params]);
        return typeof answer === 'function' ? answer(given, params) : answer;
      },
    };
  }
  const { workflow } = readAsl(JSON.stringify(machine));
  const store = createMemoryStore();
  const options = { registry: { handlers }, store, stay: true };
  const { status, output, error } = await runWorkflow(workflow, input as never, options);
  return { status, output, code: error?.code, calls };
}
