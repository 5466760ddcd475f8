import { EVENT_KINDS } from '../../disruption/index.js';
import type { OpenPolicy } from '../../lcrp/policy/policy.js';
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
} from '../../workflow/index.js';
import { MOST_ROW_METHODS } from './rows.js';
import type {
  Happening,
  Settlement,
  ShopInput,
  ShopNews,
  ShopProposal,
  ShopState,
  Trying,
} from './shop-values.js';

/** The name of the message by which a living shop is told of anything. */
export const NEWS = 'news';

/** How often the proposals of an instant are made anew, at most, since their time had passed. */
export const MOST_RENEWALS = 100;

/** Instants at which something happens, at most. */
const MOST_INSTANTS = 1_000_000;

const integer = { type: 'integer' } as const;
const text = { type: 'string' } as const;
const integers: JsonSchema = { type: 'array', items: integer };

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

const form = <T>(name: keyof typeof schemas) => fromJsonSchema<T>({ $ref: `#/schemas/${name}` });

/** The same with the types of the values. */
const forms = {
  shop: form<ShopInput>('shop'),
  state: form<ShopState>('state'),
  news: form<ShopNews>('news'),
  effect: form<Happening>('effect'),
  settled: form<Settlement>('settled'),
  asked: form<Pick<Trying, 'declined'> & Pick<ShopProposal, 'operations'>>('asked'),
};

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
  const made = writeShop(policy);
  workflows.set(key, made);
  return made;
}

/** Whether the plan goes on as it can where no method keeps the number of edits that the policy allows. */
function mayYield({ limits }: ShopPolicy): boolean {
  return limits.mostEdited !== null;
}

/** A runtime prepares each workflow once. */
const workflows = new Map<string, Workflow>();

/** A proposal on its way, and what it is an answer to. */
export interface ProposalInTurn extends Trying {
  readonly proposal: ShopProposal;
}

/** A failure that a proposal has run into. */
export type FailedProposal = CaughtFailure<
  Trying & { readonly proposal?: ShopProposal | undefined }
>;

/** The steps of a shop; their handlers are those of {@link shopHandlers}. */
function stepsOf(policy: ShopPolicy) {
  const { methods, approval, budget, fallback, radius } = policy;
  const pure = { role: 'supervisor', kind: 'pure' } as const;
  const rolledBack = [{ errors: ['*'], handler: 'rollBack' }];
  const repair = { primitives: ['order' as const, 'time' as const], covers: [...EVENT_KINDS] };
  const isTimed = budget.seconds !== null;
  // A repair that the clock may end is not made again by a replay.
  const inTime = { handler: 'proposeInTime', timeout: 604_800 };
  return {
    begin: declareStep<ShopInput, ShopState>('begin', {
      ...pure,
      input: forms.shop,
      output: forms.state,
    }),
    status: declareStep<{ state: ShopState; news?: ShopNews }, Happening>('status', {
      ...pure,
      output: forms.effect,
    }),
    propose: declareStep<Trying, ShopProposal>('propose', {
      role: 'repair',
      ...(isTimed ? inTime : { kind: 'pure' }),
      covers: EVENT_KINDS,
      catch: rolledBack,
      repair: {
        ...repair,
        // A fallback recomputes beyond any radius, and rows have radii of their own.
        ...(fallback === null && { maxRadius: Math.max(1, radius.most) }),
        maxRounds: Math.max(1, methods.length),
      },
    }),
    proposeChosen: declareStep<Trying, ShopProposal>('proposeChosen', {
      role: 'repair',
      ...inTime,
      covers: EVENT_KINDS,
      catch: rolledBack,
      repair: { ...repair, maxRounds: MOST_ROW_METHODS },
    }),
    revalidate: declareStep<ProposalInTurn, unknown>('revalidate', {
      role: 'validator',
      kind: 'pure',
      context: { entries: 32 },
      catch: rolledBack,
    }),
    approve: declareStep<ProposalInTurn & { label: string }, unknown>('approve', {
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
    commit: declareStep<ProposalInTurn, Settlement>('commit', { ...pure, output: forms.settled }),
    rollBack: declareStep<FailedProposal, Settlement>('rollBack', {
      ...pure,
      output: forms.settled,
      ...(mayYield(policy) && { params: { yields: true } }),
    }),
    decline: declareStep<FailedProposal, Settlement>('decline', {
      ...pure,
      output: forms.settled,
    }),
    settle: declareStep<
      {
        state: ShopState;
        happened: Happening;
        /** Absent where nothing was due. */
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

/** The steps of a shop by their names. */
export type ShopSteps = ReturnType<typeof stepsOf>;

function writeShop(policy: ShopPolicy): Workflow {
  const { methods, approval } = policy;
  const steps = stepsOf(policy);
  const state = { input: forms.state, repairable: 'order' } as const;
  const loop = { ...state, output: state.input, most: MOST_INSTANTS };
  const { workflow } = defineWorkflow(
    'shop',
    {
      description: 'executes a plan in a shop: every event is repaired, judged and committed',
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

/** Whether a workflow, such as that of a log, is one that {@link shopWorkflow} made. */
export function isShop({ meta }: Pick<Workflow, 'meta'>): boolean {
  return Object.hasOwn(meta, 'shop');
}

/** An instant; of a living shop it begins with a message. */
function instant(policy: ShopPolicy, steps: ShopSteps, isLive: boolean) {
  const { methods, approval } = policy;
  // And once more, after one was declined, or where none keeps a limit.
  const renewals = (approval === null ? 0 : MOST_RENEWALS + 1) + (mayYield(policy) ? 1 : 0);
  const tries = {
    output: forms.settled,
    until: '$output.settled',
    repairable: 'order',
  } as const;
  return (flow: Flow, state: Ref<ShopState>): Ref<ShopState> => {
    const news = isLive ? { news: flow.wait(NEWS, forms.news) } : {};
    const happened = flow.step(steps.status, { state, ...news });
    const repair = (id: string, propose: ShopSteps['propose'], most: number) => () =>
      flow.loop<Trying, Ref<Settlement>>(id, { happened }, attempt(policy, steps, propose), {
        ...tries,
        most: most + renewals,
      });
    const settled = flow.choose(
      'effect',
      { changed: happened.changed, row: happened.row },
      {
        // By the row that the report chose.
        ...(isLive && {
          '$input.changed and $exists($input.row)': repair(
            'chosen',
            steps.proposeChosen,
            MOST_ROW_METHODS,
          ),
        }),
        // The guard of the paper's A.6: every method of the policy once, but for proposals whose time has passed.
        '$input.changed': repair('repair', steps.propose, Math.max(1, methods.length)),
        otherwise: () => {},
      },
      { input: forms.effect, repairable: 'order' },
    );
    return flow.step(steps.settle, { state, happened, settled });
  };
}

/** A turn of repairing: a proposal by one method of the policy, or of the chosen row, until it is settled or fails. */
function attempt(
  policy: ShopPolicy,
  { revalidate, approve, commit, rollBack, decline }: ShopSteps,
  propose: StepDefinition<Trying, ShopProposal>,
) {
  const isAsked = policy.approval !== null;
  return (flow: Flow, turn: Ref<Trying>): Ref<Settlement> => {
    const proposal = flow.step(propose, turn, 'propose');
    const { happened, tried, renewed, declined } = turn;
    const proposed = {
      ...{ happened, tried, renewed, proposal },
      ...((isAsked || mayYield(policy)) && { declined }),
    };
    flow.step(revalidate, proposed);
    if (isAsked) {
      const asked = {
        '$input.declined = true or $count($input.operations) = 0': () => {},
        otherwise: () => void flow.step(approve, { ...proposed, label: proposal.label }),
      };
      const { operations } = proposal;
      flow.choose('asked', { declined, operations }, asked, { input: forms.asked });
    }
    const settled = firstAvailable(flow.step(commit, proposed), flow.caught(rollBack));
    return isAsked ? firstAvailable(settled, flow.caught(decline)) : settled;
  };
}
