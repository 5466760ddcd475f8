import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  bundledPlan,
  bundledProblem,
  type CoordinationRecord,
  formatCoordinationRecord,
  readCoordinationRecords,
  readPlan,
  readProblem,
  writePlan,
} from '../../src/index.js';

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'records-'));
});
afterAll(() => rmSync(directory, { recursive: true }));

const file = (text: string) => {
  const path = join(directory, 'run.jsonl');
  writeFileSync(path, text);
  return path;
};

const { facts } = bundledProblem('wedding');
const plan = JSON.parse(JSON.stringify(writePlan(bundledPlan('wedding'))));
const record = {
  schema: 'alas-coordination/run@1',
  ...{ problem: 'wedding', facts, past: null, planner: 'papers', source: null, replicate: 0 },
  ...{ experiment: null, bound: 115, claimed: { feasible: true, km: null, finish: '15:00' } },
  ...{ answer: null, plan, judged: null, repaired: null, tokens: { input: 0, output: 0 } },
  ...{ cost_usd: 0, seconds: { plan: 0, repair: 0 }, error: null },
} as CoordinationRecord;

describe('a file of records', () => {
  it('is read as it was written, with problem and plan', () => {
    const [read] = readCoordinationRecords(file(formatCoordinationRecord(record)));
    expect(read.claimed).toEqual({ feasible: true, km: null, finish: '15:00' });
    expect(readProblem(read.facts)).toEqual(readProblem(facts));
    expect(readPlan(read.plan)).toEqual(bundledPlan('wedding'));
  });

  it('may end in a line that is cut off', () => {
    const line = formatCoordinationRecord(record);
    expect(readCoordinationRecords(file(line + line.slice(0, 100)))).toHaveLength(1);
  });

  it.each([
    ['no_records', ''],
    ['bad_json', `${formatCoordinationRecord(record)}{\n`],
    [
      'bad_record',
      `${formatCoordinationRecord(record)}${JSON.stringify({ ...record, bound: '115' })}\n`,
    ],
    ['duplicate_record', formatCoordinationRecord(record).repeat(2)],
  ])('is refused as %s, with the line', (code, text) => {
    expect(() => readCoordinationRecords(file(text))).toThrow(expect.objectContaining({ code }));
    if (code === 'no_records') return;
    expect(() => readCoordinationRecords(file(text))).toThrow(/run\.jsonl.*:2/);
  });
});
