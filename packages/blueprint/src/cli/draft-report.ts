import { printableLine } from '@alas-jssp/core/errors';
import { columnsOf, counted, fixed, renderTable } from 'alas-jssp/command-line';
import type { Draft, DraftUsage } from '../drafting/draft.js';
import type { DraftDifference } from '../drafting/draft-difference.js';
import type { DraftFinding } from '../drafting/part.js';
import type { AgentFile } from '../factory/agent-file.js';
import type { UndoProof } from '../folder/draft-file.js';

/** The report of a draft for people. */
export function describeDraft(
  draft: Draft,
  dir: string,
  differences: readonly DraftDifference[] | null,
  width?: number,
): string {
  const { specification, findings, undo, agents } = draft;
  const sections: (readonly [string, string])[] = [
    ['Rounds', renderTable(historyColumns, historyOf(draft), 'table', { width })],
    ['Open questions, with the answers that are assumed', questionLines(specification)],
    ['Assumptions', assumptionLines(specification)],
    ['Differences', differences === null ? '' : differenceLines(differences)],
    ['Undo', undo.length === 0 ? '' : renderTable(undoColumns, undo, 'table', { width })],
    ['Agents', agents.length === 0 ? '' : renderTable(agentColumns, agents, 'table', { width })],
    ['Findings', findings.map(findingLine).join('\n')],
  ];
  const shown = sections.filter(([, content]) => content.trim() !== '');
  const texts = shown.map(([title, content]) => `${title}\n${content.trimEnd()}\n`);
  return [...texts, `${verdictOf(draft, dir)}\n`].join('\n');
}

/** The outcome of drafting in one line. */
export function verdictOf({ name, passed, findings, rounds, usage }: Draft, dir: string): string {
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  const rest = counted(findings.length - errors, 'warning');
  const refined = counted(rounds.length - 1, 'round');
  const outcome = passed ? `passed, ${rest}` : `did not pass: ${counted(errors, 'error')}, ${rest}`;
  return `${name}: ${outcome}, after ${refined} of refinement; ${usageText(usage)}; written to ${dir}`;
}

function usageText({ requests, inputTokens, outputTokens, estimated, usd }: DraftUsage): string {
  const cost = usd === null ? 'price unknown' : `$${fixed(4)(usd)}`;
  const about = estimated ? 'about ' : '';
  return `${counted(requests, 'request')}, ${about}${inputTokens} tokens in, ${outputTokens} out, ${cost}`;
}

/** An answer to a part in a round. */
interface HistoryRow {
  readonly round: number;
  readonly part: string;
  readonly outcome: string;
  /** The findings of the draft about the part after the round. */
  readonly findings: number;
  readonly input: number;
  readonly output: number;
  readonly seconds: number;
}

/** The answers of all rounds, one row each. */
export function historyOf({ rounds }: Pick<Draft, 'rounds'>): HistoryRow[] {
  return rounds.flatMap(({ round, parts, findings }) =>
    parts.map(({ part, outcome, usage }) => ({
      round,
      part,
      outcome,
      findings: findings.filter((finding) => finding.part === part).length,
      input: usage.inputTokens,
      output: usage.outputTokens,
      seconds: usage.seconds,
    })),
  );
}

const historyColumn = columnsOf<HistoryRow>();
const historyColumns = [
  historyColumn('round'),
  historyColumn('part'),
  historyColumn('outcome', {
    tone: ({ outcome }) => (outcome === 'answered' ? 'plain' : 'quiet'),
  }),
  historyColumn('findings', { align: 'right' }),
  historyColumn('input', { header: 'tokens in', align: 'right' }),
  historyColumn('output', { header: 'out', align: 'right' }),
  historyColumn('seconds', (value) => fixed(1)(Number(value)), { minor: 1 }),
];

const undoColumn = columnsOf<UndoProof>();
const undoColumns = [
  undoColumn('node'),
  undoColumn('strategy'),
  undoColumn('verdict'),
  undoColumn('against'),
  undoColumn.of('trials', ({ trials }) => trialsText(trials)),
  undoColumn.of('counterexample', ({ counterexample }) => counterexample ?? '', {
    when: (rows) => rows.some(({ counterexample }) => counterexample !== null),
  }),
];

function trialsText(trials: Readonly<Record<string, number>>): string {
  const counts = Object.values(trials);
  const all = counts.reduce((sum, count) => sum + count, 0);
  return all === 0 ? 'none' : `${counted(all, 'trial')} of ${counted(counts.length, 'kind')}`;
}

const agentColumn = columnsOf<AgentFile>();
const agentColumns = [
  agentColumn('name', { header: 'node' }),
  agentColumn.of('kind', ({ implementation }) => implementation.kind),
  agentColumn.of('agent', (agent) => agentText(agent)),
  agentColumn.of('score', (agent) => scoreText(agent)),
  agentColumn.of('tests', ({ tests }) => tests.length, { align: 'right' }),
];

function agentText({ implementation, made }: AgentFile): string {
  const origin = made.by === 'discovery' ? `${made.match}, from ${made.registry}` : made.model;
  switch (implementation.kind) {
    case 'tool':
      return `${implementation.tool} (${origin})`;
    case 'prompt':
      return `prompt (${origin})`;
    case 'code':
      return `${implementation.file} (${origin})`;
  }
}

/** S(α, I); of an agent that fits approximately with its terms, which the file of an agent always has. */
function scoreText({ made }: AgentFile): string {
  if (made.by !== 'discovery') return '';
  const score = fixed(2)(made.score);
  if (made.match === 'exact') return score;
  const terms = made.terms.map(
    ({ name, weight, value }) => `${fixed(2)(weight)} ${name} ${fixed(2)(value)}`,
  );
  return `${score} (${terms.join(', ')})`;
}

function questionLines(specification: Draft['specification']): string {
  const questions = specification?.questions ?? [];
  return questions
    .map(
      ({ id, question, assumed }) =>
        `  ${id}: ${printableLine(question)} ${printableLine(assumed)}`,
    )
    .join('\n');
}

function assumptionLines(specification: Draft['specification']): string {
  const assumptions = specification?.assumptions ?? [];
  return assumptions
    .map(({ id, text, values }) => {
      const listed = values.length === 0 ? '' : ` (${values.join(', ')})`;
      return `  ${id}: ${printableLine(text + listed)}`;
    })
    .join('\n');
}

function differenceLines(differences: readonly DraftDifference[]): string {
  if (differences.length === 0) return '  none';
  return differences
    .map(({ change, what, id, keys }) => {
      const sign = { added: '+', removed: '-', changed: '~' }[change];
      return `  ${sign} ${what} ${id}${keys.length === 0 ? '' : `: ${keys.join(', ')}`}`;
    })
    .join('\n');
}

function findingLine({ severity, code, part, path, message, hint }: DraftFinding): string {
  return `  ${severity} ${code} in ${part} at ${path}: ${printableLine(`${message}; ${hint}`)}`;
}
