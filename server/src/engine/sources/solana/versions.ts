import { UpstreamError } from '../../outbound/upstream-error.ts'
import { type OneEndpoint, RpcError } from '../rpc-pool/index.ts'

const unsupportedCode = -32015
const invalidParamsCode = -32602
const versionsMax = 255
const tellAgainMs = 600_000

/** A transaction of an unknown version, and how much of it could be read. */
export type Unreadable = { version: string; isReadByLogs: boolean }

/**
 * The transaction versions that each endpoint supports. A node refuses a whole block when it contains a transaction above
 * `maxSupportedTransactionVersion`. Not every endpoint accepts a high number, so each starts with 0 and is raised when its
 * error names a higher version.
 */
export class Versions {
  readonly #most = new Map<number, number>()
  readonly #now: () => number
  #toldAt = Number.NEGATIVE_INFINITY

  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /** A call about a slot or signature, with its options. */
  async request(at: OneEndpoint, method: string, [of, options]: [unknown, object]): Promise<unknown> {
    const most = this.#most.get(at.index) ?? 0
    try {
      return await at.request(method, [of, { ...options, maxSupportedTransactionVersion: most }])
    } catch (error) {
      const wanted = versionWanted(error)
      if (wanted !== undefined && wanted > most) {
        this.#most.set(at.index, wanted)
        return this.request(at, method, [of, options])
      }
      if (most === 0 || !(error instanceof RpcError) || error.code !== invalidParamsCode) throw error
      this.#most.delete(at.index)
      throw new UpstreamError(
        'bad_answer',
        `The node does not return transactions of version ${most}: ${error.message}`,
      )
    }
  }

  /** Writes one line to the source's log for all of them, and another after ten minutes while they continue. */
  reportUnreadable({ notify }: OneEndpoint, slot: number, unreadable: readonly Unreadable[]): void {
    const [first] = unreadable
    if (!first || this.#now() - this.#toldAt < tellAgainMs) return
    this.#toldAt = this.#now()
    const byLogs = unreadable.filter(({ isReadByLogs }) => isReadByLogs).length
    const left = unreadable.length - byLogs
    const message =
      `gave transactions of version ${first.version} in slot ${slot}, which this release cannot read in full: ` +
      `${byLogs} were read by their logs alone, ${left} were left out.`
    notify('transactions_unreadable', message, 'warn')
  }
}

/** `Transaction version (1) is not supported by the requesting client. …` */
function versionWanted(error: unknown): number | undefined {
  if (!(error instanceof RpcError) || error.code !== unsupportedCode) return undefined
  const version = Number(/version \((\d{1,3})\)/.exec(error.message)?.[1])
  return version <= versionsMax ? version : undefined
}
