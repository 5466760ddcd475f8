import { join } from 'node:path';
import { readBytes } from '@alas-jssp/core/bytes';
import { InputError } from '@alas-jssp/core/errors';
import type { Instance } from '../../../jssp/instance.js';
import { operationAt } from '../../../jssp/plan.js';
import { parseStored, type StoredAnswer } from '../../../llm/answer-store.js';
import { decodePlan } from '../../../llm/decoding/decode-plan.js';
import type { DecodedEntry } from '../../../llm/decoding/entries.js';
import {
  readTranscripts,
  type Transcript,
} from '../../../pipeline/planners/transcripts-planner.js';
import type { SpanView, TurnView } from './schedule-data.js';

/** Maximum number of characters of an answer; a longer one is cut, and a note says so. */
const MOST_SHOWN = 200_000;

/** Reads the answers of the records of a run. */
export interface AnswerReader {
  /**
   * Reads an answer by its name in a record: a file, or a file of recorded answers, `#` and an id.
   *
   * @throws InputError if it is missing or damaged
   */
  read(place: string): RecordedTurn;
}

/** The known parts of a request, and the answer to it. */
type RecordedTurn = Omit<TurnView, 'spans' | 'ignored'>;

/** Opens the answers of a run; files of recorded answers are read once. */
export function createAnswerReader(directory: string): AnswerReader {
  const transcripts = new Map<string, Map<string, Transcript>>();
  const open = (file: string) => {
    const known = transcripts.get(file);
    if (known !== undefined) return known;
    const byId = new Map(readTranscripts(file).map((one) => [one.id, one]));
    transcripts.set(file, byId);
    return byId;
  };
  return {
    read(place) {
      const hash = place.lastIndexOf('#');
      if (hash < 0) {
        const file = join(directory, place);
        return turnOf(parseStored(readBytes(file), file), place);
      }
      const file = join(directory, place.slice(0, hash));
      const found = open(file).get(place.slice(hash + 1));
      if (found !== undefined) return turnOfTranscript(found, place);
      throw new InputError('no_answer', 'the answer is not there any more', 'restore it', {
        file: place,
      });
    },
  };
}

function turnOf({ request, answer }: StoredAnswer, file: string): RecordedTurn {
  const { messages } = request as { messages?: unknown };
  const { text, finish, tokens, model, seconds, usd } = answer;
  const cost = usd === null ? [] : [`$${usd.toFixed(4)}`];
  const used = `${tokens.input} tokens in, ${tokens.output} out${tokens.estimated ? ' (estimated)' : ''}`;
  const stopped = {
    stop: 'complete',
    length: 'cut off at the limit of its length',
    refusal: 'refused',
  };
  return {
    file,
    model,
    messages: Array.isArray(messages) ? messages.map(readMessage) : [],
    answer: text,
    remarks: [stopped[finish], used, `${seconds.toFixed(1)} s`, ...cost],
  };
}

function readMessage(message: unknown): TurnView['messages'][number] {
  const { role, content } = message as { role?: unknown; content?: unknown };
  return { role: String(role), text: shorten(String(content)) };
}

function turnOfTranscript({ model, topology, response }: Transcript, file: string): RecordedTurn {
  const remarks = [`recorded elsewhere, topology ${topology}; its prompt is not known`];
  return { file, model, messages: [], answer: response, remarks };
}

/** A turn with the parts of its answer that can be read as the plan of an instance. */
export function viewTurn(turn: RecordedTurn, instance: Instance | null): TurnView {
  const answer = shorten(turn.answer);
  if (instance === null) return { ...turn, answer, spans: [], ignored: [] };
  const { plan, ignored, candidates } = decodePlan(turn.answer, instance);
  const found = `${plan.entries.length} entries read for ${instance.operations} operations`;
  const several =
    candidates.found > 1 ? [`${candidates.found} schedules in it: ${candidates.why}`] : [];
  return {
    ...turn,
    answer,
    remarks: [...turn.remarks, found, ...several],
    spans: spansOf(plan.entries, instance, answer.length),
    ignored: ignored.map(({ line, why, count }) => ({
      line,
      words: count === 1 ? why : `${why} (${count} times)`,
    })),
  };
}

function shorten(text: string): string {
  if (text.length <= MOST_SHOWN) return text;
  return `${text.slice(0, MOST_SHOWN)}\n… (${text.length} characters in all)`;
}

/** The non-overlapping spans of entries in their order; entries at one place share a span. */
function spansOf(entries: readonly DecodedEntry[], instance: Instance, length: number): SpanView[] {
  const spans: { from: number; to: number; operation: number; words: string }[] = [];
  const sorted = entries.toSorted((a, b) => a.place.offset - b.place.offset);
  for (const entry of sorted) {
    const { offset: from, end } = entry.place;
    const to = Math.min(end, length);
    const last = spans.at(-1);
    if (to <= from) continue;
    if (last !== undefined && from < last.to) {
      last.to = Math.max(last.to, to);
      last.words += `; ${wordsOfEntry(entry)}`;
      continue;
    }
    const operation = operationAt(instance, entry.job, entry.step);
    spans.push({ from, to, operation, words: wordsOfEntry(entry) });
  }
  return spans;
}

function wordsOfEntry({ job, step, machine, start, end, filled }: DecodedEntry): string {
  const taken = `job ${job + 1}, step ${step + 1} on machine ${machine} from ${start} to ${end}`;
  return filled.length === 0 ? taken : `${taken} (${filled.join(', ')} from the instance)`;
}
