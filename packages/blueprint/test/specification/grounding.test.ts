import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkGrounding, type Specification } from '../../src/index.js';
import { numbersStated, valuesOfText } from '../../src/specification/text-numbers.js';

const TEXT = `# Returns

* When a customer returns an order, we refund the amount by the “payment
system”. We try it 3 times. A refund above 1,000.50 EUR, or above 20 %, needs Dana Reyes.
After two weeks, on 24 December, at 6 pm, we close the case.`;

const EMPTY: Specification = {
  schema: 'alas-jssp/specification@1',
  title: 'Returns',
  objectives: [],
  entities: [],
  inputs: [],
  operations: [],
  constraints: [],
  disruptions: [],
  questions: [],
  assumptions: [],
};

function constraint(text: string, source: string | null = 'We try it 3 times.') {
  return { id: 'D1', scope: 'global' as const, text, operations: [], source };
}

const findingsOf = (more: Partial<Specification>) =>
  checkGrounding({ ...EMPTY, ...more }, TEXT).map(({ code, part, path }) => [code, part, path]);

const codesOf = (text: string) =>
  findingsOf({ constraints: [constraint(text)] }).map(([code]) => code);

describe('sources', () => {
  test.each([
    'When a customer returns an order, we refund the amount by the "payment system".',
    'we refund the amount by the payment\n  system',
    'WE TRY IT 3 TIMES',
    'A refund above 1,000.50 EUR',
  ])('are found whatever their spaces, quotation marks and ends: %s', (source) => {
    const found = findingsOf({ constraints: [constraint('it is tried', source)] });
    // The second one has no quotation marks where the text has some.
    expect(found.map(([code]) => code)).toEqual(source.includes('\n') ? ['unknown_source'] : []);
  });

  test.each(['We try it 4 times.', 'the', 'We try', 'e try it 3 time', '', '3 times'])(
    'that are not in the text, or too short to say anything, are found: %j',
    (source) => {
      expect(findingsOf({ constraints: [constraint('it is tried', source)] })).toEqual([
        ['unknown_source', 'constraints', '$.constraints[0].source'],
      ]);
    },
  );

  test('are suggested by the sentence that shares most words', () => {
    const [finding] = checkGrounding(
      { ...EMPTY, constraints: [constraint('tried 3 times', 'We attempt, we try 3 times.')] },
      TEXT,
    );
    expect(finding.hint).toContain('"We try it 3 times."');
  });
});

describe('numbers', () => {
  test.each([
    'it is tried 3 times',
    'it is tried three times',
    'above 1000.5 euros',
    'above 1,000.50 €',
    'above 20 percent',
    'within 2 weeks',
    'on 12-24',
    'at 18:00',
    'one message',
  ])('of the text are found in it: %s', (text) => {
    expect(codesOf(text)).toEqual([]);
  });

  test.each(['4 times', 'four times', 'above 100 EUR', '30 %', 'within 36 hours', 'in 2025'])(
    'that are not in the text are found: %s',
    (text) => {
      expect(codesOf(text)).toEqual(['ungrounded_number']);
    },
  );

  test('may be assumed', () => {
    const constraints = [constraint('it is tried 4 times', null)];
    const assumption = { id: 'A1', text: 'D1 is usual', reason: 'x', values: ['4 times'] };
    expect(findingsOf({ constraints, assumptions: [assumption] })).toEqual([]);
    expect(findingsOf({ constraints, assumptions: [{ ...assumption, values: [] }] })).toEqual([
      ['ungrounded_number', 'questions', '$.assumptions'],
    ]);
  });

  test('of any size are found in a text that has them, and not in one that has not', () => {
    fc.assert(
      fc.property(fc.integer({ min: 13, max: 1e9 }), fc.boolean(), (number, grouped) => {
        const written = grouped ? number.toLocaleString('en-US') : String(number);
        const [stated] = numbersStated(`at most ${written} of them`);
        expect(stated.value).toBe(number);
        expect(valuesOfText(`never more than ${number.toLocaleString('en-US')}.`)).toContain(
          number,
        );
        expect(valuesOfText(`never more than ${number + 1}.`)).not.toContain(number);
      }),
    );
  });
});

describe('names', () => {
  test.each(['Dana Reyes approves', 'the approval of Dana', 'above EUR', 'Orders are refunded'])(
    'of the text are found in it: %s',
    (text) => {
      expect(codesOf(text)).toEqual([]);
    },
  );

  test.each(['the approval of Miguel', 'by PayPal', 'PayPal pays', 'by SAP'])(
    'that are not in the text are found: %s',
    (text) => {
      expect(codesOf(text)).toEqual(['ungrounded_name']);
    },
  );

  test('of systems and entities are those of the text, or of tools', () => {
    const operation = {
      id: 'refund',
      does: 'refunds',
      access: 'change' as const,
      undo: null,
      source: 'we refund the amount',
    };
    const withSystem = (system: string) => ({ operations: [{ ...operation, system }] });
    expect(findingsOf(withSystem('payments'))).toEqual([]);
    expect(findingsOf(withSystem('warehouse'))).toEqual([
      ['ungrounded_name', 'operations', '$.operations[0].system'],
    ]);
    const specification = { ...EMPTY, ...withSystem('warehouse') };
    expect(checkGrounding(specification, TEXT, ['warehouse'])).toEqual([]);
    const entities = [{ id: 'v', name: 'voucher', fields: [], source: 'We try it 3 times.' }];
    expect(findingsOf({ entities })).toEqual([
      ['ungrounded_name', 'entities', '$.entities[0].name'],
    ]);
  });
});

describe('statements without a source', () => {
  const constraints = [constraint('every case has an owner', null)];

  test('need an assumption or a question', () => {
    expect(findingsOf({ constraints })).toEqual([
      ['unlisted_assumption', 'questions', '$.assumptions'],
    ]);
  });

  test.each([
    { assumptions: [{ id: 'A1', text: 'Cases have owners.', reason: 'usual', values: [] }] },
    { assumptions: [{ id: 'A1', text: 'D1 is usual.', reason: 'usual', values: [] }] },
    { questions: [{ id: 'Q1', question: 'Does a case have an owner?', assumed: 'yes' }] },
  ])('are backed by one that is about them', (backing) => {
    expect(findingsOf({ constraints, ...backing })).toEqual([]);
  });

  test('are not backed by one that is about something else', () => {
    const questions = [{ id: 'Q1', question: 'Who closes it?', assumed: 'the shop' }];
    expect(findingsOf({ constraints, questions }).length).toBe(1);
  });
});

const TASKS = new URL('../../../../examples/tasks/', import.meta.url);
const names = readdirSync(TASKS)
  .filter((name) => name.endsWith('.cassette.json'))
  .map((name) => name.replace('.cassette.json', ''));

describe.each(names)('the task %s', (name) => {
  const read = (suffix: string) => readFileSync(new URL(`${name}${suffix}`, TASKS), 'utf8');
  const { answers } = JSON.parse(read('.cassette.json'));
  const text = read('.md').replace(/^---\n[\s\S]*?\n---\n/, '');
  const systems = JSON.parse(read('.tools.json')).tools.map(
    (tool: { system: string }) => tool.system,
  );
  const parts = ['objectives', 'entities', 'inputs', 'operations', 'constraints', 'disruptions'];
  const specification: Specification = Object.assign(
    { ...EMPTY },
    ...[...parts, 'questions'].map((part) => answers[part].at(-1)),
  );

  test('has a specification that says what its text says', () => {
    expect(checkGrounding(specification, text, systems)).toEqual([]);
  });

  test('notices a changed number, a changed source, an invented name and a lost assumption', () => {
    for (const [index, one] of specification.constraints.entries()) {
      const changed = (more: object) => ({
        ...specification,
        constraints: specification.constraints.with(index, { ...one, ...more }),
      });
      const codes = (more: object) =>
        checkGrounding(changed(more), text, systems).map(({ code }) => code);
      expect(codes({ text: `${one.text} At most 987 of them.` })).toContain('ungrounded_number');
      expect(codes({ text: `${one.text} Ask Xaver-Zeno.` })).toContain('ungrounded_name');
      expect(codes({ source: `Never ${one.source} forever` })).toContain('unknown_source');
      expect(codes({ id: 'zz-1', text: 'Green moons sing quietly.', source: null })).toContain(
        'unlisted_assumption',
      );
    }
  });
});
