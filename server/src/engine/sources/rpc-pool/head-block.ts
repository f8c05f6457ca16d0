const keptMs = 10_000

/** Another call with the same answer; undefined where there is none. */
export type AlsoAnswers = (
  method: string,
  params: unknown,
  answer: unknown,
) => [method: string, params: unknown] | undefined

/**
 * The answer to the latest call for the head, where it is also the answer to the call for that block by its number: the
 * next such call at the same endpoint is spared. It is used once, and soon, so that a reorganisation is not hidden.
 */
export class HeadBlock {
  readonly #alsoAnswers: AlsoAnswers
  readonly #now: () => number
  #kept: { call: string; answer: unknown; at: number } | undefined

  constructor(alsoAnswers: AlsoAnswers, now: () => number) {
    this.#alsoAnswers = alsoAnswers
    this.#now = now
  }

  learn(method: string, params: unknown, answer: unknown): void {
    const call = this.#alsoAnswers(method, params, answer)
    if (call) this.#kept = { call: JSON.stringify(call), answer, at: this.#now() }
  }

  /** Undefined when the node must be asked. */
  take(method: string, params: unknown): unknown {
    const kept = this.#kept
    if (kept?.call !== JSON.stringify([method, params])) return undefined
    this.#kept = undefined
    return this.#now() - kept.at < keptMs ? kept.answer : undefined
  }
}
