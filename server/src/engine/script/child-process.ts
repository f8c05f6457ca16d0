import { type ChildProcessByStdio, spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { childCommand } from './child-command.ts'
import { type Lateness, openCpuWatch } from './cpu-used.ts'
import type { ChildLimits } from './limits.ts'
import { type Answer, encodeFrame, type Frame, frameReader, type Turn } from './protocol.ts'

export type TurnResult =
  | { kind: 'answer'; answer: Answer; body: Buffer }
  /** The child did not answer in time. */
  | { kind: 'killed'; lateness: Lateness }
  | { kind: 'ended'; reason: string }

/** One process that runs tenants' code, one turn at a time. After it has ended it cannot be started again. */
export type Child = {
  /** Resolves to undefined, or to the reason why the process did not start. */
  started: Promise<string | undefined>
  turn(turn: Turn, contexts: readonly Uint8Array[]): Promise<TurnResult>
  /** False from the call of `end` on, and after the process was killed because it was late. */
  isAlive(): boolean
  end(): Promise<void>
}

/** Far more than a start needs. */
const startCpuMsMax = 10_000
const cpuChecksMax = 20

export type ChildOptions = ChildLimits & { graceMs: number }

export function startChild({ graceMs, ...limits }: ChildOptions): Child {
  const process = spawnChild(limits)
  const output = readFrames(process)
  const watchCpu = openCpuWatch(process.pid)
  let isEnding = false

  /** Waits for the next frame. Kills a late process, but gives one that got no CPU time `moreMs`, up to `cpuChecksMax` times. */
  const answerWithin = async (
    ms: number,
    moreMs: number,
    lateness: () => Lateness,
  ): Promise<Frame | Lateness | undefined> => {
    let killedFor: Lateness | undefined
    let checks = 0
    const checkLateness = () => {
      const late = lateness()
      if (late === 'starved' && ++checks < cpuChecksMax) timer = setTimeout(checkLateness, moreMs)
      else kill(late)
    }
    const kill = (late: Lateness) => {
      // Its answer may be on the way, and the next turn must not go to a process that was killed.
      isEnding = true
      if (process.kill('SIGKILL')) killedFor = late
    }
    let timer = setTimeout(checkLateness, ms)
    const frame = await output.next()
    clearTimeout(timer)
    return frame ?? killedFor
  }

  const hello = answerWithin(limits.startMs, limits.startMs / 2, watchCpu(startCpuMsMax))
  return {
    started: hello.then((frame) => (typeof frame === 'object' ? undefined : output.lastError() || 'it did not start')),
    turn: async (turn, contexts) => {
      const cpuMsMax = turn.cpuMsMax + (turn.items.length > 1 ? turn.turnCpuMs : 0)
      process.stdin.write(encodeFrame(turn, contexts))
      const frame = await answerWithin(cpuMsMax + graceMs, graceMs, watchCpu(cpuMsMax + graceMs / 2))
      if (!frame) return { kind: 'ended', reason: output.lastError() }
      if (typeof frame === 'string') return { kind: 'killed', lateness: frame }
      return { kind: 'answer', answer: frame.header as Answer, body: frame.body }
    },
    isAlive: () => output.isOpen() && !isEnding,
    end: async () => {
      isEnding = true
      process.kill('SIGKILL')
      await output.closed
    },
  }
}

type Process = ChildProcessByStdio<Writable, Readable, Readable>

function spawnChild(limits: ChildLimits): Process {
  const { file, args, env } = childCommand(limits)
  return spawn(file, args, { env, stdio: ['pipe', 'pipe', 'pipe'] })
}

const answerBytesMax = 32 * 1024 * 1024

/** Reads frames from a process until it ends. */
function readFrames(process: Process) {
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
    // At `exit` the last output may not have been read yet.
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
    /** The line of stderr that says why Node ended. */
    lastError: () => /^.*(?:Error|FATAL).*$/m.exec(errors)?.[0] ?? '',
  }
}
