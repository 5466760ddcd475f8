import {
  Command,
  collect,
  exitCode,
  onInterruption,
  print,
  remark,
  type Session,
  wholeNumber,
  withQuiet,
} from 'alas-jssp/command-line';
import { DESK_FAULTS, parseDeskFault } from '../../travel/service/desk-faults.js';
import { startTravelService } from '../../travel/service/travel-service.js';
import { loadTrip } from './load-trip.js';

interface Options {
  port?: number;
  fault?: string[];
  state?: string;
}

/** The faults of a service as lines of a help. */
export function faultHelp(): string {
  return Object.entries(DESK_FAULTS)
    .map(([name, words]) => `  ${name.padEnd(15)} ${words}`)
    .join('\n');
}

/** `alas-coordination travel serve`: a booking service for the offers of a trip. */
export function travelServeCommand(session: Session): Command {
  return withQuiet(session, new Command('serve'))
    .description('run a booking service for the offers of a trip, with faults if asked')
    .argument('<trip>', 'a bundled trip or a file; - for stdin')
    .option('--port <port>', 'port (default: any free one)', wholeNumber('a port', 1))
    .option('--fault <fault>', 'FAULT:WHERE:TIMES; may be repeated', collect)
    .option('--state <file>', 'file that keeps its books, to start again with')
    .addHelpText(
      'after',
      `
WHERE is flight, train, hotel, pass, the id of an offer, or * (default). TIMES
is 1 by default, and without end for down, slow and stuck.

Faults:
${faultHelp()}

Examples:
  $ alas-coordination travel serve berlin-cologne --port 8088
  $ alas-coordination travel serve berlin-cologne --fault lost_answer:hotel`,
    )
    .action(async (spec: string, { port, fault = [], state }: Options) => {
      const problem = await loadTrip(session, spec);
      const service = await startTravelService(problem, {
        faults: fault.map(parseDeskFault),
        ...(port !== undefined && { port }),
        ...(state !== undefined && { state }),
      });
      await print(session, service.url);
      await new Promise<void>((done) => onInterruption(session, done));
      await service.stop();
      remark(session, `${service.bookings().length} bookings in the books`);
      session.exitCode = exitCode.done;
    });
}
