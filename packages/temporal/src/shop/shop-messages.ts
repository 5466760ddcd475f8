import type { Json } from '@alas-jssp/workflow';

type Members = Readonly<Record<string, Json | undefined>>;

/**
 * The fault of a message to a shop, in words; undefined for a valid one. The sender of a signal
 * gets no reply: an invalid message is ignored.
 */
export function shopMessageFault(kind: unknown, data: unknown): string | undefined {
  if (!isObject(data)) return 'its data is no object';
  const { name, data: command, by, reason } = data;
  switch (kind) {
    case 'signal':
      return name === 'command'
        ? commandFault(command)
        : `shops take commands, not ${JSON.stringify(name)}`;
    case 'approve':
    case 'deny':
      if (typeof name !== 'string' || !/^version-\d+(\.\d+)?$/.test(name)) {
        return 'it names no proposal, such as version-3';
      }
      if (!isName(by)) return 'it needs who says so: by';
      return kind === 'deny' && typeof reason !== 'string' ? 'it needs a reason' : undefined;
    case 'cancel':
      return isName(by) && typeof reason === 'string' ? undefined : 'it needs by and a reason';
    default:
      return `shops take signal, approve, deny and cancel, not ${JSON.stringify(kind)}`;
  }
}

/** The fault of a command by the schema of the workflow; undefined if it is valid. */
function commandFault(command: Json | undefined): string | undefined {
  if (!isObject(command)) return 'a command is an object';
  const { by, role, key, digest, now, instead, row, ...rest } = command;
  for (const [member, value] of Object.entries({ by, role, key, digest })) {
    if (value !== undefined && !isName(value)) return `${member} is no name`;
  }
  const [member, ...more] = Object.keys(rest);
  if (member === undefined || more.length > 0) {
    return 'a command has one of events, undo, propose, withdraw and close';
  }
  if (instead !== undefined && (member !== 'withdraw' || !isEventList(instead))) {
    return 'instead is a list of events, beside withdraw';
  }
  if (row !== undefined && (member !== 'events' || typeof row !== 'string')) {
    return 'row is a text, beside events';
  }
  const value = rest[member];
  if (member === 'close') {
    return value === true && now === undefined ? undefined : 'close is true, and has no now';
  }
  if (!Number.isInteger(now) || (now as number) < 0) return 'now is no whole number from 0';
  if (member === 'events') {
    return isEventList(value) ? undefined : 'events are a list of objects, one at least';
  }
  if (member === 'undo' || member === 'withdraw') {
    const isVersion = Number.isInteger(value) && (value as number) > 0;
    return isVersion ? undefined : `${member} is a version from 1`;
  }
  if (member === 'propose') return isObject(value) ? undefined : 'propose is an object';
  return `a command has no ${member}`;
}

function isEventList(value: Json | undefined): boolean {
  return Array.isArray(value) && value.length > 0 && value.every(isObject);
}

function isName(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
