import type { Issue, SourceKind } from '@tocsin/contract'
import * as z from 'zod'
import type { AbiAnswer } from '../engine/abi-services/index.ts'
import type { Engine } from '../engine/engine.ts'
import { rulesOf } from '../engine/sources/chains.ts'
import type { Connection } from '../engine/sources/connection.ts'
import { withinSourceTime } from '../engine/sources/deadline.ts'
import type { Store } from '../store/index.ts'
import { type Caller, requireReadableSource } from './find-source.ts'
import { invalidPayload } from './refusal.ts'
import { runTryOut, tryOutTimeoutMs } from './try-out.ts'

/** Look-ups of contracts and names: who may make them, and how long their answers are kept. */

export type Asking = Caller & { engine: Engine; now: Date }

const [minuteMs, dayMs] = [60_000, 24 * 3_600_000]

/** A contract stays verified. One that is not may be soon, and a service that failed may answer again at once. */
function lifeOf(answer: AbiAnswer): number {
  if (answer.found) return 30 * dayMs
  return answer.hasFailed ? minuteMs : 10 * minuteMs
}

const StoredAnswer = z.union([
  z.object({
    found: z.object({
      source: z.enum(['sourcify', 'etherscan', 'blockscout']),
      abi: z.array(z.record(z.string(), z.unknown())),
      name: z.string().optional(),
      documentation: z.record(z.string(), z.string()).optional(),
    }),
  }),
  z.object({ found: z.undefined().optional(), tried: z.array(z.string()), hasFailed: z.boolean() }),
])

/** Asks the services for a verified contract, unless the store knows their answer. */
export function findVerified(
  { store, engine, now }: { store: Store; engine: Engine; now: Date },
  chainId: string,
  address: string,
): Promise<AbiAnswer> {
  const key = `${chainId} ${address}`
  return engine.abiServices.find(chainId, address, {
    find: async () => StoredAnswer.safeParse((await store.lookUps.find('abi', [key], now)).get(key)).data,
    save: (answer) => store.lookUps.save('abi', key, answer, new Date(now.getTime() + lifeOf(answer))),
  })
}

/** Messages of triggers name the contract for a year after somebody looked it up last. */
const contractNameMs = 365 * dayMs

/** A source answers what its owner likes, so the names that it gives count for this source alone. */
export async function saveContractName({ store, now }: Asking, source: string, address: string, name: string) {
  const expiresAt = new Date(now.getTime() + contractNameMs)
  await store.lookUps.save('contract-name', `${source} ${address}`, name, expiresAt)
}

/** The contract names its roles by public constants, whose values are the hashes of their names. */
export async function saveRoleNames(asking: Asking, source: string, roles: ReadonlyMap<string, string>): Promise<void> {
  for (const [hash, name] of roles) await saveContractName(asking, source, hash, name)
}

/** The names of contracts and roles that look-ups on the source have found, by address or hash. */
export async function findKeptNames(
  { store, now }: Pick<Asking, 'store' | 'now'>,
  source: string | null,
  hashes: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  return source === null ? new Map() : store.lookUps.findNames(source, hashes, now)
}

/** The caller may read the source, and it is of this kind. */
export async function requireSourceOf(
  caller: Caller,
  source: string,
  kind: SourceKind,
  refuse: (issues: Issue[]) => Error = invalidPayload,
): Promise<void> {
  const found = await requireReadableSource(caller, source)
  if (found === kind) return
  throw refuse([{ path: 'source', message: `is ${sourceOf(found)}. Choose ${sourceOf(kind)}` }])
}

/** “an EVM source” */
function sourceOf(kind: SourceKind): string {
  const { title } = rulesOf(kind).description
  return `${/^[AEIOU]/.test(title) ? 'an' : 'a'} ${title} source`
}

/** Connects to the source for work of bounded time. Throws an UpstreamError if its nodes do not answer. */
export function atSource<T>(asking: Asking, source: string, work: (connection: Connection) => Promise<T>): Promise<T> {
  return runTryOut(asking, null, async (tryOut) => {
    const connection = await tryOut.connection(source)
    return withinSourceTime(work(connection), tryOutTimeoutMs(asking.engine))
  })
}
