import type { Engine } from '../../engine/engine.ts'
import { UpstreamError } from '../../engine/outbound/upstream-error.ts'
import type { LiveConnection, Verified } from '../../engine/sources/connection.ts'
import type { LostPart, SourceRuntime } from '../../store/core/tables.ts'
import { type FollowerLease, LeaseLost, requireLease } from '../../store/following/followers.ts'
import type { RuntimeDeps } from '../deps.ts'
import type { LiveSource } from '../listeners/live-source.ts'
import { Misconfigured } from './failures.ts'
import { lostBlocksLine, lostPart } from './part-health.ts'
import type { SourceReport } from './source-report.ts'

type Deps = Pick<RuntimeDeps, 'store' | 'engine'>
type VerifiedNetwork = Pick<SourceRuntime, 'chainId' | 'genesisHash' | 'ss58Prefix'>

/** Stores the first head of the source. If following starts later, the source still begins at this head. */
export async function storeFirstHead({ store }: Deps, lease: FollowerLease, connection: LiveConnection): Promise<void> {
  const row = await store.followers.find(lease.source)
  if (!row || row.number !== null || row.state.firstHead !== undefined) return
  try {
    const { number } = await connection.head()
    await store.followers.setState(lease, { firstHead: number })
  } catch (error) {
    // The verification and the follow loop report a node that fails.
    if (!(error instanceof UpstreamError)) throw error
  }
}

/** Verifies each revision once, in the process that runs it first: a takeover must not wait for it. */
export async function verifyRevision(
  { store, engine, clock }: Deps & Pick<RuntimeDeps, 'clock'>,
  source: LiveSource,
  lease: FollowerLease,
  report: SourceReport,
): Promise<void> {
  const row = await store.followers.find(lease.source)
  if (row?.epoch !== lease.epoch) throw new LeaseLost(lease.source)
  // The stored value is the verified revision plus one; 0 means that no revision was verified.
  const verifiedMark = source.revision + 1
  if (row.revision === verifiedMark && row.state.network !== undefined && row.state.unreadable !== undefined)
    return report.setRuntime({ ...row.state.runtime, ...report.runtime })
  const { unreadable, ...verified } = await verifyEndpoints(engine, source)
  const network = verified.chainId ?? verified.genesisHash
  if (row.state.network !== undefined && network !== row.state.network)
    await removeCheckpoint({ store, clock }, lease, report)
  report.setRuntime(verified)
  const runtime = { ...row.state.runtime, ...verified }
  const state = { ...row.state, runtime, unreadable, ...(network && { network }) }
  // What other endpoints, or these ones before, did not return.
  const restored = (row.state.unreadable ?? []).filter(({ part }) => !unreadable.some((each) => each.part === part))
  await store.tx(async (store) => {
    await requireLease(store, lease)
    await store.followers.setState(lease, state, verifiedMark)
    for (const { part } of restored) await store.triggerStatuses.restoreByPart(lease.source, part, clock())
    await store.triggerStatuses.breakByKnownParts(lease.source, clock())
  })
  for (const { part, since } of restored)
    if (since !== undefined && row.number !== null) await report.log(lostBlocksLine(part, since, row.number))
}

async function removeCheckpoint(
  { store, clock }: Pick<RuntimeDeps, 'store' | 'clock'>,
  lease: FollowerLease,
  report: SourceReport,
): Promise<void> {
  const message = 'The endpoints now serve another network. The service follows it from its head'
  await store.tx(async (store) => {
    await requireLease(store, lease)
    await store.followers.forgetCheckpoint(lease)
    await store.sourceBlocks.removeAll(lease.source)
    await store.factories.forget(lease.source)
    await store.waitingAlerts.giveUp(lease.source, `${message}.`, clock())
  })
  await report.log({ level: 'warn', message })
}

async function verifyEndpoints(
  engine: Engine,
  source: LiveSource,
): Promise<VerifiedNetwork & { unreadable: LostPart[] }> {
  const verified = await engine.verify(source.address())
  const foreign = verified.endpoints.filter(({ isOfOtherNetwork }) => isOfOtherNetwork)
  if (foreign.length > 0) throw new Misconfigured('source.network_mismatch', foreign.map(describeEndpoint).join(' '))
  if (!verified.endpoints.some(({ ok }) => ok))
    throw new UpstreamError('failed', verified.endpoints.map(describeEndpoint).join(' '))
  const { chainId, genesisHash, ss58Prefix } = verified
  return {
    unreadable: (verified.unreadable ?? []).map((part) => lostPart(source.fullname, part)),
    ...(chainId !== undefined && { chainId }),
    ...(genesisHash !== undefined && { genesisHash }),
    ...(ss58Prefix !== undefined && { ss58Prefix }),
  }
}

/** Only the host names the endpoint: the rest of its URL often holds an API key. */
function describeEndpoint({ url, error }: Verified['endpoints'][number]): string {
  return `${new URL(url).host}: ${error ?? 'It cannot be used.'}`
}
