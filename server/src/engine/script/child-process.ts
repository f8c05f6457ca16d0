import { type ChildProcessByStdio, spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { childCommand } from './child-command.ts'
import { type Lateness, watchCpu } from './cpu-used.ts'
import type { ChildEngine } from './engines.ts'
import { encodeFrame, type Frame, frameReader } from './frames.ts'
import type { ChildLimits } from './limits.ts'
import type { Answer, Turn } from './protocol.ts'

export type Answered =
  | { kind: 'answer'; answer: Answer; body: Buffer }
  /** It did not answer in time; `isCertain` when it surely used its CPU time, and did not just wait for a busy machine. */
  | { kind: 'killed'; isCertain: boolean }
  | { kind: 'ended'; reason: string }

/** One process that runs tenants' code, one turn at a time. Once it has ended it stays ended. */
export type Child = {
  /** Why it did not start, if it did not. */
  started: Promise<string | undefined>
  turn(turn: Turn, contexts: readonly Uint8Array[]): Promise<Answered>
  isAlive(): boolean
  end(): Promise<void>
}

const startMsMax = 20_000
const looksMax = 20

export type ChildOptions = ChildLimits & { graceMs: number; engine: ChildEngine }

export function startChild({ graceMs, engine, ...limits }: ChildOptions): Child {
  const process = spawnChild(engine, limits)
  const line = listen(process)

  /** The next frame. A process that is late is ended, unless it was starved: then it is looked at again, some times. */
  const answerWithin = async (ms: number, lateness: () => Lateness): Promise<Frame | Lateness | undefined> => {
    let killedFor: Lateness | undefined
    let looks = 0
    const look = () => {
      const late = lateness()
      if (late === 'starved' && ++looks < looksMax) timer = setTimeout(look, graceMs)
      else if (process.kill('SIGKILL')) killedFor = late
    }
    let timer = setTimeout(look, ms)
    const frame = await line.next()
    clearTimeout(timer)
    return frame ?? killedFor
  }

  const hello = answerWithin(startMsMax, () => 'unknown')
  return {
    started: hello.then((frame) => (typeof frame === 'object' ? undefined : line.lastWords() || 'it did not start')),
    turn: async (turn, contexts) => {
      const cpuMsMax = turn.cpuMsMax * triesOf(engine) + (turn.items.length > 1 ? turn.turnCpuMs : 0)
      process.stdin.write(encodeFrame(turn, contexts))
      const frame = await answerWithin(cpuMsMax + graceMs, watchCpu(process.pid, cpuMsMax + graceMs / 2))
      if (!frame) return { kind: 'ended', reason: line.lastWords() }
      if (typeof frame === 'string') return { kind: 'killed', isCertain: frame === 'busy' }
      return { kind: 'answer', answer: frame.header as Answer, body: frame.body }
    },
    isAlive: line.isOpen,
    end: async () => {
      process.kill('SIGKILL')
      await line.closed
    },
  }
}

/** Some count time on the wall, and try again when it was too little: see isolated-vm.ts. */
function triesOf({ name }: ChildEngine): number {
  return name === 'isolated-vm' ? 2.25 : 1
}

type Process = ChildProcessByStdio<Writable, Readable, Readable>

function spawnChild(engine: ChildEngine, limits: ChildLimits): Process {
  const { file, args, env } = childCommand(engine, limits)
  return spawn(file, args, { env, stdio: ['pipe', 'pipe', 'pipe'] })
}

const answerBytesMax = 32 * 1024 * 1024

/** What a process says: frames, until it ends. */
function listen(process: Process) {
  let isOpen = true
  let errors = ''
  let onFrame: (frame: Frame | undefined) => void = () => {}

  const read = frameReader(answerBytesMax, (frame) => onFrame(frame))
  process.stdout.on('data', (chunk: Buffer) => {
    try {
      read(chunk)
    } catch {
      process.kill('SIGKILL')
    }
  })
  process.stderr.on('data', (chunk: Buffer) => {
    errors = `${errors}${chunk}`.slice(-4000)
  })
  process.stdin.on('error', () => {})
  const closed = new Promise<void>((done) => {
    const close = () => {
      isOpen = false
      onFrame(undefined)
      done()
    }
    process.once('error', close)
    // Not `exit`: by then its last words may not have been read.
    process.once('close', close)
  })

  return {
    closed,
    isOpen: () => isOpen,
    next: () =>
      new Promise<Frame | undefined>((done) => {
        onFrame = done
        if (!isOpen) done(undefined)
      }),
    /** The line that tells why a program of Node ended. */
    lastWords: () => /^.*(?:Error|FATAL).*$/m.exec(errors)?.[0] ?? '',
  }
}
