import type { Socket } from 'node:net'
import { type Answer, AnswerReader } from './answer-reader.ts'
import type { Connect } from './connect.ts'

/** Where a request goes: all of it that is the same for each message. */
export type Place = { origin: string; protocol: string; hostname: string; host: string; port: string }

/** A request under way. `mayRepeat`: the other side closed a connection that had rested, as it may at any time. */
export type Call = {
  text: string
  encoding: 'latin1' | 'utf8'
  bytesMax: number
  /** What carries it now. */
  line: Line | undefined
  onAnswer(answer: Answer): void
  onFailure(error: unknown, mayRepeat: boolean): void
}
type Hooks = { onFree(line: Line): void; onEnd(line: Line): void }

/** One connection, guarded where it is made. It carries one call at a time, and is closed with the first that fails. */
export class Line {
  /** When it came to rest, and how long the other side keeps it. */
  idleSinceMs = 0
  keptMs: number | undefined
  isOver = false
  private socket: Socket | undefined
  private call: Call | undefined
  private reader: AnswerReader
  private hasServed = false
  private readonly hooks: Hooks

  constructor(connect: Connect, place: Place, call: Call, hooks: Hooks) {
    this.hooks = hooks
    this.call = call
    call.line = this
    this.reader = new AnswerReader(call.bytesMax)
    // Where the address is refused there is none, and the error is told before this returns.
    const socket = connect(place, (...[error, connected]) => {
      if (error) this.end(error)
      else this.begin(connected)
    })
    if (this.isOver) socket?.destroy()
    else this.socket = socket
  }

  carry(call: Call): void {
    this.call = call
    call.line = this
    this.reader = new AnswerReader(call.bytesMax)
    this.socket?.write(call.text, call.encoding)
  }

  /** Whatever it carries is not waited for any longer. */
  end(error?: unknown, mayRepeat = false): void {
    if (this.isOver) return
    this.isOver = true
    const { call } = this
    this.forget()
    this.socket?.destroy()
    this.hooks.onEnd(this)
    call?.onFailure(error ?? cut(), mayRepeat)
  }

  private begin(socket: Socket): void {
    if (this.isOver) {
      socket.destroy()
      return
    }
    this.socket = socket
    socket.on('data', (chunk: Buffer) => this.take(chunk))
    socket.on('end', () => this.takeEnd())
    socket.on('error', (error) => this.cutOff(error))
    socket.on('close', () => this.cutOff())
    if (this.call) socket.write(this.call.text, this.call.encoding)
  }

  private take(chunk: Buffer): void {
    // Nobody asked: what it says belongs to nobody.
    if (!this.call) this.end()
    try {
      if (this.call && this.reader.read(chunk)) this.answer()
    } catch (error) {
      this.end(error)
    }
  }

  private takeEnd(): void {
    if (this.call && this.reader.end()) this.answer()
    this.cutOff()
  }

  /** By the other side. Where it had served others before and says nothing now, it may not have looked at the call. */
  private cutOff(error?: unknown): void {
    this.end(error, this.hasServed && !this.reader.hasBegun)
  }

  private forget(): void {
    if (this.call) this.call.line = undefined
    this.call = undefined
  }

  private answer(): void {
    const { call, reader } = this
    this.forget()
    this.hasServed = true
    call?.onAnswer(reader.answer())
    this.keptMs = reader.keptMs
    if (reader.isKept) this.hooks.onFree(this)
    else this.end()
  }
}

function cut(): Error {
  return Object.assign(new Error('The connection was cut'), { code: 'ECONNRESET' })
}
