import type { Model, ToolCatalogue } from '@alas-jssp/agents';
import { canonicalJson } from '@alas-jssp/core/canonical-json';
import { AlasError } from '@alas-jssp/core/errors';
import { sha256 } from '@alas-jssp/core/sha256';
import { type LogStore, type Registry, runWorkflow, type StepContext } from '@alas-jssp/workflow';
import { escalateUndos } from '../compensation/escalate-undos.js';
import { bindTools } from '../factory/bind-tools.js';
import type { Specification } from '../specification/specification.js';
import { assembleDraft } from './assemble-draft.js';
import type {
  AskPart,
  CheckDraft,
  Draft,
  DraftModels,
  EquipDraft,
  PartRecord,
  RoundRecord,
} from './draft.js';
import { type DraftingInput, draftWorkflow } from './draft-workflow.js';
import {
  askForPart,
  type DraftingSession,
  hashOfQuestion,
  openSession,
  type PartItem,
  recordEvent,
  sumUsage,
} from './drafting-session.js';
import type { AskedEvent } from './drafting-state.js';
import { judgeRound } from './judge-draft.js';
import type { DraftFinding, Parts } from './part.js';
import { DRAFTING_STAGES, livingParts, namedParts, partsToAsk } from './part-plan.js';
import { schemaOfPart } from './part-schemas.js';
import { promptOfPart } from './prompts/part-prompt.js';
import type { PromptFacts } from './prompts/prompt.js';

/** Rounds of refinement if none are given. */
export const DEFAULT_DRAFTING_ROUNDS = 3;

/** An open question of a specification. */
export type OpenQuestion = Specification['questions'][number];

/** A step of drafting, for a display of progress. */
export interface DraftingProgress {
  readonly round: number;
  /** The part that was asked; undefined once the round is judged. */
  readonly asked?: PartRecord | undefined;
  readonly judged?: RoundRecord | undefined;
}

/** A task, and what is needed to draft a workflow for it. */
export interface DraftTaskOptions {
  /** The text of the task. */
  readonly text: string;
  readonly name: string;
  readonly catalogue: ToolCatalogue;
  /** The planner. */
  readonly model: Model;
  /** The model of agents with prompts. Default: the planner. */
  readonly agents?: string | undefined;
  /** The model of reviewers. */
  readonly reviewer?: string | null | undefined;
  /** Most rounds of refinement after the first answers. */
  readonly rounds?: number | undefined;
  readonly check: CheckDraft;
  readonly equip: EquipDraft;
  /** The log: an interrupted draft of the same input resumes from it. */
  readonly log: LogStore;
  /** Default: `draft`. */
  readonly runId?: string | undefined;
  /** Interrupts drafting; it can be resumed. */
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: DraftingProgress) => void) | undefined;
  /**
   * Asks people the open questions, after the specification was made. Questions without an answer are assumed.
   *
   * @returns answers by id of the question
   */
  readonly askPeople?:
    | ((questions: readonly OpenQuestion[]) => Promise<Readonly<Record<string, string>>>)
    | undefined;
  /** The words of a change, and the parts of the draft that it changes. */
  readonly change?: { readonly words: string; readonly before: Parts } | undefined;
}

/**
 * Drafts a workflow for a task: asks the planner for all parts, then, as long as errors are found and rounds are left,
 * for the parts that they name, with the findings. The best draft of all rounds is the result, with its findings.
 *
 * @throws AlasError `left` if it was interrupted, and errors of the model that no retry helps; calling it again with the
 *   same log resumes; `run_exists` if the log has the draft of another task
 */
export async function draftTask(options: DraftTaskOptions): Promise<Draft> {
  const { log, runId = 'draft', signal, change } = options;
  const session = openSession(log, runId, change?.before);
  const interruption = new AbortController();
  const registry = registryOf(session, options, interruption);
  const interrupt = () => interruption.abort(signal?.reason);
  signal?.addEventListener('abort', interrupt, { once: true });
  if (signal?.aborted) interrupt();
  try {
    const { status, error } = await runWorkflow(draftWorkflow.workflow, inputOf(options), {
      registry,
      store: log,
      runId,
      leave: interruption.signal,
    });
    if (status !== 'COMPLETED') {
      throw new AlasError(error?.code ?? status, error?.message ?? `drafting ended ${status}`);
    }
  } catch (error) {
    // The reason why the run was left is the error that a caller can act on.
    const { reason } = interruption.signal;
    throw interruption.signal.aborted && !signal?.aborted && reason instanceof Error
      ? reason
      : error;
  } finally {
    signal?.removeEventListener('abort', interrupt);
  }
  // Another process may have had the run: its answers are in the log, and not in this session.
  return resultOfSession(openSession(log, runId, change?.before), options);
}

function inputOf(options: DraftTaskOptions): DraftingInput {
  const { name, text, model, reviewer = null, catalogue, change } = options;
  const { rounds = DEFAULT_DRAFTING_ROUNDS } = options;
  return {
    turn: 0,
    done: false,
    name,
    task: text,
    planner: model.name,
    reviewer,
    rounds,
    tools: sha256(canonicalJson(catalogue)),
    before: change === undefined ? null : sha256(canonicalJson(change)),
  };
}

/** The handlers of drafting. An error of a handler interrupts the run, so that it can be resumed. */
function registryOf(
  session: DraftingSession,
  options: DraftTaskOptions,
  interruption: AbortController,
): Registry {
  const { catalogue, rounds = DEFAULT_DRAFTING_ROUNDS } = options;
  const handler = <I, O>(work: (input: I, context: StepContext) => O | Promise<O>) => ({
    async run(input: I, context: StepContext): Promise<O> {
      try {
        return await work(input, context);
      } catch (error) {
        interruption.abort(error);
        throw error;
      }
    },
  });
  const signalOf = (context: StepContext) => AbortSignal.any([context.signal, interruption.signal]);
  const lists = DRAFTING_STAGES.map((stage) => [
    `list-${stage}`,
    handler(({ turn: round }: { turn: number }) => ({
      parts: partsToAsk(stage, round, session.state, catalogue).map((part) => ({
        round,
        part,
        again: false,
      })),
    })),
  ]);
  return {
    handlers: {
      ...Object.fromEntries(lists),
      'ask-people': handler(({ turn }: { turn: number }) => askQuestions(session, options, turn)),
      ask: handler((item: PartItem, context) =>
        askOne(session, options, item, { log: context.log, signal: signalOf(context) }),
      ),
      judge: handler(async ({ turn: round }: { turn: number }, context) => {
        const world = { log: context.log, signal: signalOf(context) };
        const event = await judge(session, options, round, world);
        const { errors, stage } = session.state.best?.rank ?? event.rank;
        const passed = stage === 2 && errors === 0;
        return { ...event, turn: round + 1, done: passed || round >= rounds };
      }),
    },
  };
}

type StepWorld = Pick<StepContext, 'log' | 'signal'>;

/** Asks for one part of a specification or a template. */
async function askOne(
  session: DraftingSession,
  options: DraftTaskOptions,
  { round, part, again }: PartItem,
  world: StepWorld,
): Promise<AskedEvent> {
  const schema = schemaOfPart(part);
  if (schema === undefined) throw new AlasError('unknown_part', `there is no part ${part}`, part);
  const question = { part, schema, ...promptOfPart(part, factsOf(session, options, again)) };
  const event = await askForPart({ ...world, session, round, model: options.model }, question);
  recordEvent(session, event);
  options.onProgress?.({ round, asked: session.state.records.at(-1) });
  return event;
}

function factsOf(
  { state }: DraftingSession,
  options: DraftTaskOptions,
  again: boolean,
): PromptFacts {
  const { catalogue, change } = options;
  const facts = { text: textOf(options, state.facts), catalogue, parts: state.parts };
  if (again) return { ...facts, change: { words: state.facts.join('\n'), before: state.parts } };
  return { ...facts, change };
}

/** The text of the task, with the change and the facts that people added. */
function textOf(
  { text, change }: Pick<DraftTaskOptions, 'text' | 'change'>,
  facts: readonly string[],
): string {
  const changed = change === undefined ? '' : `\n\nChange:\n${change.words}`;
  const answers = facts.length === 0 ? '' : `\n\nAnswers to questions:\n${facts.join('\n')}`;
  return `${text}${changed}${answers}`;
}

/** The parts that answers of people may change. */
const ANSWERED_PARTS = ['inputs', 'operations', 'constraints', 'disruptions', 'questions'];

/** Asks people the open questions once; lists the parts that their answers may change. */
async function askQuestions(
  session: DraftingSession,
  { askPeople }: DraftTaskOptions,
  round: number,
): Promise<{ event?: 'answered'; round: number; facts: string[]; parts: PartItem[] }> {
  const questions = openQuestions(session.state.parts);
  if (round > 0 || askPeople === undefined || questions.length === 0) {
    return { round, facts: [], parts: [] };
  }
  const answers = await askPeople(questions);
  const facts = questions.flatMap(({ id, question }) =>
    Object.hasOwn(answers, id) ? [`- ${question} ${answers[id]}`] : [],
  );
  recordEvent(session, { event: 'answered', round, facts });
  const parts = facts.length === 0 ? [] : ANSWERED_PARTS;
  return {
    event: 'answered',
    round,
    facts,
    parts: parts.map((part) => ({ round, part, again: true })),
  };
}

function openQuestions(parts: Parts): readonly OpenQuestion[] {
  const { questions } = (parts.questions ?? { questions: [] }) as unknown as Specification;
  return questions;
}

/** Judges a round; the factory asks through the same session. */
async function judge(
  session: DraftingSession,
  options: DraftTaskOptions,
  round: number,
  world: StepWorld,
) {
  const { name, catalogue, model, check, equip, onProgress } = options;
  const asked: AskedEvent[] = [];
  const ask: AskPart = async (question) => {
    const { part, system, prompt } = question;
    const { parts, prompts, best } = session.state;
    const isSame = prompts[part] === hashOfQuestion({ system, prompt });
    if (isSame && Object.hasOwn(parts, part) && !namedParts({ best }).has(part)) {
      return { ok: true, value: parts[part] as never };
    }
    const event = await askForPart({ ...world, session, round, model }, question);
    asked.push(event);
    if (!event.ok) return { ok: false, finding: event.findings[0] };
    return { ok: true, value: event.answer as never };
  };
  const event = await judgeRound(round, session.state, {
    name,
    text: textOf(options, session.state.facts),
    catalogue,
    models: modelsOf(options),
    check,
    equip,
    ask,
    asked,
    isLast: round >= (options.rounds ?? DEFAULT_DRAFTING_ROUNDS),
    signal: world.signal,
  });
  recordEvent(session, event);
  onProgress?.({ round, judged: session.state.rounds.at(-1) });
  return event;
}

function modelsOf({ model, agents, reviewer }: DraftTaskOptions): DraftModels {
  return { planner: model.name, agents: agents ?? model.name, reviewer: reviewer ?? null };
}

/** The best draft of a session that has ended. */
function resultOfSession({ state }: DraftingSession, options: DraftTaskOptions): Draft {
  const { name, catalogue } = options;
  const { best, rounds, facts } = state;
  if (best === null) throw new AlasError('no_draft', 'drafting ended without a draft');
  const assembled = assembleDraft(livingParts(best.parts, catalogue), name);
  const isWhole = !('findings' in assembled);
  const findings: readonly DraftFinding[] = best.findings;
  return {
    name,
    text: textOf(options, facts),
    passed: best.rank.stage === 2 && best.rank.errors === 0,
    catalogue,
    models: modelsOf(options),
    parts: best.parts,
    specification: isWhole ? assembled.specification : null,
    template: isWhole
      ? escalateUndos(bindTools(assembled, catalogue).template, best.equipment?.undo ?? [])
      : null,
    agents: best.equipment?.agents ?? [],
    files: best.equipment?.files ?? {},
    undo: best.equipment?.undo ?? [],
    findings,
    rounds,
    usage: sumUsage(rounds.flatMap(({ parts }) => parts.map(({ usage }) => usage))),
  };
}
