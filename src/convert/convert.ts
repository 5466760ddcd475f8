import { AlasError, InputError } from '../core/errors.js';
import { suggestNames } from '../core/nearest-names.js';
import { requireSoundWorkflow } from '../workflow/ir/check/sound.js';
import type { Workflow } from '../workflow/ir/workflow.js';
import { GUARD_LANGUAGES, type GuardLanguage } from './asl/annotations.js';
import { EMPTY_MAP, type HandlerMap } from './mapping.js';
import { type Conversion, type FeatureNote, refuseLosses } from './report.js';

/** The languages that workflows are written in for other engines. */
export const TARGETS = ['asl', 'argo', 'bpmn'] as const;

export type ConversionTarget = (typeof TARGETS)[number];

/** The languages that workflows are read from. */
export const SOURCES = ['asl', 'argo'] as const;

export type ConversionSource = (typeof SOURCES)[number];

/** The names of the languages, for people. */
export const LANGUAGES: Readonly<Record<ConversionTarget, string>> = {
  asl: 'Amazon States Language',
  argo: 'Argo Workflows',
  bpmn: 'BPMN 2.0',
};

type Writer = (workflow: Workflow, map: HandlerMap, guards?: GuardLanguage) => Promise<Conversion>;

/** A workflow that was read from another language, and what became of each feature on the way. */
export interface ImportedWorkflow {
  readonly workflow: Workflow;
  readonly report: readonly FeatureNote[];
}

type Reader = (text: string, file?: string) => ImportedWorkflow | Promise<ImportedWorkflow>;

// Each is loaded when it is asked for: their libraries take long.
const writers: Readonly<Record<ConversionTarget, () => Promise<Writer>>> = {
  asl: async () => (await import('./asl/write.js')).writeAsl,
  argo: async () => (await import('./argo/write.js')).writeArgo,
  bpmn: async () => (await import('./bpmn/write.js')).writeBpmn,
};

const readers: Readonly<Record<ConversionSource, () => Promise<Reader>>> = {
  asl: async () => (await import('./asl/read.js')).readAsl,
  argo: async () => (await import('./argo/read.js')).readArgo,
};

export interface ConvertOptions {
  /** Where handlers and compensators are to be found; each under its own name by default. */
  readonly map?: HandlerMap;
  /**
   * Amazon States Language: `jsonpath` has the guards of choices compared in JSONPath, where all guards of
   * a choice can be said in it; the report tells of which. `jsonata` by default.
   */
  readonly guards?: GuardLanguage | undefined;
  /** Features that may be lost; none by default. */
  readonly allowLoss?: readonly string[];
}

/**
 * Writes a workflow in the language of another engine, after it was checked as before a run.
 *
 * @returns the document, and for each feature at each place how the target says it
 * @throws InputError `unsound_workflow` as `requireSoundWorkflow` does; `unsupported_feature` for a
 *   feature that would be lost and may not be; `unknown_feature`, `unknown_language`; `bad_guards` for
 *   `guards` with another target, or of another language
 */
export async function convertWorkflow(
  workflow: Workflow,
  target: ConversionTarget,
  { map = EMPTY_MAP, guards, allowLoss = [] }: ConvertOptions = {},
): Promise<Conversion> {
  const language = languageOf(target, TARGETS);
  refuseLosses([], language, allowLoss);
  if (guards !== undefined) insistOnGuards(guards, target);
  requireSoundWorkflow(workflow);
  const write = await writers[target]();
  const conversion = await write(workflow, map, guards);
  refuseLosses(conversion.report, language, allowLoss);
  return conversion;
}

function insistOnGuards(guards: GuardLanguage, target: ConversionTarget): void {
  if (!GUARD_LANGUAGES.includes(guards)) {
    const problem = `guards are not written in ${JSON.stringify(guards)}`;
    throw new InputError('bad_guards', problem, `give ${GUARD_LANGUAGES.join(' or ')}`);
  }
  if (target === 'asl') return;
  const problem = `guards have no choice of language in ${LANGUAGES[target]}`;
  throw new InputError('bad_guards', problem, 'leave --guards out, or write asl');
}

export interface ImportOptions {
  /** The file that the text is from, for messages. */
  readonly file?: string | undefined;
  /** Features that may be lost; none by default. */
  readonly allowLoss?: readonly string[];
}

/**
 * Reads a workflow from the language of another engine. Its graph stays a graph; the checker has
 * not judged it yet.
 *
 * @throws InputError naming what is not of the language, or cannot be said here, and its place;
 *   `unsupported_feature`, `unknown_feature` and `unknown_language` as {@link convertWorkflow}
 */
export async function importWorkflow(
  text: string,
  source: ConversionSource,
  { file, allowLoss = [] }: ImportOptions = {},
): Promise<ImportedWorkflow> {
  languageOf(source, SOURCES);
  refuseLosses([], 'a workflow', allowLoss);
  const read = await readers[source]();
  const imported = await naming(file, () => read(text, file));
  refuseLosses(imported.report, 'a workflow', allowLoss);
  return imported;
}

/** Has what is refused without a place, since it is wrong with the graph, name the file. */
async function naming<T>(file: string | undefined, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof AlasError) || error instanceof InputError) throw error;
    const [problem, ...cure] = error.message.split('; ');
    throw new InputError(
      error.code,
      problem,
      cure.join('; ') || 'correct it',
      { file },
      error.value,
    );
  }
}

function languageOf(name: ConversionTarget, known: readonly ConversionTarget[]): string {
  if (known.includes(name)) return LANGUAGES[name];
  const problem = `there is no language ${JSON.stringify(name)} here`;
  throw new InputError('unknown_language', problem, suggestNames(String(name), known), {}, name);
}
