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
  // What comes after it has its entries: then the two are not of the same moment.
  const steps = await run.history();
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
  if (entries.length === result.versions) judgeDoubts(say, result, entries, steps);
  return entries.filter(isLost).length;
}

/** An attempt of a handler or a compensator of which no answer will come. */
const isLost = ({ eventType, payload }) =>
  (eventType === 'Answer' && payload.failed === 'Lost') ||
  (eventType === 'CompensateFail' && payload.code === 'Interrupted');

/** Whether a worker had a call and did not answer: one that fell silent may act all the same. */
const isUnanswered = ({ end, error, begun }) =>
  begun !== false &&
  (end === 'open' || end === 'timed out' || (end === 'failed' && error === 'WorkerLeft'));

/**
 * Judges doubts by Temporal's own history: in doubt is what was called and did not answer that it was done, and
 * whatever was called and has no answer is in doubt, if nothing else tells of it.
 */
function judgeDoubts(say, result, entries, steps) {
  const { committed, undone, inDoubt } = result;
  const byKey = new Map();
  for (const step of steps) {
    if (step.kind === 'handler') byKey.set(step.key, [...(byKey.get(step.key) ?? []), step]);
  }
  for (const { idempotencyKey: key, attempts } of inDoubt) {
    const calls = byKey.get(key) ?? [];
    if (calls.length === 0) say(`${key} is in doubt and was never begun`);
    const answered = attempts.filter((attempt) => {
      return !calls.some((call) => call.attempt === attempt && isUnanswered(call));
    });
    if (answered.length > 0) say(`${key} is in doubt for attempt ${answered[0]}, which answered`);
    if (attempts.length > 0) continue;
    if (calls.every(({ end }) => end === 'completed')) say(`${key} is in doubt and was answered`);
    const isBegun = calls.some(({ begun }) => begun !== false);
    if (calls.length > 0 && !isBegun) say(`${key} is in doubt and no worker had it`);
  }
  const known = new Set([...listedBy(result), ...undone.map((one) => one.idempotencyKey)]);
  const isSettled = (path) => {
    return entries.some(({ eventType, nodeId }) => eventType === 'Settle' && nodeId === path);
  };
  const registered = entries.filter(({ eventType }) => eventType === 'Register');
  const effects = new Set(registered.map(({ payload }) => payload.key));
  for (const [key, calls] of byKey) {
    const call = calls.find(isUnanswered);
    const isDone = calls.some(({ end }) => end === 'completed');
    if (call === undefined || !effects.has(key) || known.has(key) || isSettled(call.path)) continue;
    const wasUndone = steps.some((step) => {
      return step.kind === 'compensator' && step.key === key && step.end === 'completed';
    });
    // One that is done commits later, if other doubts are settled well.
    if (wasUndone || (isDone && committed.length === 0)) continue;
    say(`${key} was called, is ${call.end}, and no entry records it`);
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
