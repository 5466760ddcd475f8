import { useMemo, useRef } from 'preact/hooks';
import type { Schedule } from '../../browser/index.js';
import type { ChartDrag } from '../../report/page/browser/gantt/chart-drag.js';
import { createMover, type MoveOutcome, operationWords } from '../model/move-operation.js';

/** A dropped operation, and the result. */
export interface DroppedOperation {
  readonly operation: number;
  readonly outcome: MoveOutcome;
}

/**
 * Lets readers drag operations to other places in the queues of machines; null if the schedule cannot be changed by
 * hand.
 */
export function useOrderDrag(
  schedule: Schedule | null,
  onDrop: (dropped: DroppedOperation) => void,
): ChartDrag | null {
  const mover = useMemo(() => (schedule === null ? null : createMover(schedule)), [schedule]);
  const last = useRef<DroppedOperation | null>(null);
  if (schedule === null || mover === null) return null;
  const { instance } = schedule;
  return {
    canMove: mover.canMove,
    machinesOf: mover.machinesOf,
    place(operation, machine, time, grid) {
      const start = Math.round(time / grid) * grid;
      const outcome = mover.moveTo({ operation, machine, time: start });
      last.current = { operation, outcome };
      const end = start + mover.durationOn(operation, machine);
      const isFine = outcome.schedule !== null;
      const text = `${operationWords(instance, operation)} here: ${outcome.words}`;
      return { machine, start, end, isFine, text };
    },
    drop(operation) {
      if (last.current?.operation === operation) onDrop(last.current);
    },
  };
}
