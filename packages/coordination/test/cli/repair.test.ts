import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { applyEvent, readEvents } from '../../src/events/events.js';
import { judge } from '../../src/judge/judge.js';
import { readPlan } from '../../src/model/plan.js';
import {
  bundledEvents,
  bundledNames,
  bundledPlan,
  bundledProblem,
} from '../../src/papers/bundled.js';
import { cli } from './cli.js';

const file = (name: string) => join(mkdtempSync(join(tmpdir(), 'coordination-')), name);

describe('alas-coordination repair', () => {
  it('tells what happened, what is wrong, by which step it was repaired, and who is told what', async () => {
    const { code, stdout } = await cli(
      'repair thanksgiving alas-table-21 thanksgiving-delay-noon --format table'.split(' '),
    );
    expect(code).toBe(0);
    expect(stdout).toBe(`12:00: james is there from 16:00 only
  so James is available from 16:00 only, not 13:00 to 13:30 [not_available]
  so James is available from 16:00 only, not 13:30 to 14:00 [not_available]
  so James is available from 16:00 only, not 15:00 to 16:00 [not_available]
Repaired by 'retime' (the same actions, at other times): 3 actions changed, edit radius 0.25
  16:00 to 16:30 (was 13:00 to 13:30): James does 'luggage of James' at airport
  16:30 to 17:00 (was 13:30 to 14:00): James does 'rent a car' at airport
  17:00 to 18:00 (was 15:00 to 16:00): James drives the rented car with Emily from airport to home
  told: James and Emily
What has begun by 12:00 stays; the judge accepts the plan.

cost 120 instead of 120, 120.0 km instead of 120.0, ends at 18:00 instead of 18:00
`);
  });

  it('repairs one event after the other, and tells promised times before and after', async () => {
    const out = file('plan.json');
    const args = ['ride-sharing', 'ride-sharing', 'ride-sharing-reactive'];
    const { code, stdout } = await cli(['repair', ...args, '--json', '--out', out]);
    const { steps, plan } = JSON.parse(stdout);
    expect(code).toBe(0);
    expect(steps.map(({ now }: { now: string }) => now)).toEqual(['08:05', '08:10']);
    expect(steps[0].promises).toEqual([
      { person: 'p1', what: 'pick-up at A (r1)', before: 495, after: 504 },
    ]);
    expect(steps[1].promises).toContainEqual({
      ...{ person: 'p5', what: 'arrival at G (r5)', before: null, after: 525 },
    });
    expect(JSON.parse(readFileSync(out, 'utf8'))).toEqual(plan);
    const before = file('before.json');
    const first = await cli([
      ...['repair', 'ride-sharing', 'ride-sharing', 'ride-sharing-cancel'],
      ...['--out', before, '--quiet'],
    ]);
    expect(first.code).toBe(0);
    const judged = await cli([
      ...['validate', 'ride-sharing-reactive', out, '--before', before, '--now', '8:10'],
    ]);
    expect(judged.code).toBe(0);
  });

  it('repairs together what becomes known together', async () => {
    const args = ['repair', 'ride-sharing', 'ride-sharing', 'ride-sharing-reactive', '--json'];
    const { steps, plan } = JSON.parse((await cli([...args, '--now', '8:05'])).stdout);
    expect(steps).toHaveLength(1);
    expect(steps[0].events).toHaveLength(2);
    const problem = bundledEvents('ride-sharing-reactive').events.reduce(
      applyEvent,
      bundledProblem('ride-sharing'),
    );
    const past = { plan: bundledPlan('ride-sharing'), now: 485 };
    expect(judge(problem, readPlan(plan), past).valid).toBe(true);
  });

  it('says no where there is no repair', async () => {
    const events = file('events.json');
    const delay = { kind: 'delay', at: '12:00', person: 'james', until: '17:55' };
    writeFileSync(
      events,
      JSON.stringify({
        schema: 'alas-coordination/events@1',
        problem: 'thanksgiving',
        events: [delay],
      }),
    );
    const out = file('plan.json');
    const args = ['repair', 'thanksgiving', 'alas-table-21', events, '--budget', '500-iterations'];
    const { code, stdout } = await cli([...args, '--out', out, '--format', 'table']);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^no repair at 12:00: there is no plan for thanksgiving: .*\n$/);
    expect(() => readFileSync(out)).toThrow();
  });

  it.each([
    ['there are no events', ['repair', 'wedding', 'wedding', 'wedding-trafic']],
    ['only one can come from stdin', ['repair', 'wedding', '-', '-']],
    ['is no clock time', ['repair', 'wedding', 'wedding', 'wedding-traffic', '--now', 'noon']],
  ])('refuses in one line: %s', async (problem, args) => {
    const { code, stderr } = await cli(args);
    expect(code).toBe(2);
    expect(stderr).toContain(problem);
    expect(stderr.trimEnd()).not.toContain('\n');
  });

  it('names the file of an event that names what there is not', async () => {
    const events = file('events.json');
    const text = readFileSync(
      new URL('../../events/ride-sharing-cancel.json', import.meta.url),
      'utf8',
    );
    writeFileSync(events, text.replace('"r2"', '"r9"'));
    const { code, stderr } = await cli(['repair', 'ride-sharing', 'ride-sharing', events]);
    expect(code).toBe(2);
    expect(stderr).toBe(
      `alas-coordination: ${events}: there is no 'r9'; use one of r1, r2, r3, r4\n`,
    );
  });
});

describe('the file of events', () => {
  it.each([[{}], [{ person: 'p1', vehicle: 'k1' }]])(
    'has a delay of either a person or a vehicle, not of %j',
    (who) => {
      const delay = { kind: 'delay', at: '08:00', until: '08:30', ...who };
      const list = {
        schema: 'alas-coordination/events@1',
        problem: 'ride-sharing',
        events: [delay],
      };
      expect(() => readEvents(list)).toThrow('$.events[0]: this is');
      expect(() => readEvents(list)).toThrow('give either `person` or `vehicle`');
    },
  );
});

describe('bundled events', () => {
  it.each(bundledNames('events'))('happen to the problem that they name: %s', (name) => {
    const { problem, events } = bundledEvents(name);
    expect(() => events.reduce(applyEvent, bundledProblem(problem))).not.toThrow();
  });

  it('make the facts of the changed problems of the papers', () => {
    for (const name of ['ride-sharing-reactive', 'wedding-traffic']) {
      const { problem, events } = bundledEvents(name);
      const after = events.reduce(applyEvent, bundledProblem(problem)).facts;
      const { people, rides, traffic } = bundledProblem(name).facts;
      expect(after.people).toEqual(expect.arrayContaining(people));
      expect(after.rides).toEqual(rides);
      expect(after.traffic).toEqual(traffic);
    }
  });

  it('are listed', async () => {
    const { stdout } = await cli(['list', 'events', '--format', 'csv']);
    expect(stdout).toContain('wedding-traffic,wedding,13:00: roads to and from B take 3 times');
  });
});
