import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';

const FOLDER = '.github/ISSUE_TEMPLATE';
const forms = readdirSync(FOLDER).filter((file) => file !== 'config.yml');
const read = (file: string) => parse(readFileSync(join(FOLDER, file), 'utf8'));

interface Part {
  readonly type: string;
  readonly id?: string;
  readonly attributes: { readonly label?: string; readonly value?: string };
}

describe('a form for issues', () => {
  // As GitHub describes them in "Syntax for GitHub's form schema": a form with a fault is not shown.
  test.each(forms)('%s is one that the code host can show', (file) => {
    const { name, description, body } = read(file);
    expect([typeof name, typeof description]).toEqual(['string', 'string']);
    const parts = body as readonly Part[];
    for (const { type, id, attributes } of parts) {
      expect(['markdown', 'input', 'textarea', 'dropdown', 'checkboxes']).toContain(type);
      if (type === 'markdown') expect(attributes.value).toMatch(/\S/);
      else expect([id, attributes.label]).toEqual([expect.any(String), expect.any(String)]);
    }
    const ids = parts.flatMap(({ id }) => id ?? []);
    expect(new Set(ids).size).toBe(ids.length);
    const texts = JSON.stringify(body);
    expect(texts).not.toContain('[object');
  });

  test('is not the only way in: the list of links names places that exist', () => {
    const { contact_links: links } = read('config.yml');
    for (const { url } of links) expect(url).toMatch(/^https:\/\/github\.com\/alas-jssp\//);
    expect(links).toHaveLength(2);
  });
});
