import { writeFileSync } from 'node:fs';
import { Command } from 'commander';
import { packageVersion } from '../harness/manifest.js';
import { readPlan } from '../jssp/formats/read-plan.js';
import type { Instance } from '../jssp/instance.js';
import { type Plan, scheduleFromPlan } from '../jssp/plan.js';
import { type Bounds, boundsFor, findBenchmark, resolveSource } from '../jssp/suites.js';
import type { Column } from '../report/columns.js';
import { whole } from '../report/format.js';
import {
  createCertificate,
  type KnownBound,
  type ValidationReport,
  type Violation,
  validate,
} from '../validator/index.js';
import { exitCode } from './exit-code.js';
import { type OutputOptions, wholeNumber, withOutput } from './options.js';
import { print, printRows, remark } from './output.js';

/** Root causes shown to people, and violations shown below each. */
const SHOWN = { groups: 20, cascades: 3 } as const;

interface Options extends OutputOptions {
  limit: number;
  certificate?: string;
}

/** `alas-jssp validate`: judges a plan for an instance. */
export function validateCommand(): Command {
  return withOutput(new Command('validate'))
    .description('judge a plan: is it complete and feasible for that very instance?')
    .argument('<instance>', 'a benchmark instance or a file')
    .argument('<plan>', 'a plan in JSON or CSV')
    .option('--limit <count>', 'list at most so many violations', wholeNumber('a limit', 0), 10_000)
    .option('--certificate <file>', 'write a certificate of a valid plan')
    .addHelpText(
      'after',
      `
Exit code 0 if the plan is valid, 1 if it is not.

Examples:
  $ alas-jssp plan ft06 --out plan.json
  $ alas-jssp validate ft06 plan.json --certificate ft06.certificate.json
  $ alas-jssp validate ft06 plan.json --json`,
    )
    .action((spec: string, file: string, options: Options) => {
      process.exitCode = judge(spec, file, options);
    });
}

function judge(spec: string, file: string, options: Options): number {
  const source = resolveSource(spec);
  const { plan, instance: claimedFor } = readPlan(file);
  const instance = source.load();
  const known = boundsFor(instance);
  const { lower, upper } = knownBounds(known);
  const report = validate(instance, plan, { limit: options.limit, bound: lower });

  if (options.format === 'table') print(describe(source.name, report, known));
  else {
    const data = { schema: 'alas-jssp/validation@1', instance: source.name, ...report };
    printRows(options.format, violationColumns, report.violations, data);
  }
  for (const { message } of report.warnings) remark(options, `warning: ${message}`);
  const isOther = claimedFor !== undefined && !isSameInstance(claimedFor, source.name);
  if (isOther) remark(options, `warning: the plan says that it is for ${claimedFor}`);

  if (!report.valid) {
    if (options.certificate !== undefined) remark(options, 'no certificate: the plan is invalid');
    return exitCode.no;
  }
  if (options.certificate !== undefined) {
    writeCertificate(options.certificate, instance, plan, lower, upper);
    remark(options, `certificate in ${options.certificate}`);
  }
  return exitCode.done;
}

function knownBounds(known: Bounds | null): Partial<Record<'lower' | 'upper', KnownBound>> {
  if (known === null) return {};
  const source = `literature, ${known.asOf}`;
  return { lower: { value: known.lower, source }, upper: { value: known.upper, source } };
}

function isSameInstance(name: string, other: string): boolean {
  return name === other || (findBenchmark(name)?.name ?? name) === other;
}

function writeCertificate(
  file: string,
  instance: Instance,
  plan: Plan,
  lowerBound: KnownBound | undefined,
  upperBound: KnownBound | undefined,
): void {
  const createdWith = { package: 'alas-jssp', version: packageVersion(), node: process.version };
  const schedule = scheduleFromPlan(instance, plan);
  const certificate = createCertificate(schedule, { lowerBound, upperBound, createdWith });
  writeFileSync(file, `${JSON.stringify(certificate)}\n`);
}

function describe(name: string, report: ValidationReport, known: Bounds | null): string {
  const { valid, makespan, total, groups } = report;
  if (valid) return `${name}: valid, makespan ${makespan}${describeKnown(makespan, known)}`;
  const lines = [
    `${name}: invalid, ${count(total, 'violation')} from ${count(groups.length, 'root cause')}${report.truncated ? ' (of those listed)' : ''}`,
  ];
  groups.slice(0, SHOWN.groups).forEach(({ root, cascades, explanation }, i) => {
    lines.push('', `${i + 1}. ${explanation} [${root.code}]`);
    const related = root.message === explanation ? cascades : [root, ...cascades];
    lines.push(...related.slice(0, SHOWN.cascades).map(({ message }) => `     ${message}`));
    const more = related.length - SHOWN.cascades;
    if (more > 0) lines.push(`     and ${more} more`);
  });
  const hidden = groups.length - SHOWN.groups;
  if (hidden > 0) lines.push('', `and ${count(hidden, 'more root cause')}; --format csv lists all`);
  return lines.join('\n');
}

function describeKnown(makespan: number | null, known: Bounds | null): string {
  if (known === null || makespan === null) return '';
  if (makespan === known.lower) return ', optimal';
  if (makespan === known.upper) return ', as good as the best known';
  const gap = (100 * (makespan - known.upper)) / known.upper;
  return `, ${Math.abs(gap).toFixed(2)} % ${gap > 0 ? 'above' : 'BELOW'} the best known ${known.upper}`;
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`;
}

const violationColumns: readonly Column<Violation>[] = [
  { key: 'code', header: 'code', value: ({ code }) => code },
  scopeColumn('job', 1),
  scopeColumn('step', 1),
  scopeColumn('machine', 0),
  { key: 'message', header: 'message', value: ({ message }) => message },
];

/** A part of the scope, counted from 1 or from 0 as in files. */
function scopeColumn(key: 'job' | 'step' | 'machine', first: number): Column<Violation> {
  const value = ({ scope }: Violation) => {
    const index = scope[key];
    return index === undefined ? null : index + first;
  };
  return { key, header: key, value, format: whole };
}
