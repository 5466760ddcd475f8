// A server of one small model on loopback that speaks the chat completions protocol: plain and
// streaming, with token counts and, for a JSON schema, answers that a grammar holds to it.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

interface ModelServer {
  /** Folder in which node-llama-cpp is installed. */
  modules: string;
  /** GGUF file of the model. */
  weights: string;
  name: string;
  port: number;
  contextTokens?: number;
  threads?: number;
}

interface ChatMessage {
  role: string;
  content: string;
}

/** @returns the base URL of the server, and what ends it */
export async function serveModel({
  modules,
  weights,
  name,
  port,
  contextTokens = 8192,
  threads = 2,
}: ModelServer) {
  const entry = createRequire(`${modules}/`).resolve('node-llama-cpp');
  const { getLlama, LlamaChatSession } = await import(pathToFileURL(entry).href);
  const llama = await getLlama({ gpu: false, build: 'never', logLevel: 'error' });
  const model = await llama.loadModel({ modelPath: weights });
  const context = await model.createContext({ contextSize: contextTokens, threads });
  const sequence = context.getSequence();
  let turn: Promise<unknown> = Promise.resolve();

  const server = createServer((request, response) => {
    // One answer after the other: there is one sequence.
    turn = turn.then(() => handle(request, response)).catch((error) => fail(response, 500, error));
  });

  async function handle(request: IncomingMessage, response: ServerResponse) {
    if (request.method !== 'POST' || !request.url?.endsWith('/chat/completions')) {
      return fail(response, 404, new Error(`there is no ${request.method} ${request.url}`));
    }
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const asked = JSON.parse(Buffer.concat(chunks).toString());
    const gone = new AbortController();
    response.on('close', () => gone.abort());
    await sequence.clearHistory();
    const session = new LlamaChatSession({ contextSequence: sequence, systemPrompt: '' });
    session.setChatHistory(historyOf(asked.messages.slice(0, -1)));
    const schema = asked.response_format?.json_schema?.schema;
    const before = sequence.tokenMeter.getState();
    const send = asked.stream ? openStream(response, name) : undefined;
    try {
      const { responseText, stopReason } = await session.promptWithMeta(
        asked.messages.at(-1).content,
        {
          maxTokens: asked.max_completion_tokens ?? asked.max_tokens,
          temperature: asked.temperature ?? 0.2,
          topP: asked.top_p,
          seed: asked.seed,
          grammar:
            schema === undefined ? undefined : await llama.createGrammarForJsonSchema(schema),
          signal: gone.signal,
          stopOnAbortSignal: true,
          onTextChunk: (content: string) => send?.({ choices: [choice({ delta: { content } })] }),
        },
      );
      const used = sequence.tokenMeter.diff(before);
      const usage = {
        prompt_tokens: used.usedInputTokens,
        completion_tokens: used.usedOutputTokens,
        total_tokens: used.usedInputTokens + used.usedOutputTokens,
      };
      const finish_reason = stopReason === 'maxTokens' ? 'length' : 'stop';
      if (send !== undefined) {
        send({ choices: [choice({ delta: {}, finish_reason })] });
        send({ choices: [], usage });
        return response.end('data: [DONE]\n\n');
      }
      const message = { role: 'assistant', content: responseText };
      reply(response, 200, {
        ...head(name, 'chat.completion'),
        choices: [choice({ message, finish_reason })],
        usage,
      });
    } catch (error) {
      if (!gone.signal.aborted) fail(response, 400, error as Error);
    } finally {
      session.dispose({ disposeSequence: false });
    }
  }

  await new Promise<void>((resolve, reject) => {
    server.on('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${port}/v1`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await llama.dispose();
    },
  };
}

function historyOf(messages: readonly ChatMessage[]) {
  return messages.map(({ role, content }) =>
    role === 'assistant' ? { type: 'model', response: [content] } : { type: role, text: content },
  );
}

function head(model: string, object: string) {
  return { id: `local-${Date.now()}`, object, created: Math.floor(Date.now() / 1000), model };
}

function choice(parts: object) {
  return { index: 0, finish_reason: null, ...parts };
}

function openStream(response: ServerResponse, model: string) {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const first = head(model, 'chat.completion.chunk');
  return (parts: object) => response.write(`data: ${JSON.stringify({ ...first, ...parts })}\n\n`);
}

function reply(response: ServerResponse, status: number, body: unknown) {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

function fail(response: ServerResponse, status: number, { message }: { message: string }) {
  if (response.headersSent) return response.end();
  reply(response, status, { error: { message, type: 'invalid_request_error', code: null } });
}
