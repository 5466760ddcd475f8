import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Executor, RunWork, TaskResult } from '../../../src/harness/run/executor.js';
import {
  bundleContents,
  bundleOf,
  openTasks,
  type RunBundle,
  taskCount,
} from '../../../src/harness/run/run-bundle.js';
import { createTaskRunner, type PerformOptions } from '../../../src/harness/worker/task-runner.js';
import { resolveSources } from '../../../src/jssp/suites.js';
import {
  namedSource,
  runTest,
  type TestRun,
  temporaryDirectory,
  UNRULY,
  withoutSeconds,
} from '../fixtures.js';

const runner = createTaskRunner({ slots: 2 });
afterAll(() => runner.close());

/** An order of tasks, and how much of the work is done: as workers elsewhere may come and go. */
interface Wilful {
  readonly order?: (tasks: number[]) => number[];
  /** Told of each result; false leaves out the rest. */
  readonly until?: (results: number) => boolean;
  readonly told?: (work: RunWork, bundle: RunBundle) => void;
}

/** Performs tasks by nothing but their bundle, which goes through JSON as on a wire. */
function byBundle({ order = (tasks) => tasks, until = () => true, told }: Wilful = {}): Executor {
  return {
    async prepare(job) {
      const sent: RunBundle = JSON.parse(JSON.stringify(bundleOf(job)));
      const contents = new Map(
        bundleContents(job, sent).map(({ sha256, read }) => [sha256, read()] as const),
      );
      const options: PerformOptions = {
        fetchContent: async (sha256) => contents.get(sha256) ?? new Uint8Array(),
        signal: job.signal,
      };
      return {
        async execute(work) {
          told?.(work, sent);
          const open = order(openTasks(sent, work.done)).values();
          let results = 0;
          const slot = async () => {
            for (const index of open) {
              if (!until(results++)) return;
              const result = await runner.perform(sent, index, options);
              work.take(JSON.parse(JSON.stringify(result)) as TaskResult);
            }
          };
          await Promise.all([slot(), slot()]);
          return { stopped: null, spent: null };
        },
      };
    },
  };
}

const reversed = (tasks: number[]) => tasks.toReversed();

/** Runs the same in threads and by a bundle, backwards; their records, without seconds. */
async function bothWays(options: TestRun) {
  const executor = byBundle({ order: reversed });
  const runs = await Promise.all([runTest({ ...options, executor }), runTest(options)]);
  return runs.map(({ records }) => withoutSeconds(records));
}

describe('a run on another executor', () => {
  it('has the records of a run in threads, in the same order', async () => {
    const [bundle, threads] = await bothWays({
      suite: 'ft06,la01,la02',
      planners: ['dispatch:mwkr', 'dispatch:random', 'degraded:0.3'],
      variants: ['full', 'no-repair', 'no-optimization'],
      optimize: '300-iterations',
      replicates: 2,
      seed: 7,
    });
    expect(threads).toHaveLength(54);
    expect(bundle).toEqual(threads);
  });

  it('has them also of instances that are files of the user, and under disruptions', async () => {
    const directory = temporaryDirectory();
    const file = (name: string, content: object) => {
      writeFileSync(join(directory, name), JSON.stringify(content));
      return join(directory, name);
    };
    const job = (first: number, more = {}) => ({
      operations: [
        { machine: first, duration: 4 },
        { machine: 1 - first, duration: 3, release: 2 },
      ],
      ...more,
    });
    const schema = 'alas-jssp/instance@1';
    const downtimes = [{ machine: 0, from: 2, to: 3, resumable: false, estimated: true }];
    file('own.json', { schema, machines: 2, jobs: [job(0), job(1, { due: 5 })], downtimes });
    const delay = { kind: 'delay', at: 0, job: 1, step: 1, until: 9 };
    const spec = file('events.data', { schema: 'alas-jssp/events@1', events: [delay] });
    const policy = file('policy.data', {
      schema: 'alas-jssp/policy@1',
      limits: { pinned: [{ job: 2, step: 1 }] },
    });
    const [bundle, threads] = await bothWays({
      sources: resolveSources(join(directory, 'own.json')),
      planners: ['insertion'],
      disruption: { spec, policy, methods: ['lcrp', 'none'] },
    });
    expect(threads).toHaveLength(2);
    expect(threads[0].disruption?.policy).toBe(policy);
    expect(bundle).toEqual(threads);
    const injected = await bothWays({
      suite: 'ft06,abz5',
      planners: ['insertion'],
      disruption: { spec: 'medium', methods: ['right-shift', 'lcrp'] },
    });
    expect(injected[0]).toEqual(injected[1]);
    const late = await bothWays({
      suite: 'ft06',
      planners: ['dispatch:best'],
      objective: 'total-weighted-tardiness',
      dueTightness: 1.3,
    });
    expect(late[0][0].tardiness).toBeGreaterThan(0);
    expect(late[0]).toEqual(late[1]);
  });

  it('saves the plans of all stages, under the same names', async () => {
    const saved = async (executor?: Executor) => {
      const out = temporaryDirectory();
      await runTest({
        suite: 'ft06',
        planners: ['degraded:0.3'],
        repair: true,
        optimize: '100-iterations',
        saveSchedules: true,
        out,
        executor,
      });
      return ['schedules', 'stages'].flatMap((folder) =>
        readdirSync(join(out, folder)).map((name) => [
          name,
          readFileSync(join(out, folder, name), 'utf8'),
        ]),
      );
    };
    const files = await saved();
    expect(files.map(([name]) => name.replace(/^.*__0/, ''))).toEqual([
      '.json',
      ...['.optimize.json', '.plan.json', '.repair-1.json'],
    ]);
    expect(await saved(byBundle({}))).toEqual(files);
  });

  it('has them of planners that throw, leave their thread, or are stopped', async () => {
    const sources = ['fine', 'throws', 'exits', 'loops', 'waits', 'crashes', 'also-fine'].map(
      namedSource,
    );
    const [bundle, threads] = await bothWays({
      sources,
      planners: [UNRULY],
      limits: { seconds: 2 },
    });
    expect(threads.map(({ status }) => status)).toContain('error');
    expect(bundle).toEqual(threads);
  });

  it('has them of plans and answers in files, those that are missing or damaged, too', async () => {
    const directory = temporaryDirectory();
    const entries = [
      { job: 0, step: 0, machine: 0, start: 0, end: 3 },
      { job: 0, step: 1, machine: 1, start: 4, end: 6 },
      { job: 1, step: 0, machine: 1, start: 0, end: 4 },
      { job: 1, step: 1, machine: 0, start: 4, end: 5 },
    ];
    const save = (name: string, content: object) =>
      writeFileSync(join(directory, `${name}.json`), JSON.stringify(content));
    for (const instance of ['a', 'b']) save(instance, { instance, entries });
    // The same bytes under two names.
    save('c', { entries });
    save('d', { entries });
    writeFileSync(join(directory, 'damaged.json'), '{');
    const answer = { id: '1', topology: 'single', model: 'm', instance: 'a', response: 'none' };
    const answers = join(directory, 'answers.jsonl');
    writeFileSync(answers, `${JSON.stringify(answer)}\n`);
    const sources = ['a', 'b', 'c', 'd', 'missing', 'damaged'].map(namedSource);
    const pattern = `file:${directory}/{instance}.json`;
    const none = `transcripts:${directory}/none.jsonl`;
    const [bundle, threads] = await bothWays({
      sources,
      planners: [pattern, `transcripts:${answers}#model=m`, none],
    });
    const found = threads.slice(0, 18).filter(({ planner }) => planner === pattern);
    expect(found.map(({ status }) => status)).toEqual(['ok', 'ok', 'ok', 'ok', 'error', 'error']);
    expect(threads.filter(({ planner, error }) => planner === none && error !== null)).toHaveLength(
      6,
    );
    expect(bundle).toEqual(threads);
  });

  it('saves the schedules that came with the records, as threads do', async () => {
    const options: TestRun = {
      suite: 'ft06,la01',
      planners: ['insertion'],
      disruption: { spec: 'light', methods: ['none', 'lcrp'] },
      saveSchedules: true,
    };
    const [here, there] = [0, 1].map(() => join(temporaryDirectory(), 'run'));
    await runTest({ ...options, out: here });
    await runTest({ ...options, out: there, executor: byBundle() });
    for (const folder of ['schedules', 'instances']) {
      const names = readdirSync(join(here, folder));
      expect(names).toHaveLength(4);
      expect(readdirSync(join(there, folder))).toEqual(names);
      for (const name of names) {
        const [one, other] = [here, there].map((run) => readFileSync(join(run, folder, name)));
        expect(other).toEqual(one);
      }
    }
  });

  it('is gone on with under its id, for what is missing, and takes a result twice', async () => {
    const out = join(temporaryDirectory(), 'run');
    const options: TestRun = {
      suite: 'ft06,la01,la02',
      planners: ['insertion', 'dispatch:spt'],
      out,
    };
    const works: RunWork[] = [];
    const told = (work: RunWork) => void works.push(work);
    const first = await runTest({
      ...options,
      executor: byBundle({ told, until: (results) => results < 4 }),
    });
    expect(first.interrupted).toBe(true);
    expect(first.records).toHaveLength(4);
    const twice = (tasks: number[]) => [...tasks, ...tasks];
    const executor = byBundle({ told, order: twice });
    const second = await runTest({ ...options, resume: true, executor });
    expect(works.map(({ done }) => done.size)).toEqual([0, 4]);
    expect(works[1].id).toBe(works[0].id);
    const { records } = await runTest({ ...options, out: undefined });
    expect(withoutSeconds(second.records)).toEqual(withoutSeconds(records));
    expect(readFileSync(join(out, 'records.jsonl'), 'utf8').trim().split('\n')).toHaveLength(6);
  });

  it('refuses a log, and writes nothing then', async () => {
    const out = join(temporaryDirectory(), 'run');
    const refused = (options: TestRun) =>
      expect(runTest({ suite: 'ft06', out, ...options, executor: byBundle() })).rejects;
    await refused({ log: join(temporaryDirectory(), 'run.db') }).toThrow(
      'the tasks of this run are performed elsewhere, where no log can be written; omit --log',
    );
    expect(existsSync(out)).toBe(false);
  });
});

describe('a runner of tasks', () => {
  const sheetFor = async (options: TestRun) => {
    const bundles: RunBundle[] = [];
    const told = (_: RunWork, bundle: RunBundle) => void bundles.push(bundle);
    await runTest({ ...options, executor: byBundle({ told, until: () => false }) });
    return bundles[0];
  };
  const fetchContent = () => Promise.resolve(new Uint8Array());

  it('counts its tasks, one for all methods', async () => {
    const bundle = await sheetFor({
      suite: 'ft06,la01',
      planners: ['insertion', 'dispatch:spt'],
      replicates: 3,
      disruption: { spec: 'light', methods: ['none', 'lcrp'] },
    });
    expect(taskCount(bundle)).toBe(12);
    const { records } = await runner.perform(bundle, 11, { fetchContent });
    expect(
      records.map(({ instance, planner, method, replicate }) => [
        instance,
        planner,
        method,
        replicate,
      ]),
    ).toEqual([
      ['la01', 'dispatch:spt', 'none', 2],
      ['la01', 'dispatch:spt', 'lcrp', 2],
    ]);
    await expect(runner.perform(bundle, 12, { fetchContent })).rejects.toThrow(RangeError);
  });

  it('refuses a module that is not that of the run, and says where', async () => {
    const path = join(temporaryDirectory(), 'planner.mjs');
    const source = 'export { plan } from "/nowhere.mjs"';
    writeFileSync(path, 'export default () => ({ entries: [] });');
    const bundle = await sheetFor({ suite: 'ft06', planners: [`module:${path}`] });
    writeFileSync(path, source);
    await expect(runner.perform(bundle, 0, { fetchContent })).rejects.toMatchObject({
      code: 'other_module',
      message: expect.stringMatching(
        /planner\.mjs: on \S+ this is not the planner that the run was begun with/,
      ),
    });
  });

  it('loads a module anew that was changed between two runs', async () => {
    const path = join(temporaryDirectory(), 'planner.mjs');
    const makespans: (number | null)[] = [];
    for (const claim of [1, 2]) {
      writeFileSync(path, `export default () => ({ makespan: ${claim}, entries: [] });`);
      const bundle = await sheetFor({ suite: 'ft06', planners: [`module:${path}`] });
      const { records } = await runner.perform(bundle, 0, { fetchContent });
      makespans.push(records[0].claimed_makespan);
    }
    expect(makespans).toEqual([1, 2]);
  });

  it('refuses content that is not that of the run', async () => {
    const bundle = await sheetFor({ sources: [namedSource('own')], planners: ['insertion'] });
    await expect(runner.perform(bundle, 0, { fetchContent })).rejects.toMatchObject({
      code: 'other_content',
    });
  });

  it('cuts a search short when it is told to end, and says so in the record', async () => {
    const bundle = await sheetFor({ suite: 'ta45', planners: ['insertion'], optimize: '600s' });
    let records: TaskResult['records'] = [];
    // Until then it has no plan, where the machine is slow: there is nothing to keep.
    for (let wait = 1000; records.length === 0; wait *= 2) {
      const signal = AbortSignal.timeout(wait);
      ({ records } = await runner.perform(bundle, 0, { fetchContent, signal }));
    }
    expect(records.map(({ stages }) => stages.optimize?.status)).toEqual(['interrupted']);
  });
});
