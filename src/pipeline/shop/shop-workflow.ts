import {
  type CaughtFailure,
  declareStep,
  defineWorkflow,
  type Flow,
  firstAvailable,
  fromJsonSchema,
  type JsonSchema,
  type Ref,
  type StepDefinition,
  type Workflow,
} from '@alas-jssp/workflow';
import { EVENT_KINDS } from '../../disruption/index.js';
import type { OpenPolicy } from '../../lcrp/policy/policy.js';
import { MOST_ROW_METHODS } from './rows.js';
import type {
  RepairAttempt,
  Settlement,
  ShopCommand,
  ShopInput,
  ShopInstant,
  ShopProposal,
  ShopState,
} from './shop-values.js';

/** The name of the message that carries a command to a live shop. */
export const SHOP_COMMAND = 'command';

/** The largest number of outdated proposals of an instant that are recomputed. */
export const MOST_RENEWALS = 100;

/** The largest number of instants of a shop. */
const MOST_INSTANTS = 1_000_000;

const integer = { type: 'integer' } as const;
const text = { type: 'string' } as const;
const integers: JsonSchema = { type: 'array', items: integer };

function object(properties: Record<string, JsonSchema>, ...optional: string[]) {
  const required = Object.keys(properties).filter((key) => !optional.includes(key));
  return { type: 'object', properties, required } as const;
}

const meta = { by: text, role: text, key: text, digest: text };
const at = { now: { ...integer, minimum: 0 }, ...meta };
const META = Object.keys(meta);

const flag = { type: 'boolean' } as const;
const events = { type: 'array', items: { type: 'object' }, minItems: 1 } as const;

/** The schemas of messages and of values that guards read. Other values are only exchanged between own steps. */
const schemas = {
  shop: object({
    instance: { type: 'object' },
    start: integers,
    policy: { type: 'object' },
    live: flag,
  }),
  state: object({ version: integer, now: integer, left: integer, live: flag, over: flag }),
  // A message with several commands would lose some.
  command: {
    anyOf: [
      object({ events, row: text, ...at }, 'row', ...META),
      object({ undo: { ...integer, minimum: 1 }, ...at }, ...META),
      object({ propose: { type: 'object' }, ...at }, ...META),
      object({ withdraw: { ...integer, minimum: 1 }, instead: events, ...at }, 'instead', ...META),
      object({ close: { const: true }, ...meta }, ...META),
    ].map((form) => ({ ...form, additionalProperties: false })),
  },
  effect: object({ changed: flag, row: text }, 'row'),
  settled: object({ settled: flag }),
  approvalCheck: object({ declined: flag, operations: integers }, 'declined'),
} as const satisfies Record<string, JsonSchema>;

const form = <T>(name: keyof typeof schemas) => fromJsonSchema<T>({ $ref: `#/schemas/${name}` });

/** The schemas with the types of their values. */
const forms = {
  shop: form<ShopInput>('shop'),
  state: form<ShopState>('state'),
  command: form<ShopCommand>('command'),
  effect: form<ShopInstant>('effect'),
  settled: form<Settlement>('settled'),
  approvalCheck: form<Pick<RepairAttempt, 'declined'> & Pick<ShopProposal, 'operations'>>(
    'approvalCheck',
  ),
};

/** The parts of a policy on which the workflow of a shop depends. */
export type ShopPolicy = Pick<
  OpenPolicy,
  'methods' | 'approval' | 'budget' | 'fallback' | 'radius' | 'limits'
>;

/**
 * The workflow that executes a shop. The loop `given` processes events given in advance, the loop `living` commands
 * from messages. Each iteration is an instant:
 *
 * - `command`, in a live shop, waits for a message;
 * - `status` applies it: effective events, skipped events, started operations;
 * - `repair` tries the methods of the policy until one is accepted: `propose`, `revalidate` by the
 *   independent validator, `approve` if the policy requires it, `commit`; or `rollBack`, and the next method. A
 *   declined proposal goes to `decline`: the plan is then only delayed as needed, without an approval. The same
 *   applies if no method keeps the limit of edits. A proposal that moves nothing needs no approval;
 * - `chosen` does the same by the row that the report chose (see `rows.ts`). It is limited by time, so that a replay
 *   takes its proposals from the log;
 * - `settle` computes the next state.
 *
 * Equal policies give the same workflow.
 */
export function shopWorkflow(policy: ShopPolicy): Workflow {
  const { methods, approval, budget, fallback, radius } = policy;
  const isTimed = budget.seconds !== null;
  const key = JSON.stringify([methods, approval, isTimed, fallback, radius, mayYield(policy)]);
  const known = workflows.get(key);
  if (known !== undefined) return known;
  const made = writeShop(policy);
  workflows.set(key, made);
  return made;
}

/** Whether the plan is only delayed as needed if no method keeps the limit of edits. */
function mayYield({ limits }: ShopPolicy): boolean {
  return limits.mostEdited !== null;
}

/** Reused workflows: a runtime prepares each one once. */
const workflows = new Map<string, Workflow>();

/** A proposal, and the attempt that it results from. */
export interface ProposedRepair extends RepairAttempt {
  readonly proposal: ShopProposal;
}

/** A failed repair attempt. */
export type FailedRepair = CaughtFailure<
  RepairAttempt & { readonly proposal?: ShopProposal | undefined }
>;

/** The steps of a shop; their handlers are those of {@link shopHandlers}. */
function stepsOf(policy: ShopPolicy) {
  const { methods, approval, budget, fallback, radius } = policy;
  const pure = { role: 'supervisor', kind: 'pure' } as const;
  const rolledBack = [{ errors: ['*'], handler: 'rollBack' }];
  const repair = { primitives: ['order' as const, 'time' as const], covers: [...EVENT_KINDS] };
  const isTimed = budget.seconds !== null;
  // A repair with a time limit is not recomputed by a replay.
  const inTime = { handler: 'proposeInTime', timeout: 604_800 };
  return {
    begin: declareStep<ShopInput, ShopState>('begin', {
      ...pure,
      input: forms.shop,
      output: forms.state,
    }),
    status: declareStep<{ state: ShopState; command?: ShopCommand }, ShopInstant>('status', {
      ...pure,
      output: forms.effect,
    }),
    propose: declareStep<RepairAttempt, ShopProposal>('propose', {
      role: 'repair',
      ...(isTimed ? inTime : { kind: 'pure' }),
      covers: EVENT_KINDS,
      catch: rolledBack,
      repair: {
        ...repair,
        // A fallback ignores the radius, and rows have their own radii.
        ...(fallback === null && { maxRadius: Math.max(1, radius.most) }),
        maxRepairs: Math.max(1, methods.length),
      },
    }),
    proposeChosen: declareStep<RepairAttempt, ShopProposal>('proposeChosen', {
      role: 'repair',
      ...inTime,
      covers: EVENT_KINDS,
      catch: rolledBack,
      repair: { ...repair, maxRepairs: MOST_ROW_METHODS },
    }),
    revalidate: declareStep<ProposedRepair, unknown>('revalidate', {
      role: 'validator',
      kind: 'pure',
      context: { entries: 32 },
      catch: rolledBack,
    }),
    approve: declareStep<ProposedRepair & { label: string }, unknown>('approve', {
      ...pure,
      approval: 'version-{input.label}',
      ...(approval !== null && { wait: approval.seconds }),
      catch: [
        {
          errors: ['WaitTimeout'],
          handler: approval?.otherwise === 'approve' ? 'commit' : 'decline',
        },
        { errors: ['*'], handler: 'decline' },
      ],
    }),
    commit: declareStep<ProposedRepair, Settlement>('commit', { ...pure, output: forms.settled }),
    rollBack: declareStep<FailedRepair, Settlement>('rollBack', {
      ...pure,
      output: forms.settled,
      ...(mayYield(policy) && { params: { yields: true } }),
    }),
    decline: declareStep<FailedRepair, Settlement>('decline', { ...pure, output: forms.settled }),
    settle: declareStep<
      {
        state: ShopState;
        instant: ShopInstant;
        /** Absent if no repair was needed. */
        settled?: Settlement | undefined;
      },
      ShopState
    >('settle', { ...pure, output: forms.state }),
    close: declareStep<ShopState, ShopState>('close', {
      ...pure,
      input: forms.state,
      output: forms.state,
    }),
  };
}

/** The steps of a shop by name. */
export type ShopSteps = ReturnType<typeof stepsOf>;

function writeShop(policy: ShopPolicy): Workflow {
  const { methods, approval } = policy;
  const steps = stepsOf(policy);
  const state = { input: forms.state, repairable: 'order' } as const;
  const loop = { ...state, output: state.input, most: MOST_INSTANTS };
  const { workflow } = defineWorkflow(
    'shop',
    {
      description: 'executes a plan in a shop: every event is repaired, validated and committed',
      input: forms.shop,
      output: state.input,
      schemas,
      meta: {
        shop: {
          methods: [...methods],
          approval: approval === null ? null : { ...approval },
        },
      },
    },
    (flow, shop) => {
      const first = flow.step(steps.begin, shop);
      const known = {
        '$input.left > 0': (start: Ref<ShopState>) =>
          flow.loop('given', start, instant(policy, steps, false), {
            ...loop,
            until: '$output.left = 0',
          }),
        otherwise: () => first,
      };
      const now = flow.choose('known', first, known, state);
      const lives = {
        '$input.live': (start: Ref<ShopState>) =>
          flow.loop('living', start, instant(policy, steps, true), {
            ...loop,
            until: '$output.over',
          }),
        otherwise: (start: Ref<ShopState>) => start,
      };
      return flow.step(steps.close, flow.choose('lives', now, lives, state));
    },
  );
  return workflow;
}

/** Whether a workflow, such as one from a log, was created by {@link shopWorkflow}. */
export function isShop({ meta }: Pick<Workflow, 'meta'>): boolean {
  return Object.hasOwn(meta, 'shop');
}

/** An instant; in a live shop it begins with a message. */
function instant(policy: ShopPolicy, steps: ShopSteps, isLive: boolean) {
  const { methods, approval } = policy;
  // One more after a declined proposal, or if no method keeps a limit.
  const renewals = (approval === null ? 0 : MOST_RENEWALS + 1) + (mayYield(policy) ? 1 : 0);
  const tries = {
    output: forms.settled,
    until: '$output.settled',
    repairable: 'order',
  } as const;
  return (flow: Flow, state: Ref<ShopState>): Ref<ShopState> => {
    const command = isLive ? { command: flow.wait(SHOP_COMMAND, forms.command) } : {};
    const instant = flow.step(steps.status, { state, ...command });
    const repair = (id: string, propose: ShopSteps['propose'], most: number) => () =>
      flow.loop<RepairAttempt, Ref<Settlement>>(id, { instant }, attempt(policy, steps, propose), {
        ...tries,
        most: most + renewals,
      });
    const settled = flow.choose(
      'effect',
      { changed: instant.changed, row: instant.row },
      {
        // By the repair row of the report.
        ...(isLive && {
          '$input.changed and $exists($input.row)': repair(
            'chosen',
            steps.proposeChosen,
            MOST_ROW_METHODS,
          ),
        }),
        // The guard of the paper's A.6: every method of the policy once, in addition to outdated proposals.
        '$input.changed': repair('repair', steps.propose, Math.max(1, methods.length)),
        otherwise: () => {},
      },
      { input: forms.effect, repairable: 'order' },
    );
    return flow.step(steps.settle, { state, instant, settled });
  };
}

/** A repair attempt: a proposal by one method of the policy or of the chosen row, until it is settled or fails. */
function attempt(
  policy: ShopPolicy,
  { revalidate, approve, commit, rollBack, decline }: ShopSteps,
  propose: StepDefinition<RepairAttempt, ShopProposal>,
) {
  const needsApproval = policy.approval !== null;
  return (flow: Flow, attempted: Ref<RepairAttempt>): Ref<Settlement> => {
    const proposal = flow.step(propose, attempted, 'propose');
    const { instant, tried, renewed, declined } = attempted;
    const proposed = {
      instant,
      tried,
      renewed,
      proposal,
      ...((needsApproval || mayYield(policy)) && { declined }),
    };
    flow.step(revalidate, proposed);
    if (needsApproval) {
      const branches = {
        '$input.declined = true or $count($input.operations) = 0': () => {},
        otherwise: () => void flow.step(approve, { ...proposed, label: proposal.label }),
      };
      const { operations } = proposal;
      flow.choose('needsApproval', { declined, operations }, branches, {
        input: forms.approvalCheck,
      });
    }
    const settled = firstAvailable(flow.step(commit, proposed), flow.caught(rollBack));
    return needsApproval ? firstAvailable(settled, flow.caught(decline)) : settled;
  };
}
