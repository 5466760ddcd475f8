import type { LogTone } from '../../views/page-data.js';

/** Sign and meaning of each tone, so that colours are not needed. */
export const TONES: Readonly<Record<LogTone, { readonly sign: string; readonly words: string }>> = {
  plain: { sign: '·', words: 'at work; the log has no end' },
  good: { sign: '✓', words: 'done' },
  bad: { sign: '✗', words: 'failed, refused or out of time' },
  again: { sign: '↻', words: 'failed, and tried again' },
  undo: { sign: '↶', words: 'undone' },
  wait: { sign: '…', words: 'waits for a person or a message' },
};
