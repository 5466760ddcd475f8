import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cli, temporaryDirectory } from '../cli.js';

describe('alas-jssp list', () => {
  it('counts the instances of every suite', async () => {
    const { stdout } = await cli(['list', '--json']);
    const sizes = JSON.parse(stdout).suites.map((row: { suite: string; instances: number }) => [
      row.suite,
      row.instances,
    ]);
    expect(Object.fromEntries(sizes)).toEqual({
      dmu: 80,
      ta: 80,
      abz: 5,
      swv: 20,
      yn: 4,
      ft: 3,
      la: 40,
      orb: 10,
      classic: 189,
      all: 242,
      paper: 45,
      mk: 15,
      dpp: 18,
      mt: 7,
      setb4: 7,
      seti5: 7,
      kacem: 4,
      fattahi: 20,
      behnke: 60,
      'hurink-edata': 66,
      'hurink-rdata': 66,
      'hurink-sdata': 66,
      'hurink-vdata': 66,
      flexible: 402,
      'tai-100x100': 10,
      'tai-100x1000': 10,
    });
  });

  it('lists the instances of one suite with their bounds, as CSV where there is no terminal', async () => {
    const { stdout } = await cli(['list', 'instances', '--suite', 'ft']);
    expect(stdout).toBe(
      'instance,suite,jobs,machines,operations,lower_bound,upper_bound,as_of\n' +
        'ft06,ft,6,6,36,55,55,2026-08\n' +
        'ft10,ft,10,10,100,930,930,2026-08\n' +
        'ft20,ft,20,5,100,1165,1165,2026-08\n',
    );
  });

  it('counts the modes of instances with alternative machines', async () => {
    const { stdout } = await cli(['list', 'instances', '--suite', 'mk01,ft06']);
    expect(stdout).toBe(
      'instance,suite,jobs,machines,operations,modes,lower_bound,upper_bound,as_of\n' +
        'mk01,mk,10,6,55,115,40,40,2026\n' +
        'ft06,ft,6,6,36,36,55,55,2026-08\n',
    );
  });

  it('lists files, with the bounds of the benchmark that has their numbers', async () => {
    const directory = temporaryDirectory();
    const own = { processing_times: [[{ operation: 1, machine: 2, processing_time: 9 }]] };
    const known = { base_instance: { source_file: 'J1/TA01.txt', raw_content: '15 15' } };
    writeFileSync(join(directory, 'own.json'), JSON.stringify(own));
    writeFileSync(join(directory, 'TA01_disrupted.json'), JSON.stringify(known));
    const { stdout } = await cli(['list', 'instances', '--suite', join(directory, '*'), '--json']);
    expect(JSON.parse(stdout).instances).toMatchObject([
      { instance: 'own', jobs: 1, machines: 2, operations: 1, upper_bound: null },
      { instance: 'TA01_disrupted', jobs: 15, machines: 15, upper_bound: 1231 },
    ]);
    const { stdout: shown } = await cli(['show', join(directory, 'TA01_disrupted.json'), '--json']);
    expect(JSON.parse(shown).benchmark).toBe('ta01');
  });

  it('lists planners, each of which plans', async () => {
    const { stdout } = await cli(['list', 'planners', '--json']);
    const specs = JSON.parse(stdout).planners.map(({ spec }: { spec: string }) => spec);
    expect(specs).toEqual(expect.arrayContaining(['dispatch:best', 'insertion', 'file:PATTERN']));
  });
});
