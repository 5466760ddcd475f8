import { basename } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { convertWorkflow } from '@alas-jssp/convert';
import { resolveSources } from 'alas-jssp';
import { openModels, runBenchmark } from 'alas-jssp/harness';
import { recordOf } from '../../dist/harness/records/build-record.js';
import { recordKey } from '../../dist/harness/records/record.js';
import { openCells } from '../../dist/harness/run/matrix.js';
import { identifyInstances } from '../../dist/harness/run/sources.js';
import { stagesOf } from '../../dist/harness/worker/task.js';
import { runPipeline } from '../../dist/pipeline/pipeline.js';
import { isModelPlanner } from '../../dist/pipeline/planners/llm-planner.js';
import { loadPlanner } from '../../dist/pipeline/planners/planners.js';

/**
 * The machine of a workflow of which nothing is lost.
 *
 * @param {import('../../packages/workflow/dist/ir/workflow.js').Workflow} workflow
 * @returns {Promise<string>}
 */
export async function machineOf(workflow) {
  const { text } = await convertWorkflow(workflow, 'asl');
  return text;
}

/**
 * Records of the same cells, by our own runtime in its worker threads and by an engine that executes the converted
 * blueprint and calls its planner, validator, repair and search over the bridge. They are compared field by field,
 * but for times.
 *
 * @param {import('alas-jssp/harness').RunSpec} spec of plans only, without executions
 * @param {{ engine: import('./engine.mjs').Engine, bridge: import('../bridge.mjs').Bridge,
 *   convert?: typeof machineOf }} runner
 * @returns {AsyncGenerator<{ ours: import('alas-jssp/harness').RunRecord,
 *   theirs: import('alas-jssp/harness').RunRecord, differences: string[], calls: number }>}
 */
export async function* compareRecords(spec, runner) {
  const { manifest, records } = await runBenchmark(spec);
  const filled = manifest.spec;
  const instances = identifyInstances(resolveSources(filled.suite));
  for (const { cells, load } of openCells({ ...filled, instances }, new Set())) {
    const [cell] = cells;
    const calls = { count: 0 };
    const planner = await loadPlanner(cell.planner);
    const models = isModelPlanner(planner) ? await openModels([cell.planner]) : undefined;
    const result = await runPipeline(load(), planner, {
      ...stagesOf(filled, cell),
      ask: models?.askFor(cell.planner),
      seed: cell.seed,
      replicate: cell.replicate,
      bound: { value: cell.bounds.lower_bound, source: cell.bounds.proof },
      engine: onAsl(runner, nameOf(cell), calls),
    });
    const theirs = recordOf(cell, result);
    const ours = withBareNames(records.find((record) => recordKey(record) === recordKey(cell)));
    yield { ours, theirs, differences: differencesOf(ours, theirs), calls: calls.count };
  }
}

/** The answers of a record by the names of their files: whoever made it knows no directory of a run. */
function withBareNames({ llm, ...record }) {
  const answer_files = llm?.answer_files.map((file) => basename(file));
  return { ...record, llm: llm && { ...llm, answer_files } };
}

function nameOf({ instance, planner, variant, replicate }) {
  return `${instance}-${planner}-${variant}-${replicate}`.replace(/[^\w-]/g, '_');
}

/**
 * An engine for a pipeline: the outputs of its nodes are those that the history of the execution tells.
 *
 * @param {{ engine: import('./engine.mjs').Engine, bridge: import('../bridge.mjs').Bridge,
 *   convert?: typeof machineOf }} runner
 * @param {string} runId
 * @param {{ count: number }} calls is told how many there were
 * @returns {import('alas-jssp/harness').PipelineEngine}
 */
export function onAsl({ engine, bridge, convert = machineOf }, runId, calls = { count: 0 }) {
  return async (workflow, input, registry, codec) => {
    const text = await convert(workflow);
    bridge.add(runId, { workflow, registry, codec });
    try {
      const told = await engine.execute({ runId, text, input });
      const { status, error, output, outputs, history } = told;
      calls.count = history.filter(({ kind }) => kind === 'start').length;
      const outputOf = (id) => {
        const node = workflow.nodes.find((other) => other.id === id);
        const path = node?.type === 'map' ? lastTurn(node, history) : id;
        return path in outputs ? codec.decode(outputs[path]) : undefined;
      };
      return { status, output, error: error ?? undefined, outputOf };
    } finally {
      bridge.remove(runId);
    }
  };
}

/** The path of the node that gives the output of a loop: the last one of the last turn that began. */
function lastTurn({ id, body }, history) {
  const turns = history.flatMap(({ path }) => {
    return path.startsWith(`${id}[`) ? [Number.parseInt(path.slice(id.length + 1), 10)] : [];
  });
  const last = body.nodes.find((node) => !body.edges.some(({ from }) => from === node.id));
  return `${id}[${Math.max(...turns)}]/${last.id}`;
}

const TIMES = ['seconds', 'answer_seconds'];

/** Paths of the fields in which two records differ, but for times. */
function differencesOf(one, other, path = '') {
  if (isDeepStrictEqual(one, other)) return [];
  const areObjects = [one, other].every((value) => typeof value === 'object' && value !== null);
  if (!areObjects) return [`${path}: ${JSON.stringify(one)} and ${JSON.stringify(other)}`];
  const keys = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...keys]
    .filter((key) => !TIMES.includes(key))
    .flatMap((key) => differencesOf(one[key], other[key], path === '' ? key : `${path}.${key}`));
}
