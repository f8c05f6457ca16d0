import { UpstreamError } from '../../engine/outbound/upstream-error.ts'
import type { LogLine } from './source-report.ts'

/** A failure that only the owner of the source can repair. An early retry is useless. */
export class Misconfigured extends Error {
  readonly code: string
  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

/** A trouble that has lasted: the source is in error at once. */
export class LastingTrouble extends UpstreamError {
  constructor(message: string) {
    super('failed', message)
  }
}

/** The source is in error after this many failures in a row, or after failing this long. */
const failuresMin = 4
const failingMinMs = 10_000
/** Each cause is logged at the beginning and again after this time. */
const logAgainMs = 10 * 60_000
/** Further causes of one series of failures are only shown in the status. */
const causesMax = 10
const retryDelayMinMs = 250
/** The nodes are asked this often, so that the source goes on soon after an outage. */
const nodeDelayMaxMs = 2_000
/** A failure of the service itself, for example of its store. */
const ownDelayMaxMs = 15_000
const misconfiguredDelayMs = 60_000

export type FailureDecision = {
  retryDelayMs: number
  /** The cause, for the status of the source. */
  message: string
  /** A line for the source's log: one when the error begins, one for a new cause, and one every ten minutes while it lasts. */
  line?: LogLine
  isError: boolean
  code?: string
}

/** Counts the failures of a source in a row. The first three are transient; the fourth makes an error of them. */
export class Failures {
  readonly #now: () => number
  #count = 0
  #since = 0
  /** When each cause was logged last. */
  readonly #logged = new Map<string, number>()

  constructor(now: () => number) {
    this.#now = now
  }

  get count(): number {
    return this.#count
  }

  record(error: unknown): FailureDecision {
    const now = this.#now()
    if (this.#count === 0) this.#since = now
    this.#count += 1
    const isMisconfigured = error instanceof Misconfigured
    const code = isMisconfigured ? error.code : 'source.unavailable'
    const isLasting = isMisconfigured || error instanceof LastingTrouble
    const isError = isLasting || this.#count >= failuresMin || now - this.#since >= failingMinMs
    const delayMaxMs = error instanceof UpstreamError ? nodeDelayMaxMs : ownDelayMaxMs
    const retryDelayMs = isMisconfigured ? misconfiguredDelayMs : backoffMs(this.#count, delayMaxMs)
    const message = messageOf(error)
    const decision = { retryDelayMs, isError, code, message }
    if (!isError || !this.#mustLog(causeOf(message), now)) return decision
    return { ...decision, line: { level: 'error', message, details: { failures: this.#count } } }
  }

  #mustLog(cause: string, now: number): boolean {
    const loggedAt = this.#logged.get(cause)
    if (loggedAt === undefined && this.#logged.size >= causesMax) return false
    if (loggedAt !== undefined && now - loggedAt < logAgainMs) return false
    this.#logged.set(cause, now)
    return true
  }

  /** The log line could not be stored, so the next failure is logged instead. */
  markUnlogged(): void {
    this.#logged.clear()
  }

  /** Ends the series of failures. Returns their number and duration if they were logged. */
  end(): { failures: number; seconds: number } | undefined {
    const ended =
      this.#logged.size === 0
        ? undefined
        : { failures: this.#count, seconds: Math.round((this.#now() - this.#since) / 1000) }
    this.#count = 0
    this.#logged.clear()
    return ended
  }
}

/** The same cause may be told with other numbers each time. */
export function causeOf(message: string): string {
  return message.replace(/\d+/g, '0')
}

function backoffMs(failures: number, maxMs: number): number {
  return Math.min(maxMs, retryDelayMinMs * 2 ** Math.min(failures - 1, 10))
}

/** The owner of a source cannot act on an error inside the service, and its text may hold internals. */
function messageOf(error: unknown): string {
  if (error instanceof UpstreamError || error instanceof Misconfigured) return error.message
  return 'The service failed while it followed the source. It tries again.'
}
