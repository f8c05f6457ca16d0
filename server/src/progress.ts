import type { WriteStream } from 'node:tty'

/** Shows how far a long command is: one line that changes on a terminal, a line every ten seconds elsewhere. */
export type Progress = {
  /** `of` may be an estimate. */
  show(done: number, of: number): void
  /** Prints a line of its own. */
  log(line: string): void
}
type Output = Pick<WriteStream, 'write'> & { isTTY?: boolean }

const barLength = 24
const pauseMs = { terminal: 200, file: 10_000 }

export function showProgress(what: string, output: Output = process.stdout, now = () => performance.now()): Progress {
  const isTerminal = output.isTTY === true
  const startedAt = now()
  let shownAt = startedAt
  let hasBar = false
  const clear = () => {
    if (hasBar) output.write('\r\u001b[K')
    hasBar = false
  }
  return {
    show(done, of) {
      const at = now()
      if (at - shownAt < (isTerminal ? pauseMs.terminal : pauseMs.file)) return
      shownAt = at
      const share = Math.min(1, of > 0 ? done / of : 0)
      const text = `${what} ${bar(share)} ${Math.floor(share * 100)} %${timeLeft(share, at - startedAt)}`
      if (!isTerminal) return void output.write(`${text}\n`)
      clear()
      output.write(text)
      hasBar = true
    },
    log(line) {
      clear()
      output.write(`${line}\n`)
    },
  }
}

function bar(share: number): string {
  const filled = Math.round(share * barLength)
  return `[${'#'.repeat(filled)}${'.'.repeat(barLength - filled)}]`
}

/** Unknown while little is done. */
function timeLeft(share: number, elapsedMs: number): string {
  if (share < 0.02) return ''
  const seconds = Math.round((elapsedMs / 1_000) * (1 / share - 1))
  return `, ${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')} left`
}
