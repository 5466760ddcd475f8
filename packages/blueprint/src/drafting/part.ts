import type { Json } from '@alas-jssp/workflow';

/**
 * The name of a part of a draft, which a planner answers by itself: `objectives` to `questions` (the specification),
 * `roles`, `nodes`, `edges`, `node/ID`, `constraint-coverage`, `disruption-coverage`, `undo/ID` (the template),
 * `prompt/ROLE` and `code/NODE` (the factory).
 */
export type PartName = string;

/** The parts of a draft by name, as a planner answered them and as their schemas accept them. */
export type Parts = Readonly<Record<PartName, Json>>;

/** A problem of a draft: the planner answers the part again, and receives code, place and hint. */
export interface DraftFinding {
  /** Stable, for programs; `docs/how-to/draft.md` lists them all. */
  readonly code: string;
  /** A draft with errors does not pass; warnings are shown to people. */
  readonly severity: 'error' | 'warning';
  /** The part that has to change. */
  readonly part: PartName;
  /** The place in the part, such as `$.roles[0].capabilities`. */
  readonly path: string;
  readonly message: string;
  /** The change that would fix it. */
  readonly hint: string;
}
