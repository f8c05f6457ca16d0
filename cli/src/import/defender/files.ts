import { isRecord } from '../../folder/paths.ts'
import type { ForeignFile } from '../foreign-files.ts'

type Fields = Record<string, unknown>

export type DefenderResources = {
  monitors: Fields[]
  notifications: Map<string, Fields>
  networks: Fields[]
  others: string[]
}

/** The kinds of resources that an import reads. */
export const importedKinds: ReadonlySet<string> = new Set([
  'monitors',
  'notifications',
  'contracts',
  'private-networks',
  'forked-networks',
])

/** Sorts the resources of the files: those of `resources`, and the monitors and channels of API answers. */
export function sortResources(files: readonly ForeignFile[]): DefenderResources {
  const found: DefenderResources = { monitors: [], notifications: new Map(), networks: [], others: [] }
  for (const { value } of files) {
    const resources = isRecord(value) && isRecord(value.resources) ? value.resources : undefined
    if (resources) addResources(found, resources)
    else for (const item of itemsOf(value)) addItem(found, item)
  }
  return found
}

function addResources(found: DefenderResources, resources: Fields): void {
  found.monitors.push(...recordsIn(resources.monitors))
  found.networks.push(...recordsIn(resources['private-networks']), ...recordsIn(resources['forked-networks']))
  if (isRecord(resources.notifications))
    for (const [id, channel] of Object.entries(resources.notifications))
      if (isRecord(channel)) found.notifications.set(String(channel.name ?? id), channel)
  for (const [kind, members] of Object.entries(resources))
    if (!importedKinds.has(kind) && isRecord(members))
      found.others.push(...Object.keys(members).map((name) => `${kind} ${name}`))
}

function addItem(found: DefenderResources, item: Fields): void {
  const name = String(item.name)
  if ('addressRules' in item || item.type === 'BLOCK' || item.type === 'FORTA') found.monitors.push(item)
  else if ('notificationId' in item) found.notifications.set(String(item.notificationId), item)
  else if ('actionId' in item || 'autotaskId' in item) found.others.push(`action ${name}`)
  else if ('relayerId' in item) found.others.push(`relayer ${name}`)
}

/** An answer is a list, an object with `items`, or one object. */
function itemsOf(value: unknown): Fields[] {
  if (Array.isArray(value)) return value.filter(isRecord)
  if (isRecord(value) && Array.isArray(value.items)) return value.items.filter(isRecord)
  return isRecord(value) ? [value] : []
}

function recordsIn(members: unknown): Fields[] {
  return isRecord(members) ? Object.values(members).filter(isRecord) : []
}
