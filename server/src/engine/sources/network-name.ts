const referenceLength = 32

/** The CAIP-2 name of a network, from the hash of its first block; undefined while the hash is not known. */
export function caip2Name(namespace: string, genesisHash: string | undefined): string | undefined {
  if (genesisHash === undefined) return undefined
  return `${namespace}:${genesisHash.replace(/^0x/, '').slice(0, referenceLength)}`
}
