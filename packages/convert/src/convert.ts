import { errorLine, InputError, type InputLocation } from '@alas-jssp/core/errors';
import { isObject } from '@alas-jssp/core/json-path';
import { parseJson } from '@alas-jssp/core/json-text';
import { suggestNames } from '@alas-jssp/core/nearest-names';
import { bytesOf } from '@alas-jssp/core/text';
import type { Workflow } from '@alas-jssp/workflow';
import { requireSoundWorkflow } from '@alas-jssp/workflow';
import { GUARD_LANGUAGES, type GuardLanguage } from './asl/guard-condition.js';
import { EMPTY_MAP, type HandlerMap } from './mapping.js';
import { type Conversion, refuseLosses } from './report.js';

/** The target languages of conversions. */
export const TARGETS = ['asl', 'argo', 'bpmn'] as const;

export type ConversionTarget = (typeof TARGETS)[number];

/** The names of the languages, for people. */
const LANGUAGES: Readonly<Record<ConversionTarget, string>> = {
  asl: 'Amazon States Language',
  argo: 'Argo Workflows',
  bpmn: 'BPMN 2.0',
};

type Writer = (workflow: Workflow, map: HandlerMap, guards?: GuardLanguage) => Promise<Conversion>;

// Each is loaded on demand: their libraries are slow to load.
const writers: Readonly<Record<ConversionTarget, () => Promise<Writer>>> = {
  asl: async () => (await import('./asl/write.js')).writeAsl,
  argo: async () => (await import('./argo/write.js')).writeArgo,
  bpmn: async () => (await import('./bpmn/write.js')).writeBpmn,
};

export interface ConvertOptions {
  /** The places of handlers and compensators; default: each under its own name. */
  readonly map?: HandlerMap;
  /**
   * Amazon States Language: `jsonpath` compares the guards of choices in JSONPath where all guards
   * of a choice can be expressed in it; the report lists which. Default `jsonata`.
   */
  readonly guards?: GuardLanguage | undefined;
  /** Features that may be lost; default: none. */
  readonly allowLoss?: readonly string[];
}

/**
 * Checks a workflow and writes it in the language of another engine.
 *
 * @returns the document, and how the target expresses each use of a feature
 * @throws InputError `unsound_workflow` as `requireSoundWorkflow` does; `unsupported_feature` for a
 *   feature that would be lost and is not allowed to be; `unknown_feature`, `unknown_language`;
 *   `bad_guards` for `guards` with another target or of another language
 */
export async function convertWorkflow(
  workflow: Workflow,
  target: ConversionTarget,
  { map = EMPTY_MAP, guards, allowLoss = [] }: ConvertOptions = {},
): Promise<Conversion> {
  const language = languageOf(target);
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

/**
 * Whether a text is a document in the language of another engine, rather than a workflow of ours:
 * by its keys if it is JSON, by the form of its keys if it is YAML, or malformed.
 */
export function isConverted(text: string): boolean {
  if (/^\s*</.test(text)) return true;
  const value = text.trimStart().startsWith('{') ? jsonOf(text) : undefined;
  if (isObject(value)) return ('StartAt' in value && 'States' in value) || isOfArgo(value);
  if (/(?:^|[{,])\s*["']?apiVersion["']?\s*:\s*["']?argoproj\.io/m.test(text)) return true;
  return ['StartAt', 'States'].every((key) =>
    new RegExp(String.raw`(?:^|[{,])\s*["']?${key}["']?\s*:`, 'm').test(text),
  );
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isOfArgo({ apiVersion }: Readonly<Record<string, unknown>>): boolean {
  return typeof apiVersion === 'string' && apiVersion.startsWith('argoproj.io');
}

/**
 * Reads back the workflow from a document that {@link convertWorkflow} wrote, in any of its
 * languages; Amazon States Language in JSON or YAML. The document contains the whole workflow
 * without loss.
 *
 * @throws InputError `foreign_document` for a document that carries no workflow; `changed_document`
 *   for a changed one; `bad_document` for a document of no known language
 */
export async function readConverted(text: string, file?: string): Promise<Workflow> {
  const location = { file };
  if (text.trimStart().startsWith('<')) {
    return (await import('./bpmn/write.js')).readBpmn(text, location);
  }
  const document = await parseDocument(text, file);
  if ('States' in document) return (await import('./asl/write.js')).readAsl(document, location);
  if (isOfArgo(document)) {
    return (await import('./argo/write.js')).readArgo(document, location);
  }
  throw notADocument('it is not a document of Amazon States Language, Argo or BPMN', location);
}

async function parseDocument(
  text: string,
  file: string | undefined,
): Promise<Record<string, unknown>> {
  const isBraced = text.trimStart().startsWith('{');
  try {
    if (isBraced) return asObject(parseJson(bytesOf(text, file), file), file);
  } catch (fault) {
    // Braces may be YAML, too. If it is neither, the JSON error is the better one.
    return await parseYaml(text, file).catch(() => {
      throw fault;
    });
  }
  return parseYaml(text, file);
}

async function parseYaml(text: string, file: string | undefined): Promise<Record<string, unknown>> {
  const { parseAllDocuments, LineCounter } = await import('yaml');
  const lineCounter = new LineCounter();
  const [first, ...others] = parseAllDocuments(text, { lineCounter, version: '1.1' });
  if (first === undefined || others.length > 0) {
    throw notADocument(`it holds ${others.length + (first ? 1 : 0)} YAML documents`, { file });
  }
  const [error] = first.errors;
  if (error?.message.startsWith('Maximum call stack')) {
    throw notADocument('it nests too deeply', { file });
  }
  if (error !== undefined) {
    const { line } = lineCounter.linePos(error.pos[0]);
    throw notADocument(error.message.split('\n')[0].replace(/ at line \d+.*/, ''), { file, line });
  }
  try {
    return asObject(first.toJS(), file);
  } catch (fault) {
    if (fault instanceof InputError) throw fault;
    // Nested aliases with millions of values, and values nested too deep.
    throw notADocument(errorLine(fault), { file });
  }
}

function asObject(value: unknown, file: string | undefined): Record<string, unknown> {
  if (isObject(value)) return value;
  throw notADocument('it is not an object', { file });
}

function notADocument(problem: string, location: InputLocation): InputError {
  const hint = 'give a document that `workflow convert` wrote';
  return new InputError('bad_document', problem, hint, location);
}

function languageOf(name: ConversionTarget): string {
  if (TARGETS.includes(name)) return LANGUAGES[name];
  const problem = `there is no language ${JSON.stringify(name)} here`;
  throw new InputError('unknown_language', problem, suggestNames(String(name), TARGETS), {}, name);
}
