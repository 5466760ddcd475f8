// Whether the outside of a kill trial agrees with what the ends of its runs say.

/** The effects that are there, or may be, as a result says. */
function listedBy({ committed, remaining, inDoubt }) {
  const all = [...committed, ...remaining, ...inDoubt];
  return new Set(all.map(({ idempotencyKey }) => idempotencyKey));
}

/**
 * Judges a result of a run, as soon as it is there: what stands outside is what it lists, each effect once.
 *
 * @returns how many attempts were lost with their workers
 */
export async function judgeRun({ problems, outside }, runId, result, run) {
  const { status, committed, undone, remaining, inDoubt } = result;
  const say = (text) => problems.push(`${runId} is ${status}: ${text}`);
  const standing = (key) => outside.effects.get(key)?.standing ?? 0;
  const keysOf = (list) => list.map(({ idempotencyKey }) => idempotencyKey);
  const entries = await run.entries();
  const listed = listedBy(result);
  const would = entries.findLast(({ eventType }) => eventType === 'EndRun')?.payload.would;
  for (const [key, { runs }] of outside.effects) {
    const isOwn = runs.has(runId) && runs.size === 1;
    // A run that would complete without its doubts commits nothing yet.
    if (!isOwn || standing(key) === 0 || listed.has(key) || would === 'COMPLETED') continue;
    say(`${key} stands and is not listed`);
  }
  for (const key of keysOf(committed)) {
    if (standing(key) !== 1) say(`${key} is committed and stands ${standing(key)} times`);
  }
  for (const key of keysOf(undone)) {
    const isShared = (outside.effects.get(key)?.runs.size ?? 0) > 1;
    if (standing(key) > 0 && !isShared && !listed.has(key)) say(`${key} is undone and stands`);
  }
  for (const { idempotencyKey: key, reason } of remaining) {
    if (reason === 'irreversible' && standing(key) !== 1) {
      say(`${key} remains (${reason}) and stands ${standing(key)} times`);
    }
  }
  if (['COMPLETED', 'COMPENSATED', 'FAILED', 'CANCELLED'].includes(status)) {
    if (inDoubt.length > 0) say(`${inDoubt[0].idempotencyKey} is in doubt`);
  } else if (status !== 'COMPENSATION_FAILED' && status !== 'IN_DOUBT') say('no end');
  if (status === 'IN_DOUBT' && inDoubt.length === 0) say('nothing is in doubt');
  if (status === 'COMPENSATION_FAILED' && remaining.length + inDoubt.length === 0) {
    say('nothing remains');
  }
  judgeDoubts(say, inDoubt, entries);
  return entries.filter(isLost).length;
}

const isLost = ({ payload }) => payload?.error?.code === 'Interrupted' || payload?.lost === true;

/** A doubt has an attempt that nobody heard of: it was overdue, stopped or lost. */
function judgeDoubts(say, inDoubt, entries) {
  for (const { nodeId, idempotencyKey, attempts } of inDoubt) {
    const own = entries.filter((entry) => entry.nodeId === nodeId);
    const started = own.filter(({ eventType }) => eventType === 'StartNode').length;
    if (started === 0) say(`${idempotencyKey} is in doubt and was never begun`);
    const ends = own.findLastIndex(({ eventType }) => eventType === 'EndNode');
    const begins = own.findLastIndex(({ eventType }) => eventType === 'StartNode');
    if (ends > begins && attempts.length === 0) {
      say(`${idempotencyKey} is in doubt and was answered`);
    }
  }
}

/** Judges the outside when all runs of a trial have ended: nothing stands that none of them lists. */
export function judgeEnds({ problems, outside, runs, ends }) {
  for (const { runId } of runs) {
    if (!ends.has(runId)) problems.push(`${runId} is lost: it has no end`);
  }
  const results = [...ends.values()].map(({ result }) => result);
  const own = new Set(runs.map(({ runId }) => runId));
  for (const [key, effect] of outside.effects) {
    const [runId] = effect.runs;
    if (!own.has(runId)) continue;
    const isListed = results.some((result) => listedBy(result).has(key));
    if (effect.standing > 0 && !isListed) problems.push(`${key} stands, and no run lists it`);
    if (effect.standing > 1) problems.push(`${key} stands ${effect.standing} times`);
    const { workflow } = runs.find((run) => run.runId === runId);
    if (isAtMostOnce(workflow, effect.nodeId) && effect.asked > 1) {
      problems.push(`${key} was sent ${effect.asked} times`);
    }
  }
}

/** Whether a step has one attempt, whatever happens. */
function isAtMostOnce({ nodes: first }, path) {
  const names = path.replace(/\[\d+\]/g, '').split('/');
  let nodes = first;
  for (let k = 0; ; k++) {
    const node = nodes.find(({ id }) => id === names[k]);
    if (node.type === 'task') return ['once', 'onceUndone'].includes(node.policyRef);
    nodes = node.type === 'parallel' ? node.branches[names[++k]].nodes : node.body.nodes;
  }
}
