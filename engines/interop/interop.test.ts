import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createCalendar } from '../../src/jssp/calendar.js';
import { instanceChecksum } from '../../src/jssp/checksum.js';
import { generateFlexible } from '../../src/jssp/flexible-generator.js';
import { writeJobShopLibSchedule } from '../../src/jssp/formats/exchange/job-shop-lib-schedule.js';
import { writePyJobShopSolution } from '../../src/jssp/formats/exchange/pyjobshop-solution.js';
import { readingNotes } from '../../src/jssp/formats/exchange/reading-notes.js';
import { writeJobShopLib } from '../../src/jssp/formats/exchange/write-job-shop-lib.js';
import { writePyJobShop } from '../../src/jssp/formats/exchange/write-pyjobshop.js';
import { parseInstance, readInstance } from '../../src/jssp/formats/read-instance.js';
import { parsePlan, readPlan } from '../../src/jssp/formats/read-plan.js';
import { writeStandard } from '../../src/jssp/formats/standard.js';
import { withDueDates } from '../../src/jssp/generator.js';
import { type Instance, replaceInstance } from '../../src/jssp/instance.js';
import { scheduleFromPlan } from '../../src/jssp/plan.js';
import { findMode, setupTime } from '../../src/jssp/shop-parts.js';
import { resolveSource } from '../../src/jssp/suites.js';
import { dispatchBest } from '../../src/search/index.js';
import { validate } from '../../src/validator/index.js';
import { createFolder, hasPeers, peers } from './peers.js';

const folder = createFolder();
afterAll(() => folder.remove());
const peerTest = test.skipIf(!hasPeers);
const ft06 = resolveSource('ft06').load();
const mk01 = resolveSource('mk01').load();

peerTest('job_shop_lib loads instances that we wrote, and we load what it writes', () => {
  for (const instance of [ft06, mk01ish(), withDueDates(ft06, 1.3)]) {
    const file = folder.write('written.json', writeJobShopLib(instance).text);
    const { again } = peers('job_shop_lib_load', file);
    const back = readInstance(folder.write(`${instance.name}.json`, again));
    expect(instanceChecksum(replaceInstance(back, { weight: instance.weight }))).toBe(
      instanceChecksum(instance),
    );
  }
});

/** mk01 with one duration for all machines of an operation, as job_shop_lib has it. */
function mk01ish(): Instance {
  const modes = mk01.modes as NonNullable<Instance['modes']>;
  const duration = modes.duration.slice();
  for (let op = 0; op < mk01.operations; op++) {
    duration.fill(duration[modes.offset[op]], modes.offset[op], modes.offset[op + 1]);
  }
  const chosen = modes.offset.slice(0, -1);
  return replaceInstance(mk01, {
    machine: chosen.map((mode) => modes.machine[mode]),
    duration: chosen.map((mode) => duration[mode]),
    modes: { ...modes, duration, chosen },
  });
}

peerTest("job_shop_lib's Taillard files are our standard format", () => {
  const { duration_matrix, machines_matrix } = peers(
    'job_shop_lib_taillard',
    folder.write('ft06.txt', writeStandard(ft06, ['a comment'])),
  );
  const { duration_matrix: durations, machines_matrix: machines } = JSON.parse(
    writeJobShopLib(ft06).text,
  );
  expect({ duration_matrix, machines_matrix }).toEqual({
    duration_matrix: durations,
    machines_matrix: machines,
  });
});

peerTest('the benchmarks of job_shop_lib are ours, and a line reports their metadata', () => {
  for (const name of ['ft10', 'la21', 'ta21']) {
    const instance = readInstance(
      folder.write(`${name}.json`, peers('job_shop_lib_benchmark', name)),
    );
    expect(instanceChecksum(instance)).toBe(instanceChecksum(resolveSource(name).load()));
    expect(readingNotes(instance)).toEqual([
      expect.stringContaining('metadata is not kept: optimum'),
    ]);
  }
});

peerTest('a schedule that job_shop_lib solved is valid here, with the same makespan', () => {
  const file = folder.write('ft06.json', writeJobShopLib(ft06).text);
  const { makespan, schedule } = peers('job_shop_lib_solve', file);
  const { plan, instance } = readPlan(folder.write('solved.json', schedule), ft06);
  expect(validate(ft06, plan)).toMatchObject({ valid: true, makespan });
  expect({ makespan, instance }).toEqual({ makespan: 55, instance: 'ft06' });
});

peerTest('job_shop_lib loads a schedule that we wrote with the same starts', () => {
  for (const instance of [ft06, mk01]) {
    const { schedule } = dispatchBest(instance);
    const { text, losses } = writeJobShopLibSchedule(schedule);
    expect(losses.filter(({ effect }) => effect === 'looser')).toEqual([]);
    const loaded = peers('job_shop_lib_schedule', folder.write('schedule.json', text));
    expect(loaded).toMatchObject({ makespan: schedule.makespan, complete: true });
    for (const [job, step, machine, start, end] of loaded.starts) {
      const op = instance.jobOffset[job] + step;
      expect([machine, start, end]).toEqual([
        schedule.instance.machine[op],
        schedule.start[op],
        schedule.end[op],
      ]);
    }
  }
});

const small = { name: 'shop', jobs: 4, machines: 3, seed: 5, flexibility: 1.5 };
const graph = { assembly: 0.3, minLag: 2, maxLag: 20 };
const shops = [
  generateFlexible({ ...small, ...graph, families: 2, maxSetup: 5 }),
  generateFlexible({ ...small, ...graph, operators: 2 }),
  generateFlexible({ ...small, flexibility: 1, maxTransport: 4, minLag: 2, maxLag: 0 }),
];

/** Shops with every part that PyJobShop has. */
function expressibleShops(): Instance[] {
  const down = (resumable: boolean) =>
    createCalendar(6, [
      { machine: 1, from: 5, to: 9, resumable },
      { machine: 3, from: 20, to: 26, resumable },
    ]);
  return [
    ft06,
    mk01,
    withDueDates(ft06, 1.3),
    replaceInstance(ft06, { calendar: down(true) }),
    replaceInstance(ft06, { calendar: down(false) }),
    ...shops.map((shop) => {
      const { setups } = shop;
      const first = setups?.first.map(() => 0);
      return first
        ? replaceInstance(shop, { setups: { ...setups, first } as typeof setups })
        : shop;
    }),
  ];
}

peerTest('PyJobShop loads instances that we wrote, and we load what it writes', () => {
  for (const instance of expressibleShops()) {
    const { text, losses } = writePyJobShop(instance);
    expect(losses.filter(({ effect }) => effect === 'looser')).toEqual([]);
    const again = peers('pyjobshop_load', folder.write('written.json', text));
    const back = readInstance(folder.write(`${instance.name}.json`, again));
    expect(setupTable(back)).toEqual(setupTable(instance));
    if (instance.transport !== null) continue;
    expect(instanceChecksum(replaceInstance(back, { setups: null }))).toBe(
      instanceChecksum(replaceInstance(instance, { setups: null })),
    );
  }
});

/** The setup times of all pairs of operations: families may have other numbers. */
function setupTable(instance: Instance): number[] {
  const { machines, operations } = instance;
  const table: number[] = [];
  for (let k = 0; k < machines; k++) {
    for (let u = 0; u < operations; u++) {
      for (let v = 0; v < operations; v++) {
        const isThere = findMode(instance, u, k) >= 0 && findMode(instance, v, k) >= 0;
        table.push(isThere ? setupTime(instance, k, u, v) : 0);
      }
    }
  }
  return table;
}

peerTest(
  'PyJobShop solves our instances, and its solutions are valid here with its makespans',
  () => {
    for (const instance of expressibleShops()) {
      const file = folder.write(`${instance.name}.json`, writePyJobShop(instance).text);
      const { solution, makespan, status } = peers('pyjobshop_solve', file, folder.path);
      expect(['Optimal', 'Feasible']).toContain(status);
      const inJson = readPlan(folder.write('solution.json', solution), instance);
      const inSol = readPlan(join(folder.path, `${instance.name}.sol`), instance);
      for (const { plan } of [inJson, inSol]) {
        expect(validate(instance, plan)).toMatchObject({ valid: true, makespan });
      }
      expect(inSol.instance).toBe(instance.name);
    }
  },
);

peerTest('PyJobShop loads solutions that we wrote, with the same makespan and tardiness', () => {
  for (const instance of expressibleShops().slice(0, 3)) {
    const { schedule } = dispatchBest(instance);
    const data = folder.write('data.json', writePyJobShop(instance).text);
    const solution = folder.write('solution.json', writePyJobShopSolution(schedule).text);
    const { makespan } = peers('pyjobshop_solution', data, solution);
    expect(makespan).toBe(schedule.makespan);
  }
});

peerTest('tasks and modes that are not listed job by job keep their numbers for solutions', () => {
  const document = peers('pyjobshop_model');
  const file = folder.write('model.json', document);
  const instance = readInstance(file);
  expect(instance.names).toMatchObject({
    jobs: ['WO-1', ''],
    machines: ['Lathe', 'Mill'],
    operations: ['a', 'b', 'x', 'y'],
  });
  const { solution, makespan } = peers('pyjobshop_solve', file, folder.path);
  const { plan } = readPlan(folder.write('solution.json', solution), instance);
  expect(validate(instance, plan)).toMatchObject({ valid: true, makespan });
  const again = JSON.parse(writePyJobShop(instance).text);
  expect(again.tasks.map(({ name }: { name: string }) => name)).toEqual(['b', 'x', 'a', 'y']);
  expect(again.modes).toEqual(document.modes.map((mode: object) => ({ ...mode })));
  const sol = parsePlan(readFileSync(join(folder.path, 'model.sol')), 'model.sol', instance);
  expect(scheduleFromPlan(instance, sol.plan).makespan).toBe(makespan);
  expect(parseInstance(writePyJobShop(instance).text).jobs).toBe(2);
});

/** The Python programs of the section on OR-Tools in the documents. */
function documentedPrograms(): string[] {
  const page = readFileSync(join(import.meta.dirname, '../../docs/how-to/interop.md'), 'utf8');
  const section = page.slice(page.indexOf('\n## OR-Tools'), page.indexOf('\n## OptalCP'));
  return Array.from(section.matchAll(/```python\n([\s\S]*?)```/g), ([, text]) => text);
}

peerTest('the documented programs for CP-SAT write solutions of ft06 with its makespan', () => {
  mkdirSync(join(folder.path, 'results'));
  folder.write('results/ft06.shop.json', writeJobShopLib(ft06).text);
  const files = documentedPrograms().map((text, i) => folder.write(`program${i}.py`, text));
  expect(files).toHaveLength(3);
  const { makespan } = peers('cp_sat_snippets', folder.path, ...files);
  for (const file of ['ft06.intervals.json', 'ft06.cpsat.json']) {
    const { plan } = readPlan(join(folder.path, 'results', file), ft06);
    expect(validate(ft06, plan)).toMatchObject({ valid: true, makespan });
  }
  expect(makespan).toBe(55);
});

peerTest('CP-SAT solves a flexible shop, and absent intervals are alternatives not taken', () => {
  const shop = mk01ish();
  const file = folder.write('mk01ish.json', writeJobShopLib(shop).text);
  const { makespan } = peers('cp_sat_flexible', file, join(folder.path, 'mk01.cpsat.json'));
  const { plan } = readPlan(join(folder.path, 'mk01.cpsat.json'), shop);
  expect(validate(shop, plan)).toMatchObject({ valid: true, makespan });
});

peerTest('CP-SAT without a solution is refused', () => {
  const out = join(folder.path, 'infeasible.json');
  peers('cp_sat_infeasible', out);
  expect(() => readPlan(out, ft06)).toThrow(/the status is INFEASIBLE: there is no solution/);
});
