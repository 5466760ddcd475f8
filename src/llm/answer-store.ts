import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { readBytes } from '@alas-jssp/core/bytes';
import { InputError } from '@alas-jssp/core/errors';
import { parseJsonAs, readJsonFile, writeJsonFile } from '@alas-jssp/core/json-file';
import { schemaName } from '@alas-jssp/core/schema-name';
import * as z from 'zod';
import { splitPlannerName } from '../jssp/planner-name.js';
import type { Answer, LlmRequest } from './client.js';
import { LlmError } from './errors.js';
import { requestKey } from './request-key.js';

/** An answer with its request, as in a file, and as the machines of a run exchange it. */
export interface StoredAnswer {
  /** The specification of the planner that sent the request. */
  readonly planner: string;
  readonly request: LlmRequest;
  readonly replicate: number;
  readonly answer: Answer;
}

/** Stored answers, by request and replicate; a store may be remote and asynchronous. */
export interface AnswerStore {
  /** Whether other processes may add answers at any time. Default: no. */
  readonly shared?: boolean | undefined;
  /**
   * The answer to a request, with its original tokens, cost and seconds; null if there is none.
   *
   * @throws InputError `bad_json` or `bad_answer`, naming the file, if the stored answer is damaged
   */
  find(request: LlmRequest, replicate: number): Answer | null | Promise<Answer | null>;
  keep(request: LlmRequest, replicate: number, answer: Answer): void | Promise<void>;
  /** The error for a request without a stored answer. */
  missing(request: LlmRequest, replicate: number): LlmError;
}

/** A directory of answers. */
export interface AnswerDirectory extends AnswerStore {
  find(request: LlmRequest, replicate: number): Answer | null;
  keep(request: LlmRequest, replicate: number, answer: Answer): void;
}

const count = z.number().int().min(0);

const storedAnswer = z.object({
  schema: schemaName('alas-jssp/answer@2'),
  key: z.string(),
  planner: z.string(),
  replicate: count,
  // The name of its file, which is its key, proves the rest.
  request: z.looseObject({ model: z.string() }) as unknown as z.ZodType<LlmRequest>,
  answer: z.object({
    text: z.string(),
    finish: z.enum(['stop', 'length', 'refusal']),
    tokens: z.object({ input: count, output: count, estimated: z.boolean() }),
    model: z.string(),
    requestId: z.string().nullable(),
    seconds: z.number().min(0),
    usd: z.number().min(0).nullable(),
    stored: z.literal(true),
  }),
});

const storedPlanner = z.object({
  schema: schemaName('alas-jssp/planner@1'),
  planner: z.string(),
});

const PLANNER_FILE = /^planner-[\da-f]{16}\.json$/;

/**
 * Opens a directory of answers: one JSON file each, named by the key of the request. It serves as a cassette, and a
 * resumed run does not repeat its requests. Several threads and processes may write to it concurrently: files appear
 * complete, and if one request is answered twice, the later answer remains.
 *
 * @param directory is created with the first answer
 * @param named the specification of the answers' planner, as the user wrote it; a name before it is not stored
 */
export function openAnswerStore(directory: string, named: string): AnswerDirectory {
  const { spec: planner } = splitPlannerName(named);
  let ready = false;
  const fileOf = (key: string) => join(directory, `${key}.json`);

  return {
    find(request, replicate) {
      const key = requestKey(request, replicate);
      const file = fileOf(key);
      return existsSync(file) ? parseAnswer(readBytes(file), key, file) : null;
    },
    keep(request, replicate, answer) {
      if (!ready) prepare(directory, planner);
      ready = true;
      const key = requestKey(request, replicate);
      const about = { schema: 'alas-jssp/answer@2', key, planner, replicate, request };
      writeJsonFile(fileOf(key), { ...about, answer: { ...answer, stored: true } });
    },
    missing: (request, replicate) => missingAnswer(directory, planner, request, replicate),
  };
}

/** The error for a request without an answer in a directory. */
export function missingAnswer(
  directory: string,
  planner: string,
  request: LlmRequest,
  replicate: number,
): LlmError {
  const key = requestKey(request, replicate);
  return new LlmError(
    'MissingAnswer',
    `no answer to this is in ${directory}, of '${planner}' (model ${request.model}, replicate ` +
      `${replicate}, ${key}): record it with --record, or ask for the instances, replicates and settings ` +
      'that were recorded, by the version that recorded them',
    key,
  );
}

/**
 * The specifications of the planners whose answers are in a directory, in alphabetical order.
 *
 * @throws InputError `no_answers` if there are none
 */
export function recordedPlanners(directory: string): string[] {
  const planners = plannersOf(directory);
  if (planners.length > 0) return planners.sort();
  throw new InputError(
    'no_answers',
    'no answers are recorded here',
    'name a directory that run --record wrote',
    { file: directory },
  );
}

/** The planners of the files in a directory; none if it does not exist. */
function plannersOf(directory: string): string[] {
  const names = statSync(directory, { throwIfNoEntry: false })?.isDirectory()
    ? readdirSync(directory).filter((name) => PLANNER_FILE.test(name))
    : [];
  return names.map((name) => readJsonFile(join(directory, name), storedPlanner, 'planner').planner);
}

/**
 * The answer of a file of such a directory.
 *
 * @param key of the expected request
 * @param file for error messages
 * @throws InputError `bad_json` or `bad_answer`
 */
export function parseAnswer(bytes: Uint8Array, key: string, file: string): Answer {
  const { answer, request, replicate } = parseStored(bytes, file);
  if (requestKey(request, replicate) === key) return answer;
  throw damaged('bad_answer', 'the request in it is another than its name says', { file });
}

/**
 * The content of an answer file, whatever its name.
 *
 * @throws InputError `bad_json` or `bad_answer`
 */
export function parseStored(bytes: Uint8Array, file: string): StoredAnswer {
  return parseJsonAs(bytes, storedAnswer, file, 'answer', REMOVE);
}

const REMOVE = 'remove the file, and it is asked again';

function damaged(code: string, problem: string, location: InputError['location']): InputError {
  return new InputError(code, problem, REMOVE, location);
}

function prepare(directory: string, planner: string): void {
  mkdirSync(directory, { recursive: true });
  const name = createHash('sha256').update(planner).digest('hex').slice(0, 16);
  const file = { schema: 'alas-jssp/planner@1', planner };
  writeJsonFile(join(directory, `planner-${name}.json`), file);
}
