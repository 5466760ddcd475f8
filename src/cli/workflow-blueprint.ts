import { Command, Option } from 'commander';
import { blueprint } from '../pipeline/blueprint.js';
import {
  parseVariant,
  REPAIRERS,
  type Repairer,
  type Variant,
} from '../pipeline/blueprint-spec.js';
import { describeWorkflow, writeWorkflow } from '../workflow/index.js';
import { collect, wholeNumber } from './options.js';
import { print } from './output.js';

interface Options {
  variant: Variant;
  rounds: number;
  repairer: Repairer;
  disruptions?: string[];
  text: boolean;
}

/** `alas-jssp workflow blueprint`: the workflow by which job shops are planned. */
export function workflowBlueprintCommand(): Command {
  return new Command('blueprint')
    .description('print the workflow by which `alas-jssp run` plans, as JSON')
    .option(
      '--variant <variant>',
      'full, no-repair, no-validation or no-optimization',
      parseVariant,
      'full' as const,
    )
    .option('--rounds <count>', 'repair a plan so many times at most', wholeNumber('rounds', 0), 1)
    .addOption(
      new Option('--repairer <who>', 'who repairs: lcrp, or the model that planned')
        .choices(REPAIRERS)
        .default('lcrp'),
    )
    .option('--disruptions <kinds>', 'what repairs must cover: breakdown, delay, …', collect)
    .option('--text', 'as text: nodes, policies, guards', false)
    .action(async ({ text, ...spec }: Options) => {
      const workflow = blueprint(spec);
      await print(text ? describeWorkflow(workflow) : writeWorkflow(workflow));
    });
}
