import type { AskPart } from '../../src/index.js';

/** A planner that gives written answers by part, each in its order; it counts the questions. */
export function answering(answers: Readonly<Record<string, readonly unknown[]>>): {
  readonly ask: AskPart;
  readonly asked: string[];
} {
  const asked: string[] = [];
  const ask: AskPart = async ({ part, schema }) => {
    const count = asked.filter((one) => one === part).length;
    asked.push(part);
    const given = answers[part]?.[count] ?? answers[part]?.at(-1);
    const isZod = 'safeParse' in schema && typeof schema.safeParse === 'function';
    const parsed = isZod ? schema.safeParse(given) : { success: true, data: given };
    if (parsed.success) return { ok: true, value: parsed.data as never };
    const message = 'there is no answer';
    const finding = {
      code: 'bad_part',
      severity: 'error',
      part,
      path: '$',
      message,
      hint: '',
    } as const;
    return { ok: false, finding };
  };
  return { ask, asked };
}

export const REFUND_CODE: Readonly<Record<string, readonly unknown[]>> = {
  'code/checkRefund': [
    {
      code: 'export default ({ asked, refunded }) => ({ ok: asked === refunded });',
      cases: [
        { input: { asked: 80, refunded: 80 }, output: { ok: true } },
        { input: { asked: 80, refunded: 8 }, output: { ok: false } },
      ],
    },
  ],
  'code/checkLetter': [
    {
      code: '```js\nexport default ({ text, amount }) => ({ ok: text.includes(String(amount)) });\n```',
      cases: [
        { input: { text: 'You receive 80 euros.', amount: 80 }, output: { ok: true } },
        { input: { text: 'You receive money.', amount: 80 }, output: { ok: false } },
      ],
    },
  ],
  'code/decline': [
    {
      code: '({ order }) => ({ answer: "The order " + order + " cannot be refunded." })',
      cases: [{ input: { order: 'A-1' }, output: { answer: 'The order A-1 cannot be refunded.' } }],
    },
  ],
};
