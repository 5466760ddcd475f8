import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type RunRecord, type RunSpec, runBenchmark } from 'alas-jssp/harness';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { find, startServer } from '../../server.mjs';
import { parseAddress } from '../../src/address.js';
import { buildId } from '../../src/build-id.js';
import { connect } from '../../src/connection.js';
import { createTemporalExecutor } from '../../src/suite/suite-executor.js';
import { spawnWorker, type WorkerProcess } from './worker-process.js';

/** Records without what was measured. */
function untimed(records: readonly RunRecord[]): unknown[] {
  return JSON.parse(
    JSON.stringify(records, (key, value) => (key.includes('seconds') ? undefined : value)),
  );
}

function keys(records: readonly RunRecord[]): Set<string> {
  return new Set(records.map((r) => [r.instance, r.planner, r.variant, r.replicate].join(' ')));
}

const PACKAGE = fileURLToPath(new URL('../..', import.meta.url));

/** The command of this package with a file that says something else: another build. */
function otherBuild(): string {
  const home = temporary();
  const place = join(home, 'package');
  mkdirSync(place);
  for (const part of ['bin', 'dist', 'package.json'])
    cpSync(join(PACKAGE, part), join(place, part), { recursive: true });
  symlinkSync(join(PACKAGE, 'node_modules'), join(place, 'node_modules'));
  symlinkSync(join(PACKAGE, '../../node_modules'), join(home, 'node_modules'));
  appendFileSync(join(place, 'dist', 'address.js'), '// another build');
  return join(place, 'bin', 'alas-jssp-temporal.js');
}

const temporary = () => mkdtempSync(join(tmpdir(), 'alas-jssp-suite-'));

/** Small slices, so that there are several. */
const SMALL = { slice: 4, window: 2 };

describe.skipIf(find() === undefined)('a suite on a server', () => {
  let server: Awaited<ReturnType<typeof startServer>>;
  let workers: WorkerProcess[];

  beforeAll(async () => {
    server = await startServer();
    workers = await Promise.all([1, 2].map(() => spawnWorker(server.address(), ['--slots', '1'])));
  });

  afterAll(async () => {
    await Promise.all(workers.map((worker) => worker.end()));
    await server.stop();
  });

  it('makes the records that threads make', async () => {
    const spec: RunSpec = {
      suite: 'ft',
      planners: ['dispatch:best', 'insertion', 'degraded:0.3'],
      replicates: 2,
      repair: true,
    };
    const notices: string[] = [];
    const seen: RunRecord[] = [];
    const there = await runBenchmark(spec, {
      executor: createTemporalExecutor(server.address(), SMALL),
      onNotice: (line: string) => notices.push(line),
      onRecord: (record) => seen.push(record),
    });
    const here = await runBenchmark(spec);
    expect(untimed(there.records)).toEqual(untimed(here.records));
    expect(there.records).toHaveLength(18);
    expect(seen).toHaveLength(18);
    expect(notices).toEqual([]);
    expect(there.interrupted).toBe(false);
  });

  it('takes instances of its own, and saves schedules of executed plans', async () => {
    const file = join(temporary(), 'own.txt');
    writeFileSync(file, '3 3\n0 3 1 2 2 2\n0 2 2 1 1 4\n1 4 2 3 0 1\n');
    const spec: RunSpec = {
      suite: file,
      planners: ['dispatch:best'],
      disruption: { spec: 'light' },
      saveSchedules: true,
    };
    const [there, here] = [temporary(), temporary()];
    const executor = createTemporalExecutor(server.address());
    const { records } = await runBenchmark(spec, { out: there, executor });
    const local = await runBenchmark(spec, { out: here });
    expect(untimed(records)).toEqual(untimed(local.records));
    for (const folder of ['schedules', 'stages', 'instances']) {
      const files = readdirSync(join(here, folder));
      expect(readdirSync(join(there, folder))).toEqual(files);
      expect(files.length).toBeGreaterThan(0);
      for (const name of files)
        expect(readFileSync(join(there, folder, name), 'utf8')).toBe(
          readFileSync(join(here, folder, name), 'utf8'),
        );
    }
  });

  it('makes records of planners that fail, as threads do', async () => {
    const module = join(temporary(), 'bad.mjs');
    writeFileSync(
      module,
      `export const planner = { name: 'bad', plan({ name }) {
        if (name === 'ft06') throw new Error('no plan for this one');
        process.exit(3);
      } };
      export default planner;\n`,
    );
    const spec: RunSpec = { suite: 'ft06,ft10', planners: [`module:${module}`] };
    const executor = createTemporalExecutor(server.address());
    const there = await runBenchmark(spec, { executor });
    const here = await runBenchmark(spec);
    expect(untimed(there.records)).toEqual(untimed(here.records));
    expect(there.records.map(({ status }) => status)).toEqual(['error', 'error']);
  });

  it('is cancelled cleanly: what is done is kept, searches are cut short, and resuming does the rest', async () => {
    const out = temporary();
    // Searches of ta21 use up their seconds on every machine.
    const spec: RunSpec = {
      suite: 'ft06,ta21',
      planners: ['dispatch:best'],
      replicates: 6,
      optimize: '3s',
    };
    const interrupt = new AbortController();
    const executor = createTemporalExecutor(server.address(), SMALL);
    const first = await runBenchmark(spec, {
      out,
      executor,
      signal: interrupt.signal,
      onRecord: () => setTimeout(() => interrupt.abort(), 1000),
    });
    expect(first.interrupted).toBe(true);
    expect(first.records.length).toBeGreaterThan(0);
    expect(first.records.length).toBeLessThan(12);
    expect(first.records.every(({ status }) => status !== 'error')).toBe(true);
    const rest = await runBenchmark({}, { out, resume: true, executor });
    expect(rest.interrupted).toBe(false);
    expect(keys(rest.records).size).toBe(12);
    expect(rest.records).toHaveLength(12);
  });

  it('goes on without its starter, who collects what was done meanwhile', async () => {
    const out = temporary();
    const spec: RunSpec = {
      suite: 'ft',
      planners: ['dispatch:best'],
      replicates: 6,
      optimize: '300ms',
    };
    const executor = createTemporalExecutor(server.address(), SMALL);
    // Breaks off without a word to the server, as if it were killed.
    const broken = runBenchmark(spec, {
      out,
      executor,
      onRecord: () => {
        throw new Error('gone');
      },
    });
    await expect(broken).rejects.toThrow('gone');
    const notices: string[] = [];
    const { records } = await runBenchmark(
      {},
      { out, resume: true, executor, onNotice: (line) => notices.push(line) },
    );
    expect(keys(records).size).toBe(18);
    expect(records).toHaveLength(18);
  });
});

describe.skipIf(find() === undefined)('a suite of many slices', () => {
  it('continues as new, and is read across that by who comes later', async () => {
    const config = { 'limit.historyCount.suggestContinueAsNew': 60 };
    const server = await startServer({ config });
    const worker = await spawnWorker(server.address(), ['--slots', '2']);
    onTestFinished(async () => {
      await worker.end();
      await server.stop();
    });
    const out = temporary();
    const spec: RunSpec = { suite: 'ft06', planners: ['dispatch:spt'], replicates: 60 };
    const executor = createTemporalExecutor(server.address(), { slice: 2, window: 2 });
    let count = 0;
    const broken = runBenchmark(spec, {
      out,
      executor,
      onRecord() {
        count += 1;
        if (count === 40) throw new Error('gone');
      },
    });
    await expect(broken).rejects.toThrow('gone');
    const { records } = await runBenchmark({}, { out, resume: true, executor });
    expect(keys(records).size).toBe(60);
    const client = await connect(parseAddress(server.address()));
    // What the server lists comes some time after it has happened.
    const runs = await vi.waitFor(async () => {
      const listed = [];
      for await (const run of client.workflow.list()) {
        if (run.type === 'alasSuite') listed.push(run);
      }
      expect(listed.length).toBeGreaterThan(1);
      expect(listed.some(({ status }) => status.name === 'RUNNING')).toBe(false);
      return listed;
    }, 60_000);
    expect(runs.map(({ status }) => status.name).sort()).toEqual([
      'COMPLETED',
      ...runs.slice(1).map(() => 'CONTINUED_AS_NEW'),
    ]);
    await client.connection.close();
  });
});

describe.skipIf(find() === undefined)('builds', () => {
  it('take tasks of their own alone, and the starter says which are there', async () => {
    const server = await startServer();
    const other = await spawnWorker(server.address(), ['--slots', '1'], {
      command: otherBuild(),
    });
    const notices: string[] = [];
    const running = runBenchmark(
      { suite: 'ft06', planners: ['dispatch:spt'] },
      {
        executor: createTemporalExecutor(server.address()),
        onNotice: (line: string) => notices.push(line),
      },
    );
    while (notices.length === 0) await new Promise((resolve) => setTimeout(resolve, 100));
    const { version } = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8'));
    expect(notices[0]).toMatch(
      new RegExp(`^no worker of build ${buildId()} polls this queue, only of ${version}-\\w+;`),
    );
    const worker = await spawnWorker(server.address(), ['--slots', '1']);
    const { records } = await running;
    expect(records.map(({ status }) => status)).toEqual(['ok']);
    await Promise.all([other.end(), worker.end()]);
    await server.stop();
  });
});

describe.skipIf(find() === undefined)('a suite whose workers and server die', () => {
  it('has every record once', async () => {
    const file = join(temporary(), 'temporal.db');
    let server = await startServer({ file });
    const address = server.address('dying');
    const workers = await Promise.all([1, 2].map(() => spawnWorker(address, ['--slots', '1'])));
    const seen: RunRecord[] = [];
    const notices: string[] = [];
    const spec: RunSpec = {
      suite: 'ft',
      planners: ['dispatch:best'],
      replicates: 4,
      optimize: '1s',
    };
    const running = runBenchmark(spec, {
      executor: createTemporalExecutor(address, SMALL),
      onRecord: (record) => seen.push(record),
      onNotice: (line: string) => notices.push(line),
    });
    const until = async (count: number) => {
      while (seen.length < count) await new Promise((resolve) => setTimeout(resolve, 50));
    };
    await until(2);
    await workers[0].end('SIGKILL');
    workers[0] = await spawnWorker(address, ['--slots', '1']);
    await until(4);
    // Gives back what it has: another one does that from its beginning.
    await workers[1].end('SIGTERM');
    workers[1] = await spawnWorker(address, ['--slots', '1']);
    await until(5);
    await server.kill();
    await new Promise((resolve) => setTimeout(resolve, 2000));
    server = await startServer({ file, port: server.port });
    const { records, interrupted } = await running;
    expect(interrupted).toBe(false);
    expect(records).toHaveLength(12);
    expect(keys(records).size).toBe(12);
    expect(seen).toHaveLength(12);
    expect(records.every(({ status }) => status !== 'error')).toBe(true);
    await Promise.all(workers.map((worker) => worker.end()));
    await server.stop();
  });
});
