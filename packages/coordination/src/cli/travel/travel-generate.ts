import { writeJsonFile } from '@alas-jssp/core';
import {
  Command,
  exitCode,
  outputFile,
  print,
  type Session,
  wholeNumber,
  withQuiet,
  withSeed,
} from 'alas-jssp/command-line';
import { generateTravel } from '../../travel/generate/generate-travel.js';
import { formatDay, parseDay } from '../../travel/model/moment.js';

interface Options {
  seed: number;
  cities: number;
  days: number;
  travellers: number;
  budget: number;
  out?: string;
}

/** `alas-coordination travel generate`: a trip with invented offers. */
export function travelGenerateCommand(session: Session): Command {
  return withSeed(withQuiet(session, new Command('generate')))
    .description('generate a trip with invented offers')
    .option('--cities <count>', 'cities to stay in, 1 to 8', wholeNumber('a count', 1), 2)
    .option('--days <count>', 'days of the period', wholeNumber('a count', 3), 14)
    .option('--travellers <count>', 'travellers', wholeNumber('a count', 1), 2)
    .option('--budget <amount>', 'budget', wholeNumber('an amount', 0), 6000)
    .option('--out <file>', 'file for the trip (default: stdout)', outputFile)
    .addHelpText(
      'after',
      `
Examples:
  $ alas-coordination travel generate --seed 7 --cities 3 --out trip.json
  $ alas-coordination travel generate | alas-coordination travel plan -`,
    )
    .action(async ({ seed, cities, days, travellers, budget, out }: Options, command: Command) => {
      if (cities > 8) command.error('--cities is at most 8');
      const from = '2025-06-01';
      const trip = generateTravel({
        name: `generated-${seed}`,
        seed,
        home: { id: 'Home', utc_offset: -420 },
        cities: Array.from({ length: cities }, (_, i) => ({
          id: `City ${String.fromCharCode(65 + i)}`,
          utc_offset: 120,
          nights: 1 + ((seed + i) % 3),
          slack: 1,
        })),
        from,
        until: formatDay(parseDay(from) + days - 1),
        travellers,
        budget,
      });
      if (out === undefined) await print(session, JSON.stringify(trip, null, 2));
      else writeJsonFile(out, trip);
      session.exitCode = exitCode.done;
    });
}
