import { printableLine } from '../../core/errors.js';
import { clockFor, type ShopClock, type TimeScale } from '../../jssp/shop-clock.js';
import { createTimeScale } from '../../jssp/time-scale.js';
import type { LoggedEvent, ShopInput } from './shop-values.js';
import type { RolledBack, ShopStory, ShopTurn } from './story.js';

/**
 * The story of a shop in lines that a foreman can read: one for each instant. Jobs and steps count from
 * 1, machines from 0, as in files.
 */
export function tellStory({ input, turns, waitsFor, end }: ShopStory): string[] {
  const clock = clockOfInput(input);
  const lines = turns.map((turn) => tellTurn(turn, clock)).filter((line) => line !== '');
  const first = turns.find(({ proposal }) => proposal !== undefined)?.proposal;
  const begin = first === undefined ? '' : `, all done by ${clock.time(first.makespan.before)}`;
  const last = endOf(turns, waitsFor, end);
  return [`version 1 is the plan${begin}`, ...lines, ...(last === '' ? [] : [last])];
}

/** The clock of a shop whose instance stands in the log; others speak in numbers. */
function clockOfInput(input: ShopInput | null): ShopClock {
  const content = input?.instance.content as { time_scale?: TimeScale } | undefined;
  return clockFor(content?.time_scale && createTimeScale(content.time_scale));
}

/**
 * An instant in a line; empty for one at which nothing happened.
 *
 * @param clock that of the shop; default: it speaks in numbers
 */
export function tellTurn(turn: ShopTurn, clock = clockFor(null)): string {
  const { happened, committed, approval, settled } = turn;
  const { kind, now, by } = happened;
  if (kind === 'nothing') return '';
  if (kind === 'close') return printableLine(`closed${by === null ? '' : ` by ${by}`}`);
  const parts = [`at ${clock.time(now)} ${newsOf(turn, clock)}`, ...tellConsequences(turn, clock)];
  if (committed !== undefined) parts.push(`version ${committed.version}${tellApproval(turn)}`);
  else if (!settled && approval !== undefined) parts.push(`${approval} waits for an approval`);
  // Names come from files and from people.
  return printableLine(parts.join('; '));
}

/** The consequences of an instant, in sentences: what was refused, what must start anew, what moves. */
export function tellConsequences(turn: ShopTurn, clock: ShopClock): string[] {
  const { happened, proposal, rolledBack } = turn;
  const { started, lost, skipped } = happened;
  const parts = skipped.map(({ reason }) => `too late or refused: ${reason}`);
  if (lost > 0) parts.push(`${counted(lost, 'operation')} must start anew`);
  if (started.length > 0) {
    const [have, stay] = started.length === 1 ? ['has', 'stays'] : ['have', 'stay'];
    parts.push(`${counted(started.length, 'operation')} ${have} started and ${stay}`);
  }
  for (const one of rolledBack) parts.push(tellRefusal(one));
  if (proposal !== undefined) parts.push(movesOf(turn, clock));
  return parts;
}

/** A proposal that nobody follows, and why: `the repair by lcrp was not accepted: too much`. */
export function tellRefusal({ method, reason }: Pick<RolledBack, 'method' | 'reason'>): string {
  const what = method === 'by hand' ? 'the proposal by hand' : `the repair by ${method}`;
  return `${what} was not accepted: ${reason}`;
}

/** `, approved by kim`, or nothing where nobody was asked. */
function tellApproval({ committed, approval, approvedBy }: ShopTurn): string {
  const who = approvedBy ?? committed?.by ?? null;
  if (who !== null) return `, approved by ${who}`;
  return approval === undefined ? '' : ', which nobody objected to in time';
}

/** The news of an instant in words, without what became of it. */
export function tellNews(turn: ShopTurn, clock: ShopClock): string {
  return printableLine(newsOf(turn, clock));
}

/** The changes of a proposal: `7 operations move, all done by Tue 24 Nov 16:20 instead of 16:05`. */
function movesOf({ proposal, happened, rolledBack }: ShopTurn, { time }: ShopClock): string {
  if (proposal === undefined) return '';
  const { method, moved, operations, makespan, kept } = proposal;
  const by = rolledBack.length === 0 ? '' : `by ${method} `;
  const placed = operations.length - moved;
  const what = moved === 0 ? 'nothing' : counted(moved, 'operation');
  const words = [`${by}${what} ${moved > 1 ? 'move' : 'moves'}`];
  if (placed > 0) words.push(`${placed} new ${placed === 1 ? 'one is' : 'ones are'} placed`);
  const { before, after } = makespan;
  const than = before === after ? 'as before' : `instead of ${time(before, after)}`;
  words.push(`all done by ${time(after)} ${than}`);
  if (kept !== undefined && kept > 0) {
    words.push(`${counted(kept, 'operation')} could not go back to version ${happened.undo}`);
  }
  return words.join(', ');
}

function newsOf({ happened }: ShopTurn, clock: ShopClock): string {
  const { kind, events, by, undo, skipped, withdraws } = happened;
  const who = by ?? 'somebody';
  if (kind === 'undo') {
    return undo === undefined ? `${who} wanted to go back` : `${who} went back to version ${undo}`;
  }
  if (kind === 'propose') return `${who} proposed starts`;
  if (withdraws !== undefined) {
    const { version } = withdraws;
    const [was, is] = [withdraws.events, events].map((all) => phrasesOf(all, clock).join(', '));
    if (was === '') return `${who} wanted to withdraw the report of version ${version}`;
    const corrected = is === '' ? '' : `; instead ${is}`;
    return `${who} withdrew the report of version ${version} (${was})${corrected}`;
  }
  if (events.length === 0) {
    return skipped.map(({ event }) => phraseOf(event as LoggedEvent, clock)).join(', ');
  }
  return phrasesOf(events, clock).join(', ');
}

/** More machines are counted and not named. */
const MOST_MACHINES = 5;

/** The phrases of events; machines to which the same happens one after the other are named together. */
export function phrasesOf(events: readonly LoggedEvent[], clock = clockFor(null)): string[] {
  const phrases: { text: string; machines: string[] }[] = [];
  for (const event of events) {
    const text = phraseOf(event, clock);
    const machine = event.kind === 'breakdown' ? nameOf(event.machine) : '';
    const rest = text.slice(machine.length);
    const last = phrases.at(-1);
    const isSame = machine !== '' && last !== undefined && last.machines.length > 0;
    if (isSame && last.text === rest) last.machines.push(machine);
    else phrases.push({ text: rest, machines: machine === '' ? [] : [machine] });
  }
  return phrases.map(({ text, machines }) => `${namesOf(machines)}${text}`);
}

/** `machine 3`, `machines 3, 4 and 7`, `50 machines`. */
function namesOf(machines: readonly string[]): string {
  if (machines.length < 2) return machines.join('');
  if (machines.length > MOST_MACHINES) return counted(machines.length, 'machine');
  const areNumbers = machines.every((machine) => /^machine \d+$/.test(machine));
  if (!areNumbers) return `${machines.slice(0, -1).join(', ')} and ${machines.at(-1)}`;
  const numbers = machines.map((machine) => machine.replace(/^machine /, ''));
  return `machines ${numbers.slice(0, -1).join(', ')} and ${numbers.at(-1)}`;
}

/** An event in words, such as `machine 3 broke down until 200`. */
function phraseOf(event: LoggedEvent, clock: ShopClock): string {
  const { kind, at } = event;
  const timeOf = (time: unknown) =>
    typeof time === 'number'
      ? clock.time(time, typeof at === 'number' ? at : undefined)
      : String(time);
  switch (kind) {
    case 'breakdown': {
      const { from, to, resumable, estimated } = event;
      const mark = estimated === true ? ' (estimated)' : '';
      const down = from === at ? 'broke down' : `will be down from ${timeOf(from)}`;
      const what =
        to === undefined ? down : `${down} ${from === at ? 'until' : 'to'} ${timeOf(to)}${mark}`;
      return `${nameOf(event.machine)} ${what}${resumable === false ? ', its work is lost' : ''}`;
    }
    case 'restored':
      return `${nameOf(event.machine)} is back`;
    case 'duration': {
      const { duration, factor } = event;
      const long =
        duration === undefined ? `${factor} times as long` : clock.duration(Number(duration));
      return `${nameOf(event.job)}${stepWords(event.step)} takes ${long}`;
    }
    case 'arrival': {
      const { name, operations } = event.job as { name?: string; operations: readonly unknown[] };
      return `${name === undefined ? 'a job' : `the job ${name}`} arrived with ${counted(operations.length, 'operation')}`;
    }
    case 'cancellation':
      return `${nameOf(event.job)} was cancelled`;
    case 'delay': {
      return `${nameOf(event.job)}${stepWords(event.step)} is delayed until ${timeOf(event.until)}`;
    }
    default:
      return JSON.stringify(event);
  }
}

/** `machine 3` of `Machine3`, `job 5` of `Job5`. */
function nameOf(label: unknown): string {
  return String(label).replace(/^(Job|Machine)(\d+)$/, (_, word, number) => {
    return `${word.toLowerCase()} ${number}`;
  });
}

/** ` step 2`, or `, turning`. */
function stepWords(step: unknown): string {
  if (step === undefined) return '';
  return typeof step === 'string' ? `, ${step}` : ` step ${step}`;
}

function endOf(
  turns: readonly ShopTurn[],
  waitsFor: ShopStory['waitsFor'],
  end: ShopStory['end'],
): string {
  if (end !== null && end.status !== 'COMPLETED') {
    return `ended: ${end.error?.message ?? end.status}`;
  }
  if (end !== null) return '';
  if (waitsFor?.kind === 'approval') return `it waits for the approval ${waitsFor.name}`;
  if (waitsFor?.kind === 'news') return 'it waits for news';
  return turns.at(-1)?.settled === false ? 'it broke off, or goes on just now' : '';
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
