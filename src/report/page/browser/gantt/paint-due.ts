import type { ScheduleView } from '../../views/schedule-data.js';
import { laneOf, type Scene } from './scene.js';
import { rowToY, timeToX } from './viewport.js';

/** A job with a due date: its last operation, and by how much the job is late. */
interface DueJob {
  readonly job: number;
  readonly due: number;
  readonly last: number;
  readonly late: number;
}

/** The jobs with due dates and operations. */
export function dueJobs({
  due,
  jobOffset,
  end,
}: Pick<ScheduleView, 'due' | 'jobOffset' | 'end'>): DueJob[] {
  if (due === null) return [];
  return due.flatMap((time, job): DueJob[] => {
    let last = jobOffset[job + 1] - 1;
    if (time < 0 || last < jobOffset[job]) return [];
    // In precedence graphs, another step may be the last to end.
    for (let op = jobOffset[job]; op < last; op++) if (end[op] > end[last]) last = op;
    return [{ job, due: time, last, late: Math.max(0, end[last] - time) }];
  });
}

/**
 * Marks due dates: in rows of jobs all of them; in rows of machines those of the hovered or selected job, and the ends
 * of late jobs.
 */
export function paintDue(context: CanvasRenderingContext2D, scene: Scene): void {
  const { chart, port, colours, hovered, selected } = scene;
  const shown = hovered >= 0 ? hovered : selected;
  for (const { job, due, last, late } of dueJobs(scene.view)) {
    const x = timeToX(port, due);
    context.fillStyle = late > 0 ? colours.bad : colours.ink;
    if (chart.kind === 'job') {
      const y = rowToY(port, chart.rowAt(job));
      context.fillRect(x - 1, y, 2, port.row);
      paintTriangle(context, x, y, Math.min(6, port.row / 2));
      continue;
    }
    if (shown >= 0 && chart.jobOf[shown] === job) {
      context.fillRect(x - 1, port.axis, 2, port.height);
      paintTriangle(context, x, port.axis, 7);
    }
    const row = chart.rowOf(last);
    if (late === 0 || row < 0) continue;
    const { y, height } = laneOf(scene, row);
    context.fillStyle = colours.bad;
    context.fillRect(timeToX(port, scene.view.end[last]) - 5, y, 5, height);
  }
}

function paintTriangle(
  context: CanvasRenderingContext2D,
  x: number,
  y: number,
  size: number,
): void {
  context.beginPath();
  context.moveTo(x - size, y);
  context.lineTo(x + size, y);
  context.lineTo(x, y + size);
  context.fill();
}
