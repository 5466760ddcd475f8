import type { Instance } from '../../jssp/instance.js';
import type { Plan } from '../../jssp/plan.js';
import type { PlanFormat } from '../planner-spec.js';
import { cutToTokens, estimateTokens } from '../token-estimate.js';
import { formatFor } from './formats.js';
import { fill, repairTexts } from './templates.js';

/** The violations of a plan, as the validator reports them. */
export interface PlanFindings {
  readonly total: number;
  /** Occurrences of each code. */
  readonly counts: Readonly<Record<string, number>>;
  /** The violations by root cause. */
  readonly groups: readonly {
    readonly explanation: string;
    readonly root: { readonly code: string; readonly scope: { readonly job?: number } };
    readonly cascades: readonly unknown[];
  }[];
}

/** The subject of a repair. */
export interface RepairText {
  /** The shop, if its plans need another format than those of a classic job shop. */
  readonly instance?: Instance | undefined;
  readonly plan: Plan;
  readonly findings: PlanFindings;
  /** The jobs that are repaired together; all others are omitted. */
  readonly jobs: readonly number[];
  readonly format: PlanFormat;
  /** Tokens that the plan and the findings may take together. */
  readonly room: number;
}

/** Maximum tokens of the findings; models ignore longer lists. */
const MOST_FINDINGS = 1500;

/** Tokens of the template itself. */
const FRAME = 100;

/**
 * Describes the faults of a plan, and asks for a better one: as much of the plan as fits, the number of violations of
 * each rule, and the root causes, ordered by the number of their consequences.
 */
export function writeRepair({ instance, plan, findings, jobs, format, room }: RepairText): string {
  const isIn = new Set(jobs);
  const entries = plan.entries.filter(({ job }) => isIn.has(job));
  const written =
    entries.length === 0
      ? repairTexts.none
      : writePlan(entries, format, room / 2, repairTexts.plan, instance);
  const left = Math.min(MOST_FINDINGS, room - FRAME - estimateTokens(written));
  return [written, writeFindings(findings, isIn, left), repairTexts.task].join('\n\n');
}

/** Writes as much of a plan as fits, with a text around it. */
export function writePlan(
  entries: Plan['entries'],
  format: PlanFormat,
  room: number,
  around: string,
  instance?: Instance,
): string {
  const whole = formatFor(instance, format).write(entries);
  const cut = cutToTokens(whole, Math.max(0, room));
  const plan =
    cut === whole ? whole : `${cut.slice(0, cut.lastIndexOf('\n') + 1)}${repairTexts.cut}`;
  return fill(around, { plan });
}

function writeFindings(
  { total, counts, groups }: PlanFindings,
  jobs: ReadonlySet<number>,
  room: number,
): string {
  const summary = Object.entries(counts)
    .filter(([, count]) => count > 0)
    .toSorted(([, a], [, b]) => b - a)
    .map(([code, count]) => `${count} ${code.replaceAll('_', ' ')}`)
    .join(', ');
  const lines = [fill(repairTexts.findings, { total, counts: summary })];
  let left = room - estimateTokens(lines[0]);
  const own = groups.filter(({ root }) => root.scope.job === undefined || jobs.has(root.scope.job));
  const ordered = own.toSorted((a, b) => b.cascades.length - a.cascades.length);
  for (const [i, { explanation }] of ordered.entries()) {
    const line = `- ${explanation}`;
    left -= estimateTokens(line) + 1;
    if (left < 0) {
      lines.push(`- and ${ordered.length - i} more`);
      break;
    }
    lines.push(line);
  }
  return lines.join('\n');
}
