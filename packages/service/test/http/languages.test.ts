import { join } from 'node:path';
import { InputError } from '@alas-jssp/core/errors';
import { describe, expect, it, onTestFinished } from 'vitest';
import { writeInstanceJson } from '../../../../src/jssp/formats/instance-json.js';
import { german } from '../../../../src/jssp/sentences/german.js';
import { TRANSLATED_CODES } from '../../../../src/jssp/sentences/problems.js';
import { temporaryDirectory } from '../../../../test/temporary-directory.js';
import { openSqliteStore } from '../../../workflow/src/index.js';
import { demoShop } from '../../src/demo/demo-shop.js';
import { createApp } from '../../src/http/app.js';
import { answerToError } from '../../src/http/problems.js';
import { openShopDirectory } from '../../src/shops/open-directory.js';

const boss = { caller: { name: 'boss', role: 'decide' } } as const;
const approval = { seconds: 3600, otherwise: 'decline' };

/** A service with the shop of the demo in threads, and how it is asked in a language. */
async function serve() {
  const data = join(temporaryDirectory(), 'shops');
  const directory = await openShopDirectory({ data, threads: 1 });
  const instance = JSON.parse(writeInstanceJson(demoShop()));
  await directory.create({ id: 'halle', instance, policy: { approval } }, boss);
  const app = await createApp({ directory });
  onTestFinished(async () => {
    await app.close();
    await directory.stop();
  });
  const address = await app.listen({ port: 0, host: '127.0.0.1' });
  const ask = async (language: string | undefined, path: string, body?: unknown) => {
    const answer = await fetch(`${address}/${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        ...(language !== undefined && { 'accept-language': language }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      body: body === undefined ? null : JSON.stringify(body),
    });
    // biome-ignore lint/suspicious/noExplicitAny: answers are looked into
    return { headers: answer.headers, json: (await answer.json()) as any };
  };
  return { ask, address, directory, data };
}

const down = { events: [{ kind: 'breakdown', machine: 'Lathe 1', to: 120 }] };

describe('a service', () => {
  it('answers in the language that a request accepts, in English unless asked, and says which it is', async () => {
    const { ask } = await serve();
    const { json: outcome, headers } = await ask('de-CH, de;q=0.9', 'shops/halle/events', down);
    expect(headers.get('content-language')).toBe('de');
    expect(headers.get('vary')).toContain('accept-language');
    expect(outcome.lines[0]).toMatch(
      /^Mo 23\.11\. 06:00: Störung an Lathe 1 bis 08:00; \d+ Arbeitsgänge verschieben sich, alles fertig bis /,
    );
    expect(outcome.moves[0].cause).toContain('Lathe 1 steht bis 08:00');
    const english = await ask(undefined, 'shops/halle');
    expect(english.headers.get('content-language')).toBe('en');
    expect(english.json.proposal.command).toBe('Lathe 1 broke down until 08:00');
    expect(english.json.proposal.moves[0].cause).toContain('Lathe 1 is down until 08:00');
    const { json: state } = await ask('de', 'shops/halle');
    expect(state.proposal.command).toBe('Störung an Lathe 1 bis 08:00');
    const { json: view } = await ask('de', 'shops/halle/view?version=proposal');
    expect(view.moves.moved[0].why).toContain('Lathe 1 steht bis 08:00');
    await ask('de', 'shops/halle/proposals/version-2/decline', { reason: 'läuft' });
    const story = async (language: string) => (await ask(language, 'shops/halle/story')).json.lines;
    expect((await story('en')).join('\n')).toContain('denied version-2: läuft');
    expect((await story('de')).join('\n')).toContain('hat abgelehnt: läuft');
    const { json: history } = await ask('de', 'shops/halle/history');
    expect(history[0].lines[0]).toContain('Störung an Lathe 1');
  });

  it('keeps the facts of a refusal in its log, and renders its reason in each language', async () => {
    const { ask, data } = await serve();
    const back = { events: [{ kind: 'restored', machine: 'Mill' }] };
    const { json: first } = await ask('de', 'shops/halle/events', back);
    expect(first.reasons).toEqual([
      'Mill läuft wieder: die Maschine steht gar nicht (Mo 23.11. 06:00)',
    ]);
    const { json: dry } = await ask('de', 'shops/halle/events?dry-run', back);
    expect(dry.skipped[0].reason).toBe(first.reasons[0]);
    const { json: history } = await ask('en', 'shops/halle/history');
    expect(history[0].lines[0]).toContain(
      'restoration of Mill: it is not down at Mon 23 Nov 06:00',
    );
    const store = openSqliteStore(join(data, 'shops.db'));
    const logged = [...store.read({ runId: 'halle' })].map((entry) => JSON.stringify(entry));
    store.close();
    expect(logged.some((entry) => entry.includes('machine_up'))).toBe(true);
    expect(logged.filter((entry) => /läuft|steht|Maschine/.test(entry))).toEqual([]);
  });

  it('streams changes to each follower in its own language', async () => {
    const { address, directory } = await serve();
    const follow = async (language: string) => {
      const { body } = await fetch(`${address}/shops/halle/changes`, {
        headers: { 'accept-language': language },
      });
      const reader = (body as ReadableStream<Uint8Array>).getReader();
      await reader.read();
      return async () => {
        let text = '';
        while (!text.includes('"kind":"proposal"')) {
          text += new TextDecoder().decode((await reader.read()).value);
        }
        await reader.cancel();
        return text;
      };
    };
    const followers = [await follow('de'), await follow('en')];
    await directory.report('halle', down, boss);
    const both = Promise.all(followers.map((read) => read()));
    const [de, en] = await both;
    expect(de).toContain('Störung an Lathe 1');
    expect(en).toContain('Lathe 1 broke down');
  });

  it('reports errors and serves the page in the language of the request', async () => {
    const { ask, address } = await serve();
    const { json, headers } = await ask('de', 'shops/keller');
    expect(headers.get('content-language')).toBe('de');
    expect(json).toMatchObject({
      status: 404,
      code: 'no_shop',
      detail: 'es gibt keine Werkstatt „keller“',
    });
    expect((await ask('fr', 'shops/keller')).json.detail).toBe('there is no shop "keller"');
    const page = async (language: string) => {
      const answer = await fetch(`${address}/`, { headers: { 'accept-language': language } });
      return { tag: answer.headers.get('etag'), html: await answer.text() };
    };
    const [de, en] = [await page('de'), await page('en')];
    expect(de.html).toContain('<html lang="de">');
    expect(en.html).toContain('<html lang="en-GB">');
    expect(de.tag).not.toBe(en.tag);
  });

  it('keeps the English text and hint of an error that has no sentence in German', () => {
    const error = new InputError('bad_event', 'this is "Frase"', 'did you mean Fräse?');
    expect(answerToError(error, 'de').problem).toMatchObject({
      detail: 'Das geht so nicht: this is "Frase"',
      hint: 'did you mean Fräse?',
    });
  });

  it('has a sentence in German for every code, and never lacks a fact in it', () => {
    const problems = german.problems as NonNullable<typeof german.problems>;
    const facts = { why: 'missing', field: 'due' };
    for (const code of TRANSLATED_CODES) {
      const said = problems[code]({ facts, event: '', time: () => '14:10' }) ?? [];
      expect(said[0]).toMatch(/\p{L}/u);
      expect(said.join(' ')).not.toMatch(/(?<!\p{L})(the|is|it|not|there|of|to)(?!\p{L})/u);
    }
    const { problem } = answerToError(new TypeError('x is undefined'), 'de');
    expect(problem).toMatchObject({ status: 500, detail: 'das ist ein Fehler des Dienstes' });
  });
});
