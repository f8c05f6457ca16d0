import { spawn } from 'node:child_process'
import { constants } from 'node:os'

/** Runs a command in our terminal, forwards stop signals to it, and returns its exit code. */
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

/** Runs a command silently; if it fails, the error contains its output. */
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
 * Forwards each signal once. npm repeats a signal that the terminal already sent to the whole process group, and a child
 * that is stopping must not get a second one. Ctrl-C in a terminal reaches the child without our help.
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

/** npm signals the shell that runs us. Some shells die without forwarding the signal, so we treat the end of the shell as a signal. */
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
