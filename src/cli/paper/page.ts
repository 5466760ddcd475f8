import { canonicalJson } from '@alas-jssp/core/canonical-json';
import type { ClaimedRow } from '../../harness/paper/claims.js';
import { type PaperItem, statusOf } from '../../harness/paper/presets/paper-item.js';
import { columnsOf } from '../../report/columns.js';
import { renderTable } from '../../report/table.js';
import { type CommandOutcome, jsonOf } from './run-command.js';
import { asTyped } from './setup.js';

const PLAIN = { color: false, width: undefined };

/** A paper as pages name it. */
const NAMES = { alas: 'ALAS', sagallm: 'SagaLLM' } as const;

/** Writes the page of a row as Markdown: what it is, what the paper claims, and what the commands print. */
export function pageOf(
  item: PaperItem,
  outcomes: readonly CommandOutcome[],
  claimed: ClaimedRow | null,
): string {
  const { id, paper, title, kind, note } = item;
  const name = id.slice(paper.length + 1).replace('-', ' ');
  const missing = outcomes.flatMap((one) => (one.missing === null ? [] : [one.missing]));
  return [
    `# ${NAMES[paper]}, ${name}: ${title}`,
    `${kind[0].toUpperCase()}${kind.slice(1)}; reproducible ${statusOf(item)}.`,
    note,
    ...(missing.length === 0 ? [] : [`**Not complete:** ${missing.join('; ')}.`]),
    ...(claimed === null ? [] : ['## Claimed in the paper, not measured here', claims(claimed)]),
    ...outcomes.flatMap(section),
    '',
  ]
    .join('\n\n')
    .replaceAll(/\n{3,}/g, '\n\n');
}

function claims({ columns, rows }: ClaimedRow): string {
  const column = columnsOf<ClaimedRow['rows'][number]>();
  const shown = columns.map((name, index) =>
    column.of(name, (row) => row[index], { header: name }),
  );
  return renderTable(shown, rows, 'md', PLAIN);
}

/** The command and its output. */
function section(outcome: CommandOutcome): string[] {
  const { command, code } = outcome;
  const typed = `\`\`\`sh\n${asTyped(command)}\n\`\`\``;
  const ended = code === 0 ? [] : [`Exit code ${code}.`];
  const output = outputOf(outcome);
  return [typed, ...ended, ...(output === '' ? [] : [output]), ...verdictOf(outcome)];
}

/** Commands whose last line on stderr is their verdict. */
const JUDGING = ['validate', 'plan', 'repair', 'travel'];

function verdictOf({ command, stderr }: CommandOutcome): string[] {
  const [line = ''] = stderr.trim().split('\n').slice(-1);
  const isVerdict = command.view === 'markdown' && JUDGING.includes(command.words[0]);
  return isVerdict && line !== '' ? [line] : [];
}

function outputOf({ command, stdout }: CommandOutcome): string {
  const { view, equals = '' } = command;
  switch (view) {
    case 'hidden':
      return '';
    case 'markdown':
      return stdout.trim();
    case 'text':
      return `\`\`\`text\n${stdout.trimEnd()}\n\`\`\``;
    case 'equals': {
      const isEqual = canonicalJson(JSON.parse(stdout)) === canonicalJson(jsonOf(equals));
      return `The result ${isEqual ? 'equals' : '**differs from**'} ${equals}.`;
    }
    case 'conversion':
      return conversionTable(JSON.parse(stdout));
  }
}

/** The part of the report of a conversion that a page shows. */
interface ConversionReport {
  readonly notes: readonly { feature: string; level: string; how: string }[];
}

interface ConvertedFeature {
  readonly feature: string;
  readonly level: string;
  readonly how: string;
  readonly uses: number;
}

/** A conversion by feature: how the language expresses it, and how often it is used. */
function conversionTable({ notes }: ConversionReport): string {
  const rows = new Map<string, ConvertedFeature>();
  for (const { feature, level, how } of notes) {
    const key = [feature, level, how].join('\n');
    rows.set(key, { feature, level, how, uses: (rows.get(key)?.uses ?? 0) + 1 });
  }
  const column = columnsOf<ConvertedFeature>();
  const columns = [column('feature'), column('level'), column('uses', String), column('how')];
  const sorted = [...rows.values()].toSorted((a, b) => (a.feature < b.feature ? -1 : 1));
  return renderTable(columns, sorted, 'md', PLAIN);
}
