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

/** The source is in error after this many failures in a row, or after failing this long. */
const failuresMin = 3
const failingMinMs = 10_000
/** A lasting failure is logged again after this time. */
const logAgainMs = 10 * 60_000
const retryDelayMinMs = 250
const retryDelayMaxMs = 15_000
const misconfiguredDelayMs = 60_000

export type FailureDecision = {
  retryDelayMs: number
  /** A line for the source's log: one when the error begins and one every ten minutes while it lasts. */
  line?: LogLine
  isError: boolean
  code?: string
}

/** Counts the failures of a source in a row. The first two are transient; the third makes an error of them. */
export class Failures {
  readonly #now: () => number
  #count = 0
  #since = 0
  #loggedAt: number | undefined

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
    const isError = isMisconfigured || this.#count >= failuresMin || now - this.#since >= failingMinMs
    const retryDelayMs = isMisconfigured ? misconfiguredDelayMs : backoffMs(this.#count)
    const mustLog = isError && (this.#loggedAt === undefined || now - this.#loggedAt >= logAgainMs)
    if (!mustLog) return { retryDelayMs, isError, code }
    this.#loggedAt = now
    const line: LogLine = { level: 'error', message: messageOf(error), details: { failures: this.#count } }
    return { retryDelayMs, isError, code, line }
  }

  /** The log line could not be stored, so the next failure is logged instead. */
  markUnlogged(): void {
    this.#loggedAt = undefined
  }

  /** Ends the series of failures. Returns their number and duration if they were logged. */
  end(): { failures: number; seconds: number } | undefined {
    const ended =
      this.#loggedAt === undefined
        ? undefined
        : { failures: this.#count, seconds: Math.round((this.#now() - this.#since) / 1000) }
    this.#count = 0
    this.#loggedAt = undefined
    return ended
  }
}

function backoffMs(failures: number): number {
  return Math.min(retryDelayMaxMs, retryDelayMinMs * 2 ** Math.min(failures - 1, 10))
}

/** The owner of a source cannot act on an error inside the service, and its text may hold internals. */
function messageOf(error: unknown): string {
  if (error instanceof UpstreamError || error instanceof Misconfigured) return error.message
  return 'The service failed while it followed the source. It tries again.'
}
