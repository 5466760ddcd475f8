/**
 * A text of a stranger as HTML that shows just that text, in one line: Markdown ends a block of HTML at an empty one, and
 * signs that turn the direction of reading would reach beyond the text.
 */
export function plain(text) {
  const names = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
  return text
    .replaceAll(/\p{Bidi_Control}/gu, '')
    .replaceAll(/[&<>"']/g, (letter) => names[letter])
    .replaceAll(/\s+/g, ' ');
}

export function formatSeconds(seconds) {
  if (seconds < 1) return `${(1000 * seconds).toFixed(0)} ms`;
  return seconds < 100 ? `${seconds.toFixed(1)} s` : `${(seconds / 60).toFixed(0)} min`;
}

export function formatMoney(dollars) {
  return `$${dollars.toFixed(dollars < 1 ? 4 : 2)}`;
}
