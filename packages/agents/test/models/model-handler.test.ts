import {
  CASSETTE_SCHEMA,
  type Cassette,
  createModelHandler,
  decisionSchema,
  type Model,
  type ModelRequest,
  modelStep,
  playCassette,
  type Toolset,
  toolSchema,
} from '@alas-jssp/agents';
import {
  createMemoryStore,
  defineWorkflow,
  type Handler,
  type Json,
  type LogEntry,
  redacting,
  replayRun,
  runWorkflow,
  toWorkflow,
  virtualClock,
} from '@alas-jssp/workflow';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';

const cassetteOf = (answers: Cassette['answers']): Cassette => ({
  schema: CASSETTE_SCHEMA,
  origin: 'handwritten',
  model: null,
  answers,
});

/** A model that keeps its requests. */
function listening(answers: unknown[]): Model & { readonly requests: ModelRequest[] } {
  const requests: ModelRequest[] = [];
  const { name, ask } = playCassette(cassetteOf({ 'agent/write': answers as never }), 'test');
  return {
    name,
    requests,
    ask: (request, signal) => {
      requests.push(request);
      return ask(request, signal);
    },
  };
}

const letter = {
  type: 'object',
  properties: { text: { type: 'string' } },
  required: ['text'],
  additionalProperties: false,
};

/** Runs a workflow of one node `write`. */
async function runOne(
  handler: Handler,
  input: Json,
  more: { node?: object; policy?: object; secrets?: boolean } = {},
) {
  const workflow = toWorkflow({
    schema: 'alas-jssp/workflow@1',
    name: 'one',
    nodes: [{ id: 'write', type: 'task', ...more.node }],
    edges: [],
    policies: { plain: { timeout: { seconds: 60 }, ...more.policy } },
    defaultPolicy: 'plain',
  } as never);
  const memory = createMemoryStore();
  const store = more.secrets ? redacting(memory) : memory;
  const registry = { handlers: { write: handler } };
  const result = await runWorkflow(workflow, input, {
    registry,
    store,
    runId: 'r',
    clock: virtualClock(),
  });
  const entries = [...memory.read({ runId: 'r' })];
  return { result, entries, store: memory, registry };
}

const payloads = (entries: readonly LogEntry[], type: string) =>
  entries.filter(({ eventType }) => eventType === type).map(({ payload }) => payload as never);

describe('a handler with a model', () => {
  it('gives the model role, task and input, and logs request and answer with tokens and cost', async () => {
    const model = listening([{ text: 'Dear Ann' }]);
    const handler = createModelHandler({
      model,
      system: 'You write letters.',
      instruction: 'Write to the customer.',
      output: letter,
    });
    const { result, entries, store, registry } = await runOne(handler, { name: 'Ann' });
    expect(result).toMatchObject({ status: 'COMPLETED', output: { text: 'Dear Ann' } });
    const [{ messages, key }] = model.requests;
    expect(key).toBe('agent/write');
    expect(messages[0].content).toMatch(/^You write letters\.\n\nAnswer with one JSON object/);
    expect(messages[1].content).toMatch(/Write to the customer\.[\s\S]*\{"name":"Ann"\}/);
    expect(payloads(entries, 'Request')).toMatchObject([
      { request: 1, key: 'agent/write', model: 'cassette:test', input: { name: 'Ann' } },
    ]);
    expect(payloads(entries, 'Response')).toMatchObject([
      {
        request: 1,
        output: { text: 'Dear Ann' },
        answer: { tokens: { estimated: true, input: expect.any(Number) }, usd: 0 },
      },
    ]);
    expect(await replayRun(store, 'r', { registry })).toMatchObject({ parity: true });
    expect(model.requests).toHaveLength(1);
  });

  it('asks again with the problem of an unusable answer, and fails after too many', async () => {
    const model = listening(['no idea', { text: 3 }, { text: 'Dear Ann' }]);
    const options = { model, system: '', instruction: 'Write.', output: letter };
    const { result } = await runOne(createModelHandler(options), null);
    expect(result.status).toBe('COMPLETED');
    expect(model.requests[2].messages.at(-1)?.content).toMatch(/This answer is wrong: .*text/);

    const hopeless = createModelHandler({ ...options, model: listening(['no']) });
    const { result: failed } = await runOne(hopeless, null);
    expect(failed.error).toMatchObject({
      code: 'BadAnswer',
      message: expect.stringMatching(/cassette:test gave 3 unusable answers.*no JSON object/),
    });
  });

  it('receives the feedback of validators in the next attempt', async () => {
    const model = listening([{ text: 'Hi' }, { text: 'Dear Ann' }]);
    const handler = createModelHandler({
      model,
      system: '',
      instruction: 'Write.',
      output: letter,
    });
    const workflow = toWorkflow({
      schema: 'alas-jssp/workflow@1',
      name: 'one',
      nodes: [{ id: 'write', type: 'task' }],
      edges: [],
      policies: {
        plain: {
          timeout: { seconds: 60 },
          retry: { maxAttempts: 2 },
          backoff: { mode: 'fixed', base: 1, cap: 1 },
        },
      },
      defaultPolicy: 'plain',
    } as never);
    const registry = {
      handlers: { write: handler },
      validators: {
        write: ({ value }: { value: Json }) =>
          JSON.stringify(value).includes('Dear')
            ? { outcome: 'pass' as const }
            : { outcome: 'feedback' as const, feedback: 'begin with Dear' },
      },
    };
    const store = createMemoryStore();
    const result = await runWorkflow(workflow, null, { registry, store, clock: virtualClock() });
    expect(result.output).toEqual({ text: 'Dear Ann' });
    expect(model.requests[1].messages[1].content).toContain('- begin with Dear');
  });

  it('logs the decision in its output', async () => {
    const decision = {
      choice: 'train',
      reasons: ['cheaper'],
      rejected: [{ choice: 'flight', reason: 'over the budget' }],
    };
    const handler = createModelHandler({
      model: listening([{ decision }]),
      system: '',
      instruction: 'Choose.',
      output: z.strictObject({ decision: decisionSchema }),
    });
    const { entries } = await runOne(handler, null);
    expect(payloads(entries, 'Decide')).toEqual([{ ...decision, by: 'cassette:test' }]);
  });

  it('keeps to its budget', async () => {
    const model = listening(['no', 'no', 'no']);
    const options = { model, system: '', instruction: 'Write.', output: letter };
    const once = createModelHandler({ ...options, budget: { calls: 1 } });
    const { result, entries } = await runOne(once, null);
    expect(result.error).toMatchObject({ code: 'BudgetSpent' });
    expect(payloads(entries, 'Response')).toMatchObject([{}, { error: { code: 'BudgetSpent' } }]);
    expect(model.requests).toHaveLength(1);
  });

  it('ends with its attempt, whatever the model does', async () => {
    let asked = 0;
    const model: Model = {
      name: 'slow',
      ask: (request, signal) => {
        if (++asked > 1) return listening([{ text: 'x' }]).ask(request, signal);
        return new Promise((_, reject) => {
          signal?.addEventListener('abort', () => reject(signal.reason));
        });
      },
    };
    const handler = createModelHandler({
      model,
      system: '',
      instruction: 'Write.',
      output: letter,
    });
    const retry = { maxAttempts: 2 };
    const backoff = { mode: 'fixed', base: 1, cap: 1 };
    const { result } = await runOne(handler, null, { policy: { retry, backoff } });
    expect(result.output).toEqual({ text: 'x' });
    expect(asked).toBe(2);
  });

  it('writes the members that the log schema of its node demands', async () => {
    const options = { system: '', instruction: 'Write.', output: letter };
    const handler = createModelHandler<Json, { order: Json }>({
      ...options,
      model: listening([{ text: 'x' }]),
      entryFields: ({ order }) => ({ order }),
    });
    const { entries } = await runOne(handler, { order: 7 });
    expect(payloads(entries, 'Response')).toMatchObject([{ order: 7 }]);
  });
});

describe('redaction', () => {
  const properties = { apiKey: { type: 'string' }, pin: { type: 'string', 'x-secret': true } };
  const io = {
    input: { type: 'object', properties },
    output: { type: 'object', properties: { code: { type: 'string', 'x-secret': true } } },
  };
  const input = { apiKey: 'key-abcdefgh', pin: 'four-digits-4711' };
  const secrets = ['key-abcdefgh', 'four-digits-4711', 'door-code-99'];

  it('finds secrets in prompts and answers by keys and schemas', async () => {
    const handler = createModelHandler({
      model: listening(['{"code": 5, "note": "door-code-99"', { code: 'door-code-99' }]),
      system: '',
      instruction: ({ pin }: { pin: string }) => `Use ${pin} and key-abcdefgh.`,
      output: {
        type: 'object',
        properties: { code: { type: 'string', 'x-secret': true } },
        required: ['code'],
      },
    });
    const { result, entries } = await runOne(handler as Handler, input, {
      node: { io },
      secrets: true,
    });
    expect(result.output).toEqual({ code: 'door-code-99' });
    expect(payloads(entries, 'Request')).toHaveLength(2);
    const text = JSON.stringify(entries.slice(1));
    for (const secret of secrets) expect(text).not.toContain(secret);
  });
});

/** Tools that keep their calls. */
function tools() {
  const calls: [string, Json, string][] = [];
  const toolOf = (name: string, access: 'read' | 'change') =>
    toolSchema.parse({
      name,
      description: `The tool ${name}.`,
      input: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
      output: { type: 'object', properties: { pin: { type: 'string', 'x-secret': true } } },
      access,
    });
  const toolset: Toolset = {
    tools: [toolOf('look', 'read'), toolOf('pay', 'change')],
    async call(name, input, { idempotencyKey }) {
      calls.push([name, input as Json, idempotencyKey]);
      if (input.id === 'broken') throw Object.assign(new Error('no such id'), { code: 'NotFound' });
      return { id: input.id, amount: 30, pin: '4711' } as Json;
    },
    close: async () => {},
  };
  return { toolset, calls };
}

describe('tools', () => {
  const options = { system: '', instruction: 'Look it up.', output: letter };
  const call = (tool: string, id: string) => ({ call: { tool, input: { id } } });

  it('are called in a loop, with keys of their own, until the answer', async () => {
    const { toolset, calls } = tools();
    const model = listening([call('look', 'a'), call('look', 'b'), { answer: { text: '30' } }]);
    const handler = createModelHandler({ ...options, model, tools: toolset });
    const { result, entries } = await runOne(handler, null);
    expect(result.output).toEqual({ text: '30' });
    expect(calls.map(([name, input]) => [name, input])).toEqual([
      ['look', { id: 'a' }],
      ['look', { id: 'b' }],
    ]);
    expect(calls[0][2]).toMatch(/\/call-1-[\da-f]{16}$/);
    expect(calls[1][2]).toMatch(/\/call-2-[\da-f]{16}$/);
    expect(model.requests[1].messages.at(-1)?.content).toContain('"amount":30');
    expect(payloads(entries, 'Response')).toMatchObject([
      { call: call('look', 'a').call },
      { call: call('look', 'b').call },
      { output: { text: '30' } },
    ]);
    expect(JSON.stringify(entries)).not.toContain('4711');
  });

  it('that change something are not offered, and refused if called', async () => {
    const { toolset, calls } = tools();
    const model = listening([call('pay', 'a'), { text: 'unframed' }]);
    const handler = createModelHandler({ ...options, model, tools: toolset });
    const { result } = await runOne(handler, null);
    expect(result.output).toEqual({ text: 'unframed' });
    expect(calls).toEqual([]);
    expect(model.requests[0].messages[0].content).not.toContain('pay');
    expect(model.requests[1].messages.at(-1)?.content).toContain('NotPermitted');
  });

  it('may change something if the step says so', async () => {
    const { toolset, calls } = tools();
    const model = listening([call('pay', 'a'), { answer: { text: 'paid' } }]);
    const handler = createModelHandler({ ...options, model, tools: toolset, changes: true });
    await runOne(handler, null);
    expect(calls).toHaveLength(1);
  });

  it.each([
    ['look', true],
    ['pay', false],
  ])('that change something are not aborted with the attempt: %s', async (name, isAborted) => {
    const { toolset } = tools();
    const signals: AbortSignal[] = [];
    const slow: Toolset = {
      ...toolset,
      call: async (_, __, { signal }) => {
        signals.push(signal);
        return new Promise<Json>(() => {});
      },
    };
    const model = listening([call(name, 'a')]);
    const handler = createModelHandler({ ...options, model, tools: slow, changes: true });
    const { result } = await runOne(handler, null);
    expect(result.error).toMatchObject({ code: 'Timeout' });
    expect(signals.map(({ aborted }) => aborted)).toEqual([isAborted]);
  });

  it('report their errors to the model', async () => {
    const { toolset } = tools();
    const model = listening([call('look', 'broken'), { answer: { text: 'none' } }]);
    const handler = createModelHandler({ ...options, model, tools: toolset });
    expect((await runOne(handler, null)).result.status).toBe('COMPLETED');
    expect(model.requests[1].messages.at(-1)?.content).toMatch(/NotFound.*no such id/);
  });

  it('are called at most as often as allowed, however often the model wants to', async () => {
    const { toolset, calls } = tools();
    const model = listening([call('look', 'a')]);
    const handler = createModelHandler({ ...options, model, tools: toolset, maxToolCalls: 2 });
    const { result } = await runOne(handler, null);
    expect(calls).toHaveLength(2);
    expect(result.error).toMatchObject({
      code: 'BadAnswer',
      message: expect.stringContaining('more tools than allowed'),
    });
  });
});

describe('a step with a model', () => {
  it('is a step of a workflow, with the types of its schemas', async () => {
    const write = modelStep('write', {
      model: playCassette(cassetteOf({ 'agent/write': [{ text: 'Dear Ann' }] }), 'test'),
      prompt: 'Write to the customer.',
      input: z.object({ name: z.string() }),
      schema: z.object({ text: z.string(), copies: z.number().default(1) }),
      budget: { tokens: 10_000 },
    });
    const flow = defineWorkflow(
      'letters',
      { input: z.object({ name: z.string() }) },
      (steps, input) => steps.step(write, input),
    );
    const { status, output } = await flow.run({ name: 'Ann' });
    const text: string | undefined = output?.text;
    expect({ status, text, copies: output?.copies }).toEqual({
      status: 'COMPLETED',
      text: 'Dear Ann',
      copies: 1,
    });
  });

  it('refuses a bad specification of its model when it is defined', () => {
    const define = () =>
      modelStep('write', { model: 'gpt-4o', prompt: 'Write.', schema: z.object({}) });
    expect(define).toThrow("'gpt-4o' names no model");
  });

  it('opens a cassette by its specification, and names a missing file', async () => {
    const write = modelStep('write', {
      model: 'cassette:nowhere.json',
      prompt: 'Write.',
      schema: z.object({ text: z.string() }),
    });
    const flow = defineWorkflow('letters', { input: z.null() }, (steps, input) =>
      steps.step(write, input),
    );
    expect((await flow.run(null)).error?.message).toContain('nowhere.json');
  });
});
