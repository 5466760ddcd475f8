import {
  type CaughtFailure,
  type DeclaredOptions,
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
import type {
  PlanCommand,
  PlanInput,
  PlanInstant,
  PlanKind,
  PlanProposal,
  PlanState,
  RepairAttempt,
  Settlement,
} from './plan-values.js';
import { PLAN_COMMAND } from './step-names.js';

/** The largest number of outdated proposals of an instant that are recomputed. */
export const MOST_RENEWALS = 100;

/** The largest number of instants of a plan. */
const MOST_INSTANTS = 1_000_000;

const integer = { type: 'integer' } as const;
const text = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;

/** The schema of an object with these members, of which some are optional. */
export function objectSchema(properties: Record<string, JsonSchema>, ...optional: string[]) {
  const required = Object.keys(properties).filter((key) => !optional.includes(key));
  return { type: 'object', properties, required } as const;
}

const meta = { by: text, role: text, key: text, digest: text };
const at = { now: { ...integer, minimum: 0 }, ...meta };
const META = Object.keys(meta);

/** The schema of a message with one of some commands. A message with several commands would lose some. */
export function commandSchema(
  commands: readonly (readonly [Record<string, JsonSchema>, ...optional: string[]])[],
): JsonSchema {
  const forms = [
    ...commands.map(([members, ...optional]) =>
      objectSchema({ ...members, ...at }, ...optional, ...META),
    ),
    objectSchema({ close: { const: true }, ...meta }, ...META),
  ];
  return { anyOf: forms.map((form) => ({ ...form, additionalProperties: false })) };
}

/** The options of the workflow of a kind of plan. */
export interface PlanForm {
  /** The name of the workflow, of the schema of its input and of its `meta` member. */
  readonly name: string;
  readonly description: string;
  readonly meta: NonNullable<Parameters<typeof defineWorkflow>[1]['meta']>[string];
  /** The schemas of the input and of commands. Other values are only exchanged between own steps. */
  readonly input: JsonSchema;
  readonly command: JsonSchema;
  /** The number of repair methods. */
  readonly methods: number;
  /** The number of methods of a repair row; absent if reports choose no row. */
  readonly rowMethods?: number | undefined;
  /** Whether repairs have a time limit: a replay takes their proposals from the log. */
  readonly isTimed?: boolean | undefined;
  /** Whether the plan is only delayed as needed if no method keeps the limits. */
  readonly mayYield?: boolean | undefined;
  /** The time limit of approvals, and the outcome at its end; null for no approvals. */
  readonly approval?: { readonly seconds: number; readonly otherwise: string } | null | undefined;
  /** The kinds of events that repairs cover, what they may change, and how far, except by a row. */
  readonly covers?: readonly string[] | undefined;
  readonly repair?: NonNullable<DeclaredOptions<unknown, unknown>['repair']> | undefined;
  readonly maxRadius?: number | undefined;
  /** Whether others are notified of committed versions. */
  readonly notifies?: boolean | undefined;
  /** Whether a command may take several instants. */
  readonly continues?: boolean | undefined;
}

/** A proposal, and the attempt that it results from. */
export interface ProposedRepair<K extends PlanKind = PlanKind> extends RepairAttempt<K['Instant']> {
  readonly proposal: K['Proposal'];
}

/** A failed repair attempt. */
export type FailedRepair<K extends PlanKind = PlanKind> = CaughtFailure<
  RepairAttempt<K['Instant']> & { readonly proposal?: K['Proposal'] | undefined }
>;

function formsOf({ name, input, command }: PlanForm) {
  const schemas = {
    [name]: input,
    state: objectSchema({ version: integer, now: integer, left: integer, live: flag, over: flag }),
    command,
    effect: objectSchema({ changed: flag, row: text }, 'row'),
    settled: objectSchema({ settled: flag }),
    approvalCheck: objectSchema(
      { declined: flag, operations: { type: 'array', items: integer } },
      'declined',
    ),
  };
  const form = <T>(key: string) => fromJsonSchema<T>({ $ref: `#/schemas/${key}` });
  return {
    schemas,
    input: form<PlanInput>(name),
    state: form<PlanState>('state'),
    command: form<PlanCommand>('command'),
    effect: form<PlanInstant>('effect'),
    settled: form<Settlement>('settled'),
    approvalCheck: form<Pick<RepairAttempt, 'declined'> & Pick<PlanProposal, 'operations'>>(
      'approvalCheck',
    ),
  };
}

/** The steps of a plan; their handlers are those of `planHandlers`. */
function stepsOf(plan: PlanForm, forms: ReturnType<typeof formsOf>) {
  const { methods, approval, isTimed, covers, repair, maxRadius, rowMethods = 1 } = plan;
  const pure = { role: 'supervisor', kind: 'pure' } as const;
  const rolledBack = [{ errors: ['*'], handler: 'rollBack' }];
  // A repair with a time limit is not recomputed by a replay.
  const inTime = { handler: 'proposeInTime', timeout: 604_800 };
  return {
    begin: declareStep<PlanInput, PlanState>('begin', {
      ...pure,
      input: forms.input,
      output: forms.state,
    }),
    status: declareStep<{ state: PlanState; command?: PlanCommand }, PlanInstant>('status', {
      ...pure,
      output: forms.effect,
    }),
    propose: declareStep<RepairAttempt, PlanProposal>('propose', {
      role: 'repair',
      ...(isTimed ? inTime : { kind: 'pure' }),
      ...(covers && { covers }),
      catch: rolledBack,
      ...(repair && {
        repair: {
          ...repair,
          ...(maxRadius !== undefined && { maxRadius }),
          maxRepairs: Math.max(1, methods),
        },
      }),
    }),
    proposeChosen: declareStep<RepairAttempt, PlanProposal>('proposeChosen', {
      role: 'repair',
      ...inTime,
      ...(covers && { covers }),
      catch: rolledBack,
      ...(repair && { repair: { ...repair, maxRepairs: rowMethods } }),
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
      ...(approval && { wait: approval.seconds }),
      catch: [
        {
          errors: ['WaitTimeout'],
          handler: approval?.otherwise === 'approve' ? 'commit' : 'decline',
        },
        { errors: ['*'], handler: 'decline' },
      ],
    }),
    commit: declareStep<ProposedRepair, Settlement>('commit', { ...pure, output: forms.settled }),
    notify: declareStep<PlanProposal, unknown>('notify', { role: 'supervisor', timeout: 600 }),
    rollBack: declareStep<FailedRepair, Settlement>('rollBack', {
      ...pure,
      output: forms.settled,
      ...(plan.mayYield && { params: { yields: true } }),
    }),
    decline: declareStep<FailedRepair, Settlement>('decline', { ...pure, output: forms.settled }),
    settle: declareStep<
      {
        state: PlanState;
        instant: PlanInstant;
        /** Absent if no repair was needed. */
        settled?: Settlement | undefined;
      },
      PlanState
    >('settle', { ...pure, output: forms.state }),
    close: declareStep<PlanState, PlanState>('close', {
      ...pure,
      input: forms.state,
      output: forms.state,
    }),
  };
}

/** The steps of a plan by name. */
export type PlanSteps = ReturnType<typeof stepsOf>;

/**
 * The workflow that executes a plan. The loop `given` processes events given in advance, the loop `living` commands
 * from messages. Each iteration is an instant:
 *
 * - `command`, in a live plan, waits for a message, unless the last command takes further instants;
 * - `status` applies it: effective events, skipped events;
 * - `repair` tries the methods of the policy until one is accepted: `propose`, `revalidate` by the
 *   independent judge, `approve` if the policy requires it, `commit`, `notify`; or `rollBack`, and the next method. A
 *   declined proposal goes to `decline`: the plan is then only delayed as needed, without an approval. The same
 *   applies if no method keeps the limits. A proposal that moves nothing needs no approval;
 * - `chosen` does the same by the row that the report chose. It is limited by time, so that a replay takes its
 *   proposals from the log;
 * - `settle` computes the next state.
 */
export function planWorkflow(plan: PlanForm): Workflow {
  const { name, description, meta } = plan;
  const forms = formsOf(plan);
  const steps = stepsOf(plan, forms);
  const state = { input: forms.state, repairable: 'order' } as const;
  const loop = { ...state, output: state.input, most: MOST_INSTANTS };
  const { workflow } = defineWorkflow(
    name,
    {
      description,
      input: forms.input,
      output: state.input,
      schemas: forms.schemas,
      meta: { [name]: meta },
    },
    (flow, input) => {
      const first = flow.step(steps.begin, input);
      const known = {
        '$input.left > 0': (start: Ref<PlanState>) =>
          flow.loop('given', start, instant(plan, forms, steps, false), {
            ...loop,
            until: '$output.left = 0',
          }),
        otherwise: () => first,
      };
      const now = flow.choose('known', first, known, state);
      const lives = {
        '$input.live': (start: Ref<PlanState>) =>
          flow.loop('living', start, instant(plan, forms, steps, true), {
            ...loop,
            until: '$output.over',
          }),
        otherwise: (start: Ref<PlanState>) => start,
      };
      return flow.step(steps.close, flow.choose('lives', now, lives, state));
    },
  );
  return workflow;
}

/** An instant; in a live plan it begins with a message. */
function instant(
  plan: PlanForm,
  forms: ReturnType<typeof formsOf>,
  steps: PlanSteps,
  isLive: boolean,
) {
  // One more after a declined proposal, or if no method keeps a limit.
  const renewals = (plan.approval ? MOST_RENEWALS + 1 : 0) + (plan.mayYield ? 1 : 0);
  const tries = {
    output: forms.settled,
    until: '$output.settled',
    repairable: 'order',
  } as const;
  return (flow: Flow, state: Ref<PlanState>): Ref<PlanState> => {
    const wait = () => flow.wait(PLAN_COMMAND, forms.command);
    const next = () =>
      plan.continues
        ? flow.choose('next', state, { '$exists($input.rest)': () => {}, otherwise: wait })
        : wait();
    const instant = flow.step(steps.status, { state, ...(isLive && { command: next() }) });
    const repair = (id: string, propose: PlanSteps['propose'], most: number) => () =>
      flow.loop<RepairAttempt, Ref<Settlement>>(
        id,
        { instant },
        attempt(plan, forms, steps, propose),
        {
          ...tries,
          most: most + renewals,
        },
      );
    const { rowMethods } = plan;
    const settled = flow.choose(
      'effect',
      { changed: instant.changed, row: instant.row },
      {
        // By the repair row of the report.
        ...(isLive &&
          rowMethods !== undefined && {
            '$input.changed and $exists($input.row)': repair(
              'chosen',
              steps.proposeChosen,
              rowMethods,
            ),
          }),
        // The guard of the paper's A.6: every method of the policy once, in addition to outdated proposals.
        '$input.changed': repair('repair', steps.propose, Math.max(1, plan.methods)),
        otherwise: () => {},
      },
      { input: forms.effect, repairable: 'order' },
    );
    return flow.step(steps.settle, { state, instant, settled });
  };
}

/** A repair attempt: a proposal by one method of the policy or of the chosen row, until it is settled or fails. */
function attempt(
  { approval, mayYield, notifies }: PlanForm,
  forms: ReturnType<typeof formsOf>,
  { revalidate, approve, commit, notify, rollBack, decline }: PlanSteps,
  propose: StepDefinition<RepairAttempt, PlanProposal>,
) {
  return (flow: Flow, attempted: Ref<RepairAttempt>): Ref<Settlement> => {
    const proposal = flow.step(propose, attempted, 'propose');
    const { instant, tried, renewed, declined } = attempted;
    const proposed = {
      instant,
      tried,
      renewed,
      proposal,
      ...((approval || mayYield) && { declined }),
    };
    flow.step(revalidate, proposed);
    if (approval) {
      const branches = {
        '$input.declined = true or $count($input.operations) = 0': () => {},
        otherwise: () => void flow.step(approve, { ...proposed, label: proposal.label }),
      };
      const { operations } = proposal;
      flow.choose('needsApproval', { declined, operations }, branches, {
        input: forms.approvalCheck,
      });
    }
    const committed = flow.step(commit, proposed);
    if (notifies) flow.step(notify, proposal);
    const settled = firstAvailable(committed, flow.caught(rollBack));
    return approval ? firstAvailable(settled, flow.caught(decline)) : settled;
  };
}
