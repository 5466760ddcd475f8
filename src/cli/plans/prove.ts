import { monotonicSeconds } from '@alas-jssp/core/clock';
import { InputError } from '@alas-jssp/core/errors';
import { replaceFile } from '@alas-jssp/core/replace-file';
import { type Budget, budgetCriterion, parseBudget } from '@alas-jssp/core/stopping';
import { Command, Option } from 'commander';
import type { Instance } from '../../jssp/instance.js';
import { resolveSource } from '../../jssp/suites.js';
import { columnsOf } from '../../report/columns.js';
import { counted, formatSeconds, whole } from '../../report/format.js';
import { proveBound } from '../../search/bounds/prove-bound.js';
import { createProofArchive } from '../../validator/index.js';
import { outputFile } from '../common/files.js';
import { knownBounds } from '../common/known-bounds.js';
import { type OutputOptions, wholeNumber, withOutput } from '../common/options.js';
import { remark } from '../common/output.js';
import { exitCode, onInterruption, type Session } from '../common/session.js';
import { printRows } from '../common/tables.js';

interface Options extends OutputOptions {
  bound?: number;
  budget: Budget;
  out?: string;
}

/** `alas-jssp prove`: writes a proof that no schedule ends before a bound. */
export function proveCommand(session: Session): Command {
  return withOutput(session, new Command('prove'))
    .argument('<instance>', 'a benchmark instance or a file')
    .option(
      '--bound <bound>',
      'bound to prove; of a benchmark, by default its best known makespan',
      wholeNumber('a bound', 0),
    )
    .addOption(
      new Option(
        '--budget <budget>',
        'how long to try: 10s, 5m or 200k-iterations, which are contradictions',
      )
        .argParser(parseBudget)
        .default({ seconds: 60 } satisfies Budget, '60s'),
    )
    .option('--out <file>', 'file for the proof, packed with gzip', outputFile)
    .addHelpText(
      'after',
      `
The proof shows that the instance has no schedule that ends before the bound.
Downtimes, deadlines and frozen starts are ignored, which keeps it true. Equal
instances and bounds give equal proofs. Exit code 1 if there is such a
schedule, or if the budget is used up before.

Examples:
  $ alas-jssp prove ft10 --out ft10.proof.gz
  $ alas-jssp verify ft10.proof.gz
  $ alas-jssp prove la38 --bound 1190 --budget 5m --out la38.proof.gz`,
    )
    .action(async (spec: string, options: Options) => {
      session.exitCode = await prove(session, spec, options);
    });
}

async function prove(session: Session, spec: string, options: Options): Promise<number> {
  if (options.budget.target !== undefined) {
    const hint = 'leave it out: --bound names what to prove';
    throw new InputError('bad_budget', 'a proof has no target', hint, {});
  }
  const source = resolveSource(spec);
  const instance = source.load();
  const bound = options.bound ?? knownBounds(instance).upperBound?.value;
  if (bound === undefined) {
    const hint = 'name the bound to prove with --bound';
    throw new InputError('missing_bound', `${source.name} is no benchmark`, hint);
  }
  const archive = createProofArchive();
  const interrupt = new AbortController();
  const deafen = onInterruption(session, () => interrupt.abort(), 'there is no proof');
  const begin = monotonicSeconds();
  const isOver = budgetCriterion(options.budget);
  let iterations = 0;
  const { verdict, makespan, contradictions } = await proveBound(instance, {
    bound,
    write: options.out === undefined ? () => {} : archive.write,
    isOver: () =>
      isOver({
        seconds: monotonicSeconds() - begin,
        iterations: ++iterations,
        idle: 0,
        best: Infinity,
      }),
    signal: interrupt.signal,
  }).finally(deafen);
  const seconds = monotonicSeconds() - begin;
  const outcome = { instance: source.name, bound, verdict, makespan, contradictions, seconds };
  const packed = verdict === 'proven' && options.out !== undefined ? archive.pack() : null;
  const row = { ...outcome, bytes: packed?.length ?? null };
  if (packed !== null) replaceFile(options.out as string, packed);
  await printRows(session, options.format, columns, [row], {
    schema: 'alas-jssp/bound-proof@1',
    ...row,
  });
  if (makespan !== null) remark(session, explain(instance, bound, makespan));
  if (verdict === 'undecided') {
    remark(session, `not proven after ${counted(contradictions, 'contradiction')}`);
  }
  if (interrupt.signal.aborted) return exitCode.interrupted;
  return verdict === 'proven' ? exitCode.done : exitCode.no;
}

/** Why a bound is not proven. */
function explain({ calendar, deadline, frozen }: Instance, bound: number, makespan: number) {
  if (calendar === null && deadline === null && frozen === null) {
    return `${bound} is no bound: there is a schedule that ends at ${makespan}`;
  }
  return `without downtimes, deadlines and frozen starts a schedule ends at ${makespan}: ${bound} cannot be proven`;
}

const column = columnsOf<{
  instance: string;
  bound: number;
  verdict: string;
  makespan: number | null;
  contradictions: number;
  seconds: number;
  bytes: number | null;
}>();
const columns = [
  column('instance'),
  column('bound'),
  column('verdict'),
  column('makespan', { minor: 1 }),
  column('contradictions', whole),
  column('seconds', formatSeconds, { header: 'time' }),
  column('bytes', whole, { minor: 2 }),
];
