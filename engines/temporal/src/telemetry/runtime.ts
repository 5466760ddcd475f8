import { env, stderr } from 'node:process';
import {
  DefaultLogger,
  type LogEntry,
  type MetricsExporterConfig,
  makeTelemetryFilterString,
  Runtime,
} from '@temporalio/worker';
import { InputError } from 'alas-jssp';

/** The variable that names the place where Prometheus finds the metrics of a worker. */
export const METRICS_VARIABLE = 'ALAS_JSSP_TEMPORAL_METRICS';

/** A server that is away is waited for without a word on every attempt, and nothing is written to stdout. */
const LOGGING = {
  filter: makeTelemetryFilterString({ core: 'ERROR', other: 'ERROR' }),
  forward: {},
};

let isInstalled = false;

/**
 * Sets up what all connections of workers in a process share, once: lines for people, and metrics where the
 * environment asks for them.
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

/** Writes a line for people; that a queue has workflows or activities alone is as it should be. */
function log({ level, message, meta }: LogEntry): void {
  if (/^No (activities|workflows) registered/.test(message)) return;
  const { error, workflowId = '', activityId = '' } = meta ?? {};
  const reason = error instanceof Error ? `: ${error.message}` : '';
  const line = [level.toLowerCase(), workflowId, activityId, `${message}${reason}`.split('\n')[0]];
  stderr.write(`${line.filter((part) => part !== '').join(' ')}\n`);
}

/** Prometheus fetches metrics where we say so; else they are sent to where OpenTelemetry's own variable says. */
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
