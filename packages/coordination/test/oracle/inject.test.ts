import { describe, expect, it } from 'vitest';
import { judge } from '../../src/judge/judge.js';
import { VIOLATION_CODES } from '../../src/judge/violation.js';
import { faultKeys } from './faults.js';
import { randomCase } from './generate.js';
import { inject } from './inject.js';
import { findFaults } from './oracle.js';
import { randomOf } from './random.js';

const INJECTIONS = 20;

describe.each(VIOLATION_CODES)('%s', (code) => {
  it(`is found each of ${INJECTIONS} times that it is put into a valid plan, and nothing is invented`, () => {
    let injected = 0;
    for (let seed = 0; injected < INJECTIONS && seed < 2000; seed++) {
      const fault = inject(randomOf(seed), randomCase(seed), code);
      if (fault === null) continue;
      injected++;
      const { problem, plan, past, expected } = fault;
      const found = faultKeys(judge(problem, plan, past).violations);
      expect(found, `seed ${seed}`).toContain(expected);
      expect(found, `seed ${seed}`).toEqual(faultKeys(findFaults(problem, plan, past)));
    }
    expect(injected).toBe(INJECTIONS);
  });
});
