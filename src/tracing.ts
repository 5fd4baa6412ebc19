import { type Attributes, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { systemCode } from './errors.ts';
import { VERSION } from './version.ts';

const KINDS = { work: SpanKind.CONSUMER, call: SpanKind.CLIENT } as const;

/**
 * Runs something in a span of OpenTelemetry, under the span that is active. Without an SDK in the process this does nothing.
 * `kind`: `work` is taken from the store, `call` goes to another service. Names, attributes and errors are codes and
 * counts, never texts, tokens or ids of people: traces are kept by others.
 */
export function inSpan<T>(
  name: string,
  { kind, attributes = {} }: { kind: keyof typeof KINDS; attributes?: Attributes },
  run: () => Promise<T>,
): Promise<T> {
  const tracer = trace.getTracer('assistant-bridge', VERSION);
  return tracer.startActiveSpan(name, { kind: KINDS[kind], attributes }, async (span) => {
    try {
      return await run();
    } catch (error) {
      // Not recordException: messages of errors may carry what somebody wrote.
      span.setAttribute('error.type', systemCode(error) ?? 'error');
      span.setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      span.end();
    }
  });
}

/** Adds attributes to the span that is active, if any. */
export function describeSpan(attributes: Attributes): void {
  trace.getActiveSpan()?.setAttributes(attributes);
}
