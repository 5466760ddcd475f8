import { EVENT_KINDS } from '../../disruption/index.js';
import type { RepairPolicy } from '../../lcrp/policy/policy.js';
import {
  type Body,
  graph,
  type JsonSchema,
  type Policy,
  toWorkflow,
  type Workflow,
} from '../../workflow/index.js';

/** The name of the message by which a living shop is told of anything. */
export const NEWS = 'news';

/** Turns of a shop at most: instants at which something happens. */
const MOST_TURNS = 1_000_000;

const integer = { type: 'integer' } as const;
const text = { type: 'string' } as const;
const integers: JsonSchema = { type: 'array', items: integer };
const ref = (name: keyof typeof schemas): JsonSchema => ({ $ref: `#/schemas/${name}` });

function object(properties: Record<string, JsonSchema>, ...optional: string[]) {
  const required = Object.keys(properties).filter((key) => !optional.includes(key));
  return { type: 'object', properties, required } as const;
}

const at = { now: { ...integer, minimum: 0 }, by: text };

const schemas = {
  shop: object({
    instance: { type: 'object' },
    start: integers,
    seed: integer,
    policy: { type: 'object' },
    events: { type: 'array', items: { type: 'object' } },
    live: { type: 'boolean' },
  }),
  state: object({
    version: integer,
    now: integer,
    taken: integer,
    left: integer,
    live: { type: 'boolean' },
    over: { type: 'boolean' },
  }),
  news: {
    anyOf: [
      object({ events: { type: 'array', items: { type: 'object' }, minItems: 1 }, ...at }, 'by'),
      object({ undo: { ...integer, minimum: 1 }, ...at }, 'by'),
      object({ propose: { type: 'object' }, ...at }, 'by'),
      object({ close: { const: true }, by: text }, 'by'),
    ],
  },
  happening: object({
    kind: { enum: ['events', 'undo', 'propose', 'close', 'nothing'] },
    version: integer,
    now: integer,
    events: { type: 'array' },
    skipped: { type: 'array' },
    started: integers,
    changed: { type: 'boolean' },
  }),
  proposal: object({
    label: text,
    method: text,
    operations: integers,
    starts: integers,
    makespan: { type: 'object' },
  }),
  settled: object({ settled: { type: 'boolean' }, method: text }),
} as const satisfies Record<string, JsonSchema>;

/** The parts of a policy on which the workflow of a shop depends. */
export type ShopPolicy = Pick<
  RepairPolicy,
  'methods' | 'approval' | 'budget' | 'fallback' | 'radius'
>;

/**
 * The workflow of the execution of a shop. It serves both a list of events that is known beforehand
 * and a living shop, which is told of them by messages. Each turn is an instant:
 *
 * - `news` waits for a message, once no event given beforehand is left;
 * - `status` lets it take effect: what counts, what comes too late, what has started;
 * - `repair` tries the methods of the policy until one is accepted: `propose`, `revalidate` by the
 *   independent validator, `approve` if the policy asks for it, `commit`; or `rollBack`, and the next;
 * - `settle` hands on the version that is followed.
 *
 * Equal policies give equal workflows.
 */
export function shopWorkflow(policy: ShopPolicy): Workflow {
  const { methods, approval } = policy;
  const built = graph()
    .task('begin', { role: 'supervisor', io: { input: ref('shop'), output: ref('state') } })
    .map('turns', turn(policy), {
      io: { input: ref('state'), output: ref('state') },
      until: '$output.over',
      policyRef: 'turns',
    })
    .sequence('begin', 'turns')
    .build('shop', {
      description: 'executes a plan in a shop: every event is repaired, judged and committed',
      io: { input: ref('shop'), output: ref('state') },
      schemas,
      policies: policiesOf(policy),
      defaultPolicy: 'plain',
      meta: {
        shop: { methods: [...methods], approval: approval === null ? null : { ...approval } },
      },
    });
  const { nodes, edges } = markRepairable(built);
  return toWorkflow({ ...built, nodes, edges });
}

type Graph = Pick<Body, 'nodes' | 'edges'>;

/** What goes to the repair may get another order and other times there, on every edge on the way. */
function markRepairable({ nodes, edges }: Graph): Graph {
  return {
    nodes: nodes.map((node) =>
      node.type === 'map'
        ? { ...node, body: { ...node.body, ...markRepairable(node.body) } }
        : node,
    ),
    edges: edges.map((edge) =>
      ['turns', 'repair'].includes(edge.to) ? { ...edge, repairable: 'order' as const } : edge,
    ),
  };
}

/** Whether a workflow, such as that of a log, is one that {@link shopWorkflow} made. */
export function isShop({ meta }: Pick<Workflow, 'meta'>): boolean {
  return Object.hasOwn(meta, 'shop');
}

function policiesOf({ methods, approval, budget }: ShopPolicy): Record<string, Policy> {
  const rolledBack = { catch: [{ errors: ['*'], handler: 'rollBack' }] };
  const proposing: Policy =
    budget.seconds === null ? rolledBack : { ...rolledBack, timeout: { seconds: 604_800 } };
  const policies: Record<string, Policy> = {
    plain: {},
    turns: { loopGuards: { maxIters: MOST_TURNS } },
    // The guard of the paper's A.6: every method of the policy once.
    tries: { loopGuards: { maxIters: Math.max(1, methods.length) } },
    propose: proposing,
    revalidate: rolledBack,
  };
  if (approval === null) return policies;
  const { seconds, otherwise } = approval;
  const late = {
    errors: ['WaitTimeout'],
    handler: otherwise === 'approve' ? 'commit' : 'rollBack',
  };
  return {
    ...policies,
    approve: { wait: { seconds }, catch: [late, { errors: ['*'], handler: 'rollBack' }] },
  };
}

/** An instant. */
function turn(policy: ShopPolicy) {
  return graph()
    .choice('source', { io: { input: ref('state') } })
    .wait('news', { message: NEWS, io: { output: ref('news') } })
    .task('status', {
      role: 'supervisor',
      input: { state: 'input', news: 'outputs.news' },
      io: { output: ref('happening') },
    })
    .choice('effect', { input: 'outputs.status', io: { input: ref('happening') } })
    .map('repair', attempt(policy), {
      input: { happened: 'outputs.status' },
      io: { output: ref('settled') },
      until: '$output.settled',
      policyRef: 'tries',
    })
    .task('settle', {
      role: 'supervisor',
      input: { state: 'input', happened: 'outputs.status', settled: 'outputs.repair' },
      io: { output: ref('state') },
    })
    .branch('source', 'news', '$input.live and $input.left = 0')
    .otherwise('source', 'status')
    .sequence('news', 'status')
    .sequence('status', 'effect')
    .branch('effect', 'repair', '$input.changed')
    .otherwise('effect', 'settle')
    .sequence('repair', 'settle');
}

/** A proposal by one method, and what becomes of it. */
function attempt({ approval, budget, fallback, radius, methods }: ShopPolicy) {
  const proposal = {
    happened: 'input.happened',
    tried: 'input.tried',
    proposal: 'outputs.propose',
  };
  const isTimed = budget.seconds !== null;
  const proposed = graph()
    .task('propose', {
      role: 'repair',
      // A repair that the clock may end is not made again by a replay.
      handler: isTimed ? 'proposeInTime' : 'propose',
      io: { output: ref('proposal') },
      policyRef: 'propose',
      repair: {
        primitives: ['order', 'time'],
        // A fallback recomputes beyond any radius.
        ...(fallback === null ? { maxRadius: Math.max(1, radius.most) } : {}),
        maxRounds: Math.max(1, methods.length),
        covers: [...EVENT_KINDS],
      },
    })
    .task('revalidate', {
      role: 'validator',
      context: { entries: 32 },
      input: proposal,
      policyRef: 'revalidate',
    });
  const supervisor = { role: 'supervisor', io: { output: ref('settled') } } as const;
  const commit = { ...supervisor, input: proposal };
  if (approval === null) {
    return proposed
      .task('commit', commit)
      .task('rollBack', supervisor)
      .sequence('propose', 'revalidate', 'commit');
  }
  return proposed
    .task('approve', {
      role: 'supervisor',
      approval: 'version-{input.label}',
      input: { ...proposal, label: 'outputs.propose.label' },
      policyRef: 'approve',
    })
    .task('commit', commit)
    .task('rollBack', supervisor)
    .sequence('propose', 'revalidate', 'approve', 'commit');
}
