import fc from 'fast-check';
import { expect, it } from 'vitest';
import { stillPageHtml } from '../../../src/report/page/html.js';
import { markup } from '../../../src/report/page/markup.js';

it('shows whatever is put into markup as text, in elements and in attributes', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme-ascii' }), (text) => {
      const { html } = markup`<a title="${text}">${text}</a>`;
      const [attribute, content] = [/^<a title="([^"]*)">/, />([^<]*)<\/a>$/].map(
        (pattern) => pattern.exec(html)?.[1],
      );
      expect(attribute).toBe(content);
      expect(unescaped(content ?? 'not there')).toBe(text);
    }),
  );
});

it('puts markup and lists as they are, and nothing where there is none', () => {
  const list = ['a', 'b'].map((name) => markup`<li>${name}</li>`);
  const { html } = markup`<ul>${list}</ul>${null}${undefined}${false}${0}${''}`;
  expect(html).toBe('<ul><li>a</li><li>b</li></ul>0');
});

it('shows signs that turn the direction of reading by their numbers', () => {
  expect(markup`${'a\u202eb'}`.html).toBe('a\\u202eb');
});

it('refuses a style that would end its element', () => {
  const page = { title: 't', body: markup`<p>${'<b>'}</p>`, style: '', maker: 'm' };
  const html = stillPageHtml(page, { script: '1;', style: 'p{}' });
  expect(html).toContain('<main><p>&lt;b&gt;</p></main>');
  expect(() =>
    stillPageHtml({ ...page, style: '</style><script>' }, { script: '', style: '' }),
  ).toThrow(RangeError);
});

/** Text that HTML shows, but for signs that are shown by their numbers. */
function unescaped(html: string): string {
  return html
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}
