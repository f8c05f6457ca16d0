/** Fewer answers say little about how long a method takes. */
const answersMin = 5
const methodsMax = 50
const share = 1 / 8
/** As for the retransmission time of TCP: the mean and four times the mean deviation; twice that, because blocks differ. */
const [deviations, factor] = [4, 2]
const silentMinMs = 500
const silentFirstMs = 2_500
/** The first wait is never longer than this share of the time limit, so that a second answer has time. */
const limitShare = 1 / 2

type Times = { answers: number; meanMs: number; deviationMs: number }

/** How long an endpoint takes to answer each method, and from when on it is silent. */
export class AnswerTimes {
  readonly #methods = new Map<string, Times>()

  record(method: string, ms: number): void {
    const times = this.#methods.get(method)
    if (times) {
      times.answers += 1
      times.deviationMs += (Math.abs(ms - times.meanMs) - times.deviationMs) * share
      times.meanMs += (ms - times.meanMs) * share
    } else if (this.#methods.size < methodsMax)
      this.#methods.set(method, { answers: 1, meanMs: ms, deviationMs: ms / 2 })
  }

  /** The time without an answer after which the call is sent again. */
  silentMs(method: string, timeoutMs: number): number {
    const times = this.#methods.get(method)
    const usual =
      times && times.answers >= answersMin ? factor * (times.meanMs + deviations * times.deviationMs) : silentFirstMs
    return Math.min(timeoutMs * limitShare, Math.max(silentMinMs, usual))
  }
}
