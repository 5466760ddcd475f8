import { Command } from 'commander';
import { VARIANT_BUDGET } from '../../harness/run/spec.js';
import type { Session } from '../common/session.js';
import { type RunCommandOptions, withRunOptions } from './run-options.js';

/** `alas-jssp run`: runs planners on suites and compares the judged plans with the best known bounds. */
export function runCommand(session: Session): Command {
  return withRunOptions(session, new Command('run'))
    .addHelpText('after', `\n${help}`)
    .action(async (options: RunCommandOptions, acting: Command) => {
      // The harness is loaded only if used, to keep the help fast.
      const { performRun } = await import('./perform-run.js');
      session.exitCode = await performRun(session, options, acting);
    });
}

const help = `--disrupt executes schedules in simulated time. Events become known when they
happen. They are those of a severity, of injectors
(breakdowns:mtbf=0.5,mttr=0.05+delays), of a JSON file or, with --disrupt
instance, of the instance files, such as those of REALM-Bench. --repair names
the repair methods, each with its own records: none (the default), right-shift,
affected, postpone, dispatch, dispatch:RULE, recompute, lcrp (also for --repair
without a name).

Planners that ask a model (openai:MODEL, anthropic:MODEL, or any server with
openai-compatible:MODEL@URL) take keys from the environment or a .env file.
Answers are kept in OUT/answers or the directory of --record. replay:DIR replays
them, and --resume requests only missing ones. With --repair llm, the model gets
a report of violations and --rounds attempts; plans that remain infeasible are
repaired by lcrp. If a budget is spent, the run ends and keeps its records.
--estimate prints the cost in advance, --show-prompt the first prompts.

--variant runs variants of the pipeline, each with its own records. The full
pipeline repairs every infeasible plan and then searches with --optimize or
${VARIANT_BUDGET}. The others omit or replace one part: no-repair,
no-optimization, no-validation (plans are not checked), blind-repair (every plan
is repaired, without a list of violations), self-validation (the model judges
its own plan; other planners are skipped). The final verdict is always the
validator's.

--on runs the tasks on the workers of a Temporal server, on any number of
machines (docs/how-to/temporal.md). It needs the package @alas-jssp/temporal.
--resume uses the same address, or threads of this process with --on here. The
records are the same.

Exit codes: with --fail-on 1 if a limit is crossed, else 0; without it 0 if
every record is feasible, else 1. 1 if the budget for models is spent, 2 for
wrong usage, 130 if interrupted.

Examples:
  $ alas-jssp run --suite dmu
  $ alas-jssp run --suite ft,la --planner dispatch:best --planner insertion
  $ alas-jssp run --suite 'shops/*.json' --planner module:./my-planner.js \\
      --time-limit 60 --save-schedules
  $ alas-jssp run --suite abz --planner search:10s --time-limit 10 \\
      --planner 'mine=exec:python3 mine.py {instance} {seconds} {seed}'
  $ alas-jssp run --suite la --optimize 200k-iterations
  $ alas-jssp run --suite ft --planner 'file:answers/{instance}.json' --repair
  $ alas-jssp run --suite la --optimize 20k-iterations --replicates 3 \\
      --disrupt medium --repair right-shift,lcrp
  $ alas-jssp run --suite 'J4/*.json' --disrupt instance --repair lcrp
  $ alas-jssp run --suite abz --variant full,no-repair --log abz.db
  $ alas-jssp run --suite la --planner openai:gpt-4.1#format=sequences \\
      --repair llm --rounds 3 --budget-usd 2
  $ alas-jssp run --suite la --planner openai:gpt-4.1 --repair llm --estimate
  $ alas-jssp run --suite all --on 'temporal://10.0.0.5:7233/default?queue=jssp'
  $ alas-jssp run --resume results/dmu-2026-11-21T10-00-00
  $ alas-jssp run --suite abz --baseline results/reference/abz \\
      --fail-on 'success<100,gap>+0.2'`;
