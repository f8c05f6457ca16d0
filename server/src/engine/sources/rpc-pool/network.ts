import { RpcError } from '../../outbound/json-rpc.ts'
import { UpstreamError } from '../../outbound/upstream-error.ts'
import { isEndpointsFault, saidBy } from './endpoint.ts'
import type { Health } from './health.ts'

/** How a node is asked which network it serves. */
export type NetworkCall = {
  method: string
  params: readonly unknown[]
  /** A name that no other network has: the chain id, the hash of the first block. Throws an UpstreamError. */
  read(answer: unknown): string
  /** Absent: that of the first endpoint that tells. */
  expected?: string
}
type Told = { name: Promise<string>; untilMs: number }

/** A node behind an address may be replaced, so what it told is not believed for ever. */
const believedMs = 600_000

/** Keeps an endpoint of another network from answering for this one: its blocks would be taken for a reorganisation. */
export class Network {
  readonly #call: NetworkCall | undefined
  readonly #now: () => number
  readonly #told = new Map<Health, Told>()
  #expected: string | undefined

  /** Without a call nothing is known and nothing refused. */
  constructor(call: NetworkCall | undefined, now: () => number) {
    this.#call = call
    this.#expected = call?.expected
    this.#now = now
  }

  async requireSame(health: Health, timeoutMs: number): Promise<void> {
    if (!this.#call) return
    const isNew = !this.#isKnown(health)
    const name = await this.#nameOf(health, this.#call, timeoutMs)
    this.#expected ??= name
    if (name === this.#expected) return
    const what = `serves another network (${name}) than the other endpoints (${this.#expected}).`
    if (isNew) health.tell('endpoint_of_other_network', `is not used: it ${what}`, 'warn')
    throw new UpstreamError('bad_answer', `${health.host} ${what}`)
  }

  #isKnown(health: Health): boolean {
    return (this.#told.get(health)?.untilMs ?? Number.NEGATIVE_INFINITY) > this.#now()
  }

  #nameOf(health: Health, call: NetworkCall, timeoutMs: number): Promise<string> {
    const known = this.#told.get(health)
    if (known && this.#isKnown(health)) return known.name
    const name = askName(health, call, timeoutMs).catch((error: unknown) => {
      this.#told.delete(health)
      throw error
    })
    this.#told.set(health, { name, untilMs: this.#now() + believedMs })
    return name
  }
}

async function askName({ endpoint, host }: Health, call: NetworkCall, timeoutMs: number): Promise<string> {
  try {
    return call.read(await endpoint.request(call.method, call.params, timeoutMs))
  } catch (error) {
    if (!(error instanceof RpcError) || isEndpointsFault(error)) throw error
    throw new UpstreamError('bad_answer', `${host} does not tell its network by ${call.method}: ${saidBy(error)}`)
  }
}
