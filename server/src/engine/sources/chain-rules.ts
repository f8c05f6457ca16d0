import type { Issue, Provider, SourceKind, TriggerSpec } from '@tocsin/contract'

/** A warning about a definition that can be saved and run, but does less than its author may think. */
export type Warning = { reasonCode: typeof unmarkedEvent; path: string; message: string }

/** The spec leaves open where the values of an event stand. */
export const unmarkedEvent = 'trigger.unmarked_event'

/** Which network a source is of, as its nodes told. */
export type NetworkIdentity = { chainId?: string | undefined; genesisHash?: string | undefined }

/**
 * What is known of a chain without a connection: which specs and reads it has, and whether they are right. Heavy libraries
 * are loaded when a check needs them, so that a service that only manages definitions stays small.
 */
export type ChainRules = {
  kind: SourceKind
  /** The types of triggerSpec that the chain has, each with the fields of its items. */
  specs: Readonly<Record<string, readonly string[]>>
  checkSpec(spec: TriggerSpec, path: string): Promise<Issue[]>
  /** A spec that is valid, and decodes less than its author may think. */
  warnOf?(spec: TriggerSpec, path: string): Promise<Warning | undefined>
  /** A spec that is taken when it is saved, and most likely holds a typing error. */
  checkSpelling?(spec: TriggerSpec, path: string): Issue[]
  /** The types of providers that read the chain, each with the fields that a log may show. */
  reads: Readonly<Record<string, readonly string[]>>
  checkRead(provider: Provider, path: string): Promise<Issue[]>
  isReadingMethod(method: string): boolean
  isAddress(text: string): boolean
  /** The name of the network after CAIP-2; undefined while it is not known. */
  networkName(identity: NetworkIdentity): string | undefined
}
