import { makePauses } from '../../../base/event-loop-turns.ts'
import { isObject } from '../../../base/json.ts'
import { UpstreamError } from '../../../outbound/upstream-error.ts'
import type { SubstrateCall, SubstrateEvent } from '../contents.ts'
import { Cursor, type ValuesLeft, valuesMax } from '../cursor.ts'
import type { Decode } from '../decode.ts'
import type { Runtime } from '../runtime.ts'
import { type Call, readCall } from './call.ts'
import { callsRunBy, isResult } from './calls-run-by.ts'

type Block = SubstrateCall['block']

/**
 * The calls of a block in the order of the chain: an extrinsic's own call, then the calls inside it. Throws an UpstreamError
 * when bytes are invalid.
 */
export async function listCalls(
  extrinsics: readonly string[],
  events: readonly SubstrateEvent[],
  runtime: Runtime,
  block: Block,
): Promise<SubstrateCall[]> {
  try {
    const read = extrinsicReader(runtime)
    const eventsOf = groupByExtrinsic(events)
    const values = { count: valuesMax }
    const pause = makePauses()
    const calls: SubstrateCall[] = []
    for (const [index, hex] of extrinsics.entries()) {
      await pause()
      const { hash, sender, nonce, call } = read(hex, values)
      for (const { call: each, path, outcome } of callsRunBy(call, eventsOf.get(index) ?? []))
        calls.push({ block, index, hash, ...each, sender, nonce, path, ...outcome })
    }
    return calls
  } catch (error) {
    if (error instanceof UpstreamError) throw error
    const reason = error instanceof Error ? error.message : String(error)
    throw new UpstreamError('bad_answer', `The extrinsics of block ${block.number} cannot be decoded: ${reason}.`)
  }
}

/** How many extrinsics of a block have a result among its events. */
export function countResults(events: readonly SubstrateEvent[]): number {
  return events.filter(isResult).length
}

function groupByExtrinsic(events: readonly SubstrateEvent[]): Map<number, SubstrateEvent[]> {
  const groups = new Map<number, SubstrateEvent[]>()
  for (const event of events) {
    if (event.extrinsic === null) continue
    const group = groups.get(event.extrinsic)
    if (group) group.push(event)
    else groups.set(event.extrinsic, [event])
  }
  return groups
}

/** An extrinsic. `sender` and `nonce` are null if nobody signed it, as for the extrinsics of the block's author. */
type Extrinsic = { hash: string; sender: string | null; nonce: number | string | null; call: Call }
type ReadExtrinsic = (hex: string, values: ValuesLeft) => Extrinsic
type Signer = Pick<Extrinsic, 'sender' | 'nonce'>

const readers = new WeakMap<Runtime, ReadExtrinsic>()

/** Reads extrinsics of the formats 4 and 5. The first byte holds the format and, in its two high bits, who vouches for it. */
function extrinsicReader(runtime: Runtime): ReadExtrinsic {
  const reader = readers.get(runtime) ?? buildReader(runtime)
  readers.set(runtime, reader)
  return reader
}

const nobody: Signer = { sender: null, nonce: null }

function buildReader(runtime: Runtime): ReadExtrinsic {
  const readCallValue = runtime.decoder(requireType(runtime, 'call'))
  const readSigned = signedReader(runtime)
  const readGeneral = generalReader(runtime)
  return (hex, values) => {
    const cursor = Cursor.ofHex(hex, values)
    if (Number(cursor.compact()) !== cursor.left) throw new RangeError('an extrinsic has another length than it says')
    const format = cursor.u8()
    const readSigner = signerReaders.get(format)?.({ readSigned, readGeneral })
    if (!readSigner) throw new RangeError(`an extrinsic has the unknown format ${format}`)
    const signer = readSigner(cursor)
    const call = readCall(readCallValue(cursor))
    if (!call || cursor.left > 0) throw new RangeError('an extrinsic holds something else than one call')
    return { hash: hashOf(runtime, hex), ...signer, call }
  }
}

type ReadSigner = (cursor: Cursor) => Signer
const bare: ReadSigner = () => nobody
const signerReaders = new Map<number, (of: { readSigned: ReadSigner; readGeneral: ReadSigner }) => ReadSigner>([
  [0x04, () => bare],
  [0x05, () => bare],
  [0x84, ({ readSigned }) => readSigned],
  [0x45, ({ readGeneral }) => readGeneral],
])

/** Address, signature, extensions. */
function signedReader(runtime: Runtime): ReadSigner {
  const readAddress = runtime.decoder(requireType(runtime, 'address'))
  const readSignature = runtime.decoder(requireType(runtime, 'signature'))
  const readExtensions = extensionsReader(runtime, 0)
  return (cursor) => {
    const sender = accountOf(readAddress(cursor))
    readSignature(cursor)
    return { sender, nonce: nonceIn(readExtensions(cursor)) }
  }
}

/** The version of the extensions, then the extensions. One of them may hold the account and its signature. */
function generalReader(runtime: Runtime): ReadSigner {
  return (cursor) => {
    const extensions = extensionsReader(runtime, cursor.u8())(cursor)
    const proof = extensions.get('VerifyMultiSignature') ?? extensions.get('VerifySignature')
    const signed = isObject(proof) && isObject(proof.value) ? proof.value.account : undefined
    return { sender: accountOf(signed), nonce: nonceIn(extensions) }
  }
}

function extensionsReader(runtime: Runtime, version: number): (cursor: Cursor) => Map<string, unknown> {
  const extensions = runtime.extrinsic.extensionsByVersion[version]
  if (!extensions) throw new RangeError(`the metadata has no extensions of version ${version}`)
  const decoders = extensions.map(({ identifier, type }): [string, Decode] => [identifier, runtime.decoder(type)])
  return (cursor) => new Map(decoders.map(([name, decode]) => [name, decode(cursor)]))
}

function nonceIn(extensions: Map<string, unknown>): number | string | null {
  const nonce = extensions.get('CheckNonce')
  return typeof nonce === 'number' || typeof nonce === 'string' ? nonce : null
}

/** An account, or an address that names one: `{type: 'Id', value: <account>}`. Null for the index of an account. */
function accountOf(address: unknown): string | null {
  const account = isObject(address) ? address.value : address
  return typeof account === 'string' ? account : null
}

/** Since metadata version 15 the types are named; version 14 has them as the parameters of the extrinsic's type. */
function requireType({ extrinsic, types }: Runtime, name: 'address' | 'call' | 'signature'): number {
  if (!('type' in extrinsic)) return extrinsic[name]
  const params = types[extrinsic.type]?.params ?? []
  const type = params.find((param) => param.name.toLowerCase() === name)?.type
  if (type === undefined)
    throw new UpstreamError('bad_answer', `The metadata does not describe the ${name} of extrinsics.`)
  return type
}

function hashOf({ library }: Runtime, hex: string): string {
  return `0x${Buffer.from(library.hashers.Blake2256(Buffer.from(hex.slice(2), 'hex'))).toString('hex')}`
}
