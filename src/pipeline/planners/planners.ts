import { statSync } from 'node:fs';
import { readBytes } from '@alas-jssp/core/bytes';
import { InputError } from '@alas-jssp/core/errors';
import { suggestNames } from '@alas-jssp/core/nearest-names';
import type { Planner } from '../../jssp/planner.js';
import { splitPlannerName } from '../../jssp/planner-name.js';
import { isModelSpec, parsePlannerSpec } from '../../llm/planner-spec.js';
import {
  createHeuristicPlanner,
  heuristicPlannerSpecs,
  type PlannerSpec,
} from '../../search/planners.js';
import { namedFiles } from './command-words.js';
import { createControlPlanner, isControl } from './control-planners.js';
import { createDegradedPlanner } from './degraded-planner.js';
import { createExecPlanner, needsSeconds } from './exec-planner.js';
import { createFilePlanner, planPath, type ReadFile } from './file-planner.js';
import { createModelPlanner, type ModelPlanner } from './llm-planner.js';
import { createModulePlanner, type LoadablePlanner } from './module-planner.js';
import { type PlannerKind, withPrefix } from './planner-kind.js';
import { requirePlannerName } from './planner-name.js';
import { createSearchPlanner } from './search-planner.js';
import { createTranscriptsPlanner, readAnswers, transcriptsPath } from './transcripts-planner.js';

const FILE = 'file:';
const MODULE = 'module:';
const TRANSCRIPTS = 'transcripts:';
const DEGRADED = 'degraded:';
const EXEC = 'exec:';
const SEARCH = 'search:';

/** Models, and recorded answers of them. */
const createModel: PlannerKind['create'] = (spec, read) =>
  isModelSpec(spec) ? createModelPlanner(spec, undefined, read) : undefined;

const createControl: PlannerKind['create'] = (spec) =>
  isControl(spec) ? createControlPlanner(spec) : undefined;

/** All kinds of planners but the heuristics, in the order of lists. Add a new one at the end. */
export const plannerKinds: readonly PlannerKind[] = [
  {
    spec: 'search:BUDGET',
    description: 'the search in one thread: search:10s, search:20k-iterations',
    create: withPrefix(SEARCH, createSearchPlanner),
  },
  {
    spec: 'degraded:RATE',
    description: 'a heuristic with faults in a share of its operations (synthetic): degraded:0.1',
    create: withPrefix(DEGRADED, createDegradedPlanner),
  },
  {
    spec: 'random',
    description: 'a random order of all operations (synthetic)',
    create: createControl,
  },
  {
    spec: 'empty',
    description: 'a plan without operations, which repair completes (synthetic)',
    create: createControl,
  },
  {
    spec: 'file:PATTERN',
    description: 'finished plans from files, such as file:plans/{instance}.json',
    create: withPrefix(FILE, createFilePlanner),
  },
  {
    spec: 'transcripts:FILE',
    description: 'recorded answers of models, such as transcripts:a.jsonl#model=GPT-4o',
    create: withPrefix(TRANSCRIPTS, createTranscriptsPlanner),
  },
  {
    spec: 'openai:MODEL',
    description: 'a model of OpenAI, such as openai:gpt-4.1#topology=crew',
    create: createModel,
  },
  { spec: 'anthropic:MODEL', description: 'a model of Anthropic', create: createModel },
  {
    spec: 'openai-compatible:MODEL@URL',
    description: 'a model behind any server of that protocol, such as vLLM, Ollama or llama.cpp',
    create: createModel,
  },
  {
    spec: 'replay:DIR',
    description: 'the answers that run --record or a run left in a directory',
    create: createModel,
  },
  {
    spec: 'module:PATH',
    description: 'the planner that an ES module exports',
    create: withPrefix(MODULE, createModulePlanner),
  },
  {
    spec: 'exec:COMMAND',
    description: 'any program: cpsat=exec:python3 cpsat.py {instance} names it',
    create: withPrefix(EXEC, createExecPlanner),
  },
];

/** All planner specifications; the user fills in the parts in capitals. */
export const plannerSpecs: readonly PlannerSpec[] = [
  ...heuristicPlannerSpecs,
  ...plannerKinds.map(({ spec, description }) => ({ spec, description })),
];

/**
 * Makes the planner of a specification, one of {@link plannerSpecs}, with or without its own name before it
 * (`cpsat=exec:…`). Planners with a model need access to it.
 *
 * @param read reads the files of planners, see {@link planSource}, if they are remote
 * @throws InputError `unknown_planner` for an unknown specification, `bad_name` for an invalid name, and errors of the
 *   planner about its file or module
 */
export function createPlanner(text: string, read?: ReadFile): Planner | ModelPlanner {
  const named = splitPlannerName(text);
  requirePlannerName(named);
  const planner = createUnnamed(named.spec, read);
  return named.name === null ? planner : { ...planner, name: `${named.name}=${planner.name}` };
}

function createUnnamed(spec: string, read: ReadFile | undefined): Planner | ModelPlanner {
  for (const kind of plannerKinds) {
    const planner = kind.create(spec, read);
    if (planner !== undefined) return planner;
  }
  const planner = createHeuristicPlanner(spec);
  if (planner !== undefined) return planner;
  throw new InputError(
    'unknown_planner',
    `there is no planner '${spec}'`,
    suggestNames(
      spec,
      plannerSpecs.map((known) => known.spec),
    ),
    {},
    spec,
  );
}

/**
 * Makes a planner and prepares it for its first instance: imports its module.
 *
 * @throws InputError errors of {@link createPlanner}, `bad_module` if the module cannot be loaded or exports no planner
 */
export async function loadPlanner(spec: string): Promise<Planner | ModelPlanner> {
  const planner = createPlanner(spec);
  if (isLoadable(planner)) await planner.load();
  return planner;
}

/** True for the name of a planner of this package: it gives equal answers for equal seeds. */
export function isHeuristicPlanner(name: string): boolean {
  try {
    return createHeuristicPlanner(name) !== undefined;
  } catch {
    return false;
  }
}

/**
 * True for a planner that makes faulty, empty or random plans on purpose; its results are not those of a real planner.
 */
export function isSyntheticPlanner(text: string): boolean {
  return restOf(text, DEGRADED) !== null || isControl(splitPlannerName(text).spec);
}

/** True for a planner that replays recorded answers of models, and reports them. */
export function isRecordedPlanner(text: string): boolean {
  return restOf(text, TRANSCRIPTS) !== null;
}

/** True if the planner runs a user's code, which may do anything when it is loaded. */
export function isForeignPlanner(text: string): boolean {
  return restOf(text, MODULE) !== null || restOf(text, EXEC) !== null;
}

/** True for a program: it may answer differently when it is started again. */
export function isProgram(text: string): boolean {
  return restOf(text, EXEC) !== null;
}

/** True for a program that uses its time limit, so that one is required. */
export function needsTimeLimit(text: string): boolean {
  const command = restOf(text, EXEC);
  return command !== null && needsSeconds(command);
}

/** Files of a planner's code, by their paths: they must be the same on all machines of a run. */
export function planModules(text: string): string[] {
  const module = restOf(text, MODULE);
  if (module !== null) return [module];
  const command = restOf(text, EXEC);
  return command === null ? [] : namedFiles(command);
}

/** Whether one of the {@link planModules} is a file: modules always are, words of a command may be. */
export function isPlannerFile(text: string, path: string): boolean {
  return (
    restOf(text, EXEC) === null || statSync(path, { throwIfNoEntry: false })?.isFile() === true
  );
}

/** The rest of a specification after its kind; null for planners of other kinds. */
function restOf(text: string, kind: string): string | null {
  const { spec } = splitPlannerName(text);
  return spec.startsWith(kind) ? spec.slice(kind.length) : null;
}

/** A user's file that a planner reads. */
interface PlanSource {
  readonly path: string;
  /** @throws InputError as the planner does, if the file cannot be read */
  read(): Uint8Array;
}

/** The file that a planner reads for an instance: a plan or a prompt template; null for none. */
export function planSource(spec: string, instance: string): PlanSource | null {
  const pattern = restOf(spec, FILE);
  if (pattern !== null) {
    const path = planPath(pattern, instance);
    return { path, read: () => readBytes(path) };
  }
  const answers = restOf(spec, TRANSCRIPTS);
  if (answers !== null) {
    const path = transcriptsPath(answers);
    return { path, read: () => readAnswers(path) };
  }
  return isModelSpec(spec) ? promptSource(spec) : null;
}

/** The template of a model's prompts. */
function promptSource(text: string): PlanSource | null {
  const spec = parsePlannerSpec(text);
  const model = spec.provider === 'replay' ? spec.spec : spec;
  const path = model?.settings.prompt;
  return path === undefined ? null : { path, read: () => readBytes(path) };
}

function isLoadable(planner: Planner | ModelPlanner): planner is LoadablePlanner {
  return 'load' in planner;
}
