import type { Registry, Workflow } from '../src/index.js';
import { chain, createWorld, effect, flow, plain, SAGA } from './interpreter/world.js';

const PAYMENT = { type: 'object', required: ['amount'] };

/** An effect that is never answered. */
const SEND = {
  id: 'send',
  type: 'task',
  handler: 'mute',
  effect: 'irreversible',
  policyRef: 'brief',
};

/** Workflows that need another party to continue, by the run of which they are. */
export const TALKS = {
  'talk-paid': talk(
    [effect('book'), { id: 'paid', type: 'wait', message: 'payment', io: { output: PAYMENT } }],
    { signals: { note: { type: 'string' } } },
  ),
  'talk-denied': talk([effect('book'), { ...plain('gate'), approval: 'kim' }, effect('pay')]),
  'talk-back': talk([
    plain('begin'),
    effect('book'),
    { ...effect('pay', { fail: 'Busy' }), policyRef: 'back' },
  ]),
  'talk-late': talk([effect('book'), effect('pay', { seconds: 3, before: true, deaf: true })]),
  'talk-happened': talk([effect('book'), SEND]),
  'talk-did-not': talk([effect('book'), SEND]),
} as const;

/** A chain of nodes. */
function talk(
  nodes: readonly Record<string, unknown>[],
  more: Record<string, unknown> = {},
): Workflow {
  return flow({
    name: 'talk',
    nodes,
    edges: chain(...nodes.map(({ id }) => String(id))),
    policies: {
      saga: { ...SAGA, timeout: { seconds: 1 } },
      back: { ...SAGA, catch: [{ errors: ['Busy'], backTo: 'begin' }] },
      brief: { timeout: { seconds: 1 }, lateAnswer: { seconds: 2 } },
    },
    ...more,
  });
}

/** The outside of these workflows. */
export function registryOfTalks(): Registry {
  const { registry } = createWorld();
  const mute = { run: () => new Promise<never>(() => {}) };
  return { ...registry, handlers: { ...registry.handlers, mute } };
}
