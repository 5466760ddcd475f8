const HOUR = 60;
const LONGEST_DAY = 100 * HOUR;

/** The times of a line, in minutes since midnight, and the line without them. */
export interface TimedLine {
  readonly start: number;
  /** Null if the line has only one time and no duration. */
  readonly end: number | null;
  readonly rest: string;
}

interface FoundTime {
  readonly from: number;
  readonly to: number;
  readonly hours: number;
  readonly minutes: number;
  readonly half: 'a' | 'p' | null;
}

const TIME =
  /(?<![\d.:@>])(?:(\d{1,3})(?::|h|\.)([0-5]\d)(?::[0-5]\d)?(?![\d.]*\d)(?:\s?([ap])\.?m\b\.?)?(?!\s*(?:km|kilomet|min|mi\b|h\b|hour|%))|(\d{1,2})\s?([ap])\.?m\b\.?|\b(noon|midnight)\b)/gi;
const BETWEEN = /^[\s*_`]*(?:-+|–|—|−|~|→|->|to|until|till|through)[\s*_`]*$/i;
/** A bare hour, such as the 9 of `9–10 AM`. */
const BARE_HOUR = /(?<![\d:.])(\d{1,2})\s*(?:-|–|—|−|to)\s*$/i;
const DURATION = /(?<![\d.])(\d{1,4})\s*(?:min\b|mins\b|minutes?\b)/i;

/** Parses the first time span of a line; null if the line has no time. */
export function readTimes(line: string): TimedLine | null {
  const found = timesOf(line);
  for (const [i, last] of found.entries()) {
    const first = found[i - 1];
    if (first !== undefined && BETWEEN.test(line.slice(first.to, last.from))) {
      return span(line, first, last);
    }
    const bare = last.half === null ? null : BARE_HOUR.exec(line.slice(0, last.from));
    if (bare === null) continue;
    const hours = Number(bare[1]);
    if (hours < 1 || hours > 12) continue;
    return span(line, { from: bare.index, to: last.from, hours, minutes: 0, half: null }, last);
  }
  const [only] = found;
  if (only === undefined) return null;
  const start = minutesOf(only, only.half);
  const duration = DURATION.exec(line);
  const end = duration === null ? null : start + Number(duration[1]);
  return { start, end, rest: without(line, only.from, only.to) };
}

/** Parses a text that is exactly one clock time; null if it is not. */
export function readClock(text: string): number | null {
  const trimmed = text.replaceAll(/[*`"']/g, '').trim();
  const [only] = timesOf(trimmed);
  if (only === undefined || only.from !== 0 || only.to !== trimmed.length) return null;
  return minutesOf(only, only.half);
}

function timesOf(line: string): FoundTime[] {
  return Array.from(line.matchAll(TIME), (match) => {
    const [whole, hours, minutes, half, fullHours, fullHalf, word] = match;
    const at = { from: match.index, to: match.index + whole.length };
    if (word !== undefined) {
      return { ...at, hours: word.toLowerCase() === 'noon' ? 12 : 24, minutes: 0, half: null };
    }
    const letter = (half ?? fullHalf)?.toLowerCase() as 'a' | 'p' | undefined;
    const time = { hours: Number(hours ?? fullHours), minutes: Number(minutes ?? 0) };
    return { ...at, ...time, half: letter ?? null };
  }).filter(({ hours, half }) =>
    half === null ? hours * HOUR < LONGEST_DAY : hours >= 1 && hours <= 12,
  );
}

/** A time span. In `11:00 – 1:00 PM` the first time is before noon, since it cannot be after the second. */
function span(line: string, first: FoundTime, last: FoundTime): TimedLine {
  const end = minutesOf(last, last.half);
  let start = minutesOf(first, first.half);
  if (first.half === null && last.half !== null && first.hours >= 1 && first.hours <= 12) {
    const same = minutesOf(first, last.half);
    start = same <= end ? same : minutesOf(first, last.half === 'p' ? 'a' : 'p');
  }
  return { start, end, rest: without(line, first.from, last.to) };
}

function minutesOf({ hours, minutes }: FoundTime, half: FoundTime['half']): number {
  if (half === null) return HOUR * hours + minutes;
  return HOUR * ((hours % 12) + (half === 'p' ? 12 : 0)) + minutes;
}

function without(line: string, from: number, to: number): string {
  return `${line.slice(0, from)} ${line.slice(to)}`.replace(/^[\s*_`:.,;()[\]–—-]+/, '').trim();
}
