import { makeResultCache, openSecretsOnce, type ReadMemo, type Windows } from '../../engine/providers/index.ts'
import { type OpenedRun, openRun } from '../../engine/run-trigger/index.ts'
import type { SourceAddress } from '../../engine/sources/connections.ts'
import { addressOf, resolveSource } from '../../engine/sources/resolve-source.ts'
import type { RuntimeDeps } from '../deps.ts'
import type { EvaluateJob } from '../jobs/job.ts'
import type { LiveTrigger } from '../listeners/live-trigger.ts'

type Sources = Pick<RuntimeDeps, 'store' | 'networks'>

/** Opens the context of a chunk's runs: sources, state windows, secrets and the read cache. */
export function openChunkRun(
  { engine, store, networks, clock }: Sources & Pick<RuntimeDeps, 'engine' | 'clock'>,
  trigger: LiveTrigger,
  job: EvaluateJob,
  windows: Windows,
): OpenedRun {
  return openRun({
    engine,
    ownSource: trigger.dataSource ?? job.source,
    resolve: (source) => resolveSource(source, networks, (name) => findCustom(store, trigger, name)),
    spec: trigger.definition.triggerSpec,
    trigger: trigger.id,
    boundSource: trigger.bindingValues && job.source,
    windows,
    memo: memoOf(job),
    cache: results,
    parking: { nowMs: () => clock().getTime() },
    secrets: openSecretsOnce(() => store.projectSecrets.open(trigger.projectId)),
  })
}

/** A trigger may read the custom sources of its workspace and public ones. */
async function findCustom(
  store: Sources['store'],
  { workspaceId }: LiveTrigger,
  fullname: string,
): Promise<SourceAddress | undefined> {
  const [row] = await store.customSources.findAll([fullname])
  const isOwn = row?.workspace_id === workspaceId
  if (!row || (!row.public && !isOwn)) return undefined
  const endpoints = store.customSources.openEndpoints(row)
  return addressOf({ ...row, endpoints }, isOwn ? row.settings.allowMethods : [])
}

const results = makeResultCache(() => performance.now())
const memos = new Map<string, ReadMemo>()
const memosMax = 32

/**
 * Chunks of one block share one cache of reads. Only the 32 newest blocks have a cache. Runs that waited for a provider ask
 * again, so they share reads only with the runs of their own chunk.
 */
function memoOf({ source, block, matches }: EvaluateJob): ReadMemo {
  if (source === null || !block || matches.some(({ parked }) => parked)) return new Map()
  const key = `${source} ${block.hash}`
  const memo: ReadMemo = memos.get(key) ?? new Map()
  memos.delete(key)
  memos.set(key, memo)
  for (const oldest of memos.keys()) {
    if (memos.size <= memosMax) break
    memos.delete(oldest)
  }
  return memo
}
