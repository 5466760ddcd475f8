/** Characters that no XML document can have, not even escaped. */
const NOT_XML = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;
const ALL_NOT_XML = new RegExp(NOT_XML, 'gu');

/** Whether XML can have all characters of a text. */
export function isXmlText(text: string): boolean {
  return !NOT_XML.test(text);
}

/** A text as the content of an element. Readers turn an unescaped carriage return into another line end. */
export function escapeXml(text: string): string {
  const kept = text.replaceAll(ALL_NOT_XML, '\ufffd');
  const marked = kept.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return marked.replaceAll('\r', '&#13;');
}
