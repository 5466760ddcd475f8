import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { InputError } from '../core/errors.js';
import { resolveSource } from '../jssp/suites.js';
import { renderJson } from '../report/table.js';
import { type CertificateCheck, verifyCertificate } from '../validator/index.js';
import { exitCode } from './exit-code.js';
import { type OutputOptions, withOutput } from './options.js';
import { print } from './output.js';

interface Options extends OutputOptions {
  instance?: string;
}

/** `alas-jssp verify`: checks a certificate again, from nothing but the instance. */
export function verifyCommand(): Command {
  return withOutput(new Command('verify'))
    .description('check a certificate again, from nothing but the instance')
    .argument('<certificate>', 'a file that alas-jssp validate --certificate wrote')
    .option('--instance <instance>', 'the instance, if it is not a benchmark: a name or a file')
    .addHelpText(
      'after',
      `
Exit code 0 if all that the certificate says is true, 1 if not.

Examples:
  $ alas-jssp verify ft06.certificate.json
  $ alas-jssp verify my-shop.certificate.json --instance my-shop.json`,
    )
    .action((file: string, options: Options) => {
      process.exitCode = verify(file, options);
    });
}

function verify(file: string, { format, instance: given }: Options): number {
  const certificate = readJson(file);
  const { name, makespan } = summaryOf(certificate);
  const spec = given ?? name;
  if (spec === undefined) {
    throw new InputError(
      'bad_certificate',
      'this certificate names no instance',
      'give a file that alas-jssp validate --certificate wrote, or name one with --instance',
      { file },
    );
  }
  const instance = resolveSource(spec).load();
  const check = verifyCertificate(certificate, instance);
  if (format === 'json') print(renderJson({ certificate: file, instance: spec, ...check }));
  else print(describe(spec, makespan, check));
  return check.valid ? exitCode.done : exitCode.no;
}

function readJson(file: string): unknown {
  const text = readFileSync(file, 'utf8');
  try {
    return JSON.parse(text);
  } catch {
    throw new InputError(
      'bad_certificate',
      'this is not JSON',
      'give a file that alas-jssp validate --certificate wrote',
      { file },
    );
  }
}

/** What can be said of a certificate before it is checked. */
function summaryOf(certificate: unknown): { name: string | undefined; makespan: unknown } {
  const { instance, makespan } = (certificate ?? {}) as {
    instance?: { name?: unknown };
    makespan?: unknown;
  };
  const name = instance?.name;
  return { name: typeof name === 'string' ? name : undefined, makespan };
}

function describe(name: string, makespan: unknown, check: CertificateCheck): string {
  if (!check.valid) return [`${name}: not true`, ...check.problems.map((p) => `  ${p}`)].join('\n');
  const optimality = {
    recomputed: ', optimal by a lower bound computed here',
    source: ', optimal if the source of its lower bound is right',
    none: '',
  }[check.optimality];
  return `${name}: true, a feasible schedule of makespan ${makespan}${optimality}`;
}
