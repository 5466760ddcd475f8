import { sha256 } from '@alas-jssp/core/sha256';
import { expect, test } from 'vitest';
import type { Json, LogEntry, NewEntry, RunState } from '../../src/index.js';
import * as interpreter from '../../src/interpreter/index.js';
import { chain, effect, flow, plain } from './world.js';

const loops = (inside: Record<string, unknown>) =>
  flow({
    nodes: [
      { id: 'count', type: 'map', until: '$output >= 4', policyRef: 'many', body: inner('one') },
      {
        id: 'hear',
        type: 'map',
        until: '$output >= 10',
        policyRef: 'many',
        body: {
          nodes: [
            { id: 'news', type: 'wait', message: 'news' },
            { ...inside, input: 'input' },
          ],
          edges: chain('news', inside.id as string),
        },
      },
      plain('end'),
    ],
    edges: chain('count', 'hear', 'end'),
    policies: {
      many: { loopGuards: { maxIters: 99 } },
      saga: { compensation: { handler: 'undo', safeReinvoke: true } },
    },
  });

function inner(id: string) {
  return { nodes: [plain(id)], edges: [] };
}

/** A run over a host that adds 1 to every input, with a number of messages. */
function open(state: RunState, log: LogEntry[], news: number): interpreter.Run {
  const append = (entries: readonly NewEntry[]) => {
    const written = entries.map((entry, k) => ({ ...entry, version: log.length + k, hash: '' }));
    log.push(...written);
    return written;
  };
  const sent = Array.from({ length: news }, (_, k) => ({ id: k + 1, ts: '', kind: 'signal' }));
  const messages = sent.map((one) => ({ ...one, runId: 'run', data: { name: 'news' } as Json }));
  return interpreter.openRun(
    {
      runId: 'run',
      now: () => 0,
      at: (_, ring) => {
        const timer = setImmediate(ring);
        return () => clearImmediate(timer);
      },
      digest: sha256,
      append,
      call: (call) => {
        if (call.kind !== 'handler') throw new Error(call.kind);
        const value = interpreter.decodeLogged((call.input.json() as number) + 1);
        return { answer: { status: 'value', value }, abort: () => {} };
      },
      handlerOf: () => ({ pure: true, outputValidator: false, inputValidator: false }),
      decode: (_, __, json) => interpreter.decodeLogged(json),
      encodeInput: (_, input) => input.json(),
      claimOf: () => undefined,
      messages: (after) => messages.filter(({ id }) => id > after),
      post: () => {},
      alert: () => {},
    },
    state,
  );
}

/** Runs on its messages, forgetting and being encoded whenever it waits. */
async function runInParts(workflow: interpreter.RunState['workflow'], forgets: boolean) {
  const log: LogEntry[] = [];
  const begin = { workflow, input: 0, seed: 0, software: 'none' } as unknown as Json;
  const first = { runId: 'run', ts: new Date(0).toISOString(), nodeId: '', correlationId: 'run' };
  log.push({ ...first, eventType: 'StartRun', payload: begin, version: 0, hash: '' });
  let state = interpreter.foldLog('run', log);
  let most = 0;
  for (let news = 0; state.end === undefined; news++) {
    const run = open(state, log, news);
    await interpreter.interpret(run);
    if (forgets) interpreter.forgetTurns(run);
    most = Math.max(most, state.nodes.size);
    const saved = JSON.parse(JSON.stringify(interpreter.encodeState(state))) as Json;
    const { versions, end } = state;
    state = {
      ...interpreter.decodeState(interpreter.foldLog('run', [log[0]]), saved),
      versions,
      end,
    };
  }
  const lines = log.map(({ eventType, nodeId }) => `${eventType} ${nodeId}`);
  return { lines, end: state.end, most };
}

test('a run that forgets its past turns goes on as if it remembered them, and stays small', async () => {
  const workflow = loops(plain('add'));
  const whole = await runInParts(workflow, false);
  const forgetful = await runInParts(workflow, true);
  expect(forgetful.lines).toEqual(whole.lines);
  expect(forgetful.end).toEqual(whole.end);
  expect(whole.end).toMatchObject({ status: 'COMPLETED', output: 11 });
  expect(whole.most).toBe(4 + 6 * 2 + 3);
  expect(forgetful.most).toBe(2 + 1 + 2 + 1);
});

test('turns with an effect are remembered: they may have to be undone', async () => {
  const workflow = loops(effect('add'));
  const whole = await runInParts(workflow, false);
  const forgetful = await runInParts(workflow, true);
  expect(forgetful.lines).toEqual(whole.lines);
  expect(forgetful.most).toBe(whole.most - 3);
});
