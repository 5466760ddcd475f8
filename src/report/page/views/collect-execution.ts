import { errorLine } from '@alas-jssp/core/errors';
import { type AuditableLog, listRuns, openLog } from '@alas-jssp/workflow';
import type { RunRecord } from '../../../harness/records/record.js';
import { logRunId } from '../../../harness/run/file-names.js';
import type { RunSource } from '../../../harness/run/run-source.js';
import type { Instance } from '../../../jssp/instance.js';
import { resolveSource } from '../../../jssp/suites.js';
import { withObjective } from '../../../lcrp/policy/policy.js';
import { policyOfInstant } from '../../../pipeline/shop/rows.js';
import { createShopMemory, type ShopMemory } from '../../../pipeline/shop/shop-memory.js';
import { readStory, type ShopStory, type ShopTurn } from '../../../pipeline/shop/story.js';
import {
  formatConsequences,
  phrasesOf,
  type StoryWords,
  storyWords,
} from '../../../pipeline/shop/story-lines.js';
import { readRealised } from './collect-record.js';
import { viewRepairMoves } from './moves-view.js';
import type { ExecutionDetail } from './page-data.js';
import type { ExecutionView, VersionView } from './schedule-data.js';
import { viewSchedule } from './schedule-view.js';

/** Maximum number of operations, over all versions, on a page; longer executions keep their last versions. */
const MOST_OPERATIONS = 500_000;

/** The execution of the schedule of a record; null if it was not executed. */
export function collectExecution(record: RunRecord, source: RunSource): ExecutionDetail | null {
  if (record.disruption === null) return null;
  const { instance, planner, method } = record;
  const title = `${instance}, ${planner}, executed under ${method}`;
  try {
    return { title, record, execution: executionOf(record, source), problems: [] };
  } catch (error) {
    return { title, record, execution: null, problems: [errorLine(error)] };
  }
}

/** The execution of a shop in a log without a record, as `execute` writes it. */
export function collectShop(file: string, runId: string): ExecutionDetail {
  const shop = { title: runId, record: null };
  try {
    const log = openLog(file);
    try {
      const execution = viewExecution(log, runId, (name) => resolveSource(name).load());
      return { ...shop, execution, problems: [] };
    } finally {
      log.close();
    }
  } catch (error) {
    return { ...shop, execution: null, problems: [errorLine(error)] };
  }
}

/** The execution from the log of the run, or else from its saved final schedule. */
function executionOf(record: RunRecord, source: RunSource): ExecutionView | null {
  const { log: file } = source.manifest.spec;
  if (file !== null) {
    const log = openLog(file);
    try {
      const run = latestRun(log, `${logRunId(record)}__${record.method}`);
      const find = () => source.instance(record.instance);
      if (run !== null) return viewExecution(log, run, find);
    } finally {
      log.close();
    }
  }
  const realised = readRealised(record, source);
  if (realised === null) return null;
  const last = record.disruption?.steps.at(-1)?.now ?? 0;
  const schedule = viewSchedule(realised.instance, realised.plan);
  return {
    title: record.instance,
    instance: record.instance,
    method: record.method ?? '',
    versions: [{ version: 1, now: last, events: [], remarks: [], schedule, moves: null }],
    remark: 'Only the final schedule is shown: the versions are in a log (run --log FILE).',
  };
}

/** The last run with an id: executions of a resumed run have the ids `id~2` and so on. */
function latestRun(log: AuditableLog, wish: string): string | null {
  const id = wish.replaceAll(/[^A-Za-z0-9._~-]+/g, '-');
  const ids = listRuns(log).map(({ runId }) => runId);
  return ids.findLast((one) => one === id || one.startsWith(`${id}~`)) ?? null;
}

/**
 * The execution of a shop in a log, version by version.
 *
 * @param find finds an instance that the log only names
 * @throws AlasError `no_run`, `damaged_log`
 */
function viewExecution(
  log: AuditableLog,
  runId: string,
  find: (name: string) => Instance,
): ExecutionView {
  const story = readStory(log, runId);
  const memory = createShopMemory(log, ({ name }) => find(name));
  const { instance, input } = memory.baseOf(runId);
  const committed = story.turns.filter(
    ({ instant }) => instant.events.length > 0 || instant.changed,
  );
  const most = Math.max(1, Math.floor(MOST_OPERATIONS / Math.max(1, instance.operations)) - 1);
  const shown = committed.slice(-most);
  return {
    title: runId,
    instance: instance.name,
    method: input.policy.methods.join(', '),
    versions: [...viewVersions(memory, story, shown)],
    remark:
      shown.length < committed.length
        ? `The first ${committed.length - shown.length} instants are omitted.`
        : null,
  };
}

function* viewVersions(
  memory: ShopMemory,
  { runId }: ShopStory,
  turns: readonly ShopTurn[],
): Generator<VersionView> {
  const first = turns[0]?.instant.version ?? 1;
  const { now, schedule } = memory.versionOf(runId, first);
  const plan = viewSchedule(schedule.instance, schedule);
  const remarks = first === 1 ? ['the plan'] : [];
  yield { version: first, now, events: [], remarks, schedule: plan, moves: null };
  let last: VersionView['schedule'] = plan;
  for (const turn of turns) {
    const { instant, committed } = turn;
    const clock = storyWords(schedule.instance.timeScale);
    const events = phrasesOf(instant.events, clock);
    const common = { now: instant.now, events, remarks: remarksOf(turn, clock) };
    if (committed === undefined) {
      yield { ...common, version: instant.version, schedule: last, moves: null };
      continue;
    }
    const version = memory.versionOf(runId, committed.version);
    const { schedule: previous } = memory.versionOf(runId, instant.version);
    const status = memory.effectOf(runId, instant);
    const own = policyOfInstant(memory.baseOf(runId).input.policy, instant);
    const policy = withObjective(status.task.instance, own);
    const moves = viewRepairMoves({ ...status, previous, policy, schedule: version.schedule });
    last = viewSchedule(version.schedule.instance, version.schedule);
    yield { ...common, version: committed.version, schedule: last, moves };
  }
}

/** The actions at an instant, with their actors, in words. */
function remarksOf(turn: ShopTurn, clock: StoryWords): string[] {
  const { instant, proposal, approvedBy, committed } = turn;
  const { by, kind, undo } = instant;
  const words: string[] = [];
  if (kind === 'undo') {
    const did = committed === undefined ? 'wanted to go back' : 'went back';
    words.push(`${by ?? 'someone'} ${did} to version ${undo}`);
  }
  if (kind === 'propose') words.push(`${by ?? 'someone'} proposed starts`);
  words.push(...formatConsequences(turn, clock));
  if (proposal !== undefined) words.push(`repaired by ${proposal.method}, phase ${proposal.phase}`);
  const who = approvedBy ?? committed?.by;
  if (who !== null && who !== undefined) words.push(`approved by ${who}`);
  if (committed === undefined) words.push('the schedule is unchanged');
  return words;
}
