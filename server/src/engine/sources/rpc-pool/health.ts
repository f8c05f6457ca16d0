import { type Endpoint, SlowDown } from './endpoint.ts'

const coolDownFirstMs = 1000
const coolDownMostMs = 60_000
const retryAfterMostMs = 300_000

/** How one endpoint has been lately: each failure in a row doubles the time for which others go first. */
export class Health {
  readonly endpoint: Endpoint
  readonly #now: () => number
  #failures = 0
  #restUntil = 0
  #mustRest = false

  constructor(endpoint: Endpoint, now: () => number) {
    this.endpoint = endpoint
    this.#now = now
  }

  get restMs(): number {
    return Math.max(0, this.#restUntil - this.#now())
  }

  /** It said for how long it wants no calls; a mere failure is worth a try when nothing else is left. */
  get mustRest(): boolean {
    return this.#mustRest && this.restMs > 0
  }

  succeeded(): void {
    this.#failures = 0
    this.#restUntil = 0
    this.#mustRest = false
  }

  failed(error: unknown): void {
    const doubled = Math.min(coolDownMostMs, coolDownFirstMs * 2 ** this.#failures)
    const asked = error instanceof SlowDown ? error.retryAfterMs : undefined
    this.#failures += 1
    this.#mustRest = asked !== undefined
    this.#restUntil = this.#now() + Math.min(retryAfterMostMs, asked ?? doubled)
  }
}
