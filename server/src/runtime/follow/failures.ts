import { UpstreamError } from '../../engine/outbound/upstream-error.ts'
import type { LogLine } from './source-report.ts'

/** A failure that nobody but the owner of the source can mend: trying again soon is of no use. */
export class Misconfigured extends Error {
  readonly code: string
  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

const failuresMost = 3
const failingMs = 10_000
const againMs = 10 * 60_000
const pauseFirstMs = 250
const pauseMost = { ordinary: 15_000, misconfigured: 60_000 }

export type Verdict = {
  /** How long to wait before the next try. */
  pauseMs: number
  /** Worth a line in the log; one for each row of failures, and one more each ten minutes. */
  line?: LogLine
  isError: boolean
  code?: string
}

/** Failures in a row: the first few are weather, more are an error; what is said is said once. */
export class Failures {
  readonly #now: () => number
  #count = 0
  #since = 0
  #toldAt: number | undefined

  constructor(now: () => number) {
    this.#now = now
  }

  get count(): number {
    return this.#count
  }

  failed(error: unknown): Verdict {
    const now = this.#now()
    if (this.#count === 0) this.#since = now
    this.#count += 1
    const message = sentenceOf(error)
    const code = error instanceof Misconfigured ? error.code : 'source.unavailable'
    const isError = error instanceof Misconfigured || this.#count >= failuresMost || now - this.#since >= failingMs
    const most = error instanceof Misconfigured ? pauseMost.misconfigured : pauseMost.ordinary
    const pauseMs = Math.min(
      most,
      error instanceof Misconfigured ? most : pauseFirstMs * 2 ** Math.min(this.#count - 1, 10),
    )
    const isDue = isError && (this.#toldAt === undefined || now - this.#toldAt >= againMs)
    if (!isDue) return { pauseMs, isError, code }
    this.#toldAt = now
    return { pauseMs, isError, code, line: { level: 'error', message, details: { failures: this.#count } } }
  }

  /** It could not be told: the next failure is to be. */
  unheard(): void {
    this.#toldAt = undefined
  }

  /** How many there were and for how long, if anybody was told of them. */
  recovered(): { failures: number; seconds: number } | undefined {
    const told =
      this.#toldAt === undefined
        ? undefined
        : { failures: this.#count, seconds: Math.round((this.#now() - this.#since) / 1000) }
    this.#count = 0
    this.#toldAt = undefined
    return told
  }
}

/** What went wrong inside the service says nothing to whoever owns a source. */
function sentenceOf(error: unknown): string {
  if (error instanceof UpstreamError || error instanceof Misconfigured) return error.message
  return 'The service had a failure of its own while it followed the source; it tries again.'
}
