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
          </tr>
        </thead>
        <tbody>
          {trials.map(
            ({ policy, repaired, reasons, moved, makespan, total_weighted_tardiness }) => (
              <tr key={policy}>
                <th scope="row">{trial.policies[policy] ?? policy}</th>
                {repaired ? (
                  <>
                    <td>{moved}</td>
                    <td>{makespan === null ? '' : changed(makespan, words.time)}</td>
                    <td>
                      {total_weighted_tardiness === null
                        ? ''
                        : changed(total_weighted_tardiness, String)}
                    </td>
                  </>
                ) : (
                  <td colSpan={3}>{[trial.none, ...reasons].join(' ')}</td>
                )}
              </tr>
            ),
          )}
        </tbody>
      </table>
    </section>
  );
}

function changed(
  { before, after }: { readonly before: number; readonly after: number },
  text: (value: number) => string,
): string {
  return before === after ? text(after) : `${text(before)} → ${text(after)}`;
}
