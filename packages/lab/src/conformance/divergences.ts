// Where engines cannot but do something else, and what they do: written by hand, and held as strictly
// as what the others do. A case that is listed here and does not diverge is a mistake, too.

import type { Workflow } from '@alas-jssp/workflow';
import type { Expected } from './case.js';
import { done, failed, hung, maybe, row, together, undone } from './expectation.js';

interface Divergence {
  /** Name of the column. */
  engine: string;
  /** Of the case. */
  title: string;
  because: string;
  /** What happens instead. */
  expect?: Partial<Expected>;
  /** Only what the engine reports of itself departs. */
  history?: boolean;
}

const RUNS_ON =
  'branches beside one that failed run on to their ends: the language has no way to stop them';

const divergences: readonly Divergence[] = [
  {
    engine: 'asl',
    title: 'what a failing branch stops: steps of others that have not begun',
    because: RUNS_ON,
    expect: {
      trace: together(
        failed('both/left/a', 'Broken'),
        row(done('both/right/c'), done('both/right/d')),
      ),
    },
  },
  {
    engine: 'asl',
    title: 'a run that is cancelled is undone',
    because: 'an execution that is stopped enters no state any more: nothing is undone',
    expect: { status: 'CANCELLED', trace: row(done('a'), hung('b')) },
  },
  {
    engine: 'temporal',
    title: 'a branch fails while the other is at work: what that had begun is undone, too',
    because:
      'a step hears at its next heartbeat that it was stopped: what it began is undone at once, and once more when it has answered',
    history: true,
    expect: {
      trace: together(
        row(
          together(failed('both/left/b', 'Broken'), 'start both/right/d'),
          together(undone('both/left/b'), undone('both/right/d')),
          maybe(undone('both/right/d', 2)),
        ),
        maybe('ok both/right/d'),
      ),
    },
  },
];

export const divergenceOf = (engine: string, title: string) =>
  divergences.find((one) => one.engine === engine && one.title === title);

/** Divergences of random workflows: of an engine, the problems that it explains and no others. */
const explanations: readonly {
  engine: string;
  because: string;
  explains: (problem: string, workflow: Workflow) => boolean;
}[] = [
  {
    engine: 'asl',
    because:
      'a function is not told that its time is over: an effect whose step timed out stays in doubt though it was undone',
    explains: (problem, workflow) =>
      ['the status is IN_DOUBT, not COMPLETED', 'the error is InDoubt, not '].includes(problem) &&
      Object.values(workflow.policies).some(
        ({ compensation, catch: rules = [] }) => compensation !== undefined && rules.length > 0,
      ),
  },
];

/** The reason for which a run departs from what is foreseen, if it is listed and explains all of it. */
export function explanationOf(engine: string, workflow: Workflow, problems: readonly string[]) {
  const found = explanations.find(
    (one) => one.engine === engine && problems.every((problem) => one.explains(problem, workflow)),
  );
  return found?.because;
}
