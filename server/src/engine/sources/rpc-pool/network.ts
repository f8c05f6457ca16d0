import { RpcError } from '../../outbound/json-rpc.ts'
import { UpstreamError } from '../../outbound/upstream-error.ts'
import { isEndpointsFault, messageWithoutHost } from './endpoint.ts'
import type { Health } from './health.ts'
import { afterReally, sendUntilAnswered } from './second-tries.ts'

/** How to ask a node for its network. */
export type NetworkCall = {
  method: string
  params: readonly unknown[]
  /** Returns a unique name of the network: the chain id or the hash of the first block. Throws an UpstreamError. */
  read(answer: unknown): string
  /** By default the network of the first endpoint that answers. */
  expected?: string
}
type KnownName = { name: Promise<string>; untilMs: number }

/** The node behind an address may be replaced, so its network is checked again after this time. */
const recheckMs = 600_000

/** Rejects endpoints of another network, because their blocks would look like a reorg. */
export class Network {
  readonly #call: NetworkCall | undefined
  readonly #now: () => number
  readonly #names = new Map<Health, KnownName>()
  #expected: string | undefined

  /** Without a call nothing is checked. */
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
    if (isNew) health.notify('endpoint_of_other_network', `is not used: it ${what}`, 'warn')
    throw new UpstreamError('bad_answer', `${health.name} ${what}`)
  }

  #isKnown(health: Health): boolean {
    return (this.#names.get(health)?.untilMs ?? Number.NEGATIVE_INFINITY) > this.#now()
  }

  #nameOf(health: Health, call: NetworkCall, timeoutMs: number): Promise<string> {
    const known = this.#names.get(health)
    if (known && this.#isKnown(health)) return known.name
    const name = askName(health, call, timeoutMs).catch((error: unknown) => {
      this.#names.delete(health)
      throw error
    })
    this.#names.set(health, { name, untilMs: this.#now() + recheckMs })
    return name
  }
}

/** All calls to the endpoint wait for this one, so it must not hang. */
async function askName({ endpoint, host, times }: Health, call: NetworkCall, timeoutMs: number): Promise<string> {
  const send = () => endpoint.request(call.method, call.params, timeoutMs)
  const silentMs = times.silentMs(call.method, timeoutMs)
  try {
    return call.read(
      await sendUntilAnswered(send, { triesMax: 2, silentMs, leftMs: () => timeoutMs, after: afterReally }),
    )
  } catch (error) {
    if (!(error instanceof RpcError) || isEndpointsFault(error)) throw error
    throw new UpstreamError(
      'bad_answer',
      `${host} does not report its network with ${call.method}: ${messageWithoutHost(error)}`,
    )
  }
}
