import { describe, expect, it } from 'vitest';
import { severities } from '../../../src/disruption/injectors/parameters.js';
import { parseParameters } from '../../../src/disruption/injectors/parameters-text.js';
import { messageOf } from '../../jssp/formats/refusal.js';

describe('parseParameters', () => {
  it('knows the severities by name', () => {
    for (const [name, numbers] of Object.entries(severities)) {
      expect(parseParameters(name)).toEqual(numbers);
    }
  });

  it('injects the kinds that are named, with the numbers of medium where none are given', () => {
    expect(parseParameters('breakdowns:mtbf=0.5,mttr=0.05+delays')).toEqual({
      breakdowns: { mtbf: 0.5, mttr: 0.05, resumable: 0.8 },
      delays: severities.medium.delays,
    });
    expect(parseParameters('durations:distribution=uniform').durations).toEqual({
      rate: 0.15,
      distribution: 'uniform',
      spread: 0.2,
    });
    expect(parseParameters('absences:mttr=0.1+alternatives')).toEqual({
      absences: { mtbf: 2, mttr: 0.1 },
      alternatives: { rate: 0.1, factor: 1.2 },
    });
  });

  it.each([
    ['medum', '"medum" cannot be injected; did you mean medium?'],
    [
      'light+delays',
      '"light" cannot be injected; use one of breakdowns, durations, arrivals, delays, absences, alternatives',
    ],
    ['breakdowns:mtbf=-1', 'breakdowns.mtbf: this is -1; '],
    ['breakdowns:mtfb=1', 'breakdowns: the key "mtfb" is unknown; give mtbf, mttr, resumable'],
    ['durations:rate=2', 'durations.rate: this is 2; '],
    ['durations:rate=lots', 'durations.rate: this is "lots"; give a share from 0 to 1'],
    ['delays:0.1', '"0.1" is no key=value; write it like breakdowns:mtbf=0.5'],
    ['delays:', '"" is no key=value; '],
    ['delays:rate=', '"rate=" is no key=value; '],
    ['delays+delays', 'delays is given twice; '],
    ['delays:rate=0,rate=1', 'rate is given twice; '],
  ])('refuses %s', (text, words) => {
    expect(messageOf(() => parseParameters(text))).toContain(`the disruption '${text}': ${words}`);
  });
});
