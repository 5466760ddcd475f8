// Negative controls: each does something wrong on purpose that the matrix must find.
import { cases } from './cases/index.mjs';

const titled = (title) => {
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

/** The states of a machine and of all machines within it, changed in place. */
function changeStates(text, change) {
  const machine = JSON.parse(text);
  const visit = ({ States: states }) => {
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
const SPOIL = {
  asl: {
    'reversed compensation': (text) => {
      return text.replaceAll('$b.settled >= $a.settled', '$b.settled < $a.settled');
    },
    'dropped retry': (text) => {
      return changeStates(text, (state) => {
        delete state.Retry;
      });
    },
    'swallowed error': (text) => {
      return changeStates(text, ({ Catch: rules = [], Next: next }) => {
        for (const rule of rules) if (rule.ErrorEquals.includes('States.ALL')) rule.Next = next;
      });
    },
  },
  flowable: {
    'reversed compensation': (text) => text.replaceAll('$left[-1]', '$left[0]'),
    'dropped retry': (text) => text.replaceAll(/\$attempt &lt; \d+/g, '$attempt &lt; 1'),
    'swallowed error': (text) =>
      text.replaceAll('$exists($answer.error) and $not', 'false and $not'),
  },
  embedded: { 'dropped retry': dropRetries },
  temporal: { 'dropped retry': dropRetries },
};

/** A workflow of our own, which is run as it is, without its retries. */
function dropRetries(text) {
  const workflow = JSON.parse(text);
  for (const policy of Object.values(workflow.policies)) delete policy.retry;
  return JSON.stringify(workflow);
}

/** What our own runtime is given in place of its registry, whatever hosts it. */
const OURS = ['embedded', 'temporal'];
const SABOTAGE = {
  'reversed compensation': 'reversed-compensation',
  'swallowed error': 'swallowed-error',
};

/**
 * The controls of an engine: the case, its spoilt document, and the engine that runs it.
 * Of a document that could not be spoilt there is no text.
 */
export async function controlsOf(column, module, engine, stub) {
  return Promise.all(
    CONTROLS.map(async ({ name, title, mustFind }) => {
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
