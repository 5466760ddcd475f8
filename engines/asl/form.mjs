import validate from 'asl-validator';

/**
 * Faults of form of a machine in the Amazon States Language, as asl-validator finds them: keys, transitions,
 * names of states that stand there twice, expressions that do not parse. It needs nothing to be installed.
 *
 * @param {string} text
 * @returns {string[]} one line each; none if the form is right
 */
export function formFaults(text) {
  // It writes into what it checks.
  const { errors, errorsText } = validate(JSON.parse(text));
  return errors.length === 0 ? [] : errorsText('\n').split('\n');
}
