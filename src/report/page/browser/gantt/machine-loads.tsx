import type { ScheduleView } from '../../views/schedule-data.js';
import { wordsOfView } from './view-words.js';

/** The share of the makespan for which each machine works, is down, and idles. */
export function MachineLoads({ view }: { view: ScheduleView }) {
  const { busy, down, makespan, names } = view;
  const words = wordsOfView(view);
  if (makespan === 0) return null;
  const share = (time: number) => (100 * time) / makespan;
  const mean = busy.reduce((sum, time) => sum + time, 0) / busy.length;
  return (
    <details class="loads" open={busy.length <= 15}>
      <summary>Machine loads: {share(mean).toFixed(0)} % of the makespan on average</summary>
      <div class="scrolls">
        <table>
          <thead>
            <tr>
              <th scope="col">machine</th>
              <th scope="col">busy</th>
              <th scope="col">down</th>
              <th scope="col">idle</th>
              <th scope="col">share of the makespan</th>
            </tr>
          </thead>
          <tbody>
            {busy.map((time, machine) => (
              <tr key={machine}>
                <th scope="row">{names?.machines?.[machine] || `Machine${machine}`}</th>
                <td>{words.duration(time)}</td>
                <td>{words.duration(down[machine])}</td>
                <td>{words.duration(Math.max(0, makespan - time - down[machine]))}</td>
                <td>
                  <span class="load-bar" aria-hidden="true">
                    <span class="load-busy" style={{ width: `${Math.min(100, share(time))}%` }} />
                    <span
                      class="load-down"
                      style={{ width: `${Math.min(100, share(down[machine]))}%` }}
                    />
                  </span>{' '}
                  {share(time).toFixed(0)} %
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}
