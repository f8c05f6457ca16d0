import { type Logger, pino } from 'pino'

/** A quarter of a pipe's capacity, so that an exit does not find a half-written batch. */
const batchMax = 16_384
const flushEveryMs = 500

/**
 * Writes lines in batches, at least every half second, because one system call for each line is expensive. The batch is
 * kept here, because pino's destination measures its whole buffer again with every line.
 */
export function makeLog(level: string): Logger {
  const out = pino.destination({ sync: false, minLength: 8_192 })
  let lines: string[] = []
  let length = 0
  const writeBatch = () => {
    if (length > 0) out.write(lines.join(''))
    lines = []
    length = 0
  }
  const write = (line: string) => {
    lines.push(line)
    length += line.length
    if (length >= batchMax) writeBatch()
  }
  const flushing = setInterval(() => {
    writeBatch()
    out.flush()
  }, flushEveryMs).unref()
  const end = () => {
    clearInterval(flushing)
    writeBatch()
  }
  // These must run before the destination's own listeners, which write its buffer and close it.
  process.prependListener('beforeExit', end)
  process.prependListener('exit', end)
  return pino({ level }, { write })
}
