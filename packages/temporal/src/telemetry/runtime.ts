import { env, stderr } from 'node:process';
import {
  DefaultLogger,
  type LogEntry,
  type MetricsExporterConfig,
  makeTelemetryFilterString,
  Runtime,
} from '@temporalio/worker';
import { InputError } from 'alas-jssp';

/** The variable with the address at which Prometheus finds the metrics of a worker. */
export const METRICS_VARIABLE = 'ALAS_JSSP_TEMPORAL_METRICS';

/** Waits for a server that is away without a line per attempt, and writes nothing to stdout. */
const LOGGING = {
  filter: makeTelemetryFilterString({ core: 'ERROR', other: 'ERROR' }),
  forward: {},
};

let isInstalled = false;

/**
 * Sets up the shared parts of all worker connections in a process, once: lines for people, and
 * metrics if the environment asks for them.
 *
 * @throws InputError `bad_metrics`
 */
export function installRuntime(): void {
  if (isInstalled) return;
  const metrics = metricsOf(env);
  Runtime.install({
    logger: new DefaultLogger('WARN', log),
    shutdownSignals: [],
    telemetryOptions: metrics === undefined ? { logging: LOGGING } : { logging: LOGGING, metrics },
  });
  isInstalled = true;
}

/** Writes a line for people; a queue with workflows or activities alone is normal. */
function log({ level, message, meta }: LogEntry): void {
  if (/^No (activities|workflows) registered/.test(message)) return;
  const { error, workflowId = '', activityId = '' } = meta ?? {};
  const reason = error instanceof Error ? `: ${error.message}` : '';
  const line = [level.toLowerCase(), workflowId, activityId, `${message}${reason}`.split('\n')[0]];
  stderr.write(`${line.filter((part) => part !== '').join(' ')}\n`);
}

/**
 * Prometheus fetches metrics from our variable's address; otherwise they are sent to the address in
 * OpenTelemetry's own variable.
 */
function metricsOf(settings: NodeJS.ProcessEnv): MetricsExporterConfig | undefined {
  const bindAddress = settings[METRICS_VARIABLE];
  if (bindAddress) {
    if (!/^.+:\d+$/.test(bindAddress)) {
      const problem = `${METRICS_VARIABLE}: '${bindAddress}' is no address to listen on`;
      throw new InputError('bad_metrics', problem, 'write HOST:PORT, such as 0.0.0.0:9464');
    }
    return { prometheus: { bindAddress, countersTotalSuffix: true, useSecondsForDurations: true } };
  }
  const endpoint = settings.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (!endpoint) return undefined;
  const url = new URL('v1/metrics', endpoint.endsWith('/') ? endpoint : `${endpoint}/`).href;
  return { otel: { url, http: true, useSecondsForDurations: true } };
}
