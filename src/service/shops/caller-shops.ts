import { InputError } from '../../core/errors.js';
import type { Caller } from '../api/common.js';
import type { ShopDirectory, Teller } from './shop-directory.js';

/**
 * The shops of a directory that a caller may reach. A shop outside of the patterns of the caller's token does
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
  const own = ({ by, key }: Teller): Teller => {
    return { by, key: key === undefined ? undefined : `${by.name}/${key}` };
  };
  return {
    ...directory,
    in: (language) => shopsOfCaller(directory.in(language), caller),
    async create(request, teller) {
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
      return directory.create(request, own(teller));
    },
    list: async () => (await directory.list()).filter(({ id }) => isVisible(id)),
    state: async (id, options) => directory.state(visible(id), options),
    view: async (id, version) => directory.view(visible(id), version),
    moves: async (id, version, from) => directory.moves(visible(id), version, from),
    schedule: async (id, version) => directory.schedule(visible(id), version),
    plan: async (id, when) => directory.plan(visible(id), when),
    report: async (id, request, teller) => directory.report(visible(id), request, own(teller)),
    tryOut: async (id, request, teller, policies) => {
      return directory.tryOut(visible(id), request, teller, policies);
    },
    release: async (id) => directory.release(visible(id)),
    wish: async (id, request, teller) => directory.wish(visible(id), request, own(teller)),
    undo: async (id, request, teller) => directory.undo(visible(id), request, own(teller)),
    withdraw: async (id, request, teller) => directory.withdraw(visible(id), request, own(teller)),
    approve: async (id, name, teller) => directory.approve(visible(id), name, own(teller)),
    decline: async (id, name, reason, teller) => {
      return directory.decline(visible(id), name, reason, own(teller));
    },
    close: async (id, teller) => directory.close(visible(id), own(teller)),
    changes: (id, after, signal) => directory.changes(visible(id), after, signal),
    lastChanges: async (id, instants) => directory.lastChanges(visible(id), instants),
    story: async (id, most) => directory.story(visible(id), most),
  };
}

/** The refusal of a shop that does not exist, or not for the caller. */
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
