import { createReadStream, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { boundsFor, resolveSource } from '../../../src/jssp/suites.js';
import { checkProof } from '../../../src/validator/proof/check-proof.js';
import { proofLines } from '../../../src/validator/proof/proof-text.js';

const folder = 'results/reference/proofs';
const END = '.proof.gz';

it('the proofs of the repository are right, and prove the best known makespans', async () => {
  const [, ...rows] = readFileSync(join(folder, 'proofs.csv'), 'utf8').trim().split('\n');
  const files = readdirSync(folder).filter((file) => file.endsWith(END));
  expect(rows.map((row) => `${row.split(',')[0]}${END}`)).toEqual(files);
  expect(files.length).toBeGreaterThan(50);
  for (const [x, file] of files.entries()) {
    const instance = resolveSource(file.slice(0, -END.length)).load();
    const check = await checkProof(instance, proofLines(createReadStream(join(folder, file))));
    expect(check.problem, file).toBe(null);
    expect(check.bound, file).toBe(boundsFor(instance)?.upper);
    expect(rows[x].split(',').slice(1, 4).map(Number)).toEqual([
      check.bound,
      check.clauses,
      check.steps,
    ]);
  }
}, 120_000);
