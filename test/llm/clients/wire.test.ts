import { expect, test } from 'vitest';
import { bound } from '../../../src/llm/clients/wire.js';

const EVENT = `data: ${'x'.repeat(2 ** 10)}`;
const EVENTS = 2 ** 11;

/** Events that come in pieces, as some servers write them. */
function stream(...pieces: string[]): Response {
  let n = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      for (const piece of pieces) controller.enqueue(new TextEncoder().encode(piece));
      if (++n === EVENTS) controller.close();
    },
  });
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
}

test('many events are not taken for one without end, wherever they are cut', async () => {
  for (const end of ['\n\n', '\r\n\r\n']) {
    for (let cut = 0; cut <= end.length; cut++) {
      const pieces = [EVENT + end.slice(0, cut), end.slice(cut)].filter((piece) => piece !== '');
      const { response, isCut } = bound(stream(...pieces), 2 ** 23);
      const text = await response.text();
      expect([isCut(), text.length]).toEqual([false, EVENTS * (EVENT.length + end.length)]);
    }
  }
  const { response, isCut } = bound(stream(`${EVENT}\n`), 2 ** 23);
  await response.text();
  expect(isCut()).toBe(true);
});
