import { EVENT_KINDS } from '../../disruption/index.js';
import type { OpenPolicy } from '../../lcrp/policy/policy.js';
import {
  type Body,
  type GraphBuilder,
  graph,
  type JsonSchema,
  type Policy,
  toWorkflow,
  type Workflow,
} from '../../workflow/index.js';
import { MOST_ROW_METHODS } from './rows.js';

/** The name of the message by which a living shop is told of anything. */
export const NEWS = 'news';

/** How often the proposals of an instant are made anew, at most, since their time had passed. */
export const MOST_RENEWALS = 100;

/** Instants at which something happens, at most. */
const MOST_INSTANTS = 1_000_000;

const integer = { type: 'integer' } as const;
const text = { type: 'string' } as const;
const integers: JsonSchema = { type: 'array', items: integer };
const ref = (name: keyof typeof schemas): JsonSchema => ({ $ref: `#/schemas/${name}` });

function object(properties: Record<string, JsonSchema>, ...optional: string[]) {
  const required = Object.keys(properties).filter((key) => !optional.includes(key));
  return { type: 'object', properties, required } as const;
}

const note = { by: text, role: text, key: text, asked: text };
const at = { now: { ...integer, minimum: 0 }, ...note };
const NOTE = Object.keys(note);

const flag = { type: 'boolean' } as const;
const events = { type: 'array', items: { type: 'object' }, minItems: 1 } as const;

/** The schemas of messages, and of what guards read. The rest is made by steps of ours for steps of ours. */
const schemas = {
  shop: object({
    instance: { type: 'object' },
    start: integers,
    policy: { type: 'object' },
    live: flag,
  }),
  state: object({ version: integer, now: integer, left: integer, live: flag, over: flag }),
  // Of several things that one message tells, some would be lost.
  news: {
    anyOf: [
      object({ events, row: text, ...at }, 'row', ...NOTE),
      object({ undo: { ...integer, minimum: 1 }, ...at }, ...NOTE),
      object({ propose: { type: 'object' }, ...at }, ...NOTE),
      object({ withdraw: { ...integer, minimum: 1 }, instead: events, ...at }, 'instead', ...NOTE),
      object({ close: { const: true }, ...note }, ...NOTE),
    ].map((form) => ({ ...form, additionalProperties: false })),
  },
  effect: object({ changed: flag, row: text }, 'row'),
  settled: object({ settled: flag }),
  asked: object({ declined: flag, operations: integers }, 'declined'),
} as const satisfies Record<string, JsonSchema>;

/** The parts of a policy on which the workflow of a shop depends. */
export type ShopPolicy = Pick<
  OpenPolicy,
  'methods' | 'approval' | 'budget' | 'fallback' | 'radius' | 'limits'
>;

/**
 * The workflow of the execution of a shop. It serves both events that are known beforehand (`given`) and
 * a living shop, which is told of them by messages (`living`). Each turn of these loops is an instant:
 *
 * - `news`, of a living shop, waits for a message;
 * - `status` lets it take effect: what counts, what comes too late, what has started;
 * - `repair` tries the methods of the policy until one is accepted: `propose`, `revalidate` by the
 *   independent validator, `approve` if the policy asks for it, `commit`; or `rollBack`, and the next. What
 *   nobody approved goes by way of `decline`: the plan goes on as it can, and that is asked nobody. So it does
 *   where no method keeps the number of edits that the policy allows. What moves nothing is asked nobody, either;
 * - `chosen` does the same by the row that the report chose (see `rows.ts`): by the clock, so that a replay takes
 *   its proposals from the log;
 * - `settle` hands on the version that is followed.
 *
 * Equal policies give the same workflow.
 */
export function shopWorkflow(policy: ShopPolicy): Workflow {
  const { methods, approval, budget, fallback, radius } = policy;
  const isTimed = budget.seconds !== null;
  const key = JSON.stringify([methods, approval, isTimed, fallback, radius, mayYield(policy)]);
  const known = workflows.get(key);
  if (known !== undefined) return known;
  const { nodes, edges, ...rest } = writeShop(policy);
  const made = toWorkflow({ ...rest, ...markRepairable({ nodes, edges }) });
  workflows.set(key, made);
  return made;
}

/** Whether the plan goes on as it can where no method keeps the number of edits that the policy allows. */
function mayYield({ limits }: ShopPolicy): boolean {
  return limits.mostEdited !== null;
}

/** A runtime prepares each workflow once. */
const workflows = new Map<string, Workflow>();

function writeShop(policy: ShopPolicy): Workflow {
  const { methods, approval } = policy;
  const state = { input: ref('state'), output: ref('state') };
  const loop = { io: state, until: '$output.over', policyRef: 'instants' };
  return graph()
    .task('begin', { role: 'supervisor', io: { input: ref('shop'), output: ref('state') } })
    .choice('known', { io: { input: ref('state') } })
    .map('given', instant(policy, false), { ...loop, until: '$output.left = 0' })
    .choice('lives', {
      input: ['outputs.given', 'outputs.begin'],
      io: { input: ref('state') },
    })
    .map('living', instant(policy, true), { ...loop, input: 'outputs.lives' })
    .task('close', {
      role: 'supervisor',
      input: ['outputs.living', 'outputs.lives'],
      io: state,
    })
    .sequence('begin', 'known')
    .branch('known', 'given', '$input.left > 0')
    .otherwise('known', 'lives')
    .sequence('given', 'lives')
    .branch('lives', 'living', '$input.live')
    .otherwise('lives', 'close')
    .sequence('living', 'close')
    .build('shop', {
      description: 'executes a plan in a shop: every event is repaired, judged and committed',
      io: { input: ref('shop'), output: ref('state') },
      schemas,
      policies: policiesOf(policy),
      defaultPolicy: 'plain',
      meta: {
        shop: {
          methods: [...methods],
          approval: approval === null ? null : { ...approval },
        },
      },
    });
}

type Graph = Pick<Body, 'nodes' | 'edges'>;

/** Everything that goes to the repair may get another order and other times there, on every edge on the way. */
function markRepairable({ nodes, edges }: Graph): Graph {
  return {
    nodes: nodes.map((node) =>
      node.type === 'map'
        ? { ...node, body: { ...node.body, ...markRepairable(node.body) } }
        : node,
    ),
    edges: edges.map((edge) =>
      ['known', 'given', 'lives', 'living', 'effect', 'repair', 'chosen'].includes(edge.to)
        ? { ...edge, repairable: 'order' as const }
        : edge,
    ),
  };
}

/** Whether a workflow, such as that of a log, is one that {@link shopWorkflow} made. */
export function isShop({ meta }: Pick<Workflow, 'meta'>): boolean {
  return Object.hasOwn(meta, 'shop');
}

function policiesOf(policy: ShopPolicy): Record<string, Policy> {
  const { methods, approval, budget } = policy;
  const rolledBack = { catch: [{ errors: ['*'], handler: 'rollBack' }] };
  const inTime: Policy = { ...rolledBack, timeout: { seconds: 604_800 } };
  // And once more, after one was declined, or where none keeps a limit.
  const renewals = (approval === null ? 0 : MOST_RENEWALS + 1) + (mayYield(policy) ? 1 : 0);
  const policies: Record<string, Policy> = {
    plain: {},
    instants: { loopGuards: { maxIters: MOST_INSTANTS } },
    // The guard of the paper's A.6: every method of the policy once, but for proposals whose time has passed.
    tries: { loopGuards: { maxIters: Math.max(1, methods.length) + renewals } },
    chosenTries: { loopGuards: { maxIters: MOST_ROW_METHODS + renewals } },
    propose: budget.seconds === null ? rolledBack : inTime,
    proposeChosen: inTime,
    revalidate: rolledBack,
  };
  if (approval === null) return policies;
  const { seconds, otherwise } = approval;
  const late = {
    errors: ['WaitTimeout'],
    handler: otherwise === 'approve' ? 'commit' : 'decline',
  };
  return {
    ...policies,
    approve: { wait: { seconds }, catch: [late, { errors: ['*'], handler: 'decline' }] },
  };
}

/** An instant: of a living shop, once a message tells of it. */
function instant(policy: ShopPolicy, isLive: boolean) {
  const news = isLive
    ? graph().wait('news', { message: NEWS, io: { output: ref('news') } })
    : (graph() as GraphBuilder<never>);
  const nodes = (news as GraphBuilder<'news'>)
    .task('status', {
      role: 'supervisor',
      input: isLive ? { state: 'input', news: 'outputs.news' } : { state: 'input' },
      io: { output: ref('effect') },
    })
    .choice('effect', {
      input: { changed: 'outputs.status.changed', row: 'outputs.status.row' },
      io: { input: ref('effect') },
    })
    .map('repair', attempt(policy), {
      input: { happened: 'outputs.status' },
      io: { output: ref('settled') },
      until: '$output.settled',
      policyRef: 'tries',
    })
    .task('settle', {
      role: 'supervisor',
      input: {
        state: 'input',
        happened: 'outputs.status',
        settled: isLive ? ['outputs.repair', 'outputs.chosen'] : 'outputs.repair',
      },
      io: { output: ref('state') },
    })
    .sequence('status', 'effect');
  const choosing = isLive ? byRow(nodes, policy) : nodes;
  const repairing = choosing
    .branch('effect', 'repair', '$input.changed')
    .otherwise('effect', 'settle')
    .sequence('repair', 'settle');
  return isLive ? repairing.sequence('news', 'status') : repairing;
}

/** The repair of an instant whose report chose a row. */
function byRow<Ids extends string>(nodes: GraphBuilder<Ids>, policy: ShopPolicy) {
  const rowed = (nodes as GraphBuilder<string>)
    .map('chosen', attempt(policy, true), {
      input: { happened: 'outputs.status' },
      io: { output: ref('settled') },
      until: '$output.settled',
      policyRef: 'chosenTries',
    })
    .branch('effect', 'chosen', '$input.changed and $exists($input.row)')
    .sequence('chosen', 'settle');
  return rowed as GraphBuilder<Ids>;
}

/** A proposal by one method of the policy, or of the chosen row, and what becomes of it. */
function attempt(policy: ShopPolicy, isChosen = false) {
  const { approval, budget, fallback, radius, methods } = policy;
  const proposal = {
    happened: 'input.happened',
    tried: 'input.tried',
    renewed: 'input.renewed',
    ...(approval === null && !mayYield(policy) ? {} : { declined: 'input.declined' }),
    proposal: 'outputs.propose',
  };
  const isTimed = isChosen || budget.seconds !== null;
  const proposed = graph()
    .task('propose', {
      role: 'repair',
      // A repair that the clock may end is not made again by a replay.
      handler: isTimed ? 'proposeInTime' : 'propose',
      policyRef: isChosen ? 'proposeChosen' : 'propose',
      repair: {
        primitives: ['order', 'time'],
        // A fallback recomputes beyond any radius, and rows have radii of their own.
        ...(fallback === null && !isChosen ? { maxRadius: Math.max(1, radius.most) } : {}),
        maxRounds: isChosen ? MOST_ROW_METHODS : Math.max(1, methods.length),
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
  const rollBack = { ...supervisor, ...(mayYield(policy) && { params: { yields: true } }) };
  if (approval === null) {
    return proposed
      .task('commit', commit)
      .task('rollBack', rollBack)
      .sequence('propose', 'revalidate', 'commit');
  }
  return proposed
    .choice('asked', {
      input: { declined: 'input.declined', operations: 'outputs.propose.operations' },
      io: { input: ref('asked') },
    })
    .task('approve', {
      role: 'supervisor',
      approval: 'version-{input.label}',
      input: { ...proposal, label: 'outputs.propose.label' },
      policyRef: 'approve',
    })
    .task('commit', commit)
    .task('rollBack', rollBack)
    .task('decline', supervisor)
    .sequence('propose', 'revalidate', 'asked')
    .branch('asked', 'commit', '$input.declined = true or $count($input.operations) = 0')
    .otherwise('asked', 'approve')
    .sequence('approve', 'commit');
}
