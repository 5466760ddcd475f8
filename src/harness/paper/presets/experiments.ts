import { splitPlannerName } from '../../../jssp/planner-name.js';
import { modelOf } from '../../../llm/model-of.js';
import {
  formatPlannerSpec,
  isModelSpec,
  parsePlannerSpec,
  type Topology,
} from '../../../llm/planner-spec.js';
import type { RunSpec } from '../../run/spec.js';
import { coordination, jssp, type PaperCommand, type PaperSetup } from './paper-item.js';

/** An experiment with job shops: the topologies that it compares, and the settings of its runs. */
export interface ShopExperiment {
  readonly topologies: readonly Topology[];
  readonly settings: Pick<RunSpec, 'variants' | 'repairer' | 'rounds'>;
}

/**
 * The experiments of ALAS with job shops. The systems without an independent validator and repair plan once; the ALAS
 * loop runs whole and without one of its parts; figure 5 lets the model repair its own plans, round by round.
 */
export const SHOP_EXPERIMENTS: Readonly<Record<string, ShopExperiment>> = {
  'shops-single': { topologies: ['single'], settings: {} },
  'shops-teams': { topologies: ['group-chat', 'crew', 'graph', 'swarm'], settings: {} },
  'shops-alas': {
    topologies: ['alas'],
    settings: { variants: ['full', 'no-repair', 'no-validation'] },
  },
  'shops-rounds': {
    topologies: ['single'],
    settings: { repairer: 'llm', rounds: 5 },
  },
};

/** The name of a model in examples of commands. */
const ANY_MODEL = 'MODEL';

/** The files of prompts in the form that ALAS prints, by topology. */
const PROMPTS: Readonly<Record<string, string>> = { single: 'single', alas: 'alas' };

/** The file of the prompt of a topology, relative to the root of this project. */
export function paperPrompt(topology: Topology): string {
  return `benchmarks/paper/prompts/${PROMPTS[topology] ?? 'frameworks'}.txt`;
}

/**
 * The planner in a topology, named after the model and the topology, with the prompts and the answers of the paper unless
 * the user chose others. Planners that ask no model are unchanged.
 */
export function inTopology(planner: string, topology: Topology, prompt: string): string {
  const { name, spec } = splitPlannerName(planner);
  const settings = `topology=${topology},format=entries,prompt=${prompt},structured=no`;
  if (spec === ANY_MODEL) return `${name ?? spec}.${topology}=${spec}#${settings}`;
  if (!isModelSpec(spec)) return planner;
  const made = withTopology(spec, topology, prompt);
  if (made === spec) return planner;
  return `${name ?? shortName(spec)}.${topology}=${made}`;
}

/** The model as a name that a planner may have. */
function shortName(spec: string): string {
  const name = modelOf(spec).model.replaceAll(/[^\w.-]+/g, '-');
  return /^[A-Za-z]/.test(name) ? name : `model-${name}`;
}

function withTopology(text: string, topology: Topology, prompt: string): string {
  const spec = parsePlannerSpec(text);
  if (spec.provider === 'replay') {
    if (spec.spec === null) return text;
    const inner = withTopology(formatPlannerSpec(spec.spec), topology, prompt);
    return `replay:${spec.directory}#${inner}`;
  }
  const chosen = text.split('#')[1] ?? '';
  const isChosen = (key: string) => chosen.split(',').some((part) => part.startsWith(`${key}=`));
  const settings = {
    ...spec.settings,
    topology,
    ...(isChosen('format') ? {} : { format: 'entries' as const }),
    ...(isChosen('structured') ? {} : { structured: false }),
    ...(isChosen('prompt') ? {} : { prompt }),
  };
  return formatPlannerSpec({ ...spec, settings });
}

/** The planners of an experiment for one planner of the user. */
export function plannersOf(planner: string, experiment: string, setup: PaperSetup): string[] {
  const { topologies } = SHOP_EXPERIMENTS[experiment];
  return [
    ...new Set(
      topologies.map((topology) =>
        inTopology(planner, topology, setup.file(paperPrompt(topology))),
      ),
    ),
  ];
}

/** The experiments for a planner: one without topologies would be the same planner in each of them. */
function experimentsFor(planner: string, experiments: readonly string[]): readonly string[] {
  const hasTopologies = inTopology(planner, 'crew', '') !== planner;
  return hasTopologies ? experiments : experiments.slice(-1);
}

/** The directory of the run of a planner in an experiment. */
function runOf(planner: string, experiment: string, { runs }: PaperSetup): string {
  return `${runs}/${experiment}/${slug(planner)}`;
}

/** The runs of experiments, a directory for each planner of the user. */
export function shopRuns(experiments: readonly string[], setup: PaperSetup): PaperCommand[] {
  return setup.planners.flatMap((planner) =>
    experimentsFor(planner, experiments).map((experiment) => {
      const path = runOf(planner, experiment, setup);
      const names = plannersOf(planner, experiment, setup);
      const words = [
        'run',
        '--suite',
        setup.suite,
        ...names.flatMap((name) => ['--planner', name]),
        '--replicates',
        `${setup.threads}`,
        ...optionsOf(SHOP_EXPERIMENTS[experiment]),
        ...setup.limits,
      ];
      return jssp(words, 'hidden', { makes: { kind: 'run', path } });
    }),
  );
}

/** The settings of an experiment as options of `run`. */
function optionsOf({ settings: { variants, repairer, rounds } }: ShopExperiment): string[] {
  return [
    ...(variants === undefined ? [] : ['--variant', variants.join()]),
    ...(repairer === undefined ? [] : ['--repair', repairer]),
    ...(rounds === undefined ? [] : ['--rounds', `${rounds}`]),
  ];
}

/** One of the tables of ALAS from the runs of experiments, after the runs. */
export function shopTable(
  table: string,
  experiments: readonly string[],
): (setup: PaperSetup) => PaperCommand[] {
  return (setup) => [
    ...shopRuns(experiments, setup),
    jssp(['report', ...runsOf(experiments, setup), ...paperTable(table)]),
  ];
}

/** The directories of the runs of experiments. */
export function runsOf(experiments: readonly string[], setup: PaperSetup): string[] {
  return setup.planners.flatMap((planner) =>
    experimentsFor(planner, experiments).map((experiment) => runOf(planner, experiment, setup)),
  );
}

/** The options of `report` for one table of ALAS beside the paper's claims. */
export function paperTable(table: string): string[] {
  return ['--paper', '--claims', '--table', table, '--format', 'md'];
}

/** Experiments with people: the problems, or the events after which a plan has to change. */
export const PEOPLE_EXPERIMENTS: Readonly<Record<string, readonly string[]>> = {
  dinner: ['--problem', 'thanksgiving'],
  'dinner-delayed': ['--events', 'thanksgiving-delay-noon'],
  'dinner-delayed-later': ['--events', 'thanksgiving-delay-1pm'],
  rides: ['--problem', 'ride-sharing'],
  'rides-changed': ['--events', 'ride-sharing-reactive'],
  wedding: ['--problem', 'wedding'],
  'wedding-alert': ['--events', 'wedding-traffic'],
};

/** The teams of these experiments: one model, and the agents of ALAS with validators of their own. */
export const PEOPLE_TEAMS = ['single', 'alas'] as const;

/** Times that violations go back to the model: table 26 of ALAS counts up to three iterations. */
const ROUNDS = 3;

/** Runs of models in both teams, in files of records that rows share, and their tables. */
export function peopleRuns(
  ...experiments: readonly string[]
): (setup: PaperSetup) => PaperCommand[] {
  return (setup) =>
    experiments.flatMap((experiment) =>
      PEOPLE_TEAMS.map((team) => {
        const path = `${setup.runs}/${experiment}-${team}.jsonl`;
        const words = [
          ...peopleWords(experiment, team, ROUNDS),
          ...setup.planners.flatMap((planner) => ['--planner', planner]),
          '--replicates',
          `${setup.threads}`,
          '--record',
          `${setup.runs}/answers`,
          ...setup.limits,
          '--format',
          'md',
        ];
        return coordination(words, 'markdown', { makes: { kind: 'records', path } });
      }),
    );
}

/** The words of a run of a team in an experiment. */
export function peopleWords(experiment: string, team: string, rounds: number): string[] {
  const what = PEOPLE_EXPERIMENTS[experiment];
  return ['run', ...what, '--topology', team, '--rounds', `${rounds}`];
}

/** A planner as the name of a directory. */
function slug(planner: string): string {
  const { name, spec } = splitPlannerName(planner);
  return name ?? spec.replaceAll(/[^A-Za-z0-9._-]+/g, '-').replaceAll(/^-+|-+$/g, '');
}
