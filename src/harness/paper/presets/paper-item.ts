/** The papers whose tables and figures have presets. */
export const PAPERS = ['alas', 'sagallm'] as const;
type PaperName = (typeof PAPERS)[number];

/**
 * The kind of a table or figure: numbers from an experiment, a definition (of a format, a prompt, a problem), or a
 * drawing or comparison in words.
 */
type PaperKind = 'measurement' | 'specification' | 'illustration';

/**
 * Whether a table or figure can be reproduced: without a key, in part without one (the rest needs the key of a model,
 * or cannot be reproduced, as the note says), only with a key, or not at all.
 */
export type PaperStatus = 'without a key' | 'in part without a key' | 'with a key' | 'not';

/** The programs whose commands reproduce the papers. */
export type PaperProgram = 'alas-jssp' | 'alas-coordination';

/** How the output of a command appears on the page of a row. */
export type PaperView =
  // As it is: the command writes Markdown.
  | 'markdown'
  // As preformatted text.
  | 'text'
  // The report of a conversion (JSON): one row for each feature.
  | 'conversion'
  // Whether the JSON on stdout equals a file of the row.
  | 'equals'
  // Not at all: the command only prepares the next ones.
  | 'hidden';

/** A command of a row. */
export interface PaperCommand {
  readonly program: PaperProgram;
  readonly words: readonly string[];
  readonly view: PaperView;
  /** File for stdout. */
  readonly save?: string;
  /** File that stdout must equal, for the view `equals`. */
  readonly equals?: string;
  /** The result that is kept and resumed: a directory of a run, or a file of records. */
  readonly makes?: { readonly kind: 'run' | 'records'; readonly path: string };
}

/** The choices of the user from which the commands of a row are made. */
export interface PaperSetup {
  /** Planners that ask models; none for the commands that need no key. */
  readonly planners: readonly string[];
  /** Directory of the files of the row, which is written again each time. */
  readonly out: string;
  /** Directory of the runs, which rows share. */
  readonly runs: string;
  /** Independent repetitions of each question. */
  readonly threads: number;
  /** Instances of job shops. */
  readonly suite: string;
  /** Further options of commands that ask models: budgets and limits. */
  readonly limits: readonly string[];
  /** The path of a file of this project, relative to its root. */
  readonly file: (path: string) => string;
}

/** A table or figure of a paper, and how to reproduce it. */
export interface PaperItem {
  readonly paper: PaperName;
  /** Such as `alas/table-3`. */
  readonly id: string;
  /** In our words. */
  readonly title: string;
  readonly kind: PaperKind;
  /** In words: the content of the row here, the differences from the paper, or the reason why nothing can run. */
  readonly note: string;
  /** Whether the commands without a key show only a part of it. */
  readonly inPart?: boolean;
  /** Commands that need no key. */
  readonly keyless?: ((setup: PaperSetup) => PaperCommand[]) | undefined;
  /** Seconds of these commands, rounded up, on two virtual cores. */
  readonly seconds?: number;
  /** Commands that ask models. */
  readonly asking?: ((setup: PaperSetup) => PaperCommand[]) | undefined;
  /** The experiments of these commands, which rows share. */
  readonly experiments?: readonly string[];
  /** The package whose command line they need. */
  readonly needs?: string;
}

/** The status of a row, which follows from its commands. */
export function statusOf({ keyless, asking, inPart = false }: PaperItem): PaperStatus {
  if (keyless !== undefined) return inPart ? 'in part without a key' : 'without a key';
  return asking === undefined ? 'not' : 'with a key';
}

/** A command of alas-jssp. */
export function jssp(
  words: readonly string[],
  view: PaperView = 'markdown',
  more: Pick<PaperCommand, 'save' | 'equals' | 'makes'> = {},
): PaperCommand {
  return { program: 'alas-jssp', words, view, ...more };
}

/** A command of alas-coordination. */
export function coordination(
  words: readonly string[],
  view: PaperView = 'markdown',
  more: Pick<PaperCommand, 'save' | 'equals' | 'makes'> = {},
): PaperCommand {
  return { program: 'alas-coordination', words, view, ...more };
}
