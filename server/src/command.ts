const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const

/**
 * Aborts when the process is asked to stop. Later signals change nothing: a signal to the whole group arrives twice, once from the
 * system and once from the script that started us, and must not kill a process that is busy stopping its PostgreSQL.
 */
export function stopSignal(): AbortSignal {
  const stop = new AbortController()
  for (const signal of signals) process.on(signal, () => stop.abort(new Error(`Stopped by ${signal}.`)))
  return stop.signal
}

/** Runs one of the commands to its end. The work closes what it opened also when it is asked to stop or when its output is cut off. */
export async function runCommand(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const cutOff = new AbortController()
  process.stdout.on('error', () => cutOff.abort(new Error('The output was closed before the work was done.')))
  process.stderr.on('error', () => {})
  const signal = AbortSignal.any([stopSignal(), cutOff.signal])
  try {
    await work(signal)
    // What was written last may be refused a moment later.
    await new Promise((written) => process.stdout.write('', written))
    signal.throwIfAborted()
  } catch (error) {
    const cause = signal.aborted ? signal.reason : error
    process.stderr.write(`${cause instanceof Error ? cause.message : cause}\n`)
    process.exitCode = 1
  }
}
