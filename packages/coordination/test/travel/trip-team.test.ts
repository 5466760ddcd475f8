import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMemoryStore } from '@alas-jssp/workflow';
import { describe, expect, it } from 'vitest';
import { startChatServer } from '../../../../test/llm/servers/chat-completions.js';
import type { WireRequest } from '../../../../test/llm/servers/wire-server.js';
import { bundledTrip, bundledTripEvents } from '../../src/travel/bundled-trips.js';
import { judgeTravel } from '../../src/travel/judge/judge-travel.js';
import { decodeTrip } from '../../src/travel/llm/decode-trip.js';
import { tripFacts } from '../../src/travel/llm/trip-prompt.js';
import { tripRoles } from '../../src/travel/llm/trip-team.js';
import {
  type TravelBookingFile,
  writeBooking,
  writeTravelPlan,
} from '../../src/travel/model/travel-plan.js';
import { planTravel } from '../../src/travel/plan/plan-travel.js';
import { repairTravel } from '../../src/travel/plan/repair-travel.js';
import { startTravelService } from '../../src/travel/service/travel-service.js';
import { bookTrip } from '../../src/travel/trip/open-trip.js';
import { cli } from '../cli/cli.js';

const trip = bundledTrip('berlin-cologne');
const best = planTravel(trip).found[0].plan.bookings.map(writeBooking);
const answerOf = (bookings: readonly TravelBookingFile[], total = 0) =>
  `Here is the itinerary:\n\`\`\`json\n${JSON.stringify({ bookings, total, feasible: true })}\n\`\`\``;

interface HeardBySeven {
  readonly role: string;
  readonly moment: string;
  readonly text: string;
}

/** An endpoint that plays the seven roles: plans by script, before the trip and after each event. */
async function startSeven(
  script: Readonly<Record<string, readonly (readonly TravelBookingFile[])[]>>,
) {
  const heard: HeardBySeven[] = [];
  const given = new Map<string, number>();
  const server = await startChatServer(({ body }: WireRequest) => {
    const text = body.messages.map(({ content }: { content: string }) => content).join('\n\n');
    const role = /You are the ([^.\n]+)\./.exec(text)?.[1] ?? 'planner';
    const moment = /It is (\S+) UTC/.exec(text)?.[1] ?? 'begin';
    heard.push({ role, moment, text });
    if (!['itinerary agent', 'saga coordinator', 'planner'].includes(role)) {
      return {
        kind: 'answer',
        text: role.includes('validation') || role.includes('budget') ? 'OK' : 'I know the offers.',
      };
    }
    const plans = script[moment] ?? [];
    const number = given.get(moment) ?? 0;
    given.set(moment, number + 1);
    const plan = plans[Math.min(number, plans.length - 1)];
    return { kind: 'answer', text: plan === undefined ? 'I have no plan.' : answerOf(plan) };
  });
  const planner = `openai-compatible:small@${server.url}/v1#structured=no,attempts=1`;
  return { planner, heard };
}

const faulty = best.filter(({ kind }) => kind !== 'train');

describe('a team of seven for trips', () => {
  it('gives each role what it needs, and not more', () => {
    const roles = tripRoles(trip, { kept: [], now: null });
    expect(roles.map(({ id }) => id)).toEqual([
      'flight',
      'hotel',
      'train',
      'itinerary',
      'budget',
      'validation',
      'saga',
    ]);
    const factsOf = (name: string) => roles.find(({ id }) => id === name)?.facts ?? '';
    for (const [one, others] of Object.entries({
      flight: ['hotel', 'train'],
      hotel: ['flight', 'train'],
      train: ['flight', 'hotel'],
    })) {
      expect(factsOf(one)).toContain(`\n${one} `);
      for (const other of others) expect(factsOf(one)).not.toContain(`\n${other} `);
    }
    const all = tripFacts(trip, { kept: [], now: null });
    for (const { offer } of best) expect(all).toContain(offer);
    expect(all).not.toContain([...trip.transports.values()].find(({ seats }) => seats === 0)?.id);
  });

  it('reads answers as models write them, and says what it cannot read', () => {
    const read = decodeTrip(trip, answerOf(best, 4770));
    expect(read.plan?.bookings.map(writeBooking)).toEqual(best);
    expect(read.claims).toEqual({ feasible: true, total: 477_000 });
    const loose = {
      bookings: [
        { type: 'Flight', id: best[0].offer.toLowerCase() },
        { kind: 'boat', offer: 'x' },
      ],
    };
    const other = decodeTrip(trip, JSON.stringify(loose));
    expect(other.plan?.bookings.map(({ offer }) => offer)).toEqual([best[0].offer]);
    expect(other.unread).toHaveLength(1);
    expect(decodeTrip(trip, 'Sorry.')).toMatchObject({
      plan: null,
      problem: expect.stringContaining('JSON'),
    });
  });

  it('repairs a plan with the least change', () => {
    const plan = {
      problem: trip.name,
      bookings: decodeTrip(trip, answerOf(faulty)).plan?.bookings ?? [],
      claimed: null,
    };
    const made = repairTravel(trip, plan, judgeTravel(trip, plan));
    expect(made && judgeTravel(trip, made.plan).valid).toBe(true);
    expect(made?.edits).toBeLessThanOrEqual(3);
    expect(repairTravel(trip, made?.plan ?? plan, { valid: true, violations: [] })).toMatchObject({
      edits: 0,
    });
  });

  it('is run in rounds with the judge, and recorded: alone, judged, repaired', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'travel-'));
    const out = join(directory, 'trips.jsonl');
    const { planner, heard } = await startSeven({ begin: [faulty, faulty, best] });
    const args = [
      'travel',
      'run',
      '--planner',
      planner,
      '--topology',
      'alas',
      '--rounds',
      '2',
      '--out',
      out,
      '--json',
    ];
    const { code, stdout } = await cli(args);
    expect(code).toBe(0);
    const [record] = JSON.parse(stdout).records;
    expect(record).toMatchObject({
      alone: { valid: false },
      judged: { valid: true, cost: 4920, gap_percent: 0 },
      repaired: { edits: 0, judged: { valid: true } },
      optimum: 4920,
      ending: 'accepted',
    });
    expect(record.rounds.map(({ valid }: { valid: boolean }) => valid)).toEqual([
      false,
      false,
      true,
    ]);
    expect(record.tokens.input).toBeGreaterThan(0);
    expect(heard.at(-1)?.text).toContain('departs from Cologne');
    expect(new Set(heard.map(({ role }) => role)).size).toBeGreaterThanOrEqual(6);
    const requests = heard.length;
    expect((await cli(args)).code).toBe(0);
    expect(heard).toHaveLength(requests);
    expect(readFileSync(out, 'utf8').trim().split('\n')).toHaveLength(1);
  });

  it('books a trip end to end, is disrupted, recovers, and is replayed with parity', async () => {
    const events = bundledTripEvents('train-strike').events;
    const service = await startTravelService(trip);
    const searched = await bookTrip(
      { store: createMemoryStore(), service: service.url },
      { problem: trip, events },
    );
    await service.stop();
    const after = searched.state?.agreed ?? [];
    const directory = mkdtempSync(join(tmpdir(), 'travel-'));
    const log = join(directory, 'trip.db');
    // At level 0 nothing fits: the team finds that out, too, in two rounds.
    const { planner, heard } = await startSeven({
      begin: [faulty, best],
      '2025-06-24T06:00': [best, best, after],
    });
    const book = ['travel', 'book', 'berlin-cologne', '--planner', planner, '--rounds', '1'];
    const { code, stdout } = await cli([
      ...book,
      '--events',
      'train-strike',
      '--log',
      log,
      '--json',
    ]);
    expect(code).toBe(0);
    const story = JSON.parse(stdout);
    expect(story).toMatchObject({ status: 'booked', bookings: { length: after.length } });
    const offers = story.bookings.map(({ offer }: { offer: string }) => offer).sort();
    expect(offers).toEqual(after.map(({ offer }) => offer).sort());
    expect(heard.some(({ text }) => text.includes('Booked already, keep it as it is'))).toBe(true);
    const requests = heard.length;
    const replayed = await cli(['travel', 'replay', log, '--json']);
    expect(JSON.parse(replayed.stdout)).toMatchObject({ parity: true });
    expect(heard).toHaveLength(requests);
  });

  it('is played from a cassette, and asks people where it finds nothing', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'travel-'));
    const file = join(directory, 'team.json');
    const remark = ['I know the offers.'];
    const cassette = (plan: string) => ({
      schema: 'alas-jssp/cassette@1',
      origin: 'handwritten',
      model: null,
      answers: {
        'agent/flight': remark,
        'agent/hotel': remark,
        'agent/train': remark,
        'agent/itinerary': [plan],
        'agent/saga': [plan],
        'validator/budget': ['OK'],
        'validator/validation': ['OK'],
      },
    });
    writeFileSync(file, JSON.stringify(cassette(answerOf(best))));
    const book = ['travel', 'book', 'berlin-cologne', '--planner', `cassette:${file}`, '--json'];
    const done = await cli(book);
    expect([done.code, JSON.parse(done.stdout).total]).toEqual([0, 4770]);
    writeFileSync(file, JSON.stringify(cassette(answerOf(faulty))));
    const waiting = await cli(book);
    expect([waiting.code, JSON.parse(waiting.stdout).status]).toEqual([1, 'waiting']);
  });
});

it('the cassette of the examples corrects its plan by the violations', async () => {
  const file = new URL('../../../../examples/teams/trip.cassette.json', import.meta.url).pathname;
  const run = ['travel', 'run', '--planner', `cassette:${file}`, '--topology', 'alas'];
  const { code, stdout } = await cli([...run, '--rounds', '2', '--json']);
  expect(code).toBe(0);
  const [record] = JSON.parse(stdout).records;
  expect(record.alone.valid).toBe(false);
  expect(record.judged).toMatchObject({ valid: true, cost: 4920 });
});

it('a plan of the search is a plan file', () => {
  expect(writeTravelPlan(planTravel(trip).found[0].plan).bookings).toEqual(best);
});
