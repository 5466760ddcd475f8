/**
 * Texts about what only some shops have: alternative machines, setups, transport, waiting times, operators and
 * precedence graphs. They are in no prompt of a classic job shop, nor in its hash; {@link PROMPT_VERSION} covers them.
 */
export const featureTexts = {
  list: {
    alternatives:
      'The jobs, each with its operations in the order in which they must be done. For every operation the machines that can do it, divided by |, each with the duration there: exactly one of them does it, and you choose which.',
    graph:
      'The jobs, each with its operations, numbered with # from 1, first the machine, then the duration. An operation starts after those that it names after "after"; others of its job do not wait for each other.',
    both: 'The jobs, each with its operations, numbered with # from 1. For every operation the machines that can do it, divided by |, each with the duration there: exactly one of them does it, and you choose which. An operation starts after those that it names after "after"; others of its job do not wait for each other.',
  },
  graphRule: 'an operation starts when all those that it comes after have ended, or later.',
  chainRule: 'an operation starts when the one before it in its job has ended, or later.',
  lags: 'After "wait" is the time that must pass between the end of the one and the start of the other at least, and after "to" the one that may pass at most.',
  setups:
    'Before an operation its machine is set up for the family of the operation, the f in the list. The setup takes place right before the operation, and after the end of the operation before it on the machine (of the first one: from time 0).',
  setupsDown: 'A setup keeps to the times when its machine is available, as an operation does.',
  setupsLate:
    'On {{machines}} the setup begins only when the job is there: after the release of the operation and the end of those before it in its job.',
  setupTable:
    'Setup times of {{machines}}, the family before in the row ("first" if there is none), the family of the operation in the column:',
  transport:
    'To bring a job from one machine to another takes time; the next operation of the job starts that much after the end of the one before it, or later{{lags}}.',
  transportLags: ' (a wait counts from the arrival)',
  transportEqual: 'Between any two machines: {{time}}.',
  transportTable: 'From the machine in the row to the one in the column:',
  resources:
    'Operators and tools: what stands after "with" is needed all the time that the operation works, or, with "for setup", all the time of its setup. At no time may more be needed of one than there is:',
  resource: '{{name}}: {{capacity}}',
  resourceTime: '{{amount}} from {{from}} to {{to}}',
} as const;
