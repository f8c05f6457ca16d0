/** Runs the command `tocsin` on a pseudo-terminal, which the program `script` of util-linux opens. */
import { spawn, spawnSync } from 'node:child_process'
import { stripVTControlCharacters } from 'node:util'
import { cliProcess, type Workbench } from './cli.ts'

export type OnTerminal = {
  /** What the terminal has shown, without colours and movements of the cursor. */
  text(): string
  /** What it has shown, as it was written. */
  raw(): string
  /** Resolves when the terminal shows the text. Fails if the command ends before. */
  shows(text: string): Promise<void>
  type(keys: string): void
  exitCode: Promise<number | null>
}

/** False where the machine has no such program: macOS has another one with the same name. */
export function hasTerminal(): boolean {
  return /util-linux/.test(String(spawnSync('script', ['--version']).stdout ?? ''))
}

export function startOnTerminal(bench: Workbench, ...words: string[]): OnTerminal {
  const { command, args, env } = cliProcess(words, { ...bench.env, TERM: 'xterm' })
  const line = [command, ...args].map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ')
  const child = spawn('script', ['-qec', `stty cols 100 rows 30; ${line}`, '/dev/null'], { cwd: bench.folder, env })
  const waiting = new Set<() => void>()
  let raw = ''
  let hasEnded = false
  const wake = () => {
    for (const check of waiting) check()
  }
  child.stdout.on('data', (chunk) => {
    raw += chunk
    wake()
  })
  const exitCode = new Promise<number | null>((done) => {
    child.once('close', (code) => {
      hasEnded = true
      wake()
      done(code)
    })
  })
  const text = () => stripVTControlCharacters(raw).replaceAll('\r', '')
  const shows = (wanted: string) =>
    new Promise<void>((shown, failed) => {
      const check = () => {
        if (text().includes(wanted)) shown()
        else if (hasEnded) failed(new Error(`The command ended without "${wanted}": ${text()}`))
        else return
        waiting.delete(check)
      }
      waiting.add(check)
      check()
    })
  return { text, raw: () => raw, shows, type: (keys) => child.stdin.write(keys), exitCode }
}
