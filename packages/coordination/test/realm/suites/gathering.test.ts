import { describe, expect, it } from 'vitest';
import { readDinner, readWedding } from '../../../src/realm/day/read-gathering.js';

const WEDDING = {
  instance_id: 'p5_example',
  locations: { A: 'Airport', G: 'Gift shop', W: 'Wedding venue' },
  travel_times: { 'A-G': 20, 'A-W': 30, 'G-W': 15 },
  guests: [
    { name: 'Ann', location: 'A', arrival_time: '11:00', needs_ride: true },
    { name: 'Ben', location: 'W', arrival_time: '10:00', has_car: true, car_capacity: 5 },
  ],
  vehicles: [{ id: 'van', capacity: 8, location: 'hotel' }],
  errands: ['cake'],
  constraints: { wedding_deadline: '18:00', gift_store_opens: '12:00', photo_time: '13:00' },
};
const WEDDING_FACTS = {
  'travel-times': '10',
  errands: 'cake:G',
  'errand-minutes': '15',
  goals: 'photos',
};
const DINNER = {
  instance_id: 'p9_example',
  vehicles: [
    { id: 'car1', capacity: 4, location: 'home' },
    { id: 'car2', capacity: 4, location: 'airport' },
  ],
  cooking_tasks: ['turkey', 'gravy', 'dessert'],
  family_members: [
    { id: 'mom', skills: ['turkey', 'gravy'], arrival: 'home', flight: null },
    { id: 'dad', skills: ['dessert'], arrival: 'airport', flight: 'f1' },
  ],
  flights: { f1: { arrival_time: '15:00', airport: 'JFK' } },
  cooking_dependencies: [
    ['turkey', 'gravy'],
    ['gravy', 'sauce'],
  ],
  constraints: { dinner_deadline: '18:00', max_cooks: 2, kitchen_capacity: 3 },
  disruptions: [{ type: 'flight_delay', flight: 'f1', delay: 60 }],
};
const DINNER_FACTS = {
  'travel-times': '40',
  'task-minutes': 'turkey:240/gravy:20/dessert:25',
  cooks: 'anyone',
  'unknown-tasks': 'drop',
  goals: 'dinner',
};

describe('a wedding (P5, P8)', () => {
  it('is refused with each gap and the completion that closes it', () => {
    const { problem, refused } = readWedding(WEDDING, undefined, { goals: 'photos' });
    expect(problem).toBeNull();
    expect(refused).toEqual([
      {
        code: 'place_without_travel',
        message: "no travel time leads to or from 'hotel', where van is: --complete travel-times=…",
      },
      {
        code: 'errand_without_place',
        message: 'errands without place or minutes: cake: --complete errands=…,errand-minutes=…',
      },
    ]);
  });

  it('is planned with what the user states: by hand, the van fetches cake and guest for 55 minutes', async () => {
    const { problem, completed } = readWedding(WEDDING, undefined, WEDDING_FACTS);
    expect(completed).toEqual(WEDDING_FACTS);
    const found = await problem?.search();
    // Ben drives for Ann (30) and both by the shop (20 + 15): 65. The van to the airport (10), the shop and back: 45.
    // Ben to the shop and back is 30, and the van for Ann 10 + 30: 70. So the van alone: Ann does the errand.
    expect(found).toMatchObject({ status: 'optimal', cost: 45 });
    expect(problem?.judge(found?.plan)).toMatchObject({ valid: true, cost: 45 });
  });

  it('has disruptions at places by another name, and refuses roads that are not there', () => {
    const closed = { type: 'road_closure', start_time: '11:00', duration: 40 };
    const known = { ...WEDDING, disruptions: [{ ...closed, route: 'hotel-airport' }] };
    const { problem, contradictions } = readWedding(known, undefined, WEDDING_FACTS);
    expect(contradictions).toEqual([
      { code: 'read_as', message: "'airport' is read as A (Airport)" },
    ]);
    expect(problem?.events.map(({ text, at }) => [text, at])).toEqual([
      ['11:00: A to hotel, hotel to A is closed', '11:00'],
    ]);
    const unknown = { ...WEDDING, disruptions: [{ ...closed, route: 'hotel-moon' }] };
    expect(readWedding(unknown, undefined, WEDDING_FACTS).refused).toMatchObject([
      { code: 'unknown_place' },
    ]);
  });

  it.each([
    [{ goals: 'party' }, "'party' is unknown"],
    [{ errands: 'cake:moon' }, "'moon' is unknown"],
    [{ errands: 'song:G' }, "'cake' is missing"],
    [{ 'travel-times': 'long' }, "'long' is no number"],
  ])('refuses the completion %j', (bad, problem) => {
    const given = { ...WEDDING_FACTS, ...bad };
    expect(() => readWedding(WEDDING, undefined, given)).toThrow(problem);
  });
});

describe('a dinner (P6, P9)', () => {
  it('is planned with what the user states, and again after a delayed flight', async () => {
    const { problem } = readDinner(DINNER, undefined, DINNER_FACTS);
    const first = await problem?.search();
    expect(first).toMatchObject({ status: 'optimal', cost: 40 });
    const event = problem?.events[0];
    expect(event).toMatchObject({ at: '14:00', text: '14:00: dad is there from 16:00 only' });
    const after = event?.apply(first?.plan);
    const second = await after?.search();
    expect(second).toMatchObject({ status: 'optimal', cost: 40 });
    expect(after?.judge(second?.plan)).toMatchObject({ valid: true });
    // The first plan drives home at 15:00: it cannot be kept.
    const drives = (plan: unknown) =>
      (plan as { actions: { do: string; start: string }[] }).actions
        .filter((one) => one.do === 'drive')
        .map(({ start }) => start);
    expect(drives(second?.plan).every((start) => start >= '16:00')).toBe(true);
  });

  it('has no plan if the flight is so late that the dessert is not done by dinner', async () => {
    const late = { ...DINNER, disruptions: [{ type: 'flight_delay', flight: 'f1', delay: 116 }] };
    const { problem } = readDinner(late, undefined, DINNER_FACTS);
    const first = await problem?.search();
    const after = problem?.events[0].apply(first?.plan);
    expect(await after?.search()).toMatchObject({ status: 'infeasible', plan: null });
  });

  it('is refused with what is missing', () => {
    const { refused } = readDinner(DINNER, undefined, { 'travel-times': '40' });
    expect(refused.map(({ code }) => code)).toEqual([
      'task_without_minutes',
      'unknown_task',
      'unsaid_goal',
    ]);
  });
});
