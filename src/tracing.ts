import { type Attributes, ProxyTracerProvider, SpanKind, SpanStatusCode, type Tracer, trace } from '@opentelemetry/api';
import { systemCode } from './errors.ts';
import { VERSION } from './version.ts';

const KINDS = { work: SpanKind.CONSUMER, call: SpanKind.CLIENT } as const;

/**
 * Calls `run` in an OpenTelemetry span, under the active span. Without an SDK in the process there is no span. `kind`:
 * `work` is taken from the store, `call` goes to another service. Names, attributes and errors are codes and counts,
 * never texts, tokens or ids of people, because other systems store traces.
 */
export function inSpan<T>(
  name: string,
  { kind, attributes = {} }: { kind: keyof typeof KINDS; attributes?: Attributes },
  run: () => Promise<T>,
): Promise<T> {
  const tracer = findTracer();
  if (!tracer) return run();
  return tracer.startActiveSpan(name, { kind: KINDS[kind], attributes }, async (span) => {
    try {
      return await run();
    } catch (error) {
      // Not recordException: messages of errors may contain text of people.
      span.setAttribute('error.type', systemCode(error) ?? 'error');
      span.setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      span.end();
    }
  });
}

/** Undefined without an SDK. OpenTelemetry's default tracer would create a tracer, a span and a context each time. */
function findTracer(): Tracer | undefined {
  const provider = trace.getTracerProvider();
  const isStandIn = provider instanceof ProxyTracerProvider;
  return isStandIn
    ? provider.getDelegateTracer('assistant-bridge', VERSION)
    : provider.getTracer('assistant-bridge', VERSION);
}

/** Adds attributes to the active span, if any. */
export function describeSpan(attributes: Attributes): void {
  trace.getActiveSpan()?.setAttributes(attributes);
}
