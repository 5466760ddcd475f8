import { InputError } from '@alas-jssp/core/errors';
import type { Caller } from '../api/common.js';
import type { KeyedCaller, ShopDirectory } from './shop-directory.js';

/**
 * The shops of a directory that a caller may access. A shop outside the patterns of the caller's token does
 * not exist for that caller. Idempotency keys belong to the caller: two callers may use the same one.
 */
export function shopsOfCaller(shops: ShopDirectory, caller: Caller): ShopDirectory {
  const directory = shops.as(caller.name);
  const { shops: patterns } = caller;
  const isVisible = patternMatcher(patterns);
  const visible = (id: string): string => {
    if (isVisible(id)) return id;
    throw noShop(id);
  };
  const own = ({ caller: who, key }: KeyedCaller): KeyedCaller => {
    return { caller: who, key: key === undefined ? undefined : `${who.name}/${key}` };
  };
  return {
    ...directory,
    in: (language) => shopsOfCaller(directory.in(language), caller),
    async create(request, by) {
      if (request.id === undefined && patterns !== undefined) {
        const problem = 'the shop has no id, and this token is for some shops only';
        throw new InputError('bad_request', problem, `give an id like ${patterns.join(' or ')}`, {
          path: '$.id',
        });
      }
      if (request.id !== undefined && !isVisible(request.id)) {
        const problem = `this token is not for a shop ${JSON.stringify(request.id)}`;
        throw new InputError('bad_request', problem, `give an id like ${patterns?.join(' or ')}`, {
          path: '$.id',
        });
      }
      return directory.create(request, own(by));
    },
    list: async () => (await directory.list()).filter(({ id }) => isVisible(id)),
    state: async (id, options) => directory.state(visible(id), options),
    view: async (id, version) => directory.view(visible(id), version),
    moves: async (id, version, from) => directory.moves(visible(id), version, from),
    schedule: async (id, version) => directory.schedule(visible(id), version),
    plan: async (id, when) => directory.plan(visible(id), when),
    report: async (id, request, by) => directory.report(visible(id), request, own(by)),
    reportJson: async (id, request, by) => directory.reportJson(visible(id), request, own(by)),
    tryOut: async (id, request, by, policies) => {
      return directory.tryOut(visible(id), request, by, policies);
    },
    release: async (id) => directory.release(visible(id)),
    wish: async (id, request, by) => directory.wish(visible(id), request, own(by)),
    undo: async (id, request, by) => directory.undo(visible(id), request, own(by)),
    withdraw: async (id, request, by) => directory.withdraw(visible(id), request, own(by)),
    approve: async (id, name, by) => directory.approve(visible(id), name, own(by)),
    decline: async (id, name, reason, by) => {
      return directory.decline(visible(id), name, reason, own(by));
    },
    close: async (id, by) => directory.close(visible(id), own(by)),
    changes: (id, after, signal) => directory.changes(visible(id), after, signal),
    lastChanges: async (id, instants) => directory.lastChanges(visible(id), instants),
    story: async (id, most) => directory.story(visible(id), most),
  };
}

/** The refusal of a shop that does not exist, or that the caller may not access. */
export function noShop(id: string): InputError {
  const problem = `there is no shop ${JSON.stringify(id)}`;
  return new InputError('no_shop', problem, 'see GET /shops', {}, id, { id });
}

/** Whether an id matches one of the patterns, in which `*` is any text; every id without patterns. */
function patternMatcher(patterns: readonly string[] | undefined): (id: string) => boolean {
  if (patterns === undefined) return () => true;
  const expressions = patterns.map((pattern) => {
    const parts = pattern.split(/\*+/).map((part) => part.replace(/[^\w]/g, '\\$&'));
    return new RegExp(`^${parts.join('.*')}$`, 's');
  });
  return (id) => expressions.some((expression) => expression.test(id));
}
