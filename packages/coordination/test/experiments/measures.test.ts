import { describe, expect, it } from 'vitest';
import { measureRecord } from '../../src/experiments/measures.js';
import type { CoordinationRecord } from '../../src/index.js';
import { cliRecords } from './records.js';

describe('what a record shows of a model', () => {
  it('is what SagaLLM says of its tables 7, 8 and 9', async () => {
    const printed = await cliRecords([
      'run',
      '--planner',
      'papers',
      '--problem',
      'wedding-traffic',
    ]);
    const measured = printed.map((record) => {
      const experiment = { name: 'amnesia', condition: 'conversation' } as const;
      const { history, journeys, physical } = measureRecord({ ...record, experiment }, 'model');
      return [record.source, { history, journeys, physical }];
    });
    expect(Object.fromEntries(measured)).toEqual({
      // The alert changes nothing in the drive from the airport.
      'sagallm-table-7': { history: 1, journeys: 0, physical: 0 },
      // The past is rewritten.
      'sagallm-table-8': { history: 0, journeys: 0, physical: 0 },
      // What had been planned before is not printed.
      'sagallm-table-9': { history: null, journeys: null, physical: 1 },
    });
  });

  it('is the plan after repair, where that is asked for', async () => {
    const [record] = (
      await cliRecords(['run', '--planner', 'papers', '--problem', 'wedding-traffic'])
    ).filter(({ source }) => source === 'sagallm-table-7');
    const experiment = { name: 'amnesia', condition: 'slices' } as const;
    const measured = measureRecord({ ...record, experiment }, 'repaired');
    expect(measured).toMatchObject({ history: 1, journeys: 1, physical: 1 });
    const none: CoordinationRecord = { ...record, experiment, repaired: null };
    expect(measureRecord(none, 'repaired')).toMatchObject({
      history: 0,
      journeys: 0,
      physical: null,
    });
  });
});
