import { describe, expect, it } from 'vitest';
import { CHART_TEXTS } from '../../../../../../src/report/page/browser/gantt/chart-texts.js';
import { viewSchedule } from '../../../../../../src/report/page/views/schedule-view.js';
import { dispatch } from '../../../../../../src/search/construct/dispatch.js';
import { demoShop } from '../../../../src/demo/demo-shop.js';
import {
  type EventDraft,
  eventOf,
  newDraft,
} from '../../../../src/page/browser/forms/event-draft.js';
import { wordsOfShop } from '../../../../src/page/browser/live/shop-words.js';

const plan = dispatch(demoShop(), { rule: 'mwkr' });
const view = viewSchedule(plan.instance, plan);
const now = 200;
const words = wordsOfShop(view, now, CHART_TEXTS);
const draft = (part: Partial<EventDraft>) => ({
  ...newDraft('breakdown', view, words, { now }),
  ...part,
});
const event = (part: Partial<EventDraft>) => eventOf(draft(part), view, words, now);

describe('a draft of an event', () => {
  it('becomes an event by the names of the shop, which happens when it is reported', () => {
    expect(event({ machine: 2, downFor: 90 })).toEqual({
      kind: 'breakdown',
      machine: 'Lathe 2',
      to: 290,
      resumable: true,
    });
    expect(event({ machine: 2, downFor: null })).not.toHaveProperty('to');
    const [from, until] = ['2026-11-24T08:00', '2026-11-24T12:00'];
    expect(event({ kind: 'maintenance', machine: 2, from, until, resumable: false })).toEqual({
      kind: 'breakdown',
      machine: 'Lathe 2',
      ...{ from, to: until, resumable: false },
    });
    expect(event({ kind: 'restored', machine: 1 })).toMatchObject({ machine: 'Lathe 1' });
    expect(event({ kind: 'cancellation', job: 3 })).toMatchObject({ job: 'WO-4714' });
    const order = { name: ' WO-9 ', operations: [{ name: '', machine: 3, duration: 25 }], due: '' };
    expect(event({ kind: 'arrival', ...order })).toEqual({
      kind: 'arrival',
      job: { name: 'WO-9', operations: [{ machine: 'Mill', duration: 25 }], weight: 1 },
    });
  });

  it('is about operators and tools, and about other machines for an operation', () => {
    const reduced = { resource: [], from: [], to: [], amount: [] };
    const uses = { ...reduced, operation: [], isSetup: [] };
    const resources = { names: ['Ana', 'setters'], capacity: [1, 2], reduced, uses };
    const staffed = { ...view, resources };
    const missing = draft({ kind: 'capacity', resource: 1, left: 1, downFor: 60 });
    expect(eventOf(missing, staffed, words, now)).toEqual({
      ...{ kind: 'capacity', resource: 'setters', amount: 1, to: 260 },
    });
    expect(eventOf(missing, view, words, now)).toBeNull();
    const operation = plan.start.findIndex((start) => start > now);
    const job = plan.instance.jobOf[operation];
    const step = operation - plan.instance.jobOffset[job] + 1;
    const other = { kind: 'alternative', job, operation, machine: 2, longer: 45 } as const;
    expect(event(other)).toMatchObject({ step, machine: 'Lathe 2', duration: 45 });
    expect(event({ ...other, longer: null })).toBeNull();
  });

  it('makes an operation longer by what it works, not by the breaks in it', () => {
    for (let operation = 0; operation < plan.instance.operations; operation++) {
      if (plan.end[operation] <= now) continue;
      const job = plan.instance.jobOf[operation];
      expect(event({ kind: 'duration', job, operation, longer: 10 })).toMatchObject({
        step: operation - plan.instance.jobOffset[job] + 1,
        duration: plan.instance.duration[operation] + 10,
      });
    }
  });

  it('is no event while something is missing', () => {
    expect(event({ kind: 'delay', longer: null })).toBeNull();
    expect(event({ kind: 'duration', longer: null })).toBeNull();
    expect(event({ kind: 'maintenance', from: '2026-11-24T08:00' })).toBeNull();
    expect(
      event({ kind: 'arrival', operations: [{ name: '', machine: 0, duration: null }] }),
    ).toBeNull();
  });
});
