import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bundledNames, bundledPlan, bundledProblem, formatClock } from '../../src/index.js';
import { ASKED_FORMS, writeAnswer } from '../../src/llm/answer-forms.js';
import { readVerdict } from '../../src/llm/decode/claims.js';
import { decodeAnswer } from '../../src/llm/decode/decode.js';
import { actionInWords } from '../../src/model/action-words.js';

const wedding = bundledProblem('wedding');
const dinner = bundledProblem('thanksgiving');
const rides = bundledProblem('ride-sharing');

const drive = (over: object) => ({
  do: 'drive',
  vehicle: 'pats-car',
  who: 'pat',
  with: [],
  ...over,
});

describe('a plan that is written as an answer', () => {
  const plans = bundledNames('plans').map(bundledPlan);

  it.each(ASKED_FORMS)('is read again, as %s', (form) => {
    fc.assert(
      fc.property(
        fc.constantFrom(...plans),
        fc.record({
          km: fc.integer({ min: 0, max: 900 }),
          finish: fc.integer({ min: 0, max: 2000 }),
        }),
        fc.boolean(),
        fc.integer({ min: -60, max: 60 }),
        ({ problem, actions }, { km, finish }, feasible, shift) => {
          const moved = actions.map((one) => {
            const start = Math.max(0, one.start + shift);
            return { ...one, start, end: Math.max(start, one.end + shift) };
          });
          const plan = { problem, actions: moved, claims: { metres: 1000 * km, finish } };
          const read = decodeAnswer(bundledProblem(problem), writeAnswer(plan, form, feasible));
          expect(read.unread).toEqual([]);
          expect(read.form).toBe(form);
          expect(read.claims).toEqual({ feasible, km, finish });
          expect(read.plan).toEqual(plan);
        },
      ),
      { numRuns: 60 },
    );
  });
});

it('the words in which plans are printed are read, too', () => {
  for (const { problem: name, actions } of bundledNames('plans').map(bundledPlan)) {
    const problem = bundledProblem(name);
    const plain = actions.filter((one) => one.do === 'stay' || !JSON.stringify(one).includes('@'));
    const lines = plain.map((one) => {
      const time = `${formatClock(one.start)}–${formatClock(one.end)}`;
      return `${time}  ${actionInWords(problem, one)}`;
    });
    const { plan, unread } = decodeAnswer(problem, lines.join('\n'));
    expect(unread).toEqual([]);
    expect(plan?.actions).toEqual(plain);
  }
});

describe('JSON', () => {
  const actions = [
    {
      do: 'drive',
      vehicle: "Pat's car",
      who: 'Pat',
      from: 'W',
      to: 'B',
      start: '12:00',
      end: '12:40 PM',
    },
  ];

  it('is found between words, in a fence, with commas too many', () => {
    const text = `Here is the plan:\n\`\`\`json\n{"actions": ${JSON.stringify(actions).replace('}]', ',}],')} "feasible": "yes"}\n\`\`\`\nIt's done.`;
    const { form, plan, claims } = decodeAnswer(wedding, text);
    expect(form).toBe('json');
    expect(claims.feasible).toBe(true);
    expect(plan?.actions).toEqual([drive({ from: 'W', to: 'B', start: 720, end: 760 })]);
  });

  it('counts where its end is missing, as far as it goes', () => {
    const text = `{"actions": [${JSON.stringify(actions[0])}, {"do": "drive", "vehi`;
    expect(decodeAnswer(wedding, text).plan?.actions).toHaveLength(1);
  });

  it('keeps names that there are not, for the judge, and tells them', () => {
    const text = JSON.stringify({ actions: [{ ...actions[0], with: ['Bob'] }] });
    const { plan, unread } = decodeAnswer(wedding, text);
    expect(plan?.actions).toEqual([
      drive({ with: ['Bob'], from: 'W', to: 'B', start: 720, end: 760 }),
    ]);
    expect(unread).toEqual(["actions[0]: there is no person 'Bob'"]);
  });

  it('that cannot be read is passed over for a table that can', () => {
    const text =
      '{"actions": [{"start": "soon", "do": "drive"}]}\n\ntime\ttask\tpeople\n12:00–12:40\tdrive to B\tPat';
    expect(decodeAnswer(wedding, text).form).toBe('table');
    expect(decodeAnswer(wedding, '{"actions": []}')).toMatchObject({
      form: 'json',
      plan: { actions: [] },
    });
  });

  it('of several plans is the last that is whole', () => {
    const other = [{ ...actions[0], to: 'T' }];
    const text = `${JSON.stringify({ actions })}\nNo, better:\n${JSON.stringify({ actions: other })}\n{"actions": []}`;
    const { plan } = decodeAnswer(wedding, text);
    expect(plan?.actions).toEqual([drive({ from: 'W', to: 'T', start: 720, end: 760 })]);
    expect(plan?.notes).toEqual(['the last of 3 plans in the answer']);
  });
});

describe('a table', () => {
  it.each([
    [
      'markdown',
      '| Time | Task | Person |\n|---|---|---|\n| 12:00 PM – 12:40 PM | Drives from W to B | Pat |\n| 1:10-1:40 PM | Drive to the tailor | Pat (driver), Alex and Jamie |',
    ],
    [
      'tabs',
      'Start\tEnd\tTask\tPeople\n12:00\t12:40\tdrive from W to B\tPat\n13.10\t13.40\tdrive to the tailor\tPat (driver), Alex, Jamie',
    ],
    [
      'CSV',
      'start,end,vehicle,from,to,driver,passengers\n12:00,12:40,Pat’s car,W,B,Pat,\n13:10,13:40,pats-car,B,T,pat,"alex, jamie"',
    ],
    [
      'pipes without a header',
      '12:00 | 12:40 | Pat drives from W to B\n13:10 | 13:40 | Pat drives with Alex and Jamie to T',
    ],
  ])('of %s is read', (_, text) => {
    const { form, plan, unread } = decodeAnswer(wedding, text);
    expect(unread).toEqual([]);
    expect(form).toBe('table');
    expect(plan?.actions).toEqual([
      drive({ from: 'W', to: 'B', start: 720, end: 760 }),
      drive({ with: ['alex', 'jamie'], from: 'B', to: 'T', start: 790, end: 820 }),
    ]);
  });

  it('with all that models put into one is read as far as it is about the problem', () => {
    const text = `**Schedule**

| Time | Activity | Location | Person(s) | Notes |
|------|----------|----------|-----------|-------|
| 1:00 PM | James lands | Boston Airport | James | on time |
| 1:00 PM – 1:30 PM | luggage-james | Boston Airport | James | |
| 2:00 PM - 6:00 PM | **Turkey** in the oven | home | Sarah | 4 h |
| 3:00 PM – 4:00 PM | Drives from Boston Airport to home | on the road | James (driver), Emily | with luggage |
| 6:00 PM | Dinner | Home | Everyone | |`;
    const { plan, unread } = decodeAnswer(dinner, text);
    const everyone = ['sarah', 'james', 'emily', 'michael', 'grandma'];
    const doing = (activity: string, who: string[], at: string, start: number, end: number) => {
      return { do: 'activity', activity, who, at, start, end };
    };
    expect(plan?.actions).toEqual([
      doing('luggage-james', ['james'], 'airport', 780, 810),
      doing('turkey', ['sarah'], 'home', 840, 1080),
      drive({
        ...{ vehicle: 'rental', who: 'james', with: ['emily'], from: 'airport', to: 'home' },
        ...{ start: 900, end: 960 },
      }),
      doing('dinner', everyone, 'home', 1080, 1080),
    ]);
    expect(unread).toEqual([
      'line 5: no drive, activity or stay of this problem is named',
      "line 8: there is no place 'on the road'",
    ]);
  });

  it('that is the last one counts, and says what is concluded', () => {
    const table = (to: string) =>
      `| Time | Task | Who |\n|---|---|---|\n| 12:00–12:40 | drive to ${to} | Pat |\n`;
    const { plan } = decodeAnswer(wedding, `${table('T')}\nChecking… wrong.\n\n${table('B')}`);
    expect(plan?.actions).toEqual([drive({ from: 'W', to: 'B', start: 720, end: 760 })]);
    expect(plan?.notes).toEqual([
      'line 9: the vehicle is pats-car',
      'line 9: the drive begins at W',
    ]);
  });

  it('tells rows that cannot be read without a guess', () => {
    const text =
      '| time | task | people |\n| 12:00 | Pat drives from W to B | |\n| 13:00–13:30 | Pat drives to T or G in a car | |\n| 14:00–14:30 | drive | Pat |\n| 15:00 | photos | everyone |';
    const { plan, unread } = decodeAnswer(wedding, text);
    expect(plan?.actions).toEqual([
      {
        do: 'activity',
        activity: 'photos',
        who: ['alex', 'jamie', 'pat', 'chris'],
        at: 'W',
        start: 900,
        end: 900,
      },
    ]);
    expect(unread.join('\n')).toMatch(/line 2: it has no end, only 12:00/);
    expect(unread.join('\n')).toMatch(/line 4: it is not said where the drive leads/);
    expect(unread.join('\n')).toMatch(/line 3: it says "or"/);
  });
});

describe('prose', () => {
  it.each([
    ['9:00 AM – 10:00 AM: James drives from airport to home', 540, 600],
    ['- From 9 AM to 10 AM, James drives from the airport to home.', 540, 600],
    ['1. **9.00-10.00** James drives the rental from Boston Airport to home', 540, 600],
    ['11:00–1:00 PM: James drives from airport to home', 660, 780],
    ['noon to 1 pm: James drives from airport to home', 720, 780],
    ['14:05 (35 min): James drives from airport to home', 845, 880],
  ])('is read: %s', (line, start, end) => {
    const { form, plan } = decodeAnswer(dinner, `The plan:\n\n${line}\n`);
    expect(form).toBe('prose');
    expect(plan?.actions).toEqual([
      drive({ vehicle: 'rental', who: 'james', from: 'airport', to: 'home', start, end }),
    ]);
  });

  it('knows a person from a place of the same name, and who is only to be fetched', () => {
    const text =
      '16:00 – 16:30: Michael drives to Grandma’s to pick up Grandma\n16:30 – 17:00: Michael drives from Grandma’s to home with Grandma';
    const { plan, unread } = decodeAnswer(dinner, text);
    const car = { vehicle: 'michaels-car', who: 'michael' };
    expect(plan?.actions).toEqual([
      drive({ ...car, from: 'home', to: 'grandma', start: 960, end: 990 }),
      drive({ ...car, with: ['grandma'], from: 'grandma', to: 'home', start: 990, end: 1020 }),
    ]);
    expect(unread).toEqual(["line 1: 'grandma' is to be fetched, and not on board"]);
  });

  it('below a name is about that person', () => {
    const text =
      '### James\n- 1:00 PM – 1:30 PM: luggage-james at airport\n\n### Michael\n- 3:00 PM – 4:00 PM: drives to airport';
    expect(decodeAnswer(dinner, text).plan?.actions).toEqual([
      {
        do: 'activity',
        activity: 'luggage-james',
        who: ['james'],
        at: 'airport',
        start: 780,
        end: 810,
      },
      drive({
        vehicle: 'michaels-car',
        who: 'michael',
        from: 'home',
        to: 'airport',
        start: 900,
        end: 960,
      }),
    ]);
  });

  it('takes a letter for a place only where one stands', () => {
    const text = 'A note: C is good.\n8:00 – 8:10: k1 drives from A to B with p1. A good start!';
    expect(decodeAnswer(rides, text).plan?.actions).toEqual([
      drive({ vehicle: 'k1', who: null, with: ['p1'], from: 'A', to: 'B', start: 480, end: 490 }),
    ]);
  });

  it('without any plan is none, and its claim counts', () => {
    const { form, plan, claims } = decodeAnswer(dinner, 'I am sorry: the plan is not feasible.');
    expect([form, plan, claims.feasible]).toEqual(['none', null, false]);
  });
});

it.each([
  ['Feasible: no\nPat is too late.', false],
  ['**Feasible:** yes', true],
  ['No, it does not.', false],
  ['Yes.\nIt is not feasible to do more.', true],
  ['The plan is not valid: the tailor is closed.', false],
  ['The plan drives to the lake.', null],
  ['Nobody knows.', null],
])('a verdict is read: %j', (text, verdict) => {
  expect(readVerdict(text)).toBe(verdict);
});

describe('any text', () => {
  const words = [
    '{',
    '}',
    '[',
    ']',
    '"',
    ',',
    ':',
    '|',
    '\n',
    '\t',
    ';',
    '12:00',
    '9–10 AM',
    '13.30',
    ' – ',
    'Pat',
    'drives',
    'from',
    'to',
    'W',
    'B',
    "Pat's car",
    '"actions"',
    '"start"',
    'time',
    'task',
    '→',
    'W>B@20',
    '```',
    '(',
    '\\',
    '-',
    '99:99',
    'Feasible: no',
    'plan is',
  ];
  const any = fc.oneof(
    fc.string({ maxLength: 300 }),
    fc.string({ unit: 'grapheme', maxLength: 200 }),
    fc.array(fc.constantFrom(...words), { maxLength: 80 }).map((some) => some.join(' ')),
    fc.array(fc.constantFrom(...words), { maxLength: 80 }).map((some) => some.join('')),
    fc.json().map((json) => `{"actions": ${json}}`),
  );

  it('is read without an error, and as actions of whole minutes', () => {
    fc.assert(
      fc.property(any, (text) => {
        for (const { start, end } of decodeAnswer(wedding, text).plan?.actions ?? []) {
          expect(Number.isInteger(start) && Number.isInteger(end) && start >= 0).toBe(true);
        }
      }),
      { numRuns: 1500 },
    );
  });

  it.each([
    '{',
    '[{"a":',
    '{"a":{"b":',
    '| a ',
    '12:00 ',
    '9 - ',
    'W → B ',
    '"',
    'Pat, ',
    '*',
    '\t',
    'plan it is ',
    '[]{}',
    'distance ',
  ])('of a hundred thousand letters is read, and so are many of %j', (piece) => {
    const text = piece.repeat(Math.ceil(100_000 / piece.length));
    expect(decodeAnswer(wedding, text).unread.length).toBeLessThanOrEqual(50);
  });
});
