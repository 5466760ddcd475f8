import { describe, expect, it } from 'vitest';
import { demoShop } from '../../../packages/service/src/demo/demo-shop.js';
import { applyEvents } from '../../../src/disruption/apply-events.js';
import { createCalendar, listDowntimes } from '../../../src/jssp/calendar.js';
import { writeInstanceJson } from '../../../src/jssp/formats/instance-json.js';
import { parseInstance } from '../../../src/jssp/formats/read-instance.js';
import { type Instance, replaceInstance } from '../../../src/jssp/instance.js';
import { shareInstance } from '../../../src/jssp/share-instance.js';
import { remainderOf } from '../../../src/lcrp/phases/remainder.js';
import { dispatch } from '../../../src/search/index.js';
import { validate } from '../../../src/validator/index.js';

const shop = demoShop();
/** Four weeks in minutes. */
const until = 28 * 24 * 60;
const schedule = dispatch(shop, { rule: 'spt' });

/** The shop with shifts that end before the work does. */
const { calendar } = shop;
const short: Instance = replaceInstance(shop, { calendar: calendar && { ...calendar, until: 60 } });

describe('the time up to which shifts are known', () => {
  it('is in imported instances, and in files as a date', () => {
    expect(shop.calendar?.until).toBe(until);
    const text = writeInstanceJson(shop);
    expect(JSON.parse(text)).toMatchObject({ shifts_until: '2026-12-21T06:00:00+01:00' });
    expect(readBack(text).calendar).toEqual(shop.calendar);
    expect(writeInstanceJson(readBack(text))).toBe(text);
    const numbered = replaceInstance(shop, { names: null, timeScale: null });
    expect(readBack(writeInstanceJson(numbered))).toEqual(numbered);
  });

  it('is not written if it is unknown', () => {
    const others = calendar && createCalendar(shop.machines, listDowntimes(calendar));
    const text = writeInstanceJson(replaceInstance(shop, { calendar: others }));
    expect(text).not.toContain('shifts_until');
    expect(readBack(text).calendar).toEqual(others);
  });

  it('goes along to threads, with events and orders that arrive, and to what is left to do', () => {
    const arrival = {
      kind: 'arrival',
      job: { operations: [{ machine: 0, duration: 5 }] },
    } as const;
    const down = { kind: 'breakdown', machine: 1, from: 30, to: 90 } as const;
    const applied = applyEvents(schedule, [arrival, down], 30);
    expect(applied.instance.jobs).toBe(shop.jobs + 1);
    expect(applied.instance.calendar?.until).toBe(until);
    expect(remainderOf(applied.instance).instance.calendar?.until).toBe(until);
    expect(shareInstance(shop).calendar?.until).toBe(until);
  });

  it('is warned of by the validator where a plan goes beyond it, and only there', () => {
    expect(validate(shop, schedule).warnings).toEqual([]);
    expect(validate(short, dispatch(short, { rule: 'spt' })).warnings).toEqual([
      {
        code: 'after_shifts',
        message: expect.stringMatching(
          /^shifts are known until Mon 23 Nov 07:00: work after it, up to \w+ \d+ Nov [\d:]+, is planned day and night; import again with a later --horizon$/,
        ),
      },
    ]);
  });

  it.each([
    ['"soon"', /\$\.shifts_until: .*give/],
    ['-1', /\$\.shifts_until: .*give a whole number/],
    ['"2026-11-22T06:00"', /\$\.shifts_until: .*epoch/],
  ])('is refused with its place if it is %s', (value, message) => {
    const text = writeInstanceJson(shop).replace(
      /"shifts_until":"[^"]*"/,
      `"shifts_until":${value}`,
    );
    expect(() => readBack(text)).toThrow(message);
  });
});

function readBack(text: string): Instance {
  return parseInstance(new TextEncoder().encode(text), { name: 'workshop' });
}
