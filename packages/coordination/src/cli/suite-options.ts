import { InputError } from 'alas-jssp';
import { type Command, collect, Option, wholeNumber } from 'alas-jssp/command-line';
import { REALM_SUITES, type RealmSuite } from '../realm/suites/suite.js';

/** Options of `run` that choose a suite and its instances. */
export interface SuiteChoice {
  suite?: RealmSuite;
  data?: string;
  generated?: number;
  limit?: number;
  seed?: number;
  complete?: string[];
}

/** Adds the options of suites to `run`. */
export function withSuiteOptions(command: Command): Command {
  const count = wholeNumber('a count', 1);
  return command
    .addOption(
      new Option('--suite <name>', 'suite of REALM-Bench to plan instead of problems').choices(
        REALM_SUITES,
      ),
    )
    .option('--data <dir>', 'directory with the published files of the suite')
    .option(
      '--generated <count>',
      'instances of our own of the same kind, instead of --data',
      count,
    )
    .option('--limit <count>', 'instances of the suite to plan, the first ones', count)
    .option(
      '--seed <number>',
      'seed of random plans and of generated instances (default: 0)',
      wholeNumber('a seed', 0),
    )
    .option(
      '--complete <facts>',
      'facts that the files leave open: KEY=VALUE,…, or ours; may be repeated',
      collect,
    );
}

/** The help of suites. */
export const suiteHelp = `

Suites (realm-p1 to realm-p10) are read from the published files of REALM-Bench,
or made here; planners are search, random and models. A problem that states too
little is refused with what is missing; --complete states it, and each record
says so. After the first plan, the events of an instance follow one by one.`;

/** Options that apply to problems, not to suites, and the other way round. */
const OF_PROBLEMS = ['problem', 'experiment', 'variant', 'events'] as const;
const OF_SUITES = ['data', 'generated', 'limit', 'seed', 'complete'] as const;
type ProblemOption = (typeof OF_PROBLEMS)[number];

/**
 * Refuses options that say nothing together.
 *
 * @throws InputError `bad_option`
 */
export function refuseMixedChoice(
  options: SuiteChoice & { readonly [Name in ProblemOption]?: unknown },
): void {
  const isSuite = options.suite !== undefined;
  const names = isSuite ? OF_PROBLEMS : OF_SUITES;
  const other = names.find((name) => options[name] !== undefined);
  if (other === undefined) return;
  const problem = `--${other} ${isSuite ? 'does not go with' : 'belongs to'} a suite`;
  const hint = isSuite
    ? `give either --suite or --${other}`
    : 'add --suite, such as --suite realm-p1';
  throw new InputError('bad_option', problem, hint, {});
}
