import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { InputError } from '../core/errors.js';
import { firstIssue } from '../core/json-file.js';

/** The answer of a model, or of several in a topology, that were asked to plan an instance. */
export interface Transcript {
  readonly id: string;
  readonly topology: string;
  readonly model: string;
  readonly instance: string;
  readonly response: string;
}

const transcript: z.ZodType<Transcript> = z.object({
  id: z.string(),
  topology: z.string(),
  model: z.string(),
  instance: z.string(),
  response: z.string(),
});

const CURE = 'give one JSON object a line, with id, topology, model, instance and response';

/**
 * Reads recorded answers: JSON lines, one answer each. Other keys are passed over.
 *
 * @throws InputError `no_file` if the file cannot be read, `bad_transcript` naming the line of what
 *   is no answer
 */
export function readTranscripts(file: string): Transcript[] {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new InputError('no_file', `the transcripts cannot be read (${code})`, CURE, { file });
  }
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
    throw new InputError('bad_transcript', problem, CURE, { file, line });
  }
  const parsed = transcript.safeParse(value);
  if (parsed.success) return parsed.data;
  const { problem, path } = firstIssue(parsed.error);
  throw new InputError('bad_transcript', problem, CURE, { file, line, path });
}
