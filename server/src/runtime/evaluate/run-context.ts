import type { Engine } from '../../engine/engine.ts'
import { UpstreamError } from '../../engine/outbound/upstream-error.ts'
import { openOnce, type ReadMemo, type Windows } from '../../engine/providers/index.ts'
import type { RunWorld } from '../../engine/run-trigger/index.ts'
import type { Lease, SourceAddress } from '../../engine/sources/connections.ts'
import type { RuntimeDeps } from '../deps.ts'
import type { EvaluateJob } from '../jobs/job.ts'
import type { LiveTrigger } from '../listeners/listener.ts'

type Sources = Pick<RuntimeDeps, 'store' | 'networks'>

/**
 * The context of a chunk's runs: scripts, providers and secrets. A source's connection is opened when a provider first
 * asks for it; `close` releases all of them after the chunk.
 */
export function openRunContext(
  { engine, ...sources }: Pick<RuntimeDeps, 'engine' | 'store' | 'networks'>,
  trigger: LiveTrigger,
  job: EvaluateJob,
  windows: Windows,
): { context: RunWorld; close(): void } {
  const { scripts, door, outputsMax } = engine
  const leases = new Map<string, Promise<Lease>>()
  const connection = async (named?: string) => {
    const source = named ?? trigger.dataSource ?? job.source
    if (source === null) throw new UpstreamError('refused', 'The trigger has no data source.')
    const opened = leases.get(source) ?? lease(engine, sources, trigger, source)
    leases.set(source, opened)
    return (await opened).connection
  }
  const memo = memoOf(job)
  const secrets = openOnce(() => sources.store.projectSecrets.open(trigger.projectId))
  return {
    context: {
      scripts,
      outputsMax,
      providers: { scripts, door, windows, trigger: trigger.id, connection, memo, secrets },
    },
    close() {
      for (const opened of leases.values()) opened.then(({ release }) => release()).catch(() => undefined)
    },
  }
}

async function lease(
  { connections }: Pick<Engine, 'connections'>,
  sources: Sources,
  trigger: LiveTrigger,
  source: string,
) {
  return connections.lease(await sourceAddressOf(sources, trigger, source))
}

/** A trigger may read the sources of its workspace, public sources and built-in networks. */
async function sourceAddressOf(
  { store, networks }: Sources,
  trigger: LiveTrigger,
  source: string,
): Promise<SourceAddress> {
  const network = networks.find(({ fullname }) => fullname === source)
  if (network && network.endpoints.length > 0) return network
  const [found] = network ? [] : await store.customSources.findAll([source])
  if (!found || (!found.public && found.workspace_id !== trigger.workspaceId))
    throw new UpstreamError('refused', `There is no data source "${source}" that the trigger may read.`)
  const extensions = found.substrate?.extensions
  const allowMethods = found.workspace_id === trigger.workspaceId ? found.settings.allowMethods : undefined
  return {
    kind: found.kind,
    endpoints: store.customSources.openEndpoints(found),
    ...(extensions && { extensions }),
    ...(allowMethods && { allowMethods }),
  }
}

const memos = new Map<string, ReadMemo>()
const memosMax = 32

/** Chunks of one block share one cache of reads. Only the 32 newest blocks have a cache. */
function memoOf({ source, block }: EvaluateJob): ReadMemo {
  if (source === null || !block) return new Map()
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
