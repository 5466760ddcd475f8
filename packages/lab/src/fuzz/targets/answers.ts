// Decoders of answers of models, certificates, proofs and records.
import { readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { decodeJson } from '@alas-jssp/agents';
import { decodeAnswer, readProblem, readRealm, readTravel } from '@alas-jssp/coordination';
import { readRecords } from 'alas-jssp/harness';
import { decodePlan } from 'alas-jssp/internal/lab';
import { parseInstance } from 'alas-jssp/jssp';
import { dispatch } from 'alas-jssp/search';
import {
  checkProof,
  createCertificate,
  proofLines,
  validate,
  verifyCertificate,
} from 'alas-jssp/validator';
import * as z from 'zod';
import type { FuzzTarget } from '../target.js';
import { ft06 } from './shops.js';

const text = (...lines: readonly string[]) => ({ text: lines.join('\n') });
const textOf = (input: Uint8Array) => new TextDecoder().decode(input);

export const answerTarget: FuzzTarget = {
  name: 'answer',
  seeds: [
    { file: 'examples/five-by-three/plan.json' },
    text(
      '| Job | Step | Machine | Start | End |',
      '|---|---|---|---|---|',
      '| Job1 | 1 | 2 | 0 | 1 |',
      '| Job2 | 1 | 1 | 0 | 8 |',
      'makespan: 55',
    ),
    text(
      'Job 1: (M2, 0-1) -> (M0, 1-4) -> (M1, 8-14)',
      'Job 2: M1 from 0 to 8',
      '',
      'Total makespan = 55',
    ),
    text(
      'Machine0: Job1, Job4, Job3',
      'Machine1: Job2 -> Job4',
      'Agent 2:',
      '```json',
      '{"schedule": [{"job": "Job1", "step": 1, "start": 0, "end": 1,}, ...]}',
      '```',
    ),
    text('job,step,machine,start,end,duration', '1,1,2,0,1,1', '2,1,1,0,8,8'),
    text("schedule = [{'job': 'Job1', 'step': 1, 'machine': 'Machine2', 'start': 0, 'end': 1}]"),
    text(
      '1. **Job 3**, operation 2 (machine 3, 4 hours): t=5..9',
      '2. J2-O1 @ M1 [0, 8)',
      'Step 3: start 8 end 13',
    ),
  ],
  run: (input) => {
    const answer = textOf(input);
    decodePlan(answer);
    validate(ft06, decodePlan(answer, ft06).plan);
  },
};

const shape = z.object({ name: z.string(), n: z.number(), list: z.array(z.string()).optional() });

export const objectTarget: FuzzTarget = {
  name: 'answer-object',
  seeds: [
    text(
      '<think>let me see</think>Sure: ```json',
      '{name: \'a\', "n": 1, // ok',
      '"list": ["x", "y",],}',
      '```',
    ),
    text('{"name":"a","n":2} and {"name":"b","n":3}'),
    text('{"name":"a\\u0041","n":-1.5e3,"list":[]'),
  ],
  run: (input) => {
    decodeJson(textOf(input), shape);
  },
};

const ride = readProblem(
  JSON.parse(readFileSync('packages/coordination/problems/ride-sharing.json', 'utf8')),
);

export const coordinationTarget: FuzzTarget = {
  name: 'coordination',
  seeds: [
    { file: 'packages/coordination/problems/ride-sharing.json' },
    { file: 'packages/coordination/problems/wedding.json' },
    text('| time | vehicle | from | to |', '|---|---|---|---|', '| 08:00 | v1 | Home | Airport |'),
    text('8:00 AM: James drives from Home to Airport (30 min)', 'Total: 55 km'),
    text(
      '{"actions":[{"type":"drive","vehicle":"k1","from":"A","to":"B","start":"08:00","end":"08:30"}]}',
    ),
  ],
  run: (input) => {
    const answer = textOf(input);
    decodeAnswer(ride, answer);
    let value: unknown;
    try {
      value = JSON.parse(answer);
    } catch {
      return;
    }
    for (const read of [readProblem, readRealm, readTravel]) {
      try {
        read(value);
      } catch (error) {
        if (read === readTravel) throw error;
        if (!isRefusal(error)) throw error;
      }
    }
  },
};

function isRefusal(error: unknown): boolean {
  return error instanceof Error && 'code' in error && 'problem' in error;
}

const certificate = createCertificate(dispatch(ft06, { rule: 'mwkr' }), {
  upperBound: { value: 55, source: 'a paper' },
  createdWith: { package: 'alas-jssp', version: '1.0.0' },
});

export const certificateTarget: FuzzTarget = {
  name: 'certificate',
  seeds: [{ text: JSON.stringify(certificate) }],
  run: (input) => {
    let value: unknown;
    try {
      value = JSON.parse(textOf(input));
    } catch {
      return;
    }
    for (const problem of verifyCertificate(value, ft06).problems) {
      if (/[\n\r]/.test(problem)) throw new Error('a problem has more than a line');
    }
  },
};

const la03 = parseInstance(readFileSync('benchmarks/la/la03.txt'), { name: 'la03' });
const proof = gunzipSync(readFileSync('results/reference/proofs/la03.proof.gz')).toString();

export const proofTarget: FuzzTarget = {
  name: 'proof',
  seeds: [
    { text: proof.split('\n').slice(0, 60).join('\n') },
    { text: proof.split('\n').slice(0, 12).join('\n') },
  ],
  run: async (input) => {
    const { problem } = await checkProof(la03, proofLines([input]));
    if (problem?.includes('\n')) throw new Error('the problem has more than a line');
  },
};

const file = join(tmpdir(), `fuzz-records-${process.pid}.jsonl`);

export const recordsTarget: FuzzTarget = {
  name: 'records',
  seeds: [{ text: firstRecords() }],
  run: (input) => {
    writeFileSync(file, input);
    readRecords(file);
  },
};

function firstRecords(): string {
  return readFileSync('results/reference/lab/records.jsonl', 'utf8')
    .split('\n')
    .slice(0, 2)
    .join('\n');
}
