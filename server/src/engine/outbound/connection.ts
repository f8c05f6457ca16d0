import type { Socket } from 'node:net'
import { type Answer, AnswerReader } from './answer-reader.ts'
import type { Connect } from './connect.ts'

/** The target of a connection: the parts of a URL that all its requests share. */
export type Endpoint = { origin: string; protocol: string; hostname: string; host: string; port: string }

/** A request in flight. `mayRepeat` is true if the server closed a reused connection before it answered, so the call can be sent again. */
export type Call = {
  text: string
  encoding: 'latin1' | 'utf8'
  bytesMax: number
  /** The connection that sends it now. */
  connection: HttpConnection | undefined
  onAnswer(answer: Answer): void
  onFailure(error: unknown, mayRepeat: boolean): void
}
type Hooks = { onFree(connection: HttpConnection): void; onEnd(connection: HttpConnection): void }

/** One guarded keep-alive connection. It handles one call at a time and closes when a call fails. */
export class HttpConnection {
  /** When it became idle, and the server's announced idle timeout. */
  idleSinceMs = 0
  keepAliveMs: number | undefined
  isClosed = false
  private socket: Socket | undefined
  private call: Call | undefined
  private reader: AnswerReader
  private hasAnswered = false
  private readonly hooks: Hooks

  constructor(connect: Connect, endpoint: Endpoint, call: Call, hooks: Hooks) {
    this.hooks = hooks
    this.call = call
    call.connection = this
    this.reader = new AnswerReader(call.bytesMax)
    // If the guard refuses the address, `connect` calls back with the error before it returns, and returns no socket.
    const socket = connect(endpoint, (...[error, connected]) => {
      if (error) this.end(error)
      else this.begin(connected)
    })
    if (this.isClosed) socket?.destroy()
    else this.socket = socket
  }

  send(call: Call): void {
    this.call = call
    call.connection = this
    this.reader = new AnswerReader(call.bytesMax)
    this.socket?.write(call.text, call.encoding)
  }

  /** Closes the connection. Its current call fails. */
  end(error?: unknown, mayRepeat = false): void {
    if (this.isClosed) return
    this.isClosed = true
    const { call } = this
    this.releaseCall()
    this.socket?.destroy()
    this.hooks.onEnd(this)
    call?.onFailure(error ?? connectionReset(), mayRepeat)
  }

  private begin(socket: Socket): void {
    if (this.isClosed) {
      socket.destroy()
      return
    }
    this.socket = socket
    socket.on('data', (chunk: Buffer) => this.onData(chunk))
    socket.on('end', () => this.onServerEnd())
    socket.on('error', (error) => this.onClosedByServer(error))
    socket.on('close', () => this.onClosedByServer())
    if (this.call) socket.write(this.call.text, this.call.encoding)
  }

  private onData(chunk: Buffer): void {
    // Bytes without a call belong to no request.
    if (!this.call) this.end()
    try {
      if (this.call && this.reader.read(chunk)) this.finishCall()
    } catch (error) {
      this.end(error)
    }
  }

  private onServerEnd(): void {
    if (this.call && this.reader.end()) this.finishCall()
    this.onClosedByServer()
  }

  /** The server closed the connection. If it is a reused one without an answer yet, the server may not have read the call. */
  private onClosedByServer(error?: unknown): void {
    this.end(error, this.hasAnswered && !this.reader.hasBegun)
  }

  private releaseCall(): void {
    if (this.call) this.call.connection = undefined
    this.call = undefined
  }

  private finishCall(): void {
    const { call, reader } = this
    this.releaseCall()
    this.hasAnswered = true
    call?.onAnswer(reader.answer())
    this.keepAliveMs = reader.keepAliveMs
    if (reader.isReusable) this.hooks.onFree(this)
    else this.end()
  }
}

function connectionReset(): Error {
  return Object.assign(new Error('The connection was reset'), { code: 'ECONNRESET' })
}
