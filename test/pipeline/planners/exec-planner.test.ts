import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { instanceFromJobs } from '../../../src/jssp/instance.js';
import { asPlan } from '../../../src/jssp/plan.js';
import type { PlannerContext, ProcessReport } from '../../../src/jssp/planner.js';
import { resolveSource } from '../../../src/jssp/suites.js';
import { fillCommand, splitCommand } from '../../../src/pipeline/planners/command-words.js';
import { createExecPlanner } from '../../../src/pipeline/planners/exec-planner.js';
import { validate } from '../../../src/validator/index.js';

const ft06 = resolveSource('ft06').load();
const PROGRAM = 'test/harness/planners/unruly-program.mjs';

/** What an unruly program comes to, and whether any of its processes is left. */
async function outcomeOf(way: string, given: Partial<PlannerContext> = {}) {
  const mark = `mark-${way}-${Math.round(performance.now() * 1000)}`;
  const planner = createExecPlanner(`node ${PROGRAM} ${way} ${mark}`);
  const bounds: number[] = [];
  let plans = 0;
  let report: ProcessReport | undefined;
  const context: PlannerContext = {
    seed: 1,
    onPlan: () => void plans++,
    onLowerBound: (bound) => void bounds.push(bound),
    onProcess: (told) => {
      report = told;
    },
    ...given,
  };
  const [plan, error] = await planner.plan(ft06, context).then(
    (candidate) => [asPlan(candidate), null] as const,
    (thrown: Error) => [null, thrown.message] as const,
  );
  return { plan, error, plans, bounds, report, left: processesWith(mark) };
}

/** The processes that have a mark in their command line, where that can be seen. */
function processesWith(mark: string): string[] {
  try {
    return readdirSync('/proc').filter((pid) => {
      if (!/^\d+$/.test(pid)) return false;
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(mark);
      } catch {
        return false;
      }
    });
  } catch {
    return [];
  }
}

/** A signal that stops planners after so many milliseconds. */
function after(milliseconds: number): Partial<PlannerContext> {
  const controller = new AbortController();
  setTimeout(() => controller.abort(new Error('stopped')), milliseconds);
  return { signal: controller.signal };
}

describe('a program that plans', () => {
  it('prints a plan as JSON or CSV', async () => {
    for (const way of ['plans', 'csv']) {
      const { plan, report } = await outcomeOf(way);
      expect(plan && validate(ft06, plan)).toMatchObject({ valid: true, makespan: 197 });
      expect(report).toMatchObject({ exitCode: 0, signal: null, stderr: '' });
    }
  });

  it('tells of plans, bounds and its status on the way', async () => {
    const { plan, plans, bounds } = await outcomeOf('tells');
    expect(plan && validate(ft06, plan).makespan).toBe(197);
    expect(plans).toBe(2);
    // What is optimal is a bound, too.
    expect(bounds).toEqual([3.5, 197]);
  });

  it('hands over answers of models, which are read as any answer is, and their tokens', async () => {
    const { plan, plans, report } = await outcomeOf('answers');
    expect(plan && validate(ft06, plan).makespan).toBe(197);
    // The last answer has no schedule.
    expect(plans).toBe(1);
    expect(report?.tokens).toEqual({ input: 30, output: 12 });
  });

  it.each([
    ['counts_wrong', 'stdout:1:$.input'],
    ['gives_up', 'the program printed no plan, and says that it is infeasible'],
    ['silent', 'the program printed no plan'],
    ['half', 'stdout:1: "\\"st" is not JSON here; correct it'],
    ['rubbish', 'stdout:1: there is no column job; begin with a line job,step,machine,start,end'],
    ['binary', 'stdout:1: there is a NUL byte; give a plain text file in UTF-8'],
    ['unknown', 'stdout:1:$.type: there is no message of the type "bound"'],
    ['wordy', 'it printed more than 16 MB that are no message'],
    ['one_line', 'it printed more than 16 MB that are no message'],
    ['complains', 'the program ended with exit code 3: no licence'],
    ['plans_and_fails', 'the program ended with exit code 4'],
    ['signals', 'the program was ended by SIGSEGV'],
  ])('that %s fails with the reason, and leaves nothing behind', async (way, reason) => {
    const { plan, error, left, report } = await outcomeOf(way);
    expect([plan, left]).toEqual([null, []]);
    expect(error).toContain(reason);
    // The kept beginning and end, and a line between them.
    expect(report?.stderr.length).toBeLessThanOrEqual(16_384 + 40);
  });

  it.each(['allocates', 'children_allocate'])('that %s is ended at its limit', async (way) => {
    const { error, left, report } = await outcomeOf(way, { megabytes: 250 });
    expect([error, left]).toEqual(['its processes took more than 250 MB of memory', []]);
    expect(report?.peakMegabytes).toBeGreaterThan(250);
  });

  it('that is stopped is ended with all that it started, and has handed over its plans', async () => {
    const ways = [
      'hangs',
      'ignores_signals',
      'closes_stdout',
      'tells_and_hangs',
      'prints_and_hangs',
      'leaves_and_hangs',
    ];
    const outcomes = await Promise.all(ways.map((way) => outcomeOf(way, after(2000))));
    for (const { error, left } of outcomes) expect([error, left]).toEqual(['stopped', []]);
    expect(outcomes.map(({ plans }) => plans)).toEqual([0, 0, 0, 1, 1, 1]);
  });

  it('leaves nothing behind if it has a plan, either', async () => {
    const { plan, left } = await outcomeOf('leaves');
    expect(plan).not.toBeNull();
    expect(left).toEqual([]);
  });

  it('has to be there, and executable', async () => {
    const { load, plan } = createExecPlanner('no-such-program-17');
    await expect(load()).rejects.toThrow('there is no program no-such-program-17; install it');
    await expect(plan(ft06, { seed: 1 })).rejects.toThrow('there is no program');
    await expect(createExecPlanner('./package.json').load()).rejects.toThrow('is not executable');
  });

  it('is refused seconds that are not limited, and instances that its format cannot hold', async () => {
    const timed = createExecPlanner('node x.mjs {seconds}');
    await expect(timed.plan(ft06, { seed: 1 })).rejects.toThrow('give a limit, or write a number');
    const uneven = instanceFromJobs('uneven', [
      [[0, 1]],
      [
        [0, 1],
        [1, 1],
      ],
    ]);
    const planner = createExecPlanner(`node ${PROGRAM} plans {instance}`);
    await expect(planner.plan(uneven, { seed: 1 })).rejects.toThrow('not as many operations');
  });
});

describe('a command', () => {
  const words = (text: string) => splitCommand(text).words;

  it('is split at blanks, but for quotes; no shell looks at it', () => {
    expect(words(`a  'b c'"d e"\\ f $HOME;rm "\\"" ''`)).toEqual([
      'a',
      'b cd e f',
      '$HOME;rm',
      '"',
      '',
    ]);
  });

  it('has its placeholders filled in, also within a word', () => {
    const values = {
      instance: 'i.txt',
      'instance.fjs': 'i.fjs',
      'instance.json': 'i.json',
      seconds: '9',
      seed: '7',
      threads: '2',
    };
    const command = splitCommand('p --in={instance.json} {instance} {seed}{threads}');
    expect(fillCommand(command, values)).toEqual(['p', '--in=i.json', 'i.txt', '72']);
    expect([...command.placeholders]).toEqual(['instance.json', 'instance', 'seed', 'threads']);
  });

  it.each([
    ['', 'names no program'],
    ["''", 'names no program'],
    ["a 'b", 'a quote is open'],
    ['a "b', 'a quote is open'],
    ['a {file}', 'there is no placeholder {file}'],
  ])('is refused: %s', (text, problem) => {
    expect(() => splitCommand(text)).toThrow(problem);
  });
});
