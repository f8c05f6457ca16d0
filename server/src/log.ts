import { type Logger, pino } from 'pino'

/** A quarter of what a pipe takes at once: an exit does not find half of it written. */
const togetherMax = 16_384
const flushEveryMs = 500

/**
 * Lines are written together, at the latest every half second: a system call per line would be dear. They are gathered
 * here and not by pino's destination, which measures all that it holds again with every line.
 */
export function makeLog(level: string): Logger {
  const out = pino.destination({ sync: false, minLength: 8_192 })
  let lines: string[] = []
  let length = 0
  const pass = () => {
    if (length > 0) out.write(lines.join(''))
    lines = []
    length = 0
  }
  const write = (line: string) => {
    lines.push(line)
    length += line.length
    if (length >= togetherMax) pass()
  }
  const flushing = setInterval(() => {
    pass()
    out.flush()
  }, flushEveryMs).unref()
  const end = () => {
    clearInterval(flushing)
    pass()
  }
  // Before the destination's own listeners, which write what it holds and then close it.
  process.prependListener('beforeExit', end)
  process.prependListener('exit', end)
  return pino({ level }, { write })
}
