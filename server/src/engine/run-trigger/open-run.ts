import type { TokenTable } from '../message/index.ts'
import { UpstreamError } from '../outbound/upstream-error.ts'
import type { Connection } from '../sources/connection.ts'
import type { Connections, Lease, SourceAddress } from '../sources/connections.ts'
import type { RunContext } from './run.ts'
import { readScriptNetwork } from './script-network.ts'

type Providers = RunContext['providers']
export type OpenRunOptions = {
  engine: Pick<RunContext, 'scripts' | 'outputsMax'> &
    Pick<Providers, 'door'> & { connections: Connections; tokens: TokenTable }
  /** The trigger's own source; null for a timer and for a stream. */
  ownSource: string | null
  resolve(source: string): Promise<SourceAddress | { refused: string }>
} & Pick<Providers, 'trigger' | 'boundSource' | 'windows' | 'memo' | 'cache' | 'secrets' | 'parking' | 'askedAtMs'>

/** The context of some runs of one trigger. `close` releases the connections. */
export type OpenedRun = {
  context: RunContext
  /** The trigger's own source, or a named one. Throws an UpstreamError that says why there is none. */
  connection(source?: string): Promise<Connection>
  addressOf(source?: string): Promise<SourceAddress>
  close(): void
}

/** A source is connected when a provider first needs it. Live runs and try-outs open their runs here. */
export function openRun({ engine, ownSource, resolve, ...rest }: OpenRunOptions): OpenedRun {
  const { scripts, door, outputsMax, connections, tokens } = engine
  const shownSource = rest.boundSource ?? undefined
  const leases = new Map<string, Promise<Lease>>()
  const requireName = (source: string | null = ownSource) => {
    if (source === null) throw new UpstreamError('refused', 'The trigger has no data source.')
    return source
  }
  const addressOf = async (source?: string) => {
    const found = await resolve(requireName(source))
    if ('refused' in found) throw new UpstreamError('refused', found.refused)
    return found
  }
  const connection = async (source?: string) => {
    const name = requireName(source)
    const lease = leases.get(name) ?? addressOf(name).then((address) => connections.lease(address))
    leases.set(name, lease)
    return (await lease).connection
  }
  const networkSource = {
    addressOf: () => addressOf(shownSource),
    connection: () => connection(shownSource),
    tokens,
  }
  const networkOf: RunContext['networkOf'] = (items) => readScriptNetwork(networkSource, items)
  return {
    context: { scripts, outputsMax, networkOf, providers: { scripts, door, connection, ...rest } },
    connection,
    addressOf,
    close() {
      for (const lease of leases.values()) lease.then(({ release }) => release()).catch(() => undefined)
    },
  }
}
