import { Command } from 'commander';
import { dueSources } from '../../harness/run/sources.js';
import type { Instance } from '../../jssp/instance.js';
import { labelsOf } from '../../jssp/labels.js';
import { scheduleFromPlan } from '../../jssp/plan.js';
import { resolveSource } from '../../jssp/suites.js';
import { endWords, wordsOf } from '../../jssp/words.js';
import { type CellValue, type Column, columnsOf } from '../../report/columns.js';
import { counted, whole } from '../../report/format.js';
import {
  type KnownBounds,
  type ValidationReport,
  type Violation,
  validate,
} from '../../validator/index.js';
import { LISTED_VIOLATIONS } from '../../validator/validate.js';
import { outputFile, writeOutput } from '../common/files.js';
import { certify, knownBounds } from '../common/known-bounds.js';
import { amount, type OutputOptions, wholeNumber, withOutput } from '../common/options.js';
import { print, remark, remarkVerdict } from '../common/output.js';
import { readPlanOf, tardinessOf, warnIfOtherInstance } from '../common/plan-files.js';
import { exitCode, type Session } from '../common/session.js';
import { datesOf } from '../common/shop-times.js';
import { printRows } from '../common/tables.js';
import { validateSuite } from './validate-suite.js';

/** Most root causes in the text output, and most violations below each. */
const SHOWN = { groups: 20, cascades: 3 } as const;

interface Options extends OutputOptions {
  limit: number;
  certificate?: string;
  suite?: string;
  dueTightness?: number;
}

/** `alas-jssp validate`: judges a plan for an instance, or many for a suite. */
export function validateCommand(session: Session): Command {
  return withOutput(session, new Command('validate'))
    .argument('<instance>', 'a benchmark instance or a file; with --suite a folder')
    .argument('[plan]', 'a plan in JSON or CSV; - for stdin; not with --suite')
    .option(
      '--due-tightness <factor>',
      'print the tardiness for due dates at this multiple of job lengths',
      amount('a tightness'),
    )
    .option('--suite <suite>', 'judge all plans of a folder, for these instances')
    .option(
      '--limit <count>',
      'most violations to list',
      wholeNumber('a limit', 0),
      LISTED_VIOLATIONS,
    )
    .option(
      '--certificate <file>',
      'file for the certificate of a valid plan, which verify checks',
      outputFile,
    )
    .addHelpText(
      'after',
      `
Exit code 0 if the plan is valid, 1 if it is not. With --suite all plans of
the folder are judged, each for the instance that it names, or else that of
its file name (ft06.json, ft06__insertion__full__0.json) or its folder.

Examples:
  $ alas-jssp plan ft06 --out plan.json
  $ alas-jssp validate ft06 plan.json --certificate ft06.certificate.json
  $ alas-jssp plan ft06 --json | alas-jssp validate ft06 - --json
  $ alas-jssp validate --suite abz results/abz/schedules`,
    )
    .action(async (spec: string, file: string | undefined, options: Options, command: Command) => {
      const { suite, certificate } = options;
      if (suite !== undefined) {
        if (file !== undefined) command.error('--suite takes a folder of plans and no plan');
        if (certificate !== undefined) command.error('--certificate is for one plan');
        session.exitCode = await validateSuite(session, suite, spec, options);
      } else if (file === undefined) {
        command.error("missing required argument 'plan'");
      } else session.exitCode = await judge(session, spec, file, options);
    });
}

async function judge(
  session: Session,
  spec: string,
  file: string,
  options: Options,
): Promise<number> {
  const source = resolveSource(spec);
  const [due] = dueSources([source], options.dueTightness ?? null);
  const instance = due.load();
  const planFile = await readPlanOf(session, file, instance);
  const { plan } = planFile;
  const known = knownBounds(source.load());
  const report = validate(instance, plan, { limit: options.limit, bound: known.lowerBound });
  const tardiness = report.valid ? tardinessOf(instance, plan) : null;
  const verdict = describeVerdict(source.name, instance, report, known, tardiness);
  const doubt = warnIfOtherInstance(planFile, source.name);

  if (options.format === 'table') {
    await print(session, [...doubt, describe(verdict, report)].join('\n'));
  } else {
    const dates = datesOf(instance, { makespan: report.makespan });
    const named = { schema: 'alas-jssp/validation@1', instance: source.name };
    const data = { ...named, ...report, ...dates, tardiness };
    await printRows(session, options.format, violationColumns(instance), report.violations, data);
    for (const line of doubt) remark(session, line);
    remarkVerdict(session, options.format, verdict);
  }
  for (const { message } of report.warnings) remark(session, `warning: ${message}`);

  if (!report.valid) {
    if (options.certificate !== undefined) remark(session, 'no certificate: the plan is invalid');
    return exitCode.no;
  }
  if (options.certificate !== undefined) {
    const certificate = certify(scheduleFromPlan(instance, plan), known);
    writeOutput(options.certificate, `${JSON.stringify(certificate)}\n`);
    remark(session, `certificate in ${options.certificate}`);
  }
  return exitCode.done;
}

/** The verdict in one line. */
function describeVerdict(
  name: string,
  instance: Instance,
  report: ValidationReport,
  known: KnownBounds,
  tardiness: number | null,
): string {
  const { valid, makespan, total, violations, groups, truncated } = report;
  if (valid) {
    const lateness = tardiness === null ? '' : wordsOf(instance).duration(tardiness);
    const late = lateness === '' ? '' : `, total weighted tardiness ${lateness}`;
    return `${name}: valid, ${endWords(instance, makespan)}${describeKnown(makespan, known)}${late}`;
  }
  const cut = truncated ? `; only the first ${violations.length} are listed and grouped` : '';
  return `${name}: invalid, ${counted(total, 'violation')} from ${counted(groups.length, 'root cause')}${cut}`;
}

/** The verdict and, for an invalid plan, the root causes. */
function describe(verdict: string, { groups }: ValidationReport): string {
  const lines = [verdict];
  groups.slice(0, SHOWN.groups).forEach(({ root, cascades, explanation }, i) => {
    lines.push('', `${i + 1}. ${explanation} [${root.code}]`);
    const related = root.message === explanation ? cascades : [root, ...cascades];
    lines.push(...related.slice(0, SHOWN.cascades).map(({ message }) => `     ${message}`));
    const more = related.length - SHOWN.cascades;
    if (more > 0) lines.push(`     and ${more} more`);
  });
  const hidden = groups.length - SHOWN.groups;
  if (hidden > 0)
    lines.push('', `and ${counted(hidden, 'more root cause')}; --format csv lists all`);
  return lines.join('\n');
}

function describeKnown(makespan: number | null, { lowerBound, upperBound }: KnownBounds): string {
  if (upperBound === undefined || makespan === null) return '';
  if (makespan === lowerBound?.value) return ', optimal';
  const best = upperBound.value;
  if (makespan === best) return ', as good as the best known';
  const gap = (100 * (makespan - best)) / best;
  return `, ${Math.abs(gap).toFixed(2)} % ${gap > 0 ? 'above' : 'BELOW'} the best known ${best}`;
}

const column = columnsOf<Violation>();

/** The columns of violations, by name or else by number as in files: from 1, machines from 0. */
function violationColumns({ names, jobOffset }: Instance): Column<Violation>[] {
  const labels = labelsOf({ names, jobOffset });
  const isKnown = (index: number | undefined, list: readonly string[] | null | undefined) =>
    index !== undefined && Boolean(list?.[index]);
  return [
    column('code'),
    scopeColumn('job', 1, ({ job }) =>
      isKnown(job, names?.jobs) ? labels.job(job as number) : null,
    ),
    scopeColumn('step', 1, ({ job, step }) =>
      job === undefined || step === undefined ? null : (labels.operation(job, step) ?? null),
    ),
    scopeColumn('machine', 0, ({ machine }) =>
      isKnown(machine, names?.machines) ? labels.machine(machine as number) : null,
    ),
    column('message'),
  ];
}

/** A part of the scope, by name or number. */
function scopeColumn(
  key: 'job' | 'step' | 'machine',
  first: number,
  nameIn: (scope: Violation['scope']) => string | null,
): Column<Violation> {
  const value = ({ scope }: Violation) => {
    const index = scope[key];
    return nameIn(scope) ?? (index === undefined ? null : index + first);
  };
  const format = (cell: CellValue) => (typeof cell === 'string' ? cell : whole(cell));
  return column.of(key, value, { format });
}
