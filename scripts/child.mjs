import { spawn } from 'node:child_process'
import { constants } from 'node:os'

/** Runs a command to its end with our own terminal, hands on what tells us to stop, and answers its exit code. */
export function runToEnd([command, ...args], options = {}) {
  const child = spawn(command, args, { stdio: 'inherit', ...options })
  const stopForwarding = forwardSignals(child)
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code, signal) => {
      stopForwarding()
      resolve(code ?? 128 + constants.signals[signal])
    })
  })
}

/** Runs a command without a word; what it said comes with the error if it fails. */
export function runQuietly([command, ...args], options = {}) {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options })
  const stopForwarding = forwardSignals(child)
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => {
      stopForwarding()
      code === 0 ? resolve() : reject(new Error(`${args.join(' ')} failed (${code}).\n${said.trim()}`))
    })
  })
}

/**
 * Each signal goes on once: npm repeats to us what the terminal already sent to the whole group, and a child that
 * is busy stopping should not be told again. Ctrl-C in a terminal reaches the child by itself.
 */
function forwardSignals(child) {
  const handlers = ['SIGINT', 'SIGTERM', 'SIGHUP'].map((signal) => {
    let sent = signal === 'SIGINT' && process.stdin.isTTY
    const forward = () => {
      if (!sent) child.kill(signal)
      sent = true
    }
    process.on(signal, forward)
    return [signal, forward]
  })
  const stopWatching = watchShell(() => process.emit('SIGTERM'))
  return () => {
    stopWatching()
    for (const [signal, forward] of handlers) process.off(signal, forward)
  }
}

/** npm signals the shell that it runs us in, and some shells die of it without a word to us: their end is our signal. */
function watchShell(whenGone) {
  if (!process.env.npm_lifecycle_event) return () => {}
  const shell = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === shell) return
    clearInterval(timer)
    whenGone()
  }, 200)
  return () => clearInterval(timer)
}
