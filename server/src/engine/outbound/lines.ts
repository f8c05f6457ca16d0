import type { Connect } from './connect.ts'
import { type Call, Line, type Place } from './line.ts'

const linesMax = 64
/** Shorter than what most servers keep an idle connection for. */
const idleMs = 4_000
/** So long before the other side would close it, by its own word, a connection is not used any more. */
const marginMs = 1_000
const sweepMs = 1_000

/** The connections to all places, by their origin. */
export class Lines {
  private readonly connect: Connect
  private readonly origins = new Map<string, Origin>()
  private sweeping: NodeJS.Timeout | undefined

  constructor(connect: Connect) {
    this.connect = connect
  }

  /** `isFresh`: on a connection that nobody has used yet. */
  carry(place: Place, call: Call, isFresh: boolean): void {
    this.sweeping ??= setInterval(() => this.sweep(), sweepMs).unref()
    let origin = this.origins.get(place.origin)
    if (!origin) {
      origin = new Origin(this.connect, place)
      this.origins.set(place.origin, origin)
    }
    origin.carry(call, isFresh)
  }

  /** Nobody waits for it any longer: also before there is a connection, and then it is not sent later. */
  giveUp({ origin }: Place, call: Call, error: unknown): void {
    this.origins.get(origin)?.giveUp(call, error)
  }

  close(): void {
    clearInterval(this.sweeping)
    for (const origin of this.origins.values()) origin.close()
    this.origins.clear()
  }

  private sweep(): void {
    for (const [name, origin] of this.origins) if (origin.sweep()) this.origins.delete(name)
    if (this.origins.size > 0) return
    clearInterval(this.sweeping)
    this.sweeping = undefined
  }
}

class Origin {
  private readonly connect: Connect
  private readonly place: Place
  private readonly all = new Set<Line>()
  /** The one that rested last is used first, so that the others come to be closed. */
  private readonly idle: Line[] = []
  private readonly waiting = new Set<Call>()

  constructor(connect: Connect, place: Place) {
    this.connect = connect
    this.place = place
  }

  carry(call: Call, isFresh: boolean): void {
    if (isFresh) for (const line of [...this.idle]) line.end()
    const line = this.idle.pop()
    if (line) line.carry(call)
    else if (this.all.size < linesMax) this.open(call)
    else this.waiting.add(call)
  }

  giveUp(call: Call, error: unknown): void {
    if (this.waiting.delete(call)) call.onFailure(error, false)
    else call.line?.end(error)
  }

  /** True when there is nothing left. */
  sweep(): boolean {
    const nowMs = performance.now()
    for (const line of [...this.idle])
      if (nowMs - line.idleSinceMs > Math.min(idleMs, (line.keptMs ?? Infinity) - marginMs)) line.end()
    return this.all.size === 0
  }

  close(): void {
    for (const call of this.waiting) this.giveUp(call, undefined)
    for (const line of [...this.all]) line.end()
  }

  private open(call: Call): void {
    const line = new Line(this.connect, this.place, call, {
      onFree: (line) => this.free(line),
      onEnd: (line) => this.forget(line),
    })
    // One whose address is refused is over before it is known here.
    if (!line.isOver) this.all.add(line)
  }

  private free(line: Line): void {
    const next = this.takeWaiting()
    line.idleSinceMs = performance.now()
    if (next) line.carry(next)
    else this.idle.push(line)
  }

  private forget(line: Line): void {
    this.all.delete(line)
    const at = this.idle.indexOf(line)
    if (at >= 0) this.idle.splice(at, 1)
    const next = this.takeWaiting()
    if (next) this.open(next)
  }

  private takeWaiting(): Call | undefined {
    for (const call of this.waiting) {
      this.waiting.delete(call)
      return call
    }
    return undefined
  }
}
