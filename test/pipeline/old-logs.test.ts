import { describe, expect, it } from 'vitest';
import { createInstance, instanceFromJobs } from '../../src/jssp/instance.js';
import { createSchedule } from '../../src/jssp/schedule.js';
import { resolveSource } from '../../src/jssp/suites.js';
import { createValueCodec } from '../../src/pipeline/codecs.js';
import { isQuestion, questionRegistry } from '../../src/pipeline/planners/question.js';
import { createReplayRegistry } from '../../src/pipeline/replay-registry.js';
import {
  createMemoryStore,
  readExportedLog,
  replayRun,
  resumeRun,
  stateOfRun,
  verifyLog,
} from '../../src/workflow/index.js';

/**
 * Logs, and the steps that a replay of each runs again, of the version before repair and repair by a model were one step: of `run --repair`, of `run
 * --repair llm`, and of three rounds of a shop whose deadlines cannot be kept, beside one without a plan.
 */
const LOGS = [
  { name: 'lcrp', rerun: 12 },
  { name: 'llm', rerun: 12 },
  { name: 'rounds', rerun: 13 },
];

const fileOf = (name: string) => new URL(`fixtures/${name}.log.jsonl.gz`, import.meta.url).pathname;

function instanceOf(name: string) {
  if (name !== 'tiny') return resolveSource(name).load();
  const tiny = instanceFromJobs('tiny', [[[0, 3]], [[0, 4]]]);
  return createInstance({ ...tiny, deadline: Int32Array.of(3, 4) });
}

const registryOf = ({ workflow, input }: ReturnType<typeof stateOfRun>) =>
  isQuestion(workflow)
    ? questionRegistry
    : createReplayRegistry(input, ({ name }) => instanceOf(name));

describe('logs of an earlier version', () => {
  it.each(LOGS)('verify and replay with parity: $name', async ({ name, rerun }) => {
    const log = readExportedLog(fileOf(name));
    const { faults, runs } = verifyLog(log);
    expect([faults, runs.flatMap(({ problems }) => problems)]).toEqual([[], []]);
    let again = 0;
    for (const run of log.runs()) {
      const registry = registryOf(stateOfRun(log, run));
      const replay = await replayRun(log, run, { registry });
      expect(replay).toMatchObject({ parity: true });
      again += replay.rerun;
    }
    // A handler that is not known any more is passed over.
    expect(again).toBe(rerun);
  });

  it('go on from any entry at which they were cut off', async () => {
    const [run] = readExportedLog(fileOf('rounds')).runs();
    const whole = [...readExportedLog(fileOf('rounds')).read({ runId: run })];
    const ended = stateOfRun(readExportedLog(fileOf('rounds')), run).end;
    const candidate = createSchedule(instanceOf('tiny'), Int32Array.of(1, 0));
    const output = createValueCodec(candidate.instance);
    for (let cut = 1; cut <= whole.length; cut++) {
      const store = createMemoryStore();
      store.append(whole.slice(0, cut).map(({ hash: _, version: __, ...entry }) => entry));
      const { handlers } = registryOf(stateOfRun(store, run));
      const registry = { handlers: { ...handlers, plan: { run: () => ({ candidate }), output } } };
      const result = await resumeRun(store, run, { registry });
      expect({ cut, ...result }).toMatchObject({ cut, ...ended });
    }
  });
});
