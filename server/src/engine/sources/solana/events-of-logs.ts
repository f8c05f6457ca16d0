import type { EmittedEvent, Transaction } from './transaction.ts'

const invoked = /^Program ([1-9A-HJ-NP-Za-km-z]{32,44}) invoke \[(\d{1,3})\]$/
const ended = /^Program [1-9A-HJ-NP-Za-km-z]{32,44} (?:success$|failed)/
const dataPrefix = 'Program data: '
const base64 = /^[A-Za-z0-9+/]*={0,2}$/

/** The logged events, each assigned to the program that was running when it was logged. */
export function eventsOfLogs({ logs, instructions }: Transaction): EmittedEvent[] {
  if (!logs.some((line) => line.startsWith(dataPrefix))) return []
  const running: string[] = []
  const events: EmittedEvent[] = []
  let started = -1
  const findNext = nextOf(instructions)
  for (const line of logs) {
    const [, program, depth] = (line.endsWith(']') && invoked.exec(line)) || []
    if (program !== undefined) {
      // The depth in the line corrects the stack after lost lines.
      running.splice(Number(depth) - 1, Number.POSITIVE_INFINITY, program)
      started = findNext(program, started)
    } else if (ended.test(line)) running.pop()
    else if (line.startsWith(dataPrefix)) {
      const programId = running.at(-1)
      const data = readData(line)
      if (programId !== undefined && data) events.push({ position: started, programId, data })
    }
  }
  return events
}

/**
 * Finds the next instruction of a program. Precompiled programs write no log lines, so the next line may belong to a later
 * instruction. The search never goes back, so each instruction is passed once.
 */
function nextOf(instructions: Transaction['instructions']): (program: string, after: number) => number {
  const waiting = new Map<string, { positions: number[]; at: number }>()
  for (const { programId, position } of instructions) {
    const known = waiting.get(programId)
    if (known) known.positions.push(position)
    else waiting.set(programId, { positions: [position], at: 0 })
  }
  return (program, after) => {
    const own = waiting.get(program)
    while (own && (own.positions[own.at] ?? Number.POSITIVE_INFINITY) <= after) own.at++
    return own?.positions[own.at] ?? after
  }
}

/** A program may log several pieces in one line; together they are its data. */
function readData(line: string): Uint8Array | undefined {
  const pieces = line.slice(dataPrefix.length).split(' ')
  if (!pieces.every((piece) => base64.test(piece))) return undefined
  return Buffer.concat(pieces.map((piece) => Buffer.from(piece, 'base64')))
}
