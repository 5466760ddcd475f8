import { type Session, writeStillPage } from 'alas-jssp/command-line';
import { pageStyle } from '../page/page-style.js';
import { planPageBody } from '../page/plan-page.js';
import type { ShownPlan } from '../page/plan-view.js';

/**
 * Writes a page of plans to a file, and reports its size.
 *
 * @throws InputError if the file cannot be written
 */
export function writePlanPage(
  session: Session,
  file: string,
  title: string,
  shown: readonly ShownPlan[],
): void {
  const body = planPageBody(shown);
  writeStillPage(session, file, { title, body, style: pageStyle, maker: 'alas-coordination' });
}
