import { sampleValue } from '@alas-jssp/agents';
import { isObject } from '@alas-jssp/core/json-path';
import { createRandom, type Random } from '@alas-jssp/core/random';
import { deriveSeed } from '@alas-jssp/core/seed';
import type { Handler, Json } from '@alas-jssp/workflow';
import { conditionsOf } from '../running/conditions.js';
import type { RunnableDraft } from '../running/draft-registry.js';
import { splitMapping } from '../template/sources.js';
import type { TemplateNode } from '../template/template.js';
import { type CallingWorld, callWithFault } from './faulty-call.js';
import { nodeOfPath } from './node-of-path.js';

/** Outputs that are drawn until one satisfies the conditions of its constraints. */
const DRAWS = 20;
/** Of ten answers, those that satisfy the conditions if one that does is found, and reviews that accept. */
const GOOD_OF_TEN = 9;

/**
 * The handler of a node whose agent is not called in rehearsals: its output is drawn from its schema. Most outputs satisfy
 * the conditions of the node, and most reviews accept; some do not, so that choices and validators see both.
 */
export function sampleAgent(
  draft: RunnableDraft,
  node: TemplateNode,
  seed: number,
  world: () => CallingWorld,
): Handler {
  const conditions = conditionsOf(draft.template, draft.specification, node, 'output');
  const { constants } = splitMapping(node.details.input);
  const calls = new Map<string, number>();
  const draw = async (random: Random, input: Json): Promise<Json> => {
    const isGood = random.integer(1, 10) <= GOOD_OF_TEN;
    let output: Json = null;
    for (let k = 0; k < DRAWS; k++) {
      output = sampleValue(node.details.output ?? true, random, node.id);
      if (node.details.reviews !== undefined && isObject(output)) {
        output = { ...(output as Record<string, Json>), ok: isGood };
      }
      if (!isGood) return output;
      const bindings = { input: { ...constants, ...(input as object) } as Json, output };
      const held = await Promise.all(
        conditions.map(({ guard }) => guard.evaluate(bindings).catch(() => false)),
      );
      if (held.every(Boolean)) return output;
    }
    return output;
  };
  return {
    run: (input: Json, { nodeId, attempt, seed: own }) => {
      const number = (calls.get(nodeId) ?? 0) + 1;
      calls.set(nodeId, number);
      const place = { node: nodeOfPath(nodeId), of: 'call', number } as const;
      const random = createRandom(deriveSeed(seed, own, nodeId, attempt));
      return callWithFault(world(), place, () => draw(random, input));
    },
  };
}

/** A handler whose calls are disturbed: of code, which a rehearsal runs as it is. */
export function disturbAgent(handler: Handler, world: () => CallingWorld): Handler {
  const calls = new Map<string, number>();
  return {
    ...handler,
    kind: 'external',
    run: (input, context) => {
      const { nodeId } = context;
      const number = (calls.get(nodeId) ?? 0) + 1;
      calls.set(nodeId, number);
      const place = { node: nodeOfPath(nodeId), of: 'call', number } as const;
      return callWithFault(world(), place, async () => handler.run(input, context));
    },
  };
}
