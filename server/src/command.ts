import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'

const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const

/**
 * Aborts when the process gets a stop signal. Later signals change nothing: a signal to the process group arrives twice,
 * from the system and from the start script, and must not kill a process that is stopping its PostgreSQL.
 */
export function stopSignal(): AbortSignal {
  const stop = new AbortController()
  for (const signal of signals) process.on(signal, () => stop.abort(new Error(`Stopped by ${signal}.`)))
  return stop.signal
}

/** Runs a command to its end. The work also closes what it opened after a stop signal or when its output is closed. */
export async function runCommand(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const cutOff = new AbortController()
  process.stdout.on('error', () => cutOff.abort(new Error('The output was closed before the work was done.')))
  process.stderr.on('error', () => {})
  const signal = AbortSignal.any([stopSignal(), cutOff.signal])
  try {
    await work(signal)
    // The last write may fail asynchronously, so the command waits for it.
    await new Promise((written) => process.stdout.write('', written))
    signal.throwIfAborted()
  } catch (error) {
    const cause = signal.aborted ? signal.reason : error
    process.stderr.write(`${cause instanceof Error ? cause.message : cause}\n`)
    process.exitCode = 1
  }
}

/** Reads the arguments of a command. `--help` prints how it is used; a wrong argument is an error that says so too. */
export function readArguments<Options extends ParseArgsOptionsConfig>(usage: string, options: Options) {
  try {
    const read = parseArgs({ allowPositionals: true, options: { ...options, help: { type: 'boolean', short: 'h' } } })
    if (!('help' in read.values)) return read
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : error}\n${usage}`)
  }
  console.log(usage)
  process.exit(0)
}
