import { describe, expect, it } from 'vitest';
import { judge } from '../../src/judge/judge.js';
import { parseClock } from '../../src/model/clock.js';
import type { Action, Drive } from '../../src/model/plan.js';
import { bundledPlan, bundledProblem } from '../../src/papers/bundled.js';

const problem = bundledProblem('wedding-traffic');
const before = bundledPlan('wedding');
const [there, toTailor] = before.actions as Drive[];
const past = { plan: before, now: parseClock('13:00') };

/** Codes of violations that are about the past, at 13:00, ten minutes into the drive to the tailor. */
function faultsOf(...actions: readonly Action[]): string[] {
  const { violations } = judge(problem, { problem: problem.name, actions, claims: {} }, past);
  const about = ['past_rewritten', 'past_invented', 'too_fast', 'not_there', 'unknown_name'];
  return violations.map(({ code }) => code).filter((code) => about.includes(code));
}

const at = (drive: Drive, to: string, end: string): Drive => ({
  ...drive,
  to,
  end: parseClock(end),
});
const onward = (from: string, to: string, start: string, end: string): Drive => ({
  ...toTailor,
  ...{ from, to, start: parseClock(start), end: parseClock(end) },
});

describe('a drive that is under way', () => {
  it('goes on to where it was going, and arrives later', () => {
    expect(faultsOf(there, at(toTailor, 'T', '14:00'))).toEqual([]);
    expect(faultsOf(there, at(toTailor, 'T', '13:59'))).toEqual(['too_fast']);
  });

  it('goes elsewhere from a point of its road: back takes as long as it took, in the traffic of now', () => {
    const turns = at(toTailor, 'B>T@10', '13:00');
    expect(faultsOf(there, turns, onward('B>T@10', 'B', '13:00', '13:30'))).toEqual([]);
    expect(faultsOf(there, turns, onward('B>T@10', 'B', '13:00', '13:29'))).toEqual(['too_fast']);
    expect(faultsOf(there, turns, onward('B>T@10', 'W', '13:00', '14:15'))).toEqual([]);
    expect(faultsOf(there, turns, onward('B>T@10', 'W', '13:00', '14:14'))).toEqual(['too_fast']);
  });

  it('is not said to have been on another road', () => {
    const rewritten = ['past_rewritten', 'past_invented'];
    expect(faultsOf(there, at(toTailor, 'W', '14:30'))).toEqual(rewritten);
    expect(faultsOf(there, at(toTailor, 'B>W@10', '13:00'))).toEqual(rewritten);
    expect(faultsOf(there, { ...at(toTailor, 'T', '14:00'), with: [] })).toEqual(rewritten);
  });

  it('does not end before now, nor vanish', () => {
    expect(faultsOf(there, at(toTailor, 'B>T@5', '12:55'))).toEqual([
      'past_rewritten',
      'past_invented',
    ]);
    expect(faultsOf(there)).toEqual(['past_rewritten']);
  });
});

describe('what has ended', () => {
  it('stays as it was', () => {
    const rewritten = ['past_rewritten', 'past_invented'];
    expect(faultsOf(at(there, 'B', '12:45'), at(toTailor, 'T', '14:00'))).toEqual(rewritten);
  });

  it('is told as it was also where somebody was in it twice', () => {
    const drive: Drive = { ...there, with: ['alex', 'alex'] };
    const twice = { plan: { ...before, actions: [drive] }, now: past.now };
    const now = { ...before, actions: [{ ...drive, with: ['alex', 'jamie'] }], claims: {} };
    const codes = judge(problem, now, twice).violations.map(({ code }) => code);
    expect(codes).toEqual(expect.arrayContaining(['past_rewritten', 'past_invented']));
  });
});
