import { existsSync } from 'node:fs';
import { isAbsolute, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { InputError } from '@alas-jssp/core/errors';
import type {
  PaperCommand,
  PaperItem,
  PaperSetup,
} from '../../harness/paper/presets/paper-item.js';
import { isModelSpec, parsePlannerSpec } from '../../llm/planner-spec.js';
import { createPlanner } from '../../pipeline/planners/planners.js';
import { shellWord } from '../common/shell-word.js';
import type { PaperCommandOptions } from './paper-options.js';

/** The root of this package: `src/cli/paper` and `dist/cli/paper` have the same depth. */
const ROOT = new URL('../../../', import.meta.url);

/** The path of a file of this package: relative if it is below the working directory. */
function fileOfPackage(path: string): string {
  const file = fileURLToPath(new URL(path, ROOT));
  const near = relative(process.cwd(), file);
  return near.startsWith('..') || isAbsolute(near) ? file : near.replaceAll('\\', '/');
}

/**
 * As {@link fileOfPackage}, for a file that must exist.
 *
 * @throws InputError `no_file`: files that npm does not install are in the repository
 */
export function existingFile(path: string): string {
  const file = fileOfPackage(path);
  if (existsSync(file)) return file;
  const hint = 'run this row in a clone of the repository';
  throw new InputError('no_file', `${path} is not installed`, hint, { file });
}

/** The choices of the user for a row. */
export function setupFor(item: PaperItem, options: PaperCommandOptions): PaperSetup {
  const { planner = [], threads, suite, out, budgetUsd, budgetTokens, prices } = options;
  const limits = [
    ...(budgetUsd === undefined ? [] : ['--budget-usd', `${budgetUsd}`]),
    ...(budgetTokens === undefined ? [] : ['--budget-tokens', `${budgetTokens}`]),
  ];
  return {
    planners: planner,
    out: `${out}/${item.id}`,
    runs: `${out}/runs`,
    threads,
    suite,
    limits: prices === undefined ? limits : [...limits, '--prices', prices],
    file: fileOfPackage,
  };
}

/** The commands of a row: those that ask models if planners are named, otherwise those that need no key. */
export function commandsOf(item: PaperItem, setup: PaperSetup): PaperCommand[] {
  const keyless = item.keyless?.(setup) ?? [];
  if (setup.planners.length === 0) return keyless;
  return [...keyless, ...(item.asking?.(setup) ?? [])];
}

/**
 * Checks the planners before anything runs.
 *
 * @throws InputError `bad_planner`
 */
export function checkPlanners(planners: readonly string[]): void {
  for (const planner of planners) {
    if (isModelSpec(planner)) parsePlannerSpec(planner);
    else createPlanner(planner);
  }
  const twice = planners.find((planner, k) => planners.indexOf(planner) < k);
  if (twice === undefined) return;
  throw new InputError('bad_planner', `${twice} is named twice`, 'name it once', {}, twice);
}

/** A command as the user would type it. */
export function asTyped({ program, words, save, makes }: PaperCommand): string {
  const out = makes === undefined ? [] : ['--out', makes.path];
  const typed = ['npx', program, ...words, ...out].map(shellWord).join(' ');
  return save === undefined ? typed : `${typed} > ${shellWord(save)}`;
}
