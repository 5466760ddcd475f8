import { graph, type JsonSchema, type Workflow } from 'alas-jssp/workflow';

/** The name of the messages by which an execution is told of anything. */
export const NEWS = 'news';

/** Moments of an execution, at most. */
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

const state = { $ref: '#/schemas/state' };

/**
 * The workflow of an execution. Each turn of its loop is a moment of simulated time or a message:
 *
 * - `news` waits for a message: how far time goes, or what has happened; `hear` takes it in;
 * - `advance` goes on to the next moment at which an action begins or ends or something becomes known;
 * - what has become known is repaired: `propose`, `revalidate` by the judge, `commit`, and `inform`, which
 *   tells everybody what has changed for them;
 * - `settle` hands on the state.
 *
 * Where no repair is found, or the judge refuses it, the run fails, and the last version stays.
 */
export const executionWorkflow: Workflow = graph()
  .task('begin', { role: 'supervisor', io: { output: state } })
  .map('moments', moment(), {
    io: { input: state, output: state },
    until: '$output.over',
    policyRef: 'moments',
  })
  .sequence('begin', 'moments')
  .build('coordination', {
    description:
      'carries out a plan of people and vehicles; what happens is repaired, judged and told',
    schemas,
    policies: {
      plain: {},
      moments: { loopGuards: { maxIters: MOST_MOMENTS } },
      inform: { timeout: { seconds: 600 } },
    },
    defaultPolicy: 'plain',
  });

function moment() {
  const proposed = {
    state: 'input',
    advanced: 'outputs.advance',
    proposal: 'outputs.propose',
  };
  return graph()
    .choice('due', { input: { due: 'input.due' } })
    .wait('news', { message: NEWS, io: { output: { $ref: '#/schemas/news' } } })
    .task('hear', { role: 'supervisor', input: { state: 'input', news: 'outputs.news' } })
    .task('advance', { role: 'supervisor', input: 'input' })
    .choice('changed', { input: { changed: 'outputs.advance.changed' } })
    .task('propose', { role: 'repair', input: { state: 'input', advanced: 'outputs.advance' } })
    .task('revalidate', { role: 'validator', input: proposed })
    .task('commit', { role: 'supervisor', input: proposed })
    .task('inform', {
      role: 'supervisor',
      input: 'outputs.propose.notices',
      policyRef: 'inform',
    })
    .task('settle', {
      role: 'supervisor',
      input: { state: 'input', advanced: 'outputs.advance', committed: 'outputs.commit' },
    })
    .branch('due', 'advance', '$input.due')
    .otherwise('due', 'news')
    .sequence('news', 'hear')
    .sequence('advance', 'changed')
    .branch('changed', 'propose', '$input.changed')
    .otherwise('changed', 'settle')
    .sequence('propose', 'revalidate', 'commit', 'inform', 'settle')
    .output(['outputs.settle', 'outputs.hear']);
}
