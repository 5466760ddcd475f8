import { InputError } from '@alas-jssp/core/errors';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { EVENT_KINDS } from '../../src/disruption/event.js';
import { formatEvent, parseEvent } from '../../src/disruption/event-text.js';
import { messageOf } from '../jssp/formats/refusal.js';
import { arbitraryEvent } from './arbitraries.js';

describe('the short form', () => {
  test('counts jobs and steps from 1, machines from 0, and adds defaults', () => {
    expect(parseEvent('breakdown:machine=3,from=120,to=180')).toEqual({
      kind: 'breakdown',
      at: 120,
      machine: 3,
      from: 120,
      to: 180,
      resumable: true,
    });
    expect(parseEvent('duration:job=2,step=3,duration=80', { knownBy: 50 })).toEqual({
      kind: 'duration',
      at: 50,
      job: 1,
      step: 2,
      duration: 80,
    });
    expect(parseEvent('delay:job=Job1,until=40', { knownBy: 50 })).toMatchObject({
      at: 40,
      job: 0,
    });
    expect(
      parseEvent('arrival:name=a%2Cb%25,operations=0:29/Machine1:78,release=100,due=300,weight=2'),
    ).toEqual({
      kind: 'arrival',
      at: 100,
      job: {
        name: 'a,b%',
        operations: [
          { machine: 0, duration: 29 },
          { machine: 1, duration: 78 },
        ],
        release: 100,
        due: 300,
        weight: 2,
      },
    });
    const open = parseEvent('breakdown:machine=3,from=120');
    expect(open).toEqual({ kind: 'breakdown', at: 120, machine: 3, from: 120, resumable: true });
    expect(formatEvent(open)).toBe('breakdown:at=120,machine=3,from=120,resumable=true');
    const estimated = { ...open, to: 150, estimated: true } as const;
    expect(parseEvent(formatEvent(estimated))).toEqual(estimated);
    expect(parseEvent('arrival:at=7,operations=0:1')).toMatchObject({ job: { release: 7 } });
    expect(parseEvent('breakdown:machine=3,from=120,to=180', { knownBy: 90 }).at).toBe(90);
  });

  test('survives a round trip', () => {
    fc.assert(
      fc.property(arbitraryEvent, (event) => {
        expect(parseEvent(formatEvent(event))).toEqual(event);
      }),
      { numRuns: 500 },
    );
  });

  test.each([
    [
      'breakdwon:machine=3',
      'kind of the event "breakdwon:machine=3": this is "breakdwon"; did you mean breakdown?',
    ],
    [
      'breakdown:machine=3,from=120,to=120',
      'to of the event "breakdown:machine=3,from=120,to=120": this is 120; let it end after it begins',
    ],
    [
      'breakdown:machine=x,from=1,to=2',
      'machine of the event "breakdown:machine=x,from=1,to=2": this is "x"; give a machine like "Machine0"; machines count from 0',
    ],
    [
      'breakdown:from=1,to=2',
      'machine of the event "breakdown:from=1,to=2": this is missing; give a machine like "Machine0"; machines count from 0',
    ],
    [
      'breakdown:machine=1,from=1.5,to=2',
      'from of the event "breakdown:machine=1,from=1.5,to=2": this is 1.5; give a whole number from 0 to 1073741823',
    ],
    [
      'breakdown:machine=1,form=1,to=2',
      'the event "breakdown:machine=1,form=1,to=2": the key "form" is unknown; give an object with the keys kind, machine, from and, if need be, to, at, resumable, estimated',
    ],
    [
      'breakdown:at=5,machine=1,from=1,to=2',
      'at of the event "breakdown:at=5,machine=1,from=1,to=2": this is 5; let it become known when it begins or earlier',
    ],
    [
      'duration:job=0,step=1,duration=4',
      'job of the event "duration:job=0,step=1,duration=4": this is 0; give a job like "Job1"; jobs count from 1',
    ],
    [
      'duration:job=1,step=1,duration=4',
      'at of the event "duration:job=1,step=1,duration=4": this is missing; give the time at which it becomes known',
    ],
    [
      'duration:job=1,step=1',
      'duration of the event "duration:job=1,step=1": this is missing; give either a duration or a factor',
    ],
    [
      'restored:machine=1,machine=2',
      'the event "restored:machine=1,machine=2": machine is given twice; write it like breakdown:machine=3,from=120,to=180 (see docs/reference/disruption.md)',
    ],
    [
      'arrival:at=1,operations=0',
      'the event "arrival:at=1,operations=0": "0" is no operation; write operations=0:29/1:78',
    ],
    [
      'delay:job=1,at=9,until=8',
      'at of the event "delay:job=1,at=9,until=8": this is 9; let it become known when it ends or earlier',
    ],
  ])('%s is refused in one line', (text, message) => {
    expect(messageOf(() => parseEvent(text))).toBe(message);
  });

  test('never throws anything but an InputError, whatever it is given', () => {
    const key = fc.constantFrom(
      ...['machine', 'from', 'to', 'at', 'job', 'step', 'until', 'resumable', 'duration'],
      ...['factor', 'operations', 'name', 'release', 'due', 'weight', 'kind', '__proto__', 'x'],
    );
    const value = fc.oneof(
      fc.constantFrom('0', '1', '17', '-1', '1e999', 'true', 'Job1', '0:1/2:3', '%', '%2', ''),
      fc.string({ unit: 'binary', maxLength: 6 }),
    );
    const words = fc.array(fc.tuple(key, value), { maxLength: 6 });
    const almost = fc
      .tuple(fc.constantFrom(...EVENT_KINDS), words)
      .map(([kind, list]) => `${kind}:${list.map((pair) => pair.join('=')).join(',')}`);
    const damaged = fc
      .tuple(arbitraryEvent, fc.nat(), fc.nat(3), fc.constantFrom('', ',', '=', ':', '/', '-', '1'))
      .map(([event, place, cut, sign]) => {
        const text = formatEvent(event);
        const at = place % (text.length + 1);
        return text.slice(0, at) + sign + text.slice(at + cut);
      });
    let accepted = 0;
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), almost, damaged), (text) => {
        try {
          const event = parseEvent(text, { knownBy: 0 });
          accepted++;
          expect(parseEvent(formatEvent(event))).toEqual(event);
        } catch (error) {
          if (!(error instanceof InputError)) throw error;
          expect(error.code).toBe('bad_event');
        }
      }),
      { numRuns: 2000 },
    );
    expect(accepted).toBeGreaterThan(50);
  });
});
