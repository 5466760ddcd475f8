import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { cli } from '../cli/cli.js';

const file = (name: string) => join(mkdtempSync(join(tmpdir(), 'travel-')), name);

describe('alas-coordination travel', () => {
  it('plans, and its judge accepts the plan', async () => {
    const planned = await cli(['travel', 'plan', 'berlin-cologne', '--json']);
    expect(planned.code).toBe(0);
    const plan = JSON.parse(planned.stdout);
    expect(plan).toMatchObject({
      claims: { total: 4770 },
      search: { status: 'optimal', cost: 4920 },
    });
    const judged = await cli(
      ['travel', 'validate', 'berlin-cologne', '-', '--json'],
      planned.stdout,
    );
    expect(judged.code).toBe(0);
    expect(JSON.parse(judged.stdout)).toMatchObject({ valid: true, cost: { money: 4770 } });
    const table = await cli([
      'travel',
      'plan',
      'berlin-cologne',
      '--alternatives',
      '2',
      '--format',
      'table',
    ]);
    expect(table.stdout).toContain(
      'berlin-cologne: optimal, 4,770 of 5,000 USD, cost 4,920, bound 4,920',
    );
    const spoiled = JSON.stringify({ ...plan, bookings: plan.bookings.slice(1) });
    const refused = await cli(
      ['travel', 'validate', 'berlin-cologne', '-', '--format', 'table'],
      spoiled,
    );
    expect(refused.code).toBe(1);
    expect(refused.stdout).toMatch(
      /^berlin-cologne: invalid, \d+ violations\n- BER-CGN-0625-06 departs from Berlin/,
    );
  });

  it('says no by proof where there is no trip', async () => {
    const [trip, out] = [file('trip.json'), file('plan.json')];
    const made = await cli(
      'travel generate --seed 3 --cities 3 --budget 100 --out'.split(' ').concat(trip),
    );
    expect(made.code).toBe(0);
    const { code, stdout } = await cli(['travel', 'plan', trip, '--out', out, '--format', 'table']);
    expect([code, stdout]).toEqual([1, 'generated-3: there is no itinerary, by proof\n']);
  });

  it('books in a log, waits for people, goes on with their decision, and replays', async () => {
    const log = file('trip.db');
    const first = await cli([
      'travel',
      'book',
      'berlin-cologne',
      '--approve',
      '--log',
      log,
      '--json',
    ]);
    expect(first.code).toBe(1);
    expect(JSON.parse(first.stdout)).toMatchObject({ status: 'waiting', bookings: [] });
    expect(JSON.parse(first.stdout).proposals).toHaveLength(3);
    const again = await cli(['travel', 'book', 'berlin-cologne', '--log', log]);
    expect(again).toMatchObject({ code: 2 });
    const done = await cli(['travel', 'resume', log, '--choose', '1', '--by', 'ann', '--json']);
    expect(done.code).toBe(0);
    expect(JSON.parse(done.stdout)).toMatchObject({ status: 'booked', total: 4770, lost: 0 });
    const books = JSON.parse(readFileSync(`${log}.service.json`, 'utf8'));
    expect(books.bookings).toHaveLength(5);
    const shown = await cli(['travel', 'show', log, '--json']);
    expect(JSON.parse(shown.stdout)).toEqual(JSON.parse(done.stdout));
    const replayed = await cli(['travel', 'replay', log, '--json']);
    expect(replayed.code).toBe(0);
    expect(JSON.parse(replayed.stdout)).toMatchObject({ parity: true });
    expect(JSON.parse(replayed.stdout).runs).toHaveLength(6);
  });

  it('does what the page shows', async () => {
    const root = fileURLToPath(new URL('../../../../', import.meta.url));
    const args = ['examples/travel-trip.mjs'];
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root });
    const page = readFileSync(join(root, 'docs/how-to/travel.md'), 'utf8');
    expect(page).toContain(`\`\`\`\n${stdout}\`\`\`\n`);
  });

  it('has helps of 80 columns, and schemas', async () => {
    for (const name of [
      'plan',
      'validate',
      'book',
      'resume',
      'show',
      'replay',
      'run',
      'serve',
      'generate',
    ]) {
      const { code, stdout } = await cli(['travel', name, '--help']);
      expect(code).toBe(0);
      expect(stdout.split('\n').filter((line) => [...line].length > 80)).toEqual([]);
    }
    for (const kind of ['travel', 'travel-plan', 'travel-events', 'travel-run']) {
      const { stdout } = await cli(['schema', kind]);
      expect(JSON.parse(stdout)).toMatchObject({
        title: `alas-coordination/${kind}@1`,
        type: 'object',
      });
    }
  });

  it('refuses in one line what makes no sense', async () => {
    const [plan, events] = [file('plan.json'), file('events.json')];
    const schema = 'alas-coordination/travel-events@1';
    const event = { kind: 'cancelled', at: '2025-06-20T08:00Z', offer: 'SFO-BER-9999' };
    writeFileSync(events, JSON.stringify({ schema, problem: 'berlin-cologne', events: [event] }));
    writeFileSync(
      plan,
      JSON.stringify({ schema: 'alas-coordination/travel-plan@1', problem: 'x' }),
    );
    const wrong: readonly (readonly [string, readonly string[]])[] = [
      ["there is no trip 'berlin'", ['plan', 'berlin']],
      ['$.bookings', ['validate', 'berlin-cologne', plan]],
      [
        "there is no flight or train 'SFO-BER-9999'",
        ['book', 'berlin-cologne', '--events', events],
      ],
      ["there is no fault 'sold'", ['book', 'berlin-cologne', '--fault', 'sold']],
      ['there is no log', ['show', file('none.db')]],
      ['give one of', ['resume', file('none.db'), '--retry', '--cancel']],
      [
        'simulated service',
        ['book', 'berlin-cologne', '--service', 'http://127.0.0.1:1', '--fault', 'down'],
      ],
    ];
    for (const [problem, args] of wrong) {
      const { code, stderr } = await cli(['travel', ...args]);
      expect([args, code]).toEqual([args, 2]);
      expect(stderr).toContain(problem);
      expect(stderr.trimEnd()).not.toContain('\n');
    }
  });
});
