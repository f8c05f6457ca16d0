import { UpstreamError } from '../../../outbound/upstream-error.ts'

const [firstTimes, mostTimes, mostMs] = [3, 6, 60_000]
const blocksKept = 16

/** Blocks for which nodes needed longer than the time limit of a call. From the second time on they get a longer one. */
export class SlowBlocks {
  readonly #timeoutMs: number
  readonly #late = new Map<string, number>()

  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs
  }

  /** Runs a read of a block. `timeoutMs` is its time limit, if that is longer than usual. */
  async run<T>(hash: string, read: (timeoutMs: number | undefined) => Promise<T>): Promise<T> {
    try {
      const value = await read(this.#limitOf(hash))
      this.#late.delete(hash)
      return value
    } catch (error) {
      if (error instanceof UpstreamError && error.kind === 'timeout') this.#note(hash)
      throw error
    }
  }

  #limitOf(hash: string): number | undefined {
    const times = this.#late.get(hash) ?? 0
    if (times < 2) return undefined
    return Math.max(this.#timeoutMs, Math.min(mostMs, this.#timeoutMs * (times < 4 ? firstTimes : mostTimes)))
  }

  #note(hash: string): void {
    const times = this.#late.get(hash) ?? 0
    for (const [oldest] of this.#late) if (this.#late.size >= blocksKept) this.#late.delete(oldest)
    this.#late.set(hash, times + 1)
  }
}
