import type {
  ChainDescription,
  CoreAction,
  Explorer,
  Issue,
  NativeCurrency,
  Provider,
  TriggerSpec,
} from '@tocsin/contract'
import type { Factory } from './block.ts'
import type { ValueShape } from './value-shape.ts'

/** A warning about a definition that can be saved and run, but does less than its author may think. */
export type Warning = { reasonCode: typeof unmarkedEvent; path: string; message: string }

/** The spec does not say which values of an event are indexed. */
export const unmarkedEvent = 'trigger.unmarked_event'

/** The identity of a source's network, as its nodes report it. */
export type NetworkIdentity = { chainId?: string | undefined; genesisHash?: string | undefined }

/** A network that the service knows by its chain id or by the hash of its first block. */
export type KnownNetwork = { name: string; nativeCurrency: NativeCurrency; explorer?: Explorer }

/** A public network that is listed before the operator configures an endpoint for it. */
export type PublicNetwork = { title: string; identity: NetworkIdentity }

/** The normal form of an address, equal for two spellings of it, or a sentence about what is wrong. No check throws. */
export type CheckedAddress = { normal: string } | { refused: string }

/** What the words for an event may use. */
export type SpokenEvent = {
  event: string
  params: Readonly<Record<string, unknown>>
  /** The contract that emitted it; the time of its block in seconds, if it is known. */
  contract: unknown
  atSeconds: number | undefined
  /** An address, role or function by its name, else short. */
  name(value: unknown): string
  /** An amount in whole tokens of the contract that emitted the event. */
  amount(value: unknown): string
}

/** What happened, as a sentence without its end; undefined for an event that the chain has no words for. */
export type TellEvent = (spoken: SpokenEvent) => string | undefined

/** The pages of the chain's explorers. */
export type ExplorerPages = {
  transaction: string
  address: string
  block: string
  /** Regular expressions that ignore case, for transactions and addresses. */
  transactionPattern: string
  addressPattern: string
}

/**
 * What is known of a chain without a connection: its specs and reads, and how to check them. Heavy libraries are loaded
 * when a check needs them, so that a service that only manages definitions stays small.
 */
export type ChainRules = {
  /** What the API and the console show of the chain. */
  description: ChainDescription
  /** The starting points of the trigger builder, in the order in which it shows them. */
  coreActions: readonly CoreAction[]
  /** By their names in `common.<name>`. */
  networks?: Readonly<Record<string, PublicNetwork>>
  /** The chain's types of triggerSpec, each with the fields of its items; `block.number` is a field of the object `block`. */
  specs: Readonly<Record<string, readonly string[]>>
  checkSpec(spec: TriggerSpec, path: string): Promise<Issue[]>
  /** Warns about a valid spec that decodes less than its author may expect. */
  warnOf?(spec: TriggerSpec, path: string): Promise<Warning | undefined>
  /** The factory whose contracts a spec means, without reading its ABI. */
  factoryOf?(spec: TriggerSpec): Pick<Factory, 'key' | 'fromBlock'> | undefined
  /** Reports probable typing errors in a spec that can be saved. */
  checkSpelling?(spec: TriggerSpec, path: string): Issue[]
  /** What the ABI of a spec says of the decoded fields of its items; undefined if it says nothing. */
  itemShapes?(spec: TriggerSpec): Promise<ValueShape[] | undefined>
  /** What the ABI of a provider says of its result; undefined if it says nothing. */
  resultShapes?(provider: Provider): Promise<ValueShape[] | undefined>
  /** The types of providers that read the chain, each with the fields that a log may show. */
  reads: Readonly<Record<string, readonly string[]>>
  checkRead(provider: Provider, path: string): Promise<Issue[]>
  isReadingMethod(method: string): boolean
  checkAddress(text: string): CheckedAddress
  /** What an output may have as an address of the chain, if that is more than the form of its addresses. */
  isLooseAddress?(text: string): boolean
  /** The CAIP-2 name of the network; undefined while it is not known. */
  networkName(identity: NetworkIdentity): string | undefined
  /** What a role or a function is called, from the identifier that stands for it on the chain. */
  knownName?(text: string): string | undefined
  /** What the chain's common events say in words. */
  tellEvent?: TellEvent
  /** Absent if the chain has no explorers. */
  explorerPages?: ExplorerPages
  knownNetwork?(identity: NetworkIdentity): KnownNetwork | undefined
  /** The native currency of a network that the service does not know, if all networks of the chain have a common one. */
  usualCurrency?: Pick<NativeCurrency, 'decimals'> & { symbol: string | null }
}

const referenceLength = 32

/** The CAIP-2 name of a network, from the hash of its first block; undefined while the hash is not known. */
export function caip2Name(namespace: string, genesisHash: string | undefined): string | undefined {
  if (genesisHash === undefined) return undefined
  return `${namespace}:${genesisHash.replace(/^0x/, '').slice(0, referenceLength)}`
}
