import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A message of a request, as the frameworks send them. */
interface ChatMessage {
  readonly role: string;
  readonly content?: string | null | readonly { readonly text?: string }[];
  readonly tool_calls?: readonly unknown[];
}

/** A request to the endpoint. */
export interface ChatRequest {
  readonly model: string;
  readonly messages: readonly ChatMessage[];
  readonly max_tokens?: number;
  readonly max_completion_tokens?: number;
  readonly tools?: readonly { readonly function: { readonly name: string } }[];
  readonly stream?: boolean;
}

/** What the endpoint does with a request. */
export type ChatAnswer =
  | {
      readonly text: string;
      readonly call?: string;
      readonly input: number;
      readonly output: number;
    }
  | { readonly status: number; readonly message: string };

/** An endpoint on loopback that speaks OpenAI's chat completions. */
export interface Endpoint {
  readonly url: string;
  readonly requests: readonly ChatRequest[];
  close(): Promise<void>;
}

/** Starts an endpoint; requests that the real one would refuse get status 400. */
export async function startEndpoint(
  answer: (request: ChatRequest) => ChatAnswer,
): Promise<Endpoint> {
  const requests: ChatRequest[] = [];
  const server = createServer(async (incoming, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const send = (status: number, body: object) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
    };
    const refuse = (status: number, message: string) =>
      send(status, { error: { message, type: 'invalid_request_error', param: null, code: null } });
    if (incoming.method !== 'POST' || incoming.url !== '/v1/chat/completions') {
      return refuse(404, `no ${incoming.method} ${incoming.url}`);
    }
    const request = JSON.parse(Buffer.concat(chunks).toString()) as ChatRequest;
    const fault = faultOf(request);
    if (fault !== null) return refuse(400, fault);
    requests.push(request);
    const made = answer(request);
    if ('status' in made) return refuse(made.status, made.message);
    send(200, completion(request, made, requests.length));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** All text of a request. */
export function textOf({ messages }: ChatRequest): string {
  return messages.map(contentOf).join('\n');
}

function contentOf({ content }: ChatMessage): string {
  if (typeof content === 'string') return content;
  return (content ?? []).map(({ text = '' }) => text).join('');
}

const ROLES = ['system', 'developer', 'user', 'assistant', 'tool'];

/** Why the real endpoint would refuse a request; null if it would not. */
function faultOf({ model, messages, stream, ...limits }: ChatRequest): string | null {
  if (typeof model !== 'string' || model === '') return 'you must provide a model parameter';
  if (!Array.isArray(messages) || messages.length === 0) return 'messages are missing';
  const strange = messages.find(({ role }) => !ROLES.includes(role));
  if (strange !== undefined) return `invalid role ${strange.role}`;
  const empty = messages.find((one) => contentOf(one) === '' && one.tool_calls === undefined);
  if (empty !== undefined) return `a message of ${empty.role} is empty`;
  if (stream) return 'this endpoint does not stream';
  const { max_tokens, max_completion_tokens } = limits;
  return (max_tokens ?? max_completion_tokens) === undefined ? 'the tokens have no limit' : null;
}

function completion(
  { model }: ChatRequest,
  made: Extract<ChatAnswer, { text: string }>,
  n: number,
) {
  const { text, call, input, output } = made;
  const tool = { id: `call-${n}`, type: 'function', function: { name: call, arguments: '{}' } };
  const message = {
    role: 'assistant',
    content: text,
    refusal: null,
    ...(call !== undefined && { tool_calls: [tool] }),
  };
  const finish_reason = call === undefined ? 'stop' : 'tool_calls';
  return {
    id: `chatcmpl-${n}`,
    object: 'chat.completion',
    created: 1_790_000_000,
    model,
    choices: [{ index: 0, message, logprobs: null, finish_reason }],
    usage: { prompt_tokens: input, completion_tokens: output, total_tokens: input + output },
  };
}
