import type { SourceKind } from '@tocsin/contract'
import type { Meter } from '../metrics/index.ts'
import { type AbiServices, type AbiServicesConfig, makeAbiServices, publicServices } from './abi-services/index.ts'
import { type ChannelOptions, type Channels, makeChannels } from './destinations/index.ts'
import { type Bot, makeBot } from './destinations/telegram/bot.ts'
import { makeTokenTable, type TokenTable } from './message/index.ts'
import type { Door, PostDoor } from './outbound/door.ts'
import type { OpenDoor } from './outbound/index.ts'
import { type Scripts, startScripts } from './script/index.ts'
import type { Chain } from './sources/chain.ts'
import { loadChain } from './sources/chains.ts'
import type { ConnectOptions, LiveConnection, Verified } from './sources/connection.ts'
import { type Connections, connectOptions, makeConnections, type SourceAddress } from './sources/connections.ts'

/**
 * The parts that run trigger definitions: scripts, the guarded door, connections to chains. Each part starts and loads its
 * libraries at first use, so that a service that only manages definitions stays small.
 */
export type Engine = {
  scripts: Scripts
  door: Door & PostDoor
  connections: Connections
  /** The metadata of the tokens that messages show. */
  tokens: TokenTable
  /** The services with ABIs of verified contracts. */
  abiServices: AbiServices
  /** The channels of deliveries that the operator has configured. */
  channels: Channels
  /** Absent if the operator has configured no Telegram bot. */
  bot?: Bot
  /** The public URL of the service, for links in messages. */
  publicUrl(): string
  /** The largest number of outputs of one match. */
  outputsMax: number
  /** The timeout of one call to a source's nodes. */
  sourceTimeoutMs: number
  verify(address: SourceAddress): Promise<Verified>
  chain(kind: SourceKind): Promise<Chain>
  /** Opens a connection for one caller alone, such as a follower. */
  connect(address: SourceAddress, options?: FollowOptions): Promise<LiveConnection>
  close(): Promise<void>
}

export type EngineOptions = {
  allowPrivateNetworks: boolean
  sourceTimeoutMs?: number
  outputsMax?: number
  channels?: Omit<ChannelOptions, 'door' | 'operatorDoor'>
  publicUrl?: () => string
  /** By default Sourcify's public server. */
  abiServices?: AbiServicesConfig
  /** Counts calls to nodes and runs of scripts. */
  meter?: Pick<Meter, 'rpcOf' | 'script'>
}

const sourceTimeoutDefaultMs = 10_000
const outputsMaxDefault = 100
/** Services are asked one after another while a person waits. */
const abiServiceTimeoutMaxMs = 5_000
export type FollowOptions = Pick<ConnectOptions, 'batchMaxCount' | 'limitWaitMs' | 'onNotice'>

export function startEngine(options: EngineOptions): Engine {
  const door = makeLazyDoor(options)
  const operatorDoor = makeLazyDoor({ allowPrivateNetworks: true })
  const channels = makeChannels({ ...(options.channels ?? noChannels), door, operatorDoor })
  const { sourceTimeoutMs = sourceTimeoutDefaultMs, meter } = options
  const callOptions = { door, timeoutMs: sourceTimeoutMs, ...(meter && { rpcOf: meter.rpcOf }) }
  const scripts = startScripts(meter ? { onRun: meter.script } : {})
  const connections = makeConnections(loadChain, callOptions)
  return {
    scripts,
    door,
    connections,
    tokens: makeTokenTable(),
    abiServices: makeAbiServices(
      operatorDoor,
      options.abiServices ?? publicServices,
      Math.min(sourceTimeoutMs, abiServiceTimeoutMaxMs),
    ),
    channels,
    ...(channels.telegram && { bot: makeBot(channels.telegram) }),
    sourceTimeoutMs,
    outputsMax: options.outputsMax ?? outputsMaxDefault,
    publicUrl: options.publicUrl ?? (() => ''),
    chain: loadChain,
    async connect(address, options) {
      return (await loadChain(address.kind)).connect(address.endpoints, {
        ...connectOptions(callOptions, address),
        ...options,
      })
    },
    async verify(address) {
      return (await loadChain(address.kind)).verify(address.endpoints, connectOptions(callOptions, address))
    },
    async close() {
      await connections.close()
      await scripts.close()
      channels.close()
      await operatorDoor.close()
      await door.close()
    },
  }
}

/** The defaults of a service that delivers only webhooks. */
const noChannels = {
  rates: { emailPerMinute: 10 },
  unsubscribeUrl: () => '',
  alertsUrl: () => '',
  alertUrl: () => '',
  networkTitle: () => undefined,
}

function makeLazyDoor(options: { allowPrivateNetworks: boolean }): OpenDoor {
  let opened: Promise<OpenDoor> | undefined
  const open = () => {
    opened ??= import('./outbound/index.ts').then(({ openDoor }) => openDoor(options))
    return opened
  }
  return {
    fetch: async (url, request) => (await open()).fetch(url, request),
    post: async (url, request) => (await open()).post(url, request),
    webSocket: async (url, limits) => (await open()).webSocket(url, limits),
    close: async () => (await opened)?.close(),
  }
}
