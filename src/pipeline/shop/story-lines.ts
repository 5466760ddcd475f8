import { printableLine } from '../../core/errors.js';
import { clockFor, type ShopClock, type TimeScale } from '../../jssp/shop-clock.js';
import { createTimeScale } from '../../jssp/time-scale.js';
import type { LoggedEvent, ShopInput } from './shop-values.js';
import type { ShopStory, ShopTurn } from './story.js';

/**
 * The story of a shop in lines that a foreman can read: one for each instant. Jobs and steps count from
 * 1, machines from 0, as in files.
 */
export function tellStory({ input, turns, waitsFor, end }: ShopStory): string[] {
  const clock = clockOfInput(input);
  const lines = turns.map((turn) => tellTurn(turn, clock)).filter((line) => line !== '');
  const first = turns.find(({ proposal }) => proposal !== undefined)?.proposal;
  const begin = first === undefined ? '' : `, makespan ${clock.time(first.makespan.before)}`;
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
  const { happened, committed, proposal, rolledBack, approval, settled } = turn;
  const { kind, now, by, started, lost, skipped } = happened;
  if (kind === 'nothing') return '';
  if (kind === 'close') return printableLine(`closed${by === null ? '' : ` by ${by}`}`);
  const parts = [`at ${clock.time(now)} ${newsOf(turn, clock)}`];
  for (const { reason } of skipped) parts.push(`too late or refused: ${reason}`);
  if (lost > 0) parts.push(`${counted(lost, 'operation')} must start anew`);
  if (started.length > 0) {
    parts.push(
      `${counted(started.length, 'operation')} had started and ${have(started)} irreversible`,
    );
  }
  for (const { method, reason } of rolledBack) parts.push(`${method} was rolled back: ${reason}`);
  if (proposal !== undefined) parts.push(movesOf(turn, clock));
  if (committed !== undefined) {
    const who = turn.approvedBy ?? committed.by;
    const approved = who === null || who === undefined ? '' : `, approved by ${who}`;
    const unasked =
      who === null && approval !== undefined ? ', which nobody objected to in time' : '';
    parts.push(`version ${committed.version}${approved}${unasked}`);
  } else if (!settled && approval !== undefined) parts.push(`${approval} waits for an approval`);
  // Names come from files and from people.
  return printableLine(parts.join('; '));
}

/** The changes of a proposal, in words: `lcrp moved 7 operations, makespan 930 → 966`. */
function movesOf({ proposal, happened }: ShopTurn, { time }: ShopClock): string {
  if (proposal === undefined) return '';
  const { method, moved, operations, makespan, kept } = proposal;
  const placed = operations.length - moved;
  const words = [`${method} moved ${moved === 0 ? 'nothing' : counted(moved, 'operation')}`];
  if (placed > 0) words.push(`placed ${placed} new`);
  const [before, after] = [time(makespan.before), time(makespan.after)];
  words.push(before === after ? `makespan ${after} as before` : `makespan ${before} → ${after}`);
  if (kept !== undefined && kept > 0) {
    words.push(`${counted(kept, 'operation')} could not go back to version ${happened.undo}`);
  }
  return words.join(', ');
}

function newsOf({ happened }: ShopTurn, clock: ShopClock): string {
  const { kind, events, by, undo, skipped } = happened;
  const who = by ?? 'somebody';
  if (kind === 'undo') {
    return undo === undefined ? `${who} wanted to go back` : `${who} went back to version ${undo}`;
  }
  if (kind === 'propose') return `${who} proposed starts`;
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

function have(list: readonly unknown[]): string {
  return list.length === 1 ? 'is' : 'are';
}
