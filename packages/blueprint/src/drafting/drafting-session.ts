import { askFor, type Model, type Question } from '@alas-jssp/agents';
import { canonicalJson } from '@alas-jssp/core/canonical-json';
import { sha256 } from '@alas-jssp/core/sha256';
import type { Json, LogEntry, LogStore, StepContext } from '@alas-jssp/workflow';
import { type Answer, LlmError } from 'alas-jssp/llm';
import type { DraftUsage, PartQuestion } from './draft.js';
import {
  type AskedEvent,
  applyDraftEvent,
  type DraftEvent,
  type DraftingState,
  EMPTY_DRAFTING,
} from './drafting-state.js';
import type { DraftFinding, PartName, Parts } from './part.js';
import { askedPartOf } from './part-plan.js';

/** Drafting in this process: the state, folded from the log, and the answers that the log already has. */
export interface DraftingSession {
  state: DraftingState;
  /** Answers of models by part and number of the request. */
  readonly journal: Map<string, Answer>;
  /** The number of requests by part, also those of steps that have not ended. */
  readonly requests: Map<PartName, number>;
}

/** Requests for one part in one round: an answer of another form is asked again at once, this often in total. */
const ATTEMPTS = 2;

/**
 * Opens a session: of a run in the log, with all that it holds.
 *
 * @param before the parts with which a change begins
 */
export function openSession(log: LogStore, runId: string, before: Parts = {}): DraftingSession {
  const journal = new Map<string, Answer>();
  let state: DraftingState = { ...EMPTY_DRAFTING, parts: before };
  for (const entry of log.read({ runId, eventTypes: ['EndNode', 'Response'] })) {
    const event = eventOf(entry);
    if (event !== undefined) state = applyDraftEvent(state, inOrder(event));
    if (entry.eventType === 'Response') {
      const { part, number, answer } = entry.payload as unknown as LoggedAnswer;
      journal.set(`${part}#${number}`, answer);
    }
  }
  return { state, journal, requests: new Map(Object.entries(state.requests)) };
}

/**
 * Applies an event; its step ends with it, so that the log holds it. Keys are in the order of the log: prompts are the
 * same in a resumed draft.
 */
export function recordEvent<E extends DraftEvent>(session: DraftingSession, event: E): E {
  session.state = applyDraftEvent(session.state, inOrder(event));
  return event;
}

function inOrder<E extends DraftEvent>(event: E): E {
  return JSON.parse(canonicalJson(JSON.parse(JSON.stringify(event))));
}

/** The payload of a Response entry. */
interface LoggedAnswer {
  readonly part: PartName;
  readonly number: number;
  readonly answer: Answer;
}

/** The event that a step of drafting ended with. */
function eventOf({ eventType, payload }: LogEntry): DraftEvent | undefined {
  if (eventType !== 'EndNode') return undefined;
  const output = (payload as { output?: { event?: string } }).output;
  const isEvent = typeof output?.event === 'string';
  return isEvent ? (output as unknown as DraftEvent) : undefined;
}

/** The world of a question. */
interface AskWorld {
  readonly session: DraftingSession;
  readonly model: Model;
  readonly round: number;
  readonly log: StepContext['log'];
  readonly signal: AbortSignal;
}

/**
 * Asks the model for a part, with the findings about its previous answer. An answer of another form is asked again at
 * once; answers that the log holds are not asked again.
 *
 * @throws LlmError if the model fails for good
 */
export async function askForPart<T>(
  world: AskWorld,
  { part, system, prompt, schema }: PartQuestion<T>,
): Promise<AskedEvent> {
  const { session, round, signal } = world;
  const model = journaledModel(world);
  const event = {
    event: 'asked',
    round,
    part,
    prompt: hashOfQuestion({ system, prompt }),
  } as const;
  const first = (session.requests.get(part) ?? 0) + 1;
  let previous = previousAnswer(session.state, part);
  let usage = NO_DRAFT_USAGE;
  for (let attempt = 0; ; attempt++) {
    const occurrence = first + attempt;
    session.requests.set(part, occurrence);
    const question: Question<T> = {
      key: part,
      occurrence,
      system,
      prompt,
      schema,
      previous,
      signal,
    };
    const asked = await askFor(model, question).catch(missingAnswer);
    const made = { ...event, requests: attempt + 1 };
    if ('missing' in asked) {
      return { ...made, ...NO_ANSWER, findings: [noAnswer(part, asked.missing)], usage };
    }
    usage = addDraftUsage(usage, asked.answer);
    if (asked.ok) {
      return { ...made, ...NO_ANSWER, ok: true, answer: asked.value as Json, usage };
    }
    const { problem, answer } = asked;
    if (attempt + 1 === ATTEMPTS) {
      return {
        ...made,
        ...NO_ANSWER,
        text: answer.text,
        findings: [badAnswer(part, problem)],
        usage,
      };
    }
    previous = { text: answer.text, problem };
  }
}

const NO_ANSWER = { ok: false, answer: null, text: null, findings: [] } as const;

/** The error of a model that will not answer this question, which is a finding; others interrupt drafting. */
function missingAnswer(error: unknown): { readonly missing: string } {
  if (error instanceof LlmError && error.code === 'MissingAnswer')
    return { missing: error.message };
  throw error;
}

/** A model that logs its requests and answers, and takes those that the log holds from there. */
function journaledModel({ session, model, log }: AskWorld): Model {
  return {
    name: model.name,
    async ask(request, signal) {
      const { key, occurrence = 1 } = request;
      const known = session.journal.get(`${key}#${occurrence}`);
      if (known !== undefined) return known;
      const about = { part: key, number: occurrence };
      log('Request', { ...about, model: model.name, prompt: hashOfQuestion(request.messages) });
      const answer = await model.ask(request, signal);
      session.journal.set(`${key}#${occurrence}`, answer);
      log('Response', { ...about, answer } as unknown as Json);
      return answer;
    },
  };
}

/** The previous answer to a part, with what is wrong with it; undefined if nothing is. */
function previousAnswer(
  { broken, best, parts, rejected }: DraftingState,
  part: PartName,
): Question<unknown>['previous'] {
  if (Object.hasOwn(broken, part)) {
    const { text, findings } = broken[part];
    return text === null ? undefined : { text, problem: findingLines(findings) };
  }
  const findings = (best?.findings ?? []).filter(
    (finding) => askedPartOf(finding, best?.parts ?? {}) === part,
  );
  if (findings.length === 0 || !Object.hasOwn(parts, part)) return undefined;
  const text = JSON.stringify(parts[part]);
  const problem = findingLines(findings);
  if (!Object.hasOwn(rejected, part)) return { text, problem };
  const { answer, findings: worse } = rejected[part];
  const tried = `\nThis answer was tried, too, and is worse: ${JSON.stringify(answer)}\n${findingLines(worse)}`;
  return { text, problem: problem + tried };
}

/** Findings as a model receives them: code, place, message and hint. */
function findingLines(findings: readonly DraftFinding[]): string {
  return findings
    .map(({ code, path, message, hint }) => `- [${code}] at ${path}: ${message}. Fix: ${hint}.`)
    .join('\n');
}

/** SHA-256 of a question. */
export function hashOfQuestion(question: unknown): string {
  return sha256(canonicalJson(question));
}

function noAnswer(part: PartName, problem: string): DraftFinding {
  const hint = `give an answer to the part ${part}`;
  return { code: 'no_answer', severity: 'error', part, path: '$', message: problem, hint };
}

function badAnswer(part: PartName, problem: string): DraftFinding {
  const [, path] = /^(\$[^\s:]*):/.exec(problem) ?? [];
  return {
    code: 'bad_part',
    severity: 'error',
    part,
    path: path ?? '$',
    message: `the answer does not have the form of the part: ${problem}`,
    hint: 'give the whole object as the schema of the part says',
  };
}

const NO_DRAFT_USAGE: DraftUsage = {
  requests: 0,
  inputTokens: 0,
  outputTokens: 0,
  estimated: false,
  usd: 0,
  seconds: 0,
};

function addDraftUsage(usage: DraftUsage, { tokens, usd, seconds }: Answer): DraftUsage {
  const { input, output, estimated } = tokens;
  const own = { requests: 1, inputTokens: input, outputTokens: output, estimated, usd, seconds };
  return sumUsage([usage, own]);
}

/** The sum of usages; its price is unknown if one is. */
export function sumUsage(usages: readonly DraftUsage[]): DraftUsage {
  return usages.reduce(
    (sum, one) => ({
      requests: sum.requests + one.requests,
      inputTokens: sum.inputTokens + one.inputTokens,
      outputTokens: sum.outputTokens + one.outputTokens,
      estimated: sum.estimated || one.estimated,
      usd: sum.usd === null || one.usd === null ? null : sum.usd + one.usd,
      seconds: sum.seconds + one.seconds,
    }),
    NO_DRAFT_USAGE,
  );
}

/** The part that a step asks; `again`: because of answers of people. */
export interface PartItem {
  readonly round: number;
  readonly part: PartName;
  readonly again: boolean;
}
