import { describe, expect, it } from 'vitest';
import { isSchedule } from '../../src/jssp/plan.js';
import { resolveSource } from '../../src/jssp/suites.js';
import { createValueCodec } from '../../src/pipeline/codecs.js';
import { randomSchedule } from '../../src/search/construct/random-order.js';

describe('a logged schedule', () => {
  it.each(['ft06', 'mk01'])('of %s has its starts and its machines again', (name) => {
    const instance = resolveSource(name).load();
    const codec = createValueCodec(instance);
    const schedule = randomSchedule(instance, 7);
    const json = JSON.parse(JSON.stringify(codec.encode(schedule)));
    const again = codec.decode(json) as typeof schedule;
    expect(isSchedule(again)).toBe(true);
    expect(again.start).toEqual(schedule.start);
    expect(again.mode).toEqual(schedule.mode);
    expect(again.instance.machine).toEqual(schedule.instance.machine);
  });

  it('of a classic shop is a list of starts, as in every earlier log', () => {
    const instance = resolveSource('ft06').load();
    const schedule = randomSchedule(instance, 7);
    const json = createValueCodec(instance).encode(schedule);
    expect(json).toEqual({ $schedule: Array.from(schedule.start) });
  });
});
