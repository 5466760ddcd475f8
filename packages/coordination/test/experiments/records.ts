import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CoordinationRecord, readCoordinationRecords } from '../../src/index.js';
import { cli } from '../cli/cli.js';

/** The records that a run on the command line writes. */
export async function cliRecords(words: readonly string[]): Promise<CoordinationRecord[]> {
  const directory = mkdtempSync(join(tmpdir(), 'experiments-'));
  try {
    const out = join(directory, 'run.jsonl');
    await cli([...words, '--out', out]);
    return readCoordinationRecords(out);
  } finally {
    rmSync(directory, { recursive: true });
  }
}
