import { CHART_KEYS } from './chart-keys.js';
import type { RowKind } from './chart-rows.js';
import type { ChartHandle } from './scene.js';

interface Props {
  readonly handle: ChartHandle;
  readonly kind: RowKind;
  readonly setKind: (kind: RowKind) => void;
  readonly hasCritical: boolean;
  readonly showsCritical: boolean;
  readonly setShowsCritical: (shows: boolean) => void;
  readonly isDense: boolean;
  readonly setDense: (isDense: boolean) => void;
}

/** The buttons of a chart, and the keys that do the same. */
export function ChartTools({ handle, ...props }: Props) {
  const { kind, setKind, hasCritical, showsCritical, setShowsCritical, isDense, setDense } = props;
  return (
    <div class="gantt-tools">
      <span>
        <button type="button" onClick={() => handle.zoom(1.5)} aria-label="zoom in">
          +
        </button>
        <button type="button" onClick={() => handle.zoom(1 / 1.5)} aria-label="zoom out">
          −
        </button>
        <button type="button" onClick={() => handle.pan(-0.25)} aria-label="earlier">
          ◂
        </button>
        <button type="button" onClick={() => handle.pan(0.25)} aria-label="later">
          ▸
        </button>
        <button type="button" onClick={() => handle.fit()}>
          all
        </button>
      </span>
      <label>
        rows{' '}
        <select
          value={kind}
          onChange={({ currentTarget }) => setKind(currentTarget.value as RowKind)}
        >
          <option value="machine">machines</option>
          <option value="job">jobs</option>
        </select>
      </label>
      <Check checked={isDense} onChange={setDense}>
        all rows
      </Check>
      {hasCritical && (
        <Check checked={showsCritical} onChange={setShowsCritical}>
          critical path
        </Check>
      )}
      <details class="gantt-keys">
        <summary>keys</summary>
        <dl>
          {CHART_KEYS.map(([keys, what]) => (
            <div key={keys}>
              <dt>
                <kbd>{keys}</kbd>
              </dt>
              <dd>{what}</dd>
            </div>
          ))}
        </dl>
      </details>
    </div>
  );
}

interface CheckProps {
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  readonly children: string;
}

function Check({ checked, onChange, children }: CheckProps) {
  return (
    <label>
      <input
        type="checkbox"
        checked={checked}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />{' '}
      {children}
    </label>
  );
}
