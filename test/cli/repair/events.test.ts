import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cli, temporaryDirectory } from '../cli.js';

const operation = (machine: number, duration: number) => ({ machine, duration });

/** Two jobs that meet on machine 0, one of which is due; and a plan of makespan 12. */
function writeShop(deadline?: number) {
  const directory = temporaryDirectory();
  const path = (name: string) => join(directory, name);
  const jobs = [
    { deadline, operations: [operation(0, 4), operation(1, 5)] },
    { operations: [operation(0, 3), operation(1, 3)] },
  ];
  const shop = { schema: 'alas-jssp/instance@1', name: 'shop', machines: 2, jobs };
  writeFileSync(path('shop.json'), JSON.stringify(shop));
  writeFileSync(
    path('plan.csv'),
    'job,step,machine,start,end\n1,1,0,0,4\n2,1,0,4,7\n1,2,1,4,9\n2,2,1,9,12\n',
  );
  return { path, args: ['repair', path('shop.json'), path('plan.csv')] };
}

describe('alas-jssp repair with events', () => {
  it('follows a shop through two disruptions, each from what the last one wrote', async () => {
    const { path, args } = writeShop();
    const first = await cli([
      ...args,
      ...['--event', 'breakdown:machine=0,from=5,to=7'],
      ...['--event', 'arrival:at=5,name=rush,operations=0:2'],
      ...['--out', path('plan-2.json'), '--out-instance', path('shop-2.json'), '--json'],
    ]);
    expect(first.code).toBe(0);
    const outcome = JSON.parse(first.stdout);
    // Job 2 waits on machine 0 from 5 to 7, is done at 9, and continues as planned; the rush order follows.
    expect(outcome).toMatchObject({
      schema: 'alas-jssp/repair@2',
      instance: 'shop',
      method: 'lcrp',
      now: 5,
      events: [
        'breakdown:at=5,machine=0,from=5,to=7,resumable=true',
        'arrival:at=5,name=rush,operations=0:2,release=5',
      ],
      arrived: [{ job: 'Job3', name: 'rush' }],
      lost: 0,
      phase: 'compensation',
      violations_before: 0,
      feasible: true,
      executable: true,
      violations: [],
      makespan_before: 12,
      makespan: 12,
      metrics: { edited_operations: 0, edit_radius: 0, kendall: 0, match_up: 6 },
    });
    expect(first.stderr).toBe(
      'shop: repaired by lcrp at 5, feasible, makespan 12 → 12, 0 operations edited\n',
    );
    expect(JSON.parse(readFileSync(path('shop-2.json'), 'utf8'))).toMatchObject({
      jobs: [
        { operations: [{ frozen: 0 }, { frozen: 4 }] },
        { operations: [{ frozen: 4 }, {}] },
        { release: 5, operations: [{ machine: 0, duration: 2 }] },
      ],
      downtimes: [{ machine: 0, from: 5, to: 7 }],
    });
    const judged = await cli(['validate', path('shop-2.json'), path('plan-2.json')]);
    expect([judged.code, judged.stderr]).toEqual([0, 'shop-2: valid, makespan 12\n']);

    const second = await cli([
      ...['repair', path('shop-2.json'), path('plan-2.json'), '--now', '6'],
      ...['--event', 'duration:job=1,step=2,duration=7', '--event', 'cancellation:job=3'],
      ...['--method', 'right-shift', '--out', path('plan-3.csv')],
      ...['--out-instance', path('shop-3.json'), '--format', 'csv'],
    ]);
    expect(second.code).toBe(0);
    const [keys, row] = second.stdout.split('\n');
    expect(keys).toBe(
      'instance,method,now,phase,makespan_before,makespan_compensated,makespan,tardiness_before,tardiness,edited_operations,edit_radius,shift_total,kendall,match_up,feasible,objective',
    );
    // Only the second step of job 2 is free: it waits until job 1 leaves machine 1 at 11.
    expect(row).toBe('shop-2,right-shift,6,compensation,12,,14,0,0,1,1,2,0,8,true,makespan');
    const last = await cli(['validate', path('shop-3.json'), path('plan-3.csv')]);
    expect([last.code, last.stderr]).toEqual([0, 'shop-3: valid, makespan 14\n']);
  });

  it('reads events from a file, which sets the time, and says which instance they are for', async () => {
    const { path, args } = writeShop();
    const events = [{ kind: 'delay', at: 3, job: 'Job2', step: 1, until: 6 }];
    const file = { schema: 'alas-jssp/events@1', instance: 'la01', events };
    writeFileSync(path('events.json'), JSON.stringify(file));
    const { code, stdout, stderr } = await cli([
      ...args,
      ...['--events', path('events.json'), '--method', 'affected', '--format', 'md'],
    ]);
    expect(code).toBe(0);
    expect(stdout).toContain('| shop | affected | 3 | compensation |');
    expect(stderr).toContain('warning: the events name the instance la01, not shop\n');
  });

  it('explains every edit, and what the limits of the policy cost', async () => {
    const { path, args } = writeShop();
    const limits = { untouchable_machines: ['Machine1'] };
    writeFileSync(path('mine.json'), JSON.stringify({ schema: 'alas-jssp/policy@1', limits }));
    const event = ['--event', 'breakdown:machine=1,from=3,to=6'];
    const rows = await cli([...args, ...event, '--policy', path('mine.json'), '--explain']);
    expect(rows.code).toBe(0);
    expect(rows.stdout.split('\n')).toEqual([
      'job,step,machine,planned,start,cause,waits_for,event,event_text',
      'Job1,2,Machine1,4,6,event,,1,machine 1 is down until 6',
      'Job2,2,Machine1,9,11,machine,Job1 step 2,1,machine 1 is down until 6',
      '',
    ]);
    expect(rows.stderr).toBe(
      'shop: repaired by lcrp at 3, feasible, makespan 12 → 14, 2 operations edited\n' +
        'the limits cost 0: makespan 14 within them, 14 without\n',
    );
    const json = JSON.parse((await cli([...args, ...event, '--explain', '--json'])).stdout);
    expect(json.explanation).toMatchObject({
      edits: [{ cause: 'event' }, { cause: 'machine', waits_for: { job: 'Job1', step: 2 } }],
      limits: null,
    });
    const { stderr } = await cli([...args, '--explain']);
    expect(stderr).toContain('--explain goes with --event or --events only');
  });

  it('warns of pins that no schedule keeps, and lists them for programs', async () => {
    const { path, args } = writeShop();
    const limits = { pinned: [{ job: 'Job1', step: 2 }] };
    writeFileSync(path('mine.json'), JSON.stringify({ schema: 'alas-jssp/policy@1', limits }));
    const pinned = [...args, '--policy', path('mine.json')];
    const lost = ['--event', 'breakdown:machine=1,from=3,to=6'];
    const { stderr } = await cli([...pinned, ...lost]);
    expect(stderr).toContain(
      'warning: the start of job 1, step 2 at 4 is not kept: it cannot start before 6\n',
    );
    const json = JSON.parse((await cli([...pinned, ...lost, '--json'])).stdout);
    expect(json.lost_pins).toEqual([
      { job: 'Job1', step: 2, reason: 'earliest', earliest: 6, with: [] },
    ]);
    const kept = ['--event', 'breakdown:machine=0,from=4,to=6', '--json'];
    expect(JSON.parse((await cli([...pinned, ...kept])).stdout).lost_pins).toEqual([]);
  });

  it('makes an invalid plan feasible first, and says so', async () => {
    const { path } = writeShop();
    const event = ['--event', 'breakdown:machine=1,from=2,to=3'];
    const args = ['repair', path('shop.json'), '-', ...event];
    const { code, stderr } = await cli(args, { input: '[]' });
    expect(code).toBe(0);
    expect(stderr).toContain(
      'the plan is invalid, 4 violations: it is repaired before the events\n',
    );
    expect((await cli([...args, '--quiet'], { input: '[]' })).stderr).toBe('');
  });

  it('ends with exit code 1 if the result cannot be executed or misses a deadline', async () => {
    const breakdown = ['--event', 'breakdown:machine=1,from=4,to=6,resumable=false'];
    const none = await cli([...writeShop().args, ...breakdown, '--method', 'none', '--quiet']);
    expect(none.code).toBe(1);
    expect(none.stderr).toMatch(/^alas-jssp: the plan cannot be executed: .*\n$/);
    const { path, args } = writeShop(9);
    const late = await cli([...args, ...breakdown, '--out', path('late.json'), '--quiet']);
    expect(late.code).toBe(1);
    expect(late.stderr).toMatch(/^alas-jssp: a deadline is missed: .*\n$/);
    expect(existsSync(path('late.json'))).toBe(true);
  });

  it.each([
    [
      'an event that is not in form',
      ['--event', 'brakdown:machine=1,from=4,to=6'],
      'kind of the event "brakdown:machine=1,from=4,to=6": this is "brakdown"; did you mean breakdown?',
    ],
    [
      'one of several events that is not in form',
      ['--event', 'cancellation:job=2', '--event', 'breakdown:machine=1,to=4', '--now', '5'],
      '--event #2: from of the event "breakdown:machine=1,to=4": this is missing; give a whole number from 0 to 1073741823',
    ],
    [
      'one of several events whose effect is past',
      [
        ...[
          '--event',
          'arrival:operations=0:1,release=9',
          '--event',
          'breakdown:machine=1,from=4,to=6',
        ],
        ...['--event', 'cancellation:job=3', '--now', '5'],
      ],
      '--event #2: breakdown of machine 1: it begins at 4, which is past: now is 5; give 5 or later',
    ],
    [
      'the second of two equal events',
      ['--event', 'cancellation:job=2', '--event', 'cancellation:job=2', '--now', '3'],
      '--event #2: cancellation of job 2: nothing of the job is left to be done; cancel a job that is not finished',
    ],
    [
      'a machine that there is not',
      ['--event', 'breakdown:machine=7,from=4,to=6'],
      'there is no machine 7; use 0 to 1',
    ],
    [
      'an effect that is past',
      ['--event', 'breakdown:machine=1,from=4,to=6', '--now', '5'],
      'breakdown of machine 1: it begins at 4, which is past: now is 5; give 5 or later',
    ],
    [
      'what is done',
      ['--event', 'duration:job=1,step=1,duration=9', '--now', '5'],
      'new duration of job 1, step 1: the operation was done at 4, and now is 5; change what is running or to come',
    ],
    [
      'an unknown method',
      ['--event', 'cancellation:job=2', '--now', '5', '--method', 'lcpr'],
      "there is no repair method 'lcpr'; did you mean lcrp?",
    ],
    [
      'a method without events',
      ['--method', 'affected'],
      '--method goes with --event or --events only; see alas-jssp repair --help',
    ],
  ])('refuses %s with exit code 2 and one line', async (_, more, line) => {
    const { code, stdout, stderr } = await cli([...writeShop().args, ...more]);
    expect([code, stdout, stderr]).toEqual([2, '', `alas-jssp: ${line}\n`]);
  });
});
