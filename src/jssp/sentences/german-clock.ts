import type { ClockWords } from '../shop-clock.js';

let day: Intl.DateTimeFormat | undefined;
let dayOfYear: Intl.DateTimeFormat | undefined;

const usual = { weekday: 'short', day: '2-digit', month: '2-digit', timeZone: 'UTC' } as const;

/** The words of clocks in German: `Mo 23.11. 14:10`, `2 Tage 4 h`. */
export const GERMAN_CLOCK: ClockWords = {
  day(wall, withYear) {
    day ??= new Intl.DateTimeFormat('de', usual);
    dayOfYear ??= new Intl.DateTimeFormat('de', { ...usual, year: 'numeric' });
    // `Mo., 23.11.` is written without these characters on the shop floor.
    return (withYear ? dayOfYear : day).format(wall).replace('.,', '');
  },
  units: ['Tage', 'h', 'min', 's'],
};
