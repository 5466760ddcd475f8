import { existsSync } from 'node:fs';
import { env } from 'node:process';
import { systemClock } from '@alas-jssp/core/clock';
import { InputError } from '@alas-jssp/core/errors';
import { suggestNames } from '@alas-jssp/core/nearest-names';
import { shippedCompensations } from './compensations/shipped.js';
import { openGuardLog } from './guard-log.js';
import { shippedRules } from './policies/shipped.js';
import type { GuardPolicy } from './policy.js';
import { isOpenSession, recoverSessions } from './recover.js';
import type { GuardReport } from './report.js';
import { openMcpServer } from './servers/mcp-server.js';
import type { GuardServer } from './servers/server.js';
import { serverSpecs } from './servers/specs.js';

/** The sessions that a recovery has taken back, and those that it has left alone. */
export interface LogRecovery {
  readonly reports: readonly GuardReport[];
  /** The ids of open sessions whose guard may still live. */
  readonly living: readonly string[];
}

/**
 * Takes back the sessions of a log whose guard has ended, and tries again what could not be taken
 * back before.
 *
 * @throws InputError `no_file`, `no_run`
 */
export async function recoverLog(file: string, sessions: readonly string[]): Promise<LogRecovery> {
  if (!existsSync(file)) {
    const hint = 'name the log of alas-jssp guard';
    throw new InputError('no_file', 'the file does not exist', hint, { file });
  }
  const { store, blobs, closeLog } = openGuardLog(file);
  try {
    const known = store.runs();
    for (const session of sessions) {
      if (known.includes(session)) continue;
      const problem = `the log has no session ${session}`;
      throw new InputError('no_run', problem, suggestNames(session, [...known]), { file });
    }
    const reports = await recoverSessions({
      store,
      blobs,
      catalogue: { compensations: shippedCompensations, rules: shippedRules },
      environment: env,
      clock: systemClock,
      again: true,
      ...(sessions.length > 0 && { sessions }),
    });
    const wanted = sessions.length > 0 ? sessions : store.runs();
    const done = new Set(reports.map(({ session }) => session));
    return { reports, living: wanted.filter((id) => !done.has(id) && isOpenSession(store, id)) };
  } finally {
    closeLog();
  }
}

/** Starts the servers of a policy to see their tools, and ends them. */
export async function listServers(policy: GuardPolicy): Promise<readonly GuardServer[]> {
  const servers: GuardServer[] = [];
  for (const spec of serverSpecs(policy)) {
    const server = await openMcpServer(spec, { environment: env });
    servers.push(server);
    await server.close();
  }
  return servers;
}
