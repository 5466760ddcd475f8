import { useState } from 'preact/hooks';
import { counted } from '../../../format.js';
import type { MovesView, MoveView, ScheduleView } from '../../views/schedule-data.js';
import { signed } from '../parts/numbers.js';
import { CAUSES } from './chart-colours.js';
import { CHART_TEXTS } from './chart-texts.js';
import { type ViewWords, wordsOfView } from './view-words.js';

/** Number of moves that are listed until the reader requests all. */
const FIRST = 15;

interface Props {
  readonly view: ScheduleView;
  readonly moves: MovesView;
  readonly selected: number;
  readonly onSelect: (operation: number) => void;
}

/** The operations that moved, by start, and why; each links to its bar in the chart. */
export function MoveList({ view, moves, selected, onSelect }: Props) {
  const [cause, setCause] = useState('');
  const [showsAll, setShowsAll] = useState(false);
  if (moves.moved.length === 0) return <p>No operation moved.</p>;
  const chosen = moves.moved.filter((move) => cause === '' || move.cause === cause);
  const shown = showsAll ? chosen : chosen.slice(0, FIRST);
  const causes = CAUSES.filter(({ cause: one }) => moves.moved.some((move) => move.cause === one));
  const words = wordsOfView(view);
  return (
    <section class="moves">
      <h3>
        {counted(moves.moved.length, 'operation')} moved, makespan {words.time(moves.makespan)} →{' '}
        {words.time(view.makespan, moves.makespan)}
      </h3>
      {moves.gone > 0 && <p>{counted(moves.gone, 'operation')} fell away.</p>}
      <label>
        cause{' '}
        <select value={cause} onChange={({ currentTarget }) => setCause(currentTarget.value)}>
          <option value="">all</option>
          {causes.map((one) => (
            <option key={one.cause} value={one.cause}>
              {CHART_TEXTS.causes[one.cause]}
            </option>
          ))}
        </select>
      </label>
      <div class="scrolls">
        <table>
          <thead>
            <tr>
              <th scope="col">operation</th>
              <th scope="col">machine</th>
              <th scope="col">before</th>
              <th scope="col">after</th>
              <th scope="col">shift</th>
              <th scope="col">cause</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((move) => (
              <tr key={move.operation} aria-selected={move.operation === selected}>
                <td>
                  <button type="button" class="jump" onClick={() => onSelect(move.operation)}>
                    {words.operation(move.operation)}
                  </button>
                </td>
                <td>
                  {view.names?.machines?.[view.machine[move.operation]] ||
                    view.machine[move.operation]}
                </td>
                <td>{move.start < 0 ? '–' : words.time(move.start)}</td>
                <td>{words.time(view.start[move.operation])}</td>
                <td>{shiftText(move, view, words)}</td>
                <td class="words">{move.why}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {chosen.length > shown.length && (
        <button type="button" onClick={() => setShowsAll(true)}>
          show all {chosen.length}
        </button>
      )}
    </section>
  );
}

function shiftText({ operation, start }: MoveView, view: ScheduleView, words: ViewWords): string {
  if (start < 0) return '–';
  const shift = view.start[operation] - start;
  if (view.timeScale === null) return signed(shift, 0);
  return `${shift > 0 ? '+' : ''}${words.duration(shift)}`;
}
