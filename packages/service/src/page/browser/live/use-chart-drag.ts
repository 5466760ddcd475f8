import type { ScheduleView, Violation } from 'alas-jssp/page';
import type { ChartDrag, PlaceVerdict } from 'alas-jssp/page/parts';
import { useMemo } from 'preact/hooks';
import { texts } from '../texts.js';
import { type MoveRules, moveRules, type WishedPlace } from './move-rules.js';
import type { ShopWords } from './shop-words.js';

/** A followed schedule whose operations can be moved by hand. */
export interface MovableSchedule {
  readonly view: ScheduleView;
  readonly words: ShopWords;
  readonly now: number;
}

/** The verdict on a machine and a start of an operation, in words. */
export function verdictOnMove(
  rules: MoveRules,
  { view, words, now }: MovableSchedule,
  { operation, machine, start }: WishedPlace,
): PlaceVerdict {
  const end = rules.endOf(operation, machine, start);
  const broken = rules.brokenRules({ operation, machine, start }, now);
  const { moving } = texts;
  const time = moving.time(words.time(start), words.endTime(end, start));
  const verdicts = [...new Set(broken.map((one) => wordsOfRule(one, operation, view, words, now)))];
  const fine = view.isPlain ? moving.fine : moving.partly;
  const verdict = `${time}: ${broken.length === 0 ? fine : moving.broken(verdicts)}`;
  const isElsewhere = machine !== view.machine[operation];
  const text = isElsewhere ? moving.on(words.machine(machine), verdict) : verdict;
  return { machine, start, end, isFine: broken.length === 0, text };
}

/** A violated rule, in words. */
function wordsOfRule(
  one: Violation,
  operation: number,
  { start, end }: ScheduleView,
  words: ShopWords,
  now: number,
): string {
  const { rules } = texts.moving;
  switch (one.code) {
    case 'release':
      return one.release <= now ? rules.past : rules.release(words.time(one.release));
    case 'downtime':
      return rules.downtime(words.time(one.from), words.endTime(one.to, one.from));
    case 'job_precedence': {
      const { other } = one;
      if (other !== operation) return rules.before(words.step(other), words.time(end[other]));
      const next = one.scope.op ?? operation;
      return rules.after(words.step(next), words.time(start[next]));
    }
    case 'machine_overlap': {
      const other = one.other === operation ? (one.scope.op ?? operation) : one.other;
      const name = words.operation(other);
      if (start[other] < now) return rules.runs(name, words.time(end[other]));
      return rules.overlaps(
        name,
        words.time(start[other]),
        words.endTime(end[other], start[other]),
      );
    }
    default:
      return one.message;
  }
}

/** Makes the operations of a schedule that have not started draggable. */
export function useChartDrag(movable: MovableSchedule, onDrop: ChartDrag['drop']): ChartDrag {
  const { view, now } = movable;
  // Created at the first drag.
  const rules = useMemo(() => {
    let made: MoveRules | null = null;
    return () => (made ??= moveRules(view));
  }, [view]);
  return {
    canMove: (op) => rules().canMove(op, now),
    machinesOf: (op) => rules().machinesOf(op),
    place(op, machine, time, grid) {
      const near = rules()
        .magnets(op, machine, now)
        .filter((one) => Math.abs(one - time) < grid)
        .sort((a, b) => Math.abs(a - time) - Math.abs(b - time));
      const start = near[0] ?? Math.round(time / grid) * grid;
      return verdictOnMove(rules(), movable, { operation: op, machine, start });
    },
    drop: onDrop,
  };
}
