import { describeEvent } from '../events/events.js';
import { actionInWords } from '../model/action-words.js';
import { formatClock } from '../model/clock.js';
import { changesInWords } from '../repair/notices.js';
import { REPAIR_PHASE_WORDS } from '../repair/repair.js';
import type { ExecutionStory, ExecutionTurn } from './execution-story.js';
import type { TeamPlanning } from './team-repair.js';

/** A line of an account: an entry with its clock time, or, without one, a continuation of the entry above. */
export interface AccountLine {
  readonly time: string;
  readonly text: string;
}

/**
 * The account of an execution: starts of actions, events, why the plan became invalid, which step repaired it, and
 * which notices were sent.
 */
export function accountOf(story: ExecutionStory): AccountLine[] {
  const { turns, versions, state, end } = story;
  const lines = turns.flatMap((turn) => linesOf(story, turn));
  const plan = versions.get(state.version)?.plan;
  const finish = Math.max(0, ...(plan?.actions ?? []).map((action) => action.end));
  const version = `version ${state.version} of the plan`;
  const now = turns.at(-1)?.to ?? 0;
  if (end?.error !== undefined) {
    const reason = turns.at(-1)?.failure ?? end.error.message;
    return [...lines, lineAt(now, `no repair: ${reason}; ${version} stays`)];
  }
  const isDone = state.now > finish;
  return [
    ...lines,
    isDone ? lineAt(finish, `all is done, by ${version}`) : lineAt(now, `so far by ${version}`),
  ];
}

function linesOf({ versions }: ExecutionStory, turn: ExecutionTurn): AccountLine[] {
  const { from, to, began, events, proposal, version, follows, failure } = turn;
  const before = versions.get(follows)?.problem;
  if (before === undefined) return [];
  const lines = began.map((action) => {
    const until = action.end > action.start ? `, until ${formatClock(action.end)}` : '';
    return lineAt(from, `${actionInWords(before, action)}${until}`);
  });
  lines.push(...events.map((event) => lineAt(to, `! ${withoutTime(describeEvent(event))}`)));
  if (proposal === undefined) return lines;
  const { because, phase, changes, edit_radius, notices, promises, cost, cost_before } = proposal;
  const more = (text: string, depth = 1) => ({ time: '', text: `${'  '.repeat(depth)}${text}` });
  lines.push(...because.map(({ code, message }) => more(`as planned, ${message} [${code}]`)));
  if (failure !== undefined && proposal.method === 'repair') lines.push(more(failure));
  const count = changes.length === 1 ? '1 action' : `${changes.length} actions`;
  const radius = `edit radius ${edit_radius.toFixed(2)}`;
  const step =
    phase === 'team'
      ? `planned again by the team${proposal.team ? ` (${planningInWords(proposal.team)})` : ''}`
      : `repaired by '${phase}' (${REPAIR_PHASE_WORDS[phase]})`;
  lines.push(more(`${step}: ${count} changed, ${radius}`));
  const world = (version === undefined ? undefined : versions.get(version)?.problem) ?? before;
  const words = changesInWords(world, changes, notices, promises);
  lines.push(...words.map((line) => more(line, 2)));
  if (version === undefined) return lines;
  const than = cost.total === cost_before.total ? 'as before' : `instead of ${cost_before.total}`;
  const verdict = `the judge accepts version ${version}, which is followed from now on`;
  return [...lines, more(`${verdict}; cost ${cost.total} ${than}`)];
}

/** How a team made a plan, in words. */
export function planningInWords({ team, mended }: TeamPlanning): string {
  const { topology, rounds, kept } = team;
  const requests = rounds.flatMap(({ turns }) => turns).length;
  const asked = `${topology}, ${requests === 1 ? '1 request' : `${requests} requests`}`;
  const plan = `plan ${(kept ?? 0) + 1} of ${rounds.length} kept`;
  if (mended === null) return `${asked}, ${plan}, valid as it is`;
  const edits = mended.edits === 1 ? '1 edit' : `${mended.edits} edits`;
  return `${asked}, ${plan}, repaired by '${mended.phase}' with ${edits}`;
}

function lineAt(time: number, text: string): AccountLine {
  return { time: formatClock(Math.max(0, time)), text };
}

function withoutTime(text: string): string {
  return text.slice(text.indexOf(': ') + 2);
}
