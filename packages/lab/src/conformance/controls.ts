// Negative controls: each does something wrong on purpose that the matrix must find.
import type { Case } from './case.js';
import { cases } from './cases/index.js';
import type { Column, Engine, EngineModule, Sabotage, Stub } from './engine.js';

const titled = (title: string) => {
  const one = cases.find((other) => other.title === title);
  if (one === undefined) throw new Error(`there is no case ${title}`);
  return one;
};

/** What is done, on which case, and what must be found. */
const CONTROLS = [
  {
    name: 'reversed compensation',
    title: 'the failing step first, then the others in reverse',
    mustFind: /^compensate\S* \S+ comes before compensate/,
  },
  {
    name: 'dropped retry',
    title: 'twice busy, with the same wait before each attempt',
    mustFind: /^missing: start a #2$/,
  },
  {
    name: 'swallowed error',
    title: 'a failure that nothing catches ends the run under its name',
    mustFind: /^the (status|error) is .*(FAILED|Broken)/,
  },
];

/** What an engine is tried with: the case, its spoilt document, and the engine that runs it. */
export interface Control {
  name: string;
  one: Case;
  /** Undefined if the document could not be spoilt. */
  text: string | undefined;
  mustFind: RegExp;
  host: Engine;
}

interface State {
  Retry?: unknown;
  Catch?: { ErrorEquals: string[]; Next?: string | undefined }[];
  Next?: string;
  ItemProcessor?: Machine;
  Branches?: Machine[];
}

interface Machine {
  States: Record<string, State>;
}

/** The states of a machine and of all machines within it, changed in place. */
function changeStates(text: string, change: (state: State) => void) {
  const machine = JSON.parse(text);
  const visit = ({ States: states }: Machine) => {
    for (const state of Object.values(states)) {
      change(state);
      if (state.ItemProcessor) visit(state.ItemProcessor);
      for (const branch of state.Branches ?? []) visit(branch);
    }
  };
  visit(machine);
  return JSON.stringify(machine);
}

/** How the document of a language is spoilt, by the name of the column. */
const SPOIL: Record<string, Record<string, (text: string) => string>> = {
  asl: {
    'reversed compensation': (text: string) => {
      return text.replaceAll('$b.settled >= $a.settled', '$b.settled < $a.settled');
    },
    'dropped retry': (text: string) => {
      return changeStates(text, (state) => {
        delete state.Retry;
      });
    },
    'swallowed error': (text: string) => {
      return changeStates(text, ({ Catch: rules = [], Next: next }) => {
        for (const rule of rules) if (rule.ErrorEquals.includes('States.ALL')) rule.Next = next;
      });
    },
  },
  flowable: {
    'reversed compensation': (text: string) => text.replaceAll('$left[-1]', '$left[0]'),
    'dropped retry': (text: string) => text.replaceAll(/\$attempt &lt; \d+/g, '$attempt &lt; 1'),
    'swallowed error': (text: string) =>
      text.replaceAll('$exists($answer.error) and $not', 'false and $not'),
  },
  embedded: { 'dropped retry': dropRetries },
  temporal: { 'dropped retry': dropRetries },
};

/** A workflow of our own, which is run as it is, without its retries. */
function dropRetries(text: string) {
  const workflow: { policies: Record<string, { retry?: unknown }> } = JSON.parse(text);
  for (const policy of Object.values(workflow.policies)) delete policy.retry;
  return JSON.stringify(workflow);
}

/** What our own runtime is given in place of its registry, whatever hosts it. */
const OURS = ['embedded', 'temporal'];
const SABOTAGE: Record<string, Sabotage> = {
  'reversed compensation': 'reversed-compensation',
  'swallowed error': 'swallowed-error',
};

/** The controls of an engine. */
export async function controlsOf(
  column: Column,
  module: EngineModule,
  engine: Engine,
  stub: Stub,
): Promise<Control[]> {
  return Promise.all(
    CONTROLS.map(async ({ name, title, mustFind }): Promise<Control> => {
      const one = titled(title);
      const { text } = await column.write(one.workflow);
      const sabotage = OURS.includes(column.name) ? SABOTAGE[name] : undefined;
      if (sabotage !== undefined) {
        return {
          name,
          one,
          text,
          mustFind,
          host: await module.start({ stub: stub.url, sabotage }),
        };
      }
      const spoilt = SPOIL[column.name]?.[name]?.(text);
      return { name, one, mustFind, host: engine, text: spoilt === text ? undefined : spoilt };
    }),
  );
}
