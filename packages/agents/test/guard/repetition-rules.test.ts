import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createRepetitions } from '../../src/guard/repetition.js';

interface Asked {
  readonly input: number;
  readonly key: string | undefined;
  readonly id: string;
  readonly delivered: boolean;
  readonly open: boolean;
}

interface Made extends Asked {
  readonly call: number;
}

/** The rules of docs/how-to/guard.md, over the list of all calls. */
function expected(
  made: readonly Made[],
  { input, key, id }: Asked,
): number | 'refused' | undefined {
  const keyed = key === undefined ? undefined : made.findLast((one) => one.key === key);
  if (keyed !== undefined) return keyed.input === input ? keyed.call : 'refused';
  const same = made.filter((one) => one.input === input);
  const sent = made.findLast((one) => one.id === id);
  if (sent?.input === input && sent.key === key) return sent.call;
  const unsettled = same.filter(({ delivered, open }) => !delivered || open);
  return unsettled.findLast((one) => key === undefined || one.key === undefined)?.call;
}

it('are those of the document, for any sequence of requests', () => {
  const request = fc.record({
    input: fc.nat(2),
    key: fc.option(fc.constantFrom('a', 'b'), { nil: undefined }),
    id: fc.constantFrom('1', '2', '3'),
    delivered: fc.boolean(),
    open: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(request, { maxLength: 12 }), (requests) => {
      const repetitions = createRepetitions();
      const made: Made[] = [];
      const isOpen = (call: number) => made[call - 1]?.open === true;
      for (const asked of requests) {
        const { input, key: requestKey, id: requestId } = asked;
        const want = expected(made, asked);
        const find = () => repetitions.find('add', { input }, { requestKey, requestId }, isOpen);
        if (want === 'refused') expect(find).toThrow('belongs to call');
        else expect(find()).toBe(want);
        if (want !== undefined) continue;
        const call = made.length + 1;
        repetitions.add(call, 'add', { input }, { requestKey, requestId });
        made.push({ ...asked, call });
        if (asked.delivered) repetitions.deliver(call);
      }
    }),
  );
});
