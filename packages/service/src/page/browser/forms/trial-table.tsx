import { useEffect, useRef } from 'preact/hooks';
import type { DryRunAnswer } from '../../../api/shop-schemas.js';
import type { ShopWords } from '../live/shop-words.js';
import { texts } from '../texts.js';

interface Props {
  readonly trial: DryRunAnswer;
  readonly words: ShopWords;
  /** Makes rows selectable; default: the table is read-only. */
  readonly choice?: RowChoice;
}

/** The selection of a row. */
interface RowChoice {
  /** The policy of the selected row. */
  readonly chosen: string;
  /** The policy of the default row, which is marked. */
  readonly usual?: string;
  canChoose(row: DryRunAnswer['trials'][number]): boolean;
  onChoose(policy: string): void;
}

/** The cost of events by policy, or of starts by way to make room for them. */
export function TrialTable({ trial: { trials, skipped }, words, choice }: Props) {
  const place = useRef<HTMLElement>(null);
  // The table appears below the form, outside of the screen of a tablet.
  useEffect(() => place.current?.scrollIntoView({ block: 'end' }), [trials]);
  const { trial } = texts;
  if (trials.length === 0 && skipped.length > 0) {
    return (
      <div class="problem" role="status">
        {trial.tooLate}
        <ul>
          {skipped.map(({ reason }) => (
            <li key={reason}>{reason}</li>
          ))}
        </ul>
      </div>
    );
  }
  return (
    <section ref={place} class="trial" role="status">
      <h3>{trial.heading}</h3>
      <table>
        <thead>
          <tr>
            <th scope="col">{trial.policy}</th>
            <th scope="col">{trial.moved}</th>
            <th scope="col">{trial.end}</th>
            <th scope="col">{trial.tardiness}</th>
            <th scope="col">{trial.late}</th>
          </tr>
        </thead>
        <tbody>
          {trials.map((row) => (
            <tr key={row.policy}>
              <th scope="row">
                <TrialName row={row} choice={choice} />
                {row.repaired && row.reasons.length > 0 && (
                  <div class="quiet">{row.reasons.join(' ')}</div>
                )}
              </th>
              <RowCost row={row} words={words} />
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

export type RepairTrial = DryRunAnswer['trials'][number];

function TrialName({ row, choice }: { row: RepairTrial; choice: RowChoice | undefined }) {
  const { policies } = texts.trial;
  const nameOf = (policy: string) => {
    const name = policies[policy] ?? policy;
    return policy === choice?.usual ? texts.trial.usual(name) : name;
  };
  if (choice === undefined) return [row.policy, ...row.same].map(nameOf).join(', ');
  // Of the ways to make room with the same result, only the first and simplest is named.
  const names = choice.usual === undefined ? [row.policy] : [row.policy, ...row.same];
  return (
    <label class="choose">
      <input
        type="radio"
        name="row"
        checked={choice.chosen === row.policy}
        disabled={!choice.canChoose(row)}
        onChange={() => choice.onChoose(row.policy)}
      />{' '}
      {names.map(nameOf).join(', ')}
    </label>
  );
}

function RowCost({ row, words }: { row: RepairTrial; words: ShopWords }) {
  const { repaired, reasons, moved, makespan, total_weighted_tardiness, late } = row;
  const { trial } = texts;
  if (!repaired) {
    // The verdict already explains the violations.
    const why = row.policy === 'alone' ? [trial.notAlone] : [trial.none, ...reasons];
    return <td colSpan={4}>{why.join(' ')}</td>;
  }
  return (
    <>
      <td data-heading={trial.moved}>{moved}</td>
      <td data-heading={trial.end}>{makespan === null ? '' : changed(makespan, words.time)}</td>
      <td data-heading={trial.tardiness}>
        {total_weighted_tardiness === null ? '' : changed(total_weighted_tardiness, String)}
      </td>
      <td data-heading={trial.late}>{lateOrders(late, words)}</td>
    </>
  );
}

/** The late orders of a trial, the worst first: `WO-7 by 46 h, WO-3 by 12 min and 2 more`. */
function lateOrders(late: DryRunAnswer['trials'][number]['late'], words: ShopWords): string {
  const { trial } = texts;
  if (late.length === 0) return trial.noneLate;
  const named = late
    .slice(0, MOST_LATE)
    .map((one) => trial.lateBy(one.job, words.duration(one.late_by)));
  return (
    named.join(', ') + (late.length > MOST_LATE ? trial.moreLate(late.length - MOST_LATE) : '')
  );
}

/** The most late orders that a row names. */
const MOST_LATE = 3;

function changed(
  { before, after }: { readonly before: number; readonly after: number },
  text: (value: number) => string,
): string {
  return before === after ? text(after) : `${text(before)} → ${text(after)}`;
}
