import type { Handler, Json } from '@alas-jssp/workflow';
import type { Sandbox } from '../sandbox/sandbox.js';

/** The handler of an agent that is code: it runs in the sandbox, and depends on its input and the seed of the step. */
export function createCodeHandler(source: string, sandbox: Sandbox): Handler {
  return {
    kind: 'pure',
    run: (input: Json, { seed, params }) => {
      const given = { ...(params.constants as object), ...(input as object) } as Json;
      return sandbox.evaluate(source, given, { seed });
    },
  };
}
