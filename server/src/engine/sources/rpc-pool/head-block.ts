const cacheMs = 10_000

/** Returns another call that has the same answer, or undefined. */
export type AlsoAnswers = (
  method: string,
  params: unknown,
  answer: unknown,
) => [method: string, params: unknown] | undefined

/**
 * Caches the answer to the latest call for the head, if it also answers the call for that block by number, and so saves
 * the next such call at the same endpoint. It is used once and only for a short time, so that it cannot hide a reorg.
 */
export class HeadBlock {
  readonly #alsoAnswers: AlsoAnswers
  readonly #now: () => number
  #kept: { call: string; answer: unknown; at: number } | undefined

  constructor(alsoAnswers: AlsoAnswers, now: () => number) {
    this.#alsoAnswers = alsoAnswers
    this.#now = now
  }

  store(method: string, params: unknown, answer: unknown): void {
    const call = this.#alsoAnswers(method, params, answer)
    if (call) this.#kept = { call: JSON.stringify(call), answer, at: this.#now() }
  }

  /** Undefined when the node must be asked. */
  take(method: string, params: unknown): unknown {
    const kept = this.#kept
    if (kept?.call !== JSON.stringify([method, params])) return undefined
    this.#kept = undefined
    return this.#now() - kept.at < cacheMs ? kept.answer : undefined
  }
}
