/** Codes of a network that is missing, and of registries without an audit. */
const UNREACHABLE =
  /\b(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|404|405|501)\b/;

/**
 * What an answer of `npm audit --json` says about packages that users get: whether it is sound, and lines for people.
 *
 * @param {string} text
 * @param {ReadonlySet<string>} shipped the paths of these packages in the lock file
 * @returns {{ isSound: boolean, lines: string[] }}
 */
export function auditVerdict(text, shipped) {
  const answer = parse(text);
  const counts = answer?.metadata?.vulnerabilities;
  if (typeof counts?.total !== 'number') {
    const reason = answer?.error?.summary || answer?.message || 'npm gave no answer';
    const line = String(reason).split('\n')[0];
    // An audit that fails for another reason, such as a damaged lock file, is not a passed one.
    const isUnreachable = UNREACHABLE.test(
      `${answer?.error?.code} ${answer?.statusCode} ${reason}`,
    );
    return isUnreachable
      ? { isSound: true, lines: [`not audited, because no registry answered: ${line}`] }
      : { isSound: false, lines: [`the audit failed: ${line}`] };
  }
  const found = Object.values(answer.vulnerabilities ?? {}).filter(({ nodes }) =>
    nodes.some((path) => shipped.has(path)),
  );
  const severe = found.filter(({ severity }) => severity === 'high' || severity === 'critical');
  const lines = severe.map(
    ({ name, severity, range }) => `${name} ${range} has a vulnerability: ${severity}`,
  );
  const others = found.length - severe.length;
  const summary = `${severe.length} vulnerabilities that are high or critical, ${others} others`;
  return { isSound: severe.length === 0, lines: [...lines, summary] };
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
