import { readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { monotonicSeconds } from '@alas-jssp/core/clock';
import { replaceFile, requireWritable } from '@alas-jssp/core/replace-file';
import {
  type PageAssets,
  pageHtml,
  type StillPage,
  stillPageHtml,
} from '../../report/page/html.js';
import type { PageContents, PageDetail } from '../../report/page/views/page-data.js';
import { LINE_EVERY, remark } from './output.js';
import type { Session } from './session.js';

/**
 * Writes a page to a file and remarks its size.
 *
 * @throws InputError if the file cannot be written
 */
export function writePage(session: Session, file: string, page: PageContents): void {
  requireWritable(file);
  const details = withProgress(session, page);
  writeHtml(session, file, pageHtml({ ...page, details }, assetsOf('#page-script')));
}

/** Writes a rendered page, as {@link writePage} does. */
export function writeStillPage(session: Session, file: string, page: StillPage): void {
  writeHtml(session, file, stillPageHtml(page, assetsOf('#page-still-script')));
}

function assetsOf(script: '#page-script' | '#page-still-script'): PageAssets {
  const { resolve } = createRequire(import.meta.url);
  return {
    script: readFileSync(resolve(script), 'utf8'),
    style: readFileSync(resolve('#page-style'), 'utf8'),
  };
}

function writeHtml(session: Session, file: string, html: string): void {
  replaceFile(file, html);
  const megabytes = (statSync(file).size / 1e6).toFixed(1);
  remark(session, `wrote ${file} (${megabytes} MB); open it in a browser`);
}

/** Passes on the details of a page, with a line of progress on stderr every few seconds. */
function* withProgress(session: Session, { data, details }: PageContents): Generator<PageDetail> {
  const all = data.records.length + data.executions.length + data.logs.length;
  let reported = monotonicSeconds();
  let count = 0;
  for (const detail of details) {
    yield detail;
    count++;
    if (monotonicSeconds() - reported < LINE_EVERY) continue;
    reported = monotonicSeconds();
    remark(session, `${count} of ${all} views`);
  }
}
