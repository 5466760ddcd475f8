import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { compileGuard } from '../../../src/ir/guard/guard.js';
import { quickEvaluator, UNDECIDED } from '../../../src/ir/guard/quick.js';
import { parseGuard } from '../../../src/ir/guard/syntax.js';

const job = {
  type: 'object',
  properties: {
    late: { type: 'boolean' },
    n: { type: 'integer' },
    name: { type: 'string' },
    sub: { type: 'array', items: { type: 'number' } },
  },
  required: ['late', 'n'],
  additionalProperties: false,
};
const input = {
  type: 'object',
  properties: {
    valid: { type: 'boolean' },
    makespan: { type: 'number' },
    name: { type: 'string' },
    status: { enum: ['ok', 'late'] },
    jobs: { type: 'array', items: { $ref: '#/schemas/Job' } },
    first: { $ref: '#/schemas/Job' },
    either: { type: ['number', 'null'] },
    any: true,
    open: { type: 'object' },
  },
  required: ['valid'],
  additionalProperties: false,
} as const;
const scope = { variables: { input: structuredClone(input) as never }, definitions: { Job: job } };
const guard = (expression: string) => compileGuard(expression, scope);

const values = {
  input: {
    valid: true,
    makespan: 7,
    name: 'shop',
    status: 'late',
    jobs: [
      { late: true, n: 1 },
      { late: false, n: 2, sub: [1, 2] },
    ],
    first: { late: false, n: 3 },
    either: null,
    any: 5,
  },
};

describe('a guard', () => {
  it.each([
    ['$input = 1', { outputs: [], output: false }],
    ['$output.a and $outputs.a.b = 1', { outputs: ['a'], output: true }],
    ['$count($outputs.`a-b`.jobs[n > $outputs.c]) = 1', { outputs: ['a-b', 'c'], output: false }],
    ['$exists($outputs)', { outputs: 'all', output: false }],
    ['{"a": $outputs.a} = {"b": [$outputs[0].b]}', { outputs: 'all', output: false }],
    ['$outputs.a ? $outputs.b : -$outputs.c > 1', { outputs: ['a', 'b', 'c'], output: false }],
  ])('lists what it reads: %s', (expression, reads) => {
    const variables = { input: true, output: true, outputs: true };
    const found = compileGuard(expression, { variables }).reads;
    expect({
      ...found,
      outputs: found.outputs === 'all' ? 'all' : [...found.outputs].sort(),
    }).toEqual(reads);
  });

  it.each([
    ['$input.valid', true],
    ['$input.makespan > 6 and $input.makespan <= 7', true],
    ['$input.first.n = 3 or $input.first.late', true],
    ['$count($input.jobs[late]) = 1', true],
    ['$count($input.jobs[n > 1 and late = false]) = 2', false],
    ['$input.jobs[0].n = 1', true],
    ['$input.jobs[-1].late', false],
    ['2 in $input.jobs.n', true],
    ['$sum($input.jobs.n) + 1 = 4', true],
    ['$exists($input.open)', false],
    ['$not($input.valid)', false],
    ['$input.either = null', true],
    ['($input.makespan * 2 - 4) / 5 % 3 = 2', true],
    ['$input.name & "!" = "shop!"', true],
    ['$input.valid ? $input.makespan = 7 : false', true],
    ['$input.status in ["late", "lost"]', true],
    ['$type($input.any) = "number"', true],
    ['$input.`valid`', true],
    ['$contains($uppercase($input.name), "HO")', true],
    ['{"n": 3, "late": false} = $input.first', true],
    ['($input.first.name ?? "none") = "none"', true],
  ])('%s is %s', async (expression, expected) => {
    expect(guard(expression).typed).toBe(true);
    await expect(guard(expression).evaluate(values)).resolves.toBe(expected);
  });

  it('is false where what it compares is missing', async () => {
    await expect(guard('$input.makespan > 1').evaluate({ input: {} })).resolves.toBe(false);
    await expect(guard('$input.makespan != 1').evaluate({ input: {} })).resolves.toBe(false);
  });

  it.each([
    ['($x := 1; true)', 'block is not allowed in guards (character 1)'],
    ['function($x){true}(1)', 'only functions can be called'],
    ['$input.valid ~> $not', "apply '~>' is not allowed in guards (character 15)"],
    ['$now() = "x"', 'there is no $now for guards (character 5)'],
    ['$random() > 0.5', 'there is no $random for guards (character 8)'],
    ['$eval("true")', 'there is no $eval for guards (character 6)'],
    ['$map($input.jobs, $count)', 'there is no $map for guards (character 5)'],
    ['$input.* = 1', "wildcard '*' is not allowed in guards (character 8)"],
    ['$input.** = 1', "descendant '**' is not allowed in guards (character 9)"],
    ['$input.jobs^(n).late', 'sort is not allowed in guards (character 12)'],
    ['$input.jobs{name: n} = 1', 'path is not allowed in guards'],
    ['$input.jobs@$j.late', 'name'],
    ['$input.jobs#$i.late', 'name'],
    ['$contains($input.name, /a+/)', 'regex is not allowed in guards'],
    ['|$input|{"valid": true}|', 'transform is not allowed in guards'],
    ['$contains(?, "a")', 'partial'],
    ['1 in [1..9]', "binary '..' is not allowed in guards"],
    ['$sum([1..1000000000]) > 0', "binary '..' is not allowed in guards"],
    ['($f := function($n) { $f($n + 1) }; $f(0)) = 1', 'block is not allowed in guards'],
    ['$$ = 1', "variable '$' is not allowed in guards"],
    ['$input.jobs[%.valid]', 'is not allowed in guards'],
    ['$input.(valid)', 'is not allowed in guards'],
    ['valid', 'valid has no value here (character 5); write $input.valid'],
    ['$ = 1', '$ has no value here (character 1); use $input'],
    ['$inptu.valid', 'there is no variable $inptu (character 6); did you mean input?'],
    ['$count = 1', 'there is no variable $count'],
    ['$input.vaild', 'the key vaild never exists (character 12); did you mean valid?'],
    ['$input.jobs.lat = 1', 'the key lat never exists (character 15); did you mean late?'],
    ['$input.valid.x', 'the key x never exists (character 14); only objects have keys'],
    ['$input.makespan', 'the guard is of type number, not boolean; compare it'],
    ['$input.jobs.late', 'the guard is of type array, not boolean'],
    ['$input.makespan = "7"', 'a number is never a string (character 17)'],
    ['$input.status = "lat"', '"ok" or "late" is never "lat"'],
    ['$input.name > 3', 'a number and a string have no order'],
    ['$input.either > 3', 'this is of type null'],
    ['$input.jobs.n > 3', 'this is of type array (character 6); it passes through a list'],
    ['$input.name + 1 = 2', 'this is of type string'],
    ['$input.makespan and true', 'this is of type number (character 6); give a boolean'],
    ['$length($input.makespan) = 2', 'this is of type number'],
    ['$input.jobs[n] = 1', 'this is of type number'],
    ['$length() = 1', '$length has 0 arguments (character 8); give it 1'],
    ['$input.valid and', 'Unexpected end of expression; write an expression in JSONata'],
    [`${'('.repeat(21)}true${')'.repeat(21)}`, 'the guard is nested too deep'],
    [
      '$exists($input.jobs[$exists($input.jobs[$exists($input.jobs[late])])])',
      'filters are nested too deep',
    ],
    [Array(30).fill('$input.valid').join(' or '), 'the guard is nested too deep'],
    [`[${Array(201).fill(1).join()}] = [1]`, 'the guard has too many parts; give it at most 200'],
    [`"${'x'.repeat(1000)}" = "x"`, 'the guard has 1008 characters; at most 1000'],
  ])('is refused as %s', (expression, message) => {
    expect(() => guard(expression)).toThrow(message);
  });

  it('is stopped after a number of steps, the same everywhere, whatever the clock says', async () => {
    const jobs = (count: number) => ({
      input: { valid: true, jobs: Array(count).fill({ late: false, n: 1 }) },
    });
    const everyPair = guard('$count($input.jobs[n in $input.jobs.n]) > 0');
    vi.useFakeTimers({ toFake: ['Date', 'performance'] });
    try {
      const soon = everyPair.evaluate(jobs(100));
      vi.setSystemTime(Date.now() + 1e9);
      await expect(soon).resolves.toBe(true);
      const failure = { code: 'guard_failed', message: expect.stringContaining('1000000 steps') };
      await expect(everyPair.evaluate(jobs(2000))).rejects.toMatchObject(failure);
      // Evaluations do not share their steps.
      await expect(everyPair.evaluate(jobs(100))).resolves.toBe(true);
    } finally {
      vi.useRealTimers();
    }
  });

  it('that the schemas cannot judge is judged where it is evaluated', async () => {
    const { typed, evaluate } = guard('$input.any');
    expect(typed).toBe(false);
    await expect(evaluate({ input: { any: true } })).resolves.toBe(true);
    await expect(evaluate({ input: { any: 5 } })).rejects.toMatchObject({ code: 'guard_failed' });
    await expect(guard('$input.any > 1').evaluate({ input: { any: [] } })).rejects.toThrow(
      /^the guard \$input\.any > 1 failed: /,
    );
  });

  it('does not change what it looks at', async () => {
    const before = structuredClone(values);
    await guard('$count($input.jobs[late][0].sub) = 0 and $input.jobs.n = 1').evaluate(values);
    expect(values).toEqual(before);
  });
});

const jobs = fc.record(
  {
    late: fc.boolean(),
    n: fc.integer({ min: -2, max: 2 }),
    name: fc.constantFrom('', 'a', 'b'),
    sub: fc.array(fc.integer({ min: 0, max: 2 }), { maxLength: 2 }),
  },
  { requiredKeys: ['late', 'n'] },
);
const inputs = fc.record(
  {
    valid: fc.boolean(),
    makespan: fc.integer({ min: -2, max: 2 }),
    name: fc.constantFrom('', 'a', 'b'),
    status: fc.constantFrom('ok', 'late'),
    jobs: fc.array(jobs, { maxLength: 3 }),
    first: jobs,
    either: fc.constantFrom(null, 1),
  },
  { requiredKeys: ['valid'] },
);

/** Expressions of all kinds, right and wrong ones. */
const expressions = fc.letrec<{ any: string; boolean: string; number: string; text: string }>(
  (tie) => ({
    any: fc.oneof(tie('boolean'), tie('number'), tie('text'), fc.constant('$input.jobs')),
    number: fc.oneof(
      { depthSize: 'small' },
      fc.constantFrom(
        '1',
        '$input.makespan',
        '$input.first.n',
        '$input.jobs[0].n',
        '$input.either',
      ),
      fc.constantFrom('$count($input.jobs)', '$sum($input.jobs.n)', '$max($input.jobs.sub)'),
      fc
        .tuple(tie('number'), fc.constantFrom('+', '*', '-'), tie('number'))
        .map((all) => all.join(' ')),
      fc.tuple(tie('boolean')).map(([filter]) => `$count($input.jobs[${filter}])`),
    ),
    text: fc.oneof(
      { depthSize: 'small' },
      fc.constantFrom('"a"', '$input.name', '$input.status', '$input.first.name'),
      fc.tuple(tie('any')).map(([any]) => `$string(${any})`),
      fc.tuple(tie('any'), tie('text')).map((all) => `(${all.join(' & ')})`),
    ),
    boolean: fc.oneof(
      { depthSize: 'small' },
      fc.constantFrom('true', '$input.valid', '$input.first.late', '$input.jobs[0].late', 'late'),
      fc
        .tuple(tie('boolean'), fc.constantFrom('and', 'or'), tie('boolean'))
        .map((all) => `(${all.join(' ')})`),
      fc
        .tuple(tie('number'), fc.constantFrom('<', '>=', '=', '!='), tie('number'))
        .map((all) => `(${all.join(' ')})`),
      fc
        .tuple(tie('text'), fc.constantFrom('<', '=', 'in'), tie('any'))
        .map((all) => `(${all.join(' ')})`),
      fc.tuple(tie('any')).map(([any]) => `$exists(${any})`),
      fc.tuple(tie('boolean')).map(([some]) => `$not(${some})`),
      fc
        .tuple(tie('boolean'), tie('boolean'), tie('boolean'))
        .map(([a, b, c]) => `(${a} ? ${b} : ${c})`),
    ),
  }),
);

/** Expressions that need no JSONata, over values of any kind. */
const simple = fc.letrec<{ boolean: string; value: string }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom('$input', '$input.valid', '$input.makespan', '$input.first.n', '$input.name.x'),
    fc.constantFrom('1', '0', '"ok"', '""', 'null', 'true', '($input.status)'),
    tie('value').map((value) => `$type(${value})`),
    tie('boolean'),
  ),
  boolean: fc.oneof(
    { depthSize: 'small' },
    fc
      .tuple(tie('value'), fc.constantFrom('=', '!=', '<', '<=', '>', '>='), tie('value'))
      .map((all) => `(${all.join(' ')})`),
    fc
      .tuple(tie('value'), fc.constantFrom('and', 'or'), tie('value'))
      .map((all) => `(${all.join(' ')})`),
    tie('value').map((value) => `$exists(${value})`),
    tie('value').map((value) => `$not(${value})`),
  ),
}));

describe('the types of guards', () => {
  it('hold: what was found to be a boolean never fails on values that fit the schemas', async () => {
    let accepted = 0;
    await fc.assert(
      fc.asyncProperty(expressions.boolean, inputs, async (expression, input) => {
        let checked: ReturnType<typeof guard>;
        try {
          checked = guard(expression);
        } catch {
          return;
        }
        accepted++;
        expect(typeof (await checked.evaluate({ input }))).toBe('boolean');
      }),
      { numRuns: 1500 },
    );
    expect(accepted).toBeGreaterThan(300);
  });
});

describe('the quick way to evaluate guards', () => {
  it('comes to what JSONata comes to, also where values do not fit the schemas', async () => {
    let decided = 0;
    const odd = fc.constantFrom(
      undefined,
      null,
      '',
      'ok',
      0,
      1,
      true,
      [],
      [1],
      [[true]],
      {},
      { n: 1 },
    );
    const any = fc.record({
      valid: odd,
      makespan: odd,
      name: odd,
      status: odd,
      first: odd,
      either: odd,
    });
    await fc.assert(
      fc.asyncProperty(simple.boolean, fc.oneof(inputs, any, odd), async (expression, input) => {
        const { ast, run } = parseGuard(expression);
        const value = quickEvaluator(ast)?.({ input });
        if (value === undefined || value === UNDECIDED) return;
        decided++;
        expect(value).toEqual(await run.evaluate(undefined, { input }));
      }),
      { numRuns: 1500 },
    );
    expect(decided).toBeGreaterThan(300);
  });
});
