import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cli } from './cli.js';

const file = (name: string) => join(mkdtempSync(join(tmpdir(), 'coordination-')), name);

describe('alas-coordination execute', () => {
  it('tells what was done, what happened, why and what was changed', async () => {
    const { code, stdout } = await cli(
      'execute ride-sharing ride-sharing --events ride-sharing-cancel --format table'.split(' '),
    );
    expect(code).toBe(0);
    expect(stdout).toBe(`08:05  ! r2 is cancelled
         repaired by 'reroute' (rides put into the ways of vehicles, or left out of them): 3 actions changed, edit radius 0.60
           no longer 08:15 to 08:25: k1 drives with passenger 1 from A to B
           08:24 to 08:45 (new): k1 drives with passenger 1 from A to G
           no longer 08:25 to 08:45: k1 drives with passenger 1 and passenger 2 from B to G
           told: the driver of k1, passenger 1 and passenger 2
           promised to passenger 1: pick-up at A (r1): 08:24, not 08:15
         the judge accepts version 2, which is followed from now on; cost 79 instead of 87
08:20  k2 drives with passenger 3 from C to D, until 08:30
08:24  k1 drives with passenger 1 from A to G, until 08:45
08:30  k2 drives with passenger 3 and passenger 4 from D to G, until 08:51
08:51  all is done, by version 2 of the plan
`);
  });

  it('goes on in its log, to the same account as without a break', async () => {
    const [log, out] = [file('dinner.db'), file('plan.json')];
    const events = ['--events', 'thanksgiving-delay-1pm'];
    const begin = ['execute', 'thanksgiving', 'alas-table-21', ...events];
    const first = await cli([...begin, '--log', log, '--to', '12:30', '--json']);
    const { status, account } = JSON.parse(first.stdout);
    expect([first.code, status, account]).toEqual([
      ...[0, 'WAITING', [{ time: '12:30', text: 'so far by version 1 of the plan' }]],
    ]);
    const resume = ['execute', 'thanksgiving', '--log', log, '--resume', '--json'];
    const rest = JSON.parse((await cli([...resume, '--out', out])).stdout);
    const whole = JSON.parse((await cli([...begin, '--json'])).stdout);
    expect(rest.status).toBe('COMPLETED');
    expect(rest.account).toEqual(whole.account);
    expect(rest.plan).toEqual(whole.plan);
    expect(JSON.parse(readFileSync(out, 'utf8'))).toEqual(whole.plan);
    expect(JSON.parse((await cli(resume)).stdout).account).toEqual(whole.account);
  });

  it('says no where there is no repair, and so again', async () => {
    const [log, events] = [file('dinner.db'), file('events.json')];
    const delay = { kind: 'delay', at: '12:00', person: 'james', until: '17:55' };
    const schema = 'alas-coordination/events@1';
    writeFileSync(events, JSON.stringify({ schema, problem: 'thanksgiving', events: [delay] }));
    const begin = ['execute', 'thanksgiving', 'alas-table-21', '--events', events];
    const { code, stdout } = await cli([...begin, '--log', log, '--format', 'table']);
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /12:00 {2}no repair: there is no plan .*; version 1 of the plan stays\n$/,
    );
    const again = ['execute', 'thanksgiving', '--log', log, '--resume', '--format', 'table'];
    expect(await cli(again)).toMatchObject({ code: 1, stdout });
  });

  it('makes a plan where none is given', async () => {
    const { code, stdout } = await cli(['execute', 'ride-sharing', '--json']);
    const { plan, people } = JSON.parse(stdout);
    expect(code).toBe(0);
    expect(plan.actions.length).toBeGreaterThan(3);
    expect(people.map(({ at }: { at: string }) => at)).toEqual(['G', 'G', 'G', 'G']);
  });

  it('names the file of events that name what there is not, and makes no log to resume', async () => {
    const [events, log] = [file('events.json'), file('none.db')];
    const list = { schema: 'alas-coordination/events@1', problem: 'ride-sharing' };
    const event = { kind: 'breakdown', at: '08:00', vehicle: 'k9' };
    writeFileSync(events, JSON.stringify({ ...list, events: [event] }));
    const begun = await cli(['execute', 'ride-sharing', 'ride-sharing', '--events', events]);
    expect(begun).toMatchObject({ code: 2 });
    expect(begun.stderr).toContain(`${events}: there is no 'k9'`);
    const resumed = await cli(['execute', 'wedding', '--log', log, '--resume']);
    expect(resumed).toMatchObject({ code: 2 });
    expect(resumed.stderr).toContain('there is no run coordination');
    expect(existsSync(log)).toBe(false);
  });

  it('refuses in one line what makes no sense', async () => {
    const log = file('run.db');
    const begin = ['execute', 'ride-sharing', 'ride-sharing', '--log', log];
    expect((await cli([...begin, '--to', '08:00', '--quiet'])).code).toBe(0);
    const wrong: readonly (readonly [string, readonly string[]])[] = [
      ['there is a run coordination already', begin],
      ['there is no run other', [...begin.slice(0, 2), '--log', log, '--resume', '--run', 'other']],
      ['--resume needs --log', ['execute', 'wedding', '--resume']],
      ['give neither', [...begin, '--resume']],
      ['is of ride-sharing with other facts', ['execute', 'wedding', '--log', log, '--resume']],
      ['is in seconds', ['execute', 'wedding', 'wedding', '--budget', '5s']],
      ['the plan cannot be carried out', ['execute', 'wedding', 'sagallm-table-6']],
    ];
    for (const [problem, args] of wrong) {
      const { code, stderr } = await cli(args);
      expect(code).toBe(2);
      expect(stderr).toContain(problem);
      expect(stderr.trimEnd()).not.toContain('\n');
    }
  });
});
