import { completable, McpServer, ResourceTemplate } from '@modelcontextprotocol/server';
import * as z from 'zod';

/** One red point, and silence: as small as these formats get. */
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=';

const text = (words: string) => ({ type: 'text' as const, text: words });
const image = { type: 'image' as const, data: PNG, mimeType: 'image/png' };
const audio = { type: 'audio' as const, data: WAV, mimeType: 'audio/wav' };
const embedded = (uri: string, mimeType: string, words: string) => ({
  type: 'resource' as const,
  resource: { uri, mimeType, text: words },
});

/** A server with everything that the conformance suite asks for. */
export function conformanceServer(): McpServer {
  const server = new McpServer(
    { name: 'conformance', version: '1' },
    { capabilities: { logging: {}, resources: { subscribe: true } } },
  );
  addTools(server);
  addResources(server);
  addPrompts(server);
  return server;
}

function addTools(server: McpServer): void {
  const answers = {
    test_simple_text: [text('This is a simple text response for testing.')],
    test_image_content: [image],
    test_audio_content: [audio],
    test_embedded_resource: [
      embedded('test://embedded-resource', 'text/plain', 'This is an embedded resource content.'),
    ],
    test_multiple_content_types: [
      text('Multiple content types test:'),
      image,
      embedded('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
    ],
  };
  for (const [name, content] of Object.entries(answers)) {
    server.registerTool(name, { description: 'Answers the same always' }, () => ({ content }));
  }
  server.registerTool('test_error_handling', { description: 'Fails' }, () => {
    throw new Error('This tool intentionally returns an error for testing');
  });
  server.registerTool('test_tool_with_logging', { description: 'Logs' }, async ({ mcpReq }) => {
    for (const data of ['Tool execution started', 'Tool processing data', 'Tool execution ended']) {
      await mcpReq.log('info', data);
    }
    return { content: [text('done')] };
  });
  server.registerTool('test_tool_with_progress', { description: 'Tells' }, async ({ mcpReq }) => {
    const progressToken = mcpReq._meta?.progressToken ?? 0;
    for (const progress of [0, 50, 100]) {
      const params = { progressToken, progress, total: 100 };
      await mcpReq.notify({ method: 'notifications/progress', params });
    }
    return { content: [text('done')] };
  });
  const address = z.object({ street: z.string().optional(), city: z.string().optional() });
  server.registerTool(
    'json_schema_2020_12_tool',
    {
      description: 'Has a schema with definitions',
      inputSchema: z.strictObject({
        name: z.string().optional(),
        address: address.meta({ id: 'address' }).optional(),
      }),
    },
    () => ({ content: [text('done')] }),
  );
}

function addResources(server: McpServer): void {
  const words = 'This is the content of the static text resource.';
  server.registerResource('text', 'test://static-text', { mimeType: 'text/plain' }, ({ href }) => ({
    contents: [{ uri: href, mimeType: 'text/plain', text: words }],
  }));
  server.registerResource('png', 'test://static-binary', { mimeType: 'image/png' }, ({ href }) => ({
    contents: [{ uri: href, mimeType: 'image/png', blob: PNG }],
  }));
  server.registerResource('watched', 'test://watched-resource', {}, ({ href }) => ({
    contents: [{ uri: href, mimeType: 'text/plain', text: 'Watched' }],
  }));
  server.registerResource(
    'template',
    new ResourceTemplate('test://template/{id}/data', { list: undefined }),
    { mimeType: 'application/json' },
    ({ href }, { id }) => ({
      contents: [{ uri: href, mimeType: 'application/json', text: JSON.stringify({ id }) }],
    }),
  );
  server.server.setRequestHandler('resources/subscribe', () => ({}));
  server.server.setRequestHandler('resources/unsubscribe', () => ({}));
}

function addPrompts(server: McpServer): void {
  const asked = (...contents: Parameters<typeof userMessage>[0][]) => ({
    messages: contents.map(userMessage),
  });
  const simple = asked(text('This is a simple prompt for testing.'));
  server.registerPrompt('test_simple_prompt', { description: 'Plain' }, () => simple);
  const arg = completable(z.string(), () => ['testing']);
  server.registerPrompt(
    'test_prompt_with_arguments',
    { description: 'Two arguments', argsSchema: z.object({ arg1: arg, arg2: z.string() }) },
    ({ arg1, arg2 }) => asked(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)),
  );
  server.registerPrompt(
    'test_prompt_with_embedded_resource',
    { description: 'A resource', argsSchema: z.object({ resourceUri: z.string() }) },
    ({ resourceUri }) =>
      asked(
        embedded(resourceUri, 'text/plain', 'Embedded resource content for testing.'),
        text('Please process the embedded resource above.'),
      ),
  );
  const pictured = asked(image, text('Please analyze the image above.'));
  server.registerPrompt('test_prompt_with_image', { description: 'A picture' }, () => pictured);
}

function userMessage(content: ReturnType<typeof text | typeof embedded> | typeof image) {
  return { role: 'user' as const, content };
}
