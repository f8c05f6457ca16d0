/** The library that reads metadata and encodes keys takes megabytes of memory, so it is loaded with the first Substrate chain. */
export type Library = Awaited<ReturnType<typeof load>>

let loaded: ReturnType<typeof load> | undefined

export function loadLibrary(): ReturnType<typeof load> {
  loaded ??= load()
  return loaded
}

async function load() {
  const [bindings, builders] = await Promise.all([
    import('@polkadot-api/substrate-bindings'),
    import('@polkadot-api/metadata-builders'),
  ])
  const { AccountId, Storage, fromBufferToBase58, getSs58AddressInfo, metadata, unifyMetadata } = bindings
  const { getLookupCodecBuilder, getLookupFn } = builders
  const { Blake2128, Blake2128Concat, Blake2256, Identity, Twox128, Twox256, Twox64Concat } = bindings
  return {
    AccountId,
    Storage,
    fromBufferToBase58,
    getSs58AddressInfo,
    metadata,
    unifyMetadata,
    getLookupCodecBuilder,
    getLookupFn,
    hashers: { Blake2128, Blake2128Concat, Blake2256, Identity, Twox128, Twox256, Twox64Concat },
  }
}
