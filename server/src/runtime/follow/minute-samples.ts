import type { EndpointReport } from '../../engine/sources/endpoint-report.ts'
import type { SourceRuntime, SourceState } from '../../store/core/tables.ts'
import type { EndpointMinute, SourceMinute } from '../../store/following/source-minutes.ts'
import type { RuntimeDeps } from '../deps.ts'

/** What a run knows about its source now. Empty `endpoints`: it is not connected. */
export type RunState = { source: string; status: SourceState; runtime: SourceRuntime; endpoints: EndpointReport[] }

const minuteMs = 60_000

/** Stores, once in each minute of the clock, how the sources of this process are doing. */
export class MinuteSamples {
  readonly #deps: Pick<RuntimeDeps, 'store' | 'clock'>
  #minute: number
  /** The counts of each source's endpoints at the last sample. */
  #before = new Map<string, EndpointReport[]>()

  constructor(deps: Pick<RuntimeDeps, 'store' | 'clock'>) {
    this.#deps = deps
    this.#minute = this.#currentMinute()
  }

  async record(states: () => readonly RunState[]): Promise<void> {
    const minute = this.#currentMinute()
    if (minute === this.#minute) return
    this.#minute = minute
    const now = states()
    const samples = now.map((state) => this.#sampleOf(state, new Date(minute)))
    this.#before = new Map(now.map(({ source, endpoints }) => [source, endpoints]))
    await this.#deps.store.sourceMinutes.addAll(samples)
  }

  #currentMinute(): number {
    return Math.floor(this.#deps.clock().getTime() / minuteMs) * minuteMs
  }

  #sampleOf({ source, status, runtime, endpoints }: RunState, minute: Date): SourceMinute {
    const { latestBlock, processedBlock, lag, headAt } = runtime
    const before = this.#before.get(source) ?? []
    return {
      source,
      minute,
      status,
      head: latestBlock ?? null,
      processed: processedBlock ?? null,
      lag: status === 'error' ? null : (lag ?? null),
      headAgeMs: headAt === undefined ? null : Math.max(0, minute.getTime() - Date.parse(headAt)),
      endpoints: endpoints.map((endpoint, place) => callsSince(endpoint, before[place])),
    }
  }
}

/** A connection that was opened again counts from zero. */
function callsSince(now: EndpointReport, before: EndpointReport | undefined): EndpointMinute {
  const isSame = before !== undefined && before.host === now.host && before.requests <= now.requests
  const since = (count: 'requests' | 'failures' | 'timeouts' | 'slowDowns') =>
    Math.max(0, now[count] - (isSame ? before[count] : 0))
  return {
    host: now.host,
    requests: since('requests'),
    failures: since('failures'),
    timeouts: since('timeouts'),
    slowDowns: since('slowDowns'),
    latencyMs: now.latencyMs,
    ...(now.lag !== undefined && { lag: now.lag }),
  }
}
