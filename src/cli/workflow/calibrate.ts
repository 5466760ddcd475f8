import { InputError } from '@alas-jssp/core/errors';
import { columnsOf } from '../../report/columns.js';
import { counted, share } from '../../report/format.js';
import type { OutputOptions } from '../common/options.js';
import { print } from '../common/output.js';
import { exitCode, type Session } from '../common/session.js';
import { printRows } from '../common/tables.js';
import { isDraftFolder, loadBlueprint, type ReviewerAccuracy } from './draft-folder.js';

interface CalibrationRow extends ReviewerAccuracy {
  readonly file: string;
}

const column = columnsOf<CalibrationRow>();
const columns = [
  column('file', { minor: 1 }),
  column('node'),
  column('model'),
  column.of('accuracy %', ({ calibration }) => calibration.accuracy.share, { format: share(0) }),
  column.of('at least %', ({ calibration }) => calibration.accuracy.low, { format: share(0) }),
  column.of('faults passed', ({ calibration }) => outOf(calibration.falsePasses)),
  column.of('sound refused', ({ calibration }) => outOf(calibration.falseRejections)),
];

function outOf({ count, of }: { readonly count: number; readonly of: number }): string {
  return `${count} of ${of}`;
}

/** Wrong verdicts that are printed for each reviewer; further ones are counted. */
const MOST_MISTAKES = 5;

/**
 * Prints the accuracy of the models that review in drafts.
 *
 * @param log the log of their runs
 * @throws InputError `no_draft` for a file that is no draft
 */
export async function calibrate(
  session: Session,
  folders: readonly string[],
  log: string,
  { format }: OutputOptions,
): Promise<number> {
  const rows: CalibrationRow[] = [];
  for (const file of folders) {
    if (!isDraftFolder(file)) {
      const hint = 'only drafts have models that review: name the folder of one';
      throw new InputError('no_draft', 'this is no draft', hint, { file });
    }
    const { calibrateDraftFolder } = await loadBlueprint();
    rows.push(...(await calibrateDraftFolder(file, log)).map((one) => ({ file, ...one })));
  }
  const data = { schema: 'alas-jssp/calibration@1', reviewers: rows };
  await printRows(session, format, columns, rows, data);
  if (format === 'table') await print(session, mistakeLines(rows).join('\n'));
  return exitCode.done;
}

function mistakeLines(rows: readonly CalibrationRow[]): string[] {
  if (rows.length === 0) return ['no model reviews in these drafts'];
  return rows.flatMap(({ node, calibration: { mistakes } }) => {
    const shown = mistakes.slice(0, MOST_MISTAKES);
    const more = mistakes.length - shown.length;
    return [
      `${node}: ${counted(mistakes.length, 'wrong verdict')}`,
      ...shown.map(({ name, kind, reason }) => `  ${kind}: ${name}: ${reason}`),
      ...(more > 0 ? [`  and ${more} more`] : []),
    ];
  });
}
