import { InputError } from '@alas-jssp/core/errors';
import { createMemoryStore, openSqliteStore, type RunResult } from '@alas-jssp/workflow';
import { Command, Option } from 'commander';
import {
  type DisruptionEvent,
  parseEvents,
  readEvents,
  writeEvents,
} from '../../disruption/index.js';
import type { Instance } from '../../jssp/instance.js';
import { isSameInstanceName } from '../../jssp/names.js';
import type { Objective } from '../../jssp/objectives.js';
import { seedOf } from '../../jssp/seeds.js';
import { resolveSource } from '../../jssp/suites.js';
import { defaultPolicy, withObjective } from '../../lcrp/policy/policy.js';
import { resolvePolicy } from '../../lcrp/policy/policy-file.js';
import { createShopMemory } from '../../pipeline/shop/shop-memory.js';
import { executeShop, readyShop } from '../../pipeline/shop/start-shop.js';
import { readStory } from '../../pipeline/shop/story.js';
import { formatStory } from '../../pipeline/shop/story-lines.js';
import { renderJson } from '../../report/table.js';
import { outputFile } from '../common/files.js';
import { withGivenObjective } from '../common/given-objective.js';
import { collect, gather } from '../common/options.js';
import { print, printError, remark } from '../common/output.js';
import { readPlanOf, warnIfOtherInstance } from '../common/plan-files.js';
import { type RedactOptions, redactedLog, withRedact } from '../common/redacted-log.js';
import { exitCode, onInterruption, type Session } from '../common/session.js';
import { objectiveOption, policyOption, withSeed } from '../common/setting-options.js';
import { shellWord } from '../common/shell-word.js';
import { warnAfterShifts } from '../common/shop-times.js';
import { parseEventOptions } from '../repair/event-options.js';
import { scheduleToFollow } from '../repair/events.js';
import { type OutcomeOptions, outcomeOf, withOutcome } from '../workflow/outcome.js';
import { writeVersion } from './shop-versions.js';

interface Options extends OutcomeOptions, RedactOptions {
  event?: string[];
  events?: string;
  log: string;
  run?: string;
  method?: string[];
  policy: string;
  objective?: Objective;
  approve?: string;
  live: boolean;
  out?: string;
  outInstance?: string;
  seed: number;
}

/** `alas-jssp execute`: executes a plan under events in a transaction. */
export function executeCommand(session: Session): Command {
  return withSeed(withOutcome(session, withRedact(new Command('execute'))))
    .argument('<instance>', 'a benchmark instance or a file')
    .argument('<plan>', 'a feasible plan in JSON or CSV; - for stdin')
    .requiredOption('--log <file>', 'SQLite file of the log; an existing log is extended')
    .option('--run <id>', 'id of the run (default: shop and a number)')
    .option(
      '--event <event>',
      'future event, such as breakdown:machine=0,from=9,to=20; may be repeated',
      gather,
    )
    .addOption(new Option('--events <file>', 'JSON file of future events').conflicts('event'))
    .option(
      '--method <names>',
      'repair methods in the order of trial (default: those of the policy)',
      collect,
    )
    .addOption(policyOption().default('default'))
    .addOption(objectiveOption())
    .option('--approve <name>', 'person who approves every version in advance')
    .option('--live', 'wait for more events, as messages, after the given ones', false)
    .option('--out <file>', 'file for the final schedule', outputFile)
    .option('--out-instance <file>', 'JSON file for the final instance', outputFile)
    .addHelpText('after', explanation)
    .action(async (spec: string, file: string, options: Options) => {
      session.exitCode = await execute(session, spec, file, options);
    });
}

const explanation = `
Events happen in simulated time, when they become known. Each is an entry of the
log. The schedule is repaired, judged by the validator, approved if the policy
asks for it (approval), and committed as the next version. A refused repair is
rolled back, and the next method of the policy (methods) is tried. If an
approval is denied, the plan before continues as far as it can. log resume
continues an interrupted run.

Other processes may send events to a waiting shop (log signal FILE RUN command),
and approve or deny its proposals (log approve, log deny); see
docs/how-to/shop.md.

Exit code 0 if all events have happened; 1 if no repair was accepted (the last
version is kept), or if the shop waits for an approval or for events.

Examples:
  $ alas-jssp execute ft06 plan.json --events today.json --log shop.db
  $ alas-jssp execute ft06 plan.json --event breakdown:machine=3,from=12,to=20 \\
      --log shop.db --method lcrp,right-shift --approve kim --out now.json
  $ alas-jssp log show shop.db && alas-jssp log replay shop.db`;

async function execute(
  session: Session,
  spec: string,
  file: string,
  options: Options,
): Promise<number> {
  const source = resolveSource(spec);
  const instance = source.load();
  const { method: methods, approve: approvedBy, live, run: runId } = options;
  const named = resolvePolicy(options.policy, instance);
  const policy = withGivenObjective(named, options.objective);
  const events = eventsOf(session, options, instance, source.name);
  if (events.length === 0 && !live) {
    throw new InputError('no_events', 'there are no events', 'give --event, --events or --live');
  }
  const planFile = await readPlanOf(session, file, instance);
  for (const line of warnIfOtherInstance(planFile, source.name)) remark(session, line);
  const seed = seedOf(options.seed, source, 0, 'repair');
  const shop = {
    schedule: (await scheduleToFollow(session, instance, planFile.plan, seed)).schedule,
    policy: methods === undefined ? policy : { ...policy, methods },
    seed,
    events,
    approvedBy,
    live,
  };
  // A refused command leaves no file.
  readyShop(createMemoryStore(), shop);
  const store = openSqliteStore(options.log);
  warnAfterShifts(session, shop.schedule);
  const log = redactedLog(store, options);
  const interrupted = new AbortController();
  const stop = () => interrupted.abort(new Error('interrupted'));
  const stopListening = onInterruption(session, stop, 'the last version is kept');
  try {
    const { signal } = interrupted;
    const result = await executeShop(shop, { store: log, runId, signal });
    await report(session, log, result, options);
    if (signal.aborted) return exitCode.interrupted;
    return result.status === 'COMPLETED' ? exitCode.done : exitCode.no;
  } finally {
    stopListening();
    log.close();
  }
}

async function report(
  session: Session,
  log: ReturnType<typeof openSqliteStore>,
  result: RunResult,
  options: Options,
): Promise<void> {
  const { runId, status, error } = result;
  const story = readStory(log, runId);
  const version = story.version;
  const { instance } = createShopMemory(log).versionOf(runId, version).schedule;
  const { objective } = withObjective(instance, story.input?.policy ?? defaultPolicy);
  if (options.out !== undefined || options.outInstance !== undefined) {
    writeVersion(createShopMemory(log), runId, version, options);
  }
  if (options.format === 'json') {
    await print(session, renderJson({ ...outcomeOf(log, result), version, objective }));
  } else {
    await print(session, formatStory(story).join('\n'));
    remark(
      session,
      `${runId}: ${status}, objective ${objective}, version ${version}, ${result.versions} entries`,
    );
  }
  if (status === 'FAILED' && error !== undefined) printError(session, error.message);
  if (status !== 'WAITING') return;
  const { waitsFor } = story;
  const help =
    waitsFor?.kind === 'approval'
      ? `log approve ${options.log} ${runId} ${shellWord(waitsFor.name)} --by WHO`
      : `log signal ${options.log} ${runId} command --data '{"events":[…],"now":…}'`;
  remark(session, `it waits; run alas-jssp ${help}, then alas-jssp log resume ${options.log}`);
}

function eventsOf(
  session: Session,
  { event: texts = [], events: file }: Options,
  instance: Instance,
  name: string,
): DisruptionEvent[] {
  if (file === undefined) {
    const events = parseEventOptions(texts, undefined, instance);
    // As for a file, names are looked up before anything is written.
    parseEvents(Buffer.from(writeEvents(events, { shop: instance })), undefined, { instance });
    return events;
  }
  const { events, instance: claimed } = readEvents(file, { instance });
  if (claimed !== undefined && !isSameInstanceName(claimed, name)) {
    remark(session, `warning: the events name the instance ${claimed}, not ${name}`);
  }
  return events;
}
