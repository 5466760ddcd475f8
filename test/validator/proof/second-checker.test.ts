import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Instance } from '../../../src/jssp/instance.js';
import { checkProof } from '../../../src/validator/proof/check-proof.js';
import { arbitrarySmall } from '../../search/bounds/learning/arbitrary-small.js';
import { type Change, leastOf, proofOf, tamper } from './proofs.js';

/** A campaign: `ALAS_JSSP_PROOF_CASES=20000`. */
const cases = Number(process.env.ALAS_JSSP_PROOF_CASES ?? 150);
const CHECKER = 'packages/lab/peers/check_proof.py';
const hasPython = spawnSync('python3', ['--version']).status === 0;

const arbitraryChanges = fc.array(
  fc.record({ place: fc.nat(), kind: fc.nat(3), word: fc.nat(), to: fc.nat(45) }),
  { maxLength: 2 },
);

function jobsOf({ jobs, jobOffset, machine, duration }: Instance): number[][][] {
  return Array.from({ length: jobs }, (_, job) => {
    const first = jobOffset[job];
    const length = jobOffset[job + 1] - first;
    return Array.from({ length }, (_, step) => [machine[first + step], duration[first + step]]);
  });
}

it.skipIf(!hasPython)(
  'a checker in Python that was written from the format says the same of proofs, right and tampered with',
  async () => {
    const samples = fc.sample(fc.tuple(arbitrarySmall(), arbitraryChanges), cases);
    const lines: string[] = [];
    const ours: (number | null)[] = [];
    for (const [instance, changes] of samples) {
      const proof = await proofOf(instance, leastOf(instance));
      for (const change of changes as Change[]) tamper(proof, change);
      const { valid, bound } = await checkProof(instance, proof);
      ours.push(valid ? bound : null);
      const { machines } = instance;
      lines.push(JSON.stringify({ jobs: jobsOf(instance), machines, proof: proof.join('\n') }));
    }
    const { stdout } = spawnSync('python3', [CHECKER, '--json'], {
      input: `${lines.join('\n')}\n`,
      encoding: 'utf8',
      maxBuffer: 2 ** 28,
    });
    const theirs = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).bound);
    expect(theirs).toEqual(ours);
    expect(ours.filter((bound) => bound !== null).length).toBeGreaterThan(cases / 4);
    expect(ours).toContain(null);
  },
  60_000 + 100 * cases,
);
