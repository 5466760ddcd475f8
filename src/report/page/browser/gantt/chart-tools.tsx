import type { ComponentChildren } from 'preact';
import type { RowKind } from '../../../chart/schedule-chart.js';
import { CheckBox } from '../parts/check-box.js';
import type { ChartTexts } from './chart-texts.js';
import type { ChartHandle } from './scene.js';

interface Props {
  readonly handle: ChartHandle;
  readonly kind: RowKind;
  readonly setKind: (kind: RowKind) => void;
  readonly hasCritical: boolean;
  /** Whether the shop has operators, tools and the like. */
  readonly hasResources: boolean;
  readonly showsCritical: boolean;
  readonly setShowsCritical: (shows: boolean) => void;
  readonly isDense: boolean;
  readonly setDense: (isDense: boolean) => void;
  /** The time of an execution; null without one. */
  readonly now: number | null;
  readonly texts: ChartTexts;
  readonly children?: ComponentChildren;
}

/** The buttons of a chart, and the keys that do the same. */
export function ChartTools({ handle, ...props }: Props) {
  const { kind, setKind, hasCritical, showsCritical, setShowsCritical, isDense, setDense } = props;
  const { now, texts } = props;
  const { tools } = texts;
  return (
    <div class="gantt-tools">
      <span>
        <button type="button" onClick={() => handle.zoom(1.5)} aria-label={tools.zoomIn}>
          <span aria-hidden="true">+</span>
        </button>
        <button type="button" onClick={() => handle.zoom(1 / 1.5)} aria-label={tools.zoomOut}>
          <span aria-hidden="true">−</span>
        </button>
        <button type="button" onClick={() => handle.pan(-0.25)} aria-label={tools.earlier}>
          <span aria-hidden="true">◂</span>
        </button>
        <button type="button" onClick={() => handle.pan(0.25)} aria-label={tools.later}>
          <span aria-hidden="true">▸</span>
        </button>
        <button type="button" onClick={() => handle.fit()}>
          {tools.whole}
        </button>
        {now !== null && (
          <button type="button" onClick={() => handle.center(now)}>
            {tools.now}
          </button>
        )}
      </span>
      <label>
        {tools.rows}{' '}
        <select
          value={kind}
          onChange={({ currentTarget }) => setKind(currentTarget.value as RowKind)}
        >
          <option value="machine">{tools.machines}</option>
          <option value="job">{tools.jobs}</option>
          {props.hasResources && <option value="resource">{tools.resources}</option>}
        </select>
      </label>
      <CheckBox checked={isDense} onChange={setDense}>
        {tools.allRows}
      </CheckBox>
      {hasCritical && (
        <CheckBox checked={showsCritical} onChange={setShowsCritical}>
          {tools.critical}
        </CheckBox>
      )}
      {props.children}
      <details class="gantt-keys">
        <summary>{tools.keys}</summary>
        <dl>
          {texts.keys.map(([keys, what]) => (
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
