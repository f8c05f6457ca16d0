/** Traces from the block to the delivery, for OpenTelemetry. Only a service with an OTLP endpoint loads this folder. */

import { hash, randomUUID } from 'node:crypto'
import { type Attributes, ROOT_CONTEXT, SpanStatusCode, TraceFlags, trace } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'

/** Milliseconds since the epoch. */
type Times = { startMs: number; endMs: number }
export type Tracing = {
  /** A block that matched was committed. */
  block(cause: Cause, block: { number: number; matches: number }, times: Times): void
  /** A chunk of matches was evaluated and committed. */
  chunk(cause: Cause, chunk: { jobId: string; trigger: string; matches: number; alerts: number }, times: Times): void
  /** An alert was recorded. `jobId` is the chunk that caused it. */
  alert(
    cause: Cause,
    alert: { id: string; trigger: string; severity: string; jobId: string | undefined },
    times: Times,
  ): void
  delivery(
    cause: Cause,
    delivery: {
      id: string
      alertId: string
      attempt: number
      blueprint: string
      outcome: string
      status?: number | undefined
      error?: string | undefined
    },
    times: Times,
  ): void
  /** Sends what was collected. */
  stop(): Promise<void>
}

const exportEveryMs = 1_000
const queuedMax = 8_192

export function startTracing({ endpoint, version }: { endpoint: string; version: string }): Tracing {
  const exporter = new OTLPTraceExporter({ url: `${endpoint}/v1/traces` })
  const processor = new BatchSpanProcessor({ exporter, scheduledDelayMillis: exportEveryMs, maxQueueSize: queuedMax })
  const ids = { traceId: '', spanId: '' }
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.name': 'tocsin',
      'service.version': version,
      'service.instance.id': randomUUID(),
    }),
    spanProcessors: [processor],
    idGenerator: { generateTraceId: () => ids.traceId, generateSpanId: () => ids.spanId },
  })
  const tracer = provider.getTracer('tocsin', version)
  const add = (
    name: string,
    place: Place | undefined,
    attributes: Attributes,
    { startMs, endMs }: Times,
    error?: string,
  ) => {
    if (!place) return
    // The tracer asks for the ids while it starts the span.
    Object.assign(ids, place)
    const span = tracer.startSpan(name, { startTime: startMs, attributes }, contextOf(place))
    if (error !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: error })
    span.end(Math.max(startMs, endMs))
  }
  return {
    block: (cause, { number, matches }, times) =>
      add(
        'block',
        blockPlace(cause),
        { ...attributesOf(cause), 'tocsin.block.number': number, 'tocsin.matches': matches },
        times,
      ),
    chunk: (cause, { jobId, trigger, matches, alerts }, times) =>
      add(
        'evaluate',
        chunkPlace(cause, jobId),
        { ...attributesOf(cause), 'tocsin.trigger': trigger, 'tocsin.matches': matches, 'tocsin.alerts': alerts },
        times,
      ),
    alert: (cause, { id, trigger, severity, jobId }, times) =>
      add(
        'alert',
        alertPlace(cause, id, jobId),
        { ...attributesOf(cause), 'tocsin.alert': id, 'tocsin.trigger': trigger, 'tocsin.severity': severity },
        times,
      ),
    delivery(cause, { id, alertId, attempt, blueprint, outcome, status, error }, times) {
      const attributes = {
        ...attributesOf(cause),
        'tocsin.alert': alertId,
        'tocsin.delivery': id,
        'tocsin.attempt': attempt,
        'tocsin.blueprint': blueprint,
        'tocsin.outcome': outcome,
        ...(status !== undefined && { 'http.response.status_code': status }),
      }
      add('deliver', deliveryPlace(cause, alertId, id, attempt), attributes, times, error)
    },
    stop: () => provider.shutdown(),
  }
}

function attributesOf({ source, blockHash }: Cause): Attributes {
  return {
    ...(source !== null && { 'tocsin.source': source }),
    ...(blockHash !== null && { 'tocsin.block.hash': blockHash }),
  }
}

function contextOf({ traceId, parentId }: Place) {
  if (parentId === undefined) return ROOT_CONTEXT
  return trace.setSpanContext(ROOT_CONTEXT, {
    traceId,
    spanId: parentId,
    traceFlags: TraceFlags.SAMPLED,
    isRemote: true,
  })
}

/** The place of a span: its trace, its own id, and the id of its parent. */
type Place = { traceId: string; spanId: string; parentId?: string | undefined }
/** What caused an item, a run, an alert or a delivery. Timers and events have no block. */
export type Cause = { source: string | null; blockHash: string | null }

/*
 * Ids are derived from what the rows of the store hold. So a process can continue the trace of another one, and the queue
 * need not carry a context: the block names the trace, and each span names its parent by the parent's cause.
 */

function blockPlace(cause: Cause): Place | undefined {
  const { source, blockHash } = cause
  if (source === null || blockHash === null) return undefined
  const traceId = idOf(`trace ${source} ${blockHash}`, 32)
  return { traceId, spanId: idOf(`block ${traceId}`, 16) }
}

function chunkPlace(cause: Cause, jobId: string): Place | undefined {
  const block = blockPlace(cause)
  return block && { traceId: block.traceId, spanId: idOf(`chunk ${jobId}`, 16), parentId: block.spanId }
}

/** An alert without a block begins a trace. */
function alertPlace(cause: Cause, alertId: string, jobId?: string): Place {
  const spanId = idOf(`alert ${alertId}`, 16)
  const block = blockPlace(cause)
  if (!block) return { traceId: idOf(`trace ${alertId}`, 32), spanId }
  const parentId = jobId === undefined ? block.spanId : chunkPlace(cause, jobId)?.spanId
  return { traceId: block.traceId, spanId, parentId }
}

function deliveryPlace(cause: Cause, alertId: string, deliveryId: string, attempt: number): Place {
  const { traceId, spanId } = alertPlace(cause, alertId)
  return { traceId, spanId: idOf(`delivery ${deliveryId} ${attempt}`, 16), parentId: spanId }
}

function idOf(text: string, length: number): string {
  return hash('sha256', text).slice(0, length)
}
