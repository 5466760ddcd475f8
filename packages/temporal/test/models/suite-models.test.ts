import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { type RunRecord, type RunSpec, runBenchmark } from 'alas-jssp/harness';
import { planFromSchedule } from 'alas-jssp/jssp';
import { dispatch } from 'alas-jssp/search';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { planFormats } from '../../../../src/llm/prompts/formats.js';
import { readShop } from '../../../../test/llm/read-shop.js';
import { startChatServer } from '../../../../test/llm/servers/chat-completions.js';
import type { Behaviour, WireRequest } from '../../../../test/llm/servers/wire-server.js';
import { find, startServer } from '../../server.mjs';
import { createTemporalExecutor } from '../../src/suite/suite-executor.js';
import { spawnWorker, type WorkerProcess } from '../suite/worker-process.js';

/** Records without what was measured. */
function untimed(records: readonly RunRecord[]): unknown[] {
  const comparable = (key: string, value: unknown) => {
    if (/seconds/.test(key)) return undefined;
    // The same answers, wherever they are kept.
    return key === 'answer_files' ? (value as string[]).map((file) => basename(file)) : value;
  };
  return records.map((record) => JSON.parse(JSON.stringify(record, comparable)));
}

/** A rule's plan for the shop of a prompt, without its last operations. */
function plan({ body }: WireRequest): Behaviour {
  const prompt = body.messages.at(-1).content;
  const { entries } = planFromSchedule(dispatch(readShop(prompt), { rule: 'mwkr' }));
  return { kind: 'answer', text: planFormats.entries.write(entries.slice(0, 30)) };
}

describe.skipIf(find() === undefined)('models of a suite on a server', () => {
  let server: Awaited<ReturnType<typeof startServer>>;
  let workers: WorkerProcess[];
  const place = mkdtempSync(join(tmpdir(), 'alas-models-'));
  let runs = 0;

  const spawn = () => spawnWorker(server.address(), ['--slots', '1']);

  beforeAll(async () => {
    server = await startServer();
    workers = await Promise.all([spawn(), spawn()]);
  });

  afterAll(async () => {
    await Promise.all(workers.map((worker) => worker.end()));
    await server.stop();
    rmSync(place, { recursive: true });
  });

  /** A run of a model behind a server of chat completions, and a directory for it. */
  async function running(behave: (request: WireRequest, n: number) => Behaviour) {
    const chat = await startChatServer(behave);
    const spec: RunSpec = {
      suite: 'ft06,la01,la02,la03',
      planners: ['dispatch:spt', `openai-compatible:scripted@${chat.url}/v1`],
      repair: true,
    };
    const out = join(place, `run-${++runs}`);
    const notices: string[] = [];
    const context = {
      executor: createTemporalExecutor(server.address(), { slice: 3, lease: 2 }),
      onNotice: (line: string) => void notices.push(line),
      out,
    };
    return { chat, spec, out, context, notices };
  }

  it('asks once for all workers and variants, keeps the answers here, and has the records of threads', async () => {
    const { chat, spec, out, context, notices } = await running(plan);
    const all: RunSpec = { ...spec, variants: ['full', 'no-repair'], optimize: '100-iterations' };
    const there = await runBenchmark(all, context);
    expect(there.records).toHaveLength(16);
    expect(there.records.map(({ status }) => status)).not.toContain('error');
    expect(chat.requests).toHaveLength(4);
    const { spent } = there.manifest.outcome;
    expect(spent).toMatchObject({ requests: 4, tokens: { input: 44, output: 28 } });
    expect(spent?.seconds).toBeGreaterThan(0);
    expect(notices).toEqual([]);
    // Threads find the answers where theirs would be.
    const record = join(out, 'answers');
    const here = await runBenchmark({ ...all, models: { record } });
    expect(chat.requests).toHaveLength(4);
    expect(untimed(here.records)).toEqual(untimed(there.records));
    // So do workers that replay them, and those of another run.
    const replay: RunSpec = { ...all, planners: [`replay:${record}`] };
    const executor = createTemporalExecutor(server.address());
    const replayed = await runBenchmark(replay, { executor });
    const replayedHere = await runBenchmark(replay);
    expect(untimed(replayed.records)).toEqual(untimed(replayedHere.records));
    const again = await runBenchmark({ ...all, models: { record } }, { executor });
    expect(untimed(again.records)).toEqual(untimed(there.records));
    expect(chat.requests).toHaveLength(4);
    expect(again.manifest.outcome.spent).toMatchObject({ requests: 0 });
  });

  it('stops when the budget of the run is spent, and a larger one only pays for what is missing', async () => {
    const { chat, spec, context } = await running((request) => ({
      ...plan(request),
      ...{ usage: false },
    }));
    const first = await runBenchmark(
      { ...spec, models: { concurrency: 1, budget: { tokens: 2000 } } },
      context,
    );
    expect(first.stopped).toBe('the budget of 2000 tokens is spent');
    expect(first.manifest.outcome.stopped).toBe(first.stopped);
    const asked = chat.requests.length;
    expect([asked > 0, asked < 4]).toEqual([true, true]);
    expect(first.records).toHaveLength(4 + asked);
    const second = await runBenchmark(
      { ...spec, models: { budget: { tokens: null } } },
      { ...context, resume: true },
    );
    expect(second).toMatchObject({ interrupted: false, stopped: null });
    expect(chat.requests).toHaveLength(4);
    expect(second.manifest.outcome.spent?.requests).toBe(4 - asked);
  });

  it('reclaims the budget of a killed worker, and asks nothing else twice', async () => {
    const questions: string[] = [];
    const { spec, out, context } = await running((request, n) => {
      questions.push(request.body.messages.at(-1).content);
      // The first request is never answered: its worker is killed, as is every other that had one then.
      return n === 0 ? { kind: 'hang', after: 'nothing' } : plan(request);
    });
    const making = runBenchmark({ ...spec, models: { concurrency: 1 } }, context);
    await expect.poll(() => questions.length, { timeout: 60_000, interval: 50 }).toBe(1);
    // One of the two has it; the other is killed before it could have another one.
    const dead = workers.splice(0, 2);
    await Promise.all(dead.map((worker) => worker.end('SIGKILL')));
    workers.push(await spawn());
    const { records, manifest } = await making;
    expect(records.map(({ status }) => status)).not.toContain('error');
    expect(questions.filter((one) => one === questions[0])).toHaveLength(2);
    expect(new Set(questions).size).toBe(4);
    expect(questions).toHaveLength(5);
    expect(manifest.outcome.spent?.requests).toBe(4);
    const answers = readdirSync(join(out, 'answers')).filter((name) => /^[\da-f]{64}/.test(name));
    expect(answers).toHaveLength(4);
  });

  it('says whose key is missing, while others may have one', async () => {
    const { spec, context, notices } = await running(plan);
    const controller = new AbortController();
    const making = runBenchmark(
      { ...spec, planners: ['openai:gpt-4o'] },
      { ...context, signal: controller.signal },
    );
    await expect
      .poll(() => notices.join('\n'), { timeout: 60_000 })
      .toContain('there is no key for openai: set OPENAI_API_KEY');
    controller.abort();
    expect((await making).interrupted).toBe(true);
  });
});
