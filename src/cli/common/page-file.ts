import { readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { replaceFile } from '../../core/replace-file.js';
import type { PageContents } from '../../harness/page/page-data.js';
import { pageHtml } from '../../report/page/html.js';
import { remark } from './output.js';
import type { Session } from './session.js';

/**
 * Writes a page to a file, and says how large it is.
 *
 * @throws InputError if the file cannot be written
 */
export function writePage(session: Session, file: string, page: PageContents): void {
  const { resolve } = createRequire(import.meta.url);
  const script = readFileSync(resolve('#page-script'), 'utf8');
  const style = readFileSync(resolve('#page-style'), 'utf8');
  replaceFile(file, pageHtml(page, { script, style }));
  const megabytes = (statSync(file).size / 1e6).toFixed(1);
  remark(session, `wrote ${file} (${megabytes} MB); open it in a browser`);
}
