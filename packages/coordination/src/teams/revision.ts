import type { SelfVerdict } from './team.js';
import type { TeamTalk } from './team-talk.js';
import { finalRole } from './topologies.js';

/** The feedback for the next round. */
export interface RoundFeedback {
  /** The best plan so far as text, and what is wrong with it; null if there is none. */
  readonly plan: string | null;
  readonly violations: readonly string[];
  /** Faults of the last attempt, if it was discarded. */
  readonly discarded: readonly string[] | null;
}

/** Maximum number of violations in a prompt. */
const SHOWN_VIOLATIONS = 20;

/** Asks the agent of the final plan for a better one. */
export async function revise<Plan, Reading extends { readonly plan: Plan | null }>(
  talk: TeamTalk<Plan, Reading>,
  { plan, violations, discarded }: RoundFeedback,
): Promise<void> {
  const parts =
    plan === null
      ? ['No plan could be read in the last answer.']
      : [
          `This plan was made:\n${plan}`,
          violations.length === 0
            ? 'It is not accepted.'
            : `It breaks these rules:\n${listed(violations)}`,
          ...(discarded === null ? [] : [discardedText(discarded)]),
        ];
  const task = [...parts, 'Make the whole plan again, without these faults.'].join('\n\n');
  await talk.plan({ role: finalRole(talk.task), purpose: 'revise', task });
}

function discardedText(faults: readonly string[]): string {
  if (faults.length === 0) return 'Another attempt could not be read, and was discarded.';
  return `Another attempt was no better, and was discarded. It breaks:\n${listed(faults)}`;
}

function listed(faults: readonly string[]): string {
  const more = faults.length - SHOWN_VIOLATIONS;
  const lines = faults.slice(0, SHOWN_VIOLATIONS).map((fault) => `- ${fault}`);
  return [...lines, ...(more > 0 ? [`- and ${more} more`] : [])].join('\n');
}

/** Asks the agent of the final plan whether it keeps all rules, with the same facts and without any findings. */
export async function selfValidate<Plan, Reading extends { readonly plan: Plan | null }>(
  talk: TeamTalk<Plan, Reading>,
  plan: string,
): Promise<SelfVerdict> {
  const role = { ...finalRole(talk.task), facts: talk.task.facts };
  const task = `Here is your plan:\n${plan}\n\nDoes it keep all rules and facts? Answer in the first line \`Feasible: yes\` or \`Feasible: no\`, and then, one line each, what it breaks.`;
  const { text } = await talk.remark({ role, purpose: 'self-validate', task });
  return readSelfVerdict(text);
}

/** Reads a verdict: `Feasible: yes`, or an answer that begins with yes or no. */
function readSelfVerdict(text: string): SelfVerdict {
  const said =
    /\bfeasible["*`]*\s*[:=][\s"*`]*(yes|no|true|false)\b/i.exec(text)?.[1] ??
    /^\W*(yes|no)\b/i.exec(text)?.[1];
  if (said === undefined) return { feasible: null, faults: [] };
  const feasible = /^(yes|true)$/i.test(said);
  const lines = text.split('\n').map((line) => line.replace(/^[\s\-*•\d.)]+/, '').trim());
  const faults = lines.filter((line) => line !== '' && !/^["*`]*feasible\b/i.test(line));
  return { feasible, faults: feasible ? [] : faults.slice(0, SHOWN_VIOLATIONS) };
}
