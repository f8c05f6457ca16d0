import { type Context, importOwner, refuseOwner } from './contracts.ts'
import { transferItem } from './items.ts'
import type { NativeTransfers } from './manifest.ts'
import { type Target, targetConditions } from './targets.ts'

type Detail = NonNullable<NativeTransfers['networks']>[number]

const [owner, event] = ['native transfers', 'NativeTransfer']

/** Transfers of the native coin. Without networks they are followed on all of them. */
export function importNativeTransfers(settings: NativeTransfers, context: Context): void {
  const details: Detail[] = settings.networks ?? [...context.networks.keys()].map((network) => ({ network }))
  const unknown = details.find(({ network }) => !context.networks.has(network))
  const why = unknown ? `the network ${unknown.network} is not among the networks` : 'they are not enabled'
  if (unknown || !settings.enabled) {
    refuseOwner(owner, owner, settings, why, context)
    return
  }
  const traced = new Set<Target>()
  const targets = details.flatMap((detail): Target[] => {
    const network = context.networks.get(detail.network)
    if (!network) return []
    const target: Target = { network: detail.network, ...network, indexed: [], endBlock: detail.end_block }
    if (detail.method?.includes('trace')) traced.add(target)
    return [target]
  })
  const itemOf = (name: string, target: Target) => {
    if (name !== event) return `native transfers have only the event ${event}`
    const item = transferItem(target, traced.has(target))
    return { ...item, conditions: [...item.conditions, ...targetConditions(target, event, 'source.block.number')] }
  }
  importOwner(owner, { owner, targets, itemOf }, withEvent(settings), settings.networks ?? [], context)
}

/** A webhook that names no event gets every transfer. */
function withEvent({ streams, ...settings }: NativeTransfers): NativeTransfers {
  if (!streams) return settings
  const webhooks = streams.webhooks.map((webhook) =>
    webhook.events.length > 0 ? webhook : { ...webhook, events: [{ event_name: event }] },
  )
  return { ...settings, streams: { ...streams, webhooks } }
}
