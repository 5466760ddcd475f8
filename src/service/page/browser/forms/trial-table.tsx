import { useEffect, useRef } from 'preact/hooks';
import type { DryRunAnswer } from '../../../api/shop-schemas.js';
import { texts } from '../../texts.js';
import type { ShopWords } from '../live/shop-words.js';

interface Props {
  readonly trial: DryRunAnswer;
  readonly words: ShopWords;
}

/** The cost of events under each policy. */
export function TrialTable({ trial: { trials, skipped }, words }: Props) {
  const place = useRef<HTMLElement>(null);
  // It comes below the form, where a tablet would not show it.
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
          {trials.map(
            ({
              policy,
              same,
              repaired,
              reasons,
              moved,
              makespan,
              total_weighted_tardiness,
              late,
            }) => (
              <tr key={policy}>
                <th scope="row">
                  {[policy, ...same].map((name) => trial.policies[name] ?? name).join(', ')}
                </th>
                {repaired ? (
                  <>
                    <td>{moved}</td>
                    <td>{makespan === null ? '' : changed(makespan, words.time)}</td>
                    <td>
                      {total_weighted_tardiness === null
                        ? ''
                        : changed(total_weighted_tardiness, String)}
                    </td>
                    <td>{lateOrders(late, words)}</td>
                  </>
                ) : (
                  <td colSpan={4}>{[trial.none, ...reasons].join(' ')}</td>
                )}
              </tr>
            ),
          )}
        </tbody>
      </table>
    </section>
  );
}

/** The late orders of a trial, the worst first: `WO-7 by 46 h, WO-3 by 12 min and 2 more`. */
function lateOrders(late: DryRunAnswer['trials'][number]['late'], words: ShopWords): string {
  const { trial } = texts;
  if (late.length === 0) return trial.nobody;
  const named = late
    .slice(0, MOST_LATE)
    .map((one) => trial.lateBy(one.job, words.duration(one.late_by)));
  return (
    named.join(', ') + (late.length > MOST_LATE ? trial.moreLate(late.length - MOST_LATE) : '')
  );
}

/** Late orders that a row names. */
const MOST_LATE = 3;

function changed(
  { before, after }: { readonly before: number; readonly after: number },
  text: (value: number) => string,
): string {
  return before === after ? text(after) : `${text(before)} → ${text(after)}`;
}
