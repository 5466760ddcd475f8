import { printableLine, type RefusalReason } from '@alas-jssp/core/errors';
import { isObject } from '@alas-jssp/core/json-path';
import type { LoggedEvent, RolledBack } from '@alas-jssp/living-plan';
import { findKind } from '../../disruption/kind-of.js';
import { english, type Sentences } from '../../jssp/sentences/english.js';
import { type ProblemSentence, problemSentence } from '../../jssp/sentences/problems.js';
import { clockFor, type ShopClock, type TimeScale } from '../../jssp/shop-clock.js';
import { createTimeScale } from '../../jssp/time-scale.js';
import type { ShopInput } from './shop-values.js';
import type { ShopStory, ShopTurn } from './story.js';

/** The clock and the sentences to format the story of a shop. */
export interface StoryWords extends ShopClock {
  readonly sentences: Sentences;
}

/** The words for a story by the time scale of the shop; without a scale, times are numbers. */
export function storyWords(
  scale: TimeScale | null | undefined = null,
  sentences: Sentences = english,
): StoryWords {
  return { ...clockFor(scale, sentences.clock), sentences };
}

/**
 * Formats the story of a shop for people, one line per instant. Jobs and steps count from 1, machines from 0, as in
 * files.
 *
 * @param sentences default: English
 */
export function formatStory(
  { input, turns, waitsFor, end }: ShopStory,
  sentences: Sentences = english,
): string[] {
  const words = storyWords(scaleOfInput(input), sentences);
  const lines = turns.map((turn) => formatTurn(turn, words)).filter((line) => line !== '');
  const first = turns.find(({ proposal }) => proposal !== undefined)?.proposal;
  const begin = sentences.story.plan(
    first === undefined ? null : words.time(first.makespan.before),
  );
  const last = endOf(turns, waitsFor, end, words);
  return [begin, ...lines, ...(last === '' ? [] : [last])];
}

/** The time scale of the instance in the log; undefined if the log does not contain the instance. */
function scaleOfInput(input: ShopInput | null): TimeScale | undefined {
  const content = input?.instance.content as { time_scale?: TimeScale } | undefined;
  return content?.time_scale && createTimeScale(content.time_scale);
}

/**
 * Formats an instant as a line; empty if it had no command and no events.
 *
 * @param words those of the shop; default: English, with times as numbers
 */
export function formatTurn(turn: ShopTurn, words: StoryWords = storyWords()): string {
  const { instant, committed, approval, settled } = turn;
  const { kind, now, by } = instant;
  const { story } = words.sentences;
  if (kind === 'nothing') return '';
  if (kind === 'close') return printableLine(story.closed(by));
  const parts = [
    story.at(words.time(now), commandText(turn, words)),
    ...formatConsequences(turn, words),
  ];
  if (committed !== undefined) {
    parts.push(`${story.version(committed.version)}${formatApproval(turn, words)}`);
  } else if (!settled && approval !== undefined) parts.push(story.waits(approval));
  // Names come from input and may contain control characters.
  return printableLine(parts.join('; '));
}

/** The consequences of an instant, in sentences: refusals, operations that must start again, moves. */
export function formatConsequences(turn: ShopTurn, words: StoryWords): string[] {
  const { instant, proposal, rolledBack } = turn;
  const { started, lost, skipped, row } = instant;
  const { story } = words.sentences;
  const parts = skipped.map((one) => story.skipped(formatReason(one, words)));
  if (row !== undefined) parts.push(story.byRow(row));
  if (lost > 0) parts.push(story.lost(lost));
  if (started.length > 0) parts.push(story.started(started.length));
  for (const one of rolledBack) parts.push(formatRefusal(one, words));
  if (proposal !== undefined) parts.push(movesOf(turn, words));
  return parts;
}

/** Formats a proposal that was not accepted: `the repair by lcrp was not accepted: too much`. */
export function formatRefusal(
  refused: Pick<RolledBack, 'method'> & RefusalReason,
  words: StoryWords = storyWords(),
): string {
  return words.sentences.story.notAccepted(refused.method, formatReason(refused, words));
}

/** Formats the reason of a refusal from its code and facts; without a known code, the logged reason. */
export function formatReason(
  { code, facts = {}, reason, event }: RefusalReason & { readonly event?: unknown },
  words: StoryWords,
): string {
  const known = { event, ...facts };
  const [problem] = formatProblem({ code, facts: known }, words) ?? [reason];
  return problem;
}

/** Formats an error from its code and facts; undefined if the language has no sentence for it. */
export function formatProblem(
  { code, facts = {} }: Omit<RefusalReason, 'reason'>,
  words: StoryWords,
): ProblemSentence | undefined {
  return problemSentence(words.sentences.problems, facts.code ?? code, {
    facts,
    event: isObject(facts.event) ? phraseOf(facts.event as LoggedEvent, words) : '',
    time: (time) => timeIn(words, time),
  });
}

/** `, approved by kim`; empty if no approval was needed. */
function formatApproval({ committed, approval, approvedBy }: ShopTurn, words: StoryWords): string {
  const { story } = words.sentences;
  const who = approvedBy ?? committed?.by ?? null;
  if (who !== null) return story.approvedBy(who);
  return approval === undefined ? '' : story.unopposed;
}

/** Formats the command of an instant, without its outcome. */
export function formatCommand(turn: ShopTurn, words: StoryWords): string {
  return printableLine(commandText(turn, words));
}

/** The changes of a proposal: `7 operations move, all done by Tue 24 Nov 16:20 instead of 16:05`. */
function movesOf({ proposal, instant, rolledBack }: ShopTurn, words: StoryWords): string {
  if (proposal === undefined) return '';
  const { story, plan } = words.sentences;
  const { method, moved, operations, makespan, kept } = proposal;
  const placed = operations.length - moved;
  const parts = [story.moved(moved, rolledBack.length === 0 ? null : method)];
  if (placed > 0) parts.push(story.placed(placed));
  const { before, after } = makespan;
  const than = before === after ? plan.asBefore : plan.insteadOf(words.time(before, after));
  parts.push(`${plan.end(words.time(after))} ${than}`);
  if (kept !== undefined && kept > 0) parts.push(story.kept(kept, instant.undo ?? 1));
  return parts.join(', ');
}

function commandText(turn: ShopTurn, words: StoryWords): string {
  const { instant, committed, rolledBack } = turn;
  const { kind, events, by, undo, skipped, withdraws } = instant;
  const { story, someone } = words.sentences;
  const who = by ?? someone;
  // Until it is accepted, it is a wish.
  const isWish = committed === undefined && (rolledBack.length > 0 || turn.approval !== undefined);
  if (kind === 'undo') {
    return isWish && undo !== undefined
      ? story.wantedToUndo(who, undo)
      : story.undo(who, undo ?? null);
  }
  if (kind === 'propose') return story.propose(who);
  if (withdraws !== undefined) {
    const { version } = withdraws;
    const [was, is] = [withdraws.events, events].map((all) => phrasesOf(all, words).join(', '));
    if (was === '' || isWish) return story.wantedToWithdraw(who, version);
    return story.withdrew(who, version, was, is);
  }
  const shown = events.length > 0 ? events : skipped.map(({ event }) => event as LoggedEvent);
  return (
    events.length > 0 ? phrasesOf(shown, words) : shown.map((one) => phraseOf(one, words))
  ).join(', ');
}

/** The largest number of machines that are named; more are counted. */
const MOST_MACHINES = 5;

/** The phrases of events; consecutive equal breakdowns of several machines share one phrase. */
export function phrasesOf(
  events: readonly LoggedEvent[],
  words: StoryWords = storyWords(),
): string[] {
  const phrases: { event: LoggedEvent; machines: string[]; same: string }[] = [];
  for (const event of events) {
    const same = event.kind === 'breakdown' ? phraseOf(event, words, '') : '';
    const last = phrases.at(-1);
    if (same !== '' && last?.same === same) last.machines.push(String(event.machine));
    else phrases.push({ event, machines: [String(event.machine)], same });
  }
  return phrases.map(({ event, machines }) =>
    phraseOf(event, words, machines.length > 1 ? namesOf(machines, words) : undefined),
  );
}

/** `machines 3, 4 and 7`, `50 machines`. */
function namesOf(machines: readonly string[], { sentences: { names } }: StoryWords): string {
  if (machines.length > MOST_MACHINES) return names.countedMachines(machines.length);
  if (!machines.every((label) => LABEL.test(label))) {
    return names.list(machines.map((label) => nameOf(label, names)));
  }
  return names.machines(names.list(machines.map((label) => label.replace('Machine', ''))));
}

/**
 * Formats an event, such as `machine 3 broke down until 200`.
 *
 * @param machines the machines of a breakdown, in words; default: the machine of the event
 */
function phraseOf(event: LoggedEvent, words: StoryWords, machines?: string): string {
  const definition = findKind(event.kind);
  if (definition === undefined) return JSON.stringify(event);
  const { at } = event;
  const { sentences } = words;
  const name = (label: unknown) => nameOf(label, sentences.names);
  const job = () => name(event.job);
  return definition.phrase(event, {
    sentences,
    machine: machines ?? name(event.machine),
    job,
    operation: () => sentences.events.step(job(), (event.step as string | number) ?? null),
    name,
    time: (time) => timeIn(words, time, typeof at === 'number' ? at : undefined),
    duration: words.duration,
  });
}

function timeIn(words: StoryWords, time: unknown, near?: number): string {
  return typeof time === 'number' ? words.time(time, near) : String(time);
}

const LABEL = /^(Job|Machine|Resource)(\d+)$/;

/** `machine 3` of `Machine3`, `job 5` of `Job5`. */
function nameOf(label: unknown, names: Sentences['names']): string {
  const [, word, number] = LABEL.exec(String(label)) ?? [];
  if (number === undefined) return String(label);
  if (word === 'Job') return names.job(Number(number));
  return word === 'Resource' ? names.resource(Number(number)) : names.machine(Number(number));
}

function endOf(
  turns: readonly ShopTurn[],
  waitsFor: ShopStory['waitsFor'],
  end: ShopStory['end'],
  words: StoryWords,
): string {
  const { story } = words.sentences;
  if (end !== null) return end.status === 'COMPLETED' ? '' : story.ended(formatEnd(end, words));
  if (waitsFor?.kind === 'approval') return story.waitsForApproval(waitsFor.name);
  if (waitsFor?.kind === 'command') return story.waitsForCommand;
  return turns.at(-1)?.settled === false ? story.interrupted : '';
}

/** Formats the reason why a shop has ended. */
export function formatEnd(
  { status, error }: NonNullable<ShopStory['end']>,
  words: StoryWords,
): string {
  return formatReason({ code: error?.code, reason: error?.message ?? status }, words);
}
