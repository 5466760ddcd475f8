import { env } from 'node:process';
import type { SpanProcessor } from '@opentelemetry/sdk-trace-base';
import type { OpenTelemetryPlugin } from '@temporalio/interceptors-opentelemetry';

let plugin: Promise<OpenTelemetryPlugin | undefined> | undefined;

/**
 * The plugin for clients and workers that makes spans; undefined unless requested by
 * `OTEL_EXPORTER_OTLP_ENDPOINT` (OTLP over HTTP), or by {@link traceWith}.
 */
export function tracingPlugin(): Promise<OpenTelemetryPlugin | undefined> {
  plugin ??= pluginOfEnvironment();
  return plugin;
}

/**
 * Sends all spans of clients and workers that are opened from now on to a processor. It becomes the
 * tracer of the whole process, unless there is one already: then the spans of clients and
 * activities go to that one, and those of workflows to the processor.
 */
export async function traceWith(processor: SpanProcessor): Promise<void> {
  plugin = createPlugin(processor);
  await plugin;
}

async function pluginOfEnvironment(): Promise<OpenTelemetryPlugin | undefined> {
  if (!env.OTEL_EXPORTER_OTLP_ENDPOINT && !env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT) return undefined;
  const [{ OTLPTraceExporter }, { BatchSpanProcessor }] = await Promise.all([
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/sdk-trace-base'),
  ]);
  const processor = new BatchSpanProcessor(new OTLPTraceExporter());
  process.once('beforeExit', () => void processor.forceFlush().catch(() => {}));
  return createPlugin(processor);
}

async function createPlugin(processor: SpanProcessor): Promise<OpenTelemetryPlugin> {
  const [{ AsyncLocalStorageContextManager }, { Resource }, { BasicTracerProvider }, temporal] =
    await Promise.all([
      import('@opentelemetry/context-async-hooks'),
      import('@opentelemetry/resources'),
      import('@opentelemetry/sdk-trace-base'),
      import('@temporalio/interceptors-opentelemetry'),
    ]);
  const resource = new Resource({ 'service.name': env.OTEL_SERVICE_NAME ?? 'alas-jssp-temporal' });
  const contextManager = new AsyncLocalStorageContextManager().enable();
  new BasicTracerProvider({ resource, spanProcessors: [processor] }).register({ contextManager });
  return new temporal.OpenTelemetryPlugin({ resource, spanProcessor: processor });
}
