import {
  declareStep,
  defineWorkflow,
  type Flow,
  fromJsonSchema,
  type JsonSchema,
  type Ref,
  type Workflow,
} from '@alas-jssp/workflow';
import type {
  AdvancedMoment,
  ExecutionInput,
  ExecutionNews,
  ExecutionProposal,
  ExecutionState,
  KeyedNotice,
} from './execution-values.js';

/** The name of the messages to an execution. */
export const NEWS = 'news';

/** The maximum number of moments of an execution. */
const MOST_MOMENTS = 1_000_000;

const integer = { type: 'integer' } as const;
const text = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;

function object(properties: Record<string, JsonSchema>, ...optional: string[]): JsonSchema {
  const required = Object.keys(properties).filter((key) => !optional.includes(key));
  return { type: 'object', properties, required };
}

const schemas = {
  state: object({ version: integer, now: integer, until: integer, due: flag, over: flag }),
  news: {
    anyOf: [
      object({ to: integer }),
      object(
        { events: { type: 'array', minItems: 1 }, at: integer, key: text, by: text },
        'key',
        'by',
      ),
      object({ close: { const: true } }),
    ].map((form) => ({ ...(form as object), additionalProperties: false })),
  },
} as const satisfies Record<string, JsonSchema>;

const state = fromJsonSchema<ExecutionState>({ $ref: '#/schemas/state' });
const news = fromJsonSchema<ExecutionNews>({ $ref: '#/schemas/news' });

/** A moment after which an event is known that the plan does not expect. */
export interface ChangedMoment {
  readonly state: ExecutionState;
  readonly advanced: AdvancedMoment;
}

/** A repair proposed for such a moment. */
export interface ProposedRepair extends ChangedMoment {
  readonly proposal: ExecutionProposal;
}

const pure = { role: 'supervisor', kind: 'pure' } as const;

/** The steps of an execution, handled by {@link executionRegistry}. */
const steps = {
  begin: declareStep<ExecutionInput, ExecutionState>('begin', { ...pure, output: state }),
  hear: declareStep<{ state: ExecutionState; news: ExecutionNews }, ExecutionState>('hear', pure),
  advance: declareStep<ExecutionState, AdvancedMoment>('advance', pure),
  propose: declareStep<ChangedMoment, ExecutionProposal>('propose', { ...pure, role: 'repair' }),
  revalidate: declareStep<ProposedRepair, { valid: true }>('revalidate', {
    ...pure,
    role: 'validator',
  }),
  commit: declareStep<ProposedRepair, { version: number }>('commit', pure),
  inform: declareStep<readonly KeyedNotice[], unknown>('inform', {
    role: 'supervisor',
    timeout: 600,
  }),
  settle: declareStep<
    ChangedMoment & {
      /** Absent if the plan did not change. */
      readonly committed?: { readonly version: number } | undefined;
    },
    ExecutionState
  >('settle', pure),
};

/** The steps of an execution, by name. */
export type ExecutionSteps = typeof steps;

const execution = defineWorkflow(
  'coordination',
  {
    description: 'executes a plan of people and vehicles; events are repaired, judged and reported',
    input: fromJsonSchema<ExecutionInput>({ type: 'object' }),
    schemas,
  },
  (flow, input) =>
    flow.loop('moments', flow.step(steps.begin, input), moment, {
      input: state,
      output: state,
      until: '$output.over',
      most: MOST_MOMENTS,
    }),
);

/**
 * The workflow of an execution. Each iteration of its loop is a moment of simulated time or a message:
 *
 * - `news` waits for a message, which sets how far time advances or reports an event; `hear` reads it;
 * - `advance` continues to the next moment at which an action begins or ends or an event becomes known;
 * - a repair follows from new events: `propose`, `revalidate` by the judge, `commit`, and `inform`, which notifies each
 *   actor of its changes;
 * - `settle` returns the state for the next iteration.
 *
 * If no repair is found, or the judge refuses it, the run fails, and the last version stays.
 */
export const executionWorkflow: Workflow = execution.workflow;

/** One iteration of the loop. */
function moment(flow: Flow, before: Ref<ExecutionState>) {
  return flow.choose(
    'due',
    { due: before.due },
    {
      '$input.due': () => {
        const advanced = flow.step(steps.advance, before);
        const committed = flow.choose(
          'changed',
          { changed: advanced.changed },
          {
            '$input.changed': () => {
              const proposal = flow.step(steps.propose, { state: before, advanced });
              const proposed = { state: before, advanced, proposal };
              flow.step(steps.revalidate, proposed);
              const version = flow.step(steps.commit, proposed);
              flow.step(steps.inform, proposal.notices);
              return version;
            },
            otherwise: () => {},
          },
        );
        return flow.step(steps.settle, { state: before, advanced, committed });
      },
      otherwise: () => flow.step(steps.hear, { state: before, news: flow.wait(NEWS, news) }),
    },
  );
}
