import { styleText } from 'node:util';

/** Colours and weights of texts on a terminal. */
export type Style = 'red' | 'green' | 'yellow' | 'blue' | 'magenta' | 'cyan' | 'white' | 'dim';

/** A function that styles texts for a terminal; without `color` it returns them unchanged. */
export function painter(color: boolean): (style: Style | null, text: string) => string {
  // The caller knows whether its stream is a terminal that shows colours.
  return (style, text) =>
    color && style !== null ? styleText(style, text, { validateStream: false }) : text;
}
