import { counted } from '../../../format.js';
import type { ExecutionDetail } from '../../views/page-data.js';

export type RecordDisruption = NonNullable<NonNullable<ExecutionDetail['record']>['disruption']>;

/** The repairs of an execution in the record: events, affected operations and changes. */
export function RepairTable({ disruption: { steps, skipped } }: { disruption: RecordDisruption }) {
  return (
    <section>
      <h3>Repairs</h3>
      {steps.length === 0 && <p class="empty">No event took effect.</p>}
      {steps.length > 0 && (
        <div class="scrolls">
          <table class="repairs">
            <thead>
              <tr>
                <th scope="col">time</th>
                <th scope="col">events</th>
                <th scope="col">hit</th>
                <th scope="col">changed</th>
                <th scope="col">phase</th>
                <th scope="col">makespan</th>
                <th scope="col">ms</th>
              </tr>
            </thead>
            <tbody>
              {steps.map((step, i) => (
                <tr key={`${step.now} ${i}`}>
                  <td>{step.now}</td>
                  <td class="words">
                    {step.events.map((event) => (
                      <div key={event}>{event}</div>
                    ))}
                  </td>
                  <td>{step.affected}</td>
                  <td>{step.edited_operations}</td>
                  <td class="words">{step.phase}</td>
                  <td>
                    {step.makespan.before} → {step.makespan.final}
                  </td>
                  <td>{(1000 * step.seconds).toFixed(1)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {skipped.length > 0 && (
        <details>
          <summary>{counted(skipped.length, 'event')} came too late</summary>
          <ul>
            {skipped.map(({ event, reason }) => (
              <li key={event}>
                {event}: {reason}
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}
