import { InvalidJson, JsonStream, JsonTooLarge } from '../../base/json-stream.ts'
import { UpstreamError } from '../../outbound/upstream-error.ts'
import type { EndpointOptions, TakeElement } from './endpoint.ts'

/**
 * Answers that exceed the limit of an answer, read as a stream. Of such an answer four times the limit may be kept, which is also
 * the limit of a message over a web socket. Over HTTP 32 times the limit may be read.
 */
export const [keptTimes, readTimes] = [4, 32]

/** Parses a large answer of this host. What it throws is an UpstreamError. */
export class LargeAnswer {
  readonly #json: JsonStream
  readonly #host: string
  readonly #keptBytesMax: number

  constructor(host: string, take: TakeElement, { responseBytesMax }: Pick<EndpointOptions, 'responseBytesMax'>) {
    this.#host = host
    this.#keptBytesMax = keptTimes * responseBytesMax
    this.#json = new JsonStream({ take, keptBytesMax: this.#keptBytesMax })
  }

  write(chunk: Uint8Array): void {
    this.#explain(() => this.#json.write(chunk))
  }

  end(): unknown {
    return this.#explain(() => this.#json.end())
  }

  #explain<T>(work: () => T): T {
    try {
      return work()
    } catch (error) {
      if (error instanceof InvalidJson)
        throw new UpstreamError('bad_answer', `${this.#host} answered something that is not JSON.`)
      if (error instanceof JsonTooLarge) throw tooLarge(this.#host, this.#keptBytesMax)
      throw error
    }
  }
}

export function tooLarge(host: string, bytesMax: number): UpstreamError {
  return new UpstreamError('too_large', `${host} answered more than ${bytesMax} bytes.`)
}
