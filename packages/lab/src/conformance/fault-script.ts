// Fault scripts, neutral to engines: what happens at which call of a run.

/** What a handler is called with, in every engine. */
export interface Call {
  kind: 'run' | 'undo' | 'wait' | 'approve';
  /** Name of the handler, the compensator, the message or the approval. */
  handler: string;
  /** Of the node: items and turns as `[i]`, branches as `/name`. */
  path: string;
  runId: string;
  /** Of its effect. */
  key?: string;
  input?: unknown;
  /** Of the step that is undone; null if it is not known. */
  output?: unknown;
}

/** A row of a script. It speaks of the calls of one step; without `item` or `attempt` of all of them. */
export interface Row {
  /** `run` if it is not given. */
  kind?: Call['kind'];
  /** Id of the node at the end of the path. */
  step: string;
  /** The `[i]` of the path, joined with dots; empty outside of loops. */
  item?: string;
  /** From 1. */
  attempt?: number;
  does: 'ok' | 'error' | 'delay' | 'hang' | 'crash';
  /** Code of the error. */
  error?: string;
  /** After which it answers. */
  seconds?: number;
  output?: unknown;
}

/** A script of rows. */
export interface FaultScript {
  rows: readonly Row[];
}

/** The step and the item that a path leads to: of `m[0]/both/left/pay` step `pay` and item `0`. */
export function placeOf(path: string) {
  const item = [...path.matchAll(/\[(\d+)\]/g)].map(([, index]) => index).join('.');
  const step = (path.split('/').at(-1) ?? '').replace(/\[\d+\]$/, '');
  return { step, item };
}

/** What a script says of an attempt: the first row that speaks of it. */
export function rowFor(
  { rows }: FaultScript,
  {
    kind,
    step,
    item,
    attempt,
  }: { kind: Call['kind']; step: string; item: string; attempt: number },
): Row | undefined {
  return rows.find((row) => {
    return (
      (row.kind ?? 'run') === kind &&
      row.step === step &&
      (row.item ?? item) === item &&
      (row.attempt ?? attempt) === attempt
    );
  });
}
