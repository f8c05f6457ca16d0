import type { EndpointReport } from '../../engine/sources/endpoint-report.ts'

const blocksMin = 5

/** Measures how many calls a source makes for each block. */
export class CallsPerBlock {
  #from: { calls: number; processed: number } | undefined
  #perBlock: number | undefined

  record(endpoints: readonly EndpointReport[], processed: number): void {
    const calls = endpoints.reduce((sum, { requests }) => sum + requests, 0)
    this.#from ??= { calls, processed }
    const blocks = processed - this.#from.processed
    if (blocks >= 0 && blocks < blocksMin) return
    if (blocks > 0) this.#perBlock = (calls - this.#from.calls) / blocks
    this.#from = { calls, processed }
  }

  /** Calls a second on a chain with this block time; undefined while either is not known. */
  perSecond(blockTimeMs: number | undefined): number | undefined {
    if (this.#perBlock === undefined || blockTimeMs === undefined) return undefined
    return (this.#perBlock * 1000) / blockTimeMs
  }
}

/** Explains why a source cannot keep up if all of its endpoints limit the calls; else undefined. */
export function limitCause(endpoints: readonly EndpointReport[], neededPerSecond: number | undefined) {
  const allowed = endpoints.flatMap(({ host, perSecond }) => (perSecond === null ? [] : { host, perSecond }))
  if (allowed.length === 0 || allowed.length < endpoints.length) return undefined
  const limits = allowed.map(({ host, perSecond }) => `${host} allows about ${perSecond} calls a second`).join(', ')
  const needs = neededPerSecond === undefined ? 'more' : `about ${Math.ceil(neededPerSecond)}`
  return `${limits}; this source needs ${needs}.`
}
