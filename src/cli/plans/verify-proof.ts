import { InputError } from '@alas-jssp/core/errors';
import type { Instance } from '../../jssp/instance.js';
import { findBenchmark, type InstanceSource, resolveSource } from '../../jssp/suites.js';
import { columnsOf } from '../../report/columns.js';
import { counted, whole } from '../../report/format.js';
import { checkProof, type ProofCheck } from '../../validator/index.js';
import { knownBounds } from '../common/known-bounds.js';
import type { OutputOptions } from '../common/options.js';
import { print, remarkVerdict } from '../common/output.js';
import { proofHeader, readProofLines } from '../common/proof-files.js';
import { exitCode, type Session } from '../common/session.js';
import { printRows } from '../common/tables.js';

/** The characters of a name that are shown. */
const MAX_NAME = 80;

/** The result of a check, as JSON shows it. */
interface ProofVerification extends ProofCheck {
  readonly schema: 'alas-jssp/proof-verification@1';
  readonly proof: string;
  readonly instance: string;
}

interface Given {
  readonly instance?: string;
  readonly proof?: string;
}

/** Checks a proof of a bound, and prints the verdict. */
export async function verifyProof(
  session: Session,
  file: string,
  { instance: given, proof, format }: OutputOptions & Given,
): Promise<number> {
  if (proof !== undefined) {
    const hint = 'leave --proof out, or give a certificate first';
    throw new InputError('bad_option', 'this is a proof itself', hint, { file });
  }
  const { instance: name } = await proofHeader(file);
  const source = given === undefined ? benchmarkNamed(name, file) : resolveSource(given);
  const instance = source.load();
  const check = await checkProof(instance, readProofLines(file));
  const found: ProofVerification = {
    schema: 'alas-jssp/proof-verification@1',
    proof: file,
    instance: source.name,
    ...check,
  };
  const verdict = `${source.name}: ${verdictOf(check, instance)}`;
  if (format === 'table') await print(session, verdict);
  else await printRows(session, format, columns, [found], found);
  remarkVerdict(session, format, verdict);
  return check.valid ? exitCode.done : exitCode.no;
}

/** Only the user may name files. */
function benchmarkNamed(name: string, file: string): InstanceSource {
  const source = findBenchmark(name);
  if (source !== undefined) return source;
  throw new InputError(
    'bad_proof',
    `this proof is for ${name.slice(0, MAX_NAME)}, which is no benchmark`,
    'name the file of its instance with --instance',
    { file },
  );
}

function verdictOf({ valid, bound, problem, clauses, steps }: ProofCheck, instance: Instance) {
  if (!valid) return `not proven, ${problem}`;
  const size = `${counted(clauses, 'clause')}, ${counted(steps, 'step')}`;
  const isBest = knownBounds(instance).upperBound?.value === bound;
  const best = isBest ? ', which is the best known makespan' : '';
  return `proven, no schedule ends before ${bound}${best} (${size})`;
}

const column = columnsOf<ProofVerification>();
const columns = [
  column('instance'),
  column('valid'),
  column('bound'),
  column('clauses', whole),
  column('steps', whole),
  column('problem'),
];
