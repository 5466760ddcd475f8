import { Command, Option } from 'commander';
import { outputFile } from '../common/files.js';
import { gather, givenTime, isGiven, withOutput } from '../common/options.js';
import type { Session } from '../common/session.js';
import { objectiveOption, policyOption, withSeed } from '../common/setting-options.js';
import { type GivenRepairOptions, repairAfterEvents } from './events.js';
import { repairWrongPlan } from './plan.js';

/** Options that need events. */
const eventOptions = {
  now: '--now',
  method: '--method',
  outInstance: '--out-instance',
  explain: '--explain',
} as const;

/** `alas-jssp repair`: makes a feasible schedule from an untrusted or disrupted plan. */
export function repairCommand(session: Session): Command {
  return withSeed(withOutput(session, new Command('repair')))
    .argument('<instance>', 'a benchmark instance or a file')
    .argument('<plan>', 'a plan in JSON or CSV, even an invalid one; - for stdin')
    .option(
      '--event <event>',
      'event that has happened, such as breakdown:machine=0,from=9,to=20; may be repeated',
      gather,
    )
    .addOption(
      new Option('--events <file>', 'JSON file of events that have happened').conflicts('event'),
    )
    .option(
      '--now <time>',
      'time of the repair (default: when the last event becomes known)',
      givenTime,
    )
    .option(
      '--method <name>',
      'repair method: none, right-shift, affected, postpone, dispatch, dispatch:RULE, recompute or lcrp',
      'lcrp',
    )
    .addOption(policyOption(' (default: default after events, else a cheaper one)'))
    .addOption(objectiveOption())
    .option(
      '--out <file>',
      'file for the repaired plan: CSV if it ends in .csv, else JSON',
      outputFile,
    )
    .option('--out-instance <file>', 'JSON file for the instance after the events', outputFile)
    .option('--explain', 'print the cause of every edit, and the cost of the limits', false)
    .addHelpText('after', explanation)
    .action(async (spec: string, file: string, options: GivenRepairOptions, command: Command) => {
      if (options.event !== undefined || options.events !== undefined) {
        session.exitCode = await repairAfterEvents(session, spec, file, options);
        return;
      }
      for (const [name, flag] of Object.entries(eventOptions)) {
        if (isGiven(command, name)) command.error(`${flag} goes with --event or --events only`);
      }
      session.exitCode = await repairWrongPlan(session, spec, file, options);
    });
}

const explanation = `
Without events, a feasible plan is unchanged. Any other is made feasible and
then reordered around its violations, within the limits of the policy. Exit code
1 if no schedule keeps the deadlines and the fixed starts of the instance.

With events, the plan is in execution: operations that start before now are
kept, and the method repairs the rest. docs/reference/disruption.md lists the
kinds of events. Events use the names of the shop, and dates if it has a clock:
"breakdown:machine=Lathe 2,from=2026-11-23T14:10". --out writes a plan for the
instance of --out-instance; use both for the next repair. Exit code 1 if the
result cannot be executed or misses a deadline.

Examples:
  $ alas-jssp repair ft06 answer.json --out repaired.json
  $ alas-jssp repair my-shop.json answer.csv --json
  $ alas-jssp repair ft06 plan.json --event breakdown:machine=3,from=12,to=20 \\
      --out plan-2.json --out-instance ft06-2.json
  $ alas-jssp repair ft06-2.json plan-2.json --events today.json --now 30`;
