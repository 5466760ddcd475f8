import {
  type Behaviour,
  type Protocol,
  startWireServer,
  type WireRequest,
  type WireServer,
} from './wire-server.js';

const FINISH = { stop: 'stop', length: 'length', refusal: 'content_filter' } as const;
const USAGE = { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 };
const BASE = { id: 'chatcmpl-1', created: 1_790_000_000 };

/** OpenAI's chat completions, as its servers and many others speak them. */
const chatCompletions: Protocol = {
  path: '/v1/chat/completions',

  check({ body }) {
    if (typeof body?.model !== 'string') return 'you must provide a model parameter';
    if (!Array.isArray(body.messages) || body.messages.length === 0) return 'messages are missing';
    for (const { role, content } of body.messages) {
      if (!['system', 'user', 'assistant'].includes(role)) return `invalid role ${role}`;
      if (typeof content !== 'string') return 'content is missing';
    }
    const limits = [body.max_tokens, body.max_completion_tokens];
    if (limits.filter(Number.isInteger).length !== 1) return 'one limit of tokens is to be given';
    if (/^(o\d|gpt-5)/.test(body.model) && body.max_tokens !== undefined) {
      return "unsupported parameter: 'max_tokens' is not supported with this model";
    }
    return body.stream_options !== undefined && body.stream !== true
      ? 'stream_options only with stream'
      : null;
  },

  whole: ({ text, finish = 'stop', usage = true }, model) => ({
    ...BASE,
    object: 'chat.completion',
    model: `${model}-served`,
    choices: [
      {
        index: 0,
        message:
          finish === 'refusal'
            ? { role: 'assistant', content: null, refusal: text }
            : { role: 'assistant', content: text, refusal: null },
        logprobs: null,
        finish_reason: finish === 'refusal' ? 'stop' : FINISH[finish],
      },
    ],
    ...(usage && { usage: USAGE }),
  }),

  events(answer, model) {
    const { text, finish = 'stop', usage = true } = answer;
    const chunk = (choices: unknown[], more: object = {}) =>
      `data: ${JSON.stringify({ ...BASE, object: 'chat.completion.chunk', model: `${model}-served`, choices, ...more })}\n\n`;
    const choice = (delta: object, reason: string | null = null) => [
      { index: 0, delta, logprobs: null, finish_reason: reason },
    ];
    const pieces = text.match(/.{1,7}/gs) ?? [];
    return [
      chunk(choice({ role: 'assistant', content: '' })),
      ...pieces.map((piece) => chunk(choice({ content: piece }))),
      chunk(choice({}, FINISH[finish])),
      usage ? chunk([], { usage: USAGE }) : ': no usage\n\n',
      'data: [DONE]\n\n',
    ];
  },

  error: (message, code) => ({ error: { message, type: code, param: null, code } }),

  empty: () => ({
    whole: { ...BASE, object: 'chat.completion', model: 'm', choices: [], usage: USAGE },
    events: [
      `data: ${JSON.stringify({ ...BASE, model: 'm', choices: [] })}\n\n`,
      'data: [DONE]\n\n',
    ],
  }),
};

/** Starts a server of chat completions; its base URL for clients ends in `/v1`. */
export function startChatServer(
  behave: (request: WireRequest, n: number) => Behaviour,
): Promise<WireServer> {
  return startWireServer(chatCompletions, behave);
}
