import axe from 'axe-core';
import type { Page } from 'playwright-core';

/** The serious findings of axe about a page, with what they are about. */
export async function findings(page: Page): Promise<string[]> {
  return page.evaluate(`(async () => {
    ${axe.source};
    const rules = { 'label-content-name-mismatch': { enabled: true } };
    const { violations } = await axe.run(document, { rules });
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html));
  })()`);
}

/** Everything that is touched and has less than 44 pixels, in words. */
export function tooSmall(page: Page): Promise<string[]> {
  return page.evaluate(`Array.from(document.querySelectorAll('button, a, select, summary, input'))
    .filter((element) => element.offsetParent !== null)
    .filter((element) => document.querySelector('dialog') === null || element.closest('dialog'))
    .map((element) => [element, (element.closest('label:has(input[type=checkbox], input[type=radio])') ?? element).getBoundingClientRect()])
    .filter(([, { width, height }]) => width < 44 || height < 44)
    .map(([element]) => element.outerHTML)`);
}
