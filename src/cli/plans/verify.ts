import { readBytes } from '@alas-jssp/core/bytes';
import { InputError } from '@alas-jssp/core/errors';
import { parseJson } from '@alas-jssp/core/json-text';
import { laterVersionHint } from '@alas-jssp/core/later-version';
import { Command } from 'commander';
import { findBenchmark, type InstanceSource, resolveSource } from '../../jssp/suites.js';
import { columnsOf } from '../../report/columns.js';
import { CERTIFICATE_SCHEMAS } from '../../validator/certificate.js';
import {
  type CertificateCheck,
  checkProof,
  type ProofCheck,
  verifyCertificate,
} from '../../validator/index.js';
import { knownBounds } from '../common/known-bounds.js';
import { type OutputOptions, withOutput } from '../common/options.js';
import { print, remarkVerdict } from '../common/output.js';
import { isProofFile, readProofLines } from '../common/proof-files.js';
import { exitCode, type Session } from '../common/session.js';
import { printRows } from '../common/tables.js';
import { verifyProof } from './verify-proof.js';

interface Options extends OutputOptions {
  instance?: string;
  proof?: string;
}

/** `alas-jssp verify`: checks a certificate or a proof again, using only the instance. */
export function verifyCommand(session: Session): Command {
  return withOutput(session, new Command('verify'))
    .argument('<certificate>', 'file of alas-jssp validate --certificate or alas-jssp prove')
    .option(
      '--instance <instance>',
      'instance of the certificate if it is no benchmark: name or file',
    )
    .option('--proof <file>', 'proof of the lower bound of the certificate, of alas-jssp prove')
    .addHelpText(
      'after',
      `
Exit code 0 if all claims of the certificate are true, 1 if not. With a proof
of the same value, it says whether the schedule is optimal.

Examples:
  $ alas-jssp verify ft06.certificate.json
  $ alas-jssp verify my-shop.certificate.json --instance my-shop.json
  $ alas-jssp verify ft10.proof.gz
  $ alas-jssp verify ft10.certificate.json --proof ft10.proof.gz`,
    )
    .action(async (file: string, options: Options) => {
      session.exitCode = (await isProofFile(file))
        ? await verifyProof(session, file, options)
        : await verify(session, file, options);
    });
}

/** The result of a check, as JSON shows it. */
interface Verification extends Omit<CertificateCheck, 'optimality'> {
  readonly schema: 'alas-jssp/verification@1';
  readonly certificate: string;
  readonly instance: string;
  /** The makespan that the certificate states; null if it is no number. */
  readonly makespan: number | null;
  /** As `verifyCertificate` says, or `proof` if the proof says that nothing is shorter. */
  readonly optimality: CertificateCheck['optimality'] | 'proof';
  /** The check of the proof; null if none is given. */
  readonly proof: ProofCheck | null;
}

async function verify(session: Session, file: string, options: Options): Promise<number> {
  const certificate = parseJson(readBytes(file), file);
  const { name, makespan } = summaryOf(certificate, file);
  const source =
    options.instance === undefined ? benchmarkOf(name, file) : resolveSource(options.instance);
  const instance = source.load();
  const check = verifyCertificate(certificate, instance, knownBounds(instance));
  const proof =
    options.proof === undefined ? null : await checkProof(instance, readProofLines(options.proof));
  const valid = check.valid && (proof?.valid ?? true);
  const isProven = valid && proof !== null && proof.bound === makespan;
  const found: Verification = {
    schema: 'alas-jssp/verification@1',
    certificate: file,
    instance: source.name,
    makespan,
    valid,
    problems: [...check.problems, ...(proof?.problem ? [`the proof: ${proof.problem}`] : [])],
    optimality: isProven ? 'proof' : valid ? check.optimality : 'none',
    proof,
  };
  const { format } = options;
  const verdict = verdictOf(found);
  if (format === 'table') {
    await print(session, [verdict, ...found.problems.map((one) => `  ${one}`)].join('\n'));
  } else await printRows(session, format, columns, [found], found);
  remarkVerdict(session, format, verdict);
  return found.valid ? exitCode.done : exitCode.no;
}

/** The instance and makespan that a certificate states, unchecked; refuses other documents. */
function summaryOf(
  certificate: unknown,
  file: string,
): { name: string | undefined; makespan: number | null } {
  const { schema, instance, makespan } = (certificate ?? {}) as {
    schema?: unknown;
    instance?: { name?: unknown } | null;
    makespan?: unknown;
  };
  if (typeof schema === 'string' && /^alas-jssp\/(?!certificate@)/.test(schema)) {
    const hint = 'give a file that alas-jssp validate --certificate wrote';
    const problem = `this is "${schema}", not a certificate`;
    throw new InputError('bad_certificate', problem, hint, { file });
  }
  const later = laterVersionHint(schema, CERTIFICATE_SCHEMAS);
  if (later !== undefined) {
    throw new InputError('bad_certificate', `this is "${schema}"`, later, { file });
  }
  const name = instance?.name;
  return {
    name: typeof name === 'string' ? name : undefined,
    makespan: typeof makespan === 'number' ? makespan : null,
  };
}

/** The benchmark that a certificate names. Only the user may name files. */
function benchmarkOf(name: string | undefined, file: string): InstanceSource {
  const source = findBenchmark(name ?? '');
  if (source !== undefined) return source;
  const problem =
    name === undefined
      ? 'this certificate names no instance'
      : `this certificate is for ${name}, which is no benchmark`;
  const hint = 'name the file of its instance with --instance';
  throw new InputError('bad_certificate', problem, hint, { file });
}

function verdictOf({ instance, makespan, valid, optimality, proof }: Verification): string {
  if (!valid) return `${instance}: not true`;
  const grounds = {
    proof: ', optimal, proven',
    recomputed: ', optimal by a lower bound computed here',
    source: ', optimal if the source of its lower bound is right',
    none: proof === null ? '' : `, and no schedule ends before ${proof.bound}`,
  }[optimality];
  return `${instance}: true, a feasible schedule of makespan ${makespan}${grounds}`;
}

const column = columnsOf<Verification>();
const columns = [
  column('instance'),
  column('valid'),
  column('makespan'),
  column('optimality'),
  column.of('problems', ({ problems }) => problems.join('; ')),
];
