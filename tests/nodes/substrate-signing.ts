import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto'
import { getDynamicBuilder, getLookupFn } from '@polkadot-api/metadata-builders'
import {
  Blake2256,
  compactNumber,
  decAnyMetadata,
  fromBufferToBase58,
  unifyMetadata,
} from '@polkadot-api/substrate-bindings'

/** A test account with an ed25519 key, because Node can sign with it. */
export type TestAccount = { address: string; publicKey: string; key: KeyObject }
export type Call = { pallet: string; name: string; args: unknown }
export type ChainState = { metadata: string; genesisHash: string; specVersion: number; transactionVersion: number }

/** A seed derived from a name, so that the account is the same in every run. */
export function testAccount(name: string, ss58Prefix: number): TestAccount {
  const seed = Blake2256(Buffer.from(name))
  const pkcs8 = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed])
  const key = createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' })
  const publicKey = Uint8Array.from(createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-32))
  return { address: fromBufferToBase58(ss58Prefix)(publicKey), publicKey: toHex(publicKey), key }
}

/** A signed, immortal extrinsic of version 4, as a wallet would send it. */
export function signExtrinsic(account: TestAccount, call: Call, nonce: number, chain: ChainState): string {
  const metadata = unifyMetadata(decAnyMetadata(chain.metadata))
  const builder = getDynamicBuilder(getLookupFn(metadata))
  const { codec, location } = builder.buildCall(call.pallet, call.name)
  const method = Buffer.concat([Buffer.from(location), codec.enc(call.args)])
  const { extra, signedOnly } = extensions(chain, nonce, metadata.extrinsic.extensionsByVersion[0] ?? [])
  const payload = Buffer.concat([method, extra, signedOnly])
  const message = payload.length > 256 ? Blake2256(payload) : payload
  const address = Buffer.concat([Buffer.from([0]), Buffer.from(account.publicKey.slice(2), 'hex')])
  const signature = Buffer.concat([Buffer.from([0]), sign(null, message, account.key)])
  const body = Buffer.concat([Buffer.from([0x84]), address, signature, extra, method])
  return toHex(Buffer.concat([compactNumber.enc(body.length), body]))
}

/** The bytes that each extension adds to the extrinsic and to the signed payload; other extensions add none. */
function extensions(chain: ChainState, nonce: number, used: { identifier: string }[]) {
  const genesis = Buffer.from(chain.genesisHash.slice(2), 'hex')
  const added: Record<string, { extra?: Uint8Array; signedOnly?: Uint8Array }> = {
    CheckSpecVersion: { signedOnly: u32(chain.specVersion) },
    CheckTxVersion: { signedOnly: u32(chain.transactionVersion) },
    CheckGenesis: { signedOnly: genesis },
    CheckMortality: { extra: Buffer.from([0]), signedOnly: genesis },
    CheckNonce: { extra: compactNumber.enc(nonce) },
    ChargeTransactionPayment: { extra: compactNumber.enc(0) },
    ChargeAssetTxPayment: { extra: Buffer.from([0, 0]) },
  }
  const parts = used.map(({ identifier }) => added[identifier] ?? {})
  return {
    extra: Buffer.concat(parts.map(({ extra = Buffer.alloc(0) }) => extra)),
    signedOnly: Buffer.concat(parts.map(({ signedOnly = Buffer.alloc(0) }) => signedOnly)),
  }
}

function u32(value: number): Uint8Array {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

function toHex(bytes: Uint8Array): string {
  return `0x${Buffer.from(bytes).toString('hex')}`
}
