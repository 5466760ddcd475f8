import { deriveSeedBy } from '../../../src/core/random.js';
import { compileGuard } from '../../../src/workflow/ir/guard/guard.js';

/** Parts of the interpreter that would notice where they run: evaluates a guard, derives a seed. */
export async function probe(digest: (text: string) => string): Promise<unknown> {
  const guard = compileGuard('$count($input.jobs[n > 1]) = 2', { variables: { input: true } });
  const holds = await guard.evaluate({ input: { jobs: [{ n: 1 }, { n: 2 }, { n: 3 }] } });
  const failure = await compileGuard('$input.n', { variables: { input: true } })
    .evaluate({ input: { n: { a: 1 } } })
    .catch((error) => error.message);
  return { holds, failure, seed: deriveSeedBy(digest, ['backoff', 'r1', 'pay', 2]) };
}
