import {
  createTrialSystem,
  type Tool,
  type ToolCall,
  type TrialEffect,
  type TrialSystem,
} from '@alas-jssp/agents';
import { AlasError } from '@alas-jssp/core/errors';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { proveUndos, type Template } from '../../src/index.js';
import { correctUndos, type RandomUndo } from './random-undos.js';

type Sequence = Template['undo'][number]['sequence'];

/** A change of a correct undo that makes it wrong. */
interface PlantedFault {
  sequence(correct: Sequence, draft: RandomUndo): Sequence;
  tool?(tool: Tool, draft: RandomUndo): Tool;
  suits(draft: RandomUndo): boolean;
}

const recordOf = ({ catalogue }: RandomUndo) => catalogue.tools[0].records[0].record;

const FAULTS: Readonly<Record<string, PlantedFault>> = {
  'does nothing': { sequence: () => [], suits: () => true },
  'calls a tool that changes nothing': {
    sequence: (correct) => correct,
    tool: (tool) => (tool.name === 'back' ? { ...tool, access: 'read', records: [] } : tool),
    suits: () => true,
  },
  'undoes another record': {
    sequence: ([call]) => [{ ...call, input: { ...call.input, id: { value: 'first-2' } } }],
    suits: ({ kind, catalogue, ...draft }) =>
      kind !== 'delete' && catalogue.trial[recordOf({ kind, catalogue, ...draft })].length > 1,
  },
  'sets what is there already': {
    sequence: ([call]) => [
      {
        ...call,
        input: Object.fromEntries(
          Object.entries(call.input).map(([key]) => [
            key,
            key === 'id' ? 'input.id' : `input.${key}`,
          ]),
        ),
      },
    ],
    suits: ({ kind }) => kind === 'update',
  },
  'sets a constant': {
    sequence: ([call]) => [
      {
        ...call,
        input: Object.fromEntries(
          Object.entries(call.input).map(([key, source]) => [
            key,
            key === 'id' ? source : { value: 'a constant' },
          ]),
        ),
      },
    ],
    suits: ({ kind }) => kind !== 'create',
  },
  'makes another record each time': {
    sequence: (correct) => correct,
    tool: (tool, draft) => {
      const record = recordOf(draft);
      if (tool.name !== 'back') return tool;
      const counter = { does: 'create', record: `${record} note`, id: 'output.note' } as const;
      const output = {
        type: 'object',
        properties: { note: { type: 'string' } },
        required: ['note'],
      };
      return {
        ...tool,
        idempotent: false,
        output,
        records: [...tool.records.map(({ returns: _, ...one }) => one), { ...counter, set: {} }],
      };
    },
    suits: () => true,
  },
};

async function prove({ specification, template, catalogue }: RandomUndo) {
  const openTrial = (seed: number) => createTrialSystem(catalogue, { seed });
  const { proofs, findings } = await proveUndos({ specification, template, catalogue, openTrial });
  return { proof: proofs[0], findings };
}

function plant(draft: RandomUndo, { sequence, tool = (one) => one }: PlantedFault): RandomUndo {
  const [undo] = draft.template.undo;
  return {
    ...draft,
    template: {
      ...draft.template,
      undo: [{ ...undo, sequence: sequence(undo.sequence, draft) }],
    },
    catalogue: { ...draft.catalogue, tools: draft.catalogue.tools.map((one) => tool(one, draft)) },
  };
}

describe('undos of random tools', () => {
  it('are proven if they are correct', async () => {
    await fc.assert(
      fc.asyncProperty(correctUndos, async (draft) => {
        const { proof, findings } = await prove(draft);
        expect(findings).toEqual([]);
        expect(proof.verdict).toBe('proven');
        expect(proof.trials['undo after success']).toBe(2);
      }),
      { numRuns: 12 },
    );
  });

  it.each(Object.entries(FAULTS))('are refuted if one %s', async (_, fault) => {
    await fc.assert(
      fc.asyncProperty(correctUndos.filter(fault.suits), async (draft) => {
        const { proof, findings } = await prove(plant(draft, fault));
        expect(proof.verdict).toBe('escalated');
        expect(findings).toHaveLength(1);
        expect(findings[0].message).toContain(proof.counterexample);
      }),
      { numRuns: 12 },
    );
  });
});

/** What `back` does in a system of rooms; `breaks after a repeat` fails and damages, once `act` was repeated. */
type Back = 'deletes one room' | 'deletes all rooms' | 'breaks after a repeat';

/** A system of rooms, whose owner wrote a trial system. */
function roomSystem(tools: readonly Tool[], seed: number, back: Back): TrialSystem {
  const old = `old-${seed}`;
  const rooms = new Map([[old, 'an old room']]);
  const made = new Map<string, string>();
  const effects: TrialEffect[] = [];
  let isRepeated = false;
  const change = (tool: string, id: string, name: string | null, call: ToolCall) => {
    const { runId, nodeId, idempotencyKey } = call;
    const record = (value: string | undefined) => (value === undefined ? null : { value });
    const before = record(rooms.get(id));
    if (name === null) rooms.delete(id);
    else rooms.set(id, name);
    const after = record(rooms.get(id));
    effects.push({ runId, nodeId, idempotencyKey, tool, record: 'room', id, before, after });
  };
  return {
    tools,
    against: 'trial system',
    snapshot: () => {
      const records = [...rooms].sort().map(([id, name]) => [id, { name }]);
      return JSON.stringify({ room: Object.fromEntries(records) });
    },
    effects: () => effects,
    close: async () => {},
    async call(tool, input, call) {
      if (tool === 'act') {
        const known = made.get(call.idempotencyKey);
        const isIdempotent = tools.some((one) => one.name === tool && one.idempotent);
        if (known !== undefined && isIdempotent) {
          isRepeated = true;
          return { id: known };
        }
        const id = `room-${effects.length + 1}`;
        made.set(call.idempotencyKey, id);
        change(tool, id, String(input.name), call);
        return { id };
      }
      if (back === 'breaks after a repeat' && isRepeated) {
        change(tool, old, null, call);
        throw new AlasError('Busy', 'the rooms are busy', tool);
      }
      const ids = back === 'deletes all rooms' ? [...rooms.keys()] : [String(input.id)];
      for (const id of ids) change(tool, id, null, call);
      return {};
    },
  };
}

describe('undos against a trial system of the owner', () => {
  const [draft] = fc.sample(
    correctUndos.filter(
      ({ kind, specification }) => kind === 'create' && specification.inputs[0].name === 'name',
    ),
    { numRuns: 1, seed: 1 },
  );

  it.each([
    ['deletes one room', 'proven'],
    ['deletes all rooms', 'escalated'],
  ] as const)('that %s are %s', async (back, verdict) => {
    const openTrial = (seed: number) => roomSystem(draft.catalogue.tools, seed, back);
    const { proofs } = await proveUndos({ ...draft, openTrial });
    expect(proofs[0]).toMatchObject({ verdict, against: 'trial system' });
  });

  it('are not proven if they damage another record where the run lists the effect', async () => {
    const tools = draft.catalogue.tools.map((tool) => ({ ...tool, idempotent: true }));
    const catalogue = { ...draft.catalogue, tools };
    const openTrial = (seed: number) => roomSystem(tools, seed, 'breaks after a repeat');
    const { proofs } = await proveUndos({ ...draft, catalogue, openTrial });
    expect(proofs[0].verdict).toBe('escalated');
    expect(proofs[0].counterexample).toMatch(/^answer of the call lost: room old-0 is gone/);
  });

  it('are not proven if the step never acts', async () => {
    const template = {
      ...draft.template,
      roles: draft.template.roles.map((role) => ({ ...role, capabilities: [] })),
    };
    const openTrial = (seed: number) => roomSystem(draft.catalogue.tools, seed, 'deletes one room');
    const { proofs, findings } = await proveUndos({ ...draft, template, openTrial });
    expect(proofs[0].verdict).toBe('escalated');
    expect(findings[0]).toMatchObject({ code: 'undo_untried' });
    expect(findings[0].message).toContain('the step does not act in its run');
  });
});
