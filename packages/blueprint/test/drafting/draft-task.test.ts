import { type Model, playCassette, type ToolCatalogue } from '@alas-jssp/agents';
import { canonicalJson } from '@alas-jssp/core/canonical-json';
import { createMemoryStore, type Json, type LogStore } from '@alas-jssp/workflow';
import { describe, expect, test } from 'vitest';
import {
  type Draft,
  type DraftFinding,
  type DraftTaskOptions,
  draftTask,
  type Template,
} from '../../src/index.js';
import { createKillingStore } from '../../src/rehearsal/killing-store.js';
import { REFUND_CATALOGUE, REFUND_PARTS, REFUND_TEXT } from './refund-parts.js';

/** A model that answers each part with the given answers in turn, and records its requests. */
function planner(answers: Record<string, Json[]>) {
  const all = Object.fromEntries(
    Object.entries({ ...REFUND_PARTS }).map(([part, answer]) => [part, answers[part] ?? [answer]]),
  );
  const cassette = playCassette(
    {
      schema: 'alas-jssp/cassette@1',
      origin: 'handwritten',
      model: null,
      answers: { ...answers, ...all } as never,
    },
    'test',
  );
  const requests: { key: string; text: string }[] = [];
  const model: Model = {
    name: cassette.name,
    ask(request, signal) {
      const text = request.messages.map(({ content }) => content).join('\n');
      requests.push({ key: request.key, text });
      return cassette.ask(request, signal);
    },
  };
  return { model, requests };
}

const finding = (code: string, part: string, severity: 'error' | 'warning' = 'error') =>
  ({
    code,
    severity,
    part,
    path: '$',
    message: `${code} of ${part}`,
    hint: `fix ${code}`,
  }) satisfies DraftFinding;

function draft(
  model: Model,
  check: (template: Template) => DraftFinding[],
  more: Partial<DraftTaskOptions> = {},
): Promise<Draft> {
  return draftTask({
    text: REFUND_TEXT,
    name: 'refund',
    catalogue: REFUND_CATALOGUE as unknown as ToolCatalogue,
    model,
    log: createMemoryStore(),
    check: ({ template }) => check(template),
    equip: async () => ({ agents: [], files: {}, undo: [], findings: [] }),
    ...more,
  });
}

const detailsOf = ({ nodes }: Template, id: string) =>
  nodes.find((node) => node.id === id)?.details;

describe('drafting', () => {
  test('asks every part once, and passes if nothing is wrong', async () => {
    const { model, requests } = planner({});
    const made = await draft(model, () => []);
    expect(made.passed).toBe(true);
    expect(requests.map(({ key }) => key)).toEqual([
      ...['objectives', 'entities', 'inputs', 'operations', 'constraints', 'disruptions'],
      ...['questions', 'roles', 'nodes', 'edges', 'node/refund', 'node/email'],
      ...['constraint-coverage', 'disruption-coverage', 'undo/refund', 'undo/email'],
    ]);
    expect(made.rounds.length).toBe(1);
    expect(made.usage.requests).toBe(16);
  });

  test('asks the parts that errors name again, with code, place and hint', async () => {
    const wrong = { id: 'refund', tool: 'payments.refund', input: {} };
    const { model, requests } = planner({
      'node/refund': [wrong, REFUND_PARTS['node/refund']],
    });
    const made = await draft(model, (template) =>
      detailsOf(template, 'refund')?.approval === undefined
        ? [finding('not_held', 'node/refund'), finding('note', 'roles', 'warning')]
        : [],
    );
    expect(made.passed).toBe(true);
    const again = requests.slice(16);
    expect(again.map(({ key }) => key)).toEqual(['node/refund']);
    expect(again[0].text).toContain('[not_held] at $: not_held of node/refund. Fix: fix not_held');
    expect(again[0].text).toContain(canonicalJson({ ...wrong, sees: [], log: [] }));
    expect(made.rounds.map(({ findings }) => findings.length)).toEqual([2, 0]);
  });

  test('an answer of another form is asked again at once', async () => {
    const { model, requests } = planner({ edges: ['no JSON', REFUND_PARTS.edges] });
    const made = await draft(model, () => []);
    expect(made.passed).toBe(true);
    expect(requests.filter(({ key }) => key === 'edges').length).toBe(2);
    expect(made.rounds.length).toBe(1);
  });

  test('a part without an answer is a finding, and asked again in the next round', async () => {
    const { model } = planner({ edges: ['no JSON', 'no JSON', REFUND_PARTS.edges] });
    const made = await draft(model, () => []);
    expect(made.rounds[0].findings).toEqual([
      expect.objectContaining({ code: 'bad_part', part: 'edges' }),
    ]);
    expect(made.passed).toBe(true);
  });

  test('a cassette without an answer gives a draft that did not pass', async () => {
    const { model } = planner({});
    const silent: Model = {
      name: 'silent',
      ask: (request) => model.ask(request.key === 'edges' ? { ...request, key: '?' } : request),
    };
    const made = await draft(silent, () => [], { rounds: 1 });
    expect(made.passed).toBe(false);
    expect(made.template).toBeNull();
    expect(made.findings).toEqual([expect.objectContaining({ code: 'no_answer', part: 'edges' })]);
  });

  test('an answer that makes the draft worse is put back', async () => {
    const details = REFUND_PARTS['node/refund'] as object;
    const { model } = planner({
      'node/refund': [details as Json, { ...details, timeout: 1 } as Json],
      'node/email': [{ id: 'email', tool: 'mail.send', input: {} }, REFUND_PARTS['node/email']],
    });
    const made = await draft(
      model,
      (template) => [
        finding('always', 'node/refund'),
        ...(detailsOf(template, 'refund')?.timeout === 1
          ? [finding('one', 'node/refund'), finding('two', 'node/refund')]
          : []),
        ...(detailsOf(template, 'email')?.approval === undefined
          ? [finding('three', 'node/email')]
          : []),
      ],
      { rounds: 1 },
    );
    expect(made.findings.map(({ code }) => code)).toEqual(['always']);
    expect(made.parts['node/refund']).not.toHaveProperty('timeout');
    expect(made.parts['node/email']).toHaveProperty('approval');
    expect(made.rounds[1].parts.map(({ part, outcome }) => [part, outcome])).toEqual([
      ['node/refund', 'put back'],
      ['node/email', 'answered'],
    ]);
  });

  test('stops after the rounds, with the best draft', async () => {
    const { model, requests } = planner({});
    const made = await draft(model, () => [finding('always', 'edges')], { rounds: 2 });
    expect(made.passed).toBe(false);
    expect(made.rounds.length).toBe(3);
    expect(requests.filter(({ key }) => key === 'edges').length).toBe(3);
  });

  test('parts of new nodes are asked, and those of removed ones are not', async () => {
    const { nodes } = REFUND_PARTS.nodes as { nodes: Json[] };
    const { model, requests } = planner({
      nodes: [REFUND_PARTS.nodes, { nodes: nodes.slice(0, 1) }],
      edges: [REFUND_PARTS.edges, { edges: [] }],
    });
    const made = await draft(model, (template) =>
      template.nodes.length > 1 ? [finding('too_many', 'nodes')] : [],
    );
    expect(made.passed).toBe(true);
    expect(requests.slice(16).map(({ key }) => key)).toEqual([
      ...['nodes', 'edges', 'constraint-coverage', 'disruption-coverage'],
    ]);
    expect(made.template?.undo.map(({ node }) => node)).toEqual(['refund']);
  });

  test('a finding about a node that does not exist is one about the outline', async () => {
    const { model, requests } = planner({});
    await draft(model, () => [finding('unknown', 'node/ghost')], { rounds: 1 });
    expect(requests.slice(16).map(({ key }) => key)).toEqual(['nodes']);
  });

  test('the factory asks through the same log, and equal questions only once', async () => {
    const { model, requests } = planner({ 'prompt/cashier': [{ text: 'hello' }] });
    let calls = 0;
    const made = await draft(model, () => [], {
      equip: async ({ ask }) => {
        calls++;
        const schema = { type: 'object', properties: { text: { type: 'string' } } };
        const part = 'prompt/cashier';
        const asked = await ask({ part, system: '', prompt: 'say hello', schema });
        if (!asked.ok) throw new Error('no answer');
        const findings = calls === 1 ? [finding('unproven', 'undo/refund')] : [];
        return { agents: [], files: { 'a.js': JSON.stringify(asked.value) }, undo: [], findings };
      },
    });
    expect(calls).toBe(2);
    expect(made.passed).toBe(true);
    expect(made.files).toEqual({ 'a.js': '{"text":"hello"}' });
    expect(requests.filter(({ key }) => key === 'prompt/cashier').length).toBe(1);
    expect(requests.slice(17).map(({ key }) => key)).toEqual(['undo/refund']);
  });
});

describe('interrupted drafting', () => {
  test.each([1, 5, 8, 12, 16, 17])(
    'resumes after request %i without asking answered parts again',
    async (most) => {
      const wrong = { id: 'refund', tool: 'payments.refund', input: {} };
      const answers = {
        'node/refund': [wrong, REFUND_PARTS['node/refund']],
        'prompt/cashier': [{ text: 'hello' }],
      };
      const log = createMemoryStore();
      const requests: string[] = [];
      const check = (template: Template) =>
        detailsOf(template, 'refund')?.approval === undefined
          ? [finding('not_held', 'node/refund')]
          : [];
      const equip: DraftTaskOptions['equip'] = async ({ ask }) => {
        await ask({ part: 'prompt/cashier', system: '', prompt: 'x', schema: { type: 'object' } });
        return { agents: [], files: {}, undo: [], findings: [] };
      };
      const run = (store: LogStore, stopAfter: number) => {
        const { model } = planner(answers);
        const stop = new AbortController();
        const stopping: Model = {
          name: model.name,
          ask: async (request, signal) => {
            signal?.throwIfAborted();
            if (requests.length === stopAfter) {
              stop.abort();
              throw stop.signal.reason;
            }
            requests.push(`${request.key}#${request.occurrence}`);
            return model.ask(request, signal);
          },
        };
        return draft(stopping, check, { log: store, equip, signal: stop.signal });
      };
      await expect(run(log, most)).rejects.toMatchObject({ code: 'left' });
      const made = await run(log, Number.POSITIVE_INFINITY);
      expect(made.passed).toBe(true);
      expect(requests.length).toBe(18);
      expect(new Set(requests).size).toBe(18);
      expect(made.rounds.map(({ parts }) => parts.length)).toEqual([16, 2]);
      expect(await run(log, 0)).toEqual(made);
    },
  );

  test('killed at any entry of the log, asks no answer again that the log holds', async () => {
    const wrong = { id: 'refund', tool: 'payments.refund', input: {} };
    const answers = { 'node/refund': [wrong, REFUND_PARTS['node/refund']] };
    const check = (template: Template) =>
      detailsOf(template, 'refund')?.approval === undefined
        ? [finding('not_held', 'node/refund')]
        : [];
    const whole = await draft(planner(answers).model, check);
    let kills = 0;
    for (let append = 2; ; append += 7) {
      const requests: string[] = [];
      const run = (log: LogStore) => {
        const { model } = planner(answers);
        const counting: Model = {
          name: model.name,
          ask(request, signal) {
            const answered = [...log.read({ runId: 'draft', eventTypes: ['Response'] })];
            const name = `${request.key}#${request.occurrence}`;
            const logged = answered.map(({ payload }) => {
              const { part, number } = payload as { part: string; number: number };
              return `${part}#${number}`;
            });
            expect(logged).not.toContain(name);
            requests.push(name);
            return model.ask(request, signal);
          },
        };
        return draft(counting, check, { log });
      };
      const kill = { kind: 'kill', append, when: append % 2 === 0 ? 'before' : 'after' } as const;
      const { store } = createKillingStore(
        [kill as never],
        () => {},
        () => {},
      );
      const killed = await run(store).then(
        () => false,
        () => true,
      );
      if (!killed) break;
      kills++;
      expect(await run(store)).toEqual(whole);
      // The answer that arrived when the process was killed is lost.
      expect(requests.length).toBeLessThanOrEqual(whole.usage.requests + 1);
    }
    expect(kills).toBeGreaterThan(15);
  });

  test('keeps the error of a model that fails for good', async () => {
    const { model } = planner({});
    const failing: Model = {
      name: model.name,
      ask: () => Promise.reject(Object.assign(new Error('no key'), { code: 'MissingKey' })),
    };
    const log = createMemoryStore();
    await expect(draft(failing, () => [], { log })).rejects.toMatchObject({ code: 'MissingKey' });
    expect((await draft(model, () => [], { log })).passed).toBe(true);
  });
});

describe('open questions', () => {
  const questions = {
    questions: [{ id: 'Q1', question: 'Who pays?', assumed: 'the shop' }],
    assumptions: [],
  };

  test('that people answer become facts, and the parts that they may change are asked again', async () => {
    const { model, requests } = planner({ questions: [questions, REFUND_PARTS.questions] });
    const made = await draft(model, () => [], { askPeople: async () => ({ Q1: 'The customer.' }) });
    expect(made.text).toContain('- Who pays? The customer.');
    expect(made.specification?.questions).toEqual([]);
    expect(requests.slice(7, 12).map(({ key }) => key)).toEqual([
      ...['inputs', 'operations', 'constraints', 'disruptions', 'questions'],
    ]);
    expect(requests[8].text).toContain('Who pays? The customer.');
  });

  test('that nobody answers are assumed', async () => {
    const { model } = planner({ questions: [questions] });
    const made = await draft(model, () => [], { askPeople: async () => ({}) });
    expect(made.specification?.questions).toEqual(questions.questions);
    expect(made.usage.requests).toBe(16);
  });
});

describe('a change', () => {
  test('keeps what the planner does not answer, and shows it the answers before', async () => {
    const details = { ...(REFUND_PARTS['node/refund'] as object), timeout: 20 };
    const { model, requests } = planner({ 'node/refund': [details as Json] });
    const only: Model = {
      name: model.name,
      ask: (request) =>
        model.ask(
          request.key === 'node/refund' ? request : { ...request, key: `no ${request.key}` },
        ),
    };
    const change = {
      words: 'A refund that takes more than 20 seconds fails.',
      before: REFUND_PARTS,
    };
    const made = await draft(only, () => [], { change });
    expect(made.passed).toBe(true);
    expect(detailsOf(made.template as Template, 'refund')?.timeout).toBe(20);
    expect(made.rounds[0].parts.filter(({ outcome }) => outcome === 'answered').length).toBe(1);
    const { text } = requests.find(({ key }) => key === 'node/refund') ?? { text: '' };
    expect(text).toContain('more than 20 seconds');
    expect(text).toContain('Your answer before the change');
    expect(made.text).toContain('more than 20 seconds');
  });
});
