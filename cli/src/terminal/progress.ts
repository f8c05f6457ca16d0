import { safeLine } from './safe-text.ts'
import type { Terminal } from './terminal.ts'

export type Progress = { show(text: string): void; end(): void }

/** One line on standard error that changes. Without a terminal nothing is shown, so that logs stay short. */
export function showProgress(terminal: Terminal): Progress {
  const isShown = terminal.isTerminal.err && !terminal.isJson
  let isOpen = false
  return {
    show: (text) => {
      if (!isShown) return
      terminal.writeErr(`\r\u001b[K${safeLine(text)}`)
      isOpen = true
    },
    end: () => {
      if (isOpen) terminal.writeErr('\r\u001b[K')
      isOpen = false
    },
  }
}

/** Shows the progress of blocks while the work runs. */
export async function withBlockProgress<Result>(
  terminal: Terminal,
  title: string,
  work: (onProgress: (checked: number, total: number) => void) => Promise<Result>,
): Promise<Result> {
  const progress = showProgress(terminal)
  try {
    return await work((checked, total) => progress.show(`${title}: block ${checked} of ${total}`))
  } finally {
    progress.end()
  }
}
