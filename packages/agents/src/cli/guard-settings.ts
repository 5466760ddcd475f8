import { InputError } from '@alas-jssp/core/errors';
import { GUARD_SCHEMA, type GuardPolicy, readGuardPolicy, toGuardPolicy } from '../guard/policy.js';
import { splitServerCommand } from '../tools/mcp/server-command.js';

/** The options of the command line that a policy results from. */
export interface GuardSettings {
  readonly policy?: string;
  readonly server: readonly string[];
  readonly http: readonly string[];
  readonly approver: readonly string[];
  readonly onClose?: string;
}

/** The name of a server whose command or address is given without one. */
const FIRST_NAME = 'server';

/**
 * The policy of a command line: that of the file, with the servers and people of the options. The
 * only server of a policy gets the command that the line names.
 *
 * @throws InputError `bad_option`, `bad_policy`, and as `readGuardPolicy` does
 */
export function guardSettings(settings: GuardSettings, command: readonly string[]): GuardPolicy {
  const { policy: file, server, http, approver, onClose } = settings;
  const policy =
    file === undefined ? toGuardPolicy({ schema: GUARD_SCHEMA }) : readGuardPolicy(file);
  const servers: Record<string, object> = { ...policy.servers };
  const add = (name: string, address: object) => {
    const { command: _, http: __, ...rules } = policy.servers[name] ?? {};
    servers[name] = { ...rules, ...address };
  };
  for (const text of server) {
    const at = text.indexOf('=');
    const name = text.slice(0, Math.max(0, at)).trim();
    const words = text.slice(at + 1).trim();
    if (name === '' || words === '') {
      throw badOptions(`--server ${text} names no server`, 'write --server NAME=COMMAND');
    }
    add(name, /^https?:/.test(words) ? { http: words } : { command: splitServerCommand(words) });
  }
  const [known, ...others] = Object.keys(policy.servers);
  const only = known !== undefined && others.length === 0 ? known : undefined;
  const free = (address: object, number: number) => {
    const name = number === 0 ? (only ?? FIRST_NAME) : `${FIRST_NAME}${number + 1}`;
    add(name, address);
  };
  const unnamed = [
    ...(command.length > 0 ? [{ command: [...command] }] : []),
    ...http.map((url) => ({ http: url })),
  ];
  unnamed.forEach(free);
  for (const [name, { command: words, http: url }] of Object.entries(
    servers as GuardPolicy['servers'],
  )) {
    if (words !== undefined || url !== undefined) continue;
    throw badOptions(`the server ${name} has no command`, `give --server ${name}=COMMAND`);
  }
  if (Object.keys(servers).length === 0) {
    throw badOptions('no server is named', 'write guard [options] -- COMMAND, or give --policy');
  }
  return toGuardPolicy({
    ...policy,
    servers,
    approvers: [...policy.approvers, ...approver],
    ...(onClose !== undefined && { onClose: endOf(onClose) }),
  });
}

function endOf(text: string): string {
  if (text === 'abort' || text === 'commit') return text;
  throw badOptions(`--on-close is ${text}`, 'give abort or commit');
}

function badOptions(problem: string, hint: string): InputError {
  return new InputError('bad_option', problem, hint);
}
