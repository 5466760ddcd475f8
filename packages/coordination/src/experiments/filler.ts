const ROOMS = ['the reading room', 'the map room', 'the reference desk', 'the newspaper room'];
const THINGS = ['shelf', 'lamp', 'catalogue drawer', 'chair', 'window blind', 'book trolley'];
const STATES = [
  'was dusted and is in good order',
  'was counted again, with the same result',
  'has a new label in blue ink',
  'was moved a little to the left',
  'waits for a screw that is on order',
];
const NOTES = 120;

/** One note unrelated to any problem; equal numbers give equal notes. */
export function libraryNote(number: number): string {
  const pick = (some: readonly string[], step: number) =>
    some[Math.floor(number / step) % some.length];
  return `Note ${number + 1}: in ${pick(ROOMS, 1)}, the ${pick(THINGS, 4)} ${pick(STATES, 24)}.`;
}

/** Filler text unrelated to any problem, about 2,500 tokens: constant, without times or names or places of problems. */
export function fillerText(): string {
  const notes = Array.from({ length: NOTES }, (_, i) => {
    const pick = (some: readonly string[], step: number) =>
      some[(i * step + (i >> 2)) % some.length];
    return `Note ${i + 1}: in ${pick(ROOMS, 3)}, the ${pick(THINGS, 5)} ${pick(STATES, 7)}.`;
  });
  return `Before that, the notes of a library, which have nothing to do with the plan:\n\n${notes.join('\n')}`;
}
