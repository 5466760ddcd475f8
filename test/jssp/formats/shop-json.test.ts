import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { instanceChecksum } from '../../../src/jssp/checksum.js';
import { writeInstanceJson } from '../../../src/jssp/formats/instance-json.js';
import { parseInstance } from '../../../src/jssp/formats/read-instance.js';
import { assignModes, type Instance, replaceInstance } from '../../../src/jssp/instance.js';
import { isClassic } from '../../../src/jssp/shop-parts.js';
import { arbitraryNamed } from '../../named-instances.js';
import { anyShop } from '../shops.js';
import { messageOf } from './refusal.js';

const parse = (document: unknown): Instance =>
  parseInstance(typeof document === 'string' ? document : JSON.stringify(document), {
    name: 'shop',
  });

/** A shop with the same parts in the form in which they are read. */
const sameAfterReading = (instance: Instance) => parse(writeInstanceJson(instance));

const workshop = {
  schema: 'alas-jssp/instance@2',
  name: 'shop',
  machines: ['Lathe 1', 'Lathe 2', 'Mill', 'Bench'],
  groups: { Lathes: ['Lathe 1', 'Lathe 2'] },
  families: ['steel', 'brass'],
  resources: [
    { name: 'Ana', calendar: [{ from: 60, to: 90, capacity: 0 }] },
    { name: 'operators', capacity: 2 },
  ],
  setups: [
    { machines: ['Lathes'], times: { steel: { brass: 20 } }, otherwise: 15, first: 10 },
    { machines: ['Mill'], otherwise: 5, anticipatory: false },
  ],
  transport: [{ time: 5 }, { from: 'Lathes', to: 'Mill', time: 2, both_ways: true }],
  jobs: [
    {
      name: 'WO-1',
      operations: [
        {
          name: 'turning',
          machine: 'Lathes',
          duration: 30,
          family: 'steel',
          needs: { operators: 1 },
          setup_needs: { Ana: 1 },
        },
        {
          name: 'milling',
          modes: [
            { machine: 'Bench', duration: 45, needs: { Ana: 1 } },
            { machine: 'Mill', duration: 20 },
          ],
          family: 'steel',
          after: [] as unknown[],
        },
        {
          name: 'assembly',
          machine: 'Bench',
          duration: 10,
          after: ['turning', { step: 'milling', min_lag: 3, max_lag: 60 }],
        },
      ],
    },
    { operations: [{ machine: 1, duration: 25, family: 'brass' }] },
  ],
};

describe('instance@2', () => {
  it('is what is written of a shop that is not classic, and is read back unchanged', () => {
    fc.assert(
      fc.property(arbitraryNamed(anyShop), (instance) => {
        const text = writeInstanceJson(instance);
        const version = isClassic(instance) ? 1 : 2;
        expect(text).toContain(`"schema":"alas-jssp/instance@${version}"`);
        const read = parse(text);
        expect(writeInstanceJson(read)).toBe(text);
        const setups = instance.setups && { ...instance.setups, names: null };
        expect(read).toEqual({ ...instance, setups });
      }),
    );
  });

  it('keeps the modes that are chosen, and the frozen operations', () => {
    fc.assert(
      fc.property(anyShop, fc.infiniteStream(fc.nat(9)), (instance, dice) => {
        const { modes } = instance;
        if (modes === null) return;
        const chosen = modes.chosen.map((_, op) => {
          const count = modes.offset[op + 1] - modes.offset[op];
          return modes.offset[op] + (dice.next().value % count);
        });
        const frozen = chosen.map((_, op) => (op % 3 === 0 ? op : -1));
        const assigned = replaceInstance(assignModes(instance, chosen), { frozen });
        const read = sameAfterReading(assigned);
        expect(read.modes?.chosen).toEqual(chosen);
        expect(read.machine).toEqual(assigned.machine);
        expect(read.frozen).toEqual(assigned.frozen);
        expect(instanceChecksum(read)).toBe(instanceChecksum(assigned));
      }),
    );
  });

  it('has groups, families, operators, transport and graphs by name', () => {
    const { modes, setups, transport, precedence, resources, machine } = parse(workshop);
    expect(modes).toEqual({
      offset: Int32Array.of(0, 2, 4, 5, 6),
      machine: Int32Array.of(0, 1, 3, 2, 3, 1),
      duration: Int32Array.of(30, 30, 45, 20, 10, 25),
      chosen: Int32Array.of(0, 3, 4, 5),
    });
    expect([...machine]).toEqual([0, 2, 3, 1]);
    expect(setups).toEqual({
      families: 2,
      names: ['steel', 'brass'],
      family: Int32Array.of(0, 0, 0, 1),
      matrixOf: Int32Array.of(0, 0, 1, -1),
      time: Int32Array.of(0, 20, 15, 0, 0, 5, 5, 0),
      first: Int32Array.of(10, 10, 0, 0),
      anticipatory: Uint8Array.of(1, 1, 0, 1),
    });
    expect([...(transport?.time ?? [])]).toEqual([0, 5, 2, 5, 5, 0, 2, 5, 2, 2, 0, 5, 5, 5, 5, 0]);
    expect(precedence).toEqual({
      offset: Int32Array.of(0, 0, 0, 2, 2),
      pred: Int32Array.of(0, 1),
      minLag: Int32Array.of(0, 3),
      maxLag: Int32Array.of(-1, 60),
    });
    expect(resources).toMatchObject({
      names: ['Ana', 'operators'],
      capacity: Int32Array.of(1, 2),
      needOffset: Int32Array.of(0, 2, 4, 5, 5, 5, 5),
      needResource: Int32Array.of(1, 0, 1, 0, 0),
      needPhase: Uint8Array.of(0, 1, 0, 1, 0),
    });
    expect(resources?.calendar?.to).toEqual(Int32Array.of(90));
  });

  it('keeps estimated ends, and numbers resources without names from 1', () => {
    const calendar = [
      { from: 3, to: 9, capacity: 1, estimated: true },
      { from: 9, to: 10, capacity: 0 },
    ];
    const operations = [{ machine: 0, duration: 3, needs: { 2: 1 } }];
    const resources = [{}, { capacity: 2, calendar }];
    const document = {
      schema: 'alas-jssp/instance@2',
      machines: 1,
      resources,
      jobs: [{ operations }],
    };
    const instance = parse(document);
    expect(instance.resources).toMatchObject({ names: null, needResource: Int32Array.of(1) });
    expect(instance.resources?.calendar?.estimated).toEqual(Uint8Array.of(1, 0));
    expect(sameAfterReading(instance)).toEqual(instance);
  });

  it('is as before without the new keys', () => {
    const { groups, families, resources, setups, transport, ...plain } = workshop;
    const jobs = [
      {
        operations: [
          { machine: 'Mill', duration: 3 },
          { machine: 0, duration: 4 },
        ],
      },
    ];
    const one = parse({ ...plain, jobs });
    expect(isClassic(one)).toBe(true);
    expect(parse({ ...plain, schema: 'alas-jssp/instance@1', jobs })).toEqual(one);
  });

  const change = (edit: (document: typeof workshop) => unknown) => {
    const copy = structuredClone(workshop);
    edit(copy);
    return messageOf(() => parse(copy));
  };
  const operation = (document: typeof workshop, i: number) =>
    document.jobs[0].operations[i] as Record<string, unknown>;

  it.each<[string, (document: typeof workshop) => unknown, string]>([
    [
      'an unknown machine',
      (d) => {
        operation(d, 0).machine = 'Lathe 3';
      },
      '$.jobs[0].operations[0].machine: this is "Lathe 3"; did you mean Lathe 1',
    ],
    [
      'an unknown resource',
      (d) => {
        operation(d, 0).needs = { operator: 1 };
      },
      '$.jobs[0].operations[0].needs.operator: there is no resource "operator"; did you mean operators?',
    ],
    [
      'too many operators',
      (d) => {
        operation(d, 0).needs = { operators: 3 };
      },
      'operations[0].needs.operators: it needs 3 of operators, and there are 2; need less',
    ],
    [
      'an unknown family',
      (d) => {
        operation(d, 0).family = 'stel';
      },
      'there is no family "stel"; did you mean steel?',
    ],
    [
      'no family',
      (d) => {
        delete operation(d, 0).family;
      },
      '$.jobs[0].operations[0]: there is no family; give the family',
    ],
    [
      'no machine',
      (d) => {
        delete operation(d, 0).machine;
      },
      'there is no machine; give machine and duration, or modes',
    ],
    [
      'no duration',
      (d) => {
        delete operation(d, 0).duration;
      },
      'there is no duration; give one, or modes',
    ],
    [
      'a machine and modes',
      (d) => {
        operation(d, 1).machine = 'Mill';
      },
      'there are a machine and modes; give',
    ],
    [
      'needs beside modes',
      (d) => {
        operation(d, 1).needs = { Ana: 1 };
      },
      'there are modes and one of their keys; give',
    ],
    [
      'a mode that is not there',
      (d) => {
        operation(d, 1).mode = 3;
      },
      'this is mode 3 of 2; give 1 to 2',
    ],
    [
      'an unknown step',
      (d) => {
        operation(d, 2).after = ['drilling'];
      },
      '$.jobs[0].operations[2].after[0]: there is no step "drilling"',
    ],
    [
      'a later step',
      (d) => {
        operation(d, 1).after = [3];
      },
      'step 3 is not before step 2; give an earlier step: 1 to 1',
    ],
    [
      'a step twice',
      (d) => {
        operation(d, 2).after = [1, 'turning'];
      },
      'this step is given twice; give it once',
    ],
    [
      'crossed lags',
      (d) => {
        operation(d, 2).after = [{ step: 1, min_lag: 5, max_lag: 4 }];
      },
      'max_lag 4 is less than min_lag 5; give 5 or more',
    ],
    [
      'a group with the name of a machine',
      (d) => {
        Object.assign(d.groups, { Mill: ['Bench'] });
      },
      'the group "Mill" has the name of a machine',
    ],
    [
      'two tables for a machine',
      (d) => {
        d.setups[1].machines = ['Lathe 2'];
      },
      'machine Lathe 2 also has setups[0]; give each machine one table',
    ],
    [
      'setups without families',
      (d) => {
        delete (d as Partial<typeof workshop>).families;
      },
      '$.setups: there are setups and no families; list',
    ],
    [
      'an unknown key',
      (d) => {
        operation(d, 0).operator = 'Ana';
      },
      'the key "operator" is unknown',
    ],
    [
      'an overlapping calendar',
      (d) => {
        d.resources[0].calendar?.push({ from: 80, to: 95, capacity: 0 });
      },
      '$.resources[0].calendar[1]: the time from 80 overlaps $.resources[0].calendar[0]; join them',
    ],
    [
      'an empty time of a calendar',
      (d) => {
        d.resources[0].calendar?.push({ from: 95, to: 95, capacity: 0 });
      },
      '$.resources[0].calendar[1]: the time from 95 to 95 is empty; let it end after it begins',
    ],
    [
      'a negative capacity',
      (d) => {
        d.resources[1].capacity = -1;
      },
      '$.resources[1].capacity: this is -1; give a whole number from 0 to 16777216',
    ],
    [
      'a huge amount',
      (d) => {
        operation(d, 0).needs = { operators: 2 ** 25 };
      },
      'needs.operators: this is 33554432; give a whole number from 1 to 16777216',
    ],
    [
      'an unknown key of the document, and names those of this version',
      (d) => {
        Object.assign(d, { group: {} });
      },
      '$: the key "group" is unknown; give an object with the keys schema, name, machines, jobs and, if need be, time_scale, groups, families,',
    ],
    [
      'a name that objects cannot have',
      (d) => {
        operation(d, 0).needs = JSON.parse('{"__proto__": 1}');
      },
      '$.jobs[0].operations[0].needs: a key is "__proto__"; use another name',
    ],
  ])('refuses %s', (_, edit, message) => {
    expect(change(edit)).toContain(message);
    expect(change(edit)).not.toContain('\n');
  });

  it('refuses tables that no memory holds', () => {
    const jobs = [{ operations: [{ machine: 0, duration: 1, family: 0 }] }];
    const schema = 'alas-jssp/instance@2';
    const setups = [{ otherwise: 1 }];
    expect(messageOf(() => parse({ schema, machines: 1, families: 100_000, setups, jobs }))).toBe(
      '$.families: the tables of setups would have 10000000000 entries; list fewer families or tables: at most 25000000 entries are possible',
    );
    const transport = [{ from: 0, to: 1, time: 1 }];
    expect(messageOf(() => parse({ schema, machines: 100_000, transport, jobs }))).toBe(
      '$.transport: there are transport times, and 100000 machines; list at most 5000 machines, or no transport times',
    );
  });

  it.each([
    ['alas-jssp/instance@1', '"alas-jssp/instance@1"'],
    ['alas-jssp/instance@0', '"alas-jssp/instance@0"'],
    [undefined, 'none'],
  ])('is what the keys of other versions (%s) ask for', (schema, shown) => {
    const hint = `and the schema is ${shown}; give "schema": "alas-jssp/instance@2"`;
    expect(messageOf(() => parse({ ...workshop, schema }))).toBe(
      `$: the key "groups" is of alas-jssp/instance@2, ${hint}`,
    );
    const jobs = [{ operations: [{ machine: 0, duration: 1 }] }, { operations: [{ modes: [] }] }];
    expect(messageOf(() => parse({ schema, machines: 1, jobs }))).toBe(
      `$.jobs[1].operations[0]: the key "modes" is of alas-jssp/instance@2, ${hint}`,
    );
  });

  it('refuses a later version before it judges anything else', () => {
    expect(messageOf(() => parse({ ...workshop, schema: 'alas-jssp/instance@3', more: 1 }))).toBe(
      '$.schema: this is "alas-jssp/instance@3"; this alas-jssp reads version 1 and 2: update it',
    );
  });
});
