import type { IgnoredList } from './ignored.js';
import type { Speaker } from './lines.js';
import type { MachineOrder, MakespanClaim, Row } from './rows.js';

/** Rows without prose between them. */
export interface RowRun {
  readonly message: TextMessage;
  readonly rows: Row[];
  readonly orders: MachineOrder[];
  /** Whether the words before it call it an example. */
  readonly isExample: boolean;
}

/** A message of one speaker; a text that is not a transcript is one message. */
export interface TextMessage {
  speaker: Speaker;
  readonly makespans: MakespanClaim[];
  /** Lines with times of operations, readable or not. */
  timed: number;
  /** Operations without times, and words that only a prompt has: signs of an echo. */
  specifications: number;
  promptWords: number;
}

export interface TextFound {
  readonly runs: RowRun[];
  readonly messages: TextMessage[];
}

/** The number at the end of a line, where the text may be cut off. */
export type Cut = 'start' | 'end' | undefined;

/** Collects the results of lines in runs and messages. */
export interface Gathering extends TextFound {
  /** The current message. */
  message(): TextMessage;
  beginMessage(speaker: Speaker): void;
  endMessage(): void;
  addRow(row: Row, cut?: Cut): void;
  addOrder(order: MachineOrder): void;
  /** Prose ends a run, and may call the next one an example. */
  endRun(words: string): void;
}

const EXAMPLE = /\bexamples?\b|\bformat\b|\btemplate\b|\bfor instance\b|\bsuppose\b/i;

/** Maximum number of characters of a line of prose that are inspected. */
const MOST_PROSE = 300;

/** Begins with one message and no runs. */
export function createGathering(ignored: IgnoredList): Gathering {
  let message = newMessage('agent');
  let run: RowRun | undefined;
  let last: { row: Row; cut: Cut } | undefined;
  let prose = ['', ''];
  const messages = [message];
  const runs: RowRun[] = [];

  function openRun(): RowRun {
    if (run === undefined) {
      const isExample = prose.some((words) => EXAMPLE.test(words));
      run = { message, rows: [], orders: [], isExample };
      runs.push(run);
    }
    return run;
  }

  function endMessage(): void {
    if (run !== undefined && last !== undefined) dropCut(run, last.row, last.cut);
    last = undefined;
    run = undefined;
  }

  /** A start at which the text is cut off is dropped; a missing end comes from the instance. */
  function dropCut({ rows }: RowRun, row: Row, cut: Cut): void {
    const at = rows.lastIndexOf(row);
    if (at < 0 || cut === undefined) return;
    if (cut === 'end') rows[at] = { ...row, mayBeCut: true };
    else if (at > 0 && rows[at - 1].end !== undefined) {
      rows.pop();
      ignored.add('cut_off', row.place.line);
    }
  }

  return {
    runs,
    messages,
    message: () => message,
    endMessage,
    beginMessage(speaker) {
      endMessage();
      message = newMessage(speaker);
      messages.push(message);
      prose = ['', ''];
    },
    addRow(row, cut) {
      message.timed++;
      openRun().rows.push(row);
      last = { row, cut };
    },
    addOrder(order) {
      openRun().orders.push(order);
    },
    endRun(words) {
      prose = [run === undefined ? prose[1] : '', words.slice(0, MOST_PROSE)];
      run = undefined;
      last = undefined;
    },
  };
}

function newMessage(speaker: Speaker): TextMessage {
  return { speaker, makespans: [], timed: 0, specifications: 0, promptWords: 0 };
}
