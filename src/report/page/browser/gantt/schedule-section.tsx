import type { MovesView, ScheduleView } from '../../views/schedule-data.js';
import { CheckBox } from '../parts/check-box.js';
import { GanttChart } from './gantt-chart.js';
import { MachineLoads } from './machine-loads.js';
import { MoveList } from './move-list.js';
import { wordsOfView } from './view-words.js';
import { ViolationList } from './violation-list.js';

interface Props {
  readonly view: ScheduleView;
  readonly moves?: MovesView | null | undefined;
  readonly now?: number | null | undefined;
  readonly label: string;
  readonly selected: number;
  readonly onSelect: (operation: number) => void;
}

/** A schedule with its chart, violations, moves and machine loads. */
export function ScheduleSection({ view, moves = null, now = null, label, ...select }: Props) {
  return (
    <>
      <GanttChart view={view} moves={moves} now={now} label={label} {...select} />
      <ViolationList view={view} {...select} />
      {moves !== null && <MoveList view={view} moves={moves} {...select} />}
      <MachineLoads view={view} />
    </>
  );
}

/** The facts about a schedule in one line. */
export function scheduleFacts(view: ScheduleView): string {
  const { jobs, machines, machine, makespan, missing, valid, counts } = view;
  const found = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const verdict = valid ? 'feasible' : `invalid, ${found} violation${found === 1 ? '' : 's'}`;
  const gaps = missing === 0 ? '' : `, ${missing} of them without a start`;
  return `${verdict}, makespan ${wordsOfView(view).time(makespan)}; ${jobs} jobs × ${machines} machines, ${machine.length} operations${gaps}`;
}

interface CompareProps {
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  /** The kind of schedule that it is compared with, such as `stage`. */
  readonly of: string;
}

/** A checkbox that shows the previous schedule above the current one. */
export function CompareBox({ checked, onChange, of }: CompareProps) {
  return (
    <CheckBox checked={checked} onChange={onChange}>
      with the {of} before above it
    </CheckBox>
  );
}
