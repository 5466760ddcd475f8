import {
  type Behaviour,
  type Protocol,
  startWireServer,
  type WireRequest,
  type WireServer,
} from './wire-server.js';

const STOP = { stop: 'end_turn', length: 'max_tokens', refusal: 'refusal' } as const;
const INPUT = { input_tokens: 4, cache_creation_input_tokens: 5, cache_read_input_tokens: 2 };

/** Anthropic's messages, in the versions of 2023 and 2026. */
const messages: Protocol = {
  path: '/v1/messages',

  check({ headers, body }) {
    const version = headers['anthropic-version'];
    if (version === undefined) return 'anthropic-version: header is required';
    if (typeof body?.model !== 'string') return 'model: Field required';
    if (!Number.isInteger(body.max_tokens)) return 'max_tokens: Field required';
    if (!Array.isArray(body.messages) || body.messages.length === 0)
      return 'messages: Field required';
    for (const { role } of body.messages) {
      if (role !== 'user' && role !== 'assistant') return `messages: unexpected role ${role}`;
    }
    const known = ['model', 'max_tokens', 'messages', 'stream', 'system', 'output_config'];
    if (version < '2026') known.push('temperature', 'top_p');
    const extra = Object.keys(body).find((key) => !known.includes(key));
    return extra === undefined ? null : `${extra}: Extra inputs are not permitted`;
  },

  whole: ({ text, finish = 'stop', usage = true }, model) => ({
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: `${model}-served`,
    content: [
      { type: 'thinking', thinking: 'hm', signature: 's' },
      { type: 'text', text },
    ],
    stop_reason: STOP[finish],
    stop_sequence: null,
    ...(usage && { usage: { ...INPUT, output_tokens: 7 } }),
  }),

  events({ text, finish = 'stop', usage = true }, model) {
    const event = (type: string, more: object = {}) =>
      `event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`;
    const start = {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: `${model}-served`,
      content: [],
      stop_reason: null,
      ...(usage && { usage: { ...INPUT, output_tokens: 1 } }),
    };
    const delta = (delta: object) => event('content_block_delta', { index: 1, delta });
    const pieces = text.match(/.{1,7}/gs) ?? [];
    return [
      event('message_start', { message: start }),
      event('ping'),
      event('content_block_start', { index: 0, content_block: { type: 'thinking', thinking: '' } }),
      event('content_block_delta', { index: 0, delta: { type: 'thinking_delta', thinking: 'hm' } }),
      event('content_block_stop', { index: 0 }),
      event('content_block_start', { index: 1, content_block: { type: 'text', text: '' } }),
      ...pieces.map((piece) => delta({ type: 'text_delta', text: piece })),
      event('content_block_stop', { index: 1 }),
      event('message_delta', {
        delta: { stop_reason: STOP[finish], stop_sequence: null },
        ...(usage && { usage: { output_tokens: 7 } }),
      }),
      event('message_stop'),
    ];
  },

  error: (message, code) => ({
    type: 'error',
    error: { type: code, message },
    request_id: 'req-1',
  }),

  empty: () => ({
    whole: { type: 'message' },
    events: ['event: message_stop\ndata: {"type":"message_stop"}\n\n'],
  }),
};

/** Starts a server of messages; its base URL for clients is its own. */
export function startMessagesServer(
  behave: (request: WireRequest, n: number) => Behaviour,
): Promise<WireServer> {
  return startWireServer(messages, behave);
}
