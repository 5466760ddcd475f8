import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sha256 } from '@alas-jssp/core/sha256';
import { describe, expect, it } from 'vitest';
import { openLog, verifyLog } from '../../../packages/workflow/src/index.js';
import { type RunRecord, recordKey } from '../../../src/harness/records/record.js';
import { readRun } from '../../../src/harness/run/stored-run.js';
import { planFromSchedule } from '../../../src/jssp/plan.js';
import { resolveSources } from '../../../src/jssp/suites.js';
import { planFormats } from '../../../src/llm/prompts/formats.js';
import { dispatch } from '../../../src/search/index.js';
import { readShop } from '../../llm/read-shop.js';
import { startChatServer } from '../../llm/servers/chat-completions.js';
import { startMessagesServer } from '../../llm/servers/messages.js';
import type { Behaviour, WireRequest } from '../../llm/servers/wire-server.js';
import {
  namedSource,
  runTest,
  type TestRun,
  temporaryDirectory,
  withoutSeconds,
} from '../fixtures.js';

type Answering = Extract<Behaviour, { kind: 'answer' }>;

const KEY = 'sk-very-secret-0123456789';
const environment = { OPENAI_COMPATIBLE_API_KEY: KEY, ANTHROPIC_API_KEY: KEY };

/** A rule's plan for the shop of a prompt, without its last operations if it is to be infeasible. */
function plan({ body }: WireRequest, left = Number.POSITIVE_INFINITY): Answering {
  const prompt = body.messages.at(-1).content;
  const { entries } = planFromSchedule(dispatch(readShop(prompt), { rule: 'mwkr' }));
  return { kind: 'answer', text: planFormats.entries.write(entries.slice(0, left)) };
}

const failure = (status: number, headers = {}): Behaviour => ({ kind: 'error', status, headers });

/** A run of a model behind a server of chat completions that answers like that. */
async function running(behave: (request: WireRequest, n: number) => Behaviour, settings = '') {
  const server = await startChatServer(behave);
  const planner = `openai-compatible:scripted@${server.url}/v1${settings}`;
  const options = {
    sources: resolveSources('ft06,la01'),
    planners: [planner],
    repair: true,
    environment,
  } satisfies TestRun;
  return { server, planner, options };
}

/** All files under a directory. */
function filesIn(directory: string): string[] {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .map((name) => join(directory, name))
    .filter((path) => statSync(path).isFile());
}

describe('a run of planners that ask models', () => {
  it('has all variants and several providers, asks nothing twice, and keeps the key to itself', async () => {
    const { server, planner, options } = await running((request) => {
      const { text, ...answer } = plan(request, 30);
      return { ...answer, text: `Your key is ${KEY}.\n${text}` };
    });
    const other = await startMessagesServer((request) => plan(request));
    const out = join(temporaryDirectory(), 'run');
    const log = `${out}.db`;
    const result = await runTest({
      ...options,
      planners: ['dispatch:spt', planner, 'anthropic:other'],
      variants: ['full', 'no-repair', 'no-validation', 'no-optimization'],
      optimize: '200-iterations',
      environment: { ...environment, ANTHROPIC_BASE_URL: other.url },
      workers: 2,
      log,
      out,
    });
    expect(result.records).toHaveLength(3 * 4 * 2);
    const of = (name: string, variant: string) =>
      result.records.filter((one) => one.planner === name && one.variant === variant);
    for (const record of of(planner, 'full')) {
      expect(record).toMatchObject({ status: 'ok', repair: { by: 'lcrp', asked: null } });
      expect(record.stages.plan).toMatchObject({
        feasible: false,
        tokens: { input: 11, output: 7 },
      });
      expect(record.stages.repair).toMatchObject({
        feasible: true,
        tokens: { input: 0, output: 0 },
      });
      expect(record).toMatchObject({ cost_usd: null, llm: { models: ['scripted-served'] } });
      expect(record.llm).toMatchObject({ topology: 'single', format: 'sequences', answers: 1 });
    }
    for (const record of of(planner, 'no-repair')) expect(record.status).toBe('infeasible');
    for (const record of of('anthropic:other', 'full')) {
      expect(record).toMatchObject({ status: 'ok', stages: { plan: { feasible: true } } });
    }
    expect(of('dispatch:spt', 'full')[0]).toMatchObject({ llm: null, cost_usd: 0 });
    // Variants share their plans: one question for each instance.
    expect([server.requests.length, other.requests.length]).toEqual([2, 2]);
    expect(result.manifest.outcome.spent).toMatchObject({ requests: 4 });
    expect(result.summary.stages.map(({ stage }) => stage).slice(0, 3)).toEqual([
      'plan',
      'repair',
      'optimize',
    ]);
    expect(server.requests[0].headers.authorization).toBe(`Bearer ${KEY}`);
    for (const file of [...filesIn(out), log])
      expect(readFileSync(file, 'latin1')).not.toContain(KEY);
    const store = openLog(log);
    expect(verifyLog(store)).toMatchObject({ valid: true });
    const requests = store
      .runs()
      .flatMap((runId) => [...store.read({ runId, eventTypes: ['Request'] })]);
    expect(requests).toHaveLength(2 * 2 * 4);
    store.close();
  });

  it('gives a model the name that stands before its specification, and replays it under another', async () => {
    const { server, planner, options } = await running((request) => plan(request));
    const out = join(temporaryDirectory(), 'run');
    const run = { ...options, planners: [`crew=${planner}`, 'rule=insertion'], out };
    const { records, summary, manifest } = await runTest(run);
    expect(records.map((record) => record.planner)).toEqual(['crew', 'rule', 'crew', 'rule']);
    expect(manifest.spec.planners).toEqual([`crew=${planner}`, 'rule=insertion']);
    expect(summary.stages[0]).toMatchObject({ planner: 'crew' });
    const [{ llm }] = records;
    expect(statSync(join(out, llm?.answer_files[0] ?? '')).isFile()).toBe(true);
    const replayed = `again=replay:${join(out, 'answers')}`;
    const again = await runTest({ ...options, planners: [replayed] });
    expect(again.records.map(({ planner, makespan }) => [planner, makespan])).toEqual(
      records.filter((one) => one.planner === 'crew').map(({ makespan }) => ['again', makespan]),
    );
    // A resumed run, and one without the name, ask nothing again.
    await runTest({ ...run, resume: true });
    await runTest({ ...options, models: { record: join(out, 'answers') } });
    expect(server.requests).toHaveLength(2);
  });

  it('gets through a storm of refusals, and all attempts are in the log', async () => {
    const soon = { 'retry-after': '0' };
    const storm = [429, 500, 529].map((status) => failure(status, soon));
    const { server, options } = await running((request, n) => storm[n] ?? plan(request));
    const log = join(temporaryDirectory(), 'run.db');
    const waits: string[] = [];
    const onWait = ({ reason }: { reason: string }) => void waits.push(reason);
    const out = join(temporaryDirectory(), 'run');
    const { records } = await runTest({ ...options, log, out, onWait });
    expect(records.map(({ status }) => status)).toEqual(['ok', 'ok']);
    const requests = records.map(({ llm }) => llm?.requests);
    const sum = (key: 'sent' | 'rate_limited' | 'failed') =>
      requests.reduce((total, counts) => total + (counts?.[key] ?? 0), 0);
    expect([sum('sent'), sum('rate_limited'), sum('failed')]).toEqual([5, 1, 2]);
    for (const { llm, jobs, machines } of records) {
      const [file = '', ...more] = llm?.answer_files ?? [];
      expect(more).toEqual([]);
      expect(file).toMatch(/^answers\/[\da-f]{64}\.json$/);
      expect(readFileSync(join(out, file), 'utf8')).toContain('"schedule');
      const all = jobs * machines;
      expect(llm?.decoding).toMatchObject({ operations: all, expected: all, ignored: {} });
    }
    expect(server.requests).toHaveLength(5);
    expect(waits.some((reason) => reason.startsWith('RateLimited'))).toBe(true);
    const store = openLog(log);
    const retries = store
      .runs()
      .flatMap((runId) => [...store.read({ runId, eventTypes: ['Response'] })])
      .filter(({ payload }) => Object.hasOwn(payload as object, 'error'));
    expect(retries).toHaveLength(3);
    store.close();
  });

  it('has the repair done by the model where it is asked to', async () => {
    const answers = [30, 33, 36];
    const template = join(temporaryDirectory(), 'prompt.txt');
    writeFileSync(template, '=== user\n{{shop}}\n{{task}}\n=== user plan\n{{shop}}\nOnly JSON!');
    const settings = `#prompt=${template},effort=low`;
    const behave = (request: WireRequest, n: number) => plan(request, answers[n]);
    const { server, options } = await running(behave, settings);
    const sources = resolveSources('ft06');
    const result = await runTest({ ...options, sources, repair: true, repairer: 'llm', rounds: 3 });
    expect(result.manifest.spec).toMatchObject({ repair: true, repairer: 'llm', rounds: 3 });
    expect(server.requests).toHaveLength(3);
    const [{ repair, stages, tokens, llm }] = result.records;
    expect(repair).toMatchObject({ by: 'llm', seed_coverage: 1, kept_order: 1 });
    expect(repair?.asked?.map(({ violations }) => violations)).toEqual([3, 0]);
    expect(stages.repair).toMatchObject({ feasible: true, tokens: { input: 22, output: 14 } });
    expect(tokens).toEqual({ input: 33, output: 21, estimated: false });
    expect(llm?.repair_prompt_sha256).toMatch(/^[\da-f]{64}$/);
    expect(llm?.prompt_version).toBe(`template:${sha256(readFileSync(template))}`);
    const asked = server.requests.map(({ body }) => body.messages.at(-1).content);
    expect(asked[0]).toMatch(/Only JSON!$/);
    expect(asked[1]).toContain('An earlier plan of this shop breaks rules');
    expect(server.requests[0].body.reasoning_effort).toBe('low');
    const heuristics = {
      ...options,
      planners: ['dispatch:spt'],
      repair: true,
      repairer: 'llm' as const,
    };
    await expect(runTest(heuristics)).rejects.toThrow('no planner asks a model');
  });

  it('ends when its budget is spent, and a larger one only pays for what is missing', async () => {
    const { server, options } = await running((request) => ({ ...plan(request), usage: false }));
    const out = join(temporaryDirectory(), 'run');
    const sources = resolveSources('ft06,la01,la02,la03');
    const limited = { concurrency: 1, budget: { tokens: 4500 } };
    const all = { ...options, sources, out };
    const first = await runTest({ ...all, models: limited });
    expect(first).toMatchObject({ interrupted: true, summary: { interrupted: true } });
    expect(first.stopped).toBe('the budget of 4500 tokens is spent');
    expect(first.manifest.outcome.stopped).toBe(first.stopped);
    const done = first.records.length;
    expect(done).toBeGreaterThan(0);
    expect(done).toBeLessThan(4);
    expect(readRun(out).records).toHaveLength(done);
    const asked = server.requests.length;
    const unlimited = { budget: { tokens: null } };
    const second = await runTest({ ...all, models: unlimited, resume: true });
    expect(second).toMatchObject({ interrupted: false, stopped: null });
    expect(second.records).toHaveLength(4);
    expect(server.requests.length).toBe(4);
    expect(second.manifest.outcome.spent?.requests).toBe(4 - asked);
    const whole = await runTest({ ...all, out: `${out}-whole` });
    expect(withoutSeconds(second.records)).toEqual(withoutSeconds(whole.records));
  });

  it('sends requests first, and has others compute while they are answered', async () => {
    const directory = temporaryDirectory();
    const sent = join(directory, 'sent');
    const waiting = join(directory, 'waiting.mjs');
    // Were it called before a request is sent, it would wait for ever.
    writeFileSync(
      waiting,
      `import { existsSync } from 'node:fs';
       import { setTimeout as sleep } from 'node:timers/promises';
       export async function planner() {
         while (!existsSync(${JSON.stringify(sent)})) await sleep(5);
         return { entries: [] };
       }`,
    );
    const { options } = await running((request) => {
      writeFileSync(sent, '');
      return plan(request);
    });
    const planners = [`module:${waiting}`, ...options.planners, 'dispatch:spt'];
    const optimize = '200-iterations';
    const { records } = await runTest({ ...options, planners, optimize, workers: 1 });
    expect(records.map(({ status }) => status)).toEqual(Array(6).fill('ok'));
  });

  it('breaks off what is under way when the time of its budget is over', async () => {
    const { options } = await running(() => ({ kind: 'hang', after: 'half' }));
    const models = { budget: { seconds: 0.5 } };
    const out = join(temporaryDirectory(), 'run');
    const { records, stopped, manifest } = await runTest({ ...options, models, out });
    expect([records, stopped]).toEqual([[], 'the budget of 0.5 s is spent']);
    expect(manifest.outcome.spent).toMatchObject({ requests: 2, tokens: { estimated: true } });
  });

  it('asks for what failed again, and for nothing that was answered', async () => {
    const { server, options } = await running((request, n) =>
      n === 1 ? { ...failure(401), message: `${KEY} is refused` } : plan(request, n ? 99 : 20),
    );
    const out = join(temporaryDirectory(), 'run');
    const all = { ...options, out, repair: true, repairer: 'llm' as const };
    const models = { concurrency: 1 };
    const first = await runTest({ ...all, models });
    expect(first.records.map(({ status }) => status).sort()).toEqual(['error', 'ok']);
    expect(first.records.map(({ error }) => error).join()).toContain('[redacted] is refused');
    for (const file of filesIn(out)) expect(readFileSync(file, 'latin1')).not.toContain(KEY);
    const before = server.requests.length;
    const second = await runTest({ ...all, models, resume: true });
    expect(second.records.map(({ status }) => status)).toEqual(['ok', 'ok']);
    expect(server.requests.length).toBe(before + 1);
  });

  it('repeats recorded answers without a network, with the records of then', async () => {
    const { server, planner, options } = await running((request) => plan(request, 25));
    const record = join(temporaryDirectory(), 'tape');
    const recorded = await runTest({ ...options, environment, models: { record } });
    const asked = server.requests.length;
    const named = `replay:${record}#${planner}`;
    const replayed = await runTest({ ...options, planners: [named], environment: {} });
    const records = replayed.records.map((one) => ({ ...one, planner }));
    expect(withoutSeconds(records)).toEqual(withoutSeconds(recorded.records));
    const taken = (all: readonly RunRecord[]) => all.map(({ stages }) => stages.plan?.seconds);
    expect(taken(records)).toEqual(taken(recorded.records));
    expect(server.requests).toHaveLength(asked);
    const others = { ...options, planners: [`replay:${record}`], replicates: 2 };
    const missing = await runTest(others);
    expect(missing.records.map(({ status }) => status)).toEqual(['ok', 'error', 'ok', 'error']);
    expect(missing.records[1].error).toContain('record it with --record');
  });

  it('loses nothing else when one of its tasks takes too long, or its shop does not fit', async () => {
    const { planner, options } = await running(({ body }) =>
      /36 operations|breaks rules/.test(body.messages[1].content)
        ? { kind: 'hang', after: 'nothing' }
        : plan({ headers: {}, body }, 20),
    );
    const late = await runTest({ ...options, repairer: 'llm', limits: { seconds: 5 } });
    expect(late.records.map(({ status }) => status)).toEqual(['error', 'ok']);
    // A model that takes too long to mend its plan is not waited for: the protocol mends it.
    expect(late.records[1]).toMatchObject({ repair: { by: 'lcrp', asked: null }, error: null });
    expect(late.records[0].error).toBe('stopped after 5 s');
    expect(late.records[0].llm).toMatchObject({ topology: 'single', answers: 0, decoding: null });
    const tiny = `${planner}#format=entries,context=1000,max-output=100`;
    const small = await runTest({ ...options, planners: [tiny] });
    expect(small.records[1].error).toContain('of a context of 1000');
  });

  it('survives whatever a provider does, both protocols, and loses no record', async () => {
    const mischief: Behaviour[] = [
      { kind: 'hang', after: 'half' },
      { kind: 'reset' },
      { kind: 'truncated' },
      { kind: 'empty' },
      { kind: 'raw', headers: { 'content-type': 'text/html' }, body: '<h1>Bad gateway</h1>' },
      { kind: 'flood', bytes: 50e6 },
      { kind: 'answer', text: 'I must not do that.', finish: 'refusal' },
      { kind: 'answer', text: '{"schedule":[{"job":"Job1","st', finish: 'length', usage: false },
      { ...failure(401), message: `${KEY} is refused` } as Behaviour,
    ];
    const behave = (request: WireRequest, n: number) => mischief[n] ?? plan(request);
    const settings = '#timeout=5,max-output=2000';
    const { planner, options, server } = await running(behave, settings);
    const other = await startMessagesServer(behave);
    const warnings: string[] = [];
    const onWarning = ({ name }: Error) => void warnings.push(name);
    process.on('warning', onWarning);
    const { records } = await runTest({
      ...options,
      sources: resolveSources('ft06'),
      planners: [planner, `anthropic:other${settings}`],
      environment: { ...environment, ANTHROPIC_BASE_URL: other.url },
      replicates: 6,
    });
    process.off('warning', onWarning);
    expect(records).toHaveLength(12);
    // As many tasks at once are no leak of listeners.
    expect(warnings).not.toContain('MaxListenersExceededWarning');
    expect(Math.min(server.requests.length, other.requests.length)).toBeGreaterThan(9);
    for (const name of [planner, `anthropic:other${settings}`]) {
      const statuses = records.filter((one) => one.planner === name).map(({ status }) => status);
      expect(statuses.toSorted()).toEqual(['error', 'ok', 'ok', 'ok', 'ok', 'ok']);
    }
    expect(JSON.stringify(records)).not.toContain(KEY);
    expect(records.some(({ tokens }) => tokens.estimated)).toBe(true);
  });

  it('is refused before anything is asked if there is no key or no price', async () => {
    const sources = [namedSource('any')];
    const openai: TestRun = { sources, planners: ['openai:gpt-4o'] };
    await expect(runTest({ ...openai, environment: {} })).rejects.toThrow('OPENAI_API_KEY');
    const { options } = await running(() => failure(500));
    const budget = { usd: 1 };
    await expect(runTest({ ...options, sources, environment, models: { budget } })).rejects.toThrow(
      'price of scripted',
    );
    const planners = [...options.planners, 'anthropic:scripted'];
    const out = join(temporaryDirectory(), 'run');
    await expect(runTest({ ...options, planners, out, environment })).rejects.toThrow(
      'answers of two servers',
    );
    const none = { concurrency: 0 };
    await expect(runTest({ ...options, models: none })).rejects.toThrow('requests at once');
    const half = { requestsPerMinute: 1.5 };
    await expect(runTest({ ...options, models: half })).rejects.toThrow('requests per minute');
  });

  it('has the same records whatever the number of workers, and asks nothing twice without a directory, too', async () => {
    const { options, server } = await running((request) => plan(request, 28), '#topology=alas');
    const variants = ['no-repair', 'no-optimization'] as const;
    const all = { ...options, variants, sources: resolveSources('ft06') };
    const one = await runTest(all);
    // Six agents for jobs, the coordinator and the supervisor; variants share their answers.
    expect(server.requests).toHaveLength(8);
    const three = await runTest({ ...all, workers: 3 });
    expect(one.records.map(recordKey)).toHaveLength(2);
    expect(withoutSeconds(three.records)).toEqual(withoutSeconds(one.records));
  });
});
