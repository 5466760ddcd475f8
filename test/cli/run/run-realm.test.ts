import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cli, temporaryDirectory } from '../cli.js';

/** Three jobs on two machines, the last of which comes back to its first machine. */
const shopOf = (disruptions?: object[]) => ({
  num_jobs: 3,
  num_machines: 2,
  processing_times: [
    [1, 2],
    [2, 1],
    [1, 2, 1],
  ].map((job) => job.map((machine, i) => ({ operation: i + 1, machine, processing_time: 4 + i }))),
  disruptions,
});
const outage = { type: 'power_outage', affected_machines: [1], start_time: 6, duration: 7 };
const weather = {
  type: 'weather_effect',
  affected_operations: [2, 7],
  start_time: 3,
  duration: 20,
};

function writeShops(shops: Record<string, object>) {
  const directory = temporaryDirectory();
  const path = (name: string) => join(directory, name);
  for (const [name, shop] of Object.entries(shops)) {
    writeFileSync(path(`${name}.json`), JSON.stringify(shop));
  }
  return path;
}

const methods = ['--disrupt', 'instance', '--repair', 'right-shift,lcrp'];

describe('alas-jssp run --disrupt instance', () => {
  it('executes the events that each file carries, whatever the number of workers', async () => {
    const path = writeShops({ a: shopOf([outage, weather]), b: shopOf([weather]) });
    const runOn = async (workers: string, out: string) => {
      const files = ['--suite', path('*.json'), '--out', path(out), '--save-schedules'];
      const run = await cli(['run', ...files, ...methods, '--workers', workers, '--json']);
      expect(run.code).toBe(0);
      return JSON.parse(run.stdout);
    };
    const [{ records, manifest }, again] = [await runOn('1', 'one'), await runOn('2', 'two')];
    expect(records).toHaveLength(4);
    const eventsOf = ({ disruption }: (typeof records)[0]) =>
      disruption.steps.map(({ now, events }: { now: number; events: string[] }) => [now, events]);
    const late = ['delay:at=3,job=1,step=2,until=23', 'delay:at=3,job=3,step=3,until=23'];
    const down = ['breakdown:at=6,machine=0,from=6,to=13,resumable=true'];
    for (const record of records) {
      expect(eventsOf(record)).toEqual(
        record.instance === 'a'
          ? [
              [3, late],
              [6, down],
            ]
          : [[3, late]],
      );
    }
    expect(again.manifest.checksums).toEqual(manifest.checksums);
    const makespans = (run: typeof records) =>
      run.map(({ makespan }: { makespan: number }) => makespan);
    expect(makespans(again.records)).toEqual(makespans(records));
    expect(readdirSync(join(path('one'), 'schedules'))).toHaveLength(4);
  });

  it('resumes a run, unless the files have other events now', async () => {
    const path = writeShops({ a: shopOf([outage]) });
    const args = ['run', '--suite', path('*.json'), ...methods, '--out', path('run')];
    expect((await cli(args)).code).toBe(0);
    const records = readFileSync(join(path('run'), 'records.jsonl'), 'utf8').split('\n');
    writeFileSync(join(path('run'), 'records.jsonl'), `${records[0]}\n`);
    const resumed = await cli(['run', '--resume', path('run'), '--json']);
    expect(JSON.parse(resumed.stdout).records).toHaveLength(2);
    writeFileSync(path('a.json'), JSON.stringify(shopOf([{ ...outage, duration: 9 }])));
    const refused = await cli(['run', '--resume', path('run')]);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('instance with other events');
  });

  it.each([
    ['no disruptions', undefined, ': this instance file has no disruptions; '],
    [
      'a machine out of range',
      [{ ...outage, affected_machines: [3] }],
      ':$.disruptions[0].affected_machines[0]: this is 3; ',
    ],
  ])('refuses a file with %s before anything is run', async (_, disruptions, message) => {
    const path = writeShops({ a: shopOf([outage]), b: shopOf(disruptions) });
    const run = await cli(['run', '--suite', path('*.json'), ...methods, '--out', path('run')]);
    expect([run.code, run.stdout]).toEqual([2, '']);
    expect(run.stderr).toContain(path('b.json') + message);
    expect(run.stderr.match(/\n/g)).toHaveLength(1);
  });
});

describe('the events of an instance file', () => {
  it('are listed, written as a file of events, and executed from that', async () => {
    const path = writeShops({ a: shopOf([outage, weather]) });
    const { stdout } = await cli(['show', path('a.json'), '--events']);
    expect(stdout).toBe(
      'at,event\n3,"delay:at=3,job=1,step=2,until=23"\n3,"delay:at=3,job=3,step=3,until=23"\n' +
        '6,"breakdown:at=6,machine=0,from=6,to=13,resumable=true"\n',
    );
    const json = await cli(['show', path('a.json'), '--events', '--json']);
    writeFileSync(path('events.json'), json.stdout);
    const realised = async (disruption: string) => {
      const args = ['--suite', path('a.json'), '--disrupt', disruption, '--repair', 'lcrp'];
      const run = await cli(['run', ...args, '--no-out', '--json']);
      return JSON.parse(run.stdout).records[0].disruption.outcome;
    };
    expect(await realised(path('events.json'))).toEqual(await realised('instance'));
  });

  it('are repaired one instant after the other', async () => {
    const path = writeShops({ a: shopOf([outage, weather]) });
    await cli(['plan', path('a.json'), '--out', path('plan.json')]);
    const events = ['--events', path('a.json')];
    const next = ['--out', path('plan-2.json'), '--out-instance', path('a-2.json'), '--json'];
    const first = await cli(['repair', path('a.json'), path('plan.json'), ...events, ...next]);
    expect(first.stderr).toContain(
      'only events known at 3 are repaired; others become known at 6 (--now)\n',
    );
    expect(JSON.parse(first.stdout)).toMatchObject({ now: 3, feasible: true });
    const second = ['repair', path('a-2.json'), path('plan-2.json'), ...events, '--json'];
    const then = await cli([...second, '--now', '6']);
    expect(JSON.parse(then.stdout)).toMatchObject({ now: 6, feasible: true });
    const never = await cli([...second, '--now', '5']);
    expect(never.stderr).toBe('alas-jssp: no event becomes known at 5; give --now 3, 6\n');
  });
});
