import { UpstreamError } from '../../outbound/upstream-error.ts'
import type { Health } from './health.ts'
import type { Network } from './network.ts'
import { withinLimits } from './within-limits.ts'

/** How to ask a node for the number of its latest block. */
export type HeadCall = {
  method: string
  params: readonly unknown[]
  /** Throws an UpstreamError. */
  read(answer: unknown): number
}
type Options = { call: HeadCall | undefined; network: Network; timeoutMs: number; now: () => number }

type Measured = { median: number; at: number }

const measureEveryMs = 15_000
/** Endpoints answer at slightly different times. A distance of up to this time, and up to this many blocks, is not lag. */
const toleratedSeconds = 5
const toleratedBlocks = 3
/** The tolerance before the speed of the chain is known. */
const toleratedAtFirst = 50

/** Compares the heads of a network's endpoints regularly, as long as calls are made. */
export class Lag {
  readonly #all: readonly Health[]
  readonly #options: Options
  #measuredAt: number
  #before: Measured | undefined

  constructor(all: readonly Health[], options: Options) {
    this.#all = all
    this.#options = options
    this.#measuredAt = options.now()
  }

  /** Costs nothing for a single endpoint and does not delay the caller. */
  measureWhenDue(): void {
    const { call, now } = this.#options
    if (!call || this.#all.length < 2 || now() - this.#measuredAt < measureEveryMs) return
    void this.measure()
  }

  async measure(): Promise<void> {
    const { call, now } = this.#options
    this.#measuredAt = now()
    if (!call) return
    const asked = this.#all.filter((health) => !health.mustRest)
    const heads = await Promise.all(asked.map((health) => this.#headOf(health, call)))
    const median = medianOf(heads)
    if (median === undefined) return
    compare(asked, heads, median, this.#tolerance({ median, at: this.#measuredAt }))
  }

  #tolerance(measured: Measured): number {
    const before = this.#before
    this.#before = measured
    if (!before || measured.at <= before.at) return toleratedAtFirst
    const perSecond = (measured.median - before.median) / ((measured.at - before.at) / 1000)
    return Math.max(toleratedBlocks, Math.ceil(perSecond * toleratedSeconds))
  }

  /** Undefined when the endpoint fails; other code records the failure. */
  async #headOf(health: Health, { method, params, read }: HeadCall): Promise<number | undefined> {
    const { network, timeoutMs, now } = this.#options
    try {
      return read(await withinLimits(health, network, { timeoutMs, now })(method, params))
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error
      return undefined
    }
  }
}

/** The median, so that neither an endpoint that is ahead nor a wrong one decides. Of two endpoints the higher one counts. */
function medianOf(heads: readonly (number | undefined)[]): number | undefined {
  const known = heads.filter((head) => head !== undefined).sort((a, b) => a - b)
  return known[Math.floor(known.length / 2)]
}

function compare(
  asked: readonly Health[],
  heads: readonly (number | undefined)[],
  median: number,
  tolerance: number,
): void {
  for (const [index, health] of asked.entries()) {
    const head = heads[index]
    if (head === undefined) continue
    health.head = head
    health.lag = Math.max(0, median - head)
    health.isLagging = health.lag > tolerance
    if (health.isLagging)
      health.reportTrouble(
        'endpoint_lagging',
        `is ${health.lag} blocks behind the others, so the others are tried first`,
      )
  }
}
