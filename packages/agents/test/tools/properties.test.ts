import type { Json } from '@alas-jssp/workflow';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  capabilityOf,
  createTrialSystem,
  limitTools,
  type Mapping,
  type ToolCatalogue,
  type Toolset,
} from '../../src/index.js';
import { callWith } from './catalogues.js';
import { catalogueArbitrary, inputArbitrary } from './random-catalogues.js';

const runs = { numRuns: 60 };

/** A call of a random tool of a catalogue. */
interface RandomCall {
  readonly tool: ToolCatalogue['tools'][number];
  readonly input: Record<string, Json>;
  readonly key: string;
}

const keys = fc.constantFrom('k1', 'k2', 'k3', 'k4');

function callArbitrary({ tools }: ToolCatalogue): fc.Arbitrary<RandomCall> {
  return fc
    .constantFrom(...tools)
    .chain((tool) =>
      fc.record({ tool: fc.constant(tool), input: inputArbitrary(tool), key: keys }),
    );
}

const withCalls = (most: number) =>
  catalogueArbitrary.chain((catalogue) =>
    fc.record({
      catalogue: fc.constant(catalogue),
      seed: fc.integer(),
      calls: fc.array(callArbitrary(catalogue), { maxLength: most }),
    }),
  );

/** The answer of a call, or the code of its error. */
function answerOf(tools: Toolset, { tool, input, key }: RandomCall): Promise<Json> {
  return tools.call(tool.name, input, callWith(key)).catch((error) => `error ${error.code}`);
}

const isError = (answer: Json) => typeof answer === 'string';

/** The input of an undo. */
function inverseInput(
  mapping: Mapping,
  values: { input: Record<string, Json>; output: Record<string, Json>; key: string },
): Record<string, Json> {
  return Object.fromEntries(
    Object.entries(mapping).map(([name, source]) => {
      if (typeof source !== 'string') return [name, source.value as Json];
      const [from, ...path] = source.split('.');
      const found = from === 'key' ? values.key : values[from as 'input'][path.join('.')];
      return [name, found];
    }),
  );
}

describe('a trial system of a random catalogue', () => {
  it('is restored by the declared undo of a call', async () => {
    let undone = 0;
    await fc.assert(
      fc.asyncProperty(withCalls(6), async ({ catalogue, seed, calls }) => {
        const trial = createTrialSystem(catalogue, { seed });
        for (const [index, call] of calls.entries()) {
          const before = trial.snapshot();
          const { tool, input } = call;
          const output = await answerOf(trial, { ...call, key: `forward ${index}` });
          if (isError(output) || tool.inverse === undefined) continue;
          const values = { input, output: output as Record<string, Json>, key: call.key };
          const undo = inverseInput(tool.inverse.input, values);
          await trial.call(tool.inverse.tool, undo, callWith(`undo ${index}`));
          expect(trial.snapshot()).toBe(before);
          undone++;
        }
      }),
      runs,
    );
    expect(undone).toBeGreaterThan(30);
  });

  it('shows one effect for each key of an idempotent tool, and equal answers', async () => {
    let repeated = 0;
    await fc.assert(
      fc.asyncProperty(withCalls(12), async ({ catalogue, seed, calls }) => {
        const trial = createTrialSystem(catalogue, { seed });
        const first = new Map<string, { input: string; answer: Json }>();
        for (const call of [...calls, ...calls]) {
          const before = trial.effects().length;
          const answer = await answerOf(trial, call);
          const place = JSON.stringify([call.tool.name, call.key]);
          const input = JSON.stringify(call.input);
          const known = first.get(place);
          if (!call.tool.idempotent || isError(answer)) {
            if (known !== undefined && call.tool.idempotent) expect(known.input).not.toBe(input);
            continue;
          }
          if (known === undefined) {
            first.set(place, { input, answer });
            continue;
          }
          expect({ input, answer }).toEqual(known);
          expect(trial.effects().length).toBe(before);
          repeated++;
        }
        for (const { tool, idempotencyKey, id } of trial.effects()) {
          if (!catalogue.tools.some(({ name, idempotent }) => name === tool && idempotent))
            continue;
          const same = trial
            .effects()
            .filter((one) => one.tool === tool && one.idempotencyKey === idempotencyKey);
          expect(same.map((one) => one.id)).toEqual([id]);
        }
      }),
      runs,
    );
    expect(repeated).toBeGreaterThan(20);
  });

  it('is as before after a call that fails, and lists every change', async () => {
    await fc.assert(
      fc.asyncProperty(withCalls(10), async ({ catalogue, seed, calls }) => {
        const trial = createTrialSystem(catalogue, { seed });
        for (const call of calls) {
          const [before, effects] = [trial.snapshot(), trial.effects().length];
          const answer = await answerOf(trial, call);
          if (isError(answer)) expect(trial.snapshot()).toBe(before);
          const changed = trial.snapshot() !== before;
          expect(trial.effects().length).toBe(effects + (changed ? 1 : 0));
        }
      }),
      runs,
    );
  });

  it('answers equal calls alike in equal systems', async () => {
    await fc.assert(
      fc.asyncProperty(withCalls(8), async ({ catalogue, seed, calls }) => {
        const [one, two] = [0, 0].map(() => createTrialSystem(catalogue, { seed }));
        for (const call of calls) {
          expect(await answerOf(two, call)).toEqual(await answerOf(one, call));
        }
        expect(two.snapshot()).toBe(one.snapshot());
        expect(two.effects()).toEqual(one.effects());
      }),
      runs,
    );
  });
});

it('limited tools call no tool whose capability is missing', async () => {
  const limits = withCalls(6).chain((given) =>
    fc.record({
      given: fc.constant(given),
      capabilities: fc.subarray(given.catalogue.tools.map(capabilityOf)),
    }),
  );
  await fc.assert(
    fc.asyncProperty(limits, async ({ given: { catalogue, calls }, capabilities }) => {
      const called: string[] = [];
      const base: Toolset = {
        tools: catalogue.tools,
        call: async (name) => {
          called.push(name);
          return {};
        },
        close: async () => {},
      };
      const limited = limitTools(base, capabilities);
      for (const call of calls) {
        const permitted = capabilities.includes(capabilityOf(call.tool));
        expect(await answerOf(limited, call)).toEqual(permitted ? {} : 'error NotPermitted');
      }
      const permitted = calls.filter(({ tool }) => capabilities.includes(capabilityOf(tool)));
      expect(called).toEqual(permitted.map(({ tool }) => tool.name));
    }),
    runs,
  );
});
