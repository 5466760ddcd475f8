import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type RunRecord, type RunSpec, readRun, runBenchmark } from 'alas-jssp/harness';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { find, startServer } from '../../server.mjs';
import { createTemporalExecutor } from '../../src/suite/suite-executor.js';
import { spawnWorker, type WorkerProcess } from './worker-process.js';

const COMMAND = fileURLToPath(new URL('../../../../bin/alas-jssp.js', import.meta.url));

/** Records without what was measured. */
function untimed(records: readonly RunRecord[]): RunRecord[] {
  return JSON.parse(
    JSON.stringify(records, (key, value) => (key.includes('seconds') ? undefined : value)),
  );
}

const temporary = () => mkdtempSync(join(tmpdir(), 'alas-jssp-records-'));

/** Writes a document, or a text as it is. */
function write(file: string, content: object | string): string {
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}

/** The built command line, in a directory. */
function alasJssp(cwd: string, args: readonly string[]) {
  return new Promise<{ code: unknown; stdout: string; stderr: string }>((resolve) => {
    execFile(process.execPath, [COMMAND, ...args], { cwd }, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, stdout, stderr }),
    );
  });
}

const UNRULY = `
const serial = (instance) => {
  const entries = [];
  let time = 0;
  for (let op = 0; op < instance.operations; op++) {
    const job = instance.jobOf[op];
    const end = time + instance.duration[op];
    entries.push({ job, step: op - instance.jobOffset[job], machine: instance.machine[op], start: time, end });
    time = end;
  }
  return { entries, makespan: time };
};
export default (instance) => {
  if (instance.name === 'la01') process.exit(3);
  if (instance.name === 'la02') throw new Error('no plan for this');
  if (instance.name === 'la03') for (;;);
  if (instance.name === 'la04') return new Promise(() => setTimeout(() => { throw new Error('late'); }));
  return serial(instance);
};
`;

describe.skipIf(find() === undefined)('records from a server', { timeout: 150_000 }, () => {
  let server: Awaited<ReturnType<typeof startServer>>;
  const workers: WorkerProcess[] = [];

  beforeAll(async () => {
    server = await startServer();
    for (const slots of ['1', '2']) {
      workers.push(await spawnWorker(server.address(), ['--slots', slots]));
    }
  });

  afterAll(async () => {
    await Promise.all(workers.map((worker) => worker.end()));
    await server.stop();
  });

  /** The records of a run there and here. */
  async function bothWays(
    spec: RunSpec,
  ): Promise<readonly [there: RunRecord[], here: RunRecord[]]> {
    const executor = createTemporalExecutor(server.address(), { slice: 5, window: 2 });
    const [there, here] = [await runBenchmark(spec, { executor }), await runBenchmark(spec)];
    return [untimed(there.records), untimed(here.records)];
  }

  it('are those of threads in every variant, with searches', async () => {
    const [there, here] = await bothWays({
      suite: 'ft06,la01,la06',
      planners: ['dispatch:random', 'degraded:0.3'],
      variants: ['full', 'no-repair', 'no-validation', 'blind-repair', 'no-optimization'],
      optimize: '2k-iterations',
      seed: 11,
    });
    expect(here).toHaveLength(30);
    expect(there).toEqual(here);
  });

  it('are those of threads under events and policies that lie in files, and of instances that do', async () => {
    const place = temporary();
    const job = (first: number, more = {}) => ({
      operations: [first, 1 - first].map((machine) => ({ machine, duration: 4 })),
      ...more,
    });
    const downtimes = [{ machine: 0, from: 2, to: 3, resumable: false, estimated: true }];
    const instance = { schema: 'alas-jssp/instance@1', machines: 2, downtimes };
    const suite = write(join(place, 'own.json'), {
      ...instance,
      jobs: [job(0), job(1, { due: 9 })],
    });
    const delay = { kind: 'delay', at: 0, job: 1, step: 1, until: 9 };
    const spec = write(join(place, 'events.json'), {
      schema: 'alas-jssp/events@1',
      events: [delay],
    });
    const policy = write(join(place, 'policy.json'), {
      schema: 'alas-jssp/policy@1',
      limits: { pinned: [{ job: 2, step: 1 }] },
    });
    const methods = ['none', 'right-shift', 'dispatch', 'lcrp'];
    const [there, here] = await bothWays({
      suite,
      planners: ['insertion'],
      disruption: { spec, policy, methods },
    });
    expect(here.map(({ disruption }) => disruption?.policy)).toEqual(Array(4).fill(policy));
    expect(there).toEqual(here);
    const injected = await bothWays({
      suite: 'la01,la02',
      planners: ['insertion'],
      replicates: 2,
      disruption: { spec: 'breakdowns+delays', methods },
    });
    expect(injected[1]).toHaveLength(16);
    expect(injected[0]).toEqual(injected[1]);
  });

  it('are those of threads where planners end their threads, or never end', async () => {
    const module = write(join(temporary(), 'unruly.mjs'), UNRULY);
    const [there, here] = await bothWays({
      suite: 'ft06,la01,la02,la03,la04,la05',
      planners: [`module:${module}`],
      limits: { seconds: 3 },
      repair: true,
    });
    const status = ['ok', 'error', 'error', 'error', 'error', 'ok'];
    expect(here.map((record) => record.status)).toEqual(status);
    expect(there).toEqual(here);
  });

  it('are those of threads for plans that lie in files, one of which is missing', async () => {
    const place = temporary();
    for (const instance of ['la01', 'la02']) {
      await alasJssp(place, ['plan', instance, '--out', `${instance}.json`, '--quiet']);
    }
    const [there, here] = await bothWays({
      suite: 'la01,la02,la03',
      planners: [`file:${place}/{instance}.json`],
    });
    expect(here.map(({ status }) => status)).toEqual(['ok', 'ok', 'error']);
    expect(there).toEqual(here);
  });

  it('are requested and resumed on the command line', async () => {
    const cwd = temporary();
    const words = ['run', '--suite', 'la01,la02', '--planner', 'dispatch:best,insertion'];
    const more = [
      '--disrupt',
      'light',
      '--repair',
      'right-shift,lcrp',
      '--save-schedules',
      '--quiet',
    ];
    const run = [...words, ...more];
    await alasJssp(cwd, [...run, '--out', 'here']);
    const { code, stderr } = await alasJssp(cwd, [
      ...run,
      '--out',
      'there',
      '--on',
      server.address(),
    ]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const [here, there] = ['here', 'there'].map((name) => readRun(join(cwd, name)));
    expect(here.records).toHaveLength(8);
    expect(untimed(there.records)).toEqual(untimed(here.records));
    expect([here.manifest.on, there.manifest.on]).toEqual([undefined, server.address()]);
    const files = (name: string) =>
      ['schedules', 'instances'].flatMap((folder) =>
        readdirSync(join(cwd, name, folder)).map((file) => [
          file,
          readFileSync(join(cwd, name, folder, file), 'utf8'),
        ]),
      );
    expect(files('here')).toHaveLength(16);
    expect(files('there')).toEqual(files('here'));

    // What is missing is done there, by default.
    const lines = readFileSync(join(cwd, 'there/records.jsonl'), 'utf8').split('\n');
    write(join(cwd, 'there/records.jsonl'), `${lines.slice(0, 3).join('\n')}\n`);
    const resumed = await alasJssp(cwd, ['run', '--resume', 'there', '--quiet']);
    expect(resumed).toMatchObject({ code: 0, stderr: '' });
    const again = readRun(join(cwd, 'there'));
    expect(untimed(again.records)).toEqual(untimed(here.records));
    expect(again.manifest.on).toBe(server.address());
  });

  it('are none of a worker with another module: it says which, and where', async () => {
    const [starter, elsewhere] = [temporary(), temporary()];
    write(join(starter, 'mine.mjs'), UNRULY);
    write(join(elsewhere, 'mine.mjs'), `${UNRULY} // changed`);
    const address = server.address('modules');
    const worker = await spawnWorker(address, ['--slots', '1'], { cwd: elsewhere });
    const words = ['run', '--suite', 'ft06', '--planner', 'module:mine.mjs', '--out', 'run'];
    const refused = await alasJssp(starter, [...words, '--on', address, '--quiet']);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toMatch(
      new RegExp(
        `${elsewhere}/mine.mjs: on ${hostname()} this is not the planner that the run was begun with`,
      ),
    );
    expect(refused.stderr).toMatch(
      /ended after 0 of 1 record; continue with: alas-jssp run --resume run\n$/,
    );
    write(join(elsewhere, 'mine.mjs'), UNRULY);
    const { code, stderr } = await alasJssp(starter, ['run', '--resume', 'run', '--quiet']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    await worker.end();
  });
});
