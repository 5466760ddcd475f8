import { type Run, write } from './context.js';
import { stopFailure } from './failures.js';
import { stopScope } from './scope.js';

/** Watches the deadlines of all effects that are held: after a restart, those of before too. */
export function armDeadlines(run: Run): void {
  for (const path of run.state.effects.keys()) armDeadline(run, path);
}

/** When the deadline of an effect passes while it is held, the run is stopped and undone. */
export function armDeadline(run: Run, path: string): void {
  const deadline = run.state.effects.get(path)?.deadline;
  if (deadline === undefined) return;
  run.ended ??= new AbortController();
  run.clock.sleep(deadline - run.clock.now(), run.ended.signal).then(
    () => fire(run, path),
    () => {},
  );
}

function fire(run: Run, path: string): void {
  const { state, root } = run;
  const held = state.effects.get(path)?.status === 'held';
  if (!held || state.stop !== undefined || state.end !== undefined) return;
  const error = stopFailure('Deadline', `the deadline of ${path} has passed`, path);
  try {
    write(run, path, 'Trigger', { kind: 'deadline', error });
  } catch {
    // The store has failed: the run breaks off with that error.
  }
  stopScope(root, error);
}
