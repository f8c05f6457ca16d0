import { readSync, writeSync } from 'node:fs'

/** One turn of a child: some items of one script, each with its own clock. The contexts follow as bytes. */
export type Turn = {
  /** The code that the child evaluates: see program.ts. */
  code: string
  cpuMsMax: number
  turnCpuMs: number
  items: { bytes: number; nowMs: number }[]
}

/** The outcomes of the first items, at least one. The parent sends the others again. It replaces the child if `rssBytes` is too large. */
export type Answer = { outcomes: Outcome[]; rssBytes: number }

/** `bytes` (of the value) and `logs` are the lengths of the JSON that follows, in this order. */
export type Outcome = { logs: number } & (
  | { kind: 'value'; bytes: number }
  | { kind: FailureKind; message: string; stack?: string }
)

export type FailureKind = 'syntax' | 'throw' | 'timeout' | 'memory' | 'output_limit' | 'not_json' | 'crash'

/** The name that the engine gives to the tenant's code in stacks. */
export const scriptFile = 'script.js'

/** A message between parent and child: the total length, the header's length, a JSON header, and raw bytes. */
export type Frame = { header: unknown; body: Buffer }

const prefixBytes = 8

export function encodeFrame(header: unknown, parts: readonly Uint8Array[]): Buffer {
  const text = Buffer.from(JSON.stringify(header))
  const size = parts.reduce((sum, part) => sum + part.length, text.length)
  const prefix = Buffer.alloc(prefixBytes)
  prefix.writeUInt32LE(size, 0)
  prefix.writeUInt32LE(text.length, 4)
  return Buffer.concat([prefix, text, ...parts], prefixBytes + size)
}

function decodeFrame(content: Buffer, headerBytes: number): Frame {
  return { header: JSON.parse(content.toString('utf8', 0, headerBytes)), body: content.subarray(headerBytes) }
}

/** The parent's reader. It takes chunks and calls `onFrame` for each complete frame. Throws if a frame is too large. */
export function frameReader(bytesMax: number, onFrame: (frame: Frame) => void): (chunk: Buffer) => void {
  let chunks: Buffer[] = []
  let bufferedBytes = 0
  return (chunk) => {
    chunks.push(chunk)
    bufferedBytes += chunk.length
    while (bufferedBytes >= prefixBytes) {
      if ((chunks[0]?.length ?? 0) < prefixBytes) chunks = [Buffer.concat(chunks)]
      const frameBytes = prefixBytes + (chunks[0]?.readUInt32LE(0) ?? 0)
      if (frameBytes > bytesMax) throw new Error('a script process sent an answer that is too large')
      if (bufferedBytes < frameBytes) return
      const whole = chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)
      const rest = whole.subarray(frameBytes)
      chunks = rest.length > 0 ? [rest] : []
      bufferedBytes = rest.length
      onFrame(decodeFrame(whole.subarray(prefixBytes, frameBytes), whole.readUInt32LE(4)))
    }
  }
}

/** The child's reader. It blocks, since a child does one thing at a time. Returns undefined if the parent has closed the pipe. */
export function readFrame(fd: number): Frame | undefined {
  const prefix = readBytes(fd, prefixBytes)
  const content = prefix && readBytes(fd, prefix.readUInt32LE(0))
  return content && decodeFrame(content, prefix.readUInt32LE(4))
}

function readBytes(fd: number, count: number): Buffer | undefined {
  const bytes = Buffer.allocUnsafe(count)
  for (let at = 0; at < count; ) {
    const read = readSync(fd, bytes, at, count - at, null)
    if (read === 0) return undefined
    at += read
  }
  return bytes
}

export function writeFrame(fd: number, header: unknown, parts: readonly Uint8Array[]): void {
  const frame = encodeFrame(header, parts)
  for (let at = 0; at < frame.length; ) at += writeSync(fd, frame, at)
}
