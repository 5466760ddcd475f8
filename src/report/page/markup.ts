import { printableLine } from '@alas-jssp/core/errors';

/** Safe HTML or SVG. Only {@link markup} makes it. */
export interface Markup {
  readonly html: string;
}

/** A value of a template: text unless it is markup; null and undefined are empty; lists are concatenated. */
type MarkupValue = string | number | Markup | null | undefined | false | readonly MarkupValue[];

/** Markup from a template; inserted values are escaped as text, unless they are markup. */
export function markup(parts: TemplateStringsArray, ...values: readonly MarkupValue[]): Markup {
  return { html: parts.reduce((html, part, at) => html + htmlOf(values[at - 1]) + part) };
}

function htmlOf(value: MarkupValue): string {
  if (value === null || value === undefined || value === false) return '';
  if (typeof value === 'string' || typeof value === 'number') return escapeHtml(String(value));
  return 'html' in value ? value.html : value.map(htmlOf).join('');
}

/**
 * Text escaped for HTML, in an element or in a quoted attribute. Characters that change the text direction are shown as
 * code points, because one in a name would reverse the text after it.
 */
export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
    .replaceAll(/\p{Bidi_Control}/gu, (sign) => printableLine(sign));
}
