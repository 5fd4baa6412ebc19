// An OpenTelemetry SDK as an operator loads it, with --import: writes each span that ends as a line into SPANS_FILE.
import { appendFileSync } from 'node:fs';
import { NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node';

const path = process.env.SPANS_FILE ?? '';

const exporter = {
  export(spans: readonly KeptSpan[], done: (result: { code: number }) => void) {
    for (const span of spans) {
      const { name, attributes, status, parentSpanContext } = span;
      const { spanId, traceId } = span.spanContext();
      const line = { name, attributes, status, spanId, traceId, parentId: parentSpanContext?.spanId };
      appendFileSync(path, `${JSON.stringify(line)}\n`);
    }
    done({ code: 0 });
  },
  shutdown: async () => undefined,
};

type KeptSpan = {
  name: string;
  attributes: object;
  status: object;
  parentSpanContext?: { spanId: string };
  spanContext(): { spanId: string; traceId: string };
};

new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }).register();
