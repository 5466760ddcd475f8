import { useState } from 'preact/hooks';
import type { ScheduleView } from '../../views/schedule-data.js';

/** Number of violations that are listed until the reader requests all. */
const FIRST = 12;

interface Props {
  readonly view: ScheduleView;
  readonly selected: number;
  readonly onSelect: (operation: number) => void;
}

/** The violations of a plan, each root with its consequences; each links to its operation. */
export function ViolationList({ view, selected, onSelect }: Props) {
  const [showsAll, setShowsAll] = useState(false);
  const { violations, counts } = view;
  if (violations.length === 0) return null;
  const groups = violations
    .map((violation, i) => ({ violation, i }))
    .filter(({ violation, i }) => violation.root === i)
    .map(({ violation, i }) => ({
      root: violation,
      cascades: violations.filter((other, k) => other.root === i && k !== i),
    }));
  const shown = showsAll ? groups : groups.slice(0, FIRST);
  const found = Object.values(counts).reduce((sum, count) => sum + count, 0);
  return (
    <section class="violations">
      <h3>
        {found} violation{found === 1 ? '' : 's'}, {groups.length} root cause
        {groups.length === 1 ? '' : 's'}
      </h3>
      <p class="quiet">
        {Object.entries(counts)
          .map(([code, count]) => `${count} ${code}`)
          .join(', ')}
      </p>
      <ul>
        {shown.map(({ root, cascades }) => (
          <li key={root.root}>
            <ViolationLine violation={root} selected={selected} onSelect={onSelect} />
            {root.explanation !== root.message && <p class="quiet">{root.explanation}</p>}
            {cascades.length > 0 && (
              <details>
                <summary>{cascades.length} more follow from it</summary>
                <ul>
                  {cascades.map((violation, i) => (
                    <li key={`${violation.message} ${i}`}>
                      <ViolationLine
                        violation={violation}
                        selected={selected}
                        onSelect={onSelect}
                      />
                    </li>
                  ))}
                </ul>
              </details>
            )}
          </li>
        ))}
      </ul>
      {groups.length > shown.length && (
        <button type="button" onClick={() => setShowsAll(true)}>
          show all {groups.length}
        </button>
      )}
      {found > violations.length && (
        <p class="quiet">
          Of {found} violations the first {violations.length} are listed.
        </p>
      )}
    </section>
  );
}

interface LineProps extends Pick<Props, 'selected' | 'onSelect'> {
  readonly violation: ScheduleView['violations'][number];
}

function ViolationLine({ violation, selected, onSelect }: LineProps) {
  const { code, message, operation } = violation;
  if (operation < 0) {
    return (
      <>
        <code>{code}</code> {message}
      </>
    );
  }
  return (
    <button
      type="button"
      class="jump"
      aria-pressed={operation === selected}
      onClick={() => onSelect(operation)}
    >
      <code>{code}</code> {message}
    </button>
  );
}
