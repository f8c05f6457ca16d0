import { type Logger, pino } from 'pino'

/** A quarter of a pipe's capacity, so that an exit does not find a half-written batch. */
const batchMax = 16_384
const flushAfterMs = 500

/**
 * Writes lines in batches, after half a second at the latest, because one system call for each line is expensive. The batch is
 * kept here, because pino's destination measures its whole buffer again with every line.
 */
export function makeLog(level: string): Logger {
  const out = pino.destination({ sync: false, minLength: 8_192 })
  let lines: string[] = []
  let length = 0
  let flushing: NodeJS.Timeout | undefined
  const writeBatch = () => {
    if (length > 0) out.write(lines.join(''))
    lines = []
    length = 0
  }
  const write = (line: string) => {
    lines.push(line)
    length += line.length
    if (length >= batchMax) writeBatch()
    flushing ??= setTimeout(flush, flushAfterMs).unref()
  }
  const flush = () => {
    flushing = undefined
    writeBatch()
    out.flush()
  }
  const end = () => {
    clearTimeout(flushing)
    writeBatch()
  }
  // These must run before the destination's own listeners, which write its buffer and close it.
  process.prependListener('beforeExit', end)
  process.prependListener('exit', end)
  return pino({ level }, { write })
}
