import { readFileSync } from 'node:fs';
import { refusePipe } from '@alas-jssp/core/bytes';
import { InputError } from '@alas-jssp/core/errors';
import { firstIssue } from '@alas-jssp/core/json-file';
import { once } from '@alas-jssp/core/once';
import { sha256 } from '@alas-jssp/core/sha256';
import * as z from 'zod';
import type { Instance } from '../../jssp/instance.js';
import { isSameInstanceName } from '../../jssp/names.js';
import type { Plan } from '../../jssp/plan.js';
import type { Planner, PlannerContext } from '../../jssp/planner.js';
import { decodePlan } from '../../llm/decoding/decode-plan.js';
import { reportDecoding } from '../../llm/decoding/decoding-report.js';
import type { ReadFile } from './file-planner.js';

/** Keys that select answers, besides their instance. */
const FILTERS = ['model', 'topology', 'id'] as const;
/** All keys: `sha256` is the checksum that the file must have. */
const KEYS = [...FILTERS, 'sha256'] as const;
type Filters = Partial<Record<(typeof KEYS)[number], string>>;

/**
 * A planner that replays recorded answers of models and decodes them again: replicate k gets the k-th answer for the
 * instance in the file. An answer without a schedule is an empty plan.
 *
 * @param source the file, and after `#` the conditions on its answers, such as
 *   `answers.jsonl#model=GPT-4o,topology=single`, and the checksum of the file (`sha256=…`), so that the name of the
 *   planner says which answers they were, even if they cannot be published
 * @param read reads files, for example remote ones. Default: from the file system
 * @throws InputError `bad_filter` for an invalid condition; `plan` rejects with `no_transcript` if there is no answer
 *   for the instance and replicate, `other_answers` if the file has another checksum, and with errors of reading the
 *   file
 */
export function createTranscriptsPlanner(source: string, read = readAnswers): Planner {
  const hash = source.indexOf('#');
  const file = transcriptsPath(source);
  const filters = hash < 0 ? {} : parseFilters(source.slice(hash + 1));
  const load = once(() =>
    readTranscripts(file, checkedReader(read, filters.sha256)).filter((one) =>
      matches(one, filters),
    ),
  );
  return {
    name: `transcripts:${source}`,
    async plan(target, { replicate = 0, onRecordedAnswer }) {
      const answers = load().filter(({ instance }) => isSameInstanceName(instance, target.name));
      const answer = answers[replicate];
      if (answer !== undefined) return readAnswer(answer, target, file, onRecordedAnswer);
      throw new InputError(
        'no_transcript',
        `there are ${answers.length} answers for ${target.name}, not ${replicate + 1}`,
        'ask for other instances, fewer replicates or another model',
        { file },
        target.name,
      );
    },
  };
}

/** Reads files only if they have a checksum. */
function checkedReader(read: ReadFile, expected: string | undefined): ReadFile {
  if (expected === undefined) return read;
  return (file) => {
    const bytes = read(file);
    const actual = sha256(bytes);
    if (actual === expected) return bytes;
    const problem = `the answers have the checksum ${actual}, not ${expected}`;
    throw new InputError('other_answers', problem, 'name their file, or omit sha256=', { file });
  };
}

function readAnswer(
  { id, model, topology, response }: Transcript,
  target: Instance,
  file: string,
  onAnswer: PlannerContext['onRecordedAnswer'],
): Plan {
  const { plan, ignored, sources } = decodePlan(response, target);
  const decoding = reportDecoding(target, plan, ignored);
  const format = sources.length === 0 ? 'none' : sources.join('+');
  onAnswer?.({ place: `${file}#${id}`, model, topology, format, decoding });
  return plan;
}

/** Whether a record's error line says that there is no recorded answer for its instance. */
export function isWithoutTranscript(error: string): boolean {
  return /: there are \d+ answers for .+, not \d+; ask for other instances/.test(error);
}

/** The file of the answers. */
export function transcriptsPath(source: string): string {
  return source.split('#', 1)[0];
}

/**
 * Reads the bytes of recorded answers.
 *
 * @throws InputError `no_file`
 */
export function readAnswers(file: string): Uint8Array {
  refusePipe(file);
  try {
    return readFileSync(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new InputError('no_file', `the transcripts cannot be read (${code})`, HINT, { file });
  }
}

function parseFilters(text: string): Filters {
  const filters: Filters = {};
  for (const part of text.split(',')) {
    const [key, ...value] = part.split('=');
    const name = KEYS.find((known) => known === key.trim());
    if (name === undefined || value.length === 0) {
      throw new InputError(
        'bad_filter',
        `answers are not chosen by '${part}'`,
        `write #KEY=VALUE,… with ${KEYS.join(', ')}`,
        {},
        part,
      );
    }
    filters[name] = value.join('=').trim();
  }
  return filters;
}

function matches(transcript: Transcript, filters: Filters): boolean {
  return FILTERS.every((key) => filters[key] === undefined || filters[key] === transcript[key]);
}

/** The answer of one model, or of several in a topology, to a planning request. */
const transcript = z.object({
  id: z.string(),
  topology: z.string(),
  model: z.string(),
  instance: z.string(),
  response: z.string(),
});
export type Transcript = z.infer<typeof transcript>;

const HINT = 'give one JSON object a line, with id, topology, model, instance and response';

/**
 * Reads recorded answers: JSON lines, one answer each. Other keys are ignored.
 *
 * @throws InputError `bad_transcript` naming the invalid line, and errors of reading the file
 */
export function readTranscripts(file: string, read: ReadFile = readAnswers): Transcript[] {
  const text = Buffer.from(read(file)).toString();
  return text.split('\n').flatMap((line, i) => {
    return line.trim() === '' ? [] : [parseTranscript(line, file, i + 1)];
  });
}

function parseTranscript(text: string, file: string, line: number): Transcript {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const problem = `not JSON: ${(error as Error).message}`;
    throw new InputError('bad_transcript', problem, HINT, { file, line });
  }
  const parsed = transcript.safeParse(value);
  if (parsed.success) return parsed.data;
  const { problem, path } = firstIssue(parsed.error, value);
  throw new InputError('bad_transcript', problem, HINT, { file, line, path });
}
