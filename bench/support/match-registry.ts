import type { Condition } from '@tocsin/contract'
import { expandSubscription, makeInterner } from '../../server/src/engine/fan-out/index.ts'
import type { Interner } from '../../server/src/engine/fan-out/interner.ts'
import { evm } from '../../server/src/engine/sources/evm/index.ts'
import { bindListener } from '../../server/src/runtime/listeners/read-listeners.ts'
import { readTrigger } from '../../server/src/runtime/listeners/read-trigger.ts'
import { Registry } from '../../server/src/runtime/listeners/registry.ts'
import type { SourceIndex } from '../../server/src/runtime/listeners/source-index.ts'

/** An event as the author of a trigger enters it: a line of its ABI, and the length of its data in bytes. */
export type KnownEvent = { abiFragment: string; dataBytes: number }
/** A subscription to an event or to calls of a function. Those with the same `trigger` share one; without it each has its own. */
export type Wanted = { contract?: string; conditions: Condition; trigger?: string } & (
  | { event: KnownEvent }
  | { method: string; internal?: boolean }
)

const source = 'bench.s'
const filtersSchema = {
  from: { type: 'address', sourcePath: 'params.from' },
  to: { type: 'address', sourcePath: 'params.to' },
  value: { type: 'balance', decimals: 0, sourcePath: 'params.value' },
}

/** Registers triggers and subscriptions with the functions that the service uses for the rows of its store. */
export async function makeIndex(count: number, want: (at: number) => Wanted): Promise<SourceIndex> {
  const registry = new Registry()
  registry.setSource(source, {
    ...{ fullname: source, kind: 'evm', id: null, workspaceId: null, revision: 1, settings: {}, savedAt: new Date(0) },
    address: () => {
      throw new Error('nobody connects here')
    },
  })
  const interner = makeInterner()
  for (let at = 0; at < count; at++) await addSubscription(registry, interner, at, want(at))
  const index = registry.index(source)
  if (!index) throw new Error('the source has no index')
  return index
}

async function addSubscription(registry: Registry, interner: Interner, at: number, wanted: Wanted): Promise<void> {
  const id = wanted.trigger ?? `trigger-${at}`
  if (!registry.triggers.has(id)) {
    const trigger = await readTrigger(triggerRow(id, wanted), (_, spec) => evm.items.prepare(spec), interner)
    if (trigger.feed.kind !== 'source') throw new Error(`trigger ${id} has no source`)
    registry.putTrigger(trigger)
  }
  const subscription = `subscription-${at}`
  const unbound = expandSubscription(subscriptionRow(subscription, id, wanted), undefined, interner)
  registry.setListeners(
    subscription,
    unbound.flatMap((each) => bindListener(each, registry) ?? []),
    0,
  )
}

function specOf(wanted: Wanted) {
  const { contract } = wanted
  const common = { dataSource: source, ...(contract && { contract }) }
  if ('method' in wanted) return { type: 'evm_call', ...common, method: wanted.method, internal: wanted.internal }
  return { type: 'evm_log', ...common, topicsCount: 3, ...wanted.event }
}

function triggerRow(id: string, wanted: Wanted) {
  return {
    ...{ id, version: 1, fullname: `bench.p.${id}`, title: id, project: 'bench.p', project_id: 'p', workspace_id: 'w' },
    ...{ is_public: true, data_source: source, providers: [] },
    definition: {
      ...{ backend: {}, inputs: {}, filtersSchema, transform: null, activation: null, executionPolicy: null },
      triggerSpec: specOf(wanted),
    },
  }
}

function subscriptionRow(id: string, trigger: string, { conditions }: Wanted) {
  return {
    ...{ id, account_id: 'a', workspace_id: 'w', project_id: 'p', template_id: null, trigger_id: trigger },
    ...{ topics: null, vals: null, inputs: null, conditions: JSON.stringify(conditions), policy: null, delivery: null },
    ...{ overrides: null, resources: '[]', history: null, updated_at: new Date(0) },
  }
}
