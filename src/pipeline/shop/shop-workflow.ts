import { commandSchema, objectSchema, planWorkflow } from '@alas-jssp/living-plan';
import type { Workflow } from '@alas-jssp/workflow';
import { EVENT_KINDS } from '../../disruption/index.js';
import type { OpenPolicy } from '../../lcrp/policy/policy.js';
import { MOST_ROW_METHODS } from './rows.js';

const version = { type: 'integer', minimum: 1 } as const;
const events = { type: 'array', items: { type: 'object' }, minItems: 1 } as const;

const input = objectSchema({
  instance: { type: 'object' },
  start: { type: 'array', items: { type: 'integer' } },
  policy: { type: 'object' },
  live: { type: 'boolean' },
});

const command = commandSchema([
  [{ events, row: { type: 'string' } }, 'row'],
  [{ undo: version }],
  [{ propose: { type: 'object' } }],
  [{ withdraw: version, instead: events }, 'instead'],
]);

/** The parts of a policy on which the workflow of a shop depends. */
export type ShopPolicy = Pick<
  OpenPolicy,
  'methods' | 'approval' | 'budget' | 'fallback' | 'radius' | 'limits'
>;

/** The workflow that executes a shop: see `planWorkflow`. Equal policies give the same workflow. */
export function shopWorkflow(policy: ShopPolicy): Workflow {
  const { methods, approval, budget, fallback, radius, limits } = policy;
  const isTimed = budget.seconds !== null;
  const mayYield = limits.mostEdited !== null;
  const key = JSON.stringify([methods, approval, isTimed, fallback, radius, mayYield]);
  const known = workflows.get(key);
  if (known !== undefined) return known;
  const made = planWorkflow({
    name: 'shop',
    description: 'executes a plan in a shop: every event is repaired, validated and committed',
    meta: { methods: [...methods], approval: approval === null ? null : { ...approval } },
    input,
    command,
    methods: methods.length,
    rowMethods: MOST_ROW_METHODS,
    isTimed,
    mayYield,
    approval,
    covers: EVENT_KINDS,
    repair: { primitives: ['order', 'time'], covers: [...EVENT_KINDS] },
    // A fallback ignores the radius, and rows have their own radii.
    ...(fallback === null && { maxRadius: Math.max(1, radius.most) }),
  });
  workflows.set(key, made);
  return made;
}

/** Reused workflows: a runtime prepares each one once. */
const workflows = new Map<string, Workflow>();

/** Whether a workflow, such as one from a log, was created by {@link shopWorkflow}. */
export function isShop({ meta }: Pick<Workflow, 'meta'>): boolean {
  return Object.hasOwn(meta, 'shop');
}
