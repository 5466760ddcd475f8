import { Command, type Session } from 'alas-jssp/command-line';
import { travelBookCommand, travelResumeCommand } from './travel-book.js';
import { travelGenerateCommand } from './travel-generate.js';
import { travelPlanCommand } from './travel-plan-command.js';
import { travelRunCommand } from './travel-run.js';
import { travelServeCommand } from './travel-serve.js';
import { travelReplayCommand, travelShowCommand } from './travel-show.js';
import { travelValidateCommand } from './travel-validate.js';

/** `alas-coordination travel`: trips, one file for each family of subcommands. */
export function travelCommand(session: Session): Command {
  const command = new Command('travel').addHelpText(
    'after',
    `
A trip is a file with offers: flights, trains, hotels by night, passes. Bundled:
berlin-cologne, the trip of SagaLLM with offers that we invented.

Examples:
  $ alas-coordination travel plan berlin-cologne
  $ alas-coordination travel book berlin-cologne --events flight-cancelled
  $ alas-coordination travel book berlin-cologne --log trip.db --approve
  $ alas-coordination travel resume trip.db --choose 2 --by ann
  $ alas-coordination travel replay trip.db`,
  );
  const subcommands = [
    travelPlanCommand(session),
    travelValidateCommand(session),
    travelBookCommand(session),
    travelResumeCommand(session),
    travelShowCommand(session),
    travelReplayCommand(session),
    travelRunCommand(session),
    travelServeCommand(session),
    travelGenerateCommand(session),
  ];
  for (const subcommand of subcommands) command.addCommand(subcommand);
  return command;
}
