import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runBenchmark } from '../../src/harness/run/run.js';

// As install.sh has it.
const home = process.env.ALAS_JSSP_ENGINES ?? join(homedir(), '.cache/alas-jssp/engines');
const python = join(home, 'cpsat-9.15.6755', 'bin', 'python');

test.skipIf(!existsSync(python))(
  'CP-SAT by examples/planners/cpsat.py hands over schedules and bounds, and meets the literature',
  async () => {
    const command = `'${python}' examples/planners/cpsat.py {instance} {seconds} {seed} {threads}`;
    const planners = [`cpsat=exec:${command}`];
    const limits = { seconds: 120 };
    const { records } = await runBenchmark({ suite: 'ft06,la05', planners, limits });
    for (const record of records) {
      expect(record).toMatchObject({ planner: 'cpsat', status: 'ok', error: null });
      expect(record.makespan).toBe(record.upper_bound);
      expect(record).toMatchObject({ claimed_lower_bound: record.makespan, contradiction: null });
      expect(record.improvements.at(-1)).toMatchObject({
        value: record.makespan,
        lower_bound: record.makespan,
      });
      expect(record.process).toMatchObject({ exit_code: 0, signal: null, stderr: '' });
    }
  },
);
