import { InputError } from 'alas-jssp';
import { type Command, InvalidArgumentError, Option, wholeNumber } from 'alas-jssp/command-line';
import {
  ARMS,
  EXPERIMENTS_OF,
  type ExperimentChoice,
  FILLERS,
  MEMORY,
  type TrialSettings,
} from '../experiments/experiments.js';

/** The options of experiments. */
export interface ExperimentOptions {
  experiment?: ExperimentChoice;
  arms?: readonly string[];
  filler?: readonly number[];
  memory?: number;
}

/** Adds the options of experiments to a command. */
export function withExperimentOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--experiment <name>', 'experiment with models').choices(
        Object.keys(EXPERIMENTS_OF),
      ),
    )
    .option('--arms <names>', 'arms of the experiment, by commas (default: all)', (text) =>
      text.split(',').map((name) => name.trim()),
    )
    .option(
      '--filler <tokens>',
      `lengths of conversations, by commas (default: ${FILLERS.join(',')})`,
      lengths,
    )
    .option(
      '--memory <tokens>',
      `memory of the arms recency and slices (default: ${MEMORY})`,
      wholeNumber('a count', 1),
    );
}

/** The help on experiments. */
export const experimentHelp = `
Experiments ask a model under several arms, with the same problems, replicates
and texts in each:
  lost-constraints constraints are stated early in a growing conversation, and a
                   plan is asked for after --filler tokens of other text. The
                   model sees everything, only what fits into --memory (recency:
                   the latest, slices: what is relevant), or as controls the
                   constraints again (restated) or none (unstated)
  narrowing        constraints are stated once, repeated right before the
                   question, far before it, or in the middle of other text
  self-validation  the model judges its own plan (in a new conversation, or in
                   its own), a valid one, one that drives too fast, and one that
                   leaves a drive out, in full and by narrow validators
  amnesia          the model plans again after a change: with the conversation,
                   also with the log, with the latest text, with the slices of
                   the log
  capabilities     those that table 10 of SagaLLM needs
Controls answer by a script without a model: control:perfect forgets nothing,
control:forgets-N all but the last N tokens.`;

/**
 * The conditions of an experiment.
 *
 * @throws InputError `bad_option` for settings without an experiment, and unknown arms
 */
export function trialSettings(options: ExperimentOptions): TrialSettings | undefined {
  const { experiment, arms, filler: fillers, memory } = options;
  if (experiment === undefined) {
    if (arms === undefined && fillers === undefined && memory === undefined) return undefined;
    const problem = '--arms, --filler and --memory are settings of an experiment';
    throw new InputError('bad_option', problem, 'give --experiment, or leave them out');
  }
  const known = [...new Set(EXPERIMENTS_OF[experiment].flatMap((name) => ARMS[name]))];
  const unknown = arms?.find((arm) => !known.includes(arm));
  if (unknown === undefined) return { arms, fillers, memory };
  throw new InputError(
    'bad_option',
    `${experiment} has no arm '${unknown}'`,
    `give --arms with some of ${known.join(', ')}`,
    {},
    unknown,
  );
}

function lengths(text: string): number[] {
  const count = wholeNumber('a count of tokens', 1);
  const found = text.split(',').map((part) => count(part.trim()));
  if (new Set(found).size === found.length) return found;
  throw new InvalidArgumentError('The same length is given twice: leave one out.');
}
