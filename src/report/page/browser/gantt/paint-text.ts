/** The font of the names of rows. */
export const NAME_FONT = '12px system-ui, "DejaVu Sans", sans-serif';

/** Whether a text fits; numbers are assumed to have 7 pixels per digit, and only names are measured. */
export function hasRoom(context: CanvasRenderingContext2D, text: string, room: number): boolean {
  if (text.length * 7 > room + 2 * text.length) return false;
  return /^\d+$/.test(text) ? text.length * 7 <= room : context.measureText(text).width <= room;
}

/** A text, truncated if there is not enough room for it. */
export function cutToFit(context: CanvasRenderingContext2D, text: string, room: number): string {
  if (context.measureText(text).width <= room) return text;
  let length = text.length - 1;
  while (length > 1 && context.measureText(`${text.slice(0, length)}…`).width > room) length--;
  return `${text.slice(0, length)}…`;
}
